package sandbox

import "golang.org/x/sys/unix"

const (
	auditArch = unix.AUDIT_ARCH_X86_64

	// The upper halves of addresses in the first stack of a process are at least
	// this. That stack begins at most 16 GiB below 1<<47, and its limit is much less
	// than 4 GiB. Almost all other memory lies lower.
	stackAbove = 0x7ffb
)

// ownRefused are system calls that only this architecture has.
func ownRefused() []uint32 {
	return []uint32{
		unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_MODIFY_LDT, unix.SYS_USELIB, unix.SYS_USTAT, unix.SYS_SYSFS,
		unix.SYS__SYSCTL, unix.SYS_CREATE_MODULE, unix.SYS_QUERY_MODULE, unix.SYS_GET_KERNEL_SYMS, unix.SYS_INOTIFY_INIT,
	}
}
