package report

import (
	"cmp"
	"encoding/json"
	"io"
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

// WriteJSON writes the match as a JSON line, which [ReadMatches] reads.
func (r Match) WriteJSON(w io.Writer) error {
	noted := results.Noted{
		Slotted: results.Slotted{Slot: r.Slot, Summary: r.Record.Summary}, Body: r.Record.Body, Evidence: r.Record.Evidence,
	}
	list := MatchList{Tournament: r.Tournament, Places: alone{}, Whole: each([]results.Noted{noted}), Charged: true}
	return Report{JSONL: rowsFrom(list.lines(list.Whole), list.object)}.Write(w, JSONL, 0)
}

// alone is the place of a match that belongs to no tournament.
type alone struct{}

func (alone) Pairing(int) int { return 1 }
func (alone) Stage(int) int   { return 1 }

// Places knows the pairing and the stage of each slot.
type Places interface {
	Pairing(slot int) int // the two bots' pairing, from 1
	Stage(slot int) int   // from 1
}

// match is a match in CSV and JSONL.
type match struct {
	Tournament   string        `json:"tournament"`
	Slot         int           `json:"slot"`
	Pairing      int           `json:"pairing"`
	Pair         int           `json:"pair"`
	Ruleset      string        `json:"ruleset"`
	South        string        `json:"south"`
	North        string        `json:"north"`
	Opening      string        `json:"opening"`
	Moves        []string      `json:"moves"`
	Result       string        `json:"result"`
	SouthStore   int           `json:"south_store"`
	NorthStore   int           `json:"north_store"`
	Ending       string        `json:"ending"`
	Fault        string        `json:"fault"`
	Plies        int           `json:"plies"`
	ElapsedMS    []json.Number `json:"elapsed_ms"`
	Rounds       []round       `json:"rounds"`
	Scores       []*float64    `json:"scores,omitempty"`
	SouthSeed    uint64        `json:"south_seed"`
	NorthSeed    uint64        `json:"north_seed"`
	SouthTimeMS  json.Number   `json:"south_ms,omitempty"`
	NorthTimeMS  json.Number   `json:"north_ms,omitempty"`
	RoundLimit   int           `json:"round_limit"`
	Burnt        string        `json:"burnt,omitempty"` // south, north or both
	SouthDonkeys int           `json:"south_donkeys"`
	NorthDonkeys int           `json:"north_donkeys"`
	SouthCPUMS   *json.Number  `json:"south_cpu_ms"` // nil if it is not known
	NorthCPUMS   *json.Number  `json:"north_cpu_ms"`
	Reason       string        `json:"reason,omitempty"` // of a void or an adjudicated match, or of a fault
	Worker       string        `json:"worker,omitempty"`
	SouthFiles   string        `json:"south_files,omitempty"` // hashes of what the worker got
	NorthFiles   string        `json:"north_files,omitempty"`
	Stage        int           `json:"stage"`
	Note         results.Note  `json:"note"`
}

// round is a round of a match in JSONL.
type round struct {
	Start      string `json:"start"`
	Plies      int    `json:"plies"`
	Position   string `json:"position"`
	Reason     string `json:"reason"`
	SouthStore int    `json:"south_store"`
	NorthStore int    `json:"north_store"`
}

// Matches reports a line a match, in schedule order. It has the formats Table, Markdown, CSV and JSONL.
func Matches(l MatchList) Report {
	columns := l.columns()
	report := Report{
		Parts: []Part{tableOf(l.lines(l.Matches), columns)}, CSV: csvOf(l.lines(l.Matches), columns),
	}
	if l.Whole != nil {
		report.JSONL = rowsFrom(l.lines(l.Whole), l.object)
	}
	return report
}

// columns returns the columns of the list in tables and CSV.
func (l MatchList) columns() []Column[listed] {
	staged := l.Tournament.Staged()
	return []Column[listed]{
		{Name: "tournament", Value: func(listed) any { return l.Tournament.Name }},
		{Name: "slot", Title: "slot", Value: func(m listed) any { return m.Slot }},
		{Title: "stage", Drop: 5, Value: func(m listed) any {
			if !staged {
				return ""
			}
			return strconv.Itoa(l.Places.Stage(m.Slot))
		}},
		{Name: "pairing", Value: func(m listed) any { return l.Places.Pairing(m.Slot) }},
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
		{Name: "stage", Value: func(m listed) any { return l.Places.Stage(m.Slot) }},
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
		slices.SortStableFunc(voids, func(a, b results.VoidMatch) int { return cmp.Compare(a.Slot, b.Slot) })
		for match, err := range matches {
			if err != nil {
				yield(listed{}, err)
				return
			}
			for ; len(voids) > 0 && voids[0].Slot < match.Slot; voids = voids[1:] {
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
	line := listed{results.Noted{Slotted: results.Slotted{Slot: v.Slot, Summary: summary}}, true, v.Reason}
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

// row returns a line with what the summary knows.
func (l MatchList) row(line listed) match {
	return match{
		Tournament: l.Tournament.Name, Slot: line.Slot, Pairing: l.Places.Pairing(line.Slot), Pair: line.Pair,
		Ruleset: l.Tournament.Ruleset, South: line.South, North: line.North,
		Result: line.Result.String(), SouthStore: line.SouthStore, NorthStore: line.NorthStore,
		Ending: line.ending(), Fault: line.FaultName(), Plies: line.Plies,
		Reason:       line.reason,
		SouthDonkeys: line.SouthDonkeys, NorthDonkeys: line.NorthDonkeys,
		SouthCPUMS: knownMillis(line.SouthCPU, line.SouthCPU >= 0),
		NorthCPUMS: knownMillis(line.NorthCPU, line.NorthCPU >= 0),
		Stage:      l.Places.Stage(line.Slot), Note: line.Note,
	}
}

// object returns a line with everything that its record knows.
func (l MatchList) object(line listed) any {
	whole, body := l.row(line), line.Body
	if line.Evidence != nil {
		whole.Reason = shown(line.Evidence.What)
	}
	whole.Opening, whole.Scores = body.Opening, body.Scores
	whole.Moves = append([]string{}, body.Moves...) // never null
	whole.SouthSeed, whole.NorthSeed = body.Seeds[0], body.Seeds[1]
	whole.ElapsedMS, whole.Rounds = make([]json.Number, len(body.Elapsed)), make([]round, len(body.Rounds))
	for i, elapsed := range body.Elapsed {
		whole.ElapsedMS[i] = millis(elapsed)
	}
	for i, r := range body.Rounds {
		whole.Rounds[i] = round{r.Start, r.Plies, r.Position, r.Reason, r.South, r.North}
	}
	whole.Worker, whole.SouthFiles, whole.NorthFiles = line.Worker, body.SouthFiles, body.NorthFiles
	whole.RoundLimit = l.Tournament.Rounds
	if l.Charged {
		whole.SouthTimeMS, whole.NorthTimeMS = millis(line.SouthTime), millis(line.NorthTime)
		whole.Burnt = seatsText(line.SouthBurnt, line.NorthBurnt)
	}
	return whole
}
