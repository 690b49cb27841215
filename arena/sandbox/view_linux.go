package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// known is what a sandbox finds out once about a command.
type known struct {
	programs []string // that the kernel executes for it
	named    []string // the files that its arguments name
	mapped   string   // its folder, if it sees that as if it were the owner; "": it does not
	owner    owner    // of that folder
	view
}

// look finds out what all processes of a bot need.
func (p *Prepared) look(ctx context.Context) error {
	command := &p.command
	command.Dir = filepath.Clean(command.Dir)
	here, err := filepath.EvalSymlinks(command.Dir) // where the bot runs
	if err == nil {
		err = p.follow(ctx)
	}
	if err != nil {
		return notThere(err)
	}
	for _, path := range command.Args[min(1, len(command.Args)):] {
		if !filepath.IsAbs(path) {
			path = filepath.Join(here, path)
		}
		hidden := slices.ContainsFunc(command.Hidden, func(h string) bool { return inside(path, filepath.Clean(h)) })
		if stat, err := os.Stat(path); !hidden && err == nil && stat.Mode().IsRegular() {
			p.named = append(p.named, path)
		}
	}
	if p.sandbox.ownID {
		if err = p.admit(here); err != nil {
			return err
		}
	}
	p.view, err = p.see()
	return notThere(err)
}

// Conceals reports whether a file or a folder exists that the bot does not see, and
// that would be shown to it if it were in Limits.Read. Hidden files never are.
func (p *Prepared) Conceals(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if !p.sandbox.Isolates() || err != nil {
		return false
	}
	for _, name := range []string{path, real} {
		near := func(folder string) bool { return inside(name, folder) || inside(folder, name) }
		shown := func(at seenPath) bool { return inside(at.Path, name) }
		if slices.ContainsFunc(slices.Concat(p.hidden, []string{"/dev", "/proc", "/sys"}), near) ||
			p.covers(name) || slices.ContainsFunc(p.places, shown) {
			return false
		}
	}
	return true
}

// notThere returns a plainer error for a missing file; other errors stay as they are.
func notThere(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no file %s", pathErr.Path)
	}
	return err
}

// seenPath is one path that a bot sees.
type seenPath struct {
	Path string
	Link string // the target, if it is a symbolic link; "": the bot sees everything at and below the path
}

// view says what a bot sees of the file system.
type view struct {
	places []seenPath
	hidden []string // files and folders that the bot may not see, resolved
	split  bool     // hidden files cannot be covered, so folders with them are not shown as a whole
}

// resolved returns the paths, and the same paths without symbolic links.
func resolved(paths []string) []string {
	var all []string
	for _, path := range paths {
		path = filepath.Clean(path)
		all = append(all, path)
		if real, err := filepath.EvalSymlinks(path); err == nil {
			all = append(all, real)
		}
		if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
			all = append(all, filepath.Join(folder, filepath.Base(path)))
		}
	}
	return all
}

// inside reports whether a path is a folder or lies below it.
func inside(path, folder string) bool {
	return path == folder || folder == "/" || strings.HasPrefix(path, folder+"/")
}

// covers reports whether the bot sees all at and below a path.
func (v *view) covers(path string) bool {
	return slices.ContainsFunc(v.places, func(p seenPath) bool { return p.Link == "" && inside(path, p.Path) })
}

// show shows the bot a path, with the symbolic links on the way to it. It returns
// the path without links, and the links.
func (v *view) show(path string) (real string, links []string, err error) {
	const tooMany = 40 // as in the kernel
	real = "/"
	for left := strings.Split(path, "/"); len(left) > 0; {
		next := filepath.Join(real, left[0])
		left = left[1:]
		stat, err := os.Lstat(next)
		if err != nil {
			return "", links, err
		}
		if stat.Mode()&fs.ModeSymlink == 0 {
			real = next
			continue
		}
		if links = append(links, next); len(links) > tooMany {
			return "", links, fmt.Errorf("%s: %w", path, unix.ELOOP)
		}
		target, err := os.Readlink(next)
		if err != nil {
			return "", links, err
		}
		if !v.covers(next) {
			v.places = append(v.places, seenPath{next, target})
		}
		if filepath.IsAbs(target) {
			real = "/"
		}
		left = append(strings.Split(target, "/"), left...)
	}
	if v.covers(real) {
		return real, links, nil
	}
	return real, links, v.showReal(real)
}

