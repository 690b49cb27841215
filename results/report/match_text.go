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

// WriteText writes the match as a text record for people, with an empty line after it: tags in brackets, then the moves,
// then the result. All that it writes is printable. The error is that of the writer.
func (r Match) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	r.writeTags(out)
	out.WriteByte('\n')
	writeMoves(out, r.Record)
	out.WriteByte('\n')
	return out.Flush()
}

// writeTags writes what is known about the match, a tag a line: [South "Ada"].
func (r Match) writeTags(out *bufio.Writer) {
	t, record := r.Tournament, r.Record
	tag := func(known bool, name, value string) {
		if known {
			fmt.Fprintf(out, "[%s %s]\n", name, strconv.Quote(value))
		}
	}
	tag(t.Name != "", "Tournament", t.Name)
	tag(r.Slot > 0, "Match", strconv.Itoa(r.Slot))
	tag(record.Pair > 0, "Pair", strconv.Itoa(record.Pair))
	tag(true, "South", record.South)
	tag(true, "North", record.North)
	tag(true, "Ruleset", t.Ruleset)
	tag(t.Rounds > 0, "Rounds", strconv.Itoa(t.Rounds))
	clock := t.Time.String()
	tag(clock != "", "TimeControl", clock)
	tag(true, "Opening", record.Opening)
	tag(true, "Result", resultText(record.Result))
	tag(true, "Stores", scoreOf(record.SouthStore, record.NorthStore))
	tag(record.SouthDonkeys > 0 || record.NorthDonkeys > 0, "Donkeys", scoreOf(record.SouthDonkeys, record.NorthDonkeys))
	tag(true, "Ending", record.Ending.String())
	tag(record.Fault != results.NoFault, "Fault",
		seatsText(record.Fault.Blames(engine.South), record.Fault.Blames(engine.North)))
	reason := r.reason()
	tag(reason != "", "Reason", reason)
	tag(record.SouthTime > 0, "SouthTime", secondsText(record.SouthTime))
	tag(record.NorthTime > 0, "NorthTime", secondsText(record.NorthTime))
	tag(record.SouthCPU >= 0, "SouthCPU", secondsText(record.SouthCPU))
	tag(record.NorthCPU >= 0, "NorthCPU", secondsText(record.NorthCPU))
	tag(record.SouthBurnt || record.NorthBurnt, "Burnt", seatsText(record.SouthBurnt, record.NorthBurnt))
	tag(record.Seeds != [2]uint64{}, "Seeds", fmt.Sprintf("%d %d", record.Seeds[engine.South], record.Seeds[engine.North]))
}

// reason returns what a bot at fault did, or which rule of the tournament ended the match; "" if the rules did.
func (r Match) reason() string {
	if r.Record.Evidence != nil {
		return results.Visible([]byte(r.Record.Evidence.What), 0)
	}
	return r.Tournament.Adjudication.Reason(r.Record.Summary)
}

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

// secondsText writes a time in seconds, exactly: "0.25s".
func secondsText(d time.Duration) string {
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
