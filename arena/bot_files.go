package arena

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sembra/arena/guest"
	"sembra/results"
)

// BotFiles is what a bot needs of this machine to play on another one.
type BotFiles struct {
	Args  []string  // the command; paths of files that travel begin at the bot's folder
	Files []BotFile // the files that travel, by path; none for a built-in bot
	whole bool      // the bot's folder is its own and travels
}

// BotFile is a file that travels.
type BotFile struct {
	Path       string // from the bot's folder, with slashes
	From       string // absolute path on this machine
	Size       int64  // bytes
	Executable bool
}

// The bounds of what travels for one bot.
const (
	mostFilesSize = 256 << 20 // bytes
	mostFiles     = 20_000    // files
)

// BotFiles returns what each bot needs on another machine, in the order of the entries.
//
// If a bot has a folder of its own, all files in it travel, except those that bots may not read and those of other
// bots. If it has none, if another bot has the same one, or if the tournament file or the database is in it, only the
// files travel that the bot's command names. A link counts as the file that it leads to. That file must be in the
// folder too.
//
// An error is a [*guest.ConfigError]; several are joined.
func (r *Run) BotFiles() ([]BotFiles, error) {
	var all []BotFiles
	var wrong []error
	for _, e := range r.entriesApart() {
		if e.Withdrawn { // its files may be gone
			all = append(all, BotFiles{})
			continue
		}
		b, err := r.files(e)
		if err != nil {
			wrong = append(wrong, &guest.ConfigError{Bot: e.Name, Key: "command", Err: err})
		}
		all = append(all, b)
	}
	return all, errors.Join(wrong...)
}

// Stage makes every bot play on this machine with only those of its files that travel. So if other machines would
// lack a file, the bot already fails here, when it starts. Stage copies the files into a folder, except for bots
// whose own folder travels. The errors are those of [Run.BotFiles].
func (r *Run) Stage(folder string) error {
	all, err := r.BotFiles()
	if err != nil {
		return err
	}
	entries := slices.Clone(r.Entries)
	for i, b := range all {
		command, ok := entries[i].Launcher.(guest.Command)
		if !ok || b.whole || entries[i].Withdrawn || entries[i].Builtin != "" {
			continue
		}
		command.Args, command.Dir = b.Args, filepath.Join(folder, strconv.Itoa(i+1))
		if err := os.MkdirAll(command.Dir, 0o755); err != nil {
			return err
		}
		for _, f := range b.Files {
			if err := f.copyTo(command.Dir); err != nil {
				return err
			}
		}
		entries[i].Launcher = command
	}
	r.Entries = entries
	return nil
}

// copyTo copies a file into a folder. Every user may read it there.
func (f BotFile) copyTo(folder string) error {
	path := filepath.Join(folder, filepath.FromSlash(f.Path))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	text, err := os.ReadFile(f.From)
	if err != nil {
		return err
	}
	if f.Executable {
		return os.WriteFile(path, text, 0o755)
	}
	return os.WriteFile(path, text, 0o644)
}

