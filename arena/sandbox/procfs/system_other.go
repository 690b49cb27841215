//go:build !linux

package procfs

import (
	"errors"
	"time"
)

// clock is not known on this system.
func clock(int) (time.Duration, bool) { return 0, false }

// contents fails on this system, which has no /proc that is known here.
func contents(string) ([]byte, error) { return nil, errors.ErrUnsupported }
