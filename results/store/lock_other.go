//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package store

import (
	"errors"
	"os"
)

// errInUse is said of a file that another process has locked.
var errInUse = errors.New("in use")

// lock leaves the locking to bbolt.
func lock(*os.File, bool) error { return nil }

// unlock has nothing to let go of.
func unlock(*os.File) {}
