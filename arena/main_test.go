package arena

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sembra/arena/guest"
	"sembra/arena/sandbox"
)

const (
	// testBotVariable makes this test binary play the bot that it names.
	testBotVariable = "SEMBRA_TEST_BOT"

	// testMarkVariable is how the processes of one test are found again. It
	// names a folder for what they leave behind.
	testMarkVariable = "SEMBRA_TEST_MARK"

	// What bots may not have: files in a folder, an address, a process.
	testSecretVariable  = "SEMBRA_TEST_SECRETS"
	testAddressVariable = "SEMBRA_TEST_ADDRESS"
	testArenaVariable   = "SEMBRA_TEST_ARENA"

	// The number of the process that started this one.
	testParentVariable = "SEMBRA_TEST_PARENT"

	// workingProcesses is how many processes a bot has that work.
	workingProcesses = 4
)

func TestMain(m *testing.M) {
	if sandbox.IsChild(os.Args) {
		os.Exit(sandbox.RunChild())
	}
	name := os.Getenv(testBotVariable)
	if name == "" {
		_ = flag.Set("test.parallel", "24") // most of these tests wait; the command line overrides it
		os.Exit(m.Run())
	}
	bot, ok := testBots()[name]
	if !ok {
		fmt.Fprintf(os.Stderr, "unknown test bot %q\n", name)
		os.Exit(1)
	}
	bot()
}

