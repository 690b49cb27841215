package engine

import (
	"fmt"
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

// Text returns the position text, which RULES.md describes.
func Text(r Ruleset, p Position) string {
	return string(AppendText(nil, r, p))
}

// AppendText appends the position text to b.
func AppendText(b []byte, r Ruleset, p Position) []byte {
	holes := r.Info().Holes
	b = appendRow(b, p, South, holes)
	b = append(b, '/')
	b = appendRow(b, p, North, holes)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(p.Store(South)), 10)
	b = append(b, '-')
	b = strconv.AppendInt(b, int64(p.Store(North)), 10)
	b = append(b, ' ', "SN"[p.Side()], ' ')
	b = append(b, p.Phase().String()...)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(p.Round()), 10)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(p.Quiet()), 10)
	for _, k := range r.shared().keys {
		b = append(b, ' ')
		b = append(b, k.name...)
		b = append(b, '=')
		b = k.appendTo(b, p)
	}
	return b
}

func appendRow(b []byte, p Position, s Seat, holes int) []byte {
	row, flags := p.row(s), marked|closed
	if p.wide() {
		flags = 0
	}
	for hole := range holes {
		if hole > 0 {
			b = append(b, ',')
		}
		if hole == nearHoles {
			row = p.far(s)
		}
		h := uint8(row)
		row >>= 8
		if h&flags&closed != 0 {
			b = append(b, 'x')
			continue
		}
		b = strconv.AppendUint(b, uint64(h&^flags), 10)
		if h&flags != 0 {
			b = append(b, '*')
		}
	}
	return b
}

// ParsePosition reads a position text of a ruleset. It refuses a text whose syntax
// is wrong, or whose seeds, phase and keys do not fit together, with a
// [*TextError]. It does not ask whether play can reach the position.
func ParsePosition(r Ruleset, text string) (Position, error) {
	t := positionText{game: r.shared(), rest: text, at: map[string]int{}}
	p := t.position()
	if t.err != nil {
		return Position{}, t.err
	}
	return p, nil
}

// SideOfText returns who is to move in a position text that ParsePosition accepts. It reads nothing else, which takes a
// hundredth of the time. Of another text it may say anything.
func SideOfText(text string) Seat {
	if strings.Contains(text, " N ") {
		return North
	}
	return South
}

// positionText reads a position text. After the first error it reads nothing more.
type positionText struct {
	*game
	rest   string         // what is not read yet
	more   bool           // whether a space stood before rest
	column int            // the number of bytes that are read
	at     map[string]int // where each part of the text begins, by its name, as an offset in bytes
	err    error
}

// The names of the parts of a text, apart from the keys, which have their own.
const (
	partStores     = "South's store"
	partNorthStore = "North's store"
	partPhase      = "the phase"
	partRound      = "the round"
	partQuiet      = "the quiet count"
)

// partRow returns the name of a seat's row.
func partRow(s Seat) string { return "the row of " + s.String() }

func (t *positionText) position() Position {
	if t.rest == "" {
		t.fail(0, "the text is empty")
	}
	rows := [2][]uint8{t.row(South, "/"), t.row(North, " ")}
	total := t.info.Total()
	stores := [2]int{
		t.count(partStores, t.until(partStores, "-"), t.at[partStores], 0, total),
		t.number(partNorthStore, total),
	}
	var p Position
	p.tally = t.breadth()
	for seat, row := range rows {
		for hole, b := range row {
			p = p.withHole(Seat(seat), hole, b)
		}
	}
	seeds := p.inRow(South) + p.inRow(North)
	if sum := seeds + stores[South] + stores[North]; sum != total {
		t.fail(t.at[partStores], "%s in the holes and %d in the stores make %d, but %s has %d",
			plural(seeds, "seed"), stores[South]+stores[North], sum, t.info.Name, total)
	}
	side := South
	if t.word("the side to move", "S", "N") == "N" {
		side = North
	}
	phase := t.phase()
	round := t.number(partRound, MaxRounds)
	if round < 1 || round > t.info.Rounds {
		t.fail(t.at[partRound], "the round is %d; the match has the rounds 1 to %d", round, t.info.Rounds)
	}
	most := QuietLimit
	if phase != PhaseOver {
		most--
	}
	t.at[partQuiet] = t.column
	quiet := t.count(partQuiet, t.last(), t.at[partQuiet], 0, most)

	if side == North {
		p = p.turned()
	}
	p.tally |= tally(stores[South])<<southStoreAt | tally(stores[North])<<northStoreAt |
		tally(quiet)<<quietAt | tally(round)<<roundAt | tally(phase)<<phaseAt
	for _, k := range t.keys {
		p = t.key(k, p)
	}
	if t.more {
		t.fail(t.column, "found %s; nothing may follow the last field", quote(t.rest))
	}
	t.check(p)
	return p
}

