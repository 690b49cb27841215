package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"sembra/engine"
	"sembra/results"
)

// textWidth is the greatest width of a line with moves in a text record, in columns. A single move can be wider.
const textWidth = 80

// WriteText writes the match as a text record for people, with an empty line after it: tags in brackets such as
// [South "Ada"], then the moves, then the result. All that it writes is printable. The error is that of the writer.
func (r Match) WriteText(w io.Writer) error {
	t, record := r.Tournament, r.Record
	reason := t.Adjudication.Reason(record.Summary)
	if record.Evidence != nil {
		reason = shown(record.Evidence.What)
	}
	seeds := fmt.Sprintf("%d %d", record.Seeds[engine.South], record.Seeds[engine.North])
	out := bufio.NewWriter(w)
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
		{"Stores", versus(record.SouthStore, record.NorthStore)},
		{"Donkeys", unless("0-0", versus(record.SouthDonkeys, record.NorthDonkeys))},
		{"Ending", record.Ending.String()},
		{"Fault", seatsText(record.Fault.Blames(engine.South), record.Fault.Blames(engine.North))},
		{"Reason", reason},
		{"SouthTime", unless("0s", secondsText(record.SouthTime))},
		{"NorthTime", unless("0s", secondsText(record.NorthTime))},
		{"SouthCPU", secondsText(record.SouthCPU)},
		{"NorthCPU", secondsText(record.NorthCPU)},
		{"Burnt", seatsText(record.SouthPondered, record.NorthPondered)},
		{"Seeds", unless("0 0", seeds)},
	} {
		if tag.Text != "" {
			fmt.Fprintf(out, "[%s %s]\n", tag.Name, strconv.Quote(tag.Text))
		}
	}
	out.WriteByte('\n')
	writeMoves(out, record)
	out.WriteByte('\n')
	return out.Flush()
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

// writeMoves writes the moves in lines that begin with the number of their first move, and then the result.
func writeMoves(out *bufio.Writer, r results.Record) {
	width := 0
	add := func(number int, text string) {
		switch {
		case width == 0:
		case width+1+len(text) > textWidth:
			out.WriteByte('\n')
			width = 0
		default:
			out.WriteByte(' ')
			width++
		}
		if width == 0 && number > 0 {
			text = strconv.Itoa(number) + ". " + text
		}
		out.WriteString(text)
		width += len(text)
	}
	for i, token := range r.Moves {
		add(i+1, token+moveComment(r, i))
	}
	add(0, resultText(r.Result))
	out.WriteByte('\n')
}

// moveComment returns the comment that follows a move: its score and its time; "" without both.
func moveComment(r results.Record, i int) string {
	score := ""
	if len(r.Scores) > 0 && r.Scores[i] != nil {
		score = fmt.Sprintf("%+g ", *r.Scores[i])
	}
	if score == "" && r.Elapsed[i] == 0 {
		return ""
	}
	return " {" + score + secondsText(r.Elapsed[i]) + "}"
}

// secondsText writes a time in seconds, exactly: "0.25s"; "" if it is negative, which is not known.
func secondsText(d time.Duration) string {
	if d < 0 {
		return ""
	}
	text := fmt.Sprintf("%d.%09d", d/time.Second, d%time.Second)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + "s"
}

func resultText(r results.Result) string {
	texts := map[results.Result]string{results.SouthWins: "1-0", results.NorthWins: "0-1", results.Draw: "1/2-1/2"}
	return cmp.Or(texts[r], "0-0")
}

// seatsText names one or both seats; "" for none.
func seatsText(south, north bool) string {
	switch {
	case south && north:
		return "both"
	case south:
		return engine.South.String()
	case north:
		return engine.North.String()
	}
	return ""
}