// testBots returns the bots that this test binary plays, most of them bad. A bad bot does what its name says when it
// is asked for a move, the second of a match where that makes a difference.
func testBots() map[string]func() {
	var working []*exec.Cmd
	// with is a bot that answers so, without one that does not hear a line from
	// its first-th time on.
	with := func(answer func(*question) string) func() {
		return func() { scripted{Answer: answer}.Run(os.Stdin, os.Stdout) }
	}
	without := func(ignored string, first int) func() {
		return func() {
			scripted{Line: func(_ *question, line string) bool {
				if line == ignored {
					first--
				}
				return first <= 0
			}}.Run(os.Stdin, os.Stdout)
		}
	}
	return map[string]func(){
		"sleeper": sleep,
		"first":   with(nil),
		"varied":  with((*question).Any),

		"never says mbiok":                 without("mbi 1", 1),
		"never says readyok":               without("isready", 1),
		"does not answer a later newmatch": without("isready", 2),

		"exits before mbiok": func() { os.Exit(3) },
		"exits":              with(at(2, func(*question) string { os.Exit(3); return "" })),
		"exits in the middle of a line": with(at(2, func(q *question) string {
			fmt.Fprint(q.Out, "bestmo")
			os.Exit(0)
			return ""
		})),
		"plays a legal move and exits": with(at(2, func(q *question) string { q.Say("%s", q.First()); os.Exit(0); return "" })),
		"is killed":                    with(at(2, func(*question) string { signalMe(syscall.SIGKILL); sleep(); return "" })),
		"dies of a signal": with(at(2, func(*question) string {
			return become("kill -SEGV $$") // the Go runtime would make a panic of it
		})),
		"explains": func() {
			scripted{
				Hello: "option name Depth type spin default 1 min 0 max 9\nwants legal",
				Answer: func(q *question) string {
					fmt.Fprintf(os.Stderr, "match %d question %d\n", q.Match, q.Ply)
					return q.First()
				},
			}.Run(os.Stdin, os.Stdout)
		},
		"panics":                     with(at(2, func(*question) string { panic("out of seeds\x1b[31m") })),
		"closes its standard input":  with(at(2, func(q *question) string { os.Stdin.Close(); q.Say("%s", q.First()); sleep(); return "" })),
		"closes its standard output": with(at(2, func(*question) string { os.Stdout.Close(); sleep(); return "" })),
		"stops itself":               with(at(2, func(*question) string { signalMe(sigStop); sleep(); return "" })),
		"is silent":                  with(at(2, says(""))),
		"is silent and ignores every signal": with(at(2, func(*question) string {
			signal.Ignore() // whatever can be
			sleep()
			return ""
		})),
		"reads nothing": func() { fmt.Print("mbiok\nreadyok\nreadyok\n"); sleep() },
		"chatters": with(at(2, func(q *question) string {
			for {
				q.Say("info depth 1 score 0")
				time.Sleep(10 * time.Millisecond)
			}
		})),
		"drips bytes": with(at(2, func(q *question) string {
			for _, letter := range strings.Repeat("bestmove ", 100) {
				fmt.Fprint(q.Out, string(letter))
				time.Sleep(50 * time.Millisecond)
			}
			return ""
		})),
		"writes half a line and waits": with(at(2, func(q *question) string { fmt.Fprint(q.Out, "bestm"); sleep(); return "" })),

		"answers an empty line":      with(at(2, func(q *question) string { q.Say(""); return "" })),
		"answers an illegal move":    with(at(2, says("bestmove Q"))),
		"answers without a move":     with(at(2, says("bestmove"))),
		"answers garbage":            with(at(2, says("\x7fELF\xff\xfe\x1b[2J best move A"))),
		"sends a NUL byte":           with(at(2, func(q *question) string { return q.First() + "\x00" })),
		"writes a line without end":  with(at(2, func(q *question) string { return flood(q.Out, "bestmove") })),
		"floods its standard output": with(at(2, func(q *question) string { return flood(q.Out, "info depth 3 score 1\n") })),
		"answers twice":              with(at(2, func(q *question) string { return q.First() + "\n" + q.First() })),
		"answers before it is asked": func() {
			scripted{Line: func(q *question, line string) bool {
				if q.Match > 0 && line == "isready" {
					q.Say("readyok\nbestmove A")
					return true
				}
				return false
			}}.Run(os.Stdin, os.Stdout)
		},
		"eats memory": with(at(2, func(*question) string {
			var eaten [][]byte
			for len(eaten) < 1<<20 {
				eaten = append(eaten, bytes.Repeat([]byte{1}, 1<<20))
			}
			return ""
		})),
		"forks without end": with(at(2, func(*question) string {
			return become("while :; do sleep 300 & done") // a shell that may not gives up
		})),

		// These take 100 ms over their second move, and give up at the third.
		"sleeps a while": with(takes(func() { time.Sleep(100 * time.Millisecond) })),
		"works a while":  with(takes(func() { work(100 * time.Millisecond) })),
		"ponders": func() {
			go work(time.Hour) // also on its opponent's time
			with(at(3, says("bestmove resign")))()
		},
		"ponders elsewhere": func() {
			worker := child()
			worker.Env = append(worker.Env, testBotVariable+"=worker")
			worker.SysProcAttr = ownSession()
			need(worker.Start())
			with(at(3, says("bestmove resign")))()
			_ = worker.Process.Kill() // it may have died
			_ = worker.Wait()         // so that its time is known
		},
		"works when it is sent away": func() {
			scripted{Line: func(_ *question, line string) bool {
				for begun := time.Now(); line == "quit" && time.Since(begun) < time.Minute; {
				}
				return false
			}}.Run(os.Stdin, os.Stdout)
		},
		"leaves slowly": func() {
			with(nil)()
			time.Sleep(300 * time.Millisecond)
			os.Exit(4)
		},
		"works while it waits": func() {
			with(func(q *question) string {
				for q.Ply == 1 && len(working) < workingProcesses {
					c := exec.Command("/bin/sh", "-c", "while :; do :; done")
					need(c.Start())
					working = append(working, c)
				}
				for ; q.Ply == 3 && len(working) > 0; working = working[1:] {
					_ = working[0].Process.Kill()
					_ = working[0].Wait() // it was killed
				}
				return q.First()
			})()
		},
		"counts its processors":  with(func(q *question) string { return unless(q, runtime.NumCPU() != 1) }),
		"takes other processors": with(at(2, func(q *question) string { return unless(q, unbind() == nil) })),
		"worker":                 func() { work(time.Hour) },
		"eats memory in many processes": with(at(2, func(*question) string {
			for range 7 {
				eater := child()
				eater.Env = append(eater.Env, testBotVariable+"=eater")
				need(eater.Start())
			}
			sleep()
			return ""
		})),
		"eater": func() { eat(96 << 20); sleep() },
		"holds memory": func() {
			held := bytes.Repeat([]byte{1}, heldMemory)
			with(nil)()
			runtime.KeepAlive(held)
		},

		// What these do is no fault.
		"floods its standard error":                   with(at(2, func(q *question) string { return floodStderr(q, "\n") })),
		"floods its standard error without line ends": with(at(2, func(q *question) string { return floodStderr(q, "") })),
		"ends its lines with CR LF":                   func() { scripted{}.Run(os.Stdin, crlf{os.Stdout}) },
		"ignores quit": func() {
			signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE)
			with(nil)()
			sleep()
		},
		"saves late": func() {
			scripted{Line: func(_ *question, line string) bool {
				if line == "quit" {
					os.Stdout.Close()
					time.Sleep(100 * time.Millisecond)
					mark := filepath.Join(os.Getenv(testMarkVariable), fmt.Sprint(os.Getpid()))
					need(os.WriteFile(mark, nil, 0o600))
				}
				return false
			}}.Run(os.Stdin, os.Stdout)
		},
		"exits while its child plays on": func() {
			if os.Getenv(testParentVariable) == "" {
				exitBefore(child())
			}
			with(func(q *question) string {
				switch q.Ply {
				case 2: // the answer comes after the exit
					os.NewFile(3, "").Close()
					for strconv.Itoa(os.Getppid()) == os.Getenv(testParentVariable) {
						time.Sleep(time.Millisecond)
					}
				case 3: // it may take a while until the exit is noticed
					sleep()
				}
				return q.First()
			})()
		},
		"leaves a child": func() {
			need(child().Start())
			with(nil)()
		},
		"leaves a daemon in a session of its own": func() {
			daemon := child()
			daemon.SysProcAttr = ownSession()
			need(daemon.Start())
			with(nil)()
		},

		// These say that they could do what they may not by an illegal move.
		"reads the user's files": with(at(2, func(q *question) string {
			return unless(q, reads(filepath.Join(os.Getenv(testSecretVariable), "letter")))
		})),
		"reads the database": with(at(2, func(q *question) string {
			return unless(q, reads("spring.db") || !reads("mine.py"))
		})),
		"reads the files of another bot": with(at(2, func(q *question) string {
			return unless(q, reads("other.py") || !reads("mine.py"))
		})),
		"writes into its folder": with(at(2, func(q *question) string {
			return unless(q, os.WriteFile("mine", nil, 0o600) == nil)
		})),
		"opens the network": with(at(2, func(q *question) string {
			wire, err := net.Dial("tcp", os.Getenv(testAddressVariable))
			if err == nil {
				wire.Close()
			}
			return unless(q, err == nil)
		})),
		"kills the arena": with(at(2, func(q *question) string {
			pid, err := strconv.Atoi(os.Getenv(testArenaVariable))
			need(err)
			return unless(q, reaches(pid))
		})),
	}
}

