package report

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"sembra/engine"
	"sembra/results"
	"sembra/results/safe"
)

// FileError is what is wrong in a file of matches, with its place.
type FileError struct{ text string }

// Error returns the error in one line: "games.jsonl:12: it lacks the field \"moves\"".
func (e *FileError) Error() string { return e.text }

// Claim is what a line of a file says about one match. Nothing in it is refereed yet. What the line leaves out has its
// zero value, and [results.UnknownCPU] for a CPU time.
type Claim struct {
	Match

	place string    // of the line: "games.jsonl:12"
	line  matchLine // as it was read
}

// errorf returns an error in the claim's line.
func (c *Claim) errorf(format string, args ...any) *FileError {
	return &FileError{c.place + ": " + safe.Line(fmt.Sprintf(format, args...))}
}

// problem returns what is wrong with the match of the claim.
func (c *Claim) problem(format string, args ...any) *FileError {
	key := c.Record.Key
	match := safe.Short(key.South) + " - " + safe.Short(key.North)
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
// An error is a *FileError if a match cannot be read. Then ReadMatches reads on at the next line, unless the line has
// more than 16 MiB. Any other error is that of the input and the last one.
func ReadMatches(input io.Reader, name string) iter.Seq2[Claim, error] {
	return func(yield func(Claim, error) bool) {
		lines := bufio.NewScanner(input)
		lines.Buffer(nil, mostLine)
		number := 0
		for lines.Scan() {
			number++
			if len(bytes.TrimSpace(lines.Bytes())) == 0 {
				continue
			}
			claim := Claim{place: fmt.Sprintf("%s:%d", name, number)}
			if err := claim.read(lines.Bytes()); !yield(claim, err) {
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

// IsMatches reports whether a file begins as one for ReadMatches. start is its beginning.
func IsMatches(start []byte) bool {
	inside, isObject := bytes.CutPrefix(bytes.TrimSpace(start), []byte("{"))
	return isObject && bytes.HasPrefix(bytes.TrimSpace(inside), []byte(`"`))
}

// read reads a line.
func (c *Claim) read(line []byte) error {
	m, shape := &c.line, new(json.UnmarshalTypeError)
	switch err := json.Unmarshal(line, m); {
	case !utf8.Valid(line):
		return c.errorf("it is not UTF-8")
	case errors.As(err, &shape):
		return c.errorf("%s cannot be a JSON %s", cmp.Or(shape.Field, "a match"), safe.Short(shape.Value))
	case err != nil:
		return c.errorf("it is not a JSON object: %v (hint: each line holds a whole match)", err)
	}
	if name := fieldTwice(line); name != "" {
		return c.errorf("the field %s appears twice", safe.Quote(name))
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
	if min(m.Number, m.Pair, m.RoundLimit) < 0 || max(m.Number, m.Pair, m.RoundLimit) > math.MaxInt32 {
		return c.errorf("match, pair and round_limit must be from 0 to %d", math.MaxInt32)
	}
	return c.take()
}

// fieldTwice returns a name that two fields of a valid object have; "" if there is none. Names that differ only in case
// are the same field for encoding/json, which takes the last one in silence.
func fieldTwice(object []byte) string {
	seen := make(map[string]bool)
	depth, begin, end := 0, 0, 0 // of the last string
	for i := 0; i < len(object); i++ {
		switch object[i] {
		case '"':
			for begin, i = i, i+1; object[i] != '"'; i++ {
				if object[i] == '\\' {
					i++
				}
			}
			end = i + 1
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ':':
			var name string
			if depth > 1 || json.Unmarshal(object[begin:end], &name) != nil {
				continue
			}
			known := strings.ToLower(strings.ToUpper(name)) // the Kelvin sign and the long s are k and s
			if seen[known] {
				return name
			}
			seen[known] = true
		}
	}
	return ""
}

// take takes what the line says. float64 holds milliseconds up to most, 11 days, exactly to the nanosecond.
func (c *Claim) take() (err error) {
	const most = 1_000_000_000
	m, r, times := &c.line, &c.Record, new(timeSum)
	c.Tournament = results.Tournament{
		Name: m.Tournament, Conditions: results.Conditions{Ruleset: m.Ruleset, Rounds: m.RoundLimit},
	}
	c.Number = m.Number
	if m.ElapsedMS != nil && len(m.ElapsedMS) != len(m.Moves) {
		return c.errorf("%d times in elapsed_ms but %d moves", len(m.ElapsedMS), len(m.Moves))
	}
	if !slices.ContainsFunc(m.Scores, func(score *float64) bool { return score != nil }) {
		m.Scores = nil
	}
	r.CPU = [2]time.Duration{results.UnknownCPU, results.UnknownCPU}
	r.Elapsed = make([]time.Duration, len(m.Moves))
	m.tell(&r.Summary, &r.Body, times)
	if times.least < 0 || times.sum > most {
		return c.errorf("the times must be from 0 to %d ms, together", most)
	}
	if r.Result, err = results.ParseResult(m.Result); err != nil {
		return c.errorf("result: %v", err)
	}
	if m.Ending != "" {
		if r.Ending, err = results.ParseEnding(m.Ending); err != nil {
			return c.errorf("ending: %v", err)
		}
	}
	return c.takeFault()
}

// takeFault takes who was at fault.
func (c *Claim) takeFault() error {
	m, r, known := &c.line, &c.Record, false
	if r.Fault, known = map[string]results.Fault{
		m.North: results.NorthFault, m.South: results.SouthFault, "both": results.BothFault, "": faultOf(r.Ending, r.Result),
	}[m.Fault]; !known {
		return c.errorf("fault is %s; it must be one of the two bots, or both", safe.Quote(m.Fault))
	}
	if m.Reason != "" && r.Fault != results.NoFault {
		r.Evidence = &results.Evidence{What: m.Reason}
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

// Check plays the moves of the claim and returns the match with all that the file leaves out: the opening, the numbers
// of rounds, stores, donkeys and plies, the ending by the rules, the hash, and the charged times as the sums of the
// times of the moves. Only an unknown pair stays 0.
//
// The problems are the mistakes in the file: an unknown ruleset, an illegal move, a result, an ending or stores that
// do not follow from the moves, and so on, as [results.Conditions.Verify] finds them. A claimed fault, adjudication or
// resignation is taken for true if it fits the moves. If there are problems, the match is not complete.
func (c Claim) Check() (done Match, problems []*FileError) {
	rules, err := engine.Lookup(c.Tournament.Ruleset)
	if err == nil && c.Tournament.Rounds != 0 {
		rules, err = engine.WithRounds(rules, c.Tournament.Rounds)
	}
	if err != nil {
		return c.Match, []*FileError{c.problem("%v", err)}
	}
	info := rules.Info() // the file may have another name of the ruleset
	c.Tournament.Ruleset, c.Tournament.Rounds = info.Name, info.Rounds
	game, err := c.play(rules)
	if err != nil {
		return c.Match, []*FileError{c.problem("%v", err)}
	}
	done = c.complete(game)
	if done.Record.Ending == 0 {
		return done, []*FileError{c.problem(
			"the rules do not end the match after its last move, so the record needs an ending, such as resign")}
	}
	judged := done.Record
	judged.Pair = max(judged.Pair, 1)
	for _, what := range c.Tournament.Conditions.Verify(rules, judged) {
		problems = append(problems, c.problem("%s", what))
	}
	return done, problems
}

// play plays the moves of the claim.
func (c *Claim) play(rules engine.Ruleset) (*results.Match, error) {
	start := rules.Start()
	if c.Record.Opening != "" {
		var err error
		if start, err = engine.ParsePosition(rules, c.Record.Opening); err != nil {
			return nil, fmt.Errorf("the opening %s: %w", safe.Quote(c.Record.Opening), err)
		}
	}
	game := c.Tournament.Begin(rules, start)
	for i, token := range c.Record.Moves {
		if err := game.Play(token, c.Record.Elapsed[i], nil); err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	return game, nil
}

// complete returns the match of the claim with what follows from its moves, where the file does not tell it.
func (c *Claim) complete(game *results.Match) Match {
	done := c.Match
	r := &done.Record
	if v, over := game.Verdict(); over && r.Ending == 0 {
		r.Ending = v.Ending
	}
	made := game.Record(r.Key, results.Verdict{Ending: r.Ending})
	r.Opening, r.Stores, r.Donkeys, r.Plies, r.Times = made.Opening, made.Stores, made.Donkeys, made.Plies, made.Times
	r.Body.Rounds, r.Hash = made.Body.Rounds, made.Hash
	c.line.tell(&r.Summary, &r.Body, new(timeSum))
	r.Summary.Rounds = len(r.Body.Rounds)
	return done
}
