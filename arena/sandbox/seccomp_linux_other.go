//go:build linux && !amd64 && !arm64

package sandbox

import "syscall"

// restrictCalls has no rules for this architecture, and bots are not isolated without.
func (t *initTask) restrictCalls() error { return syscall.ENOSYS }