// files returns what one bot needs. A program that is not in the bot's folder, such as an interpreter, does not travel.
func (r *Run) files(e guest.Entry) (b BotFiles, err error) {
	command, ok := e.Launcher.(guest.Command)
	if !ok || e.Builtin != "" {
		return b, nil
	}
	folder := filepath.Clean(command.Dir)
	b.Args = slices.Clone(command.Args)
	var paths []string // from the folder: what the command names
	for i, arg := range command.Args {
		path, isFile := command.File(i)
		rest, err := filepath.Rel(folder, path)
		inside := err == nil && filepath.IsLocal(rest)
		ofWorker := i == 0 && (!inside || !strings.ContainsRune(arg, '/')) // a program that the worker has itself
		if !isFile || ofWorker {
			continue
		}
		if !inside {
			return b, fmt.Errorf("its command names %s, which workers cannot get because it is outside of the bot's folder %s "+
				"(hint: put it there, or give the bot a dir that holds it)", arg, folder)
		}
		paths = append(paths, rest)
		if filepath.IsAbs(arg) {
			b.Args[i] = "./" + filepath.ToSlash(rest)
		}
	}
	var hidden hiddenFiles
	for _, path := range slices.Concat(r.Hidden, command.Hidden) {
		hidden = append(hidden, filepath.Clean(path))
		if real, err := filepath.EvalSymlinks(path); err == nil {
			hidden = append(hidden, real)
		}
	}
	b.whole = r.ownsFolder(e, folder)
	if b.whole {
		if paths, err = hidden.others(folder); err != nil {
			return b, err
		}
	}
	slices.Sort(paths)
	var size int64
	for _, path := range slices.Compact(paths) {
		file, err := hidden.fileIn(folder, path)
		if err != nil {
			return b, err
		}
		if file.From != "" {
			b.Files, size = append(b.Files, file), size+file.Size
		}
		if size > mostFilesSize || len(b.Files) > mostFiles {
			return b, fmt.Errorf("its folder %s is too large for workers: it has more than %v or %d files",
				folder, results.Size(mostFilesSize), mostFiles)
		}
	}
	return b, nil
}

// ownsFolder reports whether the folder of a bot is its own: the tournament file names it, no other bot runs in it, and
// nothing in it is hidden from all bots.
func (r *Run) ownsFolder(e guest.Entry, folder string) bool {
	shares := func(other guest.Entry) bool {
		command, ok := other.Launcher.(guest.Command)
		return ok && other.Name != e.Name && other.Builtin == "" && sameFolder(folder, command.Dir)
	}
	holds := func(path string) bool { return sameFolder(folder, filepath.Dir(path)) }
	return e.Folder != "" && !slices.ContainsFunc(r.Entries, shares) && !slices.ContainsFunc(r.Hidden, holds)
}

// sameFolder reports whether two paths lead to the same folder.
func sameFolder(one, other string) bool {
	a, err := os.Stat(one)
	if err != nil {
		return false
	}
	b, err := os.Stat(other)
	return err == nil && os.SameFile(a, b)
}

// hiddenFiles are files and folders that do not travel, also if a link leads to them.
type hiddenFiles []string

func (h hiddenFiles) contain(path string) bool {
	return slices.ContainsFunc(h, func(hidden string) bool { return within(path, hidden) || path == hidden+".lock" })
}

// others returns the paths of all files of a folder, without hidden folders and those that programs make for themselves.
func (h hiddenFiles) others(folder string) (paths []string, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !entry.IsDir() {
			rest, err := filepath.Rel(folder, path)
			paths = append(paths, rest)
			return err
		}
		if h.contain(path) || entry.Name() == ".git" || entry.Name() == "__pycache__" {
			return fs.SkipDir
		}
		return nil
	})
	return paths, err
}

// fileIn returns a file of a folder as it travels; the zero value if it is hidden.
func (h hiddenFiles) fileIn(folder, path string) (f BotFile, err error) {
	from := filepath.Join(folder, path)
	real, err := filepath.EvalSymlinks(from)
	if h.contain(from) || err == nil && h.contain(real) {
		return f, nil
	}
	if err != nil {
		return f, fmt.Errorf("workers cannot get %s: %w", from, err)
	}
	top, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return f, err
	}
	stat, err := os.Stat(real)
	if err != nil {
		return f, err
	}
	if !within(real, top) {
		return f, fmt.Errorf("%s is a link to %s, which workers cannot get because it is outside of the bot's folder", from, real)
	}
	if !stat.Mode().IsRegular() {
		return f, fmt.Errorf("%s is not a regular file, so workers cannot get it", from)
	}
	return BotFile{filepath.ToSlash(path), real, stat.Size(), stat.Mode().Perm()&0o111 != 0}, nil
}
