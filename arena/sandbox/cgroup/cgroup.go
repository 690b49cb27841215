// Package cgroup puts the processes of a bot into a control group of Linux, which
// freezes all of them at once and limits the sum of their memory.
//
// The package uses what the user may write to. That is version 2 of control
// groups where a part of the tree is delegated to the user, and version 1 where
// the user is root. Some machines have both: version 2 freezes there, and version
// 1 limits memory.
package cgroup

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
	"sync"
	"time"
)

// Groups makes the groups of the bots of one run. It is safe for concurrent use.
type Groups struct {
	system
	unified       string // the folder of version 2 in which groups are made; "": none
	unifiedMemory bool   // the groups there can limit memory
	freezer       string // that of version 1's freezer, if unified is ""
	memory        string // that of version 1's memory, unless unifiedMemory
	limit         int64
	prefix        string // the names of this run's groups begin with it

	mu   sync.Mutex // guards the fields below
	made []*Group
	free []*Group // those that no bot has; some processes may not be gone yet
}

// Group is the group of one bot at a time.
type Group struct {
	unified, freezer, memory string   // folders, or ""
	state                    *os.File // freezes and thaws
	killed                   int      // how many processes the kernel had killed for their memory before the bot began
}

// system is where a machine's files begin. In tests it is a folder that imitates a
// machine.
type system struct {
	root         string
	mkdir, rmdir func(path string) error
	run          string // tells the runs of this process apart
}

// Machine returns the groups that this process can make, whose memory is limited
// to that many bytes; 0 is no limit. It uses version 2 only if newest allows it. It
// removes the empty groups of runs that were killed. The error says why there are
// no groups at all.
func Machine(memory int64, newest int) (*Groups, error) {
	mkdir := func(path string) error { return os.Mkdir(path, 0o755) }
	run := strconv.FormatUint(uint64(rand.Uint32()), 36)
	return find(system{mkdir: mkdir, rmdir: os.Remove, run: run}, memory, newest)
}

func find(s system, memory int64, newest int) (*Groups, error) {
	g := &Groups{system: s, limit: memory}
	mounts, err := os.ReadFile(s.root + "/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	own, err := os.ReadFile(s.root + "/proc/self/cgroup")
	if err != nil {
		return nil, err
	}
	if g.prefix, err = s.prefix(); err != nil {
		return nil, err
	}
	why := errors.New("there are no control groups on this machine")
	for _, folder := range s.folders(string(mounts), string(own), "") {
		if newest < 2 {
			break
		}
		if err := g.tryUnified(folder); err != nil {
			why = err
			continue
		}
		if g.unifiedMemory || memory <= 0 {
			break
		}
	}
	if folders := s.folders(string(mounts), string(own), "freezer"); g.unified == "" && len(folders) > 0 {
		if why = g.try(folders[0], "tasks", "freezer.state"); why == nil {
			g.freezer = folders[0]
		}
	}
	if folders := s.folders(string(mounts), string(own), "memory"); memory > 0 && !g.unifiedMemory && len(folders) > 0 {
		if err := g.try(folders[0], "tasks", "memory.limit_in_bytes"); err != nil {
			why = err
		} else {
			g.memory = folders[0]
		}
	}
	if g.unified == "" && g.freezer == "" && g.memory == "" {
		return nil, why
	}
	for _, folder := range []string{g.unified, g.freezer, g.memory} {
		if folder != "" {
			g.sweep(folder)
		}
	}
	return g, nil
}

// folders returns the folder of this process in the hierarchy of a controller of
// version 1, or in that of version 2 if the controller is "". Those above it
// follow, up to the mount point.
func (s system) folders(mounts, own, controller string) (folders []string) {
	at := ""
	for line := range strings.Lines(own) { // NUMBER:CONTROLLERS:PATH
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) == 3 && slices.Contains(strings.Split(parts[1], ","), controller) {
			at = parts[2]
		}
	}
	for line := range strings.Lines(mounts) { // ID PARENT DEVICE ROOT POINT … - TYPE SOURCE OPTIONS
		before, after, _ := strings.Cut(line, " - ")
		place, kind := strings.Fields(before), strings.Fields(after)
		const root, point = 3, 4
		if at == "" || len(place) <= point || len(kind) < 3 {
			continue
		}
		if controller == "" && kind[0] != "cgroup2" || controller != "" && kind[0] != "cgroup" ||
			controller != "" && !slices.Contains(strings.Split(kind[2], ","), controller) {
			continue
		}
		top := s.root + place[point]
		// In a container, the path may lie outside of what is mounted.
		below, err := filepath.Rel(place[root], at)
		if err != nil || below == ".." || strings.HasPrefix(below, "../") {
			return []string{top}
		}
		folder := filepath.Join(top, below)
		for ; folder != top; folder = filepath.Dir(folder) {
			folders = append(folders, folder)
		}
		return append(folders, top)
	}
	return nil
}

