//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package store

import "os"

// locksDatabase says that bbolt alone locks a database here.
const locksDatabase = false

// lock does nothing on this system.
func lock(*os.File, bool) error { return nil }

// unlock does nothing, because lock took nothing.
func unlock(*os.File) {}
