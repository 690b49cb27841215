package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// owner is the user and the group that own a file.
type owner struct{ user, group uint32 }

func ownerOf(path string) (of owner, mode fs.FileMode, err error) {
	stat, err := os.Lstat(path)
	if err != nil {
		return owner{}, 0, err
	}
	system := stat.Sys().(*syscall.Stat_t)
	return owner{system.Uid, system.Gid}, stat.Mode().Perm(), nil
}

// Permissions of others.
const mayEnter, mayRead fs.FileMode = 0o001, 0o004

// closed returns an error if a user who owns no files may not use a path without
// symbolic links, or what is on the way to it.
func (s *Sandbox) closed(path string, bits fs.FileMode) error {
	for ; path != "/"; path, bits = filepath.Dir(path), mayEnter {
		_, mode, err := ownerOf(path)
		if err != nil {
			return notThere(err)
		}
		if mode&bits != bits {
			hint := ""
			if bits&mayRead != 0 {
				hint += "r"
			}
			if bits&mayEnter != 0 {
				hint += "x"
			}
			return fmt.Errorf("the bot runs under a user id of its own, which may not use %s (hint: chmod o+%s)", path, hint)
		}
		if s.spaces {
			break // the permissions of the folders above do not matter
		}
	}
	return nil
}

// admit finds out whether a bot with a user id of its own may use what it needs. With
// namespaces, a bot sees its folder as if it were the owner if only the owner may use what is
// in it. Anything else that is closed to the bot is an error. The folder has no symbolic links.
func (p *Prepared) admit(folder string) error {
	of, _, err := ownerOf(folder)
	if err != nil {
		return notThere(err)
	}
	for n, needs := range slices.Concat([]string{folder}, p.programs, p.named) {
		bits := mayEnter | mayRead
		if n > len(p.programs) {
			bits = mayRead
		}
		real, err := filepath.EvalSymlinks(needs)
		if err != nil {
			return notThere(err)
		}
		closed := p.sandbox.closed(real, bits)
		if closed == nil {
			continue
		}
		by, mode, err := ownerOf(real)
		if !p.sandbox.spaces || !inside(real, folder) || err != nil || by != of || mode&(bits<<6) != bits<<6 {
			return closed
		}
		if err := ownLinks(p.command.Dir, of.user); err != nil {
			return fmt.Errorf("%w; %w", closed, err)
		}
		tree, err := openMapped(folder, of, firstID)
		if err != nil {
			return fmt.Errorf("%w; its file system cannot show it to another user: %w", closed, err)
		}
		tree.Close()
		p.mapped, p.owner = folder, of
	}
	return nil
}

// ownLinks refuses a symbolic link on the way to a path, if neither root nor the
// owner of the path has made it. The author of a bot could lead the way to a file
// of somebody else by it, and root would show that file to the bot.
func ownLinks(path string, user uint32) error {
	_, links, err := new(view).show(path)
	for _, link := range links {
		if by, _, err := ownerOf(link); err != nil || by.user != 0 && by.user != user {
			return fmt.Errorf("the symbolic link %s on the way belongs to another user", link)
		}
	}
	return err
}

// openMapped opens a folder to be mounted. In the mount, the owner's files are those of
// the user and the group with an id.
func openMapped(path string, of owner, id int) (*os.File, error) {
	users, err := usersOf(of, id)
	if err != nil {
		return nil, err
	}
	defer users.Close()
	tree, err := unix.OpenTree(unix.AT_FDCWD, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
	if err != nil {
		return nil, err
	}
	file := os.NewFile(uintptr(tree), path)
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_IDMAP, Userns_fd: uint64(users.Fd())}
	if err := unix.MountSetattr(tree, "", unix.AT_EMPTY_PATH, &attr); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// usersOf returns a user namespace in which the owner of files is the user with an id.
func usersOf(of owner, id int) (*os.File, error) {
	waits, end, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer waits.Close()
	cmd := initCommand([]*os.File{waits}, &syscall.SysProcAttr{ // it waits for a task
		Cloneflags:  unix.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: int(of.user), HostID: id, Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: int(of.group), HostID: id, Size: 1}},
	})
	if err := cmd.Start(); err != nil {
		end.Close()
		return nil, err
	}
	users, err := os.Open("/proc/" + strconv.Itoa(cmd.Process.Pid) + "/ns/user")
	end.Close()
	_ = cmd.Wait() // it got no task
	return users, err
}
