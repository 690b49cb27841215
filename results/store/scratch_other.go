//go:build !linux

package store

import (
	"errors"
	"os"
)

// nameless is not to be had on this system.
func nameless() (*os.File, error) { return nil, errors.ErrUnsupported }
