package arena

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sembra/arena/guest"
	"sembra/arena/protocol"
	"sembra/arena/sandbox"
	"sembra/results"
)

// TestEvidence: the record of a match that ended by a fault has the conversation
// with its times, from the start of the bot's process on.
func TestEvidence(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		south := scripted{Answer: func(q *question) string {
			time.Sleep(3 * ms)
			return "info score 1\nbestmove Q"
		}}
		rec, what := bout{south: south, north: scripted{}}.play(t)
		e := rec.Evidence
		if e == nil || !strings.HasPrefix(what, `illegal move "Q"`) {
			t.Fatalf("evidence %v; said of it: %s", e, what)
		}
		var said []string
		for _, line := range e.South.Lines {
			mark := ">"
			if line.FromBot {
				mark = "<"
			}
			said = append(said, fmt.Sprintf("%v %s %s", line.At, mark, line.Text))
		}
		want := []string{
			"0s > mbi 1", "0s < wants legal", "0s < mbiok", "0s > isready", "0s < readyok",
			"0s > newmatch awale south seed 633422709", "0s > isready", "0s < readyok",
			"0s > position startpos", "0s > legal A B C D E F", "0s > go",
			"3ms < info score 1", "3ms < bestmove Q",
			`3ms > error illegal move "Q" (legal: A B C D E F)`, "3ms > endmatch loss 0-0 illegal",
		}
		equal(t, "the conversation", want, said)
		if last := e.North.Lines[len(e.North.Lines)-1]; string(last.Text) != "endmatch win 0-0 illegal" {
			t.Errorf("North was told last: %s", last.Text)
		}
		if rec, _ := (bout{south: scripted{}, north: scripted{Answer: says("bestmove resign")}}).play(t); rec.Evidence != nil {
			t.Errorf("evidence of a match without a fault: %v", rec.Evidence)
		}
	})
}

// TestLogOrder: what a bot writes to standard error before an answer is in the log of
// that match, before the answer. The log of each match has the options of the bot.
func TestLogOrder(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("standard error cannot be read without waiting on this system")
	}
	for _, mode := range []string{NoIsolation, AutoIsolation} {
		tour := tournament(t, 2, unclocked(), inFolder(t, "explains"), inFolder(t, "first"))
		tour.Entries[0].Options = []protocol.OptionValue{{Name: "Depth", Value: "4"}}
		tour.LogFolder = t.TempDir()
		tour.Isolation = isolation(mode)
		tableRun(t, tour)
		files, _ := filepath.Glob(filepath.Join(tour.LogFolder, "*.log"))
		if len(files) != 4 {
			t.Fatalf("the logs are %q", files)
		}
		for n, file := range files { // the process plays them one after another
			text := must2(os.ReadFile(file))
			if strings.Count(string(text), " a> setoption name Depth value 4\n") != 1 {
				t.Errorf("%s has no options:\n%.300s", file, text)
			}
			answers := 0
			said := ""
			for line := range strings.Lines(string(text)) {
				if _, after, ok := strings.Cut(line, " a! "); ok {
					said += after
				}
				if strings.Contains(line, " a< bestmove ") {
					answers++
					if want := fmt.Sprintf("match %d question %d\n", n+1, answers); said != want {
						t.Fatalf("%s: before answer %d it wrote %q, want %q", file, answers, said, want)
					}
					said = ""
				}
			}
			if answers == 0 || said != "" {
				t.Errorf("%s: %d answers, and %q after them", file, answers, said)
			}
		}
	}
}

// TestProcessorTime: a bot that works is charged its CPU time, and one that sleeps is not charged for its opponent.
func TestProcessorTime(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the CPU time of another process is not known on this system")
	}
	for _, mode := range []string{NoIsolation, AutoIsolation} {
		tour := tournament(t, 1, unclocked(), inFolder(t, "sleeps a while"), inFolder(t, "works a while"))
		tour.Isolation = isolation(mode)
		seeProcessorTime(t, tour)
	}
}

