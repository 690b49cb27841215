//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package store

import (
	"errors"
	"os"
	"syscall"
)

// canUnlock says whether a file can be read without the lock of bbolt.
const canUnlock = true

// lock takes the same lock as bbolt on an open file, shared for readers. It does not wait: it returns
// errInUse if another process has the lock.
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

// unlock gives the lock back. Closing the file does not do that while a mapping of it is left.
func unlock(file *os.File) {
	_ = syscall.Flock(int(file.Fd()), syscall.LOCK_UN) // nothing else can be done
}
