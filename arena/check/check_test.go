package check

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sembra/arena"
	"sembra/arena/guest"
	"sembra/arena/sandbox"
	"sembra/engine"
	"sembra/results"
)

func TestMain(m *testing.M) {
	if sandbox.IsChild(os.Args) {
		os.Exit(sandbox.RunChild())
	}
	os.Exit(m.Run())
}

// findings are the points of a check.
type findings []Point

// of returns the points of a name and a state, each as what it says.
func (f findings) of(name string, s State) string {
	var found []string
	for _, p := range f {
		if p.Name == name && p.State == s {
			found = append(found, p.What)
		}
	}
	return strings.Join(found, "\n")
}

// String lists all that is not well.
func (f findings) String() string {
	var b strings.Builder
	for _, p := range f {
		if p.State != Passed {
			fmt.Fprintf(&b, "%d %s: %s\n", p.State, p.Name, p.What)
		}
	}
	return b.String()
}

func ruleset(t testing.TB, name string) engine.Ruleset {
	t.Helper()
	rules, err := engine.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// newCheck checks awale, without isolation.
func newCheck(t testing.TB, bot guest.Launcher) *Check {
	return &Check{
		Conditions: results.Conditions{
			Ruleset: "awale", Rounds: 2, Time: arena.TimeControl{Startup: 10 * time.Second, Watchdog: 10 * time.Second},
		},
		Entries: []guest.Entry{{Name: "bot", Launcher: bot}},
	}
}

func (c *Check) find(t testing.TB) (found findings) {
	t.Helper()
	_, err := c.Run(t.Context(), func(_ int, p Point) {
		if p.State != Isolation && p.State != Over {
			found = append(found, p)
		}
	})
	if err != nil {
		t.Error(err)
	}
	return found
}

// TestPasses: a bot that keeps to the protocol passes in all rulesets, whatever lines it wants.
func TestPasses(t *testing.T) {
	t.Parallel()
	const option = "\noption name Depth type spin default 4 min 1 max 64" +
		"\noption name Style type combo default calm var calm var wild" +
		"\noption name Book type check default true\noption name Clear type button\noption name File type string default a b"
	for hello, options := range map[string]string{
		"id name a\nwants legal" + option:                         "5 options offered, the defaults set",
		"id name a\nwants legal position":                         "it offers no options",
		"id name a\nwants legal\nplays awale kalah-6x4 kalah-7x7": "it offers no options",
	} {
		want := 5 + len(engine.Rulesets())
		if strings.Contains(hello, "plays") {
			want = 5 + 3
		}
		synctest.Test(t, func(t *testing.T) {
			c := newCheck(t, scripted{Hello: hello})
			c.Ruleset = ""
			found := c.find(t)
			settle()
			if bad := found.String(); bad != "" || len(found) != want {
				t.Errorf("%d points:\n%s", len(found), bad)
			}
			if got := found.of("options", Passed); got != options {
				t.Errorf("%q does not say %q", got, options)
			}
		})
	}
}

// TestFinds: for each point there is a bot that fails it. The check says what was wrong, shows the conversation, and
// looks at the other points all the same.
func TestFinds(t *testing.T) {
	t.Parallel()
	// on is a bot that does something before it answers lines with a prefix.
	on := func(prefix string, do func(q *question)) guest.Launcher {
		return scripted{Line: func(q *question, line string) bool {
			if strings.HasPrefix(line, prefix) {
				do(q)
			}
			return false
		}}
	}
	// deaf is a bot that ignores some lines.
	deaf := func(is func(q *question, line string) bool) guest.Launcher { return scripted{Line: is} }
	sleeps := func(d time.Duration) func(*question) { return func(*question) { time.Sleep(d) } }
	illegal := func(when func(q *question, position string) bool) guest.Launcher {
		wrong := false
		return scripted{
			Line: func(q *question, line string) bool {
				if strings.HasPrefix(line, "position") {
					wrong = when(q, line)
				}
				return false
			},
			Answer: func(q *question) string {
				if wrong {
					return "bestmove Q"
				}
				return q.First()
			},
		}
	}
	offers := func(option string) scripted { return scripted{Hello: "wants legal\noption name D type " + option} }
	silent := deaf(func(*question, string) bool { return true })
	hangs := offers("spin default 2 min 1 max 5")
	hangs.Line = stuckAt("setoption name D value 2")
	var slept atomic.Bool
	var drawn atomic.Int64
	for _, test := range []struct {
		name  string
		bot   guest.Launcher
		state State
		point string
		says  string // the beginning of the text
		next  string // a point that the bot passes
	}{
		{"silent", silent, Failed, "handshake", "nothing at all came from it within 10s (does it flush", ""},
		{"flushes at the end", inMemory(func(in io.Reader, out io.Writer) {
			buffer := bufio.NewWriter(out)
			scripted{}.Run(in, buffer)
			_ = buffer.Flush() // the arena may be gone
		}), Failed, "handshake", "nothing came from it within 10s, and it answered only 0s after its input", ""},
		{"starts slowly", inMemory(func(in io.Reader, out io.Writer) {
			time.Sleep(12 * time.Second)
			scripted{}.Run(in, out)
		}), Failed, "handshake", "nothing came from it within 10s, and it answered only 2s after", ""},
		{
			"not ready", deaf(func(_ *question, line string) bool { return line == "isready" }), Failed,
			"handshake", "it was not ready within 10s; expected readyok", "",
		},
		{"no name", scripted{}, Noted, "handshake", "it does not say its name", "quit"},
		{
			"strange line",
			scripted{Hello: "id name a\nwants legal\nhello\x1b"},
			Noted,
			"handshake", `before mbiok it says "hello␛"`, "quit",
		},
		{
			"plays what is not",
			scripted{Hello: "plays awale chess\nwants legal"},
			Warned,
			"handshake", `it says that it plays "chess", which is not a ruleset (known: `, "awale",
		},
		{
			"misspelled wish",
			scripted{Hello: "wants legal\nwants legals time\x1b"},
			Warned, "handshake",
			`it wants "legals", which means nothing (known: legal, position); it wants "time␛", which means nothing`, "quit",
		},

		{
			"leaves at unknown lines", on("xyzzy", func(*question) { runtime.Goexit() }), Warned,
			"isready", "after an unknown line (xyzzy 1 2): after isready it exited", "awale",
		},
		{
			"answers unknown lines", on("xyzzy", func(q *question) { q.Say("what?") }), Noted,
			"output", `the arena ignored 1 line that it had not asked for, such as "what?"`, "isready",
		},
		{
			"bad default", offers("spin default 9 min 1 max 5"), Warned,
			"options", `its default is not one of its values: option D: "9" is not a whole number from 1 to 5`, "quit",
		},
		{
			"bad option", offers("number"), Failed,
			"options", `this line cannot be read as an option: "option name D type number"`, "quit",
		},
		{
			"hangs at a value", hangs, Failed,
			"options", "after setoption with its defaults it was not ready within 10s; expected readyok", "quit",
		},

		{
			"reads chunks", deaf(func(q *question, line string) bool { return q.Match > 0 && line == "isready" }), Failed,
			"awale", "south: after newmatch it was not ready within 10s; expected readyok",
			"isready",
		},
		{"illegal", scripted{Answer: at(2, "bestmove Q")}, Failed, "awale", `south: illegal move "Q" (legal: `, "quit"},
		{
			"wrong case as North", illegal(func(q *question, _ string) bool { return q.Seat == "north" }), Failed,
			"awale", `north: illegal move "Q" (legal: `, "quit",
		},
		{
			"takes startpos for granted",
			illegal(func(_ *question, line string) bool { return strings.Contains(line, " fen ") }),
			Failed, "awale", `positions: an opening: illegal move "Q"`, "quit",
		},
		{
			"only one match", deaf(func(q *question, line string) bool { return q.Match > 5 && line == "isready" }), Failed,
			"awale", "positions: ", "quit",
		},
		{
			"answers twice",
			scripted{Answer: func(q *question) string { return q.First() + "\n" + q.First() }},
			Failed,
			"awale", "south: a bestmove that was not asked for: a second bestmove to one go", "quit",
		},
		{
			"answers the end", on("endmatch", func(q *question) { q.Say("bestmove A") }), Warned,
			"awale", "south: when the match was over, a bestmove that was not asked for", "quit",
		},
		{
			"debug prints", on("go", func(q *question) { q.Say("thinking\x1b") }), Noted,
			"output", `the arena ignored 206 lines that it had not asked for, such as "thinking␛" (`, "quit",
		},
		{
			"half a line before",
			scripted{Answer: func(q *question) string { return "thinking... " + q.First() }},
			Failed,
			"awale", "south: no answer within 10s; it said «thinking... bestmove ", "quit",
		},
		{"loops", scripted{Line: stuckAt("go")}, Failed, "awale", "south: no answer within 10s (go named no limit", "quit"},
		{"gives up", scripted{Answer: at(3, "bestmove resign")}, Noted, "awale", "south: it gives up after 2 moves", "quit"},

		{
			"slow with movetime", on("go movetime", sleeps(250*time.Millisecond)), Failed,
			"awale", "movetime: an answer after 250ms, 150ms late: it had 100ms (50ms more are forgiven)", "quit",
		},
		{"slow once with movetime", on("go movetime", func(*question) {
			if !slept.Swap(true) {
				time.Sleep(250 * time.Millisecond)
			}
		}), Noted, "awale", "movetime: the second try went well, but in the first there was an answer after 250ms, 150ms late", "awale"},
		{"nearly slow", on("go movetime", sleeps(140*time.Millisecond)), Passed, "awale", "", "quit"},
		{
			"hangs with movetime", on("go movetime", sleeps(time.Hour)), Failed,
			"awale", "movetime: no answer within 10.1s; it had 100ms", "quit",
		},
		{
			"slow with a clock", on("go stime", sleeps(300*time.Millisecond)), Failed,
			"awale", "north: an answer after 300ms, 260ms late: it had 40ms", "quit",
		},
		{
			"heeds no depth", on("go depth", sleeps(2*time.Second)), Noted,
			"awale", "an answer to depth 1 or nodes 100 took longer than 1s", "awale",
		},
		{"thinks long", on("go depth", sleeps(2*time.Second)), Noted, "awale", "south: stopped after 15s", "awale"},
		{"heeds no seed", scripted{Answer: func(q *question) string {
			return "bestmove " + q.Legal[int(drawn.Add(1)/5)%len(q.Legal)]
		}}, Noted, "awale", "it plays differently from the same seed (", "awale"},

		{
			"does not leave", inMemory(func(in io.Reader, out io.Writer) { scripted{}.Run(in, out); time.Sleep(time.Hour) }), Warned,
			"quit", "it, or a process that it started, has not exited 1s after quit: the arena kills it", "awale",
		},
		{"does not see the end", inMemory(func(in io.Reader, out io.Writer) {
			told := false
			scripted{Line: func(_ *question, line string) bool { told = told || line == "quit"; return false }}.Run(in, out)
			if !told {
				time.Sleep(time.Hour)
			}
		}), Warned, "end of input", "it, or a process that it started, has not exited 1s after the end of its input", "quit"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				found := newCheck(t, test.bot).find(t)
				settle()
				if !slices.ContainsFunc(found, func(p Point) bool {
					return p.Name == test.point && p.State == test.state && strings.HasPrefix(p.What, test.says)
				}) {
					t.Errorf("nothing about %s begins with %q; in all:\n%v", test.point, test.says, found)
				}
				if test.next != "" && found.of(test.next, Passed) == "" {
					t.Errorf("%s does not pass:\n%v", test.next, found)
				}
				points := 0
				for _, p := range found {
					if p.State != Noted {
						points += max(1, p.Points)
					}
					if (p.State == Failed || p.State == Warned) && p.Name != "options" && (p.Talk == nil || len(p.Talk.Lines) == 0) {
						t.Errorf("%s fails without what was said", p.Name)
					}
				}
				if points != 6 {
					t.Errorf("%d points", points)
				}
			})
		})
	}
}

