package protocol

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"sembra/engine"
)

// Dialect is a language that bots speak, by its name. The empty name is MBI.
type Dialect string

// The dialects.
const (
	MBI     Dialect = "mbi"
	UCI     Dialect = "uci"   // as oware engines speak it
	OneLine Dialect = "board" // see [OneLineFormat]
)

// Dialects returns all dialects.
func Dialects() []Dialect { return []Dialect{MBI, UCI, OneLine} }

// String returns the name of the dialect.
func (d Dialect) String() string {
	if d == "" {
		return string(MBI)
	}
	return string(d)
}

// Rulesets returns the names of the rulesets that can be played in the dialect; nil
// stands for all.
func (d Dialect) Rulesets() []string {
	switch d {
	case UCI:
		return []string{"oware", "awale"}
	case OneLine:
		return []string{"awale", "oware", "kalah"} // in which every move is a hole
	}
	return nil
}

// WhyNot says why a ruleset cannot be played in the dialect, in words that follow the dialect's name; "" if it can be.
// A game that can be played is played on boards of any size.
func (d Dialect) WhyNot(ruleset string) (why string) {
	speaks := d.Rulesets()
	game, _, _ := strings.Cut(ruleset, "-")
	if speaks == nil || slices.Contains(speaks, game) {
		return ""
	}
	last := len(speaks) - 1
	why = "is only for " + strings.Join(speaks[:last], ", ") + " and " + speaks[last]
	if d == OneLine {
		why += ", in which every move is a hole"
	}
	return why + ", not for " + ruleset
}

// NewHost returns the host's end of a wire to a bot that speaks the dialect.
func (d Dialect) NewHost(wire io.ReadWriter) *Host {
	switch d {
	case OneLine:
		return newBoardHost(wire)
	case UCI:
		h := newHost(wire, uci{}, wordsOfUCI(), wordsOfMBI())
		h.Identity = Identity{Plays: d.Rulesets(), NoSeed: true, NeedsLimit: true}
		h.in.loose = true
		return h
	}
	return newHost(wire, mbi{}, wordsOfMBI(), wordsOfUCI())
}

func newHost(wire io.ReadWriter, b body, words, other Words) *Host {
	return &Host{Words: words, body: b, wire: wire, in: newLines(wire), received: Received{other: other}}
}

// Words are words of a dialect, for messages to people and for the handshake.
type Words struct {
	Hello    string // the host's first line; "": there is no handshake
	OK       string // the bot's line that ends the handshake
	NewMatch string // the first word of the line that announces a match
	Answer   string // the first word of an answer; "": every line that is not blank is one
	Hint     string // what to do if a bot speaks this dialect and the arena speaks another one

	between         string    // stands between two moves of a position line
	left, increment [2]string // the words for the clocks of South and North in a go line
}

// body is what differs between the dialects. What it appends are whole lines, or nothing.
type body interface {
	// identify reads a line of the handshake that other dialects do not have. It
	// returns false if this one does not have it either.
	identify(id *Identity, word, rest string) bool

	// configure sets options of the bot.
	configure(b []byte, values []OptionValue) ([]byte, error)

	appendNewMatch(b []byte, m NewMatch) []byte
	appendQuestion(b []byte, h *Host, m *engine.Match, limits Limits) []byte

	// readAnswer reads a line after a question. The answer has a token when it is complete.
	readAnswer(line []byte, a *Answer) error

	appendError(b []byte, what string) []byte
	appendEnd(b []byte, e EndMatch) []byte
	appendQuit(b []byte) []byte
}

// talk is what MBI and UCI have in common.
type talk struct{}

func (talk) configure(b []byte, values []OptionValue) ([]byte, error) {
	for _, v := range values {
		b = v.AppendTo(b)
	}
	return b, nil
}

// ask appends what follows the words of a position line: the legal moves if the bot wants them, and go.
func (talk) ask(b []byte, h *Host, m *engine.Match, limits Limits) []byte {
	b = append(b, '\n')
	if h.Identity.WantsLegal {
		b = append(b, "legal"...)
		side := m.Position().Side()
		for _, move := range m.Legal() {
			b = append(b, ' ')
			b = append(b, move.Token(side)...)
		}
		b = append(b, '\n')
	}
	return limits.appendTo(b, h.Words)
}

func (talk) readAnswer(line []byte, a *Answer) error {
	word, rest, _ := bytes.Cut(line, []byte{' '})
	switch string(word) {
	case "info":
		if score, ok := readScore(rest); ok {
			a.Score, a.HasScore = score, true
		}
	case "bestmove":
		token, _, _ := bytes.Cut(rest, []byte{' '})
		if len(token) == 0 {
			return &Violation{"a bestmove without a move"}
		}
		a.Token = string(token)
	}
	return nil
}

func (talk) appendQuit(b []byte) []byte { return append(b, "quit\n"...) }

// mbi is the body that speaks MBI.
type mbi struct{ talk }

func wordsOfMBI() Words {
	return Words{
		Hello: "mbi 1", OK: "mbiok", NewMatch: "newmatch", Answer: "bestmove", between: " ",
		left: [2]string{" stime ", " ntime "}, increment: [2]string{" sinc ", " ninc "},
		Hint: `this looks like MBI (hint: protocol = "mbi" in a tournament file, ` +
			`--protocol mbi with check, no uci: or board: before the command with duel and play)`,
	}
}

func (mbi) identify(id *Identity, word, rest string) bool {
	switch word {
	case "plays":
		id.Plays = append(id.Plays, strings.Fields(rest)...)
	case "wants":
		for want := range strings.FieldsSeq(rest) {
			switch want {
			case "legal":
				id.WantsLegal = true
			case "position":
				id.WantsPosition = true
			default:
				id.UnknownWants = keep(id.UnknownWants, []byte(want))
			}
		}
	default:
		return false
	}
	return true
}

func (mbi) appendNewMatch(b []byte, m NewMatch) []byte { return m.appendTo(b) }

func (t mbi) appendQuestion(b []byte, h *Host, m *engine.Match, limits Limits) []byte {
	switch {
	case h.Identity.WantsPosition:
		b = engine.AppendText(append(b, "position fen "...), m.Rules(), m.Position())
	case h.opening == "":
		b = append(append(b, "position startpos"...), h.moves...)
	default:
		b = append(append(append(b, "position fen "...), h.opening...), h.moves...)
	}
	return t.ask(b, h, m, limits)
}

func (t mbi) readAnswer(line []byte, a *Answer) error {
	err := t.talk.readAnswer(line, a)
	a.Resigns = a.Token == Resign
	return err
}

func (mbi) appendError(b []byte, what string) []byte {
	lines := strings.FieldsFunc(what, func(r rune) bool { return r == '\n' || r == '\r' })
	return append(b, "error "+strings.Join(lines, " ")+"\n"...)
}

func (mbi) appendEnd(b []byte, e EndMatch) []byte {
	return fmt.Appendf(b, "endmatch %s %d-%d %s\n", e.Result, e.South, e.North, e.Ending)
}
