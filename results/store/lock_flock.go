//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package store

import (
	"errors"
	"os"
	"syscall"
)

// errInUse is said of a file that another process has locked.
var errInUse = errors.New("in use")

// lock takes the lock that bbolt takes on an open file (whoever has the file open keeps it), shared
// for readers. It does not wait.
func lock(file *os.File, readOnly bool) error {
	how := syscall.LOCK_EX
	if readOnly {
		how = syscall.LOCK_SH
	}
	err := syscall.Flock(int(file.Fd()), how|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR) {
		return errInUse
	}
	return err
}

// unlock lets go of the lock. Closing the file does not do that while a mapping of it is left.
func unlock(file *os.File) {
	_ = syscall.Flock(int(file.Fd()), syscall.LOCK_UN) // nothing else can be done
}