// stuckAt makes a bot do nothing more after a line.
func stuckAt(line string) func(*question, string) bool {
	return func(_ *question, said string) bool {
		if said == line {
			time.Sleep(time.Hour)
		}
		return false
	}
}

// TestStopped: a check that is stopped ends immediately, wherever it is.
func TestStopped(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"mbi 1", "xyzzy 1 2", "newmatch awale north seed 2", "go"} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			begun := time.Now()
			_, err := newCheck(t, scripted{Line: stuckAt(line)}).Run(ctx, func(int, Point) {})
			if !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) > 8*time.Second {
				t.Errorf("%v after %v", err, time.Since(begun))
			}
			settle()
		})
	}
}

// TestInSandbox: a bot that does not start in the sandbox is not started without one.
func TestInSandbox(t *testing.T) {
	t.Parallel()
	isolation := results.Isolation{Mode: arena.AutoIsolation, Memory: 1 << 30, Processes: 64}
	spawner, isolated, err := arena.Isolate(t.Context(), isolation, nil)
	if err != nil {
		t.Fatal(err)
	}
	if spawner.Close(); !isolated.Shields {
		t.Skip("this machine cannot keep bots from files")
	}
	elsewhere := t.TempDir()
	needs, mark := filepath.Join(elsewhere, "needs"), filepath.Join(elsewhere, "mark")
	if err := os.WriteFile(needs, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	script := "touch '" + mark + "'; test -e '" + needs + "' && echo mbiok && sleep 60"
	c := newCheck(t, guest.Command{
		Args: []string{"/bin/sh", "-c", script}, Dir: t.TempDir(), Env: guest.CleanEnvironment(),
	})
	c.Isolation = isolation
	found := c.find(t)
	if got := found.of("handshake", Failed); !strings.Contains(got, "exit status 1") || len(found) != 2 {
		t.Errorf("handshake: %q\n%v", got, found)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("it was started without the sandbox")
	}
}

// TestFindSpots: the kinds of positions that a ruleset has are found.
func TestFindSpots(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"awale":         {"an opening", "a single move", "the end of a match"},
		"bechi":         {"the filling of a row"},
		"buqruru-ludii": {"the choice of a start hole"},
		"redu":          {"a claim or a take"},
	} {
		spots := findSpots(ruleset(t, name))
		for _, kind := range want {
			if !slices.ContainsFunc(spots, func(s spot) bool { return s.kind == kind }) {
				t.Errorf("%s: no position for %s", name, kind)
			}
		}
	}
}

// TestMany: fewer bots are examined at the same time than there are processors, and each is told of in its place.
func TestMany(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCheck(t, scripted{Line: stuckAt("mbi 1")})
		bot, slots := c.Entries[0], max(1, runtime.GOMAXPROCS(0)-1)
		c.Entries = nil
		for i := range slots + 1 {
			bot.Name = fmt.Sprintf("bot%d", i)
			c.Entries = append(c.Entries, bot)
		}
		all := make([]findings, len(c.Entries))
		begun, over := time.Now(), 0
		_, err := c.Run(t.Context(), func(bot int, p Point) {
			if all[bot] = append(all[bot], p); p.State == Over {
				over++
			}
		})
		if took := time.Since(begun); err != nil || over != len(all) || took < 2*c.Time.Startup || took > 3*c.Time.Startup {
			t.Errorf("%d bots took %v: %v", over, took, err)
		}
		settle()
		for i, found := range all {
			if got := found.of("handshake", Failed); !strings.HasPrefix(got, "nothing at all") {
				t.Errorf("%s: %q", c.Entries[i].Name, got)
			}
		}
	})
}
