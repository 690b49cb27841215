package report

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"time"

	"sembra/results"
	"sembra/results/parallel"
)

// MatchList is a list of matches to report. It may have any number of matches: Write holds only some hundreds of them.
type MatchList struct {
	Tournament results.Tournament
	Places     Places                          // nil: all matches are of the first pairing and stage
	Matches    iter.Seq2[results.Noted, error] // in schedule order; Write goes through them twice for a table
	Whole      iter.Seq2[results.Noted, error] // the same with their bodies, which only JSONL needs; nil: no JSONL
	Voids      []results.VoidMatch             // listed among the other matches
	Charged    bool                            // JSONL also has the time that each bot was charged
}

// Places knows the pairing and the stage of each match.
type Places interface {
	Pairing(number int) int // the two bots' pairing, from 1
	Stage(number int) int   // from 1
}

// Matches reports a line a match, in schedule order. It has the formats Table, Markdown, CSV and JSONL.
func Matches(l MatchList) Report {
	report := Report{
		Parts: []Part{{Rows: l.rows(func(c Column) bool { return c.Title != "" })}},
		CSV:   l.rows(func(c Column) bool { return c.Name != "" }),
	}
	if l.Whole != nil {
		report.JSONL = parallel.Map(1<<6, l.lines(l.Whole), parallel.Texts(l.appendLine))
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

// matchColumn is a column of tables and CSV, and what its cell of a match is.
type matchColumn struct {
	Column
	cell func(*listed) any
}

// columns returns the columns of tables and CSV.
func (l MatchList) columns() []matchColumn {
	var tournament, ruleset any = l.Tournament.Name, l.Tournament.Ruleset
	pairing := func(m *listed) any { n, _ := l.place(m.Number); return n }
	stage := func(m *listed) any { _, n := l.place(m.Number); return n }
	shownStage := func(*listed) any { return "" }
	if l.Tournament.Staged() {
		shownStage = stage
	}
	return []matchColumn{
		{Column{Name: "tournament"}, func(*listed) any { return tournament }},
		{Column{Name: "slot", Title: "match"}, func(m *listed) any { return m.Number }},
		{Column{Title: "stage", Drop: 5}, shownStage},
		{Column{Name: "pairing"}, pairing},
		{Column{Name: "pair", Title: "pair", Drop: 3}, func(m *listed) any { return m.Pair }},
		{Column{Name: "ruleset"}, func(*listed) any { return ruleset }},
		{Column{Name: "south", Title: "south", Kind: Name}, func(m *listed) any { return m.South }},
		{Column{Name: "north", Title: "north", Kind: Name}, func(m *listed) any { return m.North }},
		{Column{Name: "result", Title: "result", Kind: Text}, func(m *listed) any { return m.Result.String() }},
		{Column{Title: "stores", Drop: 4}, func(m *listed) any { return versus(m.Stores) }},
		{Column{Title: "donkeys", Rare: true, Drop: 1}, func(m *listed) any { return versus(m.Donkeys) }},
		{Column{Name: "south_store"}, func(m *listed) any { return m.Stores[0] }},
		{Column{Name: "north_store"}, func(m *listed) any { return m.Stores[1] }},
		{Column{Name: "ending", Title: "ending", Kind: Text}, func(m *listed) any { return m.ending() }},
		{Column{Name: "fault", Title: "fault", Kind: Name, Drop: 8}, func(m *listed) any { return m.FaultName() }},
		{Column{Name: "plies", Title: "plies", Drop: 2}, func(m *listed) any { return m.Plies }},
		{Column{Name: "south_ms"}, func(m *listed) any { return inMilliseconds(m.Times[0]) }},
		{Column{Name: "north_ms"}, func(m *listed) any { return inMilliseconds(m.Times[1]) }},
		{Column{Name: "reason", Title: "reason", Kind: Name, Rare: true, Drop: 7}, func(m *listed) any { return m.reason }},
		{Column{Name: "south_donkeys"}, func(m *listed) any { return m.Donkeys[0] }},
		{Column{Name: "north_donkeys"}, func(m *listed) any { return m.Donkeys[1] }},
		{Column{Name: "south_cpu_ms"}, func(m *listed) any { return cpuTime(m.CPU[0], m.CPU[0] >= 0) }},
		{Column{Name: "north_cpu_ms"}, func(m *listed) any { return cpuTime(m.CPU[1], m.CPU[1] >= 0) }},
		{Column{Name: "stage"}, stage},
		{Column{Name: "note", Title: "note", Kind: Text, Rare: true, Drop: 6}, func(m *listed) any { return m.Note }},
	}
}

// rows returns the table with those columns that are asked for.
func (l MatchList) rows(asked func(Column) bool) Rows {
	columns := slices.DeleteFunc(l.columns(), func(c matchColumn) bool { return !asked(c.Column) })
	return rowsFrom(l.lines(l.Matches), func(row Row, m *listed) Row {
		if row == nil {
			for _, c := range columns {
				row = append(row, c.Column)
			}
		}
		for i, c := range columns {
			row[i].Value = c.cell(m)
		}
		return row
	})
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
