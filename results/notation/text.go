package notation

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"sembra/results"
)

// The limits of a text record.
const (
	mostMoves = 1 << 20
	mostWord  = 200     // bytes of a move
	mostValue = 1 << 16 // bytes of the value of a tag
)

// textReader reads text records.
type textReader struct {
	lines *lineReader
	line  []byte // the current line
	at    int    // what of the line is read, in bytes
	more  bool   // there is a current line
	moves bool   // the tags of the record are read
}

// next goes on to the next line.
func (r *textReader) next() {
	r.line, r.more = r.lines.next()
	r.at = 0
}

// errorf returns an error at a byte of the current line.
func (r *textReader) errorf(at int, format string, args ...any) error {
	e := &Error{Name: r.lines.name, Line: r.lines.number, What: fmt.Sprintf(format, args...)}
	if r.more {
		e.Column = column(r.line, at)
	}
	return e
}

// record reads the next record; io.EOF at the end.
func (r *textReader) record() (Claim, error) {
	r.moves = false
	if err := r.blank(); err != nil {
		return Claim{}, err
	}
	if !r.more {
		return Claim{}, io.EOF
	}
	if r.line[r.at] != '[' {
		return Claim{}, r.errorf(r.at, "found %q, but a record begins with tags, such as [South \"Ada\"]", clip(r.word()))
	}
	t := textRecord{textReader: r, claim: newClaim(r.lines.name, r.lines.number), seen: make(map[string]int)}
	if err := t.tags(); err != nil {
		return Claim{}, err
	}
	r.moves = true
	if err := t.play(); err != nil {
		return Claim{}, err
	}
	t.finish()
	return t.claim, nil
}

// skip goes on to the line with the first tag of the next record. That is a line that begins with a bracket, after the
// tags of the record that could not be read.
func (r *textReader) skip() {
	inTags := r.atTag() && !r.moves
	for r.more && (inTags || !r.atTag()) {
		r.next()
		inTags = inTags && r.atTag()
	}
}

// atTag reports whether the current line begins with a tag.
func (r *textReader) atTag() bool {
	return r.more && bytes.HasPrefix(bytes.TrimLeft(r.line, " \t"), []byte("["))
}

// blank skips white space, empty lines and comments.
func (r *textReader) blank() error {
	for {
		if comment, err := r.space(); err != nil || comment == "" {
			return err
		}
	}
}

// space skips white space, empty lines and comments up to the end of a comment in braces, which it returns; "" if there
// is none.
func (r *textReader) space() (comment string, err error) {
	for r.more {
		rest := r.line[r.at:]
		rest = bytes.TrimLeft(rest, " \t")
		r.at = len(r.line) - len(rest)
		switch {
		case len(rest) == 0 || rest[0] == ';':
			r.next()
		case rest[0] == '{':
			if comment, err = r.comment(); err != nil || comment != "" {
				return comment, err
			}
		default:
			return "", nil
		}
	}
	return "", nil
}

// comment reads a comment in braces, which may have several lines. It returns "" for one of several lines.
func (r *textReader) comment() (text string, err error) {
	line, begun := r.lines.number, column(r.line, r.at)
	inside := r.line[r.at+1:]
	if end := bytes.IndexByte(inside, '}'); end >= 0 {
		r.at += end + 2
		return string(inside[:end]), nil
	}
	for r.next(); r.more; r.next() {
		if end := bytes.IndexByte(r.line, '}'); end >= 0 {
			r.at = end + 1
			return "", nil
		}
	}
	const what = "the comment that begins here has no end: } is missing"
	return "", &Error{Name: r.lines.name, Line: line, Column: begun, What: what}
}

// word returns what stands up to the next white space, bracket, brace or semicolon, without reading it.
func (r *textReader) word() string {
	rest := r.line[r.at:]
	end := bytes.IndexAny(rest, " \t[]{};")
	if end < 0 {
		end = len(rest)
	}
	return string(rest[:max(end, min(1, len(rest)))])
}

// textRecord is a text record that is being read.
type textRecord struct {
	*textReader
	claim  Claim
	seen   map[string]int // the line of each tag
	scored bool
	last   int // the move that may still get its comment, from 1; 0: none
}

// tags reads the tags.
func (t *textRecord) tags() error {
	for {
		if err := t.blank(); err != nil {
			return err
		}
		if !t.more || t.line[t.at] != '[' {
			return t.required()
		}
		if err := t.tag(); err != nil {
			return err
		}
	}
}

// required checks that the tags are there without which nothing is known.
func (t *textRecord) required() error {
	for _, name := range []string{tagSouth, tagNorth, tagRuleset} {
		if t.seen[name] == 0 {
			return t.errorf(t.at, "the record that begins in line %d lacks the tag %s", t.claim.Line, name)
		}
	}
	return nil
}

