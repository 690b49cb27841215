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

	"sembra/arena/sandbox/cgroup"
)

// way is one way to build a jail: which features of the kernel it uses.
type way struct {
	spaces bool // namespaces for processes, IPC and the host name, and one without a network unless the bot may use it
	mounts bool // a namespace for mounts
	user   bool // a user namespace, in which an ordinary user may make the others
	ownID  bool // a user id of its own for every process of a bot

	groups int // the newest version of control groups to use; 0: none
}

// ways returns the ways that this user can try, the best first.
func ways() []way {
	if os.Geteuid() == 0 {
		return []way{
			{spaces: true, mounts: true, ownID: true, groups: 2},
			{spaces: true, ownID: true, groups: 2},
			{spaces: true, mounts: true, groups: 2}, // in a container, root may be the only user
			{ownID: true},
			{},
		}
	}
	return []way{
		{spaces: true, mounts: true, user: true, groups: 2},
		{spaces: true, user: true, groups: 2},
		{},
	}
}

const (
	// The user ids of a jail are one block of a range that nobody uses.
	firstID, lastID, blockOfIDs = 2_000_000_000, 1<<31 - 1, 1024
)

// box is how bots are isolated.
type box struct {
	way
	landlock int    // the version of Landlock; 0: none
	self     string // the program that is executed to be an init
	lock     *os.File
	noNet    *os.File       // an empty network namespace; nil: each bot gets one of its own
	tempSize int64          // bytes of a bot's temporary folder
	ids      chan uint32    // the user ids that no bot has
	control  *cgroup.Groups // makes the control groups of bots; nil: they have none
}

// New makes a jail for bots with these limits. It runs a bot that tries to break
// out, to find out what this machine can isolate. An error is a failure of the
// runner.
func New(ctx context.Context, l Limits) (*Jail, error) {
	return newJail(ctx, l, ways(), landlockVersion())
}

func newJail(ctx context.Context, l Limits, ways []way, landlock int) (*Jail, error) {
	base, lock, err := makeBase(os.TempDir())
	if err != nil {
		return nil, fmt.Errorf("cannot make the jail's folder: %w", err)
	}
	j := &Jail{
		limits: l, base: base,
		box: box{
			lock: lock, landlock: landlock, tempSize: l.TempSize(),
			ids: make(chan uint32, blockOfIDs),
		},
	}
	first := firstID + blockOfIDs*rand.Uint32N((lastID-firstID)/blockOfIDs)
	for n := range uint32(blockOfIDs) {
		j.ids <- first + n
	}
	err = j.layOut()
	if err == nil {
		// An init dies with the thread that starts it, and a thread of another jail may
		// end, see shareNetwork.
		runtime.LockOSThread()
		err = j.find(ctx, ways)
		runtime.UnlockOSThread()
	}
	if err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

// layOut makes the files and folders in the jail's own folder.
func (j *Jail) layOut() error {
	j.self = "/proc/self/exe"
	if _, err := os.Stat(j.self); err != nil {
		if j.self, err = os.Executable(); err != nil {
			return fmt.Errorf("cannot find the program itself: %w", err)
		}
	}
	if err := os.Chmod(j.base, 0o711); err != nil { // bots with user ids of their own pass through it
		return err
	}
	return os.Mkdir(j.root(), 0o700)
}

// root is the folder on which the bot's root is mounted, in the bot's namespace.
func (j *Jail) root() string { return filepath.Join(j.base, "root") }

// newestCall is the system call with the highest number that the list of refused
// calls was made for, on every architecture. It is that of Linux 7.2. A call of a
// newer kernel fails as if the kernel did not have it.
const newestCall = unix.SYS_RSEQ_SLICE_YIELD

// shareNetwork makes one network namespace for all bots, because making one takes
// as long as starting a program. Bots cannot reach each other in it: it has no
// address, and the filter of system calls keeps bots from adding one. If there is
// no filter, or if a bot could see the namespace of its init, each bot gets a
// namespace of its own.
func (j *Jail) shareNetwork() {
	if !j.mounts || !j.ownID || j.limits.Network || !filters() {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		if unix.Unshare(unix.CLONE_NEWNET) == nil {
			j.noNet, _ = os.Open("/proc/thread-self/ns/net") // else each bot gets its own
		}
	}()
	<-done
}

// Close removes what the jail keeps on disk. No bot may be running.
func (j *Jail) Close() error {
	if j.base == "" {
		return nil
	}
	if j.noNet != nil {
		j.noNet.Close()
	}
	err := os.RemoveAll(j.base)
	if j.control != nil {
		err = errors.Join(err, j.control.Close())
	}
	j.lock.Close() // last, because any runner removes a folder without a lock
	return err
}

// makeBase makes a folder for the jail, and locks it until the runner ends. It
// removes the folders of runners that were killed.
func makeBase(in string) (base string, lock *os.File, err error) {
	for {
		if base, err = os.MkdirTemp(in, baseName); err != nil {
			return "", nil, err
		}
		lock, err = lockFolder(base, unix.LOCK_EX)
		if errors.Is(err, fs.ErrNotExist) {
			continue // another runner took this one for dead and removed the folder
		}
		if err != nil {
			return "", nil, errors.Join(err, os.Remove(base))
		}
		break
	}
	old, err := filepath.Glob(filepath.Join(in, baseName+"*"))
	if err != nil {
		return base, lock, nil // the temporary folder's path is not a valid pattern, so old folders stay
	}
	for _, path := range old {
		stat, err := os.Lstat(path)
		if err != nil || path == base || !isBase(path) || !stat.IsDir() {
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

// baseName is how the names of the jails' folders begin. A number follows.
const baseName = "sembra-jail-"

// isBase reports whether a path has the name of the folder of a jail.
func isBase(path string) bool {
	number, named := strings.CutPrefix(filepath.Base(path), baseName)
	return named && strings.Trim(number, "0123456789") == ""
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

// versions returns the versions of the control groups that freeze bots and limit
// the memory of a family; 0: there is none.
func (j *Jail) versions() (freezes, limits int) {
	if j.control == nil {
		return 0, 0
	}
	return j.control.Freezes(), j.control.Limits()
}