// unless is the first legal move, unless it should not have come to this.
func unless(q *question, bad bool) string {
	if bad {
		return "bestmove Q"
	}
	return q.First()
}

func reads(path string) bool {
	text, err := os.ReadFile(path)
	return err == nil && len(text) > 0
}

// exitBefore starts a process that plays this bot, and exits when that closes its file 3.
func exitBefore(c *exec.Cmd) {
	wait, signal, err := os.Pipe()
	need(err)
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%d", testParentVariable, os.Getpid()))
	c.ExtraFiles = []*os.File{signal}
	need(c.Start())
	signal.Close()
	_, _ = wait.Read(make([]byte, 1)) // it ends when the file is closed
	os.Exit(0)
}

// child is a process that does nothing, with the bot's own input and output.
func child() *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), testBotVariable+"=sleeper")
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	return c
}

func floodStderr(q *question, lineEnd string) string {
	for range 1000 {
		fmt.Fprint(os.Stderr, strings.Repeat("log ", 1000)+lineEnd)
	}
	return q.First()
}

// takes returns answers of a bot that does something over its second move.
func takes(do func()) func(*question) string {
	return func(q *question) string {
		switch q.Ply {
		case 2:
			do()
		case 3:
			return "bestmove resign"
		}
		return q.First()
	}
}

// work keeps a processor busy until that much of its time is used.
func work(long time.Duration) {
	for begun := cpuTime(); cpuTime()-begun < long; {
	}
}

// become makes a shell with a script of the bot's process.
func become(script string) string {
	panic(syscall.Exec("/bin/sh", []string{"sh", "-c", script}, os.Environ()))
}

// sleep is longer than any test.
func sleep() { time.Sleep(5 * time.Minute) }

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

// testBot starts this test binary as the bot of that name.
func testBot(name string, env ...string) guest.Command {
	env = append(env, testBotVariable+"="+name, "GORACE=atexit_sleep_ms=0") // else it takes a second to exit with -race
	return guest.Command{Args: []string{os.Args[0], name}, Env: env}
}

// need ends a bot that cannot do what its name says.
func need(err error) {
	if err != nil {
		panic(err)
	}
}