// tryUnified takes a folder of version 2 if groups in it can do more than those
// in the folder that was taken before.
func (g *Groups) tryUnified(folder string) error {
	if err := g.try(folder, "cgroup.procs", "cgroup.freeze"); err != nil {
		return err
	}
	if g.unified == "" {
		g.unified = folder
	}
	if g.limit <= 0 {
		return nil
	}
	err := g.try(folder, "memory.max")
	if err != nil { // the controller may be delegated, but not enabled; a folder with processes refuses it
		if err = write(filepath.Join(folder, "cgroup.subtree_control"), "+memory"); err == nil {
			err = g.try(folder, "memory.max")
		}
	}
	if err == nil {
		g.unified, g.unifiedMemory = folder, true
	}
	return nil
}

// try finds out whether a group in a folder would have these files, and whether
// this process may write to them, and move processes from the folder.
func (g *Groups) try(folder string, files ...string) error {
	path := filepath.Join(folder, g.prefix+"try")
	if err := g.mkdir(path); err != nil {
		return plain(err)
	}
	defer func() { _ = g.rmdir(path) }() // the next run removes it
	paths := []string{filepath.Join(folder, "cgroup.procs")}
	for _, file := range files {
		paths = append(paths, filepath.Join(path, file))
	}
	for _, file := range paths {
		f, err := os.OpenFile(file, os.O_WRONLY, 0)
		if err != nil {
			return plain(err)
		}
		f.Close()
	}
	return nil
}

// plain returns the error without a path, which differs from run to run.
func plain(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return fmt.Errorf("no control group can be made: %w", at.Err)
	}
	return err
}

// The names of groups tell whose they are: sembra-NAMESPACE-PROCESS-START-RUN-NUMBER,
// with the namespace of the process's number and the time of its start.
const name = "sembra-"

func (s system) prefix() (string, error) {
	space, err := os.Readlink(s.root + "/proc/self/ns/pid")
	if err != nil {
		return "", err
	}
	pid, err := os.Readlink(s.root + "/proc/self")
	if err != nil {
		return "", err
	}
	begun, err := s.begun(pid)
	if err != nil {
		return "", err
	}
	return name + strings.Trim(space, "pid:[]") + "-" + pid + "-" + begun + "-" + s.run + "-", nil
}

// begun returns when a process was started, in the kernel's ticks.
func (s system) begun(pid string) (string, error) {
	stat, err := os.ReadFile(s.root + "/proc/" + pid + "/stat")
	if err != nil {
		return "", err
	}
	text := string(stat)
	after := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	const start = 19 // of the fields after the name
	if len(after) <= start {
		return "", fmt.Errorf("/proc/%s/stat says %q", pid, text)
	}
	return after[start], nil
}

