package report

import (
	"cmp"
	"iter"
	"slices"
	"strconv"

	"sembra/results"
)

// MatchList is a list of matches to report. It may have any number of matches: Write holds only one of them.
type MatchList struct {
	Tournament results.Tournament
	Places     Places
	Matches    iter.Seq2[results.Noted, error] // in schedule order; Write goes through them twice for a table
	Whole      iter.Seq2[results.Noted, error] // the same with their bodies, which only JSONL needs; nil: no JSONL
	Voids      []results.VoidMatch             // listed among the other matches
	Charged    bool                            // JSONL also tells the time that each bot was charged, and which bots burnt
}

// Places knows the pairing and the stage of each match.
type Places interface {
	Pairing(number int) int // the two bots' pairing, from 1
	Stage(number int) int   // from 1
}

// Matches reports a line a match, in schedule order. It has the formats Table, Markdown, CSV and JSONL.
func Matches(l MatchList) Report {
	columns := l.columns()
	report := Report{
		Parts: []Part{tableOf(l.lines(l.Matches), columns)}, CSV: csvOf(l.lines(l.Matches), columns),
	}
	if l.Whole != nil {
		report.JSONL = rowsFrom(l.lines(l.Whole), func(m listed) any {
			line := newMatchLine(l.Tournament, m)
			line.Pairing, line.Stage = l.Places.Pairing(m.Number), l.Places.Stage(m.Number)
			if l.Charged {
				line.charge(m.Noted)
			}
			return line
		})
	}
	return report
}

// columns returns the columns of the list in tables and CSV.
func (l MatchList) columns() []Column[listed] {
	staged := l.Tournament.Staged()
	return []Column[listed]{
		{Name: "tournament", Value: func(listed) any { return l.Tournament.Name }},
		{Name: "slot", Title: "match", Value: func(m listed) any { return m.Number }},
		{Title: "stage", Drop: 5, Value: func(m listed) any {
			if !staged {
				return ""
			}
			return strconv.Itoa(l.Places.Stage(m.Number))
		}},
		{Name: "pairing", Value: func(m listed) any { return l.Places.Pairing(m.Number) }},
		{Name: "pair", Title: "pair", Drop: 3, Value: func(m listed) any { return m.Pair }},
		{Name: "ruleset", Value: func(listed) any { return l.Tournament.Ruleset }},
		{Name: "south", Title: "south", Kind: Name, Value: func(m listed) any { return m.South }},
		{Name: "north", Title: "north", Kind: Name, Value: func(m listed) any { return m.North }},
		{Name: "result", Title: "result", Kind: Text, Value: func(m listed) any { return m.Result.String() }},
		{Title: "stores", Drop: 4, Value: func(m listed) any { return scoreOf(m.SouthStore, m.NorthStore) }},
		{Title: "donkeys", Rare: true, Drop: 1, Value: func(m listed) any {
			return scoreOf(m.SouthDonkeys, m.NorthDonkeys)
		}},
		{Name: "south_store", Value: func(m listed) any { return m.SouthStore }},
		{Name: "north_store", Value: func(m listed) any { return m.NorthStore }},
		{Name: "ending", Title: "ending", Kind: Text, Value: func(m listed) any { return m.ending() }},
		{Name: "fault", Title: "fault", Kind: Name, Value: func(m listed) any { return m.FaultName() }},
		{Name: "plies", Title: "plies", Drop: 2, Value: func(m listed) any { return m.Plies }},
		{Name: "south_ms", Value: func(m listed) any { return millis(m.SouthTime) }},
		{Name: "north_ms", Value: func(m listed) any { return millis(m.NorthTime) }},
		{Name: "reason", Title: "reason", Kind: Name, Rare: true, Value: func(m listed) any { return m.reason }},
		{Name: "south_donkeys", Value: func(m listed) any { return m.SouthDonkeys }},
		{Name: "north_donkeys", Value: func(m listed) any { return m.NorthDonkeys }},
		{Name: "south_cpu_ms", Value: func(m listed) any { return knownMillis(m.SouthCPU, m.SouthCPU >= 0) }},
		{Name: "north_cpu_ms", Value: func(m listed) any { return knownMillis(m.NorthCPU, m.NorthCPU >= 0) }},
		{Name: "stage", Value: func(m listed) any { return l.Places.Stage(m.Number) }},
		{Name: "note", Title: "note", Kind: Text, Rare: true, Drop: 6, Value: func(m listed) any { return m.Note }},
	}
}

// listed is a match of the list. The summary of a void match has little more than its key.
type listed struct {
	results.Noted
	void   bool
	reason string // why it is void or was adjudicated
}

// lines yields matches and the void ones in schedule order. The first error ends it.
func (l MatchList) lines(matches iter.Seq2[results.Noted, error]) iter.Seq2[listed, error] {
	return func(yield func(listed, error) bool) {
		voids := slices.Clone(l.Voids)
		slices.SortStableFunc(voids, func(a, b results.VoidMatch) int { return cmp.Compare(a.Number, b.Number) })
		for match, err := range matches {
			if err != nil {
				yield(listed{}, err)
				return
			}
			for ; len(voids) > 0 && voids[0].Number < match.Number; voids = voids[1:] {
				if !yield(l.void(voids[0]), nil) {
					return
				}
			}
			if !yield(listed{match, false, l.Tournament.Adjudication.Reason(match.Summary)}, nil) {
				return
			}
		}
		for _, void := range voids {
			if !yield(l.void(void), nil) {
				return
			}
		}
	}
}

// void returns the line of a void match.
func (l MatchList) void(v results.VoidMatch) listed {
	summary := results.Summary{Key: v.Key, Result: results.Void}
	summary.SouthCPU, summary.NorthCPU = results.UnknownCPU, results.UnknownCPU
	line := listed{results.Noted{Numbered: results.Numbered{Number: v.Number, Summary: summary}}, true, v.Reason}
	line.Body.Opening = l.Tournament.Opening(v.Pair)
	return line
}

// ending returns the name of the ending; "" for a void match.
func (l listed) ending() string {
	if l.void {
		return ""
	}
	return l.Ending.String()
}
