package notation

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"sembra/engine"
	"sembra/results"
)

// lineWidth is the greatest width of a line with moves, in columns. A single move can be wider.
const lineWidth = 80

// The names of the tags, in the order in which Write writes them.
const (
	tagTournament  = "Tournament"
	tagDate        = "Date"
	tagMatch       = "Match"
	tagPair        = "Pair"
	tagSouth       = "South"
	tagNorth       = "North"
	tagRuleset     = "Ruleset"
	tagRounds      = "Rounds"
	tagTimeControl = "TimeControl"
	tagOpening     = "Opening"
	tagResult      = "Result"
	tagStores      = "Stores"
	tagDonkeys     = "Donkeys"
	tagEnding      = "Ending"
	tagFault       = "Fault"
	tagReason      = "Reason"
	tagSouthTime   = "SouthTime"
	tagNorthTime   = "NorthTime"
	tagSouthCPU    = "SouthCPU"
	tagNorthCPU    = "NorthCPU"
	tagBurnt       = "Burnt"
	tagSeeds       = "Seeds"
)

func tagNames() []string {
	return []string{
		tagTournament, tagDate, tagMatch, tagPair, tagSouth, tagNorth, tagRuleset, tagRounds, tagTimeControl, tagOpening,
		tagResult, tagStores, tagDonkeys, tagEnding, tagFault, tagReason, tagSouthTime, tagNorthTime, tagSouthCPU,
		tagNorthCPU, tagBurnt, tagSeeds,
	}
}

// Write writes a game as one text record, with an empty line after it. Records that follow each other are a file. All
// that it writes is printable: it escapes control characters in names and reasons. The error is that of the writer.
func Write(w io.Writer, g Game) error {
	out := bufio.NewWriter(w)
	writeTags(out, g)
	out.WriteByte('\n')
	writeMoves(out, g.Record)
	out.WriteByte('\n')
	return out.Flush()
}

func writeTags(out *bufio.Writer, g Game) {
	r := g.Record
	tag := func(known bool, name, value string) {
		if known {
			fmt.Fprintf(out, "[%s %s]\n", name, strconv.Quote(value))
		}
	}
	tag(g.Tournament != "", tagTournament, g.Tournament)
	tag(g.Date != "", tagDate, g.Date)
	tag(g.Slot > 0, tagMatch, strconv.Itoa(g.Slot))
	tag(r.Pair > 0, tagPair, strconv.Itoa(r.Pair))
	tag(true, tagSouth, r.South)
	tag(true, tagNorth, r.North)
	tag(true, tagRuleset, g.Ruleset)
	tag(g.Rounds > 0, tagRounds, strconv.Itoa(g.Rounds))
	tag(g.TimeControl != "", tagTimeControl, g.TimeControl)
	tag(true, tagOpening, r.Opening)
	tag(true, tagResult, resultText(r.Result))
	tag(true, tagStores, fmt.Sprintf("%d-%d", r.SouthStore, r.NorthStore))
	tag(r.SouthDonkeys > 0 || r.NorthDonkeys > 0, tagDonkeys, fmt.Sprintf("%d-%d", r.SouthDonkeys, r.NorthDonkeys))
	tag(true, tagEnding, r.Ending.String())
	tag(r.Fault != results.NoFault, tagFault, seatsText(r.Fault.Blames(engine.South), r.Fault.Blames(engine.North)))
	tag(g.Reason != "", tagReason, g.Reason)
	tag(r.SouthTime > 0, tagSouthTime, secondsText(r.SouthTime))
	tag(r.NorthTime > 0, tagNorthTime, secondsText(r.NorthTime))
	tag(r.SouthCPU >= 0, tagSouthCPU, secondsText(r.SouthCPU))
	tag(r.NorthCPU >= 0, tagNorthCPU, secondsText(r.NorthCPU))
	tag(r.SouthBurnt || r.NorthBurnt, tagBurnt, seatsText(r.SouthBurnt, r.NorthBurnt))
	tag(r.Seeds != [2]uint64{}, tagSeeds, fmt.Sprintf("%d %d", r.Seeds[engine.South], r.Seeds[engine.North]))
}

// writeMoves writes the moves in lines that begin with the number of their first move, and then the result.
func writeMoves(out *bufio.Writer, r results.Record) {
	width := 0
	add := func(number int, text string) {
		switch {
		case width == 0:
		case width+1+len(text) > lineWidth:
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
		add(i+1, token+commentText(r, i))
	}
	add(0, resultText(r.Result))
	out.WriteByte('\n')
}

// commentText returns the comment that follows a move: its score and its time; "" without both.
func commentText(r results.Record, i int) string {
	score := ""
	if len(r.Scores) > 0 && r.Scores[i] != nil {
		score = fmt.Sprintf("%+g ", *r.Scores[i])
	}
	if score == "" && r.Elapsed[i] == 0 {
		return ""
	}
	return " {" + score + secondsText(r.Elapsed[i]) + "}"
}

// secondsText writes a time in seconds: "0.25s".
func secondsText(d time.Duration) string {
	text := fmt.Sprintf("%d.%09d", d/time.Second, d%time.Second)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + "s"
}

func resultText(r results.Result) string {
	switch r {
	case results.SouthWins:
		return "1-0"
	case results.NorthWins:
		return "0-1"
	case results.Draw:
		return "1/2-1/2"
	}
	return "0-0"
}

// seatsText names one or both seats.
func seatsText(south, north bool) string {
	switch {
	case south && north:
		return "both"
	case south:
		return "south"
	}
	return "north"
}
