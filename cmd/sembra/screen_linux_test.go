package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is a pseudo-terminal, with a person at it who reads and types.
type terminal struct {
	person, program *os.File // its two ends

	mu   sync.Mutex
	seen string
}

// newTerminal opens a pseudo-terminal of that many columns and lines.
func newTerminal(t *testing.T, width, height uint16) *terminal {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { person.Close() })
	var number int
	err = unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0)
	if err == nil {
		number, err = unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	}
	if err != nil {
		t.Skip(err)
	}
	program, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { program.Close() })
	term := &terminal{person: person, program: program}
	term.resize(t, width, height)
	go term.read()
	return term
}

func (term *terminal) read() {
	buffer := make([]byte, 1<<16)
	for {
		n, err := term.person.Read(buffer)
		term.mu.Lock()
		term.seen += string(buffer[:n])
		term.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// sofar returns all that was written to the terminal.
func (term *terminal) sofar() string {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.seen
}

func (term *terminal) resize(t *testing.T, width, height uint16) {
	t.Helper()
	if err := unix.IoctlSetWinsize(int(term.person.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: width, Row: height}); err != nil {
		t.Fatal(err)
	}
}

// types types keys, and waits until the program answers with a text.
func (term *terminal) types(t *testing.T, keys, answer string) {
	t.Helper()
	before := len(term.sofar())
	if _, err := term.person.WriteString(keys); err != nil {
		t.Fatal(err)
	}
	term.await(t, before, answer)
}

// await waits until the program writes a text, after the first bytes up to before.
func (term *terminal) await(t *testing.T, before int, text string) {
	t.Helper()
	var seen string
	for begun := time.Now(); time.Since(begun) < patience; time.Sleep(2 * time.Millisecond) {
		seen = term.sofar()[before:]
		if strings.Contains(seen, text) {
			return
		}
	}
	t.Fatalf("%q does not come, but %q", text, seen)
}

// settings returns the settings of the terminal.
func (term *terminal) settings(t *testing.T) unix.Termios {
	t.Helper()
	settings, err := unix.IoctlGetTermios(int(term.program.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return *settings
}

// start starts the program at the terminal.
func (term *terminal) start(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("sembra", args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, term.program, term.program, term.program
	cmd.Env = append(os.Environ(), "TERM=xterm", "NO_COLOR=")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd
}

const (
	taken = "\x1b[?1049h\x1b[?7l\x1b[?25l"
	given = "\x1b[?7h\x1b[?25h\x1b[?1049l"
)

// TestScreen walks through a match at a terminal, and quits in every way.
func TestScreen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	faultyMatch(t, dir, nil)
	for how, quit := range map[string]struct {
		keys   string
		signal syscall.Signal
		status int
	}{
		"q":          {keys: "q"},
		"escape":     {keys: "\x1b"},
		"interrupt":  {keys: "\x03"},
		"terminated": {signal: syscall.SIGTERM, status: exitStopped},
		"hung up":    {signal: syscall.SIGHUP, status: exitStopped},
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			term := newTerminal(t, 80, 24)
			before := term.settings(t)
			cmd := term.start(t, dir, "replay", "--db", "cup.db", "1")
			term.await(t, 0, taken)
			term.await(t, 0, "\x1b[7mply 0 of 1  the start ")
			if term.settings(t) == before {
				t.Error("keys are not given at once")
			}
			term.types(t, "\x1b[C", "South sowed C: 4 seeds to D E F a.")
			term.await(t, 0, "at fault: bad (North)")
			term.types(t, "\x1b[D", "the start")
			term.types(t, "1", "go to ply 1_")
			term.types(t, "\r", "ply 1 of 1  good (South)  C  0.001000s")
			term.types(t, "9", "go to ply 9_  there is no such ply (0 to 1)")
			term.types(t, "\r", "there is no ply 9 (0 to 1)")
			seen := len(term.sofar())
			term.resize(t, 30, 5)
			term.await(t, seen, "ply 1 of 1  good (South)  C  …")

			if quit.signal == 0 {
				term.types(t, quit.keys, given)
			} else if err := cmd.Process.Signal(quit.signal); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); cmd.ProcessState.ExitCode() != quit.status {
				t.Errorf("%v, exit status %d wanted", err, quit.status)
			}
			if quit.signal != 0 {
				term.await(t, seen, given+"sembra: stopped by a signal\r\n")
			}
			if after := term.settings(t); after != before {
				t.Errorf("the terminal is left as %+v, and was %+v", after, before)
			}
		})
	}
}

// TestScreenUnwanted: the viewer does not start if the user does not want it.
func TestScreenUnwanted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	faultyMatch(t, dir, nil)
	for _, test := range []struct {
		args, env []string
		want      string
	}{
		{[]string{"--plain"}, nil, "┌─────┬"},
		{[]string{"--plain", "--ascii"}, nil, "+-----+"},
		{nil, []string{"TERM=dumb"}, "┌─────┬"},
	} {
		term := newTerminal(t, 80, 24)
		cmd := exec.Command("sembra", append([]string{"replay", "--db", "cup.db", "1"}, test.args...)...)
		cmd.Dir, cmd.Stdin, cmd.Stdout = dir, term.program, term.program
		cmd.Env = append(append(os.Environ(), "TERM=xterm"), test.env...)
		if err := cmd.Run(); err != nil {
			t.Errorf("%v: %v", test, err)
		}
		term.await(t, 0, "\r\nresult      good (South) has won\r\n")
		if seen := term.sofar(); !strings.Contains(seen, test.want) || strings.Contains(seen, "\x1b") {
			t.Errorf("%v: %s", test, seen)
		}
	}
}

// TestShowOnTerminal: show draws lines of Unicode on a terminal only, and not there with --ascii.
func TestShowOnTerminal(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ flag, want, unwanted string }{
		{"--ascii=false", "\n► South   │  6  │  6  │  6  │  6  │   store  0", "|+"},
		{"--ascii", "\n> South   |  6  |  6  |  6  |  6  |   store  0", "│┌"},
	} {
		term := newTerminal(t, 80, 24)
		cmd := exec.Command("sembra", "show", "bechi", test.flag)
		cmd.Stdout = term.program
		if err := cmd.Run(); err != nil {
			t.Errorf("%v: %v", test, err)
		}
		term.await(t, 0, test.want)
		if seen := term.sofar(); strings.ContainsAny(seen, test.unwanted) {
			t.Errorf("%v: %s", test, seen)
		}
	}
}

// TestScreenPanic: onScreen restores the terminal after an error and a panic.
func TestScreenPanic(t *testing.T) {
	t.Parallel()
	term := newTerminal(t, 80, 24)
	before := term.settings(t)
	wrong := errors.New("wrong")
	if err := onScreen(term.program, term.program, func() error { return wrong }); err != wrong {
		t.Error(err)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is gone")
			}
		}()
		_ = onScreen(term.program, term.program, func() error {
			if term.settings(t) == before {
				t.Error("keys are not given at once")
			}
			panic("on purpose")
		})
	}()
	if after := term.settings(t); after != before {
		t.Errorf("the terminal is left as %+v, and was %+v", after, before)
	}
	term.await(t, 0, given)
}