// sweep removes the groups that runs left behind in a folder and in those beside
// it. Only a run that was killed does so.
func (g *Groups) sweep(folder string) {
	own := strings.SplitN(strings.TrimPrefix(g.prefix, name), "-", 2)[0]
	var left []string
	for _, pattern := range []string{filepath.Join(folder, name+"*"), filepath.Join(filepath.Dir(folder), "*", name+"*")} {
		paths, _ := filepath.Glob(pattern) // the pattern may be malformed by the name of a folder: then they stay
		for _, path := range paths {
			parts := strings.Split(strings.TrimPrefix(filepath.Base(path), name), "-")
			const space, pid, start = 0, 1, 2
			if len(parts) <= start || parts[space] != own {
				continue
			}
			if begun, err := g.begun(parts[pid]); err == nil && begun == parts[start] {
				continue
			}
			_ = write(filepath.Join(path, "freezer.state"), Thawed) // in version 1, what is frozen does not die
			left = append(left, path)
		}
	}
	for _, path := range left {
		_ = g.remove(path) // the next run tries again
	}
}

// Freezes reports which version of control groups freezes bots; 0: none.
func (g *Groups) Freezes() int { return version(g.unified != "", g.freezer != "") }

// Limits reports which version of control groups limits memory; 0: none.
func (g *Groups) Limits() int { return version(g.unifiedMemory, g.memory != "") }

func version(two, one bool) int {
	switch {
	case two:
		return 2
	case one:
		return 1
	}
	return 0
}

// Take returns a group without processes, which is not frozen.
func (g *Groups) Take() (*Group, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var one *Group
	if n := slices.IndexFunc(g.free, (*Group).empty); n >= 0 {
		one = g.free[n]
		g.free = slices.Delete(g.free, n, n+1)
	} else {
		var err error
		if one, err = g.create(g.prefix + strconv.Itoa(len(g.made))); err != nil {
			return nil, errors.Join(err, g.end(one))
		}
		g.made = append(g.made, one)
	}
	var err error
	if one.killed, err = one.kills(); err != nil {
		g.free = append(g.free, one)
		return nil, err
	}
	return one, nil
}

// create makes a group. After an error the group holds what was made.
func (g *Groups) create(name string) (*Group, error) {
	one := new(Group)
	for _, part := range []struct {
		in string
		at *string
	}{{g.unified, &one.unified}, {g.freezer, &one.freezer}, {g.memory, &one.memory}} {
		if part.in == "" {
			continue
		}
		path := filepath.Join(part.in, name)
		if err := g.mkdir(path); err != nil {
			return one, err
		}
		*part.at = path
	}
	limit := strconv.FormatInt(g.limit, 10)
	var err error
	switch {
	case g.unifiedMemory:
		err = write(filepath.Join(one.unified, "memory.max"), limit)
		_ = write(filepath.Join(one.unified, "memory.swap.max"), "0")  // only kernels with swap have it
		_ = write(filepath.Join(one.unified, "memory.oom.group"), "1") // else the kernel kills only one process
	case one.memory != "":
		err = write(filepath.Join(one.memory, "memory.limit_in_bytes"), limit)
		_ = write(filepath.Join(one.memory, "memory.memsw.limit_in_bytes"), limit) // only some kernels have it
	}
	if err == nil && one.unified != "" {
		one.state, err = os.OpenFile(filepath.Join(one.unified, "cgroup.freeze"), os.O_WRONLY, 0)
	}
	if err == nil && one.freezer != "" {
		one.state, err = os.OpenFile(one.Thaws(), os.O_WRONLY, 0)
	}
	return one, err
}

// Folder returns the folder of version 2, into which a process can be born; "" if
// there is none.
func (one *Group) Folder() string { return one.unified }

// Tasks returns the files of version 1. A thread that writes 0 to each of them
// moves itself into the group, and its children are born there.
func (one *Group) Tasks() (paths []string) {
	for _, folder := range []string{one.freezer, one.memory} {
		if folder != "" {
			paths = append(paths, filepath.Join(folder, "tasks"))
		}
	}
	return paths
}

// Thaws returns the file of version 1's freezer, to which Thawed is to be written
// after this process was killed: in version 1, what is frozen does not die. It
// returns "" if the group needs no such care.
func (one *Group) Thaws() string {
	if one.freezer == "" {
		return ""
	}
	return filepath.Join(one.freezer, "freezer.state")
}

