//go:build !windows

package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"sembra/results"
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

// holder returns the number of the process that has the lock of an open file, and its name; "" if the system does not
// tell.
func holder(file *os.File) (process string) {
	info, err := file.Stat()
	if err != nil {
		return ""
	}
	of := info.Sys().(*syscall.Stat_t)
	inode := fmt.Sprintf("%02x:%02x:%d", unix.Major(uint64(of.Dev)), unix.Minor(uint64(of.Dev)), of.Ino)
	locks, _ := os.ReadFile("/proc/locks") // only Linux has it
	for line := range strings.Lines(string(locks)) {
		words := strings.Fields(line) // such as 1: FLOCK ADVISORY WRITE 4711 fe:00:123 0 EOF
		if len(words) == 8 && words[5] == inode && words[4] != "0" {
			name, _ := os.ReadFile("/proc/" + words[4] + "/comm")
			return strings.TrimSuffix(words[4]+", "+results.Visible(bytes.TrimSpace(name), 0), ", ")
		}
	}
	return ""
}

// unlock gives the lock back.
func unlock(file *os.File) {
	_ = syscall.Flock(int(file.Fd()), syscall.LOCK_UN) // nothing else can be done
}
