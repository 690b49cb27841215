package arena

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"sembra/arena/guest"
	"sembra/arena/sandbox"
	"sembra/results"
)

// alive returns the numbers of the processes that a mark names, whatever their group and their parent.
func alive(t *testing.T, mark string) []int {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil // this system has none
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

// nobodyLeft sees that the processes of a test are gone. A killed process may take a moment to die.
func nobodyLeft(t *testing.T, mark string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return
	}
	var left []int
	for begun := time.Now(); time.Since(begun) < time.Minute; time.Sleep(10 * time.Millisecond) {
		if left = alive(t, mark); len(left) == 0 {
			return
		}
	}
	t.Errorf("processes %v are left", left)
	for _, pid := range left { // by this test, or they would not have its mark
		if process, err := os.FindProcess(pid); err == nil {
			_ = process.Kill()
		}
	}
}

// deed is one thing that a bot does, and what comes of it.
type deed struct {
	bot    string         // its name in testBots and in FAULTS.md
	ending results.Ending // of its matches; 0: it is not at fault
	what   string         // how that begins
	free   bool           // played without a sandbox
	among  bool           // two good bots, who play each other too; else against one
	needs  []sandbox.Layer
	linux  bool // it needs Linux
}

const (
	sayGone     = "the bot exited or closed its standard input or output"
	sayNotReady = "it was not ready within 1m0s; expected readyok"
	saySilent   = "nothing at all came from it within 1m0s"
	sayNoAnswer = "no answer within 1m0s"
)

// deeds are all that this document promises something of.
func deeds() []deed {
	return []deed{
		{bot: "exits before mbiok", ending: results.EndStart, what: "bot bad did not start: it exited: exit status 3"},
		{bot: "never says mbiok", ending: results.EndStart, what: "bot bad did not start: " + saySilent + " (does it flush"},
		{bot: "never says readyok", ending: results.EndStart, what: "bot bad did not start: " + sayNotReady},
		{bot: "does not answer a later newmatch", ending: results.EndStart, what: "after newmatch " + sayNotReady},
		{bot: "exits", ending: results.EndCrash, what: "the bot exited: exit status 3", among: true},
		{bot: "exits", ending: results.EndCrash, what: "the bot exited: exit status 3", free: true},
		{bot: "exits in the middle of a line", ending: results.EndCrash, what: "the bot exited: exit status 0"},
		{bot: "plays a legal move and exits", ending: results.EndCrash, what: "the bot exited: exit status 0"},
		{bot: "exits while its child plays on", ending: results.EndCrash, what: "the bot exited: exit status 0"},
		{bot: "exits while its child plays on", ending: results.EndCrash, what: "the bot exited: exit status 0", free: true, linux: true},
		{bot: "is killed", ending: results.EndCrash, what: "the bot exited: signal: killed"},
		{bot: "is killed", ending: results.EndCrash, what: "the bot exited", free: true},
		{bot: "dies of a signal", ending: results.EndCrash, what: "the bot exited: signal: segmentation fault"},
		{bot: "panics", ending: results.EndCrash, what: "the bot exited: exit status 2; it wrote: panic: out of seeds␛[31m"},
		{bot: "closes its standard input", ending: results.EndCrash, what: sayGone},
		{bot: "closes its standard output", ending: results.EndCrash, what: sayGone},
		{bot: "stops itself", ending: results.EndHang, what: sayNoAnswer},
		{bot: "stops itself", ending: results.EndHang, what: sayNoAnswer, free: true},
		{bot: "is silent", ending: results.EndHang, what: sayNoAnswer},
		{bot: "is silent and ignores every signal", ending: results.EndHang, what: sayNoAnswer},
		{bot: "reads nothing", ending: results.EndHang, what: sayNoAnswer},
		{bot: "chatters", ending: results.EndHang, what: sayNoAnswer},
		{bot: "drips bytes", ending: results.EndHang, what: sayNoAnswer},
		{bot: "writes half a line and waits", ending: results.EndHang, what: sayNoAnswer},
		{bot: "answers garbage", ending: results.EndHang, what: sayNoAnswer},
		{bot: "answers an empty line", ending: results.EndHang, what: sayNoAnswer},
		{bot: "answers without a move", ending: results.EndProtocol, what: "a bestmove without a move"},
		{bot: "answers an illegal move", ending: results.EndIllegal, what: `illegal move "Q" (legal: `, among: true},
		{bot: "sends a NUL byte", ending: results.EndProtocol, what: "a NUL byte at byte 11 of a line"},
		{bot: "writes a line without end", ending: results.EndProtocol, what: "a line of more than 65536 bytes"},
		{bot: "writes a line without end", ending: results.EndProtocol, what: "a line of more than 65536 bytes", free: true},
		{bot: "floods its standard output", ending: results.EndProtocol, what: "more than 1048576 bytes of output without an answer"},
		{bot: "answers twice", ending: results.EndProtocol, what: "a bestmove that was not asked for"},
		{bot: "answers before it is asked", ending: results.EndProtocol, what: "a bestmove that was not asked for"},
		{bot: "floods its standard error"},
		{bot: "floods its standard error without line ends"},
		{bot: "ends its lines with CR LF"},
		{bot: "ignores quit", among: true},
		{bot: "ignores quit", free: true},
		{bot: "leaves a child"},
		{bot: "leaves a child", free: true},
		{bot: "leaves a daemon in a session of its own", needs: []sandbox.Layer{sandbox.Leftovers}},
		{bot: "eats memory", ending: results.EndCrash, what: "the bot exited: exit status ", needs: []sandbox.Layer{sandbox.Memory}},
		{
			bot: "forks without end", ending: results.EndCrash, what: "the bot exited: exit status 2; it wrote: ",
			needs: []sandbox.Layer{sandbox.Processes, sandbox.Leftovers},
		},
		{bot: "works while it waits"},
		{bot: "works while it waits", free: true},
		{bot: "takes other processors", needs: []sandbox.Layer{sandbox.Files}},
		{
			bot: "eats memory in many processes", ending: results.EndCrash,
			what:  "the bot exited: killed: its processes together took more memory than memory_total, 512 MiB",
			needs: []sandbox.Layer{sandbox.Leftovers},
		},
		{bot: "reads the user's files", needs: []sandbox.Layer{sandbox.Files}},
		{bot: "reads the database", needs: []sandbox.Layer{sandbox.Files}},
		{bot: "reads the files of another bot", needs: []sandbox.Layer{sandbox.Files}},
		{bot: "writes into its folder", needs: []sandbox.Layer{sandbox.Files}},
		{bot: "opens the network", needs: []sandbox.Layer{sandbox.Network}},
		{bot: "kills the arena", needs: []sandbox.Layer{sandbox.Signals}},
	}
}

