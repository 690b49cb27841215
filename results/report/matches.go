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
	Opening      string        `json:"opening" csv:"-"`
	Moves        []string      `json:"moves" csv:"-"`
	Result       string        `json:"result"`
	SouthStore   int           `json:"south_store"`
	NorthStore   int           `json:"north_store"`
	Ending       string        `json:"ending"`
	Fault        string        `json:"fault"`
	Plies        int           `json:"plies"`
	SouthMS      json.Number   `json:"-" csv:"south_ms"`
	NorthMS      json.Number   `json:"-" csv:"north_ms"`
	ElapsedMS    []json.Number `json:"elapsed_ms" csv:"-"`
	Rounds       []round       `json:"rounds" csv:"-"`
	Scores       []*float64    `json:"scores,omitempty" csv:"-"`
	SouthSeed    uint64        `json:"south_seed" csv:"-"`
	NorthSeed    uint64        `json:"north_seed" csv:"-"`
	SouthTimeMS  json.Number   `json:"south_ms,omitempty" csv:"-"` // SouthMS, which has another place in CSV
	NorthTimeMS  json.Number   `json:"north_ms,omitempty" csv:"-"`
	RoundLimit   int           `json:"round_limit" csv:"-"`
	Burnt        string        `json:"burnt,omitempty" csv:"-"` // south, north or both
	CSVReason    string        `json:"-" csv:"reason"`          // the Reason, which has another place in JSON
	SouthDonkeys int           `json:"south_donkeys"`
	NorthDonkeys int           `json:"north_donkeys"`
	SouthCPUMS   *json.Number  `json:"south_cpu_ms"` // nil if it is not known
	NorthCPUMS   *json.Number  `json:"north_cpu_ms"`
	Reason       string        `json:"reason,omitempty" csv:"-"` // of a void or an adjudicated match, or of a fault
	Worker       string        `json:"worker,omitempty" csv:"-"`
	SouthFiles   string        `json:"south_files,omitempty" csv:"-"` // hashes of what the worker got
	NorthFiles   string        `json:"north_files,omitempty" csv:"-"`
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
	staged := l.Tournament.Staged()
	part := tableOf(l.lines(l.Matches), []column[listed]{
		{right("slot"), number(func(m listed) int { return m.Slot })},
		{drop(5, right("stage")), func(m listed) string {
			if !staged {
				return ""
			}
			return strconv.Itoa(l.Places.Stage(m.Slot))
		}},
		{drop(3, right("pair")), number(func(m listed) int { return m.Pair })},
		{name("south"), func(m listed) string { return m.South }},
		{name("north"), func(m listed) string { return m.North }},
		{left("result"), func(m listed) string { return m.Result.String() }},
		{drop(4, right("stores")), func(m listed) string { return scoreOf(m.SouthStore, m.NorthStore) }},
		{drop(1, rare(right("donkeys"))), func(m listed) string { return scoreOf(m.SouthDonkeys, m.NorthDonkeys) }},
		{left("ending"), listed.ending},
		{name("fault"), func(m listed) string { return m.FaultName() }},
		{drop(2, right("plies")), number(func(m listed) int { return m.Plies })},
		{rare(name("reason")), func(m listed) string { return m.reason }},
		{drop(6, rare(left("note"))), func(m listed) string { return string(m.Note) }},
	})
	report := Report{Parts: []Part{part}, CSV: linesOf(rowsFrom(l.lines(l.Matches), l.row))}
	if l.Whole != nil {
		report.JSONL = rowsFrom(l.lines(l.Whole), l.object)
	}
	return report
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
		SouthMS: millis(line.SouthTime), NorthMS: millis(line.NorthTime), CSVReason: line.reason, Reason: line.reason,
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
		whole.SouthTimeMS, whole.NorthTimeMS = whole.SouthMS, whole.NorthMS
		whole.Burnt = seatsText(line.SouthBurnt, line.NorthBurnt)
	}
	return whole
}
