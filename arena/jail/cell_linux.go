package jail

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// known is what the jail finds out once about a command.
type known struct {
	programs []string // that the kernel executes for it
	homes    []string
	view
}

// furnish finds out what all processes of a bot need.
func (c *Cell) furnish(ctx context.Context) error {
	command := &c.command
	for _, path := range []string{command.Program, command.Dir} {
		if !filepath.IsAbs(path) {
			return fmt.Errorf("%q is not an absolute path", path)
		}
	}
	if len(command.Args) == 0 {
		return errors.New("a bot needs its own name as the first argument")
	}
	command.Dir = filepath.Clean(command.Dir)
	if stat, err := os.Stat(command.Dir); err != nil || !stat.IsDir() {
		return fmt.Errorf("there is no folder %s", command.Dir)
	}
	c.homes = homesOf(command.Env)
	if err := c.follow(ctx); err != nil {
		return notThere(err)
	}
	v, err := c.jail.see(c)
	if err != nil {
		return notThere(err)
	}
	c.view = v
	if c.jail.ownID {
		return c.jail.strangerMay(c)
	}
	return nil
}

// Conceals reports whether a file or a folder exists that the bot does not see, and
// that would be shown to it if it were in Limits.Read. Hidden files never are.
func (c *Cell) Conceals(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if c.jail.base == "" || err != nil {
		return false
	}
	for _, name := range []string{path, real} {
		here := func(folder string) bool { return inside(name, folder) || inside(folder, name) }
		system := []string{"/dev", "/proc", "/sys"}
		if slices.ContainsFunc(slices.Concat(c.hidden, c.jail.limits.Hidden, c.command.Hidden, system), here) {
			return false
		}
		if slices.ContainsFunc(c.places, func(p place) bool { return p.whole() && inside(name, p.Path) || p.Path == name }) {
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

// strangerMay checks that a user who owns no files may enter the bot's folder and
// execute its programs.
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
		if j.mounts {
			return nil // the permissions of the folders above do not matter
		}
		for folder := filepath.Dir(real); folder != "/"; folder = filepath.Dir(folder) {
			if stat, err := os.Stat(folder); err == nil && stat.Mode().Perm()&enter == 0 {
				return fmt.Errorf("the bot runs under a user id of its own, which may not enter %s on the way to %s "+
					"(hint: chmod o+x)", folder, real)
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
