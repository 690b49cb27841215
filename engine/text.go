package engine

import (
	"fmt"
	"strconv"
	"strings"
)

// TextError is what is wrong with a position text, and where.
type TextError struct {
	Column  int    // of the first character that does not fit, from 1
	Problem string // what was found there and what was expected
}

func (e *TextError) Error() string {
	return fmt.Sprintf("bad position text at column %d: %s", e.Column, e.Problem)
}

// Text returns the position text, as the package's documentation describes it.
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
	return strconv.AppendInt(b, int64(p.Quiet()), 10)
}

func appendRow(b []byte, r row, holes int) []byte {
	for hole := range holes {
		if hole > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(r.at(uint8(hole))), 10)
	}
	return b
}

// ParsePosition reads a position text of a ruleset. A text whose syntax,
// seeds, phase or keys do not fit together is refused with a [*TextError].
// Whether play can reach the position is not looked at.
func ParsePosition(r Ruleset, text string) (Position, error) {
	t := positionText{info: r.Info(), rest: text}
	p := t.position()
	if t.err != nil {
		return Position{}, t.err
	}
	return p, nil
}

// positionText is a position text on its way to a position. After the first
// error it reads nothing more.
type positionText struct {
	info   Info
	rest   string // what is not read yet
	column int    // how much is, in bytes
	err    error
}

func (t *positionText) position() Position {
	south := t.row(South, "/")
	north := t.row(North, " ")
	seeds := int(south.seeds()) + int(north.seeds())

	storesColumn := t.column
	southStore := t.number("South's store", "-", 0, t.info.Total())
	northStore := t.number("North's store", " ", 0, t.info.Total())
	if total := seeds + southStore + northStore; total != t.info.Total() {
		t.fail(storesColumn, "%d seeds in the holes and %d in the stores make %d, but %s has %d",
			seeds, southStore+northStore, total, t.info.Name, t.info.Total())
	}

	side := South
	if t.word("the side to move", "S", "N") == "N" {
		side = North
	}
	phaseColumn := t.column
	phase := PhaseSow
	if t.word("the phase", PhaseSow.String(), PhaseOver.String()) == PhaseOver.String() {
		phase = PhaseOver
	}
	if phase == PhaseOver && seeds > 0 && max(southStore, northStore) <= t.info.Total()/2 {
		t.fail(phaseColumn, "the match is over with %d seeds left in the holes, but no store holds more than %d",
			seeds, t.info.Total()/2)
	}
	round := t.number("the round", " ", 1, t.info.Rounds)
	most := QuietLimit
	if phase != PhaseOver {
		most--
	}
	quiet := t.number("the quiet count", "", 0, most)

	p := Position{
		own: south, opp: north,
		tally: tally(southStore)<<southStoreAt | tally(northStore)<<northStoreAt |
			tally(quiet)<<quietAt | tally(round)<<roundAt | tally(side)<<sideAt | tally(phase)<<phaseAt,
	}
	if side == North {
		p.own, p.opp = north, south
	}
	return p
}

// fail records the first error.
func (t *positionText) fail(column int, format string, args ...any) {
	if t.err == nil {
		t.err = &TextError{Column: column + 1, Problem: fmt.Sprintf(format, args...)}
	}
}

// until takes the text before the next end, and end itself; with an empty end
// all that is left.
func (t *positionText) until(what, end string) string {
	if t.err != nil {
		return ""
	}
	word, rest, found := strings.Cut(t.rest, end)
	if end == "" {
		word, rest, found = t.rest, "", true
	}
	if !found {
		t.fail(t.column+len(t.rest), "the text ends at %s, %q expected after it", what, end)
		return ""
	}
	t.rest = rest
	t.column += len(word) + len(end)
	return word
}

func (t *positionText) row(s Seat, end string) row {
	start := t.column
	counts := strings.Split(t.until("the row of "+s.String(), end), ",")
	if t.err != nil {
		return 0
	}
	if len(counts) != t.info.Holes {
		t.fail(start, "%d holes in the row of %s, but %s has %d", len(counts), s, t.info.Name, t.info.Holes)
		return 0
	}
	var r row
	left := t.info.Total() // so that no sum of lanes overflows
	for hole, text := range counts {
		n := t.count("hole "+Move{Hole: uint8(hole)}.Token(s), text, start, 0, left)
		r = r.with(uint8(hole), uint8(n))
		left -= n
		start += len(text) + 1
	}
	return r
}

func (t *positionText) number(what, end string, least, most int) int {
	start := t.column
	text := t.until(what, end)
	var more string
	var found bool
	if end == "" {
		text, more, found = strings.Cut(text, " ")
	}
	n := t.count(what, text, start, least, most)
	if found {
		t.fail(start+len(text)+1, "unknown key %q: %s has none", more, t.info.Name)
	}
	return n
}

// count reads a number without sign or leading zero.
func (t *positionText) count(what, text string, start, least, most int) int {
	if t.err != nil {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || strconv.Itoa(n) != text {
		t.fail(start, "%s is %s, a number expected", what, strconv.QuoteToASCII(text))
		return 0
	}
	if n < least || n > most {
		expected := fmt.Sprintf("%d to %d", least, most)
		if least == most {
			expected = strconv.Itoa(least)
		}
		t.fail(start, "%s is %d, %s expected", what, n, expected)
		return 0
	}
	return n
}

func (t *positionText) word(what string, known ...string) string {
	start := t.column
	text := t.until(what, " ")
	for _, k := range known {
		if text == k {
			return text
		}
	}
	t.fail(start, "%s is %s, %s expected", what, strconv.QuoteToASCII(text), strings.Join(known, " or "))
	return ""
}