func seeProcessorTime(t *testing.T, tour *Run) {
	t.Helper()
	kept, _ := tableRun(t, tour)
	for key, rec := range kept.records {
		sleeper, worker := rec.CPU[0], rec.CPU[1]
		if key.South == "b" {
			sleeper, worker = worker, sleeper
		}
		if sleeper < 0 || sleeper >= worker || worker < 80*ms || worker > 2*time.Second {
			t.Errorf("%v: CPU time %v of the sleeper, %v of the worker", key, sleeper, worker)
		}
	}
}

// TestPause: with pause all processes of a bot are stopped while its opponent is
// asked, and run when it is asked itself.
func TestPause(t *testing.T) {
	t.Parallel()
	pondering(t, func(t *testing.T, mode string, bot guest.Command, mark string, processes int) {
		for _, pause := range []bool{false, true} {
			control := unclocked()
			control.Pause = pause
			tour := tournament(t, 1, control, inFolder(t, "first"), bot)
			tour.Isolation = isolation(mode)
			for i, stopped := range []bool{pause, false} {
				look := func() { seeStopped(t, mark, processes, stopped) }
				tour.Entries[i].Launcher = asked(tour.Entries[i].Launcher, look)
			}
			kept, _ := tableRun(t, tour)
			for key, rec := range kept.records {
				if rec.Ending != results.EndResign {
					t.Errorf("%v, pause %v: ending %v, %s", key, pause, rec.Ending, rec.FaultName())
				}
			}
			nobodyLeft(t, mark)
		}
	})
}

// pondering sees bots that think all the time, in one process or in two, which have that mark.
func pondering(
	t *testing.T, see func(t *testing.T, mode string, bot guest.Command, mark string, processes int),
) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("whether a process is stopped is not known on this system")
	}
	for _, test := range []struct {
		mode      string
		bot       string
		processes int
	}{{NoIsolation, "ponders", 1}, {AutoIsolation, "ponders", 1}, {AutoIsolation, "ponders elsewhere", 2}} {
		t.Run(fmt.Sprintf("%s, %s", test.mode, test.bot), func(t *testing.T) {
			t.Parallel()
			if test.processes > 1 && !machine(t).Holds(sandbox.Leftovers) {
				t.Skip("what leaves the group is not found on this machine")
			}
			mark := t.TempDir()
			see(t, test.mode, inFolder(t, test.bot, testMarkVariable+"="+mark), mark, test.processes)
		})
	}
}

// seeStopped waits until all processes with a mark are stopped, or none is.
func seeStopped(t *testing.T, mark string, processes int, want bool) {
	var states []string
	for range 6000 {
		states = nil
		right := 0
		for _, pid := range alive(t, mark) {
			stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
			if err != nil {
				t.Error(err)
			}
			_, after, _ := strings.Cut(string(stat), ") ")
			states = append(states, after[:1])
			if (after[:1] == "T" || frozen(pid)) == want {
				right++
			}
		}
		if len(states) == processes && right == processes {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("the states of its processes are %q, want %d that are stopped: %v", states, processes, want)
}

// frozen reports whether a process is in a control group that is frozen.
func frozen(pid int) bool {
	groups, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid)) // it may have ended
	_, path, _ := strings.Cut(string(groups), "0::")
	path, _, _ = strings.Cut(path, "\n")
	text, err := os.ReadFile(filepath.Join("/sys/fs/cgroup", path, "cgroup.events"))
	if err != nil { // there are groups of version 1, too
		text, _ = os.ReadFile(filepath.Join("/sys/fs/cgroup/unified", path, "cgroup.events"))
	}
	return strings.Contains(string(text), "frozen 1")
}

// inFolder is a test bot in a folder of its own, as a sandbox wants it.
func inFolder(t *testing.T, name string, env ...string) guest.Command {
	t.Helper()
	command := testBot(name, env...)
	command.Dir = t.TempDir()
	return command
}
