package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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

// steps are system calls, done one after another. The first failure counts.
type steps struct{ failure }

// do notes the result of a step, unless it is accepted.
func (s *steps) do(what string, err error, accepted ...error) {
	errno := unix.EINVAL // for none, which no system call gives
	_ = errors.As(err, &errno)
	if s.Failed == "" && err != nil && errno != 0 && !slices.Contains(accepted, error(errno)) {
		s.failure = failure{what, errno}
	}
}

// mount makes the bot's view of the file system the root. It changes the root first, so
// that no symbolic link in the view leads out of it.
func (t *initTask) mount(s *steps) {
	s.do("cannot make the mounts private", unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""))
	s.do("cannot mount a root at "+t.Root, unix.Mount("tmpfs", t.Root, "tmpfs", unix.MS_NOSUID, "mode=0755"))
	s.do("cannot make "+outside, os.Mkdir(t.Root+outside, 0o755))
	s.do("cannot change the root", unix.PivotRoot(t.Root, t.Root+outside))
	s.do("cannot enter the root", os.Chdir("/"))
	if s.Failed != "" {
		return
	}
	t.furnish(s)
	for _, place := range t.Places {
		if err := place.make(); !ofSystem(place.Path) { // the bot did not ask for the system's
			s.do("cannot show "+place.Path, err)
		}
	}
	if t.Mapped != "" {
		s.do("cannot show "+t.Mapped,
			unix.MoveMount(mappedFile, "", unix.AT_FDCWD, t.Mapped, unix.MOVE_MOUNT_F_EMPTY_PATH))
	}
	s.do("cannot make /dev/shm", os.Symlink(t.Temp, "/dev/shm"), unix.EEXIST)
	s.do("cannot leave the old root", unix.Unmount(outside, unix.MNT_DETACH))
	closed := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID}
	s.do("cannot make the root read-only", unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &closed))
	open := unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}
	s.do("cannot make the temporary folder writable", unix.MountSetattr(unix.AT_FDCWD, t.Temp, 0, &open))
	for _, path := range t.Hidden {
		err := unix.Mount(emptyFile, path, "", unix.MS_BIND, "")
		if errors.Is(err, unix.ENOTDIR) { // the kernel refuses a file over a folder
			err = unix.Mount(emptyDir, path, "", unix.MS_BIND, "")
		}
		s.do("cannot hide "+path, err, unix.ENOENT, unix.ENOTDIR, unix.EACCES, unix.ELOOP) // then the bot cannot reach it
	}
}

// furnish makes what every bot has.
func (t *initTask) furnish(s *steps) {
	for _, folder := range []string{"/dev", "/proc", nothing, t.Temp} {
		s.do("cannot make "+folder, os.Mkdir(folder, 0o755))
	}
	s.do("cannot make "+emptyFile, create(emptyFile, 0))
	s.do("cannot make "+emptyDir, os.Mkdir(emptyDir, 0))

	id, group := os.Geteuid(), os.Getegid()
	if t.ID != 0 {
		id, group = t.ID, t.ID
	}
	const files = 16384
	options := fmt.Sprintf("size=%d,nr_inodes=%d,mode=0700,uid=%d,gid=%d", t.Limits.Temp, files, id, group)
	const flags = unix.MS_NOSUID | unix.MS_NODEV
	s.do("cannot mount a temporary folder", unix.Mount("tmpfs", t.Temp, "tmpfs", flags, options))
	for _, node := range deviceNodes() {
		if node != "zero" || t.Landlock > 0 { // without, nothing would keep the bot from a shared mapping of /dev/zero
			s.do("cannot make /dev/"+node, create("/dev/"+node, 0o600))
			s.do("cannot bind /dev/"+node, unix.Mount(outside+"/dev/"+node, "/dev/"+node, "", unix.MS_BIND, ""))
		}
	}
	for link, to := range map[string]string{"fd": "", "stdin": "/0", "stdout": "/1", "stderr": "/2"} {
		s.do("cannot make /dev/"+link, os.Symlink("/proc/self/fd"+to, "/dev/"+link))
	}
	// /proc shows the processes of the namespace. The kernel refuses that if parts of the machine's own /proc are
	// covered. A bot with a user id of its own sees only its own processes. The init is in group 0, which sees all.
	shown := ""
	if t.ID != 0 {
		shown = "hidepid=2,gid=0"
	}
	_ = unix.Mount("proc", "/proc", "proc", flags|unix.MS_NOEXEC, shown)
}

// create makes an empty file, if there is none.
func create(path string, mode uint32) error {
	if err := unix.Mknod(path, unix.S_IFREG|mode, 0); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// make makes one path in the root, from that in the old root. It leaves out what was
// removed after the bot was prepared, and sockets, pipes and devices.
func (p seenPath) make() error {
	err := os.MkdirAll(filepath.Dir(p.Path), 0o755)
	if err == nil && p.Link != "" {
		if err = os.Symlink(p.Link, p.Path); errors.Is(err, fs.ErrExist) {
			return nil
		}
	}
	stat, gone := os.Lstat(outside + p.Path)
	if err != nil || gone != nil || p.Link != "" || !stat.IsDir() && !stat.Mode().IsRegular() {
		return err
	}
	if stat.IsDir() {
		err = os.MkdirAll(p.Path, 0o755)
	} else {
		err = create(p.Path, 0o600)
	}
	if err == nil {
		err = unix.Mount(outside+p.Path, p.Path, "", unix.MS_BIND|unix.MS_REC, "")
	}
	if absent(err) {
		return nil // it was removed just now
	}
	return err
}
