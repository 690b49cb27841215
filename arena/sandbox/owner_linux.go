package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// owner is the user and the group that own the folder of a bot.
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
	const text = "the bot runs under a user id of its own, which may not %s (hint: chmod o+%s)"
	_, mode, err := ownerOf(path)
	if err != nil {
		return notThere(err)
	}
	if mode&bits != bits {
		return fmt.Errorf(text, "use "+path, map[fs.FileMode]string{mayRead: "r", mayEnter | mayRead: "rx"}[bits])
	}
	if s.spaces {
		return nil // the permissions of the folders above do not matter
	}
	for folder := filepath.Dir(path); folder != "/"; folder = filepath.Dir(folder) {
		if _, mode, err := ownerOf(folder); err == nil && mode&mayEnter == 0 {
			return fmt.Errorf(text, "enter "+folder+" on the way to "+path, "x")
		}
	}
	return nil
}

// admit notes what a bot with a user id of its own needs and may not use, but the
// owner of its folder may, which is dir without symbolic links. With namespaces, the bot sees that as if it were
// the owner: admit returns these paths. It is an error if the owner may not use it
// either, or if the file system cannot show its files in that way.
func (p *Prepared) admit(dir string) (mapped []string, err error) {
	of, _, err := ownerOf(dir)
	if err != nil {
		return nil, notThere(err)
	}
	needs := slices.Concat([]string{p.command.Dir}, p.programs, p.named)
	for n, named := range needs {
		bits := mayEnter | mayRead
		if n > len(p.programs) {
			bits = mayRead
		}
		real, err := filepath.EvalSymlinks(named)
		if err != nil {
			return nil, notThere(err)
		}
		closed := p.sandbox.closed(real, bits)
		if closed == nil {
			continue
		}
		if by, mode, err := ownerOf(real); !p.sandbox.spaces || err != nil || by != of || mode&(bits<<6) != bits<<6 {
			return nil, closed
		}
		if inside(real, dir) {
			named, real = p.command.Dir, dir
		}
		if err := ownLinks(named, of.user); err != nil {
			return nil, fmt.Errorf("%w; %w", closed, err)
		}
		if slices.Contains(mapped, real) {
			continue
		}
		if err := p.sandbox.mappable(real, of); err != nil {
			return nil, fmt.Errorf("%w; its file system cannot show it to another user: %w", closed, err)
		}
		mapped, p.owner = append(mapped, real), &of
	}
	return mapped, nil
}

// ownLinks refuses a symbolic link on the way to a path, if neither root nor the
// owner of the path has made it. The author of a bot could lead the way to a file
// of somebody else by it, and root would show that file to the bot.
func ownLinks(path string, user uint32) error {
	_, links, err := (&eyes{at: make(map[string]place)}).show(path)
	for _, link := range links {
		if by, _, err := ownerOf(link); err != nil || by.user != 0 && by.user != user {
			return fmt.Errorf("the symbolic link %s on the way belongs to another user", link)
		}
	}
	return err
}

// mappable tries out whether the kernel can show what a user owns as that of another.
func (s *Sandbox) mappable(path string, of owner) error {
	users, err := s.usersOf(of, firstID)
	if err != nil {
		return err
	}
	defer users.Close()
	tree, err := openMapped(path, int(users.Fd()))
	if err == nil {
		unix.Close(tree)
	}
	return err
}

// openMapped opens a path whose owner's files are those of the bot, as a user namespace
// says.
func openMapped(path string, users int) (tree int, err error) {
	tree, err = unix.OpenTree(unix.AT_FDCWD, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
	if err != nil {
		return 0, err
	}
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_IDMAP, Userns_fd: uint64(users)}
	if err := unix.MountSetattr(tree, "", unix.AT_EMPTY_PATH, &attr); err != nil {
		unix.Close(tree)
		return 0, err
	}
	return tree, nil
}

// usersOf returns a user namespace in which the owner of files is the user of a bot.
func (s *Sandbox) usersOf(of owner, id uint32) (*os.File, error) {
	waits, end, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer waits.Close()
	cmd := &exec.Cmd{ // an init, which waits for a task
		Path: s.self, Args: []string{os.Args[0], initWord}, Dir: "/", Env: initEnv(), ExtraFiles: []*os.File{waits},
		SysProcAttr: &syscall.SysProcAttr{
			Cloneflags:  unix.CLONE_NEWUSER,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: int(of.user), HostID: int(id), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: int(of.group), HostID: int(id), Size: 1}},
		},
	}
	if err := cmd.Start(); err != nil {
		end.Close()
		return nil, err
	}
	users, err := os.Open("/proc/" + strconv.Itoa(cmd.Process.Pid) + "/ns/user")
	end.Close()
	_ = cmd.Wait() // it got no task
	return users, err
}
