//go:build !linux

package procfs

import "time"

// CPU is not known on this system.
func CPU(int) (time.Duration, bool) { return 0, false }
