//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package store

import "os"

// canUnlock says whether a file can be read without the lock of bbolt. Here a mapped file cannot grow.
const canUnlock = false

// lock does nothing: on this system bbolt alone locks the file.
func lock(*os.File, bool) error { return nil }

// unlock does nothing, because lock took nothing.
func unlock(*os.File) {}
