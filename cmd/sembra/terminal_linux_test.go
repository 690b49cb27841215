package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
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
	must(t, unix.IoctlSetWinsize(int(term.person.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: width, Row: height}))
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

// start starts the program at the terminal.
func (term *terminal) start(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("sembra", args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, term.program, term.program, term.program
	cmd.Env = append(os.Environ(), "TERM=xterm", "NO_COLOR=")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	must(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd
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

// TestPlayOnTerminal: a person plays at a terminal, and leaves in every way. No process of the bot is left.
func TestPlayOnTerminal(t *testing.T) {
	t.Parallel()
	for how, quit := range map[string]struct {
		keys   string
		signal syscall.Signal
		status int
		last   string
	}{
		"quit":       {keys: "q\r", last: "sembra play awale --against 'testbot parent played-quit-"},
		"end":        {keys: "\x04", status: exitStopped, last: "sembra: the input ended"},
		"interrupt":  {keys: "\x03", status: exitStopped, last: "sembra: stopped by a signal"},
		"terminated": {signal: syscall.SIGTERM, status: exitStopped, last: "sembra: stopped by a signal"},
		"hung up":    {signal: syscall.SIGHUP, status: exitStopped, last: "sembra: stopped by a signal"},
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			mark := fmt.Sprintf("played-%s-%d", strings.ReplaceAll(how, " ", "-"), os.Getpid())
			term := newTerminal(t, 80, 24)
			cmd := term.start(t, t.TempDir(), "play", "awale", "--against", "testbot parent "+mark, "--time", "1h")
			term.await(t, 0, "Which hole do you sow? A B C D E F\r\n")
			term.types(t, "z\r", "z is not a move, choice or command")
			term.types(t, "c\r", "North sowed a: 5 seeds to b c d e f.")
			term.types(t, "u\r", "undone: 2 moves")
			term.types(t, "C\r", "> ")
			seen := len(term.sofar())
			if quit.signal == 0 {
				term.types(t, quit.keys, quit.last)
			} else {
				must(t, cmd.Process.Signal(quit.signal))
			}
			if err := cmd.Wait(); cmd.ProcessState.ExitCode() != quit.status {
				t.Errorf("%v, exit status %d wanted", err, quit.status)
			}
			term.await(t, seen, quit.last)
			if strings.Contains(term.sofar(), "\x1b") {
				t.Errorf("a control sequence is in %q", term.sofar())
			}
			waitGone(t, mark)
		})
	}
}

// TestPlayToEnd chooses moves of redu by questions, resigns at a terminal, and saves the match.
func TestPlayToEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	term := newTerminal(t, 80, 24)
	const position = "0,0,0,4,1,1/1,3,0,0,0,0 20-18 S sow 1 0 take=- missed=-"
	cmd := term.start(t, dir, "play", "redu", "--against", "testbot first", "--time", "1h", "--position", position)
	term.await(t, 0, "Which hole do you sow? D E F")
	term.types(t, "a\r", "A is empty.")
	term.types(t, "e\r", "  2  those of E and F together")
	term.types(t, "\r", "Which hole do you sow? D E F")
	term.types(t, "d\r", "  2  backwards, from F towards A")
	term.types(t, "2\r", "Where does the first seed fall?")
	term.types(t, "o\r", "Where does the last seed fall?")
	term.types(t, "2\r", "Do you leave the third-last seed open?")
	term.types(t, "x\r", "South sowed D: 4 seeds to c d C e.")
	term.types(t, "r\r", "write resign again")
	term.types(t, "board\r", "Which hole do you sow?")
	term.types(t, "r\r", "write resign again")
	term.types(t, "r\r", "testbot (North) has won, stores ")
	term.types(t, "save\r", " is empty")
	term.types(t, "save redu.jsonl\r", "saved redu.jsonl")
	term.types(t, "u\r", "Which hole do you sow?") // the resignation is taken back
	term.types(t, "q\r", "sembra play redu ")
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "redu.jsonl"))
	if err != nil || !strings.Contains(string(text), `"ending":"resign"`) {
		t.Errorf("saved is %q, %v", text, err)
	}
	cmd = term.start(t, dir, "play", "awale", "--seat", "north", "--against", "testbot hang", "--time", "1h")
	term.types(t, "help\r", "testbot is thinking … (quit leaves)")
	term.types(t, "quit\r", "quit")
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// TestServeOnTerminal: the pages of a run on a terminal stay when it is complete, and another run may begin meanwhile.
func TestServeOnTerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, dir, "cup.toml", pairsOf("cup", "awale"))
	term := newTerminal(t, 120, 24)
	cmd := term.start(t, dir, "run", "cup.toml", "--serve", "--addr", "127.0.0.1:0")
	term.await(t, 0, "/ stays open until Ctrl-C")
	s := served{address: regexp.MustCompile(`http://\S+/`).FindString(term.sofar())}
	s.await(t, "t/cup/", "2 of 2 matches")
	mustRun(t, dir, "run", "cup.toml", "--fresh")
	s.await(t, "t/cup-2/", "2 of 2 matches")
	term.types(t, "\x03", "to see them again: sembra serve cup.db")
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// TestReplayOnTerminal: a replay shows one board at a time.
func TestReplayOnTerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mustRun(t, dir, "duel", "random", "greedy", "--db", "cup.db")
	term := newTerminal(t, 80, 24)
	cmd := term.start(t, dir, "replay", "1", "--db", "cup.db")
	term.await(t, 0, "board 0 of ")
	term.types(t, "\r", "board 1 of ")
	term.types(t, "7\r", "board 7 of ")
	term.types(t, "b\r", "board 6 of ")
	term.types(t, "q\r", "q")
	if err := cmd.Wait(); err != nil || strings.Contains(term.sofar(), "ply 2 ") {
		t.Errorf("%v\n%s", err, term.sofar())
	}
}

