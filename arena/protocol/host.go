package protocol

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"sembra/engine"
)

// Host is the arena's end of the wire to one bot. Its methods return the
// errors of the wire as they are, and a [*Violation] where the bot breaks the
// protocol; after either the wire is of no more use. Deadlines are set on the
// wire by whoever owns it.
type Host struct {
	Identity Identity // known after Handshake

	// Strange are lines of the handshake that were passed over, the first of
	// them, as the bot wrote them: unknown ones, and options that cannot be read.
	Strange []string

	// Stray are lines after the handshake that were passed over, the first of
	// them, and Strays is how many there were.
	Stray  []string
	Strays int

	wire     io.ReadWriter
	in       *lines
	out      []byte // reused for every write
	position []byte // the position line of the match so far, without its end
	moves    bool   // position has the word moves
	waits    bool   // for an answer
	answered bool   // in this match
	missed   string // what Missed tells of whole lines
}

// Pender is a wire that knows how many bytes have arrived and are not read
// yet. On any other wire an answer that comes before its question is only seen
// if it came along with the answer before.
type Pender interface {
	Pending() (int, error)
}

// NewHost returns the host's end of a wire.
func NewHost(wire io.ReadWriter) *Host {
	return &Host{wire: wire, in: newLines(wire)}
}

// ErrSilent is joined to the error of a handshake in which nothing at all came
// from the bot.
var ErrSilent = errors.New("nothing came from the bot")

// Handshake greets the bot and reads what it says of itself until mbiok.
func (h *Host) Handshake() error {
	if err := h.write([]byte("mbi 1\n")); err != nil {
		return err
	}
	for {
		line, err := h.in.next()
		if err != nil && !h.in.heard {
			return fmt.Errorf("%w: %w", ErrSilent, err)
		}
		if err != nil {
			return err
		}
		word, rest, _ := strings.Cut(string(line), " ")
		switch word {
		case "id":
			if name, ok := strings.CutPrefix(rest, "name "); ok {
				h.Identity.Name = name
			}
			if author, ok := strings.CutPrefix(rest, "author "); ok {
				h.Identity.Author = author
			}
		case "plays":
			h.Identity.Plays = append(h.Identity.Plays, strings.Fields(rest)...)
		case "wants":
			for _, want := range strings.Fields(rest) {
				h.Identity.WantsLegal = h.Identity.WantsLegal || want == "legal"
				h.Identity.WantsPosition = h.Identity.WantsPosition || want == "position"
			}
		case "option":
			if o, ok := parseOption(rest); ok {
				h.Identity.Options = append(h.Identity.Options, o)
			} else {
				h.Strange = keep(h.Strange, line)
			}
		case "mbiok":
			return nil
		default:
			h.Strange = keep(h.Strange, line)
		}
	}
}

// Configure sends the values of options and waits until the bot is ready.
func (h *Host) Configure(values []OptionValue) error {
	h.out = h.out[:0]
	for _, v := range values {
		h.out = v.appendTo(h.out)
	}
	return h.ready(false)
}

// Begin announces a match that begins at an opening, a position text or "" for
// the start position, and waits until the bot is ready.
func (h *Host) Begin(m NewMatch, opening string) error {
	h.waits, h.answered = false, false
	h.position, h.moves = append(h.position[:0], "position startpos"...), false
	if opening != "" {
		h.position = append(h.position[:0], "position fen "+opening...)
	}
	h.out = m.appendTo(h.out[:0])
	return h.ready(false)
}

// Probe sends lines that a bot need not know, and isready, and waits until the
// bot is ready. An answer that comes before is a violation.
func (h *Host) Probe(lines ...string) error {
	h.out = h.out[:0]
	for _, line := range lines {
		h.out = append(append(h.out, line...), '\n')
	}
	return h.ready(true)
}

// ready sends what is in out and isready, and waits for readyok. It passes over
// an answer that comes before, unless it is strict.
func (h *Host) ready(strict bool) error {
	h.out = append(h.out, "isready\n"...)
	if err := h.write(h.out); err != nil {
		return err
	}
	for {
		line, err := h.in.next()
		if err != nil {
			return err
		}
		if string(line) == "readyok" {
			return nil
		}
		if strict && begins(line, "bestmove") {
			return ErrUnasked
		}
		h.passOver(line)
	}
}

// begins reports whether a line begins with a word.
func begins(line []byte, word string) bool {
	first, _, _ := bytes.Cut(line, []byte{' '})
	return string(first) == word
}

// passOver notes a line that nobody asked for.
func (h *Host) passOver(line []byte) {
	if !begins(line, "info") {
		h.Strays++
		h.Stray = keep(h.Stray, line)
	}
}

// keep adds a line of a stranger to some that are kept: few, and not all of a
// long one.
func keep(kept []string, line []byte) []string {
	const lines, length = 20, 1 << 10
	if len(kept) == lines {
		return kept
	}
	return append(kept, string(line[:min(len(line), length)]))
}

