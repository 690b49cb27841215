package cgroup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// fake is a folder that imitates a machine with control groups. The kernel gives a
// new group its files; here mkdir does.
type fake struct {
	t       *testing.T
	root    string
	refused []string // folders in which nobody may make groups
}

const (
	ownPID   = "4711"
	ownStart = "900"
	ownSpace = "4026531836"
)

// newFake makes a machine with these texts of /proc/self, and with this process as
// the only one.
func newFake(t *testing.T, mounts, own string) *fake {
	if runtime.GOOS == "windows" {
		t.Skip("paths have other separators, and only Linux has control groups")
	}
	f := &fake{t: t, root: t.TempDir()}
	f.put("proc/"+ownPID+"/mountinfo", mounts)
	f.put("proc/"+ownPID+"/cgroup", own)
	f.process(ownPID, ownStart)
	if err := errors.Join(
		os.Symlink(ownPID, filepath.Join(f.root, "proc/self")),
		os.Mkdir(filepath.Join(f.root, "proc/self/ns"), 0o755),
		os.Symlink("pid:["+ownSpace+"]", filepath.Join(f.root, "proc/self/ns/pid")),
	); err != nil {
		t.Fatal(err)
	}
	return f
}

// process adds a process that was started at this time.
func (f *fake) process(pid, start string) {
	f.put("proc/"+pid+"/stat", pid+" (a) b) S"+strings.Repeat(" 0", 18)+" "+start+" 0\n")
}