// TestTablesFit: what is printed fits into a terminal, unless --wide asks for whole tables.
func TestTablesFit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mustRun(t, dir, "duel", "random", "testbot illegal", "--db", "cup.db")
	mustRun(t, dir, "duel", "random", "greedy", "--db", "fair.db")
	for _, c := range []struct {
		width     uint16
		args      string
		want, end string
	}{
		{120, "standings --db cup.db", "# bot     points matches won drawn lost  score faults CPU\r\n", "2 testbot 0 .\r\n"},
		{40, "standings --db cup.db", "# bot     points matches faults\r\n", "2 testbot 0 .\r\n"},
		{40, "standings --db cup.db --wide", "# bot     points matches won drawn lost  score  Elo faults CPU\r\n", "2 testbot 0 .\r\n"},
		{40, "head-to-head --db cup.db", "bot    opponent points    Elo   LOS\r\n", "all)\r\n"},
		{80, "head-to-head --db cup.db --wide", "  LL-LD-level-WD-WW  by fault      CPU\r\n", "pairs by result\r\n"},
		{80, "duel random greedy minimax:Depth=1 --time 10m --pairs 2", "# bot            points matches", "interval\r\n"},
		{80, "replay --db fair.db --log 1", "so its conversation was not kept", "conversations)\r\n"},
		{80, "duel random minimax:Deep=1", "unknown option \"Deep\"", "Depth)\r\n"},
	} {
		term := newTerminal(t, c.width, 24)
		_ = term.start(t, dir, strings.Fields(c.args)...).Wait() // the last one fails
		term.await(t, 0, c.end)
		seen := term.sofar()
		if !strings.Contains(seen, c.want) {
			t.Errorf("%s, %d columns:\n%s", c.args, c.width, seen)
		}
		for line := range strings.SplitSeq(seen, "\n") {
			line = strings.TrimRight(line, "\r")
			shown := line[strings.LastIndex(line, "\r")+1:] // live lines are written over
			if len([]rune(shown)) > int(c.width) && !strings.Contains(c.args, "--wide") && !strings.Contains(line, "\x1b") &&
				!strings.HasPrefix(line, "isolation: ") { // what this machine lacks may fill more than a line
				t.Errorf("%s, %d columns: %q", c.args, c.width, line)
			}
		}
	}
}

// TestLiveLines: live lines are at the bottom of a terminal while a tournament runs,
// and nothing of them is left after Ctrl-C.
func TestLiveLines(t *testing.T) {
	t.Parallel()
	const width = 60
	dir := t.TempDir()
	writeFile(t, dir, "cup.toml", longer("live"))
	writeFile(t, dir, "slow", "")
	writeFile(t, dir, "held", "")
	term := newTerminal(t, width, 24)
	cmd := term.start(t, dir, "run", "cup.toml", "--concurrency", "1")
	term.await(t, 0, "longest")
	screen := pictured(term.sofar())
	if !strings.Contains(screen, "\ncup  0 of 12 matches  ") {
		t.Errorf("there is no progress on the screen:\n%s", screen)
	}
	term.types(t, "\x03", "sembra: stopped by a signal")
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitStopped {
		t.Errorf("it ended with %v", err)
	}
	term.await(t, 0, "rest\r\n")
	screen = pictured(term.sofar())
	said := strings.TrimSpace(screen[strings.Index(screen, "sembra: stopped"):])
	if strings.Join(strings.Fields(said), " ") != "sembra: stopped by a signal: 0 of 12 matches are saved in cup.db; the same command plays the rest" {
		t.Errorf("it ended with %q", said)
	}
	for row := range strings.SplitSeq(said, "\n") {
		if len(row) > width {
			t.Errorf("a row is longer than %d columns: %q", width, row)
		}
	}
	if strings.Contains(screen, "longest") || strings.Contains(screen, "matches  ") || strings.Contains(screen, "^C") {
		t.Errorf("live lines are left on the screen:\n%s", screen)
	}
}

// pictured returns what a terminal shows after a text: it knows the line ends, and
// the sequences that move the cursor up and erase all below it.
func pictured(text string) string {
	rows, row, column := []string{""}, 0, 0
	sequence := regexp.MustCompile(`^\x1b\[(\d*)([AJ])`)
	for len(text) > 0 {
		if found := sequence.FindStringSubmatch(text); found != nil {
			text = text[len(found[0]):]
			if found[2] == "J" {
				rows = rows[:row+1]
				rows[row] = rows[row][:min(column, len(rows[row]))]
				continue
			}
			up, _ := strconv.Atoi(found[1])
			row = max(0, row-max(1, up))
			continue
		}
		switch c := text[0]; c {
		case '\r':
			column = 0
		case '\n':
			if row++; row == len(rows) {
				rows = append(rows, "")
			}
		default:
			line := []byte(rows[row])
			for len(line) <= column {
				line = append(line, ' ')
			}
			line[column] = c
			rows[row] = string(line)
			column++
		}
		text = text[1:]
	}
	return strings.Join(rows, "\n")
}
