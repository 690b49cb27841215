package protocol

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"sembra/engine"
)

// Host is the arena's end of the wire to one bot, in the bot's [Dialect]. Its
// methods return errors of the wire unchanged, and a [*Violation] if the bot breaks
// the protocol. After an error the host cannot be used any more. The owner of the
// wire sets its deadlines.
type Host struct {
	Words    Words    // of the dialect
	Identity Identity // known after Handshake

	// UnknownLines has the first ignored lines of the handshake, as the bot wrote them:
	// unknown lines, and options that cannot be read.
	UnknownLines []string

	// Ignored has the first ignored lines after the handshake, and IgnoredCount is the
	// number of all of them.
	Ignored      []string
	IgnoredCount int

	body     body
	wire     io.ReadWriter
	in       *lines
	out      []byte   // reused for every write
	opening  string   // position text of the match; "" is the start position
	moves    []byte   // the end of the match's position line: the word moves, and the moves so far
	answered bool     // in this match
	received Received // the whole lines of Received
}

// Received is what a bot wrote instead of the line that the host waits for, or before
// it: its first and its last line, without info lines, each cut at 200 bytes.
type Received struct {
	Expected    string // the first word of the line that the host waits for
	First, Last []byte // the same line if there is only one
	Lines       int
	Cut         bool   // Last has no line end
	Hint        string // what to do about a bot that seems to speak another dialect; "" if none does
	other       Words  // of the other dialect
}

// expect begins to wait for a line.
func (s *Received) expect(word string) {
	*s = Received{Expected: word, First: s.First[:0], Last: s.Last[:0], other: s.other}
}

// add notes a line.
func (s *Received) add(line []byte) {
	const most = 200
	if begins(line, "info") || len(bytes.TrimSpace(line)) == 0 {
		return
	}
	s.Lines++
	if string(line) == s.other.OK {
		s.Hint = s.other.Hint
	}
	line = line[:min(len(line), most)]
	if s.Lines == 1 {
		s.First = append(s.First[:0], line...)
	}
	s.Last = append(s.Last[:0], line...)
}

// Received returns what the bot has written since it was last asked, with the beginning
// of a line that has no end yet.
func (h *Host) Received() Received {
	r := h.received
	r.First, r.Last = bytes.Clone(r.First), bytes.Clone(r.Last)
	r.add(h.in.partial())
	r.Cut = r.Lines > h.received.Lines
	return r
}

// Pender is a wire that knows how many bytes have arrived but are not read yet. On
// other wires, the host notices an answer before its question only if both that
// answer and the one before it came in the same read.
type Pender interface {
	Pending() (int, error)
}

// ErrSilent is joined to the error of a handshake in which the bot wrote nothing.
var ErrSilent = errors.New("nothing came from the bot")

// Handshake greets the bot and reads its identity and options until mbiok.
func (h *Host) Handshake() error {
	if h.Words.Hello == "" {
		return nil // there is none
	}
	_ = h.write([]byte(h.Words.Hello + "\n")) // a bot that has ended already may have said why
	h.received.expect(h.Words.OK)
	for {
		line, err := h.in.next()
		if err != nil && !h.in.heard {
			return fmt.Errorf("%w: %w", ErrSilent, err)
		}
		if err != nil {
			return err
		}
		h.received.add(line)
		word, rest, _ := strings.Cut(string(line), " ")
		switch word {
		case "id":
			if name, ok := strings.CutPrefix(rest, "name "); ok {
				h.Identity.Name = name
			}
			if author, ok := strings.CutPrefix(rest, "author "); ok {
				h.Identity.Author = author
			}
		case "option":
			if o, ok := parseOption(rest); ok {
				h.Identity.Options = append(h.Identity.Options, o)
			} else {
				h.UnknownLines = keep(h.UnknownLines, line)
			}
		case h.Words.OK:
			return nil
		default:
			if !h.body.identify(&h.Identity, word, rest) {
				h.UnknownLines = keep(h.UnknownLines, line)
			}
		}
	}
}

// ReadAll keeps what the bot writes, without interpreting it, until the wire ends or its deadline passes.
func (h *Host) ReadAll() error {
	for {
		if err := h.in.fill(); err != nil {
			return err
		}
	}
}

// Configure sends the values of options and waits until the bot is ready.
func (h *Host) Configure(values []OptionValue) error {
	out, err := h.body.configure(h.out[:0], values)
	if err != nil {
		return err
	}
	h.out = out
	return h.ready(false)
}

// Begin announces a match and waits until the bot is ready. The opening is a
// position text, or "" for the start position.
func (h *Host) Begin(m NewMatch, opening string) error {
	h.answered = false
	h.opening, h.moves = opening, h.moves[:0]
	h.out = h.body.appendNewMatch(h.out[:0], m)
	return h.ready(false)
}

// Probe sends lines that a bot does not need to know, and then isready, and waits
// until the bot is ready. A bestmove before readyok is a violation.
func (h *Host) Probe(lines ...string) error {
	h.out = h.out[:0]
	for _, line := range lines {
		h.out = append(append(h.out, line...), '\n')
	}
	return h.ready(true)
}

