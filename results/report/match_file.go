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

// MatchLine is what a line of a file says about one match. Nothing in it is refereed yet. What the line leaves out has
// its zero value, and [results.UnknownCPU] for a CPU time.
type MatchLine struct {
	Match

	place  string     // of the line: "games.jsonl:12"
	fields lineFields // as it was read
}

// errorf returns an error with the place of the line.
func (l *MatchLine) errorf(format string, args ...any) *FileError {
	return &FileError{l.place + ": " + safe.Line(fmt.Sprintf(format, args...))}
}

// problem returns what is wrong with the match.
func (l *MatchLine) problem(format string, args ...any) *FileError {
	key := l.Record.Key
	match := safe.Short(key.South) + " - " + safe.Short(key.North)
	if key.Pair > 0 {
		match += fmt.Sprintf(", pair %d", key.Pair)
	}
	return l.errorf("%s: %s", match, fmt.Sprintf(format, args...))
}

// mostLine is the greatest length of a line, in bytes. A line holds a whole match.
const mostLine = 16 << 20

// ReadMatches yields the matches of a file of JSON lines, as [Matches] writes them, or another program: fields that are
// not known do not matter. name is the name of the file in errors.
//
// An error is a *FileError if a match cannot be read. Then ReadMatches reads on at the next line, unless the line has
// more than 16 MiB. Any other error is that of the input and the last one.
func ReadMatches(input io.Reader, name string) iter.Seq2[MatchLine, error] {
	return func(yield func(MatchLine, error) bool) {
		lines := bufio.NewScanner(input)
		lines.Buffer(nil, mostLine)
		number := 0
		for lines.Scan() {
			number++
			if len(bytes.TrimSpace(lines.Bytes())) == 0 {
				continue
			}
			line := MatchLine{place: fmt.Sprintf("%s:%d", name, number)}
			if err := line.read(lines.Bytes()); !yield(line, err) {
				return
			}
		}
		err := lines.Err()
		if errors.Is(err, bufio.ErrTooLong) {
			yield(MatchLine{}, &FileError{fmt.Sprintf(
				"%s:%d: the line has more than %d bytes, so the rest of the file is not read", name, number+1, mostLine)})
		} else if err != nil {
			yield(MatchLine{}, fmt.Errorf("%s: after line %d: %w", name, number, err))
		}
	}
}

// IsMatches reports whether a file begins as one for ReadMatches. start is its beginning.
func IsMatches(start []byte) bool {
	inside, isObject := bytes.CutPrefix(bytes.TrimSpace(start), []byte("{"))
	return isObject && bytes.HasPrefix(bytes.TrimSpace(inside), []byte(`"`))
}

// read reads a line.
func (l *MatchLine) read(line []byte) error {
	m := &l.fields
	err := json.Unmarshal(line, m)
	var shape *json.UnmarshalTypeError
	switch {
	case !utf8.Valid(line):
		return l.errorf("it is not UTF-8")
	case errors.As(err, &shape):
		return l.errorf("%s cannot be a JSON %s", cmp.Or(shape.Field, "a match"), safe.Short(shape.Value))
	case err != nil:
		return l.errorf("it is not a JSON object: %v (hint: each line holds a whole match)", err)
	}
	if name := fieldTwice(line); name != "" {
		return l.errorf("the field %s appears twice", safe.Quote(name))
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
			return l.errorf("it lacks the field %q", field.name)
		}
	}
	if min(m.Number, m.Pair, m.RoundLimit) < 0 || max(m.Number, m.Pair, m.RoundLimit) > math.MaxInt32 {
		return l.errorf("match, pair and round_limit must be from 0 to %d", math.MaxInt32)
	}
	return l.take()
}

// fieldTwice returns a name that two fields of a valid object have; "" if there is none. Names that differ only in case
// are the same field for encoding/json, which takes the last one in silence.
func fieldTwice(object []byte) string {
	seen := make(map[string]bool)
	decoder := json.NewDecoder(bytes.NewReader(object))
	if _, err := decoder.Token(); err != nil { // the brace
		return ""
	}
	for decoder.More() {
		token, err := decoder.Token()
		var value json.RawMessage
		name, isName := token.(string)
		if err != nil || !isName || decoder.Decode(&value) != nil {
			return ""
		}
		known := strings.ToLower(strings.ToUpper(name)) // the Kelvin sign and the long s are k and s
		if seen[known] {
			return name
		}
		seen[known] = true
	}
	return ""
}

