package jail

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// What Landlock knows, by the version that brought it.
const (
	readFiles  = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_EXECUTE
	read       = readFiles | unix.LANDLOCK_ACCESS_FS_READ_DIR
	writeFiles = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	change     = writeFiles | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER

	handledFirst = 1<<13 - 1 // version 1; then one more each
	scopes       = 6         // the version that keeps from others' abstract sockets and from signalling them
)

// landlockVersion returns the version of Landlock that the kernel has, or 0.
func landlockVersion() int {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(version)
}

// rule permits something below a path.
type rule struct {
	path   string
	rights uint64
}

// rules returns what a bot may do with files.
func rules(s *spec) []rule {
	rules := []rule{{s.Temp, read | change}}
	for _, node := range deviceNodes() {
		rights := uint64(readFiles | writeFiles)
		if node == "zero" { // what is mapped of it to be shared is memory that no limit counts
			rights = readFiles
		}
		rules = append(rules, rule{"/dev/" + node, rights})
	}
	if s.Mounts { // there is nothing else to be seen
		return append(rules, rule{"/", read})
	}
	for _, p := range s.Places {
		if p.kind() == shown {
			rules = append(rules, rule{p.Path, read})
		}
	}
	for _, path := range []string{"cpuinfo", "meminfo", "stat", "sys/vm/overcommit_memory", "sys/kernel/osrelease"} {
		rules = append(rules, rule{"/proc/" + path, unix.LANDLOCK_ACCESS_FS_READ_FILE})
	}
	return rules
}

// restrictFiles puts the rules of Landlock, as far as the kernel has it, on
// this thread.
func restrictFiles(s *spec) error {
	version := s.Landlock
	if version == 0 {
		return nil
	}
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
	size := unsafe.Sizeof(attr.Handled_access_fs)
	if version >= 4 {
		size += unsafe.Sizeof(attr.Handled_access_net)
		if !s.Network {
			attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
		}
	}
	if version >= scopes {
		size += unsafe.Sizeof(attr.Scoped)
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	set, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return fmt.Errorf("cannot make rules of Landlock: %w", errno)
	}
	defer unix.Close(int(set))
	for _, r := range rules(s) {
		if err := permit(int(set), r, attr.Handled_access_fs); err != nil {
			return fmt.Errorf("cannot permit %s by Landlock: %w", r.path, err)
		}
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, set, 0, 0); errno != 0 {
		return fmt.Errorf("cannot restrict files by Landlock: %w", errno)
	}
	return nil
}

// permit adds a rule for a path. A path that is not there needs none.
func permit(set int, r rule, handled uint64) error {
	fd, err := unix.Open(r.path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.EACCES) {
		return nil
	}
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return err
	}
	rights := r.rights & handled
	if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= readFiles | writeFiles
	}
	attr := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	_, _, errno := unix.RawSyscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(set), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&attr)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}