func (f *fake) put(path, text string) {
	f.t.Helper()
	path = filepath.Join(f.root, path)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fake) text(path string) string {
	text, err := os.ReadFile(filepath.Join(f.root, path))
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// folder2 makes a folder of version 2 that has these controllers. They are enabled
// for its groups, or can be if it has no processes, or neither.
func (f *fake) folder2(path, controllers, enabled string, processes bool) {
	f.put(path+"/cgroup.procs", "")
	f.put(path+"/cgroup.controllers", controllers)
	if !processes && controllers != "" {
		f.put(path+"/cgroup.subtree_control", enabled)
	}
}

func (f *fake) mkdir(path string) error {
	parent := filepath.Dir(path)
	inside, _ := filepath.Rel(f.root, parent)
	if slices.Contains(f.refused, inside) {
		return &fs.PathError{Op: "mkdir", Path: inside, Err: fs.ErrPermission}
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		return err
	}
	files := []string{"cgroup.procs", "cgroup.freeze", "cgroup.events"}
	enabled, err := os.ReadFile(filepath.Join(parent, "cgroup.subtree_control"))
	switch {
	case strings.Contains(parent, "/freezer"):
		files = []string{"cgroup.procs", "tasks", "freezer.state"}
	case strings.Contains(parent, "/memory"):
		files = []string{"cgroup.procs", "tasks", "memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.oom_control"}
	case err == nil && strings.Contains(string(enabled), "memory"):
		files = append(files, "memory.max", "memory.swap.max", "memory.oom.group", "memory.events")
	}
	for _, file := range files {
		if err := os.WriteFile(filepath.Join(path, file), nil, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// groups returns the groups in a folder.
func (f *fake) groups(folder string) (names []string) {
	paths, err := filepath.Glob(filepath.Join(f.root, folder, name+"*"))
	if err != nil {
		f.t.Fatal(err)
	}
	for _, path := range paths {
		names = append(names, filepath.Base(path))
	}
	return names
}

func (f *fake) find(memory int64) (*Groups, error) {
	return find(system{root: f.root, mkdir: f.mkdir, rmdir: os.RemoveAll, run: "z"}, memory, 2)
}

// From proc_pid_mountinfo(5) and cgroups(7), on a machine with systemd, on one with
// both versions, and on one with version 1 alone.
const (
	mounts2    = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
	mountsBoth = "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n" +
		"35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n" +
		"37 31 0:34 / /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer\n" +
		"41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
	ownBoth = "6:freezer:/\n4:memory:/jobs/7\n1:name=systemd:/\n0::/\n"
)

// TestFind sees in which folders groups are made, and what they can do.
func TestFind(t *testing.T) {
	t.Parallel()
	const (
		user = "sys/fs/cgroup/user.slice/user@1000.service"
		app  = user + "/app.slice"
		own  = app + "/term.scope"
		path = "0::/user.slice/user@1000.service/app.slice/term.scope\n"
	)
	for name, test := range map[string]struct {
		mounts, own             string
		make                    func(f *fake)
		freezes, limits         int
		unified, frozen, memory string
		failed                  string
	}{
		"a desktop session of systemd": {
			mounts: mounts2, own: path, freezes: 2, limits: 2, unified: app,
			make: func(f *fake) {
				f.folder2(own, "memory pids", "", true)
				f.folder2(app, "memory pids", "memory pids", false)
				f.folder2(user, "memory pids", "memory pids", false)
			},
		},
		"a delegated folder in which nobody has enabled a controller": {
			mounts: mounts2, own: path, freezes: 2, limits: 2, unified: app,
			make: func(f *fake) {
				f.folder2(own, "", "", true)
				f.folder2(app, "memory pids", "", false)
			},
		},
		"a session that is not delegated": {
			mounts: mounts2, own: path, failed: "permission denied",
			make: func(f *fake) {
				f.refused = []string{own, app, user, filepath.Dir(user), "sys/fs/cgroup"}
				for _, folder := range f.refused {
					f.folder2(folder, "memory pids", "memory pids", false)
				}
			},
		},
		"a container that may write to its own part": {
			mounts: "30 23 0:26 /../.. /sys/fs/cgroup rw - cgroup2 cgroup rw\n", own: "0::/\n",
			freezes: 2, unified: "sys/fs/cgroup",
			make: func(f *fake) { f.folder2("sys/fs/cgroup", "memory", "", true) },
		},
		"both versions": {
			mounts: mountsBoth, own: ownBoth, freezes: 2, limits: 1,
			unified: "sys/fs/cgroup/unified", memory: "sys/fs/cgroup/memory/jobs/7",
			make: func(f *fake) {
				f.folder2("sys/fs/cgroup/unified", "", "", false)
				f.put("sys/fs/cgroup/memory/jobs/7/cgroup.procs", "")
				f.put("sys/fs/cgroup/freezer/cgroup.procs", "")
			},
		},
		"version 1": {
			mounts: mountsBoth, own: ownBoth, freezes: 1, limits: 1,
			frozen: "sys/fs/cgroup/freezer", memory: "sys/fs/cgroup/memory/jobs/7",
			make: func(f *fake) {
				f.put("sys/fs/cgroup/memory/jobs/7/cgroup.procs", "")
				f.put("sys/fs/cgroup/freezer/cgroup.procs", "")
			},
		},
		"none": {mounts: "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n", own: "0::/\n", failed: "there are no control groups"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFake(t, test.mounts, test.own)
			if test.make != nil {
				test.make(f)
			}
			g, err := f.find(1 << 30)
			if test.failed != "" {
				if err == nil || !strings.Contains(err.Error(), test.failed) {
					t.Errorf("%v, want %s", err, test.failed)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if g.Freezes() != test.freezes || g.Limits() != test.limits {
				t.Errorf("freezes %d, limits %d, want %d and %d", g.Freezes(), g.Limits(), test.freezes, test.limits)
			}
			for got, want := range map[string]string{g.unified: test.unified, g.freezer: test.frozen, g.memory: test.memory} {
				if want != "" {
					want = filepath.Join(f.root, want)
				}
				if got != want {
					t.Errorf("groups are made in %q, want %q", got, want)
				}
			}
			one, err := g.Take()
			if err != nil {
				t.Fatal(err)
			}
			group := firstGroup()
			for _, folder := range []string{test.unified, test.frozen, test.memory} {
				if folder != "" && !slices.Equal(f.groups(folder), []string{group}) {
					t.Errorf("groups %v in %s", f.groups(folder), folder)
				}
			}
			if err := one.Freeze(); err != nil {
				t.Error(err)
			}
			want := map[string]string{}
			if test.unified != "" {
				want[test.unified+"/"+group+"/cgroup.freeze"] = "1"
			}
			if test.limits == 2 {
				want[test.unified+"/"+group+"/memory.max"] = strconv.Itoa(1 << 30)
				want[test.unified+"/"+group+"/memory.swap.max"] = "0"
				want[test.unified+"/"+group+"/memory.oom.group"] = "1"
			}
			if test.frozen != "" {
				want[test.frozen+"/"+group+"/freezer.state"] = "FROZEN"
			}
			if test.memory != "" {
				want[test.memory+"/"+group+"/memory.limit_in_bytes"] = strconv.Itoa(1 << 30)
				want[test.memory+"/"+group+"/memory.memsw.limit_in_bytes"] = strconv.Itoa(1 << 30)
			}
			for path, text := range want {
				if got := f.text(path); got != text {
					t.Errorf("%s: %q, want %q", path, got, text)
				}
			}
			if err := g.Close(); err != nil {
				t.Error(err)
			}
			for _, folder := range []string{test.unified, test.frozen, test.memory} {
				if left := f.groups(folder); folder != "" && len(left) > 0 {
					t.Errorf("groups %v are left in %s", left, folder)
				}
			}
		})
	}
}

// firstGroup is the name of the first group.
func firstGroup() string { return name + ownSpace + "-" + ownPID + "-" + ownStart + "-z-0" }

// TestUse: a group is thawed when its bot has ended, and used again. It tells a
// kill for memory only of the bot that has it.
func TestUse(t *testing.T) {
	t.Parallel()
	f := newFake(t, mounts2, "0::/\n")
	f.folder2("sys/fs/cgroup", "memory", "memory", false)
	g, err := f.find(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	first, err := g.Take()
	if err != nil {
		t.Fatal(err)
	}
	path := "sys/fs/cgroup/" + firstGroup()
	if first.Frozen() || first.Exceeded() || first.Folder() == "" || first.Thaws() != "" || len(first.Tasks()) > 0 {
		t.Error("a new group is not as it should be")
	}
	f.put(path+"/cgroup.events", "populated 1\nfrozen 1\n")
	f.put(path+"/memory.events", "max 9\noom 3\noom_kill 2\n")
	if !first.Frozen() || !first.Exceeded() {
		t.Error("what the kernel says of the group is not seen")
	}
	if err := first.Freeze(); err != nil {
		t.Fatal(err)
	}
	g.Give(first)
	if state := f.text(path + "/cgroup.freeze"); state != "0" {
		t.Errorf("cgroup.freeze holds %q after the bot's end", state)
	}
	again, err := g.Take()
	if err != nil || again != first || again.Exceeded() {
		t.Errorf("%v; the same group: %v; exceeded: %v", err, again == first, again.Exceeded())
	}
	f.put(path+"/cgroup.procs", "12\n") // a process that does not die
	g.Give(again)
	if other, err := g.Take(); err != nil || other == first {
		t.Errorf("%v; the group of a process that lives is used again: %v", err, other == first)
	}
	f.put(path+"/cgroup.procs", "") // it has died now
	if other, err := g.Take(); err != nil || other != first {
		t.Errorf("%v; the group of a process that has died is used again: %v", err, other == first)
	}
}

// TestSweep: a run removes the groups of runs that are dead, also those in folders
// beside its own. It keeps those of the living and of other namespaces.
func TestSweep(t *testing.T) {
	t.Parallel()
	f := newFake(t, mountsBoth, ownBoth)
	const folder, beside = "sys/fs/cgroup/memory/jobs/7", "sys/fs/cgroup/memory/jobs/6"
	f.put(folder+"/cgroup.procs", "")
	f.put("sys/fs/cgroup/freezer/cgroup.procs", "")
	f.process("20", "500")
	for _, group := range []string{"-20-500-0", "-20-499-0", "-21-500-3"} {
		f.put(folder+"/"+name+ownSpace+group+"/tasks", "")
		f.put(beside+"/"+name+ownSpace+group+"/tasks", "")
	}
	f.put(folder+"/"+name+"1-21-500-0/tasks", "")
	f.put(folder+"/"+name+"notes/tasks", "")
	if _, err := f.find(1 << 20); err != nil {
		t.Fatal(err)
	}
	want := []string{name + "1-21-500-0", name + ownSpace + "-20-500-0", name + "notes"}
	if got := f.groups(folder); !slices.Equal(got, want) {
		t.Errorf("groups %v, want %v", got, want)
	}
	if got := f.groups(beside); !slices.Equal(got, want[1:2]) {
		t.Errorf("groups %v beside, want %v", got, want[1:2])
	}
}
