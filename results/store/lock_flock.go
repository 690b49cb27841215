//go:build !windows

package store

import (
	"errors"
	"os"
	"syscall"
)

// locksDatabase says whether lock takes the lock of bbolt on a database.
const locksDatabase = true

// lock takes the same lock as bbolt on an open file, together with others or alone. It does not wait: it returns
// errInUse if another process has the lock.
func lock(file *os.File, shared bool) error {
	how := syscall.LOCK_EX
	if shared {
		how = syscall.LOCK_SH
	}
	err := syscall.Flock(int(file.Fd()), how|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR) {
		return errInUse
	}
	return err
}

// unlock gives the lock back.
func unlock(file *os.File) {
	_ = syscall.Flock(int(file.Fd()), syscall.LOCK_UN) // nothing else can be done
}
