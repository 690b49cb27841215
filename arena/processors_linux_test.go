package arena

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"sembra/arena/sandbox"
)

// twoProcessors returns two processors of this program.
func twoProcessors(t *testing.T) []int {
	t.Helper()
	all := AllowedProcessors()
	if len(all) < 2 {
		t.Skip("this program may use one processor only")
	}
	return all[:2]
}

// TestClaims: two runs take different processors, and a run that was killed has
// none.
func TestClaims(t *testing.T) {
	t.Parallel()
	prefix := fmt.Sprintf("@sembra-test-%d-", os.Getpid())
	run := func() *pinning {
		return &pinning{auto: true, share: 1, allowed: []int{0, 1}, claim: func(n int) (func(), bool) {
			return claimName(fmt.Sprint(prefix, n))
		}}
	}
	now := time.Now()
	seat := func(at *pinning) []int {
		_, players := pair()
		at.begin(players, now)
		return at.on
	}
	first, second, third := run(), run(), run()
	if got := [][]int{seat(first), seat(second), seat(third)}; fmt.Sprint(got) != "[[0] [1] []]" {
		t.Errorf("three runs have the processors %v", got)
	}
	first.leave()
	if seat(third); len(third.on) > 0 {
		t.Errorf("a run tries again at once and has %v", third.on)
	}
	now = now.Add(tryAgain)
	if seat(third); !slices.Equal(third.on, []int{0}) {
		t.Errorf("when a run has ended, another one has %v", third.on)
	}
	third.leave()

	n := NewSpawner(nil)
	defer n.Close()
	entry := &Entry{Name: "a", Launcher: inFolder(t, "claims a name", claimVariable+"="+prefix+"0")}
	killed, err := startPlayer(t.Context(), entry, "", time.Minute, n, session{})
	if err != nil {
		t.Fatal(err)
	}
	at := run()
	if seat(at); !slices.Equal(at.on, nil) {
		t.Errorf("beside a run in another process there is %v", at.on)
	}
	killed.bot.Stop(0)
	now = now.Add(tryAgain)
	if seat(at); !slices.Equal(at.on, []int{0}) {
		t.Errorf("when a run was killed, another one has %v", at.on)
	}
	at.leave()
	second.leave()
}

// TestBound: all processes of a bot run on the processors of its table, also after
// they were in the pool. In the jail a bot cannot change that.
func TestBound(t *testing.T) {
	t.Parallel()
	two := twoProcessors(t)
	for _, mode := range []IsolationMode{NoIsolation, AutoIsolation} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			in := isolation()
			in.Mode = mode
			prison, _, err := in.jail(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if prison != nil {
				defer prison.Close()
			}
			n := NewSpawner(prison)
			defer n.Close()
			idle := newPool(n, newFreezer(NeverPause))
			defer idle.close()
			mark := t.TempDir()
			entry := &Entry{Name: "a", Launcher: inFolder(t, "leaves a child", testMarkVariable+"="+mark)}
			p, err := startPlayer(t.Context(), entry, "", time.Minute, n, session{})
			if err != nil {
				t.Fatal(err)
			}
			seeBound(t, mark, AllowedProcessors())
			for _, processor := range two {
				at := &pinning{share: 1, allowed: []int{processor}, claim: make(claims).claim}
				at.begin([2]*player{p}, time.Now())
				seeBound(t, mark, []int{processor})
				idle.put(p)
				if p = idle.take("a"); p == nil {
					t.Fatal("the pool has not kept the bot")
				}
			}
			p.bot.Stop(0)
			nobodyLeft(t, mark)
		})
	}
}

// seeBound sees that both processes with a mark may run on those processors.
func seeBound(t *testing.T, mark string, want []int) {
	t.Helper()
	var pids []int
	for range 6000 { // a process that has only just begun may not be seen yet
		if pids = alive(t, mark); len(pids) == 2 {
			break
		}
		time.Sleep(10 * ms)
	}
	if len(pids) != 2 {
		t.Errorf("there are %d processes, want 2", len(pids))
	}
	for _, pid := range pids {
		tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
		if err != nil {
			t.Error(err)
		}
		for _, task := range tasks {
			var set unix.CPUSet
			var thread int
			if _, err := fmt.Sscan(filepath.Base(task), &thread); err != nil {
				t.Error(err)
			}
			if err := unix.SchedGetaffinity(thread, &set); err != nil {
				continue // it has ended
			}
			if got := listOf(set); !slices.Equal(got, want) {
				t.Errorf("thread %d of process %d runs on %v, want %v", thread, pid, got, want)
			}
		}
	}
}

func listOf(set unix.CPUSet) (all []int) {
	for n := 0; len(all) < set.Count(); n++ {
		if set.IsSet(n) {
			all = append(all, n)
		}
	}
	return all
}

// TestThreadsOfABot: the runner sees whether the threads of a bot wait for a
// processor. Those of two processes that both work have to share one.
func TestThreadsOfABot(t *testing.T) {
	t.Parallel()
	two := twoProcessors(t)
	j, err := sandbox.New(t.Context(), isolation().Limits)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	n := NewSpawner(j)
	defer n.Close()
	mark := t.TempDir()
	var players [2]*player
	for i := range players {
		entry := &Entry{Name: "a", Launcher: inFolder(t, "ponders elsewhere", testMarkVariable+"="+mark)}
		if players[i], err = startPlayer(t.Context(), entry, "", time.Minute, n, session{}); err != nil {
			t.Fatal(err)
		}
		defer players[i].bot.Stop(0)
		players[i].bot.Bind(two[:1])
	}
	for _, p := range players {
		sum := func() (all sandbox.Thread) {
			for _, thread := range p.bot.Threads() {
				all.Ran, all.Waited, all.Turns = all.Ran+thread.Ran, all.Waited+thread.Waited, all.Turns+thread.Turns
			}
			return all
		}
		for had := sum(); had.Ran <= 20*ms || had.Waited <= 20*ms || had.Turns <= 1; had = sum() {
			time.Sleep(ms) // for as long as the test may last
		}
		p.bot.Pause()
		for before := sum(); ; before = sum() {
			time.Sleep(20 * ms)
			if sum().Ran == before.Ran {
				break
			}
		}
	}
}

// unbind tries all ways in which a thread changes where and how it runs. It
// returns nil if one of them works.
func unbind() error {
	var all unix.CPUSet
	for n := range 64 {
		all.Set(n)
	}
	attr := &unix.SchedAttr{Size: unix.SizeofSchedAttr, Runtime: 1_000_000}
	var param int32
	_, _, scheduler := unix.Syscall(unix.SYS_SCHED_SETSCHEDULER, 0, unix.SCHED_BATCH, uintptr(unsafe.Pointer(&param)))
	_, _, parameter := unix.Syscall(unix.SYS_SCHED_SETPARAM, 0, uintptr(unsafe.Pointer(&param)), 0)
	for _, err := range []error{unix.SchedSetaffinity(0, &all), unix.SchedSetAttr(0, attr, 0), scheduler, parameter} {
		if err == nil || err == unix.Errno(0) {
			return nil
		}
	}
	return unix.EPERM
}
