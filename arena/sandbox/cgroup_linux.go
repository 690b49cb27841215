package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"sembra/arena/sandbox/procfs"
)

// groups makes control groups of Linux, version 2, one for each bot: a group stops
// all processes of the bot together, knows their CPU time and, where this user
// may do that, limits the sum of their memory.
type groups struct {
	folder *os.File      // of the group that holds them, which has no process of its own
	memory int64         // bytes that the processes of a group may usually hold; 0: groups do not limit memory
	made   atomic.Uint32 // how many there were
}

// groupsName begins the name of their folder.
const groupsName = "sembra-"

// group is the control group of one bot.
type group struct {
	path    string
	folder  *os.File // a process can be born into it
	freezer *os.File
	clock   *os.File
}

// findGroups makes groups in a folder in which this process may: in that of its own group
// or in one above it, and if it can in one whose groups limit memory. An error says why
// there are no groups.
func findGroups(memory int64) (*groups, error) {
	folders, err := groupFolders()
	if err != nil {
		return nil, err
	}
	why := errors.New("there are no control groups of version 2 on this machine")
	for _, limit := range slices.Compact([]int64{memory, 0}) {
		for _, folder := range folders {
			g := &groups{memory: limit}
			if why = g.makeIn(folder); why == nil {
				return g, nil
			}
		}
	}
	if at := new(fs.PathError); errors.As(why, &at) { // the path differs from run to run
		why = fmt.Errorf("no control group can be made: %w", at.Err)
	}
	return nil, why
}

// groupFolders returns the folder of this process's group of version 2, and those
// above it. Some of them are not there in a container.
func groupFolders() (folders []string, err error) {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil, err
	}
	for _, top := range []string{"/sys/fs/cgroup", "/sys/fs/cgroup/unified"} {
		var stat unix.Statfs_t
		if unix.Statfs(top, &stat) != nil || stat.Type != unix.CGROUP2_SUPER_MAGIC {
			continue
		}
		for line := range strings.Lines(string(text)) {
			own, ok := strings.CutPrefix(strings.TrimSpace(line), "0::")
			for ; ok && own != "/"; own = filepath.Dir(own) {
				folders = append(folders, filepath.Join(top, own))
			}
		}
		return append(folders, top), nil
	}
	return nil, nil
}

// makeIn makes the group that holds the others, and tries it out.
func (g *groups) makeIn(folder string) error {
	procs, err := os.OpenFile(filepath.Join(folder, "cgroup.procs"), os.O_WRONLY, 0) // else no process may move
	if err != nil {
		return err
	}
	procs.Close()
	if g.folder, err = MakeLockedFolder(folder, groupsName); err != nil {
		return err
	}
	if g.memory > 0 { // the controller may have been delegated to this user, but not enabled
		for _, at := range []string{folder, g.folder.Name()} {
			_ = overwrite(filepath.Join(at, "cgroup.subtree_control"), "+memory") // without, no group can be limited
		}
	}
	one, err := g.create(g.memory)
	if err == nil {
		one.remove()
		return nil
	}
	_ = os.RemoveAll(g.folder.Name()) // it is empty
	g.folder.Close()
	return err
}

// create makes a group whose processes may hold so many bytes, if groups limit memory. After an error there is none.
func (g *groups) create(memory int64) (*group, error) {
	one := &group{path: filepath.Join(g.folder.Name(), strconv.FormatUint(uint64(g.made.Add(1)), 10))}
	if err := os.Mkdir(one.path, 0o755); err != nil {
		return nil, err
	}
	if g.memory == 0 {
		memory = 0
	}
	if err := one.open(memory); err != nil {
		one.remove()
		return nil, err
	}
	return one, nil
}

// open opens the files of a new group, and limits its memory; 0: no limit.
func (one *group) open(memory int64) (err error) {
	if one.folder, err = os.Open(one.path); err != nil {
		return err
	}
	if one.freezer, err = os.OpenFile(filepath.Join(one.path, "cgroup.freeze"), os.O_WRONLY, 0); err != nil {
		return err
	}
	if one.clock, err = os.Open(filepath.Join(one.path, "cpu.stat")); err != nil || memory == 0 {
		return err
	}
	_ = overwrite(filepath.Join(one.path, "memory.swap.max"), "0")  // only kernels with swap have it
	_ = overwrite(filepath.Join(one.path, "memory.oom.group"), "1") // else the kernel kills only one process
	return overwrite(filepath.Join(one.path, "memory.max"), strconv.FormatInt(memory, 10))
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
	text := "0"
	if stop {
		text = "1"
	}
	_, _ = one.freezer.WriteAt([]byte(text), 0) // it fails when the group is gone, and the bot with it
}

// used returns the CPU time of all processes that were ever in the group.
func (one *group) used() (time.Duration, bool) {
	var text [512]byte
	n, _ := one.clock.ReadAt(text[:], 0)                     // it ends with io.EOF
	micros, ok := procfs.NumberAfter(text[:n], "usage_usec") // there is none when the group is removed
	return time.Duration(micros) * time.Microsecond, ok
}

// exceeded reports whether the kernel has killed a process because the group had no
// memory left. The number of oom_kill alone also counts what it kills when the machine has none.
func (one *group) exceeded() bool {
	text, _ := os.ReadFile(filepath.Join(one.path, "memory.events")) // there is none without the controller
	short, _ := procfs.NumberAfter(text, "oom")
	killed, _ := procfs.NumberAfter(text, "oom_kill")
	return short > 0 && killed > 0
}

// remove removes the group. A process that was just waited for may still be in it for
// a moment. Sandbox.Close removes what is left.
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
