package jail

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// The bounds of the copy of one folder.
const (
	mostCopied  = 256 << 20 // bytes
	mostEntries = 50_000
)

// copies are copies of files and folders that only some users may read. A bot
// with a user id of its own reads the copies.
type copies struct {
	mu   sync.Mutex
	made map[string]string // the copy, by the original and what is hidden in it
}

// closedError says that a user who owns no files may not use a path.
type closedError struct{ problem, hint string }

func (e *closedError) Error() string {
	return fmt.Sprintf("the bot runs under a user id of its own, which may not %s (hint: chmod %s)", e.problem, e.hint)
}

// want is a path that a bot needs, and the permissions that others must have.
type want struct {
	path string
	bits fs.FileMode
}

const mayEnter, mayRead fs.FileMode = 0o001, 0o004

// wants returns what the bot needs: its folder, the files that its arguments name,
// and its programs.
func (c *Cell) wants() []want {
	all := []want{{c.command.Dir, mayEnter | mayRead}}
	for _, arg := range c.command.Args[min(1, len(c.command.Args)):] {
		path := arg
		if !filepath.IsAbs(path) {
			path = filepath.Join(c.command.Dir, path)
		}
		hidden := slices.ContainsFunc(c.command.Hidden, func(h string) bool { return inside(path, filepath.Clean(h)) })
		if stat, err := os.Stat(path); !hidden && err == nil && stat.Mode().IsRegular() {
			all = append(all, want{path, mayRead})
		}
	}
	for n, program := range c.programs {
		bits := mayEnter
		if n < len(c.programs)-1 && filepath.Base(program) != "env" {
			bits |= mayRead // a script
		}
		all = append(all, want{program, bits})
	}
	return all
}

// strangerMay checks that a user who owns no files may use a path. The error is a
// [*closedError], or says that there is no such file.
func (j *Jail) strangerMay(path string, bits fs.FileMode) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return notThere(err)
	}
	stat, err := os.Stat(real)
	if err != nil {
		return notThere(err)
	}
	if stat.Mode().Perm()&bits != bits {
		hint := map[fs.FileMode]string{mayEnter: "o+x", mayRead: "o+r", mayEnter | mayRead: "o+rx"}[bits]
		return &closedError{"use " + real, hint}
	}
	if j.mounts {
		return nil // the permissions of the folders above do not matter
	}
	for folder := filepath.Dir(real); folder != "/"; folder = filepath.Dir(folder) {
		if stat, err := os.Stat(folder); err == nil && stat.Mode().Perm()&mayEnter == 0 {
			return &closedError{fmt.Sprintf("enter %s on the way to %s", folder, real), "o+x"}
		}
	}
	return nil
}

// open makes copies of what a bot with a user id of its own needs and may not use.
// It returns the copies by the paths of the originals. A bot with mounts of its own
// will see each copy at the path of the original. Without mounts, only the bot's
// folder can be a copy, and open moves the command there.
func (c *Cell) open(ctx context.Context) (map[string]string, error) {
	dir, err := filepath.EvalSymlinks(c.command.Dir)
	if err != nil {
		return nil, notThere(err)
	}
	moved := make(map[string]string)
	for _, n := range c.wants() {
		closed := c.jail.strangerMay(n.path, n.bits)
		if closed == nil {
			continue
		}
		real, err := filepath.EvalSymlinks(n.path)
		if err != nil {
			return nil, closed
		}
		named, from := n.path, real
		if inside(real, dir) {
			named, from = c.command.Dir, dir
		}
		if !errors.As(closed, new(*closedError)) || from != dir && !c.jail.mounts {
			return nil, closed
		}
		if moved[from] == "" {
			if moved[from], err = c.copied(ctx, named, from); err != nil {
				return nil, fmt.Errorf("%w; Sembra cannot copy %s for it: %w", closed, from, err)
			}
		}
		stat, err := os.Stat(filepath.Join(moved[from], real[len(from):]))
		if real != dir && (err != nil || stat.Mode().Perm()&n.bits != n.bits) {
			return nil, closed // the owner of the folder may not read it either
		}
	}
	to := moved[dir]
	if to == "" {
		return moved, nil
	}
	stat, err := os.Stat(to)
	if err != nil {
		return nil, err
	}
	c.readers = stat.Sys().(*syscall.Stat_t).Gid
	if !c.jail.mounts {
		c.move(dir, to)
	}
	return moved, nil
}

// move changes the paths of the command that lie in the bot's folder.
func (c *Cell) move(real, to string) {
	dir := c.command.Dir
	at := func(path string) string {
		for _, folder := range []string{dir, real} {
			if filepath.IsAbs(path) && inside(filepath.Clean(path), folder) {
				return filepath.Join(to, filepath.Clean(path)[len(folder):])
			}
		}
		return path
	}
	c.command.Dir, c.command.Program = to, at(c.command.Program)
	for _, paths := range []*[]string{&c.command.Args, &c.programs} {
		*paths = slices.Clone(*paths)
		for n, path := range *paths {
			(*paths)[n] = at(path)
		}
	}
}

