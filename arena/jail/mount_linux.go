package jail

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Where things are in a bot's root for its init.
const (
	nothing   = "/.nothing" // a folder with an empty file and an empty folder that nobody may open
	emptyFile = nothing + "/file"
	emptyDir  = nothing + "/folder"
	outside   = "/.outside" // the old root, until it is left
)

// mount makes the bot's view of the file system the root. What is outside of
// it is there until [leave].
func mount(s *spec) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("cannot make the mounts private: %w", err)
	}
	if err := unix.Mount("tmpfs", s.Root, "tmpfs", unix.MS_NOSUID, "mode=0755"); err != nil {
		return fmt.Errorf("cannot mount a root at %s: %w", s.Root, err)
	}
	in := func(path string) string { return s.Root + path }
	for _, folder := range []string{"/dev", "/proc", outside, nothing, s.Temp} {
		if err := unix.Mkdir(in(folder), 0o755); err != nil {
			return fmt.Errorf("cannot make %s: %w", folder, err)
		}
	}
	if err := errors.Join(create(in(emptyFile), 0), unix.Mkdir(in(emptyDir), 0)); err != nil {
		return fmt.Errorf("cannot make %s: %w", nothing, err)
	}
	id, group := os.Getuid(), os.Getgid()
	if s.OwnID {
		id, group = int(s.ID), int(s.ID)
	}
	const files = 16384
	options := fmt.Sprintf("size=%d,nr_inodes=%d,mode=0700,uid=%d,gid=%d", s.TempSize, files, id, group)
	if err := unix.Mount("tmpfs", in(s.Temp), "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		return fmt.Errorf("cannot mount a temporary folder: %w", err)
	}
	for _, node := range deviceNodes() {
		if err := errors.Join(create(in("/dev/"+node), 0o600), bind("/dev/"+node, in("/dev/"+node))); err != nil {
			return err
		}
	}
	for name, target := range map[string]string{
		"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2",
	} {
		if err := unix.Symlink(target, in("/dev/"+name)); err != nil {
			return fmt.Errorf("cannot make /dev/%s: %w", name, err)
		}
	}
	for _, p := range s.Places {
		if err := makePlace(p, in(p.Path)); err != nil && !ofSystem(p.Path) {
			return fmt.Errorf("cannot show %s: %w", p.Path, err)
		}
	}
	if err := unix.Symlink(s.Temp, in("/dev/shm")); err != nil && !errors.Is(err, unix.EEXIST) {
		return fmt.Errorf("cannot make /dev/shm: %w", err)
	}
	mountProc(s, in("/proc"))
	closed := &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID}
	if err := unix.MountSetattr(unix.AT_FDCWD, s.Root, unix.AT_RECURSIVE, closed); err != nil {
		return fmt.Errorf("cannot make the root read-only: %w", err)
	}
	open := &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(unix.AT_FDCWD, in(s.Temp), 0, open); err != nil {
		return fmt.Errorf("cannot make the temporary folder writable: %w", err)
	}
	if err := unix.PivotRoot(s.Root, in(outside)); err != nil {
		return fmt.Errorf("cannot change the root: %w", err)
	}
	if err := unix.Chdir("/"); err != nil {
		return fmt.Errorf("cannot enter the root: %w", err)
	}
	return hide(s)
}

// leave detaches what is outside of the root. The kernel waits in it until no
// processor looks at that any more, which takes longer than all of [mount].
func leave() error {
	if err := unix.Unmount(outside, unix.MNT_DETACH); err != nil {
		return fmt.Errorf("cannot leave the old root: %w", err)
	}
	return nil
}

// mountProc shows the processes of the namespace. A kernel refuses it where its
// own is covered in parts. A bot with a user id of its own sees only its own;
// the init and its like are of the group 0, which sees all.
func mountProc(s *spec, at string) {
	const flags = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC
	if s.OwnID && unix.Mount("proc", at, "proc", flags, "hidepid=2,gid=0") == nil {
		return
	}
	_ = unix.Mount("proc", at, "proc", flags, "")
}

func bind(from, to string) error {
	if err := unix.Mount(from, to, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("cannot bind %s: %w", from, err)
	}
	return nil
}

// makePlace makes one path in the new root.
func makePlace(p place, at string) error {
	switch p.kind() {
	case linked:
		if err := unix.Symlink(p.Link, at); err != nil && !errors.Is(err, unix.EEXIST) {
			return err
		}
		return nil
	case opened:
		return os.MkdirAll(at, 0o755)
	}
	var stat unix.Stat_t
	err := unix.Lstat(p.Path, &stat)
	switch {
	case err != nil && absent(err):
		return nil // it is gone since the bot was prepared
	case err != nil:
		return err
	case stat.Mode&unix.S_IFMT == unix.S_IFDIR:
		err = os.MkdirAll(at, 0o755)
	case stat.Mode&unix.S_IFMT == unix.S_IFREG:
		err = create(at, 0o600)
	default:
		return nil // a socket, a pipe or a device is not to be shown
	}
	if err != nil {
		return err
	}
	return bind(p.Path, at)
}

// create makes an empty file, if there is none.
func create(path string, mode uint32) error {
	if err := unix.Mknod(path, unix.S_IFREG|mode, 0); err != nil && !errors.Is(err, unix.EEXIST) {
		return &os.PathError{Op: "create", Path: path, Err: err}
	}
	return nil
}

// hide covers what is hidden of what is seen.
func hide(s *spec) error {
	for _, path := range s.Exact {
		if err := cover(path); err != nil {
			return err
		}
	}
	for _, path := range s.Hidden {
		if err := errors.Join(cover(path), cover(path+".lock")); err != nil {
			return err
		}
	}
	return nil
}

// cover puts nothing over a file or a folder that is there. A symbolic link is
// left as it is: what it stands for is hidden for itself.
func cover(path string) error {
	var stat unix.Stat_t
	switch err := unix.Lstat(path, &stat); {
	case err != nil && absent(err):
		return nil
	case err != nil:
		return fmt.Errorf("cannot hide %s: %w", path, err)
	}
	with := emptyFile
	switch stat.Mode & unix.S_IFMT {
	case unix.S_IFLNK:
		return nil
	case unix.S_IFDIR:
		with = emptyDir
	}
	if err := unix.Mount(with, path, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("cannot hide %s: %w", path, err)
	}
	return nil
}
