package engine

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// TextError is the error for a refused position text: what is wrong, and where.
type TextError struct {
	Column  int    // the column, in bytes from 1, of the first character that does not fit
	Problem string // what was found there and what was expected
}

func (e *TextError) Error() string {
	return fmt.Sprintf("bad position text at column %d: %s", e.Column, e.Problem)
}

// Text returns the position text, which the package's documentation describes.
func Text(r Ruleset, p Position) string {
	return string(AppendText(nil, r, p))
}

// AppendText appends the position text to b.
func AppendText(b []byte, r Ruleset, p Position) []byte {
	holes := r.Info().Holes
	b = appendRow(b, p.row(South), holes)
	b = append(b, '/')
	b = appendRow(b, p.row(North), holes)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(p.Store(South)), 10)
	b = append(b, '-')
	b = strconv.AppendInt(b, int64(p.Store(North)), 10)
	b = append(b, ' ', p.Side().letter(), ' ')
	b = append(b, p.Phase().String()...)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(p.Round()), 10)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(p.Quiet()), 10)
	for _, k := range r.layout().keys {
		b = append(b, ' ')
		b = append(b, k.name...)
		b = append(b, '=')
		b = k.append(b, p)
	}
	return b
}

func appendRow(b []byte, r row, holes int) []byte {
	for hole := range uint8(holes) {
		if hole > 0 {
			b = append(b, ',')
		}
		if r.hole(hole)&closed != 0 {
			b = append(b, 'x')
			continue
		}
		b = strconv.AppendInt(b, int64(r.at(hole)), 10)
		if r.hole(hole)&marked != 0 {
			b = append(b, '*')
		}
	}
	return b
}

// ParsePosition reads a position text of a ruleset. It refuses a text whose syntax
// is wrong, or whose seeds, phase and keys do not fit together, with a
// [*TextError]. It does not ask whether play can reach the position.
func ParsePosition(r Ruleset, text string) (Position, error) {
	t := positionText{info: r.Info(), layout: r.layout(), rest: text}
	p := t.position()
	if t.err != nil {
		return Position{}, t.err
	}
	return p, nil
}

// layout is how the position texts of a ruleset are written. It never changes.
type layout struct {
	phases  []Phase
	marks   bool  // holes can be marked *
	fillers int   // the fewest seeds with which a player can choose a filling
	keys    []key // the keys after the quiet count, in their order
}

// positionText reads a position text. After the first error it reads nothing more.
type positionText struct {
	info   Info
	layout *layout
	rest   string // what is not read yet
	more   bool   // whether a space stood before rest
	column int    // the number of bytes that are read
	at     places
	err    error
}

// places is where the parts of a text begin, as offsets in bytes.
type places struct {
	rows   [2]int
	stores [2]int
	phase  int
	quiet  int
	keys   map[string]int // the offsets of their values
}

func (t *positionText) position() Position {
	if t.rest == "" {
		t.fail(0, "the text is empty")
	}
	var rows [2]row
	t.at.rows[South] = t.column
	rows[South] = t.row(South, "/")
	t.at.rows[North] = t.column
	rows[North] = t.row(North, " ")
	seeds := int(rows[South].seeds()) + int(rows[North].seeds())

	var stores [2]int
	t.at.stores[South] = t.column
	stores[South] = t.number("South's store", "-", 0, t.info.Total())
	t.at.stores[North] = t.column
	stores[North] = t.number("North's store", " ", 0, t.info.Total())
	if total := seeds + stores[South] + stores[North]; total != t.info.Total() {
		t.fail(t.at.stores[South], "%s in the holes and %d in the stores make %d, but %s has %d",
			plural(seeds, "seed"), stores[South]+stores[North], total, t.info.Name, t.info.Total())
	}

	side := seatOf(t.word("the side to move", "S", "N"))
	t.at.phase = t.column
	phase := t.phase()
	roundColumn, mostRounds := t.column, MostRounds
	if t.info.Single {
		mostRounds = 1
	}
	round := t.number("the round", " ", 1, mostRounds)
	if round > t.info.Rounds {
		t.fail(roundColumn, "the round is %d, but the limit of the match is %d rounds", round, t.info.Rounds)
	}
	most := QuietLimit
	if phase != PhaseOver {
		most--
	}
	t.at.quiet = t.column
	quiet := t.count("the quiet count", t.last(), t.at.quiet, 0, most)

	p := Position{
		own: rows[side], opp: rows[side.Other()],
		tally: tally(stores[South])<<southStoreAt | tally(stores[North])<<northStoreAt |
			tally(quiet)<<quietAt | tally(round)<<roundAt | tally(side)<<sideAt | tally(phase)<<phaseAt,
	}
	p = t.keys(p)
	t.check(p)
	return p
}

// seatOf returns the seat of a letter.
func seatOf(letter string) Seat {
	if letter == "N" {
		return North
	}
	return South
}

func (t *positionText) phase() Phase {
	var names []string
	for _, p := range t.layout.phases {
		names = append(names, p.String())
	}
	name := t.word("the phase", names...)
	for _, p := range t.layout.phases {
		if p.String() == name {
			return p
		}
	}
	return PhaseOver
}

