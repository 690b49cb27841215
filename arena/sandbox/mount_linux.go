package sandbox

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Paths in a bot's root, as its init sees them.
const (
	nothing   = "/.nothing" // a folder with an empty file and an empty folder that nobody may open
	emptyFile = nothing + "/file"
	emptyDir  = nothing + "/folder"
	outside   = "/.outside" // the old root, until it is left
)

// mount makes the bot's view of the file system the root.
func (s *spec) mount(p *steps) {
	p.mount("cannot make the mounts private", "", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")
	p.mount("cannot mount a root at "+s.root(), "tmpfs", s.root(), "tmpfs", unix.MS_NOSUID, "mode=0755")
	in := func(path string) string { return s.root() + path }
	for _, folder := range []string{"/dev", "/proc", outside, nothing, s.temp} {
		p.mkdir("cannot make "+folder, in(folder), 0o755)
	}
	p.create("cannot make "+emptyFile, in(emptyFile), 0)
	p.mkdir("cannot make "+emptyDir, in(emptyDir), 0)

	id, group := os.Geteuid(), os.Getegid()
	if s.ownID {
		id, group = int(s.id), int(s.id)
	}
	const files = 16384
	options := fmt.Sprintf("size=%d,nr_inodes=%d,mode=0700,uid=%d,gid=%d", s.tempSize, files, id, group)
	p.mount("cannot mount a temporary folder", "tmpfs", in(s.temp), "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, options)
	for _, node := range deviceNodes() {
		if node == "zero" && s.landlock == 0 { // nothing would keep the bot from a shared mapping of it
			continue
		}
		p.create("cannot make /dev/"+node, in("/dev/"+node), 0o600)
		p.bind("/dev/"+node, in("/dev/"+node))
	}
	for _, link := range [][2]string{
		{"fd", "/proc/self/fd"}, {"stdin", "/proc/self/fd/0"}, {"stdout", "/proc/self/fd/1"}, {"stderr", "/proc/self/fd/2"},
	} {
		p.symlink("cannot make /dev/"+link[0], link[1], in("/dev/"+link[0]))
	}
	for _, place := range s.places {
		p.makePlace(place, in(place.Path), s.usersFile())
	}
	accept(p.symlink("cannot make /dev/shm", s.temp, in("/dev/shm")), 0, unix.EEXIST)
	s.mountProc(p, in("/proc"))
	closed := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID}
	p.do("cannot make the root read-only", unix.SYS_MOUNT_SETATTR,
		unix.AT_FDCWD, s.root(), unix.AT_RECURSIVE, bytesOf(&closed), unix.MOUNT_ATTR_SIZE_VER0)
	open := unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}
	p.do("cannot make the temporary folder writable", unix.SYS_MOUNT_SETATTR,
		unix.AT_FDCWD, in(s.temp), 0, bytesOf(&open), unix.MOUNT_ATTR_SIZE_VER0)
	p.do("cannot change the root", unix.SYS_PIVOT_ROOT, s.root(), in(outside))
	p.do("cannot enter the root", unix.SYS_CHDIR, "/")
	p.do("cannot leave the old root", unix.SYS_UMOUNT2, outside, unix.MNT_DETACH)
	for _, path := range s.hidden {
		p.cover(path)
	}
}

// mountProc mounts /proc, which shows the processes of the namespace. The kernel
// refuses that if parts of the machine's own /proc are covered. A bot with a user
// id of its own sees only its own processes. The init is in group 0, which sees all.
func (s *spec) mountProc(p *steps, at string) {
	const flags = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC
	acceptAny(p.mount("", "proc", at, "proc", flags, ""), 0)
	if s.ownID {
		acceptAny(p.mount("", "proc", at, "proc", flags|unix.MS_REMOUNT, "hidepid=2,gid=0"), 0)
	}
}

func (s *steps) bind(from, to string) {
	s.mount("cannot bind "+from, from, to, "", unix.MS_BIND|unix.MS_REC, "")
}

// makePlace makes one path in the new root. For a path of the system a failure is
// accepted, because the bot did not ask for it.
func (s *steps) makePlace(p place, at string, users int) {
	means, begin := "cannot show "+p.Path, len(*s)
	var stat unix.Stat_t
	switch {
	case p.Link != "":
		accept(s.symlink(means, p.Link, at), 0, unix.EEXIST)
	case p.Dir:
		accept(s.mkdir(means, at, 0o755), 0, unix.EEXIST)
	case unix.Lstat(p.Path, &stat) != nil:
		return // it was removed after the bot was prepared
	case stat.Mode&unix.S_IFMT == unix.S_IFDIR:
		accept(s.mkdir(means, at, 0o755), 0, unix.EEXIST)
		if p.Mapped {
			s.mapUsers(means, p.Path, at, users)
			return
		}
		accept(s.mount(means, p.Path, at, "", unix.MS_BIND|unix.MS_REC, ""), 0, unix.ENOENT, unix.ENOTDIR)
	case stat.Mode&unix.S_IFMT == unix.S_IFREG:
		accept(s.create(means, at, 0o600), 0, unix.EEXIST)
		if p.Mapped {
			s.mapUsers(means, p.Path, at, users)
			return
		}
		accept(s.mount(means, p.Path, at, "", unix.MS_BIND, ""), 0, unix.ENOENT, unix.ENOTDIR)
	default:
		return // a socket, a pipe or a device is not shown
	}
	if ofSystem(p.Path) {
		for n := begin; n < len(*s); n++ {
			acceptAny(&(*s)[n], 0)
		}
	}
}

// cover puts an empty file or folder over a path, if the path can be reached at
// all. It tries both, because the kernel refuses a folder over a file, and a file
// over a folder.
func (s *steps) cover(path string) {
	for _, with := range []string{emptyFile, emptyDir} {
		accept(s.mount("cannot hide "+path, with, path, "", unix.MS_BIND, ""), 0,
			unix.ENOENT, unix.ENOTDIR, unix.EACCES, unix.ELOOP)
	}
}