// tag reads a tag: [Name "value"].
func (t *textRecord) tag() error {
	start := t.at + 1
	start += len(t.line[start:]) - len(bytes.TrimLeft(t.line[start:], " \t"))
	end := start
	for end < len(t.line) && isLetter(t.line[end]) {
		end++
	}
	name := string(t.line[start:end])
	value := end + len(t.line[end:]) - len(bytes.TrimLeft(t.line[end:], " \t"))
	if name == "" || value == len(t.line) || t.line[value] != '"' {
		return t.errorf(t.at, "a tag is written [Name \"value\"]")
	}
	if !slices.Contains(tagNames(), name) {
		return t.errorf(start, "unknown tag %s (known: %s; other notes are comments: ; text)",
			clip(name), strings.Join(tagNames(), ", "))
	}
	if line := t.seen[name]; line > 0 {
		return t.errorf(start, "the tag %s is there twice, also in line %d", name, line)
	}
	if !utf8.Valid(t.line) {
		return t.errorf(value, "the value of the tag %s is not UTF-8", name)
	}
	quoted, err := strconv.QuotedPrefix(string(t.line[value:]))
	if err != nil || len(quoted) > mostValue {
		return t.errorf(value, "the value of the tag %s is no text in quotes "+
			`(\" is a quote in it, and \\ is a backslash)`, name)
	}
	text, err := strconv.Unquote(quoted)
	if err != nil {
		return t.errorf(value, "the value of the tag %s is no text in quotes", name)
	}
	closing := value + len(quoted)
	closing += len(t.line[closing:]) - len(bytes.TrimLeft(t.line[closing:], " \t"))
	if closing == len(t.line) || t.line[closing] != ']' {
		return t.errorf(closing, "the tag %s has no ] after its value", name)
	}
	t.seen[name] = t.lines.number
	if problem := t.take(name, text); problem != "" {
		return t.errorf(value+1, "%s is %q; it must be %s", name, clip(text), problem)
	}
	t.at = closing + 1
	return nil
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// take takes the value of a tag. It returns what the value must be, or "" if it is that.
func (t *textRecord) take(name, text string) (problem string) {
	c, r := &t.claim, &t.claim.Record
	number := func(to *int, most int) string {
		n, err := strconv.Atoi(text)
		if *to = n; err != nil || n < 1 || n > most {
			return fmt.Sprintf("a whole number from 1 to %d", most)
		}
		return ""
	}
	two := func(first, second *int) string {
		var ok bool
		if *first, *second, ok = twoNumbers(text); !ok {
			return `two whole numbers, such as "25-18"`
		}
		return ""
	}
	duration := func(to *time.Duration) string {
		var ok bool
		if *to, ok = secondsOf(text); !ok {
			return `a time in seconds, such as "0.25s"`
		}
		return ""
	}
	switch name {
	case tagTournament:
		c.Tournament = text
	case tagDate:
		c.Date = text
	case tagMatch:
		return number(&c.Slot, math.MaxInt32)
	case tagPair:
		return number(&r.Pair, math.MaxInt32)
	case tagSouth:
		r.South = text
	case tagNorth:
		r.North = text
	case tagRuleset:
		c.Ruleset = text
	case tagRounds:
		return number(&c.Rounds, math.MaxInt32)
	case tagTimeControl:
		c.TimeControl = text
	case tagOpening:
		r.Opening = text
	case tagResult:
		var ok bool
		if r.Result, ok = resultOf(text); !ok {
			return strings.Join(resultTexts(), ", ")
		}
	case tagStores:
		c.gives.stores = true
		return two(&r.SouthStore, &r.NorthStore)
	case tagDonkeys:
		c.gives.donkeys = true
		return two(&r.SouthDonkeys, &r.NorthDonkeys)
	case tagEnding:
		var err error
		if r.Ending, err = results.ParseEnding(text); err != nil {
			return strings.Join(results.EndingNames(), ", ")
		}
	case tagFault, tagBurnt:
		south, north, ok := seatsOf(text)
		if !ok {
			return "south, north or both"
		}
		if name == tagBurnt {
			r.SouthBurnt, r.NorthBurnt = south, north
			break
		}
		r.Fault, c.gives.fault = faultBy(south, north), true
	case tagReason:
		c.Reason = text
	case tagSouthTime:
		c.gives.southTime = true
		return duration(&r.SouthTime)
	case tagNorthTime:
		c.gives.northTime = true
		return duration(&r.NorthTime)
	case tagSouthCPU:
		return duration(&r.SouthCPU)
	case tagNorthCPU:
		return duration(&r.NorthCPU)
	case tagSeeds:
		south, north, _ := strings.Cut(text, " ")
		for seat, digits := range []string{south, north} {
			seed, err := strconv.ParseUint(digits, 10, 64)
			if r.Seeds[seat] = seed; err != nil {
				return `two whole numbers, such as "12 34"`
			}
		}
	}
	return ""
}

// play reads the moves up to the result.
func (t *textRecord) play() error {
	for {
		comment, err := t.space()
		if err != nil {
			return err
		}
		if comment != "" {
			t.annotate(comment)
			continue
		}
		word := ""
		if t.more {
			word = t.word()
		}
		switch {
		case !t.more, word == "[":
			return t.errorf(t.at, "the record that begins in line %d has no result at its end (%s)",
				t.claim.Line, strings.Join(resultTexts(), ", "))
		case word == "*":
			return t.errorf(t.at, "a match without a result (*) is not read")
		case word == "}" || word == "]" || strings.ContainsAny(word, `()"`):
			return t.errorf(t.at, "found %q, but moves and comments in { } are expected", clip(word))
		case len(word) > mostWord:
			return t.errorf(t.at, "found a word of %d bytes, but moves are expected", len(word))
		}
		if result, ok := resultOf(word); ok {
			return t.result(word, result)
		}
		if err := t.move(word); err != nil {
			return err
		}
	}
}

// result takes the result at the end of the record.
func (t *textRecord) result(word string, result results.Result) error {
	if claimed := t.claim.Record.Result; claimed.Valid() && claimed != result {
		return t.errorf(t.at, "the result is %s, but the tag %s in line %d says %s",
			word, tagResult, t.seen[tagResult], resultText(claimed))
	}
	t.claim.Record.Result = result
	t.at += len(word)
	return nil
}

// move takes a move, which may have its number before it, or be only a number.
func (t *textRecord) move(word string) error {
	token := strings.TrimLeft(word, "0123456789")
	if token != word && strings.HasPrefix(token, ".") {
		token = strings.TrimLeft(token, ".")
	} else {
		token = word
	}
	t.last = 0
	if token != "" {
		r := &t.claim.Record
		if len(r.Moves) == mostMoves {
			return t.errorf(t.at, "the record has more than %d moves", mostMoves)
		}
		if !utf8.ValidString(token) {
			return t.errorf(t.at, "the move %q is not UTF-8", clip(token))
		}
		r.Moves, r.Elapsed, r.Scores = append(r.Moves, token), append(r.Elapsed, 0), append(r.Scores, nil)
		t.claim.lines = append(t.claim.lines, int32(t.lines.number))
		t.last = len(r.Moves)
	}
	t.at += len(word)
	return nil
}

// annotate takes the comment after a move, if it is a score, a time or both.
func (t *textRecord) annotate(comment string) {
	if t.last == 0 {
		return
	}
	score, elapsed, ok := annotation(comment)
	if !ok {
		return
	}
	r := &t.claim.Record
	r.Elapsed[t.last-1], r.Scores[t.last-1] = elapsed, score
	t.scored = t.scored || score != nil
	t.last = 0
}

// annotation reads a comment as commentText writes it. The score may have a search depth behind it, as other programs
// write it: {+3.5/12 0.2s}.
func annotation(comment string) (score *float64, elapsed time.Duration, ok bool) {
	words := strings.Fields(comment)
	if len(words) > 0 && len(words) < 3 && (words[0][0] == '+' || words[0][0] == '-') {
		text, _, _ := strings.Cut(words[0], "/")
		value, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsInf(value, 0) || math.IsNaN(value) || len(text) < 2 || !isDigit(text[1]) {
			return nil, 0, false
		}
		score, words = &value, words[1:]
	}
	switch len(words) {
	case 0:
		return score, 0, score != nil
	case 1:
		elapsed, ok = secondsOf(words[0])
		return score, elapsed, ok
	}
	return nil, 0, false
}

// finish adds to the claim what is known only at its end.
func (t *textRecord) finish() {
	r := &t.claim.Record
	if !t.scored {
		r.Scores = nil
	}
	if !t.claim.gives.fault {
		r.Fault = faultOf(r.Ending, r.Result)
	}
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// secondsOf reads a time as secondsText writes it.
func secondsOf(text string) (time.Duration, bool) {
	digits, isTime := strings.CutSuffix(text, "s")
	d, ok := decimal(digits, 9)
	return d, ok && isTime
}

// decimal reads a decimal number, such as "1.25", and returns it times ten to the power of places, as nanoseconds.
// There are at most that many digits after the point.
func decimal(text string, places int) (time.Duration, bool) {
	whole, part, point := strings.Cut(text, ".")
	if len(whole) < 1 || len(whole) > 19-places || len(part) > places || point && part == "" {
		return 0, false
	}
	digits := whole + part + "000000000"[:places-len(part)]
	for i := range len(digits) {
		if !isDigit(digits[i]) {
			return 0, false
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return time.Duration(n), err == nil
}

// twoNumbers reads two numbers with a hyphen between them.
func twoNumbers(text string) (first, second int, ok bool) {
	left, right, found := strings.Cut(text, "-")
	a, errA := strconv.ParseUint(left, 10, 31)
	b, errB := strconv.ParseUint(right, 10, 31)
	return int(a), int(b), found && errA == nil && errB == nil
}

func resultTexts() []string { return []string{"1-0", "0-1", "1/2-1/2", "0-0"} }

// resultOf reads a result as resultText writes it.
func resultOf(text string) (results.Result, bool) {
	at := slices.Index(resultTexts(), text)
	if text == "½-½" {
		at = 2
	}
	return results.Result(at + 1), at >= 0
}
