package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// groups makes control groups of Linux, version 2, one for each bot: a group stops
// all processes of the bot at once, knows their processor time and, where this user
// may do that, limits the sum of their memory.
type groups struct {
	folder string
	memory int64 // bytes that the processes of a group may hold; 0: no limit
}

// group is the control group of one bot.
type group struct {
	path    string
	folder  *os.File // locked while the group is in use; a process can be born into it
	freezer *os.File
	clock   *os.File
}

// groupName is how the names of groups begin. A number follows.
const groupName = "sembra-"

// findGroups finds a folder in which this process may make groups: its own one or one
// above it, and if it can one whose groups limit memory. It removes what runs left that
// were killed. An error says why there are no groups.
func findGroups(memory int64) (*groups, error) {
	folders, err := groupFolders()
	if err != nil {
		return nil, err
	}
	why := errors.New("there are no control groups of version 2 on this machine")
	var found *groups
	for _, limit := range []int64{memory, 0} {
		for _, folder := range folders {
			g := &groups{folder: folder, memory: limit}
			if found != nil {
				continue
			}
			if why = g.try(); why == nil {
				found = g
			}
		}
	}
	if found == nil {
		if at := new(fs.PathError); errors.As(why, &at) { // the path differs from run to run
			why = fmt.Errorf("no control group can be made: %w", at.Err)
		}
		return nil, why
	}
	left, _ := filepath.Glob(filepath.Join(found.folder, groupName+"*")) // a malformed pattern finds nothing
	for _, path := range left {
		if lock, err := lockFolder(path, unix.LOCK_EX|unix.LOCK_NB); err == nil {
			_ = os.Remove(path) // it fails while a process is in it; the next run tries again
			lock.Close()
		}
	}
	return found, nil
}

// groupFolders returns the folder of this process's group of version 2, and those
// above it.
func groupFolders() (folders []string, err error) {
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil, err
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	at := ""
	for line := range strings.Lines(string(own)) {
		if path, ok := strings.CutPrefix(line, "0::"); ok {
			at = strings.TrimSpace(path)
		}
	}
	for line := range strings.Lines(string(mounts)) { // ID PARENT DEVICE ROOT POINT … - TYPE SOURCE OPTIONS
		before, after, _ := strings.Cut(line, " - ")
		place := strings.Fields(before)
		const root, point = 3, 4
		if at == "" || len(place) <= point || !strings.HasPrefix(after, "cgroup2 ") {
			continue
		}
		top := place[point]
		below, err := filepath.Rel(place[root], at)
		if err != nil || strings.HasPrefix(below, "..") { // a container's own group lies outside of what it sees
			below = "."
		}
		for folder := filepath.Join(top, below); folder != top; folder = filepath.Dir(folder) {
			folders = append(folders, folder)
		}
		return append(folders, top), nil
	}
	return nil, nil
}

// try makes a group, and checks that processes may be moved into it.
func (g *groups) try() error {
	procs, err := os.OpenFile(filepath.Join(g.folder, "cgroup.procs"), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	procs.Close()
	one, err := g.create()
	if one != nil {
		one.remove()
	}
	return err
}

// create makes a group. After an error there is none.
func (g *groups) create() (one *group, err error) {
	one = new(group)
	one.path, one.folder, err = newLocked(func() (string, error) {
		path := filepath.Join(g.folder, groupName+strconv.FormatUint(uint64(rand.Uint32()), 10))
		return path, os.Mkdir(path, 0o755)
	})
	if err != nil {
		return nil, err
	}
	one.freezer, err = os.OpenFile(filepath.Join(one.path, "cgroup.freeze"), os.O_WRONLY, 0)
	if err == nil {
		one.clock, err = os.Open(filepath.Join(one.path, "cpu.stat"))
	}
	if err == nil && g.memory > 0 {
		err = g.limit(one)
	}
	if err != nil {
		one.remove()
		return nil, err
	}
	return one, nil
}

// limit limits the memory of a group. The controller may have been delegated to this
// user, but not enabled.
func (g *groups) limit(one *group) error {
	limit := strconv.FormatInt(g.memory, 10)
	file := filepath.Join(one.path, "memory.max")
	err := overwrite(file, limit)
	if errors.Is(err, fs.ErrNotExist) {
		if err = overwrite(filepath.Join(g.folder, "cgroup.subtree_control"), "+memory"); err == nil {
			err = overwrite(file, limit)
		}
	}
	_ = overwrite(filepath.Join(one.path, "memory.swap.max"), "0")  // only kernels with swap have it
	_ = overwrite(filepath.Join(one.path, "memory.oom.group"), "1") // else the kernel kills only one process
	return err
}

// overwrite writes to a file that exists.
func overwrite(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}

// freeze stops all processes of the group, and all that they start, until it is called
// with false. It does not wait until they have stopped, which takes a moment. A frozen
// process can be killed.
func (one *group) freeze(stop bool) {
	text := map[bool]string{true: "1", false: "0"}[stop]
	_, _ = one.freezer.WriteAt([]byte(text), 0) // it fails when the group is gone, and the bot with it
}

// used returns the processor time of all processes that were ever in the group.
func (one *group) used() (time.Duration, bool) {
	var text [512]byte
	n, _ := one.clock.ReadAt(text[:], 0) // it ends with io.EOF
	words := strings.Fields(string(text[:n]))
	at := slices.Index(words, "usage_usec")
	if at < 0 || at+1 == len(words) {
		return 0, false // it is removed
	}
	micros, err := strconv.ParseInt(words[at+1], 10, 64)
	return time.Duration(micros) * time.Microsecond, err == nil
}

// exceeded reports whether the kernel has killed a process because the group had no
// memory left. The number of oom_kill alone also counts what it kills when the machine has none.
func (one *group) exceeded() bool {
	text, _ := os.ReadFile(filepath.Join(one.path, "memory.events")) // there is none without the controller
	words := strings.Fields(string(text))
	return !slices.ContainsFunc([]string{"oom", "oom_kill"}, func(event string) bool {
		at := slices.Index(words, event)
		return at < 0 || at+1 == len(words) || words[at+1] == "0"
	})
}

// remove removes the group. A process that was just waited for may still be in it for
// a moment. The next run removes what is left.
func (one *group) remove() {
	for pause := time.Millisecond; pause < time.Second; pause *= 2 {
		if err := os.Remove(one.path); err == nil || errors.Is(err, fs.ErrNotExist) {
			break
		}
		time.Sleep(pause)
	}
	for _, f := range []*os.File{one.folder, one.freezer, one.clock} {
		f.Close() // it fails for nil
	}
}