// take fills the record from the fields. float64 holds milliseconds up to most, 11 days, exactly to the nanosecond.
func (l *MatchLine) take() error {
	const most = 1_000_000_000
	m, r := &l.fields, &l.Record
	l.Tournament = results.Tournament{Plan: results.Plan{
		Name: m.Tournament, Conditions: results.Conditions{Ruleset: m.Ruleset, Rounds: m.RoundLimit},
	}}
	l.Number = m.Number
	if m.ElapsedMS != nil && len(m.ElapsedMS) != len(m.Moves) {
		return l.errorf("%d times in elapsed_ms but %d moves", len(m.ElapsedMS), len(m.Moves))
	}
	if !slices.ContainsFunc(m.Scores, func(score *float64) bool { return score != nil }) {
		m.Scores = nil
	}
	r.CPU = [2]time.Duration{results.UnknownCPU, results.UnknownCPU}
	r.Elapsed = make([]time.Duration, len(m.Moves))
	var times timeSum
	m.fill(&r.Summary, &r.Body, &times)
	if times.least < 0 || times.sum > most {
		return l.errorf("the times must be from 0 to %d ms, together", most)
	}
	var err error
	if r.Result, err = results.ParseResult(m.Result); err != nil {
		return l.errorf("result: %v", err)
	}
	if m.Ending != "" {
		if r.Ending, err = results.ParseEnding(m.Ending); err != nil {
			return l.errorf("ending: %v", err)
		}
	}
	return l.takeFault()
}

// takeFault takes who was at fault.
func (l *MatchLine) takeFault() error {
	m, r := &l.fields, &l.Record
	switch m.Fault {
	case "":
		r.Fault = faultOf(r.Ending, r.Result)
	case "both":
		r.Fault = results.BothFault
	case m.South:
		r.Fault = results.SouthFault
	case m.North:
		r.Fault = results.NorthFault
	default:
		return l.errorf("fault is %s; it must be one of the two bots, or both", safe.Quote(m.Fault))
	}
	if m.Reason != "" && r.Fault != results.NoFault {
		r.Evidence = &results.Evidence{What: m.Reason}
	}
	return nil
}

// faultOf returns the fault that follows from an ending and a result, for a file that does not name it.
func faultOf(ending results.Ending, result results.Result) results.Fault {
	if ending < results.EndTime || ending > results.EndStart {
		return results.NoFault
	}
	switch result {
	case results.SouthWins:
		return results.NorthFault
	case results.NorthWins:
		return results.SouthFault
	case results.Void:
		return results.BothFault
	}
	return results.NoFault
}

// Check plays the moves of the line and returns the match with all that the file leaves out: the opening, the numbers
// of rounds, stores, donkeys and plies, the ending by the rules, the hash, and the charged times as the sums of the
// times of the moves. Only an unknown pair stays 0.
//
// The problems are the mistakes in the file: an unknown ruleset, an illegal move, a result, an ending or stores that
// do not follow from the moves, and so on, as [results.Conditions.Verify] finds them. A claimed fault, adjudication or
// resignation is taken for true if it fits the moves. If there are problems, the match is not complete.
func (l MatchLine) Check() (done Match, problems []*FileError) {
	rules, err := engine.Lookup(l.Tournament.Ruleset)
	if err == nil && l.Tournament.Rounds != 0 {
		rules, err = engine.WithRounds(rules, l.Tournament.Rounds)
	}
	if err != nil {
		return l.Match, []*FileError{l.problem("%v", err)}
	}
	info := rules.Info() // the file may have another name of the ruleset
	l.Tournament.Ruleset, l.Tournament.Rounds = info.Name, info.Rounds
	game, err := l.play(rules)
	if err != nil {
		return l.Match, []*FileError{l.problem("%v", err)}
	}
	done = l.complete(game)
	if done.Record.Ending == 0 {
		return done, []*FileError{l.problem(
			"the rules do not end the match after its last move, so the record needs an ending, such as resign")}
	}
	judged := done.Record
	judged.Pair = max(judged.Pair, 1)
	for _, what := range l.Tournament.Conditions.Verify(rules, judged) {
		problems = append(problems, l.problem("%s", what))
	}
	return done, problems
}

// play plays the moves of the line.
func (l *MatchLine) play(rules engine.Ruleset) (*results.Match, error) {
	start := rules.Start()
	if l.Record.Opening != "" {
		var err error
		if start, err = engine.ParsePosition(rules, l.Record.Opening); err != nil {
			return nil, fmt.Errorf("the opening %s: %w", safe.Quote(l.Record.Opening), err)
		}
	}
	game := l.Tournament.Begin(rules, start)
	for i, token := range l.Record.Moves {
		if err := game.Play(token, l.Record.Elapsed[i], nil); err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	return game, nil
}

// complete returns the match with what follows from its moves, where the file does not have it.
func (l *MatchLine) complete(game *results.Match) Match {
	done := l.Match
	r := &done.Record
	if v, over := game.Verdict(); over && r.Ending == 0 {
		r.Ending = v.Ending
	}
	made := game.Record(r.Key, results.Verdict{Ending: r.Ending})
	r.Opening, r.Stores, r.Donkeys, r.Plies, r.Times = made.Opening, made.Stores, made.Donkeys, made.Plies, made.Times
	r.Body.Rounds, r.Hash = made.Body.Rounds, made.Hash
	l.fields.fill(&r.Summary, &r.Body, new(timeSum))
	r.Summary.Rounds = len(r.Body.Rounds)
	return done
}
