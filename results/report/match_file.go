package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"sembra/engine"
	"sembra/results"
)

// FileError is what is wrong in a file of matches, with its place.
type FileError struct{ text string }

// Error returns the error in one line: "games.jsonl:12:3: it is no JSON object".
func (e *FileError) Error() string { return e.text }

// Claim is what a line of a file says about one match. Nothing in it is refereed yet. What the line leaves out has its
// zero value, and [results.UnknownCPU] for a processor time.
type Claim struct {
	Match
	Unplayed bool // the match came to nothing because Sembra failed; there is no match to referee

	place string    // of the line: "games.jsonl:12"
	line  matchLine // as it was read
}

// errorf returns an error in the claim's line.
func (c *Claim) errorf(format string, args ...any) *FileError {
	return &FileError{c.place + ": " + results.VisibleAll(fmt.Sprintf(format, args...))}
}

// problem returns what is wrong with the match of the claim.
func (c *Claim) problem(format string, args ...any) *FileError {
	key := c.Record.Key
	match := results.Clip(key.South) + " - " + results.Clip(key.North)
	if key.Pair > 0 {
		match += fmt.Sprintf(", pair %d", key.Pair)
	}
	return c.errorf("%s: %s", match, fmt.Sprintf(format, args...))
}

// mostLine is the greatest length of a line, in bytes. A line holds a whole match.
const mostLine = 16 << 20

// ReadMatches yields the matches of a file of JSON lines, as [Matches] writes them, or another program: fields that are
// not known do not matter. name is the name of the file in errors.
//
// An error is a *FileError if a match cannot be read. Then ReadMatches goes on with the next line, unless the line has
// more than 16 MiB, or the file is a text record. Any other error is that of the input and the last one.
func ReadMatches(input io.Reader, name string) iter.Seq2[Claim, error] {
	return func(yield func(Claim, error) bool) {
		lines := bufio.NewScanner(input)
		lines.Buffer(nil, mostLine)
		number, begun := 0, false
		for lines.Scan() {
			number++
			line := bytes.TrimPrefix(lines.Bytes(), []byte(byteOrderMark))
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			claim := Claim{place: fmt.Sprintf("%s:%d", name, number)}
			if !begun && isTextRecord(line) {
				yield(Claim{}, claim.errorf("it is a text record, which is only for people "+
					"(hint: sembra export --format jsonl writes matches for replay and verify)"))
				return
			}
			begun = true
			if err := claim.read(line); !yield(claim, err) {
				return
			}
		}
		switch err := lines.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			yield(Claim{}, &FileError{fmt.Sprintf(
				"%s:%d: the line has more than %d bytes, so the rest of the file is not read", name, number+1, mostLine)})
		case err != nil:
			yield(Claim{}, fmt.Errorf("%s: after line %d: %w", name, number, err))
		}
	}
}

const byteOrderMark = "\uFEFF"

// IsMatches reports whether a file begins as one for ReadMatches, or as a text record, which ReadMatches refuses best.
// start is its beginning.
func IsMatches(start []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimSpace(bytes.TrimPrefix(start, []byte(byteOrderMark))), []byte("\n"))
	inside, isObject := bytes.CutPrefix(line, []byte("{"))
	isObject = isObject && (len(inside) == 0 || bytes.HasPrefix(bytes.TrimSpace(inside), []byte(`"`)))
	return isObject || isTextRecord(line) || bytes.HasPrefix(start, []byte("\xff\xfe{")) // UTF-16
}

// isTextRecord reports whether a line is the first one of a text record: a tag such as [South "Ada"]. A tournament file
// also begins with a bracket, but has no quoted text before the closing one.
func isTextRecord(line []byte) bool {
	name, value, quoted := bytes.Cut(bytes.TrimSpace(line), []byte(` "`))
	return quoted && len(name) > 1 && name[0] == '[' && bytes.HasSuffix(value, []byte(`"]`))
}

