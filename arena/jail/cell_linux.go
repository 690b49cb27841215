package jail

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Cell is what is prepared once for a bot. It is safe for concurrent use.
type Cell struct {
	jail     *Jail
	command  Command  // its environment without a shim
	programs []string // that the kernel executes for it
	homes    []string
	places   []place
	hidden   []string // that are to be covered, as in a view
	exact    []string
}

// Cell prepares what the processes of a bot have in common. The error is one
// that the user can act on.
//
// A bot sees files at the paths where they are: the system, its folder, its
// program, and with a program PREFIX/bin/NAME what belongs to it in PREFIX;
// an interpreter counts as a program; and the files that its arguments name by
// absolute paths. Of what is hidden it sees nothing, whatever else it needs.
//
// With mounts of its own a bot finds something empty that it cannot open where
// a hidden file or folder was when its process was started; what is put there
// later, or takes its place, is seen. Without them a folder in which something
// hidden lies is opened entry by entry as it is found when a process is
// prepared: what is put into it later is not seen by that process.
func (j *Jail) Cell(c Command) (*Cell, error) {
	for _, path := range []string{c.Program, c.Dir} {
		if !filepath.IsAbs(path) {
			return nil, fmt.Errorf("%q is not an absolute path", path)
		}
	}
	if len(c.Args) == 0 {
		return nil, errors.New("a bot needs its own name as the first argument")
	}
	c.Dir = filepath.Clean(c.Dir)
	if stat, err := os.Stat(c.Dir); err != nil || !stat.IsDir() {
		return nil, fmt.Errorf("there is no folder %s", c.Dir)
	}
	cell := &Cell{jail: j, command: c, homes: homesOf(c.Env)}
	var err error
	if cell.programs, cell.command, err = follow(c); err != nil {
		return nil, notThere(err)
	}
	v, err := j.see(cell)
	if err != nil {
		return nil, notThere(err)
	}
	cell.places = v.places
	if j.way.Mounts {
		cell.hidden, cell.exact = v.hidden, v.exact
	}
	if j.way.OwnID {
		if err := j.strangerMay(cell); err != nil {
			return nil, err
		}
	}
	return cell, nil
}

// notThere says in plain words that a file is not there.
func notThere(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no file %s", pathErr.Path)
	}
	return err
}

// strangerMay returns an error if a user who owns nothing may not enter the
// folder or execute a program of a bot.
func (j *Jail) strangerMay(c *Cell) error {
	const enter, readIt = 0o001, 0o004
	check := func(path string, bits fs.FileMode) error {
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return notThere(err)
		}
		stat, err := os.Stat(real)
		if err != nil {
			return notThere(err)
		}
		if stat.Mode().Perm()&bits != bits {
			hint := map[fs.FileMode]string{enter: "o+x", readIt: "o+r", enter | readIt: "o+rx"}[bits]
			return fmt.Errorf("the bot runs under a user id of its own, which may not use %s (hint: chmod %s)", real, hint)
		}
		if j.way.Mounts {
			return nil // it is seen whatever is above
		}
		for folder := filepath.Dir(real); folder != "/"; folder = filepath.Dir(folder) {
			if stat, err := os.Stat(folder); err == nil && stat.Mode().Perm()&enter == 0 {
				return fmt.Errorf("the bot runs under a user id of its own, which may not enter %s on the way to %s (hint: chmod o+x)", folder, real)
			}
		}
		return nil
	}
	if err := check(c.command.Dir, enter|readIt); err != nil {
		return err
	}
	for _, arg := range c.command.Args[min(1, len(c.command.Args)):] {
		path := arg
		if !filepath.IsAbs(path) {
			path = filepath.Join(c.command.Dir, path)
		}
		hidden := slices.ContainsFunc(c.command.Hidden, func(h string) bool { return inside(path, filepath.Clean(h)) })
		if stat, err := os.Stat(path); hidden || err != nil || !stat.Mode().IsRegular() {
			continue
		}
		if err := check(path, readIt); err != nil {
			return err
		}
	}
	for n, program := range c.programs {
		bits := fs.FileMode(enter)
		if n < len(c.programs)-1 && filepath.Base(program) != "env" {
			bits |= readIt // a script
		}
		if err := check(program, bits); err != nil {
			return err
		}
	}
	return nil
}