// keys reads the keys of the ruleset, in their order.
func (t *positionText) keys(p Position) Position {
	t.at.keys = map[string]int{}
	for _, k := range t.layout.keys {
		start := t.column
		if !t.more {
			t.fail(start, "the text ends here; key %q must follow", k.name+"=")
		}
		text := t.last()
		value, ok := strings.CutPrefix(text, k.name+"=")
		if !ok {
			t.fail(start, "found %s; expected key %q", quote(text), k.name+"=")
		}
		t.at.keys[k.name] = start + len(k.name) + 1
		if t.err == nil {
			p = k.read(t, value, p)
		}
	}
	if t.more {
		expected := t.info.Name + " has none"
		if n := len(t.layout.keys); n > 0 {
			expected = fmt.Sprintf("the text of %s ends with %s", t.info.Name, t.layout.keys[n-1].name)
		}
		if t.rest == "" {
			t.fail(t.column-1, "found a space at the end; nothing may follow the last field")
		}
		t.fail(t.column, "unknown key %s: %s", quote(t.rest), expected)
	}
	return p
}

// mostQuoted is the number of characters of a text that an error shows.
const mostQuoted = 40

// quote quotes a text from outside for an error, in ASCII and cut short.
func quote(text string) string {
	quoted := fmt.Sprintf("%+.*q", mostQuoted, text)
	if utf8.RuneCountInString(text) > mostQuoted {
		quoted += "..."
	}
	return quoted
}

// plural counts things by their noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// shortened cuts a number short.
func shortened(digits string) string {
	if len(digits) > mostQuoted {
		return digits[:mostQuoted] + "..."
	}
	return digits
}

// fail records the first error.
func (t *positionText) fail(column int, format string, args ...any) {
	if t.err == nil {
		t.err = &TextError{Column: column + 1, Problem: fmt.Sprintf(format, args...)}
	}
}

// until reads the text before the next end, and end itself, and returns the former.
func (t *positionText) until(what, end string) string {
	if t.err != nil {
		return ""
	}
	word, rest, found := strings.Cut(t.rest, end)
	if !found {
		t.fail(t.column+len(t.rest), "the text ends at %s; %q must follow", what, end)
		return ""
	}
	t.rest = rest
	t.column += len(word) + len(end)
	return word
}

// last reads and returns the text before the next space, or all that is left. It
// also reads the space.
func (t *positionText) last() string {
	if t.err != nil {
		return ""
	}
	word, rest, more := strings.Cut(t.rest, " ")
	t.rest, t.more = rest, more
	t.column += len(word)
	if more {
		t.column++
	}
	return word
}

func (t *positionText) row(s Seat, end string) row {
	start := t.column
	counts := strings.Split(t.until("the row of "+s.String(), end), ",")
	if t.err != nil {
		return 0
	}
	if len(counts) != t.info.Holes {
		t.fail(start, "%s in the row of %s, but %s has %d", plural(len(counts), "hole"), s, t.info.Name, t.info.Holes)
		return 0
	}
	var r row
	left := t.info.Total() // no hole may hold more, so that no sum of lanes overflows
	for hole, text := range counts {
		r = r.with(uint8(hole), t.hole(s, uint8(hole), text, start, left))
		left -= int(r.at(uint8(hole)))
		start += len(text) + 1
	}
	return r
}

// hole reads a hole: its seeds and its flags.
func (t *positionText) hole(s Seat, hole uint8, text string, start, most int) uint8 {
	name := "hole " + s.HoleName(int(hole))
	if t.info.Closed != "" {
		switch text {
		case "x":
			return closed
		case "x*":
			t.fail(start+1, "%s is %s, so it cannot be marked", name, t.info.Closed)
		}
	}
	digits, mark := text, uint8(0)
	if t.layout.marks {
		if cut, found := strings.CutSuffix(text, "*"); found {
			digits, mark = cut, marked
		}
	}
	return uint8(t.count(name, digits, start, 0, most)) | mark
}

func (t *positionText) number(what, end string, least, most int) int {
	start := t.column
	return t.count(what, t.until(what, end), start, least, most)
}

// count reads a number without sign or leading zero.
func (t *positionText) count(what, text string, start, least, most int) int {
	if t.err != nil {
		return 0
	}
	n, err := strconv.Atoi(text)
	digits := strings.Trim(text, "0123456789") == "" && text != ""
	switch {
	case digits && len(text) > 1 && text[0] == '0':
		t.fail(start, "%s is %s; it must be a number without leading zeros", what, quote(text))
		return 0
	case digits && err != nil:
		n = math.MaxInt // refused below, like any number that is too large
	case err != nil || strconv.Itoa(n) != text:
		t.fail(start, "%s is %s; it must be a number", what, quote(text))
		return 0
	}
	if n < least || n > most {
		expected := fmt.Sprintf("%d to %d", least, most)
		if least == most {
			expected = strconv.Itoa(least)
		}
		t.fail(start, "%s is %s; it must be %s", what, shortened(text), expected)
		return 0
	}
	return n
}

func (t *positionText) word(what string, known ...string) string {
	start := t.column
	text := t.until(what, " ")
	if slices.Contains(known, text) {
		return text
	}
	t.fail(start, "%s is %s; it must be %s", what, quote(text), strings.Join(known, " or "))
	return ""
}