// copied returns a copy of a file or folder. Bots with the same folder, from which
// the same is hidden, share a copy. path is its path as the command names it, and
// real is the same path without symbolic links.
func (c *Cell) copied(ctx context.Context, path, real string) (string, error) {
	all := c.jail.copies
	all.mu.Lock()
	defer all.mu.Unlock()
	hidden := c.jail.hiddenFrom(c)
	key := fmt.Sprintf("%q %q", real, hidden)
	if made := all.made[key]; made != "" {
		return made, nil
	}
	stat, err := os.Lstat(real)
	if err != nil {
		return "", err
	}
	if err := ownLinks(path, ownerOf(stat)); err != nil {
		return "", err
	}
	if err := os.MkdirAll(c.jail.copyFolder(), 0o711); err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp(c.jail.copyFolder(), "copy-")
	if err == nil { // only bots with the copy are in its group
		err = errors.Join(os.Chown(folder, 0, int(firstID+rand.Uint32N(lastID-firstID))), os.Chmod(folder, 0o750))
	}
	if err != nil {
		return "", err
	}
	k := &copying{from: filepath.Dir(real), to: folder, hidden: hidden}
	to, begin := filepath.Join(folder, filepath.Base(real)), filepath.Base(real)
	if stat.IsDir() {
		k.from, k.to, to, begin = real, folder, folder, "."
	}
	if err := k.run(ctx, stat, begin); err != nil {
		return "", errors.Join(err, os.RemoveAll(folder))
	}
	all.made[key] = to
	return to, nil
}

// ownLinks refuses a symbolic link on the way to a path, if neither root nor the
// owner of the path has made it. The author of a bot could lead the way to a file
// of somebody else by it, and root would copy that file.
func ownLinks(path string, owner uint32) error {
	_, links, err := (&eyes{at: make(map[string]place)}).show(path)
	if err != nil {
		return err
	}
	for _, link := range links {
		stat, err := os.Lstat(link)
		if err != nil {
			return err
		}
		if by := ownerOf(stat); by != 0 && by != owner {
			return fmt.Errorf("the symbolic link %s on the way belongs to another user", link)
		}
	}
	return nil
}

func ownerOf(stat fs.FileInfo) uint32 { return stat.Sys().(*syscall.Stat_t).Uid }

// copying copies what the owner of a folder may read in it. Everybody may read the
// copies of files, but only their bots may enter the folder with them.
type copying struct {
	from, to string
	hidden   []string // which is left out
	root     *os.Root // from
	owner    uint32   // of from
	entries  int
	bytes    int64
}

// run copies one entry of the folder, "." for all. stat describes the entry as it
// was when its path was checked.
func (k *copying) run(ctx context.Context, stat fs.FileInfo, begin string) (err error) {
	if k.root, err = os.OpenRoot(k.from); err != nil { // it keeps links from leading out of the folder
		return err
	}
	defer k.root.Close()
	folder, err := k.root.Stat(".")
	if err != nil {
		return err
	}
	if now, err := k.root.Lstat(begin); err != nil || !os.SameFile(now, stat) {
		return errors.Join(errors.New("it was replaced meanwhile"), err)
	}
	k.owner = ownerOf(folder)
	return fs.WalkDir(k.root.FS(), begin, func(path string, d fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if k.entries++; k.entries > mostEntries {
			return fmt.Errorf("it holds more than %d files", mostEntries)
		}
		return k.entry(path, d)
	})
}

// entry copies one file, link or folder. It leaves out everything else.
func (k *copying) entry(path string, d fs.DirEntry) error {
	to := filepath.Join(k.to, path)
	if slices.Contains(k.hidden, filepath.Join(k.from, path)) {
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	}
	switch {
	case d.Type()&fs.ModeSymlink != 0:
		target, err := k.root.Readlink(path)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	case d.IsDir() && isBase(path):
		return fs.SkipDir // the folder for temporary files may lie in the bot's folder: a copy may not hold itself
	case d.IsDir() && path != ".":
		stat, err := d.Info()
		if err != nil {
			return err
		}
		if !k.ownerMay(stat, mayEnter|mayRead) {
			return fs.SkipDir
		}
		return os.Mkdir(to, 0o755)
	case d.Type().IsRegular():
		return k.file(path, to)
	}
	return nil
}

// ownerMay reports whether the owner of the folder may use a file or folder in it.
func (k *copying) ownerMay(stat fs.FileInfo, bits fs.FileMode) bool {
	if ownerOf(stat) == k.owner {
		bits <<= 6
	}
	return stat.Mode().Perm()&bits == bits
}

func (k *copying) file(path, to string) error {
	from, err := k.root.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer from.Close()
	stat, err := from.Stat()
	if err != nil || !stat.Mode().IsRegular() {
		return err
	}
	mode := fs.FileMode(0o600)
	if k.ownerMay(stat, mayEnter) {
		mode |= 0o111
	}
	if k.ownerMay(stat, mayRead) {
		mode |= 0o444
	}
	if mode == 0o600 {
		return nil
	}
	// A process that is started meanwhile would inherit the open file, and the
	// system executes no file that is open for writing.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	file, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	n, err := io.Copy(file, io.LimitReader(from, mostCopied-k.bytes+1))
	if k.bytes += n; err == nil && k.bytes > mostCopied {
		err = fmt.Errorf("it holds more than %d MiB", mostCopied>>20)
	}
	// Python compares the time of a program with that of its compiled form.
	return errors.Join(err, file.Close(), os.Chmod(to, mode), os.Chtimes(to, stat.ModTime(), stat.ModTime()))
}
