package sandbox

import "golang.org/x/sys/unix"

const (
	auditArch = unix.AUDIT_ARCH_AARCH64

	// The first stack of a process lies at an address that depends on how the kernel
	// was built. So every address may be in it.
	stackAbove = 0
)

// ownRefused are system calls that only this architecture has.
func ownRefused() []uint32 { return nil }
