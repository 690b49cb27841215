package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"sembra/results"
)

// MatchList is a list of matches to report.
type MatchList struct {
	Tournament results.Tournament
	Places     Places
	Matches    []results.Slotted   // as Filter.Apply returns them
	Voids      []results.VoidMatch // listed among the other matches
	Notes      map[int]results.Note
	// Records yields the whole records of Matches, in their order. Only JSONL needs them. It tells the reasons of
	// faults if the records have their evidence.
	Records iter.Seq2[results.Record, error]
}

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
	CSVReason    string        `json:"-" csv:"reason"` // the Reason, which has another place in JSON
	SouthDonkeys int           `json:"south_donkeys"`
	NorthDonkeys int           `json:"north_donkeys"`
	SouthCPUMS   *json.Number  `json:"south_cpu_ms"` // nil if it is not known
	NorthCPUMS   *json.Number  `json:"north_cpu_ms"`
	Reason       string        `json:"reason,omitempty" csv:"-"` // of a void or an adjudicated match, or of a fault
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

// Matches reports a line a match, in schedule order. It has the formats Table, Markdown, CSV and JSONL. Only JSONL
// reads the records.
func Matches(l MatchList) Report {
	lines := l.lines()
	staged := l.Tournament.Staged()
	part := Part{
		Columns: []Column{
			right("slot"),
			{Title: "stage", Rare: !staged},
			right("pair"), left("south"), left("north"), left("result"), right("stores"),
			rare(right("donkeys")), left("ending"), left("fault"), right("plies"), rare(left("reason")), rare(left("note")),
		},
		Rows: rowsOf(lines, func(line listed) []string {
			stage := ""
			if staged {
				stage = strconv.Itoa(l.Places.Stage(line.Slot))
			}
			return []string{
				strconv.Itoa(line.Slot), stage, strconv.Itoa(line.Pair), line.South, line.North, line.Result.String(),
				scoreOf(line.SouthStore, line.NorthStore), scoreOf(line.SouthDonkeys, line.NorthDonkeys),
				line.ending(), line.FaultName(), strconv.Itoa(line.Plies), line.reason, string(l.Notes[line.Slot]),
			}
		}),
	}
	report := Report{Parts: []Part{part}, CSV: linesOf(rowsOf(lines, l.row))}
	if l.Records != nil {
		report.JSONL = l.objects(lines)
	}
	return report
}

// listed is a match of the list. The summary of a void match has little more than its key.
type listed struct {
	results.Slotted
	void   bool
	reason string // why it is void or was adjudicated
}

// lines returns the matches and the void ones in schedule order.
func (l MatchList) lines() []listed {
	var lines []listed
	for _, match := range l.Matches {
		lines = append(lines, listed{Slotted: match, reason: l.Tournament.Adjudication.Reason(match.Summary)})
	}
	for _, void := range l.Voids {
		summary := results.Summary{Key: void.Key, Result: results.Void}
		summary.SouthCPU, summary.NorthCPU = results.UnknownCPU, results.UnknownCPU
		lines = append(lines, listed{results.Slotted{Slot: void.Slot, Summary: summary}, true, void.Reason})
	}
	slices.SortStableFunc(lines, func(a, b listed) int { return cmp.Compare(a.Slot, b.Slot) })
	return lines
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
		Stage:      l.Places.Stage(line.Slot), Note: l.Notes[line.Slot],
	}
}

// objects yields the lines with everything that the records know.
func (l MatchList) objects(lines []listed) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		next, stop := iter.Pull2(l.Records)
		defer stop()
		for _, line := range lines {
			var record results.Record
			switch {
			case !line.void:
				var err error
				var ok bool
				record, err, ok = next()
				if err == nil && (!ok || record.Key != line.Key) {
					err = fmt.Errorf("the record of %v was not found", line.Key)
				}
				if err != nil {
					yield(nil, err)
					return
				}
			case line.Pair <= len(l.Tournament.Openings):
				record.Opening = l.Tournament.Openings[line.Pair-1]
			}
			if !yield(l.row(line).with(record), nil) {
				return
			}
		}
	}
}

// with returns the row with what else its record has.
func (m match) with(record results.Record) match {
	body := record.Body
	if record.Evidence != nil {
		m.Reason = shown(record.Evidence.What)
	}
	m.Opening, m.Moves, m.Scores = body.Opening, append([]string{}, body.Moves...), body.Scores // moves are never null
	m.SouthSeed, m.NorthSeed = body.Seeds[0], body.Seeds[1]
	m.ElapsedMS, m.Rounds = make([]json.Number, len(body.Elapsed)), make([]round, len(body.Rounds))
	for i, elapsed := range body.Elapsed {
		m.ElapsedMS[i] = millis(elapsed)
	}
	for i, r := range body.Rounds {
		m.Rounds[i] = round{r.Start, r.Plies, r.Position, r.Reason, r.South, r.North}
	}
	return m
}
