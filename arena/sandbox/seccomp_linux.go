//go:build amd64 || arm64

package sandbox

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// A filter sees a system call as a struct seccomp_data. These are offsets in it.
const (
	dataNumber = 0
	dataArch   = 4
	dataArgs   = 16 // eight bytes each; the lower half comes first on a little endian machine
)

// namespaces are the flags of clone that make namespaces.
const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
	unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// program is a filter that is being written.
type program []unix.SockFilter

func (p *program) add(code uint16, jt, jf uint8, k uint32) {
	*p = append(*p, unix.SockFilter{Code: code, Jt: jt, Jf: jf, K: k})
}

func (p *program) load(offset uint32) { p.add(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, 0, 0, offset) }

func (p *program) give(action uint32) { p.add(unix.BPF_RET|unix.BPF_K, 0, 0, action) }

// equal, least and any compare the value that was loaded last. If the comparison
// does not hold, they skip the given number of instructions.
func (p *program) equal(k uint32, skip uint8) {
	p.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, 0, skip, k)
}

func (p *program) least(k uint32, skip uint8) {
	p.add(unix.BPF_JMP|unix.BPF_JGE|unix.BPF_K, 0, skip, k)
}

func (p *program) any(k uint32, skip uint8) { p.add(unix.BPF_JMP|unix.BPF_JSET|unix.BPF_K, 0, skip, k) }

func (p *program) argument(n uint32) { p.load(dataArgs + 8*n) }

// fail refuses the system call.
func (p *program) fail(errno unix.Errno) { p.give(unix.SECCOMP_RET_ERRNO | uint32(errno)) }

// refuse refuses the system call if the value that was loaded last is one of these.
func (p *program) refuse(errno unix.Errno, values ...uint32) {
	for _, v := range values {
		p.equal(v, 1)
		p.fail(errno)
	}
}

// on adds rules for the arguments of one system call. The call is allowed if the
// rules do not refuse it. The number of the call must have been loaded.
func (p *program) on(number uint32, rules func(*program)) {
	var inner program
	rules(&inner)
	inner.give(unix.SECCOMP_RET_ALLOW)
	p.equal(number, uint8(len(inner)))
	*p = append(*p, inner...)
}

// filter returns the rules for the system calls of a bot: a list of the calls that
// are refused. It makes attacks on the kernel harder, and it refuses memory that no
// limit counts. The other layers contain the bot.
func (t *initTask) filter() program {
	var p program
	p.load(dataArch)
	p.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, 1, 0, auditArch)
	p.give(unix.SECCOMP_RET_KILL_PROCESS)
	p.load(dataNumber)
	p.least(newestCall+1, 1) // also the calls of x32, on amd64
	p.fail(unix.ENOSYS)
	// Programs can do without these. A timer could send SIGCONT, which wakes a bot that is paused, or end a child whose
	// death does.
	p.refuse(unix.ENOSYS,
		unix.SYS_CLONE3, unix.SYS_IO_SETUP, unix.SYS_TIMER_CREATE,
		unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	)
	p.refuse(unix.EPERM, ownRefused()...)
	p.refuse(unix.EPERM,
		unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE,
		unix.SYS_PIDFD_GETFD, unix.SYS_KCMP,
		unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT,
		unix.SYS_OPEN_TREE, unix.SYS_OPEN_TREE_ATTR, unix.SYS_MOVE_MOUNT, unix.SYS_FSOPEN, unix.SYS_FSCONFIG,
		unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR,
		unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_LISTNS,
		unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_FANOTIFY_INIT,
		unix.SYS_INOTIFY_INIT1, // the user may have few of them
		unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
		unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD,
		unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
		unix.SYS_REBOOT, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD,
		unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX,
		unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_SYSLOG, unix.SYS_VHANGUP,
		unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR,
		unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_NFSSERVCTL, unix.SYS_LOOKUP_DCOOKIE,
	)
	// A lease on a file stops others who open the file. A chosen signal, such as
	// SIGCONT, wakes a bot that is paused.
	p.on(unix.SYS_FCNTL, func(p *program) {
		p.argument(1)
		p.refuse(unix.EPERM, unix.F_SETLEASE, unix.F_SETDELEG, unix.F_NOTIFY, unix.F_SETSIG, unix.F_SETPIPE_SZ)
	})
	refuseMemory(&p)

	p.on(unix.SYS_CLONE, func(p *program) {
		p.argument(0)
		p.any(namespaces, 1)
		p.fail(unix.EPERM)
	})

	t.refuseNetwork(&p)
	refuseLimits(&p)
	p.give(unix.SECCOMP_RET_ALLOW)
	return p
}

