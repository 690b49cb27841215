package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// way is one way to isolate bots: with namespaces or without.
type way struct {
	spaces bool // namespaces, which an ordinary user makes in a user namespace
	ownID  bool // a user id of its own for every process of a bot; for root only
}

// ways returns the ways that this user can try, the best first. In a container root
// may be the only user.
func ways() []way {
	if os.Geteuid() == 0 {
		return []way{{spaces: true, ownID: true}, {spaces: true}, {ownID: true}, {}}
	}
	return []way{{spaces: true}, {}}
}

// The user ids of a sandbox are one block of a range that nobody uses.
const firstID, lastID, blockOfIDs = 2_000_000_000, 1<<31 - 1, 1024

// system is how bots are isolated.
type system struct {
	way
	landlock int         // the version of Landlock; 0: none
	self     string      // the program that is executed to be an init
	base     string      // a folder of the sandbox's own; "": none
	lock     *os.File    // holds it
	ids      chan uint32 // the user ids that no bot has
	groups   *groups     // makes the control groups of bots; nil: they have none
}

// New makes a sandbox for bots with these limits. It runs a bot that tries to break
// out, to find out what this machine can isolate: perhaps nothing. An error is a
// failure of the runner.
func New(ctx context.Context, l Limits) (*Sandbox, error) {
	return newSandbox(ctx, l, ways(), landlockVersion())
}

func newSandbox(ctx context.Context, l Limits, ways []way, landlock int) (*Sandbox, error) {
	base, lock, err := makeBase(os.TempDir())
	if err != nil {
		return nil, fmt.Errorf("cannot make the sandbox's folder: %w", err)
	}
	s := &Sandbox{limits: l, system: system{
		base: base, lock: lock, landlock: landlock, self: "/proc/self/exe", ids: make(chan uint32, blockOfIDs),
	}}
	first := firstID + blockOfIDs*rand.Uint32N((lastID-firstID)/blockOfIDs)
	for n := range uint32(blockOfIDs) {
		s.ids <- first + n
	}
	if _, err = os.Stat(s.self); err != nil {
		s.self, err = os.Executable()
	}
	if err == nil { // bots with user ids of their own pass through the folder
		err = errors.Join(os.Chmod(base, 0o711), os.Mkdir(s.root(), 0o700))
	}
	if err == nil {
		runtime.LockOSThread() // an init dies with the thread that starts it
		err = s.find(ctx, ways)
		runtime.UnlockOSThread()
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// find takes the first way in which a bot can run, and notes which layers do not hold
// in it. Without any, the sandbox isolates nothing.
func (s *Sandbox) find(ctx context.Context, ways []way) error {
	var first error
	for _, w := range ways {
		found, err := s.tryWith(ctx, w)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case Shortage(err) || errors.Is(err, errSilent): // later it may succeed
			return fmt.Errorf("cannot find out what this machine can isolate: %w", err)
		case err != nil && first == nil:
			first = err
		case err == nil:
			if first != nil {
				s.lesser = fmt.Sprintf("%s (%v)", map[bool]string{true: "user ids", false: "namespaces"}[s.spaces], first)
			}
			s.reasons = found
			return nil
		}
	}
	s.nothing = fmt.Sprintf("no isolation (%v)", first) + yourRights
	return nil
}

// tryWith runs the probing bot, if it can in a control group. Only bots with namespaces
// get one: there all processes end with their init, even if they are frozen.
func (s *Sandbox) tryWith(ctx context.Context, w way) (found findings, err error) {
	s.way, s.groups, s.groupless = w, nil, ""
	if !w.spaces {
		return s.try(ctx)
	}
	if s.groups, err = findGroups(s.limits.FamilyMemory); err == nil {
		found, err = s.try(ctx)
		if err == nil || ctx.Err() != nil || Shortage(err) || errors.Is(err, errSilent) {
			return found, err
		}
		s.groups = nil
	}
	s.groupless = err.Error()
	return s.try(ctx)
}

// control returns whether control groups freeze bots and limit their memory.
func (s *Sandbox) control() (freezes, limits bool) {
	return s.groups != nil, s.groups != nil && s.groups.memory > 0
}

// root is the folder on which the bot's root is mounted, in the bot's namespace.
func (s *Sandbox) root() string { return filepath.Join(s.base, "root") }

// Close removes what the sandbox keeps on disk. No bot may be running.
func (s *Sandbox) Close() error {
	if s.base == "" {
		return nil
	}
	err := os.RemoveAll(s.base)
	s.lock.Close() // last, because any runner removes a folder without a lock
	return err
}

// makeBase makes a folder for a sandbox, and locks it until the runner ends. It
// removes the folders of runners that were killed.
func makeBase(in string) (base string, lock *os.File, err error) {
	base, lock, err = newLocked(func() (string, error) { return os.MkdirTemp(in, baseName) })
	if err != nil {
		return "", nil, err
	}
	old, _ := filepath.Glob(filepath.Join(in, baseName+"*")) // a malformed pattern finds nothing
	for _, path := range old {
		number, _ := strings.CutPrefix(filepath.Base(path), baseName)
		stat, err := os.Lstat(path)
		if err != nil || path == base || strings.Trim(number, "0123456789") != "" || !stat.IsDir() {
			continue
		}
		if owner, ok := stat.Sys().(*syscall.Stat_t); !ok || int(owner.Uid) != os.Geteuid() {
			continue
		}
		if left, err := lockFolder(path, unix.LOCK_EX|unix.LOCK_NB); err == nil {
			_ = os.RemoveAll(path) // the next runner tries again
			left.Close()
		}
	}
	return base, lock, nil
}

// baseName is how the names of the sandboxes' folders begin. A number follows.
const baseName = "sembra-sandbox-"

// newLocked makes a folder and locks it. Another runner may remove it before that,
// because it takes folders without a lock for those of runners that were killed.
func newLocked(make func() (string, error)) (path string, lock *os.File, err error) {
	for {
		if path, err = make(); err != nil {
			return "", nil, err
		}
		lock, err = lockFolder(path, unix.LOCK_EX)
		if err == nil {
			return path, lock, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", nil, errors.Join(err, os.Remove(path))
		}
	}
}

// lockFolder locks an existing folder.
func lockFolder(path string, how int) (*os.File, error) {
	file, err := os.OpenFile(path, unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	err = unix.EINTR
	for errors.Is(err, unix.EINTR) {
		err = unix.Flock(int(file.Fd()), how)
	}
	if err == nil {
		_, err = os.Lstat(path)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}