// timeline notes when bots are told of a match and of its end.
type timeline struct {
	mu    sync.Mutex
	ended time.Time     // when a bot was last told so
	worst time.Duration // from there to the next newmatch
	mark  func() int    // counts the processes of the test
	most  int           // that there were at a newmatch
}

// see notes what is written to a bot.
func (l *timeline) see(_ guest.Bot, text []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch now := time.Now(); {
	case bytes.HasPrefix(text, []byte("newmatch ")):
		if !l.ended.IsZero() {
			l.worst = max(l.worst, now.Sub(l.ended))
			l.ended = time.Time{}
		}
		l.most = max(l.most, l.mark())
	case bytes.HasPrefix(text, []byte("endmatch ")):
		l.ended = now
	}
}

// TestFaults plays tournaments with one bad bot, each bot a process in a sandbox: the fault has its name, the others
// are not disturbed, the next match begins immediately, and no process is left.
func TestFaults(t *testing.T) {
	t.Parallel()
	isolates := machine(t)
	for _, test := range deeds() {
		t.Run(fmt.Sprintf("%s, free %v", test.bot, test.free), func(t *testing.T) {
			t.Parallel()
			if test.linux && runtime.GOOS != "linux" ||
				slices.ContainsFunc(test.needs, func(l sandbox.Layer) bool { return !isolates.Holds(l) }) {
				t.Skip("this machine cannot keep bots from it")
			}
			test.play(t)
		})
	}
}

// machine returns a closed sandbox, which says what this machine can keep bots from.
func machine(t *testing.T) *sandbox.Sandbox {
	t.Helper()
	j := must2(sandbox.New(t.Context(), Limits(isolation(AutoIsolation), nil)))
	defer j.Close()
	t.Log("isolation:", j)
	return j
}

// isolation is that of the tests. A build with the race detector needs so much memory.
func isolation(mode string) results.Isolation {
	return results.Isolation{Mode: mode, Memory: 512 << 20, MemoryTotal: 512 << 20, Processes: 64}
}

