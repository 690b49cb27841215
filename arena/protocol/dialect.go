package protocol

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"sembra/engine"
)

// Dialect is a language that bots speak, by its name. The empty name is MBI.
type Dialect string

// The dialects.
const (
	MBI       Dialect = "mbi"
	UCI       Dialect = "uci"        // as oware engines speak it
	UCISpaced Dialect = "uci-spaced" // the same, with spaces between the moves of a position
	OneLine   Dialect = "board"      // see [Board]
)

// Dialects returns all dialects.
func Dialects() []Dialect { return []Dialect{MBI, UCI, UCISpaced, OneLine} }

// String returns the name of the dialect.
func (d Dialect) String() string { return string(cmp.Or(d, MBI)) }

// IsUCI reports whether the dialect is one of UCI.
func (d Dialect) IsUCI() bool { return d == UCI || d == UCISpaced }

// Rulesets returns the names of the rulesets that can be played in the dialect; nil
// stands for all.
func (d Dialect) Rulesets() []string {
	switch {
	case d.IsUCI():
		return []string{"oware", "awale"}
	case d == OneLine:
		return []string{"awale", "oware", "kalah"} // in which every move is a hole
	default:
		return nil
	}
}

// Refuses says why a ruleset cannot be played in the dialect, in words that follow the dialect's name; "" if it can be.
// A game that can be played is played on boards of any size.
func (d Dialect) Refuses(ruleset string) (why string) {
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
	if d == OneLine {
		return newBoardHost(wire)
	}
	h := &Host{Words: wordsOfMBI(), body: mbi{}, wire: wire, in: newLines(wire)}
	h.said.other = wordsOfUCI()
	if d.IsUCI() {
		h.Words, h.said.other, h.body = h.said.other, h.Words, uci{}
		h.Identity = Identity{Plays: d.Rulesets(), NoSeed: true, NeedsLimit: true}
		h.in.loose = true
	}
	if d == UCISpaced {
		h.Words.between = " "
	}
	return h
}

// Words are words of a dialect, for messages to people and for the handshake.
type Words struct {
	Hello    string // the host's first line
	OK       string // the bot's line that ends the handshake
	NewMatch string // the first word of the line that announces a match
	Answer   string // the first word of an answer; "": every line that is not blank is one
	Hint     string // what to do if a bot speaks this dialect and the arena speaks another one

	between         string    // stands between two moves of a position line
	left, increment [2]string // the words for the clocks of South and North in a go line
	ends            bool      // there are lines for faults and for the end of a match
}

// body is what differs between the dialects.
type body interface {
	// identify reads a line of the handshake that other dialects do not have. It
	// returns false if this one does not have it either.
	identify(id *Identity, word, rest string) bool

	appendNewMatch(b []byte, m NewMatch) []byte

	// appendStart appends the position line of a match up to its first move. The
	// opening is a position text, or "" for the start position.
	appendStart(b []byte, opening string, m *engine.Match) []byte

	// judge says what the token of a bestmove means if it is not a move.
	judge(token string) (resigns bool, remark string)
}

// mbi is the body that speaks MBI.
type mbi struct{}

func wordsOfMBI() Words {
	return Words{
		Hello: "mbi 1", OK: "mbiok", NewMatch: "newmatch", Answer: "bestmove", between: " ", ends: true,
		left: [2]string{" stime ", " ntime "}, increment: [2]string{" sinc ", " ninc "},
		Hint: `this looks like MBI (hint: protocol = "mbi" in a tournament file, ` +
			`--protocol mbi with check, no uci: before the command with duel and play)`,
	}
}

func (mbi) identify(id *Identity, word, rest string) bool {
	switch word {
	case "plays":
		id.Plays = append(id.Plays, strings.Fields(rest)...)
	case "wants":
		for want := range strings.FieldsSeq(rest) {
			id.WantsLegal = id.WantsLegal || want == "legal"
			id.WantsPosition = id.WantsPosition || want == "position"
			if want != "legal" && want != "position" {
				id.UnknownWants = keep(id.UnknownWants, []byte(want))
			}
		}
	default:
		return false
	}
	return true
}

func (mbi) appendNewMatch(b []byte, m NewMatch) []byte { return m.appendTo(b) }

func (mbi) appendStart(b []byte, opening string, _ *engine.Match) []byte {
	if opening == "" {
		return append(b, "position startpos"...)
	}
	return append(append(b, "position fen "...), opening...)
}

func (mbi) judge(token string) (resigns bool, remark string) { return token == Resign, "" }
