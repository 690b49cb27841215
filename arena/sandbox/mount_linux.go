package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// Paths in a bot's root, as its init sees them.
const (
	nothing   = "/.nothing" // a folder with an empty file and an empty folder that nobody may open
	emptyFile = nothing + "/file"
	emptyDir  = nothing + "/folder"
	outside   = "/.outside" // the old root, until it is left
)

// mounts makes what a bot sees of the file system, and keeps the first error.
type mounts struct{ err error }

// do notes the result of a step, unless it is accepted.
func (m *mounts) do(what string, err error, accepted ...error) {
	if m.err == nil && !slices.ContainsFunc(accepted, func(e error) bool { return errors.Is(err, e) }) {
		m.err = failed(what, err)
	}
}

// mount makes the bot's view of the file system the root.
func (t *task) mount() error {
	var m mounts
	in := func(path string) string { return t.Root + path }
	m.do("cannot make the mounts private", unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""))
	m.do("cannot mount a root at "+t.Root, unix.Mount("tmpfs", t.Root, "tmpfs", unix.MS_NOSUID, "mode=0755"))
	for _, folder := range []string{"/dev", "/proc", outside, nothing, t.Temp} {
		m.do("cannot make "+folder, os.Mkdir(in(folder), 0o755))
	}
	m.do("cannot make "+emptyFile, create(in(emptyFile), 0))
	m.do("cannot make "+emptyDir, os.Mkdir(in(emptyDir), 0))

	id, group := os.Geteuid(), os.Getegid()
	if t.ID != 0 {
		id, group = t.ID, t.ID
	}
	const files = 16384
	options := fmt.Sprintf("size=%d,nr_inodes=%d,mode=0700,uid=%d,gid=%d", t.Limits.TempSize(), files, id, group)
	const flags = unix.MS_NOSUID | unix.MS_NODEV
	m.do("cannot mount a temporary folder", unix.Mount("tmpfs", in(t.Temp), "tmpfs", flags, options))
	for _, node := range deviceNodes() {
		if node == "zero" && t.Landlock == 0 { // nothing would keep the bot from a shared mapping of it
			continue
		}
		m.do("cannot make /dev/"+node, create(in("/dev/"+node), 0o600))
		m.do("cannot bind /dev/"+node, unix.Mount("/dev/"+node, in("/dev/"+node), "", unix.MS_BIND, ""))
	}
	for _, link := range [][2]string{
		{"fd", "/proc/self/fd"}, {"stdin", "/proc/self/fd/0"}, {"stdout", "/proc/self/fd/1"}, {"stderr", "/proc/self/fd/2"},
	} {
		m.do("cannot make /dev/"+link[0], os.Symlink(link[1], in("/dev/"+link[0])))
	}
	for _, place := range t.Places {
		if err := place.make(in(place.Path)); !ofSystem(place.Path) { // the bot did not ask for the system's
			m.do("cannot show "+place.Path, err)
		}
	}
	m.do("cannot make /dev/shm", os.Symlink(t.Temp, in("/dev/shm")), fs.ErrExist)
	// /proc shows the processes of the namespace. The kernel refuses that if parts of the machine's own /proc are
	// covered. A bot with a user id of its own sees only its own processes. The init is in group 0, which sees all.
	_ = unix.Mount("proc", in("/proc"), "proc", flags|unix.MS_NOEXEC, "")
	if t.ID != 0 {
		_ = unix.Mount("proc", in("/proc"), "proc", flags|unix.MS_NOEXEC|unix.MS_REMOUNT, "hidepid=2,gid=0")
	}
	closed := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID}
	m.do("cannot make the root read-only", unix.MountSetattr(unix.AT_FDCWD, t.Root, unix.AT_RECURSIVE, &closed))
	open := unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}
	m.do("cannot make the temporary folder writable", unix.MountSetattr(unix.AT_FDCWD, in(t.Temp), 0, &open))
	m.do("cannot change the root", unix.PivotRoot(t.Root, in(outside)))
	m.do("cannot enter the root", os.Chdir("/"))
	m.do("cannot leave the old root", unix.Unmount(outside, unix.MNT_DETACH))
	for _, path := range t.Hidden {
		for _, with := range []string{emptyFile, emptyDir} { // the kernel refuses one over the other
			m.do("cannot hide "+path, unix.Mount(with, path, "", unix.MS_BIND, ""),
				unix.ENOENT, unix.ENOTDIR, unix.EACCES, unix.ELOOP) // then the bot cannot reach it
		}
	}
	return m.err
}

// create makes an empty file, if there is none.
func create(path string, mode uint32) error {
	if err := unix.Mknod(path, unix.S_IFREG|mode, 0); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// make makes one path in the new root. It leaves out what was removed after the bot
// was prepared, and sockets, pipes and devices.
func (p place) make(at string) error {
	var err error
	stat, gone := os.Lstat(p.Path)
	switch {
	case p.Link != "":
		err = os.Symlink(p.Link, at)
	case p.Dir || gone == nil && stat.IsDir():
		err = os.Mkdir(at, 0o755)
	case gone == nil && stat.Mode().IsRegular():
		err = create(at, 0o600)
	default:
		return nil
	}
	if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	if err != nil || !p.whole() {
		return err
	}
	if p.Mapped {
		tree, err := openMapped(p.Path, usersFile)
		if err != nil {
			return err
		}
		defer unix.Close(tree)
		return unix.MoveMount(tree, "", unix.AT_FDCWD, at, unix.MOVE_MOUNT_F_EMPTY_PATH)
	}
	err = unix.Mount(p.Path, at, "", unix.MS_BIND|unix.MS_REC, "")
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR) {
		return nil // it was removed just now
	}
	return err
}
