package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sembra/results"
)

// faultColumns are the columns of the faults. Number is 0 if no conversation was kept.
func faultColumns() []Column[results.BotFaults] {
	type line = results.BotFaults
	matches := func(f line) any { return f.Matches }
	return []Column[line]{
		{Name: "bot", Title: "bot", Kind: Name, Value: func(f line) any { return f.Bot }},
		{Title: "matches", Value: matches},
		{Name: "faults", Title: "faults", Value: func(f line) any { return f.Faults }},
		{Name: "endings", Title: "how", Kind: Name, Value: func(f line) any { return both{endingsOf(f), how(f)} }},
		{Name: "last", Value: func(f line) any { return shown(f.Last) }}, // "" if it was not kept
		{Name: "slot", Title: "match", Value: func(f line) any { return orDash(f.Number) }},
		{Name: "matches", Value: matches},
		{Name: "forfeits", Value: func(f line) any { return f.Forfeits }},
	}
}

// Faults reports the faults of the bots of a tournament: a line for each bot that was at fault. It has the formats
// Table, Markdown, CSV and JSON, which is an array. source are the words of a command line that name the database and
// the tournament, with a space after them; "" for the default ones.
func Faults(tournament, source string, all []results.BotFaults) Report {
	part := FaultsTable(tournament, all)
	if slices.ContainsFunc(all, func(f results.BotFaults) bool { return f.Number > 0 }) {
		part.Notes = append(part.Notes, "sembra replay "+source+"MATCH --log shows the conversation of a match; the column "+
			"match has the last one of each bot that was kept")
	}
	columns := faultColumns()
	return Report{Parts: []Part{part}, CSV: csvOf(each(all), columns), JSON: objectsOf(all, columns)}
}

// FaultsTable returns the table of [Faults], with a note for each bot that says what it did last.
func FaultsTable(tournament string, all []results.BotFaults) Part {
	part := tableOf(each(all), faultColumns())
	part.Title = []string{tournament, "matches lost by a fault"}
	if len(all) == 0 {
		part.Notes = []string{"no bot was at fault"}
	}
	for _, f := range all {
		if f.Last != "" {
			part.Notes = append(part.Notes, f.Bot+": "+strings.TrimPrefix(shown(f.Last), "bot "+f.Bot+" "))
		}
	}
	return part
}

// how says how often the bot was at fault in which way: "crash 2, hang 1, disqualified 9".
func how(f results.BotFaults) string {
	own := endingsOf(f)
	start := results.EndStart.String()
	if own[start] -= f.Forfeits; own[start] <= 0 {
		delete(own, start)
	}
	parts := []string{own.String()}
	if f.Forfeits > 0 {
		parts = append(parts, fmt.Sprintf("disqualified %d", f.Forfeits))
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

// endings counts matches by the name of their ending.
type endings map[string]int

func endingsOf(f results.BotFaults) endings {
	named := make(endings, len(f.Endings))
	for ending, n := range f.Endings {
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
