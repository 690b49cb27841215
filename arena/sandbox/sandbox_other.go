//go:build !linux

package sandbox

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// box is empty: nothing isolates bots on this system.
type box struct{}

// known is empty: bots see everything.
type known struct{}

// New returns a jail that isolates nothing. An error is a failure of the runner.
func New(_ context.Context, l Limits) (*Jail, error) {
	base, err := os.MkdirTemp("", "sembra-jail-")
	if err != nil {
		return nil, err
	}
	return &Jail{limits: l, base: base, nothing: "no isolation on " + runtime.GOOS + yourRights}, nil
}

// Close removes what the jail keeps on disk.
func (j *Jail) Close() error {
	if j.base == "" {
		return nil
	}
	return os.RemoveAll(j.base)
}

// furnish finds out what all processes of a bot need.
func (c *Cell) furnish(ctx context.Context) (err error) {
	command := &c.command
	if !filepath.IsAbs(command.Program) || !filepath.IsAbs(command.Dir) {
		return fmt.Errorf("program %q and folder %q of a bot have to be absolute paths", command.Program, command.Dir)
	}
	command.Program, err = Unshim(ctx, command.Program, command.Args[0], command.Dir, command.Env)
	return err
}

func (c *Cell) prepare() (Inmate, error) { return c.unboxed() }

// Entered is false: there is no probe on this system.
func Entered([]string) bool { return false }

// Enter does nothing on this system.
func Enter() int { return 1 }

// versions are 0: this system has no control groups.
func (j *Jail) versions() (freezes, limits int) { return 0, 0 }

// Conceals reports whether a file exists that the bot does not see. Without a jail
// there is none.
func (c *Cell) Conceals(string) bool { return false }
