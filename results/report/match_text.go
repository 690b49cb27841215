package report

import (
	"cmp"
	"fmt"
	"io"
	"strconv"

	"sembra/engine"
	"sembra/engine/show"
	"sembra/results"
	"sembra/results/parallel"
)

// WriteText writes the matches of a list as text records; see [Match.WriteText].
func (l MatchList) WriteText(w io.Writer) error {
	return writeAll(w, parallel.Map(1<<6, l.Whole, parallel.Texts(func(to []byte, m results.Noted) ([]byte, error) {
		record := results.Record{Summary: m.Summary, Body: m.Body, Evidence: m.Evidence}
		return Match{Tournament: l.Tournament, Number: m.Number, Record: record}.appendText(to), nil
	})))
}

// WriteText writes the match as a text record for people, with an empty line after it: tags in brackets such as
// [South "Ada"], then the moves, then the result. All that it writes is printable. The error is that of the writer.
func (r Match) WriteText(w io.Writer) error {
	_, err := w.Write(r.appendText(nil))
	return err
}

// appendText appends the text record to a text.
func (r Match) appendText(to []byte) []byte {
	t, record := r.Tournament, r.Record
	seeds := fmt.Sprintf("%d %d", record.Seeds[engine.South], record.Seeds[engine.North])
	for _, tag := range []Fact{
		{"Tournament", t.Name},
		{"Match", positive(r.Number)},
		{"Pair", positive(record.Pair)},
		{"South", record.South},
		{"North", record.North},
		{"Ruleset", t.Ruleset},
		{"Rounds", positive(t.Rounds)},
		{"TimeControl", t.Time.String()},
		{"Opening", record.Opening},
		{"Result", resultText(record.Result)},
		{"Stores", versus(record.Stores)},
		{"Donkeys", unless("0-0", versus(record.Donkeys))},
		{"Ending", record.Ending.String()},
		{"Fault", seatsText([2]bool{record.Fault.Blames(engine.South), record.Fault.Blames(engine.North)})},
		{"Reason", cmp.Or(whatOf(record.Evidence), t.Adjudication.Reason(record.Summary))},
		{"SouthTime", unless("0s", record.Times[0].String())},
		{"NorthTime", unless("0s", record.Times[1].String())},
		{"SouthCPU", unless("not known", processorTime(record.CPU[0]))},
		{"NorthCPU", unless("not known", processorTime(record.CPU[1]))},
		{"Seeds", unless("0 0", seeds)},
	} {
		if tag.Text != "" {
			to = append(append(append(to, '['), tag.Name...), ' ')
			to = append(strconv.AppendQuote(to, tag.Text), "]\n"...)
		}
	}
	var moves []byte
	for i, move := range record.Moves {
		moves = append(strconv.AppendInt(moves, int64(i+1), 10), '.')
		moves = append(appendComment(append(moves, move...), record, i), ' ')
	}
	moves = append(moves, resultText(record.Result)...)
	for _, line := range show.Wrap(string(moves), 80, "\n", "") {
		to = append(append(to, line...), '\n')
	}
	return append(to, '\n')
}

// unless returns a text, and "" for the one that says nothing.
func unless(nothing, text string) string {
	if text == nothing {
		return ""
	}
	return text
}

// positive writes a number from 1; other ones are not known.
func positive(number int) string { return unless("0", strconv.Itoa(number)) }

// appendComment appends the comment that follows a move: its score and its time; nothing without both.
func appendComment(to []byte, r results.Record, i int) []byte {
	scored := len(r.Scores) > 0 && r.Scores[i] != nil
	if !scored && r.Elapsed[i] == 0 {
		return to
	}
	to = append(to, " {"...)
	if scored {
		to = fmt.Appendf(to, "%+g ", *r.Scores[i])
	}
	return append(append(to, r.Elapsed[i].String()...), '}')
}

func resultText(r results.Result) string {
	texts := map[results.Result]string{results.SouthWins: "1-0", results.NorthWins: "0-1", results.Draw: "1/2-1/2"}
	return cmp.Or(texts[r], "0-0")
}

// seatsText names one or both seats; "" for none.
func seatsText(seats [2]bool) string { return oneOrBoth(seats[0], seats[1], "south", "north") }

// oneOrBoth returns the name of one, or both; "" for neither.
func oneOrBoth(isSouth, isNorth bool, south, north string) string {
	return map[[2]bool]string{{true, false}: south, {false, true}: north, {true, true}: "both"}[[2]bool{isSouth, isNorth}]
}
