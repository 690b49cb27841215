//go:build !linux

package procfs

import "time"

// clock is not known on this system.
func clock(int) (time.Duration, bool) { return 0, false }