// refuseNetwork refuses sockets that may leave the sandbox.
func (t *initTask) refuseNetwork(p *program) {
	if !t.Limits.Network { // also bind and the others, because a bot can make a pair of sockets
		p.refuse(unix.EACCES,
			unix.SYS_SOCKET, unix.SYS_BIND, unix.SYS_CONNECT, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4)
	} else {
		families := []uint32{unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK}
		if t.Spaces && t.Landlock >= scopes { // the bot cannot find any socket of the user
			families = append(families, unix.AF_UNIX)
		}
		p.on(unix.SYS_SOCKET, func(p *program) {
			p.argument(0)
			for _, family := range families {
				p.equal(family, 1)
				p.give(unix.SECCOMP_RET_ALLOW)
			}
			p.fail(unix.EACCES)
		})
	}
}

// refuseLimits keeps the limits that the init has set.
func refuseLimits(p *program) {
	// A bot may not change the limits that the init has set.
	limits := []uint32{
		unix.RLIMIT_DATA, unix.RLIMIT_NPROC, unix.RLIMIT_FSIZE,
		unix.RLIMIT_MEMLOCK, unix.RLIMIT_MSGQUEUE, unix.RLIMIT_CORE,
	}
	p.on(unix.SYS_SETRLIMIT, func(p *program) {
		p.argument(0)
		p.refuse(unix.EPERM, limits...)
	})
	p.on(unix.SYS_PRLIMIT64, func(p *program) {
		p.argument(2) // the new limit, a pointer
		p.equal(0, 3)
		p.load(dataArgs + 8*2 + 4)
		p.equal(0, 1)
		p.give(unix.SECCOMP_RET_ALLOW)
		p.argument(1)
		p.refuse(unix.EPERM, limits...)
	})
}

// refuseMemory refuses memory that the limit of a process does not count: RLIMIT_DATA
// counts private memory that may be written to, but no stacks.
func refuseMemory(p *program) {
	p.refuse(unix.ENOSYS, unix.SYS_MAP_SHADOW_STACK)
	p.refuse(unix.EPERM,
		unix.SYS_SHMGET, unix.SYS_SEMGET, unix.SYS_MSGGET, unix.SYS_MQ_OPEN,
		unix.SYS_MEMFD_CREATE, unix.SYS_MEMFD_SECRET,
		unix.SYS_VMSPLICE, // a pipe holds a huge page as long as it holds a byte of it
	)
	p.on(unix.SYS_MMAP, func(p *program) {
		p.argument(3)
		p.any(unix.MAP_GROWSDOWN, 1)
		p.fail(unix.ENOMEM)
		p.any(unix.MAP_SHARED, 2)
		p.any(unix.MAP_ANONYMOUS, 1)
		p.fail(unix.ENOMEM)
	})
	// The stack would grow past its limit. For other memory, realloc of every libc
	// makes a copy if the kernel refuses.
	p.on(unix.SYS_MREMAP, func(p *program) {
		p.load(dataArgs + 4) // the upper half of the old address
		p.least(stackAbove, 1)
		p.fail(unix.ENOMEM)
	})
	p.on(unix.SYS_SETSOCKOPT, func(p *program) {
		sizes := []uint32{unix.SO_SNDBUF, unix.SO_RCVBUF, unix.SO_SNDBUFFORCE, unix.SO_RCVBUFFORCE}
		p.argument(1)
		p.equal(unix.SOL_SOCKET, uint8(1+2*len(sizes)))
		p.argument(2)
		p.refuse(unix.EPERM, sizes...)
	})
}

// restrictCalls applies the filter to this thread.
func (t *initTask) restrictCalls() error {
	p := t.filter()
	prog := unix.SockFprog{Len: uint16(len(p)), Filter: &p[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&prog)))
	return errno
}