func (d deed) play(t *testing.T) {
	mark := t.TempDir()
	env := []string{testMarkVariable + "=" + mark}
	tour := tournament(t, 1, TimeControl{Watchdog: time.Minute, Startup: time.Minute, Pause: true})
	if !d.free {
		tour.Isolation = isolation(AutoIsolation)
		env = append(env, temptations(t)...)
	}
	dir := ownFolder(t, tour)
	for _, bot := range []string{"one", "bad", "two"} {
		kind := "first"
		if bot == "bad" {
			kind = d.bot
		}
		command := testBot(kind, env...)
		command.Dir = dir
		if bot == "one" {
			command.Args = append(command.Args, "other.py")
		}
		tour.enter(guest.Entry{Name: bot, Launcher: command})
	}
	line := &timeline{mark: func() int { return len(alive(t, mark)) }}
	if !d.free { // what is wrapped is not known to be a command
		tour.Entries = tour.entriesApart()
	}
	for i := range tour.Entries {
		tour.Entries[i].Launcher = seen{tour.Entries[i].Launcher, func() func(guest.Bot, []byte) { return line.see }}
		if tour.Entries[i].Name == "bad" {
			tour.Entries[i].Launcher = cutShort(tour.Entries[i].Launcher, d.silentFrom())
		}
	}
	if !d.among {
		tour.Bots, tour.Entries = tour.Bots[:2], tour.Entries[:2]
	}
	matches := tour.Schedule().Known()
	kept, told, err := run(t, tour)
	must(t, err)
	nobodyLeft(t, mark)
	if d.ending == 0 && runtime.GOOS == "linux" && line.most == 0 {
		t.Error("no process was ever seen")
	}
	if line.worst > 30*time.Second { // on a machine with much else to do; nobody waits for a minute's limit
		t.Errorf("the next match began after %v", line.worst)
	}

	if len(kept.records) != matches || len(kept.voids) != 0 {
		t.Fatalf("%d matches were kept and %v void, want %d and none", len(kept.records), kept.voids, matches)
	}
	for _, e := range of[MatchEnded](told) {
		rec, what := e.Record, whatOf(e.Record)
		atFault := d.ending != 0 && (rec.South == "bad" || rec.North == "bad")
		switch {
		case !atFault && (rec.FaultName() != "" || rec.Ending == results.EndResign || what != ""):
			t.Errorf("%v: ending %v, fault %q: %s", rec.Key, rec.Ending, rec.FaultName(), what)
		case atFault && (rec.FaultName() != "bad" || rec.Ending != d.ending || !strings.HasPrefix(what, d.what)):
			t.Errorf("%v: ending %v, fault %q: %s\nwant %v, bad: %s", rec.Key, rec.Ending, rec.FaultName(), what, d.ending, d.what)
		case atFault && (strings.Contains(what, "\x1b") || len(what) > 2500):
			t.Errorf("%v: said of it: %q", rec.Key, what)
		}
	}
}

// ownFolder is a folder of several bots, in which the database lies, and a file that is the one bot's.
func ownFolder(t *testing.T, tour *Run) string {
	t.Helper()
	dir := t.TempDir()
	lay(t, dir, 0o666, "secret", "spring.db", "other.py", "mine.py")
	tour.Hidden = []string{filepath.Join(dir, "spring.db")}
	return dir
}

// temptations are what bots may not have, as variables of their environment.
func temptations(t *testing.T) []string {
	t.Helper()
	secrets := t.TempDir()
	lay(t, secrets, 0o666, "secret", "letter")
	listener := must2(net.Listen("tcp", "127.0.0.1:0"))
	t.Cleanup(func() { listener.Close() })
	return []string{
		testSecretVariable + "=" + secrets,
		testAddressVariable + "=" + listener.Addr().String(),
		testArenaVariable + "=" + strconv.Itoa(os.Getpid()),
	}
}

// TestFaultsDocument: FAULTS.md has each in the section of its ending.
func TestFaultsDocument(t *testing.T) {
	t.Parallel()
	text := must2(os.ReadFile("FAULTS.md"))
	rows, section := make(map[string]string), ""
	for line := range strings.Lines(string(text)) {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			section = strings.Trim(heading, "`\n")
		} else if bots, ok := strings.CutPrefix(line, "- **"); ok {
			bots, _, _ = strings.Cut(bots, "**")
			for bot := range strings.SplitSeq(bots, ", ") {
				rows[bot] = section
			}
		}
	}
	// The tests of the sandbox play these.
	known := map[string]bool{
		"takes memory that is not counted": true, "fills the buffers of sockets": true, "fills the disk": true, "leases a file": true,
	}
	for _, d := range deeds() {
		ending := "No fault"
		if d.ending != 0 {
			ending = d.ending.String()
		}
		if rows[d.bot] != ending {
			t.Errorf("%s: in the section %q of FAULTS.md, want %s", d.bot, rows[d.bot], ending)
		}
		known[d.bot] = true
	}
	for row := range rows {
		if !known[row] {
			t.Errorf("FAULTS.md promises something of a bot that is not tested: %s", row)
		}
	}
}

