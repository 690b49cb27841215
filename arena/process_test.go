package arena

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sembra/results"
)

// alive returns the numbers of the processes that a mark names, whatever
// their group and their parent.
func alive(t *testing.T, mark string) []int {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		// That of a dead process that is not waited for is empty.
		environ, _ := os.ReadFile(filepath.Join("/proc", entry.Name(), "environ"))
		if bytes.Contains(environ, []byte(testMarkVariable+"="+mark+"\x00")) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// nobodyLeft sees that the processes of a test are gone. A killed process may
// take a moment to die.
func nobodyLeft(t *testing.T, mark string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return
	}
	var left []int
	for range 100 {
		if left = alive(t, mark); len(left) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("processes %v are left", left)
	for _, pid := range left { // by this test, or they would not have its mark
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// TestFaults plays whole tournaments of two good bots and a bad one, each a
// process.
func TestFaults(t *testing.T) {
	t.Parallel()
	const (
		gone     = "the bot exited or closed its standard input or output"
		notReady = "it was not ready within 4s"
		silent   = "nothing at all came from it within 4s"
		noAnswer = "no answer within 2s"
	)
	for _, test := range []struct {
		bot    string
		ending results.Ending // of its matches; 0: it is not at fault
		what   string         // how that begins
	}{
		{"exits at once", results.EndStart, "bot bad did not start: it exited"},
		{"no mbiok", results.EndStart, "bot bad did not start: " + silent + " (does it flush"},
		{"no readyok", results.EndStart, "bot bad did not start: " + notReady},
		{"no new readyok", results.EndStart, "not ready for a new match: " + notReady},
		{"exits", results.EndCrash, "the bot exited: exit status 3"},
		{"exits mid-line", results.EndCrash, "the bot exited: exit status 0"},
		{"is killed", results.EndCrash, gone},
		{"panics", results.EndCrash, "the bot exited: exit status 2; the end of its standard error: "},
		{"closes stdin", results.EndCrash, gone},
		{"closes stdout", results.EndCrash, gone},
		{"stops itself", results.EndHang, noAnswer},
		{"is silent", results.EndHang, noAnswer},
		{"reads nothing", results.EndHang, noAnswer},
		{"garbage", results.EndHang, noAnswer},
		{"illegal", results.EndIllegal, `illegal move "Q" (legal: `},
		{"bare bestmove", results.EndProtocol, "a bestmove without a move"},
		{"NUL", results.EndProtocol, "a NUL byte at byte 11 of a line"},
		{"endless line", results.EndProtocol, "a line of more than 65536 bytes"},
		{"floods", results.EndProtocol, "more than 1048576 bytes of output without an answer"},
		{"answers twice", results.EndProtocol, "a bestmove that was not asked for"},
		{"answers before asked", results.EndProtocol, "a bestmove that was not asked for"},
		{"floods stderr", 0, ""},
		{"CR LF", 0, ""},
		{"stays", 0, ""},
		{"leaves a child", 0, ""},
	} {
		t.Run(test.bot, func(t *testing.T) {
			t.Parallel()
			mark := t.TempDir()
			env := testMarkVariable + "=" + mark
			control := TimeControl{Watchdog: 10 * time.Second, Startup: 10 * time.Second}
			concurrency := 2
			switch {
			case test.ending == results.EndHang:
				control.Watchdog = 2 * time.Second
				concurrency = 6 // waiting costs the same once as four times
			case strings.Contains(test.what, notReady), strings.Contains(test.what, silent):
				control.Startup = 4 * time.Second
				concurrency = 6
			}
			tour := &Tournament{
				Name: "test", Rules: ruleset(t, "awale"), Pairs: 1, Openings: make([]string, 1),
				Time: control, Seed: 1, Concurrency: concurrency,
				Entries: []Entry{
					{Name: "one", Launcher: testBot("first", env)},
					{Name: "bad", Launcher: testBot(test.bot, env)},
					{Name: "two", Launcher: testBot("first", env)},
				},
			}
			kept, most := new(log), 0
			var told events
			begun := time.Now()
			err := tour.Run(t.Context(), make([]SlotState, 6), kept, func(event Event) {
				told.tell(event)
				if test.bot == "stays" && runtime.GOOS == "linux" {
					most = max(most, len(alive(t, mark)))
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			if took := time.Since(begun); took > 20*time.Second {
				t.Errorf("it took %v", took)
			}
			nobodyLeft(t, mark)
			if test.bot == "stays" && runtime.GOOS == "linux" && most == 0 {
				t.Error("no process was ever seen")
			}
			if test.bot == "leaves a child" {
				children, err := os.ReadDir(mark)
				if err != nil || len(children) == 0 {
					t.Errorf("it left %d children (%v)", len(children), err)
				}
			}

			if len(kept.records) != 6 || len(kept.voids) != 0 {
				t.Fatalf("%d matches were kept and %v void, want 6 and none", len(kept.records), kept.voids)
			}
			for _, e := range of[MatchEnded](told) {
				rec := e.Record
				atFault := test.ending != 0 && (rec.South == "bad" || rec.North == "bad")
				switch {
				case !atFault && (rec.FaultName() != "" || rec.Ending == results.EndResign || e.What != ""):
					t.Errorf("%v: ending %v, fault %q: %s", rec.Key, rec.Ending, rec.FaultName(), e.What)
				case atFault && (rec.FaultName() != "bad" || rec.Ending != test.ending || !strings.HasPrefix(e.What, test.what)):
					t.Errorf("%v: ending %v, fault %q: %s\nwant %v, bad: %s", rec.Key, rec.Ending, rec.FaultName(), e.What, test.ending, test.what)
				case test.bot == "panics" && atFault && (strings.Contains(e.What, "\x1b") || len(e.What) > 600):
					t.Errorf("%v: said of it: %q", rec.Key, e.What)
				}
			}
		})
	}
}

// TestTime is the one fault of these that needs a clock.
func TestTime(t *testing.T) {
	t.Parallel()
	mark := t.TempDir()
	env := testMarkVariable + "=" + mark
	control := TimeControl{Base: 2 * time.Second, Margin: 50 * time.Millisecond, Startup: 10 * time.Second}
	tour := tournament(t, 1, control, testBot("first", env), testBot("is silent", env))
	tour.Concurrency = 2
	kept, _ := tableRun(t, tour)
	for key, rec := range kept.records {
		if rec.Ending != results.EndTime || rec.FaultName() != "b" {
			t.Errorf("%v: ending %v, fault %q; want time, b", key, rec.Ending, rec.FaultName())
		}
	}
	nobodyLeft(t, mark)
}

// TestStopped sees that no process outlives a run that the user stops, and
// that the run does not wait for those that think or do not listen.
func TestStopped(t *testing.T) {
	t.Parallel()
	for _, bot := range []string{"is silent", "stays", "stops itself", "leaves a child", "no new readyok", "no mbiok"} {
		t.Run(bot, func(t *testing.T) {
			t.Parallel()
			mark := t.TempDir()
			env := testMarkVariable + "=" + mark
			control := TimeControl{Watchdog: time.Minute, Startup: time.Minute}
			tour := tournament(t, 1000, control, testBot("first", env), testBot(bot, env))
			ctx, cancel := context.WithCancelCause(t.Context())
			enough := errors.New("enough")
			timer := time.AfterFunc(300*time.Millisecond, func() { cancel(enough) })
			defer timer.Stop()
			begun := time.Now()
			kept := new(log)
			err := tour.Run(ctx, make([]SlotState, 2000), kept, func(Event) {})
			if !errors.Is(err, enough) {
				t.Errorf("error is %v, want %v", err, enough)
			}
			if took := time.Since(begun); took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
			nobodyLeft(t, mark)
			for key, rec := range kept.records {
				if rec.Fault != results.NoFault {
					t.Errorf("%v: ending %v, fault %q", key, rec.Ending, rec.FaultName())
				}
			}
		})
	}
}

// TestCommands sees which commands are refused before anything is played, and
// that the error says why.
func TestCommands(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write("plain", "#!/bin/sh\n", 0o600)
	write("there", "#!/bin/sh\n", 0o700)
	write("noise", "\x01\x02\x03", 0o700)
	write("lost", "#!/nowhere/interpreter\n", 0o700)
	for _, test := range []struct {
		command Command
		want    string
	}{
		{Command{Args: []string{"/nowhere/bot"}}, "bot a: there is no file /nowhere/bot"},
		{Command{Args: []string{"./bot"}, Dir: dir}, "bot a: there is no file " + dir + "/bot"},
		{Command{Args: []string{"no-such-program"}, Dir: dir}, `bot a: "no-such-program" is not in PATH`},
		{Command{Args: []string{"there"}, Dir: dir}, `bot a: "there" is not in PATH (for the file in ` + dir + ` write "./there")`},
		{
			Command{Args: []string{"./plain"}, Dir: dir},
			"bot a: " + dir + "/plain is not an executable file (hint: chmod +x, or name its interpreter first)",
		},
		{Command{Args: []string{dir}}, "bot a: cannot execute " + dir + ": "},
		{Command{Args: []string{"./noise"}, Dir: dir}, "bot a: cannot execute " + dir + "/noise: "},
		{Command{Args: []string{"./lost"}, Dir: dir}, "bot a: cannot execute " + dir + "/lost: "},
		{Command{Args: []string{"./there"}, Dir: dir + "/gone"}, "bot a: there is no file " + dir + "/gone/there"},
		{Command{Args: []string{os.Args[0]}, Dir: dir + "/gone"}, "bot a: there is no folder " + dir + "/gone"},
	} {
		t.Run(strings.Join(test.command.Args, " "), func(t *testing.T) {
			good := &counted{Launcher: fake{}}
			kept := new(log)
			var told events
			err := tournament(t, 1, unclocked(), test.command, good).Run(t.Context(), make([]SlotState, 2), kept, told.tell)
			if asConfigError(t, err); !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("error is %q, want %q", err, test.want)
			}
			if len(kept.records) != 0 || len(told) != 0 || good.starts.Load() > 1 {
				t.Errorf("something was played: %v, %v", kept.records, told)
			}
		})
	}
}

// TestProgram finds programs with a slash from the bot's folder, others in PATH.
func TestProgram(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"here", "bin/found"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", filepath.Join(dir, "bin"))
	for _, test := range []struct{ name, want string }{
		{"./here", "here"},
		{"bin/found", "bin/found"},
		{"bin/../here", "here"},
		{"found", "bin/found"},
		{filepath.Join(dir, "here"), "here"},
	} {
		got, err := Command{Args: []string{test.name}, Dir: dir}.Program()
		if want := filepath.Join(dir, test.want); err != nil || got != want {
			t.Errorf("%s: %s (%v), want %s", test.name, got, err, want)
		}
	}
}

func TestCleanEnvironment(t *testing.T) {
	t.Setenv("SEMBRA_SECRET", "x")
	t.Setenv("LANG", "C.UTF-8")
	env := CleanEnvironment()
	if !slices.Contains(env, "LANG=C.UTF-8") {
		t.Errorf("LANG is missing in %q", env)
	}
	for _, variable := range env {
		name, _, _ := strings.Cut(variable, "=")
		if !slices.Contains([]string{"PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "SystemRoot"}, name) {
			t.Errorf("%s is in it", variable)
		}
	}
}

// TestTail keeps the end of what a bot logs.
func TestTail(t *testing.T) {
	var small, large tail
	var all []byte
	for i := range 5000 {
		line := strconv.AppendInt(nil, int64(i), 10)
		all = append(all, line...)
		small.Write(line)
	}
	large.Write([]byte("before"))
	large.Write(all)
	want := string(all[len(all)-tailSize:])
	if diff := cmp.Diff(want, string(small.kept)); diff != "" {
		t.Errorf("in small pieces (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(want, string(large.kept)); diff != "" {
		t.Errorf("in one piece (-want +got)\n%s", diff)
	}
	large.Write([]byte("end"))
	if got := string(large.kept); len(got) != tailSize || !strings.HasSuffix(got, "end") {
		t.Errorf("%d bytes, ending in %q", len(got), got[len(got)-10:])
	}
}

// TestGrace: a bot has its second after quit, also when it has closed its
// standard output.
func TestGrace(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("that a process has exited is not known on this system before it is waited for")
	}
	t.Parallel()
	mark := t.TempDir()
	env := testMarkVariable + "=" + mark
	control := TimeControl{Watchdog: 10 * time.Second, Startup: 10 * time.Second}
	tour := tournament(t, 1, control, testBot("first", env), testBot("saves late", env))
	tableRun(t, tour)
	saved, err := os.ReadDir(mark)
	if err != nil || len(saved) != 2 { // the try, and the pair
		t.Errorf("%d processes saved, want 2 (%v)", len(saved), err)
	}
	nobodyLeft(t, mark)
}