// ready sends the content of out and isready, and waits for readyok. A bestmove
// before readyok is a violation if strict is set; otherwise it is ignored. A dialect without handshake has no isready.
func (h *Host) ready(strict bool) error {
	if h.Words.Hello == "" {
		return h.write(h.out)
	}
	h.out = append(h.out, "isready\n"...)
	h.received.expect("readyok")
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
		h.received.add(line)
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

// passOver notes an ignored line.
func (h *Host) passOver(line []byte) {
	if !begins(line, "info") {
		h.IgnoredCount++
		h.Ignored = keep(h.Ignored, line)
	}
}

// keep adds a line to the kept ones, up to a number of lines. It cuts long lines.
func keep(kept []string, line []byte) []string {
	const lines, length = 20, 1 << 10
	if len(kept) == lines {
		return kept
	}
	return append(kept, string(line[:min(len(line), length)]))
}

// AddMove adds a token that either seat has played to the moves of the next question.
func (h *Host) AddMove(token string) {
	if len(h.moves) == 0 {
		h.moves = append(h.moves, " moves "...)
	} else {
		h.moves = append(h.moves, h.Words.between...)
	}
	h.moves = append(h.moves, token...)
}

// Prepare prepares the question for a token at the match's position, which Send
// writes. So the bot is not charged for the time that the preparation takes. An
// answer that has already come is a [*Violation].
func (h *Host) Prepare(m *engine.Match, limits Limits) error {
	if err := h.refuseUnasked(); err != nil {
		return err
	}
	h.in.allowance = MaxOutput
	if h.Words.Answer == "" {
		h.received.expect("the number of a hole")
	} else {
		h.received.expect(h.Words.Answer)
	}
	h.out = h.body.appendQuestion(h.out[:0], h, m, limits)
	return nil
}

// Send writes the prepared question in one write.
func (h *Host) Send() error { return h.write(h.out) }

// ErrUnasked is the violation of an answer without a question.
var ErrUnasked error = &Violation{"a bestmove that was not asked for"}

// errUnasked returns ErrUnasked, or a fuller error if the bot has answered in this
// match: then it answered one go twice.
func (h *Host) errUnasked(line []byte) error {
	if h.Words.Answer == "" {
		return &Violation{fmt.Sprintf("a line that was not asked for, %.40q: the answer to each line with the seeds is "+
			"one line (hint: write everything else to standard error)", line)}
	}
	if h.answered {
		return &Violation{"a bestmove that was not asked for: a second bestmove to one go"}
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
			if h.IsAnswer(line) {
				return h.errUnasked(line)
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
	begun, word := h.in.partial(), h.Words.Answer
	if len(begun) > 0 && strings.HasPrefix(word, string(begun[:min(len(begun), len(word))])) {
		return h.errUnasked(begun)
	}
	return nil
}

// IsAnswer reports whether a line is an answer.
func (h *Host) IsAnswer(line []byte) bool {
	if h.Words.Answer == "" {
		return len(bytes.TrimSpace(line)) > 0
	}
	return begins(line, h.Words.Answer)
}

// HasAnswer reports whether one of the lines of a text is an answer.
func (h *Host) HasAnswer(text []byte) bool {
	return slices.ContainsFunc(bytes.Split(text, []byte{'\n'}), h.IsAnswer)
}

// Answer is a bot's answer to a question.
type Answer struct {
	Token    string  // as the bot wrote it; it may not be a legal move
	Resigns  bool    // the bot gives up the match
	Remark   string  // for people: what the token means, if it is not a move
	Score    float64 // the last score of its info lines, in seeds from its side
	HasScore bool
}

// Resign is the token that gives up the match in MBI. UCI has none.
const Resign = "resign"

// Answer waits for the answer to the question that Send wrote.
func (h *Host) Answer() (Answer, error) {
	var a Answer
	for {
		line, err := h.in.next()
		if err != nil {
			return Answer{}, err
		}
		if err := h.body.readAnswer(line, &a); err != nil {
			return Answer{}, err
		}
		if a.Token != "" {
			h.answered = true
			return a, nil
		}
		h.received.add(line)
		h.passOver(line)
	}
}

// OtherDialectWords returns the words of the dialect that the bot might speak instead.
func (h *Host) OtherDialectWords() Words { return h.received.other }

// SendError sends the bot a line about its fault, before End. Only MBI has a line for it.
func (h *Host) SendError(what string) error { return h.write(h.body.appendError(nil, what)) }

// End tells the bot how the match ended. In UCI nothing is written, and in [OneLine] the last line, if there is one.
func (h *Host) End(e EndMatch) error { return h.write(h.body.appendEnd(nil, e)) }

// Quit tells the bot to exit. In [OneLine], only the end of its input says so.
func (h *Host) Quit() error { return h.write(h.body.appendQuit(nil)) }

// write writes nothing if the dialect has no such line.
func (h *Host) write(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	_, err := h.wire.Write(b)
	return err
}