// TestStopped sees that no process outlives a run that the user stops, and
// that the run does not wait for those that think or do not listen.
func TestStopped(t *testing.T) {
	t.Parallel()
	for _, bot := range []string{
		"is silent", "ignores quit", "stops itself", "leaves a child", "does not answer a later newmatch", "never says mbiok",
	} {
		t.Run(bot, func(t *testing.T) {
			t.Parallel()
			mark := t.TempDir()
			env := testMarkVariable + "=" + mark
			control := TimeControl{Watchdog: 8 * time.Minute, Startup: 8 * time.Minute}
			tour := tournament(t, 1000, control, testBot("first", env), testBot(bot, env))
			ctx, cancel := context.WithCancelCause(t.Context())
			enough := errors.New("enough")
			timer := time.AfterFunc(300*time.Millisecond, func() { cancel(enough) })
			defer timer.Stop()
			begun := time.Now()
			kept := new(log)
			err := tour.Play(ctx, nil, kept, func(Event) {})
			if !errors.Is(err, enough) {
				t.Errorf("error is %v, want %v", err, enough)
			}
			if took := time.Since(begun); took > control.Watchdog/2 {
				t.Errorf("it took %v", took)
			}
			nobodyLeft(t, mark)
			noFault(t, kept)
		})
	}
}

// TestCommands sees which commands are refused before anything is played, and that the error says why.
func TestCommands(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lay(t, dir, 0o700, "fn main() {}\n", "noise.rs")
	lay(t, dir, 0o700, "#!/bin/sh\n", "there")
	lay(t, dir, 0o700, "\x01\x02\x03", "noise")
	lay(t, dir, 0o700, "#!/nowhere/interpreter\n", "lost")
	for _, test := range []struct{ program, dir, want string }{
		{"there", dir, `bot a: "there" is not in PATH (for the file in ` + dir + ` write "./there")`},
		{"./noise", dir, "bot a: cannot execute " + dir + "/noise: "},
		{"./noise.rs", dir, "bot a: cannot execute " + dir + "/noise.rs: exec format error (hint: the command of a script begins with its interpreter"},
		{"./lost", dir, "bot a: cannot execute " + dir + "/lost: "},
		{"./there", dir + "/gone", "bot a: there is no file " + dir + "/gone/there"},
		{os.Args[0], dir + "/gone", "bot a: there is no folder " + dir + "/gone"},
	} {
		t.Run(test.program, func(t *testing.T) {
			good := &counted{Launcher: scripted{}}
			command := guest.Command{Args: []string{test.program}, Dir: test.dir}
			tour := tournament(t, 1, unclocked(), command, good)
			tour.Missing = RefuseMissing
			kept, told, err := run(t, tour)
			if asConfigError(t, err); !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("error is %q, want %q", err, test.want)
			}
			if len(kept.records) != 0 || len(told) != 0 || good.starts.Load() > 1 {
				t.Errorf("something was played: %v, %v", kept.records, told)
			}
		})
	}
}

// lay writes files with that text into a folder. They can be executed immediately: no process that another test starts
// meanwhile inherits them while they are open for writing.
func lay(t *testing.T, dir string, mode os.FileMode, text string, names ...string) {
	t.Helper()
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		syscall.ForkLock.RLock()
		err := os.WriteFile(path, []byte(text), mode)
		syscall.ForkLock.RUnlock()
		must(t, err)
	}
}

// TestGrace: a bot has its second after quit, also when it has closed its standard output.
func TestGrace(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("that a process has exited is not known on this system before it is waited for")
	}
	t.Parallel()
	const tries = 10 // on a busy machine a bot may not get a processor within its second
	for try := range tries {
		mark := t.TempDir()
		env := testMarkVariable + "=" + mark
		tour := tournament(t, 1, TimeControl{Watchdog: time.Minute, Startup: time.Minute}, testBot("first", env), testBot("saves late", env))
		tableRun(t, tour)
		nobodyLeft(t, mark)
		saved, err := os.ReadDir(mark)
		if err == nil && len(saved) == 2 { // the try, and the pair
			break
		}
		if try == tries-1 {
			t.Errorf("%d processes saved, want 2 (%v)", len(saved), err)
		}
	}
}
