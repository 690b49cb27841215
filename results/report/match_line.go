package report

import (
	"cmp"
	"io"

	"sembra/results"
)

// matchLine is a match as a JSON line. [ReadMatches] reads it too; a field that is nil is not in the line.
type matchLine struct {
	Tournament   string          `json:"tournament"`
	Number       int             `json:"slot"`
	Pairing      int             `json:"pairing"`
	Pair         int             `json:"pair"`
	Ruleset      string          `json:"ruleset"`
	South        string          `json:"south"`
	North        string          `json:"north"`
	Opening      string          `json:"opening"`
	Moves        []string        `json:"moves"`
	Result       string          `json:"result"`
	SouthStore   *int            `json:"south_store"`
	NorthStore   *int            `json:"north_store"`
	Ending       string          `json:"ending"`
	Fault        string          `json:"fault"`
	Plies        *int            `json:"plies"`
	ElapsedMS    []float64       `json:"elapsed_ms"`
	Rounds       []results.Round `json:"rounds"`
	Scores       []*float64      `json:"scores,omitempty"`
	SouthSeed    uint64          `json:"south_seed"`
	NorthSeed    uint64          `json:"north_seed"`
	SouthMS      *float64        `json:"south_ms,omitempty"` // only if charged, as the next one and Burnt
	NorthMS      *float64        `json:"north_ms,omitempty"`
	RoundLimit   int             `json:"round_limit"`
	Burnt        string          `json:"burnt,omitempty"` // south, north or both
	SouthDonkeys *int            `json:"south_donkeys"`
	NorthDonkeys *int            `json:"north_donkeys"`
	SouthCPUMS   *float64        `json:"south_cpu_ms"`
	NorthCPUMS   *float64        `json:"north_cpu_ms"`
	Reason       string          `json:"reason,omitempty"` // of a void or an adjudicated match, or of a fault
	Worker       string          `json:"worker,omitempty"`
	SouthFiles   string          `json:"south_files,omitempty"` // hashes of what the worker got
	NorthFiles   string          `json:"north_files,omitempty"`
	Stage        int             `json:"stage"`
	Note         string          `json:"note"`
}

// line returns the match as a JSON line.
func (list MatchList) line(l listed) matchLine {
	t := list.Tournament
	line := matchLine{
		Tournament: t.Name, Number: l.Number, Pair: l.Pair, Ruleset: t.Ruleset, South: l.South, North: l.North,
		Opening: l.Body.Opening, Moves: append([]string{}, l.Body.Moves...), // never null
		Result: l.Result.String(), SouthStore: &l.SouthStore, NorthStore: &l.NorthStore,
		Ending: l.ending(), Fault: l.FaultName(), Plies: &l.Plies,
		ElapsedMS: make([]float64, len(l.Body.Elapsed)), Rounds: append([]results.Round{}, l.Body.Rounds...),
		Scores: l.Body.Scores, SouthSeed: l.Body.Seeds[0], NorthSeed: l.Body.Seeds[1], RoundLimit: t.Rounds,
		SouthDonkeys: &l.SouthDonkeys, NorthDonkeys: &l.NorthDonkeys,
		SouthCPUMS: cpuTime(l.SouthCPU, l.SouthCPU >= 0), NorthCPUMS: cpuTime(l.NorthCPU, l.NorthCPU >= 0),
		Reason: cmp.Or(whatOf(l.Evidence), l.reason), Worker: l.Worker,
		SouthFiles: l.Body.SouthFiles, NorthFiles: l.Body.NorthFiles, Note: l.Note,
	}
	for i, elapsed := range l.Body.Elapsed {
		line.ElapsedMS[i] = inMilliseconds(elapsed)
	}
	line.Pairing, line.Stage = list.place(l.Number)
	if list.Charged {
		line.SouthMS, line.NorthMS = new(inMilliseconds(l.SouthTime)), new(inMilliseconds(l.NorthTime))
		line.Burnt = seatsText(l.SouthPondered, l.NorthPondered)
	}
	return line
}

// WriteJSON writes the match as a JSON line, which [ReadMatches] reads.
func (r Match) WriteJSON(w io.Writer) error {
	noted := results.Noted{
		Numbered: results.Numbered{Number: r.Number, Summary: r.Record.Summary},
		Body:     r.Record.Body, Evidence: r.Record.Evidence,
	}
	list := MatchList{Tournament: r.Tournament, Whole: Each([]results.Noted{noted}), Charged: true}
	return Matches(list).Write(w, JSONL, 0)
}
