package arena

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sembra/arena/guest"
	"sembra/results"
)

// twoProcessors returns two processors of this program.
func twoProcessors(t *testing.T) []int {
	t.Helper()
	all := guest.AllowedProcessors()
	if len(all) < 2 {
		t.Skip("this program may use one processor only")
	}
	return all[:2]
}

// TestBound: all processes of a bot run on the processors to which it is bound, also
// after they were in the pool. In the sandbox a bot cannot change that.
func TestBound(t *testing.T) {
	t.Parallel()
	two := twoProcessors(t)
	for _, mode := range []string{NoIsolation, AutoIsolation} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			n, _, err := Isolate(t.Context(), isolation(mode), nil)
			must(t, err)
			defer n.Close()
			idle := guest.NewPool(n)
			defer idle.Close()
			mark := t.TempDir()
			entry := &guest.Entry{Name: "a", Launcher: inFolder(t, "leaves a child", testMarkVariable+"="+mark)}
			p := must2(guest.Start(t.Context(), entry, "", time.Minute, n, guest.Session{}))
			seeBound(t, mark, guest.AllowedProcessors())
			for _, processor := range two {
				p.Bot.Bind([]int{processor})
				seeBound(t, mark, []int{processor})
				idle.Put(p)
				if p = idle.Take("a"); p == nil {
					t.Fatal("the pool has not kept the bot")
				}
			}
			p.Bot.Stop(0)
			nobodyLeft(t, mark)
		})
	}
}

// TestBoundFromTheStart: a bot counts the processors of its match alone, in all matches.
func TestBoundFromTheStart(t *testing.T) {
	t.Parallel()
	twoProcessors(t)
	for _, mode := range []string{NoIsolation, AutoIsolation} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			tour := tournament(t, 1, unclocked(), inFolder(t, "first"), inFolder(t, "counts its processors"))
			tour.Isolation, tour.Processors = isolation(mode), 1
			kept := new(log)
			h := must2(tour.Open(t.Context(), func(IsolationFound) error { return nil }))
			defer h.Close()
			if h.BindError() != nil {
				t.Skip(h.BindError()) // another program has claimed them
			}
			for number := range tour.Schedule().Known() {
				job := tour.job(number+1, tour.Schedule().Key(number+1))
				must(t, kept.Put([]results.Record{must2(h.Play(t.Context(), 0, job))}))
			}
			noFault(t, kept)
		})
	}
}

// TestUnbound: a run that needs more processors than there are says so, and plays.
func TestUnbound(t *testing.T) {
	t.Parallel()
	tour := tournament(t, 1, unclocked(), scripted{}, scripted{})
	tour.Processors = 4096
	kept, told := tableRun(t, tour)
	noFault(t, kept)
	unbound := of[NotBound](told)
	if len(unbound) != 1 || !strings.HasPrefix(unbound[0].Why.Error(), "4096 are needed, and ") {
		t.Errorf("it says %v", unbound)
	}
}

// seeBound sees that both processes with a mark may run on those processors.
func seeBound(t *testing.T, mark string, want []int) {
	t.Helper()
	var wanted unix.CPUSet
	for _, processor := range want {
		wanted.Set(processor)
	}
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
			if set != wanted {
				t.Errorf("thread %d of process %d runs on the processors %x, want %x", thread, pid, set, wanted)
			}
		}
	}
}
