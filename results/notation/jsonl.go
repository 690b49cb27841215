package notation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"sembra/results"
)

// object is a match as sembra matches --format jsonl writes it. Other fields of a line do not matter.
type object struct {
	Tournament   string
	Slot         int
	Pair         int
	Ruleset      string
	South, North string
	Opening      string
	Moves        []string
	Result       string
	SouthStore   *int `json:"south_store"`
	NorthStore   *int `json:"north_store"`
	Ending       string
	Fault        string
	Plies        *int
	ElapsedMS    []json.Number `json:"elapsed_ms"`
	Rounds       []struct {
		Start      string
		Plies      int
		Position   string
		Reason     string
		SouthStore int `json:"south_store"`
		NorthStore int `json:"north_store"`
	}
	Scores       []*float64
	SouthSeed    uint64       `json:"south_seed"`
	NorthSeed    uint64       `json:"north_seed"`
	SouthMS      *json.Number `json:"south_ms"`
	NorthMS      *json.Number `json:"north_ms"`
	RoundLimit   int          `json:"round_limit"`
	Burnt        string
	SouthDonkeys *int         `json:"south_donkeys"`
	NorthDonkeys *int         `json:"north_donkeys"`
	SouthCPUMS   *json.Number `json:"south_cpu_ms"`
	NorthCPUMS   *json.Number `json:"north_cpu_ms"`
	Reason       string
	Worker       string
	SouthFiles   string `json:"south_files"`
	NorthFiles   string `json:"north_files"`
}

// readJSONLines reads a match from each line that is not empty.
func readJSONLines(lines *lineReader, yield func(Claim, error) bool) {
	for line, more := lines.next(); more; line, more = lines.next() {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if !yield(readObject(lines, line)) {
			return
		}
	}
	if lines.err != nil {
		yield(Claim{}, lines.err)
	}
}

func readObject(lines *lineReader, line []byte) (Claim, error) {
	c := newClaim(lines.name, lines.number)
	if !utf8.Valid(line) {
		return Claim{}, c.errorf(c.Line, "it is not UTF-8")
	}
	var o object
	if err := json.Unmarshal(line, &o); err != nil {
		return Claim{}, jsonError(lines, line, err)
	}
	if name := repeated(line); name != "" {
		return Claim{}, c.errorf(c.Line, "the field %q is there twice", clip(name))
	}
	if what := o.claim(&c); what != "" {
		return Claim{}, c.errorf(c.Line, "%s", what)
	}
	return c, nil
}

// jsonError returns an error of encoding/json with its place.
func jsonError(lines *lineReader, line []byte, err error) error {
	e := &Error{Name: lines.name, Line: lines.number}
	syntax, shape := new(json.SyntaxError), new(json.UnmarshalTypeError)
	switch {
	case errors.As(err, &syntax):
		e.Column = column(line, int(syntax.Offset)-1)
		e.What = "it is no JSON object: " + results.VisibleAll(syntax.Error())
		if begun := bytes.TrimSpace(line); begun[0] != '{' || begun[len(begun)-1] != '}' {
			e.What += " (hint: each line holds a whole match)"
		}
	case errors.As(err, &shape):
		e.Column = column(line, int(shape.Offset)-1)
		e.What = fmt.Sprintf("%s is a JSON %s; it must be %s",
			results.VisibleAll(clip(strings.ToLower(shape.Field))), results.VisibleAll(clip(shape.Value)), jsonKind(shape.Type))
	default: // encoding/json gives no place of a text that stands for a time
		e.What = "a time in it is no number"
	}
	return e
}

// jsonKind says what a field must be.
func jsonKind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		return "a list"
	case reflect.Struct:
		return "an object"
	case reflect.Int:
		return "a whole number"
	case reflect.Uint64:
		return "a whole number from 0 to 18446744073709551615"
	case reflect.Float64:
		return "a number"
	}
	return "a " + t.Name() // string; json.Number is one too
}

// repeated returns a field that a valid object has twice; "" if there is none. Names that differ only in case are the
// same field for encoding/json, which takes the last one in silence.
func repeated(object []byte) string {
	seen := make(map[string]bool)
	depth, named := 0, false // named: the next text is the name of a field of the object itself
	for i := 0; i < len(object); i++ {
		switch object[i] {
		case '{', '[':
			depth++
			named = depth == 1
		case '}', ']':
			depth--
		case ',':
			named = depth == 1
		case '"':
			begun := i
			for i++; object[i] != '"'; i++ {
				if object[i] == '\\' {
					i++
				}
			}
			if !named {
				continue
			}
			named = false
			name, _ := strconv.Unquote(string(object[begun : i+1])) // it fails only for names that no field has
			known := strings.ToLower(strings.ToUpper(name))         // the Kelvin sign and the long s are k and s
			if name != "" && seen[known] {
				return name
			}
			seen[known] = true
		}
	}
	return ""
}

