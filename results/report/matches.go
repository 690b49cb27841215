package report

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"time"

	"sembra/results"
)

// MatchList is a list of matches to report. It may have any number of matches: Write holds only some hundreds of them.
type MatchList struct {
	Tournament results.Tournament
	Places     PairingIndex                    // nil: all matches are of the first pairing and stage
	Matches    iter.Seq2[results.Noted, error] // in schedule order
	Whole      iter.Seq2[results.Noted, error] // the same with their bodies, which only JSONL needs; nil: no JSONL
	Voids      []results.VoidMatch             // listed among the other matches
	Charged    bool                            // JSONL also has the time that each bot was charged
}

// PairingIndex knows the pairing and the stage of each match.
type PairingIndex interface {
	Pairing(number int) int // the two bots' pairing, from 1
	Stage(number int) int   // from 1
}

// Matches reports a line a match, in schedule order. It has the formats Table, Markdown, CSV and JSONL.
func Matches(l MatchList) Report {
	rows := rowsFrom(l.lines(l.Matches), l.row)
	part := Part{
		Rows:   rows,
		Groups: []string{"fault", "reason", "note", "stage", "stores", "pair", "plies", "donkeys"},
	}
	report := Report{Parts: []Part{part}, CSV: rows}
	if l.Whole != nil {
		report.JSONL = mapped(l.lines(l.Whole), func(m listed) any { return l.line(&m) })
	}
	return report
}

// place returns the pairing and the stage of a match.
func (l MatchList) place(number int) (pairing, stage int) {
	if l.Places == nil || number == 0 { // not known
		return 1, 1
	}
	return l.Places.Pairing(number), l.Places.Stage(number)
}

// row returns the row of a match.
func (l MatchList) row(m listed) Row {
	pairing, stage := l.place(m.Number)
	donkeys := "" // most rulesets have none
	if m.Donkeys != [2]int{} {
		donkeys = versus(m.Donkeys)
	}
	return Row{
		{Name: "tournament", Value: l.Tournament.Name},
		{Name: "match", Title: "match", Value: m.Number},
		{Title: titleIf(l.Tournament.Staged(), "stage"), Group: "stage", Value: stage},
		{Name: "pairing", Value: pairing},
		{Name: "pair", Title: "pair", Group: "pair", Value: m.Pair},
		{Name: "ruleset", Value: l.Tournament.Ruleset},
		{Name: "south", Title: "south", Kind: Name, Value: m.South},
		{Name: "north", Title: "north", Kind: Name, Value: m.North},
		{Name: "result", Title: "result", Kind: Text, Value: m.Result.String()},
		{Title: "stores", Group: "stores", Value: versus(m.Stores)},
		{Title: "donkeys", Group: "donkeys", Value: donkeys},
		{Name: "south_store", Value: m.Stores[0]},
		{Name: "north_store", Value: m.Stores[1]},
		{Name: "ending", Title: "ending", Kind: Text, Value: m.ending()},
		{Name: "fault", Title: "fault", Kind: Name, Group: "fault", Value: m.FaultName()},
		{Name: "plies", Title: "plies", Group: "plies", Value: m.Plies},
		{Name: "south_ms", Value: inMilliseconds(m.Times[0])},
		{Name: "north_ms", Value: inMilliseconds(m.Times[1])},
		{Name: "reason", Title: "reason", Kind: Name, Group: "reason", Value: m.reason},
		{Name: "south_donkeys", Value: m.Donkeys[0]},
		{Name: "north_donkeys", Value: m.Donkeys[1]},
		{Name: "south_cpu_ms", Value: cpuTime(m.CPU[0], m.CPU[0] >= 0)},
		{Name: "north_cpu_ms", Value: cpuTime(m.CPU[1], m.CPU[1] >= 0)},
		{Name: "stage", Value: stage},
		{Name: "note", Title: "note", Kind: Text, Group: "note", Value: m.Note},
	}
}

// listed is a match of the list. The summary of a void match has little more than its key.
type listed struct {
	results.Noted
	reason string // why it is void or was adjudicated
}

// lines yields matches and the void ones in schedule order. The first error ends it.
func (l MatchList) lines(matches iter.Seq2[results.Noted, error]) iter.Seq2[listed, error] {
	return func(yield func(listed, error) bool) {
		voids := slices.Clone(l.Voids)
		slices.SortStableFunc(voids, func(a, b results.VoidMatch) int { return cmp.Compare(a.Number, b.Number) })
		voidsBefore := func(number int) bool { // reports whether more are asked for
			for ; len(voids) > 0 && voids[0].Number < number; voids = voids[1:] {
				if !yield(l.void(voids[0]), nil) {
					return false
				}
			}
			return true
		}
		for match, err := range matches {
			if err != nil {
				yield(listed{}, err)
				return
			}
			reason := l.Tournament.Adjudication.Reason(match.Summary)
			if !voidsBefore(match.Number) || !yield(listed{match, reason}, nil) {
				return
			}
		}
		voidsBefore(math.MaxInt)
	}
}

// void returns the line of a void match.
func (l MatchList) void(v results.VoidMatch) listed {
	summary := results.Summary{Key: v.Key, Result: results.Void}
	summary.CPU = [2]time.Duration{results.UnknownCPU, results.UnknownCPU}
	line := listed{results.Noted{Numbered: results.Numbered{Number: v.Number, Summary: summary}}, v.Reason}
	line.Body.Opening = l.Tournament.Opening(v.Pair)
	return line
}

// ending returns the name of the ending; "" for a void match.
func (l listed) ending() string {
	if l.Ending == 0 {
		return ""
	}
	return l.Ending.String()
}
