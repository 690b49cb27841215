// Command testbot is a bot for the tests, which build it. Its first argument names the kind of the bot. A bot without a
// fault plays the first legal move, "last" the last one and "middle" the one in the middle. "honest" computes for 30 ms
// before each move. "moody" plays as South only. "parent" leaves a child, and another in a session of its own. If a file
// named slow is in its folder, a bot thinks for some time, and adds a byte to a file named ended after every match. It
// waits before a move when that file has as many bytes as the file slow says, if it says a number. If a file named held
// is there too, the bot waits until that file is gone. "uci" is an engine that speaks UCI, and "line" a bot of the
// protocol board.
package main

import (
	"bufio"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	switch os.Args[1] {
	case "uci":
		uciEngine(os.Args[2:])
		return
	case "line":
		lineBot(os.Args[2:])
		return
	}
	b := bot{kind: os.Args[1], out: bufio.NewWriter(os.Stdout)}
	switch b.kind {
	case "quitter":
		fmt.Fprintln(os.Stderr, "no licence\x1b[31m found")
		syscall.Exit(1)
	case "left":
		time.Sleep(time.Minute)
		return
	case "parent":
		leaveBehind()
	case "deaf":
		signal.Ignore(syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		word, rest, _ := strings.Cut(in.Text(), " ")
		if word == "quit" {
			break
		}
		b.hear(word, rest)
	}
	if b.kind == "unflushed" { // as Python does at its end
		b.out.Flush()
	}
	if b.kind == "deaf" {
		time.Sleep(time.Hour)
	}
}

type bot struct {
	kind  string
	out   *bufio.Writer
	legal []string
	slow  bool
	asked int   // for moves
	most  int64 // ends of matches before it waits; 0: no number
	north bool
}

// hear answers a line.
func (b *bot) hear(word, rest string) {
	switch word {
	case "mbi":
		b.say("id name " + b.kind + "\nwants legal\nmbiok")
	case "isready":
		b.say("readyok")
	case "newmatch":
		if b.kind == "leaver" {
			syscall.Exit(4)
		}
		text, err := os.ReadFile("slow")
		b.slow = err == nil
		b.most, _ = strconv.ParseInt(string(text), 10, 64) // 0 for an empty file
		b.north = strings.Contains(rest, " north ")
	case "legal":
		b.legal = strings.Fields(rest)
	case "go":
		if b.asked++; b.slow && b.asked%8 == 1 {
			time.Sleep(16 * time.Millisecond)
			b.wait()
		}
		b.move()
	case "endmatch":
		if b.slow {
			b.note()
		}
	}
}

// say prints a line immediately. The silent and the unflushed bot forget to flush.
func (b *bot) say(line string) {
	fmt.Fprintln(b.out, line)
	if b.kind != "silent" && b.kind != "unflushed" {
		b.out.Flush()
	}
}

func (b *bot) move() {
	choice := b.legal[0]
	switch b.kind {
	case "last":
		choice = b.legal[len(b.legal)-1]
	case "middle":
		choice = b.legal[len(b.legal)/2]
	case "resign":
		choice = "resign"
	case "illegal":
		choice = "Q"
	case "moody":
		if b.north {
			choice = "Q"
		}
	case "case":
		choice = swapCase(choice)
	case "exits":
		fmt.Fprintln(os.Stderr, "panic: \x1b[31mno more seeds")
		syscall.Exit(3)
	case "hang":
		time.Sleep(time.Hour)
	case "garbage":
		b.say("\x00\x01\x02\xff")
	case "flood":
		for {
			fmt.Fprint(b.out, strings.Repeat("x", 1<<10))
		}
	case "honest":
		for begun := time.Now(); time.Since(begun) < 30*time.Millisecond; {
		}
	case "spy":
		for _, path := range filepath.SplitList(os.Getenv("SPY")) {
			if text, err := os.ReadFile(path); err == nil && len(text) > 0 {
				choice = "Q"
			}
		}
	case "twice":
		choice += "\nbestmove " + choice
	}
	b.say("info depth 1 score 0\nbestmove " + choice)
}

func swapCase(token string) string {
	if upper := strings.ToUpper(token); upper != token {
		return upper
	}
	return strings.ToLower(token)
}

// wait waits as long as the file held is there, or enough matches have ended.
func (b *bot) wait() {
	for {
		_, err := os.Stat("held")
		if err != nil && (b.most == 0 || endsNoted("ended") < b.most) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// endsNoted returns how many ends of matches the bots have noted in a file.
func endsNoted(path string) int64 {
	stat, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return stat.Size()
}

// note adds a byte to the file ended.
func (b *bot) note() {
	f, err := os.OpenFile("ended", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.WriteString(".")
}
