package report

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sembra/results"
	"sembra/results/safe"
)

// Faults reports the faults of the bots of a tournament: a line for each bot that was at fault. It has the formats
// Table, Markdown, CSV and JSON, which is an array. source are the words of a command line that name the database and
// the tournament, with a space after them; "" for the default ones.
func Faults(tournament results.Tournament, source string, all []results.BotFaults) Report {
	part := FaultsTable(tournament.Name, all)
	part.Notes.withdrawn(tournament)
	part.Notes.when(slices.ContainsFunc(all, func(f results.BotFaults) bool { return f.Number > 0 }),
		"sembra replay %sMATCH --log shows the conversation of a match; "+
			"the column match has the last one of each bot that was kept", source)
	part.Notes.when(slices.ContainsFunc(all, func(f results.BotFaults) bool { return len(f.Numbers) > 1 }),
		"sembra faults %s--bot NAME lists all matches of a bot, and what it did", source)
	return Report{Parts: []Part{part}, CSV: part.Rows, JSON: part.Rows}
}

// FaultSheet reports the faults of one bot for its author. matches are those that it lost by them, with their evidence.
// Its table has a line for each, and below it the last lines of the conversation of the newest one that was kept. CSV
// and JSON are those of [Faults].
func FaultSheet(source string, fault results.BotFaults, matches []Match) Report {
	counts := FaultsTable(matches[0].Tournament.Name, []results.BotFaults{fault})
	counts.Notes.when(fault.Number > 0, "sembra replay %sMATCH --log shows the conversation of a match", source)
	part := Part{Title: []string{fault.Bot, "its matches with a fault"}, Rows: RowsOf(matches, func(m Match) Row {
		return Row{
			{Title: "match", Value: m.Number},
			{Title: "South", Kind: Name, Value: m.Record.South},
			{Title: "North", Kind: Name, Value: m.Record.North},
			{Title: "how", Kind: Text, Value: m.Record.Ending.String()},
			{Title: "what it did", Kind: Name, Value: briefly(safe.Line(strings.TrimSpace(m.Record.Blame(fault.Bot))))},
		}
	})}
	for _, m := range matches {
		if m.Number != fault.Number {
			continue
		}
		talk := m.Record.Evidence.South
		if m.Record.North == fault.Bot {
			talk = m.Record.Evidence.North
		}
		var said bytes.Buffer
		const last = 8
		left := max(0, len(talk.Lines)-last)
		talk.Left += left
		talk.Lines = talk.Lines[left:]
		writeTalk(&said, fault.Bot, talk)
		part.Notes.add("match %d ended so:", m.Number)
		for line := range strings.SplitSeq(strings.Trim(said.String(), "\n"), "\n") {
			part.Notes.add("  %s", line)
		}
	}
	return Report{Parts: []Part{counts, part}, CSV: counts.Rows, JSON: counts.Rows}
}

// FaultsTable returns the table of [Faults], with a note for each bot that says what it did last.
func FaultsTable(tournament string, all []results.BotFaults) Part {
	part := Part{Title: []string{tournament, "matches lost by a fault"}, Rows: RowsOf(all, faultRow)}
	part.Notes.when(len(all) == 0, "no bot was at fault")
	for _, f := range all {
		last := briefly(safe.Line(strings.TrimSpace(f.Last)))
		part.Notes.when(f.Last != "", "%s: %s", f.Bot, strings.TrimPrefix(last, "bot "+f.Bot+" "))
	}
	return part
}

// faultRow is the faults of a bot. Number is 0 and Last is "" if no conversation was kept.
func faultRow(f results.BotFaults) Row {
	return Row{
		{Name: "bot", Title: "bot", Kind: Name, Value: f.Bot},
		{Title: "matches", Value: f.Matches},
		{Name: "faults", Title: "faults", Value: f.Faults},
		{Name: "endings", Title: "how", Kind: Name, Value: endingsOf(f.Endings), Text: how(f)},
		{Name: "last", Value: safe.Line(strings.TrimSpace(f.Last))},
		{Name: "match", Title: "match", Value: optional(f.Number, f.Number > 0), Text: orDash(f.Number)},
		{Name: "matches", Value: f.Matches},
		{Name: "forfeits", Value: f.Forfeits},
	}
}

// how says how often the bot was at fault in which way: "crash 2, hang 1, disqualified 9".
func how(f results.BotFaults) string {
	own := endingsOf(f.Endings)
	start := results.EndStart.String()
	if own[start] -= f.Forfeits; own[start] <= 0 {
		delete(own, start)
	}
	var ways []string
	if len(own) > 0 {
		ways = append(ways, own.String())
	}
	if f.Forfeits > 0 {
		ways = append(ways, fmt.Sprintf("disqualified %d", f.Forfeits))
	}
	return strings.Join(ways, ", ")
}

// endings counts matches by the name of their ending.
type endings map[string]int

func endingsOf(counts map[results.Ending]int) endings {
	named := make(endings, len(counts))
	for ending, n := range counts {
		named[ending.String()] = n
	}
	return named
}

// String lists the endings: "crash 2, hang 1". The most frequent one comes first; equal ones are in alphabetical order.
func (e endings) String() string {
	names := slices.SortedFunc(maps.Keys(e), func(a, b string) int {
		return cmp.Or(cmp.Compare(e[b], e[a]), strings.Compare(a, b))
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", name, e[name])
	}
	return strings.Join(names, ", ")
}
