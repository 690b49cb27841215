package main

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"sembra/engine"
)

// uciEngine is a strict engine that speaks UCI as Aalina does. It exits with a message at every line that Aualé would
// not send, at moves that oware does not allow, and at lines in the wrong order. Its arguments name its kinds:
// "spaced" wants spaces between moves; the others are bad engines, each with the flaw that its name says.
func uciEngine(kinds []string) {
	e := &standIn{kinds: kinds, out: bufio.NewWriter(os.Stdout)}
	if e.is("dead") {
		fmt.Fprintln(os.Stderr, "Error: Unable to access jarfile aalina.jar")
		syscall.Exit(1)
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		word, rest, _ := strings.Cut(in.Text(), " ")
		if word == "quit" && rest == "" {
			return
		}
		if word != "xyzzy" { // the check sends it, and UCI has unknown words ignored
			e.hear(word, rest)
			e.last = word
		}
	}
}

// standIn is the state of the engine.
type standIn struct {
	kinds []string
	out   *bufio.Writer
	last  string // the first word of the line before
	ready bool   // no isready is missing after uci and ucinewgame
	match *engine.Match
	asked int // in this match
}

func (e *standIn) is(kind string) bool { return slices.Contains(e.kinds, kind) }

func (e *standIn) refuse(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "Error: not in the dialect: "+format+"\n", args...)
	syscall.Exit(9)
}

// say prints lines immediately.
func (e *standIn) say(format string, args ...any) {
	fmt.Fprintf(e.out, format+"\n", args...)
	e.out.Flush()
}

func (e *standIn) hear(word, rest string) {
	switch {
	case word == "mbi": // ignored in silence, as by Aalina
		e.last = ""
	case word == "uci" && rest == "" && (e.last == "" || e.last == "mbi"):
		e.say("id name Stand-in 1\nid author A. N. Other\noption name Hash type spin default 16 min 1 max 64")
		if e.is("odd") {
			e.say("option name Book type\n\noption  name Threads type spin default x min 1 max\noption type check")
		}
		e.say("option  name DrawSearch  type check default false\nuciok")
	case word == "setoption" && regexp.MustCompile(`^name (Hash value \d+|DrawSearch value (true|false))$`).MatchString(rest):
		e.ready = false
	case word == "isready" && rest == "":
		e.ready = true
		e.say("readyok")
	case word == "ucinewgame" && rest == "" && e.ready:
		e.ready, e.asked, e.match = false, 0, nil
	case word == "position" && e.ready:
		e.position(rest)
	case word == "go" && e.last == "position":
		e.limits(rest)
		e.asked++
		e.answer()
	default:
		e.refuse("%q after %q", word+" "+rest, e.last)
	}
}

// position reads a position line of the dialect, and plays its moves by the rules.
func (e *standIn) position(text string) {
	shape := regexp.MustCompile(`^(startpos|fen (\d+(?:-\d+){13})-([SN]))(?: moves ([A-Fa-f ]+))?$`)
	found := shape.FindStringSubmatch(text)
	if found == nil {
		e.refuse("position %q", text)
	}
	rules, err := engine.Lookup("oware")
	if err != nil {
		e.refuse("%v", err)
	}
	start := rules.Start()
	if n := strings.Split(found[2], "-"); len(n) == 14 {
		own := strings.Join(n[:6], ",") + "/" + strings.Join(n[6:12], ",") + " " + n[12] + "-" + n[13] + " " + found[3] + " sow 1 0"
		if start, err = engine.ParsePosition(rules, own); err != nil {
			e.refuse("position %q: %v", text, err)
		}
	}
	between := ""
	if e.is("spaced") {
		between = " "
	}
	e.match = engine.NewMatch(rules, start)
	if moves := found[4]; moves != "" {
		if err := e.match.PlayTokens(strings.Split(moves, between)); err != nil {
			e.refuse("position %q: %v", text, err)
		}
	}
	if e.match.Over() {
		e.refuse("position %q: the match is over", text)
	}
}

// limits reads the words after go.
func (e *standIn) limits(text string) {
	shapes := []string{`movetime \d+`, `wtime \d+ btime \d+ winc \d+ binc \d+`}
	if !regexp.MustCompile(`^(`+strings.Join(shapes, "|")+`)?( ?depth \d+)?( ?nodes \d+)?$`).MatchString(text) || text == "" {
		e.refuse("go %q", text)
	}
}

// answer plays a move that depends on the number of the question.
func (e *standIn) answer() {
	legal, side := e.match.Legal(), e.match.Position().Side()
	move := legal[e.asked%len(legal)].Token(side)
	lines := 1
	if e.is("chatty") {
		lines = 500
	}
	for depth := range lines {
		e.say("info depth %d nodes %d score cp %d pv %s", depth+1, depth*10, 25*depth-50, move)
	}
	if e.asked > 1 { // a bad engine is bad from its second move on
		switch {
		case e.is("null"):
			move = "0000"
		case e.is("case"):
			move = swapCase(move)
		case e.is("leaving"):
			fmt.Fprintln(os.Stderr, "java.lang.OutOfMemoryError: Java heap space")
			syscall.Exit(3)
		case e.is("twice"):
			move += "\nbestmove " + move
		}
	}
	e.say("bestmove %s ponder %s", move, swapCase(legal[0].Token(side)))
}