// Thawed thaws a group of version 1.
const Thawed = "THAWED"

const frozen = "FROZEN"

// Freezes reports whether the group can be frozen.
func (one *Group) Freezes() bool { return one.state != nil }

// Freeze stops all processes of the group until Thaw, and all that they start. It
// does not wait until they have stopped, which takes a moment.
func (one *Group) Freeze() error { return one.set("1", frozen) }

// Thaw lets the processes go on.
func (one *Group) Thaw() error { return one.set("0", Thawed) }

func (one *Group) set(unified, freezer string) error {
	text := unified
	if one.freezer != "" {
		text = freezer
	}
	_, err := one.state.WriteAt([]byte(text), 0)
	return err
}

// Frozen reports whether all processes of the group have stopped.
func (one *Group) Frozen() bool {
	if one.freezer != "" {
		text, err := os.ReadFile(one.Thaws())
		return err == nil && strings.TrimSpace(string(text)) == frozen
	}
	is, _ := number(filepath.Join(one.unified, "cgroup.events"), "frozen")
	return is == 1
}

// Used returns the memory of the group in bytes.
func (one *Group) Used() (int, error) {
	path := filepath.Join(one.unified, "memory.current")
	if one.memory != "" {
		path = filepath.Join(one.memory, "memory.usage_in_bytes")
	}
	text, err := os.ReadFile(path)
	n, _ := strconv.Atoi(strings.TrimSpace(string(text))) // the kernel writes a number
	return n, err
}

// Exceeded reports whether the kernel has killed a process of this bot because the
// group had no memory left.
func (one *Group) Exceeded() bool {
	now, _ := one.kills()
	return now > one.killed
}

// kills returns how many processes the kernel has killed for the memory of the group.
func (one *Group) kills() (int, error) {
	if one.memory != "" {
		return number(filepath.Join(one.memory, "memory.oom_control"), "oom_kill")
	}
	return number(filepath.Join(one.unified, "memory.events"), "oom_kill")
}

// number returns the number after a word at the start of a line of a file. It returns
// 0 if there is no such line, or no such file.
func number(path, word string) (int, error) {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, word+" "); ok {
			n, _ := strconv.Atoi(strings.TrimSpace(rest)) // the kernel writes a number
			return n, nil
		}
	}
	return 0, nil
}

// Give takes back a group whose bot has ended. The group is used again as soon as
// it is empty, because the kernel is slow to forget one whose memory was limited,
// and a machine can have 65,535 of those.
func (g *Groups) Give(one *Group) {
	if one.Freezes() {
		_ = one.Thaw() // if that fails, Close finds the group in use
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.free = append(g.free, one)
}

// empty reports whether the group has no processes.
func (one *Group) empty() bool {
	for _, folder := range []string{one.unified, one.freezer, one.memory} {
		if folder == "" {
			continue
		}
		if text, err := os.ReadFile(filepath.Join(folder, "cgroup.procs")); err != nil || len(text) > 0 {
			return false
		}
	}
	return true
}

// Close removes all groups. No bot may be running. The next run removes what is
// left.
func (g *Groups) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	var failed []error
	for _, one := range g.made {
		failed = append(failed, g.end(one))
	}
	g.made, g.free = nil, nil
	return errors.Join(failed...)
}

// end removes a group.
func (g *Groups) end(one *Group) error {
	if one.state != nil {
		one.state.Close()
	}
	var failed []error
	for _, folder := range []string{one.unified, one.freezer, one.memory} {
		if folder != "" {
			failed = append(failed, g.remove(folder))
		}
	}
	return errors.Join(failed...)
}

// remove removes a group. A process that was just waited for may still be in it
// for a moment.
func (s system) remove(folder string) (err error) {
	for pause := time.Millisecond; pause < time.Second; pause *= 2 {
		if err = s.rmdir(folder); err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		time.Sleep(pause)
	}
	return err
}

// write writes to a file that exists.
func write(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}
