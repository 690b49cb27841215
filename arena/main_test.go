package arena

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"sembra/arena/jail"
)

const (
	// testBotVariable makes this test binary play the bot that it names.
	testBotVariable = "SEMBRA_TEST_BOT"

	// testMarkVariable is how the processes of one test are found again. It
	// names a folder for what they leave behind.
	testMarkVariable = "SEMBRA_TEST_MARK"
)

func TestMain(m *testing.M) {
	if jail.Entered(os.Args) {
		os.Exit(jail.Enter())
	}
	name := os.Getenv(testBotVariable)
	if name == "" {
		_ = flag.Set("test.parallel", "6") // most of these tests wait; the command line overrides it
		os.Exit(m.Run())
	}
	bot, ok := testBots()[name]
	if !ok {
		fmt.Fprintf(os.Stderr, "unknown test bot %q\n", name)
		os.Exit(1)
	}
	bot()
}

// testBots returns the bots that this test binary plays, most of them bad. A
// bad bot does what its name says when it is asked for a move, the second of
// a match where that makes a difference.
func testBots() map[string]func() {
	// with is a bot that answers so, without one that does not hear a line from
	// its first-th time on.
	with := func(answer func(*question) string) func() {
		return func() { fake{answer: answer}.run(os.Stdin, os.Stdout) }
	}
	without := func(ignored string, first int) func() {
		return func() {
			fake{line: func(_ *question, line string) bool {
				if line == ignored {
					first--
				}
				return first <= 0
			}}.run(os.Stdin, os.Stdout)
		}
	}
	return map[string]func(){
		"instant":  instant,
		"sleeper":  sleep,
		"first":    with(nil),
		"varied":   with((*question).any),
		"no mbiok": without("mbi 1", 1),

		"no readyok":     without("isready", 1),
		"no new readyok": without("isready", 2), // for the match

		"exits at once":  func() { os.Exit(3) },
		"exits":          with(at(2, func(*question) string { os.Exit(3); return "" })),
		"exits mid-line": with(at(2, func(q *question) string { fmt.Fprint(q.out, "bestmo"); os.Exit(0); return "" })),
		"is killed":      with(at(2, func(*question) string { signalMe(syscall.SIGKILL); return "" })),
		"panics":         with(at(2, func(*question) string { panic("out of seeds\x1b[31m") })),
		"closes stdin":   with(at(2, func(q *question) string { os.Stdin.Close(); q.say("%s", q.first()); sleep(); return "" })),
		"closes stdout":  with(at(2, func(*question) string { os.Stdout.Close(); sleep(); return "" })),
		"stops itself":   with(at(2, func(*question) string { signalMe(syscall.SIGSTOP); sleep(); return "" })),
		"is silent":      with(at(2, says(""))),
		"reads nothing":  func() { fmt.Print("mbiok\nreadyok\nreadyok\n"); sleep() },

		"illegal":       with(at(2, says("bestmove Q"))),
		"bare bestmove": with(at(2, says("bestmove"))),
		"garbage":       with(at(2, says("\x7fELF\xff\xfe\x1b[2J best move A"))),
		"NUL":           with(at(2, func(q *question) string { return q.first() + "\x00" })),
		"endless line":  with(at(2, func(q *question) string { return flood(q.out, "bestmove") })),
		"floods":        with(at(2, func(q *question) string { return flood(q.out, "info depth 3 score 1\n") })),
		"answers twice": with(at(2, func(q *question) string { return q.first() + "\n" + q.first() })),
		"answers before asked": func() {
			fake{line: func(q *question, line string) bool {
				if q.match > 0 && line == "isready" {
					q.say("readyok\nbestmove A")
					return true
				}
				return false
			}}.run(os.Stdin, os.Stdout)
		},

		// These take 100 ms over their second move, and give up at the third.
		"sleeps a while": with(takes(func() { time.Sleep(100 * time.Millisecond) })),
		"sleeps long":    with(takes(func() { time.Sleep(500 * time.Millisecond) })),
		"works a while":  with(takes(func() { work(100 * time.Millisecond) })),
		"ponders": func() {
			go work(time.Hour) // also on its opponent's time
			with(at(3, says("bestmove resign")))()
		},

		// What these do is no fault.
		"floods stderr": with(at(2, func(q *question) string {
			for range 1000 {
				fmt.Fprintln(os.Stderr, strings.Repeat("log ", 1000))
			}
			return q.first()
		})),
		"CR LF": func() { fake{}.run(os.Stdin, crlf{os.Stdout}) },
		"stays": func() {
			signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE)
			with(nil)()
			sleep()
		},
		"saves late": func() {
			fake{line: func(_ *question, line string) bool {
				if line == "quit" {
					os.Stdout.Close()
					time.Sleep(300 * time.Millisecond)
					mark := filepath.Join(os.Getenv(testMarkVariable), fmt.Sprint(os.Getpid()))
					if err := os.WriteFile(mark, nil, 0o600); err != nil {
						panic(err)
					}
				}
				return false
			}}.run(os.Stdin, os.Stdout)
		},
		"leaves a child": func() {
			child := exec.Command(os.Args[0])
			child.Env = append(os.Environ(), testBotVariable+"=sleeper")
			child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
			if err := child.Start(); err != nil {
				panic(err)
			}
			mark := filepath.Join(os.Getenv(testMarkVariable), fmt.Sprint(child.Process.Pid))
			if err := os.WriteFile(mark, nil, 0o600); err != nil {
				panic(err)
			}
			with(nil)()
		},
	}
}

// takes returns answers of a bot that does something over its second move.
func takes(do func()) func(*question) string {
	return func(q *question) string {
		switch q.ply {
		case 2:
			do()
		case 3:
			return "bestmove resign"
		}
		return q.first()
	}
}

// work keeps a processor busy until that much of its time is used.
func work(long time.Duration) {
	begun, ok := cpuTimeOf(os.Getpid())
	for ok {
		if now, _ := cpuTimeOf(os.Getpid()); now-begun >= long {
			return
		}
	}
}

// sleep is longer than any test.
func sleep() { time.Sleep(5 * time.Minute) }

func signalMe(s syscall.Signal) {
	if err := syscall.Kill(os.Getpid(), s); err != nil {
		panic(err)
	}
}

// flood writes a text for as long as somebody reads.
func flood(w io.Writer, text string) string {
	block := []byte(strings.Repeat(text, 1000))
	for {
		if _, err := w.Write(block); err != nil {
			return ""
		}
	}
}

// crlf ends lines as Windows does.
type crlf struct{ w io.Writer }

func (c crlf) Write(b []byte) (int, error) {
	_, err := c.w.Write(bytes.ReplaceAll(b, []byte{'\n'}, []byte("\r\n")))
	return len(b), err
}