func (t *positionText) phase() Phase {
	var names []string
	for _, p := range t.phases() {
		names = append(names, p.String())
	}
	if i := slices.Index(names, t.word(partPhase, names...)); i >= 0 {
		return t.phases()[i]
	}
	return PhaseOver
}

// key reads a key of the ruleset.
func (t *positionText) key(k key, p Position) Position {
	start := t.column
	text := t.last()
	value, ok := strings.CutPrefix(text, k.name+"=")
	if !ok {
		t.fail(start, "found %s; expected key %q", quote(text), k.name+"=")
	}
	t.at[k.name] = start + len(k.name) + 1
	if t.err != nil {
		return p
	}
	p, ok = k.parse(p, value)
	if !ok {
		t.fail(t.at[k.name], "%s is %s; it must be %s", k.name, quote(value), k.values)
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

// fail records the first error.
func (t *positionText) fail(column int, format string, args ...any) {
	if t.err == nil {
		t.err = &TextError{Column: column + 1, Problem: fmt.Sprintf(format, args...)}
	}
}

// until reads the text of a part before the next end, and end itself, and returns the former.
func (t *positionText) until(part, end string) string {
	t.at[part] = t.column
	if t.err != nil {
		return ""
	}
	word, rest, found := strings.Cut(t.rest, end)
	if !found {
		t.fail(t.column+len(t.rest), "the text ends at %s; %q must follow", part, end)
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

// row reads the holes of a row: the seeds and the flags of each.
func (t *positionText) row(s Seat, end string) []uint8 {
	counts := strings.Split(t.until(partRow(s), end), ",")
	start := t.at[partRow(s)]
	if len(counts) != t.info.Holes {
		t.fail(start, "%s in the row of %s, but %s has %d", plural(len(counts), "hole"), s, t.info.Name, t.info.Holes)
	}
	if t.err != nil {
		return nil
	}
	var row []uint8
	left := t.info.Total() // no hole may hold more, so that no sum of bytes overflows
	for hole, text := range counts {
		b, seeds := t.hole("hole "+s.HoleName(hole), text, start, left)
		row = append(row, b)
		left -= seeds
		start += len(text) + 1
	}
	return row
}

// hole reads a hole: its byte in a position, and the seeds in it.
func (t *positionText) hole(name, text string, start, most int) (b uint8, seeds int) {
	if t.info.Closed != "" && text == "x" {
		return closed, 0
	}
	mark := uint8(0)
	if cut, found := strings.CutSuffix(text, "*"); found && t.marks {
		text, mark = cut, marked
	}
	seeds = t.count(name, text, start, 0, most)
	return uint8(seeds) | mark, seeds
}

// number reads a number from 0 that a space follows.
func (t *positionText) number(part string, most int) int {
	return t.count(part, t.until(part, " "), t.at[part], 0, most)
}

// count reads a number without sign or leading zero.
func (t *positionText) count(what, text string, start, least, most int) int {
	n, err := strconv.Atoi(text)
	if err != nil || strconv.Itoa(n) != text || n < least || n > most {
		t.fail(start, "%s is %s; it must be a number, %d to %d", what, quote(text), least, most)
		return 0
	}
	return n
}

func (t *positionText) word(part string, known ...string) string {
	text := t.until(part, " ")
	if !slices.Contains(known, text) {
		t.fail(t.at[part], "%s is %s; it must be %s", part, quote(text), strings.Join(known, " or "))
	}
	return text
}

// check refuses a position text whose parts do not fit together.
func (t *positionText) check(p Position) {
	switch p.Phase() {
	case PhaseSow:
		t.refuse(t.has(PhaseStart) && p.extras.at(southStartAt)|p.extras.at(northStartAt) == 0,
			"start", "neither player has a start hole to sow from")
	case PhaseFill:
		t.checkFill(p)
	case PhaseStart:
		side := p.Side()
		_, chosen := p.StartHole(side)
		t.refuse(chosen, "start", "%s is to choose a start hole, but has one already", side)
		t.refuse(p.own.seeds() == 0, partRow(side), "%s is to choose a start hole, but has no seed in its row", side)
	case PhaseOver:
		t.checkOver(p)
	}
	t.checkExtras(p)
	t.checkSwap(p)
	if t.has(PhaseStart) {
		t.checkErased(p)
	}
}

// refuse fails at a part of the text if a condition holds.
func (t *positionText) refuse(wrong bool, part, format string, args ...any) {
	if wrong {
		t.fail(t.at[part], format, args...)
	}
}

// has reports whether the ruleset knows the phase.
func (t *positionText) has(phase Phase) bool {
	return slices.Contains(t.phases(), phase)
}

// checkFill checks a position in which the side to move fills its row: the other row
// is full, and nothing has been played on the board.
func (t *positionText) checkFill(p Position) {
	side, other := p.Side(), p.Side().Other()
	whole, least, store := int(t.whole().seeds()), t.fewest(), p.Store(side)
	storePart := partStores
	if side == North {
		storePart = partNorthStore
	}
	t.refuse(p.own != 0, partRow(side), "%s is to fill its row, but the row is not empty; every hole must be 0", side)
	t.refuse(p.opp != t.whole(), partRow(other),
		"%s is to fill its row, so the row of %s must be full; every hole must be %d", side, other, t.info.Seeds)
	t.refuse(store < least || store >= whole, storePart,
		"%s is to fill its row, but with %d seeds there is no choice; it must have %d to %d", side, store, least, whole-1)
	t.refuse(p.Quiet() != 0, partQuiet, "the quiet count is %d before the first sowing; it must be 0", p.Quiet())
	t.refuse(p.extras.at(openedAt) != 0, "opened", "nobody has sown before the rows are filled; opened must be -")
	t.refuse(p.extras.at(southStartAt)|p.extras.at(northStartAt) != 0,
		"start", "nobody has a start hole before the rows are filled; start must be -,-")
}

// checkOver checks the position of a match that is over.
func (t *positionText) checkOver(p Position) {
	seeds := p.inRow(South) + p.inRow(North)
	t.refuse(seeds > 0 && !t.info.DecidedEarly(p),
		partPhase, "the match is over with %s left in the holes, and no store decides it", plural(seeds, "seed"))
	t.refuse(p.notes().at(takeAt) != 0, "take", "nothing can be taken when the match is over; take must be -")
	t.refuse(p.notes().at(missedAt) != 0, "missed", "nothing can be claimed when the match is over; missed must be -")
}

// checkExtras checks what may be taken, claimed and owed.
func (t *positionText) checkExtras(p Position) {
	if hole, _, ok := p.OpenSeed(); ok {
		t.refuse(p.own.at(uint8(hole)) != 1, "take", "only a single seed can be taken")
	}
	for hole := range t.info.Holes {
		facing := p.own.at(uint8(t.info.Holes - 1 - hole))
		t.refuse(p.MissedCapture(hole) && (p.opp.at(uint8(hole)) != 1 || facing < 1 || facing > 2),
			"missed", "only a hole of 1 that faces 1 or 2 can be missed, not %s", p.Side().Other().HoleName(hole))
	}
	// Play never leads to more donkeys, and a byte can still hold what all later rounds can add.
	most := 50 + 2*p.Round()
	if p.Phase() == PhaseOver {
		most += 2
	}
	t.refuse(max(p.Donkeys(South), p.Donkeys(North)) > most, "donkeys", "nobody is owed more than %d donkeys", most)
}

// checkSwap checks a position in which North may still swap sides: South has sown once at most, and North never.
func (t *positionText) checkSwap(p Position) {
	if !p.Swap() {
		return
	}
	t.refuse(p.Phase() == PhaseOver, "swap", "nobody can swap sides when the match is over; swap must be -")
	t.refuse(p.Store(North) > 0, "swap", "North has seeds in its store, so it has moved already; swap must be -")
	t.refuse(p.Side() == South && p.Store(South)+p.Quiet() > 0,
		"swap", "South is to move again, so North has moved already; swap must be -")
	t.refuse(p.Quiet() > 1, "swap", "there were %d quiet sowings, so North has moved already; swap must be -", p.Quiet())
}

// checkErased checks the erased holes: none is a start hole, and each player has
// other holes.
func (t *positionText) checkErased(p Position) {
	for _, seat := range []Seat{South, North} {
		open := 0
		for hole := range t.info.Holes {
			if !p.Closed(seat, hole) {
				open++
			}
		}
		t.refuse(open == 0, partRow(seat), "every hole of %s is erased, so %[1]s would be out", seat)
		hole, ok := p.StartHole(seat)
		t.refuse(ok && p.Closed(seat, hole), "start", "the start hole of %s is erased", seat)
	}
}
