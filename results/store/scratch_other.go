//go:build !linux

package store

import (
	"errors"
	"os"
)

// nameless fails: this system has no files without a name.
func nameless(string) (*os.File, error) { return nil, errors.ErrUnsupported }