// read reads a line.
func (c *Claim) read(line []byte) error {
	if !utf8.Valid(line) {
		return c.errorf("it is not UTF-8")
	}
	m := &c.line
	if err := json.Unmarshal(line, m); err != nil {
		return c.jsonError(line, err)
	}
	if name := fieldTwice(line); name != "" {
		return c.errorf("the field %q is there twice", results.Clip(name))
	}
	for _, field := range []struct {
		name  string
		lacks bool
	}{
		{"south", m.South == ""},
		{"north", m.North == ""},
		{"ruleset", m.Ruleset == ""},
		{"result", m.Result == ""},
		{"moves", m.Moves == nil},
	} {
		if field.lacks {
			return c.errorf("it lacks the field %q", field.name)
		}
	}
	for name, number := range map[string]int{"slot": m.Number, "pair": m.Pair, "round_limit": m.RoundLimit} {
		if number < 0 || number > math.MaxInt32 {
			return c.errorf("%s is %d; it must be from 0 to %d", name, number, math.MaxInt32)
		}
	}
	return c.take()
}

// jsonError returns an error of encoding/json with its place.
func (c *Claim) jsonError(line []byte, err error) error {
	at := func(offset int64) { // the column is counted in characters, from 1
		c.place += fmt.Sprintf(":%d", utf8.RuneCount(line[:min(max(int(offset)-1, 0), len(line))])+1)
	}
	syntax, shape := new(json.SyntaxError), new(json.UnmarshalTypeError)
	switch {
	case errors.As(err, &syntax):
		at(syntax.Offset)
		hint := ""
		if begun := bytes.TrimSpace(line); begun[0] != '{' || begun[len(begun)-1] != '}' {
			hint = " (hint: each line holds a whole match)"
		}
		return c.errorf("it is no JSON object: %v%s", syntax, hint)
	case errors.As(err, &shape) && shape.Type == reflect.TypeFor[milliseconds]():
		return c.errorf("%s is %q; it must be a time in milliseconds, such as 0.25", shape.Field, results.Clip(shape.Value))
	case errors.As(err, &shape):
		at(shape.Offset)
		kind := map[reflect.Kind]string{
			reflect.Slice: "a list", reflect.Struct: "an object", reflect.Int: "a whole number", reflect.Float64: "a number",
			reflect.Uint64: "a whole number from 0 to 18446744073709551615", reflect.String: "a string",
		}[shape.Type.Kind()]
		return c.errorf("%s is a JSON %s; it must be %s", results.Clip(shape.Field), results.Clip(shape.Value), kind)
	}
	return c.errorf("%v", err)
}

// fieldTwice returns a name that two fields of a valid object have; "" if there is none. Names that differ only in case
// are the same field for encoding/json, which takes the last one in silence.
func fieldTwice(object []byte) string {
	seen := make(map[string]bool)
	d := json.NewDecoder(bytes.NewReader(object))
	_, _ = d.Token() // the object is valid, and so is what follows
	for d.More() {
		token, _ := d.Token()
		name, _ := token.(string)
		var value json.RawMessage
		_ = d.Decode(&value)
		known := strings.ToLower(strings.ToUpper(name)) // the Kelvin sign and the long s are k and s
		if seen[known] {
			return name
		}
		seen[known] = true
	}
	return ""
}

