package sandbox

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"

	"sembra/arena/sandbox/sandboxinit"
)

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

// rule permits rights below a path.
type rule struct {
	path   string
	rights uint64
}

// rules returns what a bot may do with files.
func rules(s *spec) []rule {
	rules := []rule{{s.temp, read | change}}
	for _, node := range deviceNodes() {
		rights := uint64(readFiles | writeFiles)
		if node == "zero" { // no limit would count the memory of a shared mapping of it
			rights = readFiles
		}
		rules = append(rules, rule{"/dev/" + node, rights})
	}
	if s.mounts { // the bot sees nothing else
		return append(rules, rule{"/", read})
	}
	for _, p := range s.places {
		if !p.whole() {
			continue
		}
		rights := uint64(readFiles)
		if stat, err := os.Stat(p.Path); err == nil && stat.IsDir() {
			rights = read
		}
		rules = append(rules, rule{p.Path, rights})
	}
	for _, path := range []string{"cpuinfo", "meminfo", "stat", "sys/vm/overcommit_memory", "sys/kernel/osrelease"} {
		rules = append(rules, rule{"/proc/" + path, unix.LANDLOCK_ACCESS_FS_READ_FILE})
	}
	return rules
}

// restrictFiles applies the rules of Landlock to a thread, if the kernel has it.
func restrictFiles(s *spec, t *steps) {
	version := s.landlock
	if version == 0 {
		return
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
	size := int(unsafe.Sizeof(attr.Handled_access_fs))
	if version >= 4 {
		size += int(unsafe.Sizeof(attr.Handled_access_net))
		if !s.limits.Network {
			attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
		}
	}
	if version >= scopes {
		size += int(unsafe.Sizeof(attr.Scoped))
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	const set, file = sandboxinit.First, sandboxinit.First + 1
	t.do("cannot make rules of Landlock", unix.SYS_LANDLOCK_CREATE_RULESET, bytesOf(&attr), size, 0).Keep = set
	for _, r := range rules(s) {
		means := fmt.Sprintf("cannot permit %s by Landlock", r.path)
		accept(t.open(means, r.path, unix.O_PATH, file), 2, unix.ENOENT, unix.ENOTDIR, unix.EACCES)
		beneath := unix.LandlockPathBeneathAttr{Allowed_access: r.rights & attr.Handled_access_fs}
		// The file follows the first eight bytes.
		rule := sandboxinit.Arg{Data: append(bytesOf(&beneath.Allowed_access), make([]byte, 8)...), Add: file, At: 8}
		t.do(means, unix.SYS_LANDLOCK_ADD_RULE, kept(set), unix.LANDLOCK_RULE_PATH_BENEATH, rule, 0)
		t.do(means, unix.SYS_CLOSE, kept(file))
	}
	t.do("cannot restrict files by Landlock", unix.SYS_LANDLOCK_RESTRICT_SELF, kept(set), 0)
	t.do("", unix.SYS_CLOSE, kept(set))
}