// showReal shows the bot a path without symbolic links. If hidden files cannot be
// covered, it shows a folder with a hidden file entry by entry, without that file.
func (v *view) showReal(path string) error {
	if slices.Contains(v.hidden, path) {
		return nil
	}
	if !v.split || !slices.ContainsFunc(v.hidden, func(hidden string) bool { return inside(hidden, path) }) {
		v.places = append(v.places, seenPath{Path: path})
		return nil
	}
	entries, err := os.ReadDir(path)
	if errors.Is(err, unix.ENOTDIR) {
		return nil // a file, which holds no entries
	}
	for _, entry := range entries {
		if entry.Type()&fs.ModeSymlink == 0 { // Landlock knows only what a link leads to
			err = errors.Join(err, v.showReal(filepath.Join(path, entry.Name())))
		}
	}
	return err
}

// systemPaths returns the paths of the system, which every bot sees.
func systemPaths() []string {
	return []string{
		"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/sys", "/nix/store", "/gnu/store",
	}
}

// ofSystem reports whether every bot sees a path.
func ofSystem(path string) bool {
	return slices.ContainsFunc(systemPaths(), func(folder string) bool { return inside(path, folder) })
}

// secrets returns the files of the system that are hidden from bots that run as root.
func secrets() []string {
	return []string{
		"/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/etc/sudoers.d",
		"/etc/ssh", "/etc/ssl/private", "/etc/wireguard", "/etc/NetworkManager/system-connections",
	}
}

// deviceNodes returns the names of the devices that a bot has.
func deviceNodes() []string { return []string{"null", "zero", "full", "random", "urandom"} }

// userHidden returns the files and folders of the user that a bot may not see, resolved.
func (p *Prepared) userHidden() []string {
	var all []string
	for _, path := range resolved(p.sandbox.limits.Hidden) {
		all = append(all, path, path+".lock")
	}
	return append(all, resolved(p.command.Hidden)...)
}

// see returns what a bot sees.
func (p *Prepared) see() (view, error) {
	v := view{hidden: p.userHidden(), split: !p.sandbox.spaces}
	if !p.sandbox.ownID && os.Geteuid() == 0 {
		v.hidden = append(v.hidden, resolved(secrets())...)
	}
	if p.sandbox.groups != nil { // they say how long other bots think
		groups, _ := filepath.Glob(filepath.Join(filepath.Dir(p.sandbox.groups.folder.Name()), groupsName+"*"))
		v.hidden = append(v.hidden, groups...)
	}
	slices.Sort(v.hidden)
	v.hidden = slices.Compact(v.hidden)
	paths := systemPaths()
	if p.limits.Network {
		paths = append(paths, "/etc/resolv.conf") // often a link to a file elsewhere
	}
	for _, path := range paths {
		if _, _, err := v.show(path); err != nil && !absent(err) {
			return view{}, fmt.Errorf("cannot look at %s: %w", path, err)
		}
	}
	here := ""
	for _, path := range append(slices.Clone(p.sandbox.limits.Read), p.command.Dir) {
		real, _, err := v.show(path)
		if wrong := possible(path); wrong != nil {
			return view{}, wrong
		}
		if err != nil {
			return view{}, err
		}
		if wrong := possible(real); wrong != nil {
			return view{}, wrong
		}
		here = real
	}
	for _, path := range p.programs {
		real, links, err := v.show(path)
		if err != nil {
			return view{}, err
		}
		for _, path := range append(links, real) {
			v.showPrefix(path, p.command.Env)
		}
	}
	for _, path := range p.named {
		if inside(path, p.command.Dir) || inside(path, here) {
			continue // perhaps a link that leads elsewhere
		}
		if _, _, err := v.show(path); err != nil && !absent(err) {
			return view{}, err
		}
	}
	return v, nil
}

// absent reports whether an error says that there is no such file.
func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR) }

// possible returns an error for a path that cannot be opened as a whole.
func possible(path string) error {
	if path = filepath.Clean(path); slices.Contains([]string{"/", "/tmp", "/dev", "/proc"}, path) {
		return fmt.Errorf("a bot cannot see the whole folder %s: give it a folder of its own", path)
	}
	return nil
}

// showPrefix shows the bot the files that belong to a program outside of the
// system. For PREFIX/bin/python3 these are PREFIX/lib and others.
func (v *view) showPrefix(program string, env []string) {
	bin := filepath.Dir(program)
	prefix := filepath.Dir(bin)
	if filepath.Base(bin) != "bin" || ofSystem(program) || prefix == "/" {
		return
	}
	if user, _ := valueOf(env, "HOME"); inside(filepath.Clean(user), prefix) { // "" is inside of no folder
		return
	}
	for _, name := range []string{"lib", "lib64", "libexec", "conf", "jmods", "include", "release", "pyvenv.cfg"} {
		_, _, _ = v.show(filepath.Join(prefix, name)) // most are not there
	}
}
