//go:build !linux

package sandbox

import (
	"context"
	"errors"
	"os"
	"runtime"
	"syscall"
)

// system is empty: nothing isolates bots on this system.
type system struct{}

// known is empty: bots see everything.
type known struct{}

// New returns a sandbox that isolates nothing.
func New(context.Context, Limits) (*Sandbox, error) {
	s := new(Sandbox)
	s.isolateNothing("no isolation on " + runtime.GOOS)
	return s, nil
}

// MakeLockedFolder makes an empty folder in another one, with a number behind the name, and opens it.
func MakeLockedFolder(in, name string) (*os.File, error) {
	path, err := os.MkdirTemp(in, name)
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}

// Close does nothing: the sandbox keeps nothing on disk.
func (s *Sandbox) Close() error { return nil }

func (p *Prepared) look(context.Context) error { return nil }

func (p *Prepared) isolated([]int) (*Process, error) { return nil, errors.ErrUnsupported }

// Conceals reports whether a file exists that the bot does not see. There is none.
func (p *Prepared) Conceals(string) bool { return false }

// IsChild is false: there are no inits on this system.
func IsChild([]string) bool { return false }

// RunChild does nothing on this system.
func RunChild() int { return 1 }

// The system can do none of these.

func bind(pid int, itself bool, processors []int) {}

func stopThreads(pid int, itself bool) {}

func dieWithThread(*syscall.SysProcAttr) {}
