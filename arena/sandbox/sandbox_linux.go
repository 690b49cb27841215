package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

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

// system is how bots are isolated.
type system struct {
	way
	landlock int            // the version of Landlock; 0: none
	base     string         // a folder of the sandbox's own
	folders  []*os.File     // that one, and that of the control groups; they are locked
	ids      *atomic.Uint32 // counts the user ids that bots had, from a random number on
	groups   *groups        // makes the control groups of bots; nil: they have none
	caps     bool           // these limit the memory of a bot's processes
}

// itself is the program that runs, for a process that it starts.
const itself = "/proc/self/exe"

// New makes a sandbox for bots with these limits. It runs a bot that tries to break
// out, to find out what this machine can isolate: perhaps nothing. An error is a
// failure of the runner.
func New(ctx context.Context, l Limits) (*Sandbox, error) {
	return newSandbox(ctx, l, ways(), landlockVersion())
}

func newSandbox(ctx context.Context, l Limits, ways []way, landlock int) (*Sandbox, error) {
	base, err := MakeLockedFolder(os.TempDir(), "sembra-sandbox-")
	if err != nil {
		return nil, fmt.Errorf("cannot make the sandbox's folder: %w", err)
	}
	l.Temp = cmp.Or(l.Temp, DefaultTemp)
	s := &Sandbox{limits: l, system: system{
		base: base.Name(), folders: []*os.File{base}, landlock: landlock, ids: new(atomic.Uint32),
	}}
	s.ids.Store(rand.Uint32N(countOfIDs))
	// Bots with user ids of their own pass through the folder.
	err = errors.Join(os.Chmod(s.base, 0o711), os.Mkdir(s.root(), 0o700))
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

// The user ids of bots are from a range that nobody uses.
const firstID, countOfIDs = 2_000_000_000, 1<<31 - 1 - firstID

// newID returns a user id that no other bot has.
func (s *Sandbox) newID() int { return int(firstID + s.ids.Add(1)%countOfIDs) }

// find takes the first way in which a bot can run, and notes which layers do not hold
// in it. Without any, the sandbox isolates nothing. Only bots with namespaces get control
// groups: there all processes end with their init, even if they are frozen.
func (s *Sandbox) find(ctx context.Context, ways []way) error {
	made, groupless := findGroups(s.limits.MemoryTotal)
	if made != nil {
		s.folders = append(s.folders, made.folder)
	}
	var better error // why a better way failed
	for _, s.way = range ways {
		choices := []*groups{nil}
		if made != nil && s.spaces {
			choices = []*groups{made, nil}
		}
		for _, s.groups = range choices {
			found, err := s.try(ctx)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case IsShortage(err) || errors.Is(err, errSilent): // later it may succeed
				return fmt.Errorf("cannot find out what this machine can isolate: %w", err)
			case err == nil:
				s.report(found, better, groupless)
				return nil
			case s.groups != nil:
				groupless = err
			case better == nil:
				better = err
			}
		}
	}
	s.isolateNothing(fmt.Sprintf("no isolation (%v)", better))
	return nil
}

// asked returns the layers that are needed for the limits.
func (l Limits) asked() []Layer {
	return slices.DeleteFunc([]Layer{Files, Network, Memory, Processes, Leftovers, Signals, Disk}, func(layer Layer) bool {
		return layer == Network && l.Network || layer == Memory && l.Memory <= 0 ||
			layer == Processes && l.Processes <= 0
	})
}

// report notes what holds in the way that was tried last, what does not, and why a better one failed.
func (s *Sandbox) report(found findings, better, groupless error) {
	s.caps = s.groups != nil && s.groups.memory > 0
	s.weaker = s.groups == nil || !s.caps && s.limits.MemoryTotal > 0
	for _, layer := range s.limits.asked() {
		reason, tried := found[layer]
		if !tried {
			reason = "it was not tried"
		}
		if reason != "" {
			s.missing = append(s.missing, fmt.Sprintf("%s (%s)", layer, reason))
		} else {
			s.holds = append(s.holds, string(layer))
		}
	}
	if better != nil && s.missing != nil {
		needs := "namespaces"
		if s.spaces {
			needs = "user ids"
		}
		s.missing = append(s.missing, fmt.Sprintf("%s (%v)", needs, better))
	}
	s.line = "nothing"
	if s.holds != nil {
		s.line = listed(s.holds)
	}
	if s.missing != nil {
		s.line += "; without " + listed(s.missing)
	}
	if s.groups != nil {
		s.line += "; a pause freezes bots (cgroup v2)"
	} else {
		s.line += "; a pause stops bots by signals"
	}
	if s.caps && s.limits.MemoryTotal > 0 {
		s.line += "; the kernel limits memory_total (cgroup v2)"
	} else if s.limits.MemoryTotal > 0 {
		s.line += "; memory_total is watched"
	}
	if s.spaces && s.groups == nil {
		s.line += fmt.Sprintf(" (%v)", groupless)
	}
}

// listed writes names one after another.
func listed(names []string) string {
	last := max(0, len(names)-2)
	return strings.Join(append(slices.Clone(names[:last]), strings.Join(names[last:], " and ")), ", ")
}

// root is the folder on which the bot's root is mounted, in the bot's namespace.
func (s *Sandbox) root() string { return filepath.Join(s.base, "root") }

// Close removes what the sandbox keeps on disk. No bot may be running.
func (s *Sandbox) Close() (err error) {
	for _, folder := range s.folders {
		err = errors.Join(err, os.RemoveAll(folder.Name()))
		folder.Close() // last, because any runner removes a folder without a lock
	}
	return err
}

// MakeLockedFolder makes a folder whose name ends with a number, and locks it until the runner
// ends. It removes the folders of runners that were killed: they are not locked.
func MakeLockedFolder(in, name string) (folder *os.File, err error) {
	for folder == nil { // until no other runner removes it before it is locked
		path, err := os.MkdirTemp(in, name)
		if err != nil {
			return nil, err
		}
		folder, err = lockFolder(path, unix.LOCK_EX)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, errors.Join(err, os.Remove(path))
		}
	}
	others, _ := filepath.Glob(filepath.Join(in, name+"*")) // a malformed pattern finds nothing
	for _, path := range others {
		by, _, err := ownerOf(path)
		number := strings.TrimPrefix(filepath.Base(path), name)
		if err != nil || strings.Trim(number, "0123456789") != "" || int(by.user) != os.Geteuid() {
			continue
		}
		if left, err := lockFolder(path, unix.LOCK_EX|unix.LOCK_NB); err == nil {
			_ = os.RemoveAll(path) // the next runner tries again
			left.Close()
		}
	}
	return folder, nil
}

// lockFolder locks an existing folder.
func lockFolder(path string, how int) (*os.File, error) {
	file, err := os.OpenFile(path, unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	if err = unix.Flock(int(file.Fd()), how); err == nil {
		_, err = os.Lstat(path)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}