// Played adds a token that was played, by either seat, to the bot's match.
func (h *Host) Played(token string) {
	if !h.moves {
		h.position = append(h.position, " moves"...)
		h.moves = true
	}
	h.position = append(h.position, ' ')
	h.position = append(h.position, token...)
}

// Ask asks the bot for a token at the match's position: Prepare and Send.
func (h *Host) Ask(m *engine.Match, limits Limits) error {
	if err := h.Prepare(m, limits); err != nil {
		return err
	}
	return h.Send()
}

// Prepare writes nothing yet, so that what it takes is not charged to the bot.
// An answer that has come already is a violation.
func (h *Host) Prepare(m *engine.Match, limits Limits) error {
	if err := h.refuseUnasked(); err != nil {
		return err
	}
	h.in.allowance = MaxOutput
	h.waits, h.missed = true, ""
	if h.Identity.WantsPosition {
		h.out = append(h.out[:0], "position fen "...)
		h.out = engine.AppendText(h.out, m.Rules(), m.Position())
	} else {
		h.out = append(h.out[:0], h.position...)
	}
	h.out = append(h.out, '\n')
	if h.Identity.WantsLegal {
		h.out = append(h.out, "legal"...)
		side := m.Position().Side()
		for _, move := range m.Legal() {
			h.out = append(h.out, ' ')
			h.out = append(h.out, move.Token(side)...)
		}
		h.out = append(h.out, '\n')
	}
	h.out = limits.appendTo(h.out)
	return nil
}

// Send asks what was prepared, in one write.
func (h *Host) Send() error { return h.write(h.out) }

// ErrUnasked is the violation of an answer without a question.
var ErrUnasked error = &Violation{unasked}

const unasked = "a bestmove that was not asked for"

// errUnasked is ErrUnasked where nothing was said to the bot since its last
// answer, if there was one.
func (h *Host) errUnasked() error {
	if h.answered {
		return &Violation{unasked + ": a second bestmove to one go"}
	}
	return ErrUnasked
}

// refuseUnasked looks through all that has arrived since the last answer.
func (h *Host) refuseUnasked() error {
	for {
		line, err := h.in.buffered()
		if err != nil {
			return err
		}
		if line != nil {
			if begins(line, "bestmove") {
				return h.errUnasked()
			}
			h.passOver(line)
			continue
		}
		pender, ok := h.wire.(Pender)
		if !ok {
			break
		}
		pending, err := pender.Pending()
		if err != nil {
			return err
		}
		if pending == 0 {
			break
		}
		if err := h.in.fill(); err != nil {
			return err
		}
	}
	const word = "bestmove"
	if begun := h.in.partial(); len(begun) > 0 && strings.HasPrefix(word, string(begun[:min(len(begun), len(word))])) {
		return h.errUnasked()
	}
	return nil
}

// Answer is a bot's answer to Ask.
type Answer struct {
	Token    string  // as the bot wrote it: no move until the engine finds it legal
	Score    float64 // the last that it told, in seeds from its own side
	HasScore bool
}

// Resign is the token that gives the match up.
const Resign = "resign"

// Answer waits for the answer to Ask.
func (h *Host) Answer() (Answer, error) {
	var a Answer
	for {
		line, err := h.in.next()
		if err != nil {
			return Answer{}, err
		}
		word, rest, _ := bytes.Cut(line, []byte{' '})
		if string(word) != "bestmove" {
			h.missed = cmp.Or(miss(line, true), h.missed)
		}
		switch string(word) {
		case "info":
			if score, ok := readScore(rest); ok {
				a.Score, a.HasScore = score, true
			}
		case "bestmove":
			token, _, _ := bytes.Cut(rest, []byte{' '})
			if len(token) == 0 {
				return Answer{}, &Violation{"a bestmove without a move"}
			}
			a.Token = string(token)
			h.waits, h.answered = false, true
			return a, nil
		default:
			h.passOver(line)
		}
	}
}

// miss tells why a line with a bestmove in it is no answer, or "".
func miss(line []byte, whole bool) string {
	switch at := bytes.Index(line, []byte("bestmove")); {
	case at > 0:
		return "a bestmove stood in the middle of a line"
	case at == 0 && whole:
		return "a bestmove had no space after it"
	case at == 0:
		return "the line of a bestmove had no end"
	}
	return ""
}

// Missed tells, for people, of a bestmove that has come since Ask and is no
// answer because of how it was written, or "".
func (h *Host) Missed() string {
	if !h.waits {
		return ""
	}
	return cmp.Or(miss(h.in.partial(), false), h.missed)
}

// Blame tells the bot what it did wrong, before End.
func (h *Host) Blame(what string) error {
	return h.write([]byte("error " + oneLine(what) + "\n"))
}

// End tells the bot how the match ended.
func (h *Host) End(e EndMatch) error {
	h.out = e.appendTo(h.out[:0])
	return h.write(h.out)
}

// Quit tells the bot to exit.
func (h *Host) Quit() error { return h.write([]byte("quit\n")) }

func (h *Host) write(b []byte) error {
	_, err := h.wire.Write(b)
	return err
}

// oneLine puts a text on one line.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}
