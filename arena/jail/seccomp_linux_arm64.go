package jail

import "golang.org/x/sys/unix"

const (
	auditArch  = unix.AUDIT_ARCH_AARCH64
	foreignABI = 0 // another set of system calls has another audit architecture
)

// ownRefused are system calls that only this architecture has.
func ownRefused() []uint32 { return nil }
