package sandbox

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
	owner    *owner // as whom the bot sees the files that only their owner may use; nil: there are none
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
	var mapped []string
	if c.jail.ownID {
		var err error
		if mapped, err = c.admit(); err != nil {
			return err
		}
	}
	v, err := c.jail.see(c)
	if err != nil {
		return notThere(err)
	}
	v.mapUsers(mapped)
	c.view = v
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
