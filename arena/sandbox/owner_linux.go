package sandbox

import (
	"errors"
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

// closedError says that a user who owns no files may not use a path.
type closedError struct{ problem, hint string }

func (e *closedError) Error() string {
	return fmt.Sprintf("the bot runs under a user id of its own, which may not %s (hint: chmod %s)", e.problem, e.hint)
}

// want is a path that a bot needs, and the permissions that others must have.
type want struct {
	path string
	bits fs.FileMode
}

const mayEnter, mayRead fs.FileMode = 0o001, 0o004

// wants returns what the bot needs: its folder, the files that its arguments name,
// and its programs.
func (p *Prepared) wants() []want {
	all := []want{{p.command.Dir, mayEnter | mayRead}}
	for _, arg := range p.command.Args[min(1, len(p.command.Args)):] {
		path := arg
		if !filepath.IsAbs(path) {
			path = filepath.Join(p.command.Dir, path)
		}
		hidden := slices.ContainsFunc(p.command.Hidden, func(h string) bool { return inside(path, filepath.Clean(h)) })
		if stat, err := os.Stat(path); !hidden && err == nil && stat.Mode().IsRegular() {
			all = append(all, want{path, mayRead})
		}
	}
	for n, program := range p.programs {
		bits := mayEnter
		if n < len(p.programs)-1 && filepath.Base(program) != "env" {
			bits |= mayRead // a script
		}
		all = append(all, want{program, bits})
	}
	return all
}

// strangerMay checks that a user who owns no files may use a path. The error is a
// [*closedError], or says that there is no such file.
func (s *Sandbox) strangerMay(path string, bits fs.FileMode) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return notThere(err)
	}
	stat, err := os.Stat(real)
	if err != nil {
		return notThere(err)
	}
	if stat.Mode().Perm()&bits != bits {
		hint := map[fs.FileMode]string{mayEnter: "o+x", mayRead: "o+r", mayEnter | mayRead: "o+rx"}[bits]
		return &closedError{"use " + real, hint}
	}
	if s.spaces {
		return nil // the permissions of the folders above do not matter
	}
	for folder := filepath.Dir(real); folder != "/"; folder = filepath.Dir(folder) {
		if stat, err := os.Stat(folder); err == nil && stat.Mode().Perm()&mayEnter == 0 {
			return &closedError{fmt.Sprintf("enter %s on the way to %s", folder, real), "o+x"}
		}
	}
	return nil
}

// admit notes what a bot with a user id of its own needs and may not use, but the
// owner of its folder may. With namespaces, the bot sees that as if it were
// the owner: admit returns these paths. The error is a [*closedError] if the owner
// may not use it either, or if the file system cannot show its files in that way.
func (p *Prepared) admit() (mapped []string, err error) {
	dir, err := filepath.EvalSymlinks(p.command.Dir)
	if err != nil {
		return nil, notThere(err)
	}
	stat, err := os.Stat(dir)
	if err != nil {
		return nil, notThere(err)
	}
	of := ownerOf(stat)
	for _, n := range p.wants() {
		closed := p.sandbox.strangerMay(n.path, n.bits)
		if closed == nil {
			continue
		}
		if !errors.As(closed, new(*closedError)) || !p.sandbox.spaces {
			return nil, closed
		}
		real, err := filepath.EvalSymlinks(n.path)
		if err != nil {
			return nil, closed
		}
		named := n.path
		if inside(real, dir) {
			named, real = p.command.Dir, dir
		}
		if err := ownLinks(named, of.user); err != nil {
			return nil, fmt.Errorf("%w; %w", closed, err)
		}
		stat, err := os.Stat(n.path)
		if err != nil || ownerOf(stat) != of || stat.Mode().Perm()&(n.bits<<6) != n.bits<<6 {
			return nil, closed
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

// mappable tries out whether the kernel can show what a user owns as that of another.
func (s *Sandbox) mappable(path string, of owner) error {
	users, err := s.usersOf(of, firstID)
	if err != nil {
		return err
	}
	defer users.Close()
	tree, err := unix.OpenTree(unix.AT_FDCWD, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
	if err != nil {
		return err
	}
	defer unix.Close(tree)
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_IDMAP, Userns_fd: uint64(users.Fd())}
	return unix.MountSetattr(tree, "", unix.AT_EMPTY_PATH, &attr)
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

// ownLinks refuses a symbolic link on the way to a path, if neither root nor the
// owner of the path has made it. The author of a bot could lead the way to a file
// of somebody else by it, and root would show that file to the bot.
func ownLinks(path string, owner uint32) error {
	_, links, err := (&eyes{at: make(map[string]place)}).show(path)
	if err != nil {
		return err
	}
	for _, link := range links {
		stat, err := os.Lstat(link)
		if err != nil {
			return err
		}
		if by := ownerOf(stat).user; by != 0 && by != owner {
			return fmt.Errorf("the symbolic link %s on the way belongs to another user", link)
		}
	}
	return nil
}

func ownerOf(stat fs.FileInfo) owner {
	of := stat.Sys().(*syscall.Stat_t)
	return owner{of.Uid, of.Gid}
}