// take takes what the line says.
func (c *Claim) take() (err error) {
	m, r := &c.line, &c.Record
	c.Tournament = results.Tournament{Name: m.Tournament, Ruleset: m.Ruleset, Rounds: m.RoundLimit}
	c.Number, r.Key = m.Number, results.Key{South: m.South, North: m.North, Pair: m.Pair}
	r.Worker, r.SouthFiles, r.NorthFiles = m.Worker, m.SouthFiles, m.NorthFiles
	r.Opening, r.Moves, r.Seeds = m.Opening, m.Moves, [2]uint64{m.SouthSeed, m.NorthSeed}
	if slices.ContainsFunc(m.Scores, func(score *float64) bool { return score != nil }) {
		r.Scores = m.Scores
	}
	r.SouthCPU = time.Duration(stated(m.SouthCPUMS, milliseconds(results.UnknownCPU)))
	r.NorthCPU = time.Duration(stated(m.NorthCPUMS, milliseconds(results.UnknownCPU)))
	r.Elapsed = make([]time.Duration, len(m.Moves))
	if m.ElapsedMS != nil && len(m.ElapsedMS) != len(m.Moves) {
		return c.errorf("%d times in elapsed_ms but %d moves", len(m.ElapsedMS), len(m.Moves))
	}
	for i, elapsed := range m.ElapsedMS {
		r.Elapsed[i] = time.Duration(elapsed)
	}
	if r.Result, err = results.ParseResult(m.Result); err != nil {
		return c.errorf("result: %v", err)
	}
	if c.Unplayed = m.Ending == "" && r.Result == results.Void; c.Unplayed {
		return nil
	}
	if m.Ending != "" {
		if r.Ending, err = results.ParseEnding(m.Ending); err != nil {
			return c.errorf("ending: %v", err)
		}
	}
	return c.takeFault()
}

// takeFault takes who was at fault, and who used processor time while it waited.
func (c *Claim) takeFault() error {
	m, r, known := &c.line, &c.Record, false
	if r.Fault, known = map[string]results.Fault{
		m.North: results.NorthFault, m.South: results.SouthFault, "both": results.BothFault, "": faultOf(r.Ending, r.Result),
	}[m.Fault]; !known {
		return c.errorf("fault is %q; it must be one of the two bots, or both", results.Clip(m.Fault))
	}
	if m.Reason != "" && r.Fault != results.NoFault {
		r.Evidence = &results.Evidence{What: m.Reason}
	}
	r.SouthPondered, r.NorthPondered = m.Burnt == "south" || m.Burnt == "both", m.Burnt == "north" || m.Burnt == "both"
	if seatsText(r.SouthPondered, r.NorthPondered) != m.Burnt {
		return c.errorf("burnt is %q; it must be south, north or both", results.Clip(m.Burnt))
	}
	return nil
}

// faultOf returns the fault that goes with an ending and a result if the file does not tell it.
func faultOf(ending results.Ending, result results.Result) results.Fault {
	if ending < results.EndTime || ending > results.EndStart {
		return results.NoFault
	}
	return map[results.Result]results.Fault{
		results.SouthWins: results.NorthFault, results.NorthWins: results.SouthFault, results.Void: results.BothFault,
	}[result]
}

// stated returns what the file says, and otherwise what follows from the rest.
func stated[T any](said *T, follows T) T {
	if said == nil {
		return follows
	}
	return *said
}

// Referee referees claims by the rules. Its zero value is ready. Only one goroutine at a time may use it.
type Referee struct {
	ruleset string // of the last claim, as the next three
	rounds  int
	rules   engine.Ruleset
	judge   *results.Judge
}

// Check plays the moves of a claim and returns the match with all that the file leaves out: the opening, the numbers of
// rounds, stores, donkeys and plies, the ending by the rules, the hash, and the charged times as the sums of the times
// of the moves. Only an unknown pair stays 0.
//
// The problems are the mistakes in the file: an unknown ruleset, an illegal move, a result, an ending or stores that
// do not follow from the moves, and so on, as [results.Judge.Referee] finds them. A claimed fault, adjudication or
// resignation is taken for true if it fits the moves. If there are problems, the match is not complete.
func (f *Referee) Check(c Claim) (Match, []*FileError) {
	if err := f.learn(c.Tournament.Ruleset, c.Tournament.Rounds); err != nil {
		return c.Match, []*FileError{c.problem("%v", err)}
	}
	game, spent, problem := c.play(f.rules)
	if problem != nil {
		return c.Match, []*FileError{problem}
	}
	done := c.complete(game, spent)
	if done.Record.Ending == 0 {
		return done, []*FileError{c.problem(
			"the rules do not end the match after its last move, so the record needs an ending, such as resign")}
	}
	judged := done.Record
	judged.Pair = max(judged.Pair, 1)
	var problems []*FileError
	for _, what := range f.judge.Referee(judged) {
		problems = append(problems, c.problem("%s", what))
	}
	return done, problems
}

