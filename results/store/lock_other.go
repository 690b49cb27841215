//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package store

import "os"

// lock does nothing: on this system bbolt alone locks the file.
func lock(*os.File, bool) error { return nil }

// unlock does nothing, because lock took nothing.
func unlock(*os.File) {}