// claim takes the fields. It returns what is wrong with them; "" if nothing is.
func (o *object) claim(c *Claim) (problem string) {
	for _, field := range []struct {
		name  string
		given bool
	}{
		{"south", o.South != ""},
		{"north", o.North != ""},
		{"ruleset", o.Ruleset != ""},
		{"result", o.Result != ""},
		{"moves", o.Moves != nil},
	} {
		if !field.given {
			return fmt.Sprintf("it lacks the field %q", field.name)
		}
	}
	for _, field := range []struct {
		name  string
		value int
		most  int
	}{
		{"slot", o.Slot, math.MaxInt32}, {"pair", o.Pair, math.MaxInt32}, {"round_limit", o.RoundLimit, math.MaxInt32},
	} {
		if field.value < 0 || field.value > field.most {
			return fmt.Sprintf("%s is %d; it must be from 0 to %d", field.name, field.value, field.most)
		}
	}
	c.Tournament, c.Slot, c.Ruleset, c.Rounds, c.Reason = o.Tournament, o.Slot, o.Ruleset, o.RoundLimit, o.Reason
	r := &c.Record
	r.Key = results.Key{South: o.South, North: o.North, Pair: o.Pair}
	if o.Worker != "" {
		r.Worker = results.ParseWorker(o.Worker)
		r.Worker.South, r.Worker.North = o.SouthFiles, o.NorthFiles
	}
	r.Opening, r.Moves, r.Scores, r.Seeds = o.Opening, o.Moves, o.Scores, [2]uint64{o.SouthSeed, o.NorthSeed}
	if !slices.ContainsFunc(o.Scores, func(score *float64) bool { return score != nil }) {
		r.Scores = nil
	}
	if problem := o.outcome(c); problem != "" {
		return problem
	}
	o.counts(c)
	return o.times(r, c)
}

// outcome takes how the match ended.
func (o *object) outcome(c *Claim) (problem string) {
	r := &c.Record
	var err error
	if r.Result, err = results.ParseResult(o.Result); err != nil {
		return "result: " + err.Error()
	}
	if o.Ending == "" && r.Result == results.Void {
		c.Unplayed = true
		return ""
	}
	if o.Ending != "" {
		if r.Ending, err = results.ParseEnding(o.Ending); err != nil {
			return "ending: " + err.Error()
		}
	}
	switch o.Fault {
	case "":
		r.Fault = faultOf(r.Ending, r.Result)
	case "both":
		r.Fault = results.BothFault
	case o.South:
		r.Fault = results.SouthFault
	case o.North:
		r.Fault = results.NorthFault
	default:
		return fmt.Sprintf("fault is %q; it must be one of the two bots, or both", clip(o.Fault))
	}
	if o.Burnt != "" {
		var ok bool
		if r.SouthBurnt, r.NorthBurnt, ok = seatsOf(o.Burnt); !ok {
			return fmt.Sprintf("burnt is %q; it must be south, north or both", clip(o.Burnt))
		}
	}
	return ""
}

// counts takes the numbers that follow from the moves, if they are given.
func (o *object) counts(c *Claim) {
	r := &c.Record
	if c.gives.stores = o.SouthStore != nil && o.NorthStore != nil; c.gives.stores {
		r.SouthStore, r.NorthStore = *o.SouthStore, *o.NorthStore
	}
	if c.gives.donkeys = o.SouthDonkeys != nil && o.NorthDonkeys != nil; c.gives.donkeys {
		r.SouthDonkeys, r.NorthDonkeys = *o.SouthDonkeys, *o.NorthDonkeys
	}
	if c.gives.plies = o.Plies != nil; c.gives.plies {
		r.Plies = *o.Plies
	}
	if c.gives.rounds = o.Rounds != nil; c.gives.rounds {
		for _, round := range o.Rounds {
			r.Body.Rounds = append(r.Body.Rounds, results.Round{
				Start: round.Start, Plies: round.Plies, Position: round.Position, Reason: round.Reason,
				South: round.SouthStore, North: round.NorthStore,
			})
		}
		r.Summary.Rounds = len(o.Rounds)
	}
}

// times takes the times, if they are given.
func (o *object) times(r *results.Record, c *Claim) (problem string) {
	r.Elapsed = make([]time.Duration, len(o.Moves))
	if o.ElapsedMS != nil && len(o.ElapsedMS) != len(o.Moves) {
		return fmt.Sprintf("%d times in elapsed_ms but %d moves", len(o.ElapsedMS), len(o.Moves))
	}
	for i, text := range o.ElapsedMS {
		if problem := millis("elapsed_ms", text, &r.Elapsed[i]); problem != "" {
			return problem
		}
	}
	for _, field := range []struct {
		name  string
		value *json.Number
		to    *time.Duration
		given *bool
	}{
		{"south_ms", o.SouthMS, &r.SouthTime, &c.gives.southTime},
		{"north_ms", o.NorthMS, &r.NorthTime, &c.gives.northTime},
		{"south_cpu_ms", o.SouthCPUMS, &r.SouthCPU, new(bool)},
		{"north_cpu_ms", o.NorthCPUMS, &r.NorthCPU, new(bool)},
	} {
		if field.value == nil {
			continue
		}
		if problem := millis(field.name, *field.value, field.to); problem != "" {
			return problem
		}
		*field.given = true
	}
	return ""
}

// millis reads a time in milliseconds.
func millis(name string, text json.Number, to *time.Duration) (problem string) {
	var ok bool
	if *to, ok = decimal(text.String(), 6); !ok {
		return fmt.Sprintf("%s is %q; it must be a time in milliseconds, such as 0.25", name, clip(text.String()))
	}
	return ""
}