// learn gets ready for matches of a ruleset with a limit of rounds; 0: that of the ruleset.
func (f *Referee) learn(ruleset string, rounds int) error {
	if f.judge != nil && f.ruleset == ruleset && f.rounds == rounds {
		return nil
	}
	rules, err := engine.Lookup(ruleset)
	if err == nil && rounds != 0 {
		rules, err = engine.WithRounds(rules, rounds)
	}
	if err != nil {
		return err
	}
	// The judge can find no problem in a plan with the ruleset alone.
	judge, _ := results.Tournament{Ruleset: ruleset, Rounds: rules.Info().Rounds}.Judge()
	*f = Referee{ruleset, rounds, rules, judge}
	return nil
}

// play plays the moves of the claim. It returns the sums of their times, for South and for North.
func (c *Claim) play(rules engine.Ruleset) (game *engine.Match, spent [2]time.Duration, problem *FileError) {
	start := rules.Start()
	if c.Record.Opening != "" {
		var err error
		if start, err = engine.ParsePosition(rules, c.Record.Opening); err != nil {
			return nil, spent, c.problem("the opening %q: %v", results.Clip(c.Record.Opening), err)
		}
	}
	game = engine.NewMatch(rules, start)
	for i, token := range c.Record.Moves {
		if game.Over() {
			return nil, spent, c.problem("move %d %q comes after the end of the match", i+1, results.Clip(token))
		}
		move, err := game.Find(token)
		if err != nil {
			return nil, spent, c.problem("move %d: %v", i+1, err)
		}
		side := game.Position().Side()
		if spent[side] += c.Record.Elapsed[i]; spent[side] < 0 {
			return nil, spent, c.problem("move %d: the times of %s add up to more than 290 years", i+1, side)
		}
		game.Play(move)
	}
	return game, spent, nil
}

// complete returns the match of the claim with what follows from its moves, where the file does not tell it.
func (c *Claim) complete(game *engine.Match, spent [2]time.Duration) Match {
	done, rules, pos := c.Match, game.Rules(), game.Position()
	r := &done.Record
	done.Tournament.Rounds = rules.Info().Rounds
	if r.Opening == "" {
		r.Opening = engine.Text(rules, rules.Start())
	}
	if o, over := game.Outcome(); over && r.Ending == 0 {
		_, r.Ending = results.EndOf(o)
	}
	m := c.line
	r.SouthStore = stated(m.SouthStore, pos.Store(engine.South))
	r.NorthStore = stated(m.NorthStore, pos.Store(engine.North))
	r.SouthDonkeys = stated(m.SouthDonkeys, pos.Donkeys(engine.South))
	r.NorthDonkeys = stated(m.NorthDonkeys, pos.Donkeys(engine.North))
	r.Plies = stated(m.Plies, len(r.Moves))
	if r.Body.Rounds = m.Rounds; m.Rounds == nil {
		r.Body.Rounds = results.RoundsOf(game, r.Ending)
	}
	r.Summary.Rounds = len(r.Body.Rounds)
	r.SouthTime = time.Duration(stated(m.SouthMS, milliseconds(spent[engine.South])))
	r.NorthTime = time.Duration(stated(m.NorthMS, milliseconds(spent[engine.North])))
	r.Hash = results.MatchHash(done.Tournament.Ruleset, r.South, r.North, r.Opening, r.Moves)
	return done
}
