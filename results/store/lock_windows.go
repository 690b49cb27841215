package store

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// locksDatabase says that bbolt alone locks a database here: its lock would refuse another one of the same file.
const locksDatabase = false

// lock locks an open file, together with others or alone. The lock is beyond the end of the file, because others could
// not read what it covers. It does not wait: it returns errInUse if another process has the lock.
func lock(file *os.File, shared bool) error {
	var how uint32 = windows.LOCKFILE_FAIL_IMMEDIATELY
	if !shared {
		how |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(windows.Handle(file.Fd()), how, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errInUse
	}
	return err
}

// unlock does nothing: closing a file gives its lock back.
func unlock(*os.File) {}
