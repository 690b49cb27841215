package sandbox

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// newestCall is the system call with the highest number that the list of refused
// calls was made for, on every architecture. It is that of Linux 7.2. A call of a
// newer kernel fails as if the kernel did not have it.
const newestCall = unix.SYS_RSEQ_SLICE_YIELD

// limit sets the limits that the init shares with its bot. They cannot exceed the
// runner's limits, which its process inherits.
func (t *initTask) limit(s *steps) {
	// The kernel holds some memory for each open file that no limit counts: a pair of
	// sockets takes 440 KiB. Java, Node, Python and Go need about 30 files.
	const files = 256
	// The stack is not counted as memory.
	const stack, highestStack = 8 << 20, 64 << 20
	size := uint64(t.Limits.Temp)
	for _, l := range []struct {
		resource   int
		name       string
		soft, hard uint64
	}{
		{unix.RLIMIT_CORE, "cores", 1, 1}, // at 0, a program that collects cores would still get them
		{unix.RLIMIT_FSIZE, "file sizes", size, size},
		{unix.RLIMIT_NOFILE, "open files", files, files},
		{unix.RLIMIT_STACK, "stacks", stack, highestStack},
		{unix.RLIMIT_MSGQUEUE, "message queues", 0, 0},
		{unix.RLIMIT_MEMLOCK, "locked memory", 64 << 10, 64 << 10},
	} {
		var old unix.Rlimit
		_ = unix.Getrlimit(l.resource, &old) // it does not fail
		hard := min(l.hard, old.Max)
		s.do("cannot limit "+l.name, unix.Setrlimit(l.resource, &unix.Rlimit{Cur: min(l.soft, hard), Max: hard}))
	}
}

// restrict takes the rights that the bot may not have away from this thread, from which
// the bot is started, and then calls last. The filter comes after that: it refuses some of
// the other steps.
func (t *initTask) restrict(last func()) failure {
	var s steps
	s.do("cannot give up new privileges", unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
	t.restrictFiles(&s)
	const lastCapability = 63 // the kernel has room for 64
	for c := range uintptr(lastCapability + 1) {
		_ = unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0) // it fails for one that the kernel does not have
	}
	// Before Linux 4.3 there are no ambient capabilities.
	_ = unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
	if t.ID != 0 { // all capabilities are lost with the change of the user, in this thread alone
		id := uintptr(t.ID)
		do := func(what string, number, a, b uintptr) {
			_, _, errno := unix.RawSyscall(number, a, b, b)
			s.do(what, errno)
		}
		do("cannot leave the groups", unix.SYS_SETGROUPS, 0, 0)
		do("cannot change the group", unix.SYS_SETRESGID, id, id)
		do("cannot change the user", unix.SYS_SETRESUID, id, id)
	} else {
		header, none := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, [2]unix.CapUserData{}
		s.do("cannot give up capabilities", unix.Capset(&header, &none[0]))
	}
	s.do("cannot receive signals", unix.PthreadSigmask(unix.SIG_SETMASK, new(unix.Sigset_t), nil))
	last()
	s.do("cannot filter system calls", t.restrictCalls())
	return s.failure
}

// The rights that Landlock knows.
const (
	readFiles  = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_EXECUTE
	read       = readFiles | unix.LANDLOCK_ACCESS_FS_READ_DIR
	writeFiles = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	change     = writeFiles | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER

	handledFirst = 1<<13 - 1 // all rights of version 1
	scopes       = 6         // the first version that refuses signals and abstract sockets
)

// landlockVersion returns the version of Landlock that the kernel has, or 0.
func landlockVersion() int {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(version)
}

// rights returns what a bot may do with files, by path. It may do the same below a path.
func (t *initTask) rights() map[string]uint64 {
	rights := make(map[string]uint64)
	if t.Spaces { // the bot sees nothing else
		rights["/"] = read
	} else {
		for _, path := range []string{"cpuinfo", "meminfo", "stat", "sys/vm/overcommit_memory", "sys/kernel/osrelease"} {
			rights["/proc/"+path] = unix.LANDLOCK_ACCESS_FS_READ_FILE
		}
		for _, p := range t.Places {
			if stat, err := os.Stat(p.Path); p.Link == "" && err == nil {
				rights[p.Path] = readFiles
				if stat.IsDir() {
					rights[p.Path] = read
				}
			}
		}
	}
	for _, node := range deviceNodes() {
		rights["/dev/"+node] = readFiles | writeFiles
	}
	rights["/dev/zero"] = readFiles // no limit would count the memory of a shared mapping of it
	rights[t.Temp] = read | change
	return rights
}

// restrictFiles applies the rules of Landlock to this thread, if the kernel has it.
func (t *initTask) restrictFiles(s *steps) {
	version := t.Landlock
	if version == 0 {
		return
	}
	// The kernel accepts fields that it does not know, if they are 0.
	attr := unix.LandlockRulesetAttr{Handled_access_fs: handledFirst}
	if version >= 2 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if version >= 5 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if version >= 4 && !t.Limits.Network {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if version >= scopes {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	set, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	s.do("cannot make rules of Landlock", errno)
	if errno != 0 {
		return
	}
	defer unix.Close(int(set))
	for path, rights := range t.rights() {
		file, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
		if err == nil {
			beneath := unix.LandlockPathBeneathAttr{Allowed_access: rights & attr.Handled_access_fs, Parent_fd: int32(file)}
			_, _, err = unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, set, unix.LANDLOCK_RULE_PATH_BENEATH,
				uintptr(unsafe.Pointer(&beneath)), 0, 0, 0)
			unix.Close(file)
		}
		s.do("cannot permit "+path+" by Landlock", err, unix.ENOENT, unix.ENOTDIR, unix.EACCES)
	}
	_, _, errno = unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, set, 0, 0)
	s.do("cannot restrict files by Landlock", errno)
}
