package report

import (
	"cmp"
	"io"
	"time"

	"sembra/engine"
	"sembra/results"
)

// lineFields is a match as a JSON line, which [ReadMatches] reads. A field that is nil is not in the line.
type lineFields struct {
	Tournament   string          `json:"tournament"`
	Number       int             `json:"match"`
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
	SouthMS      *float64        `json:"south_ms,omitempty"` // only if charged, as the next one
	NorthMS      *float64        `json:"north_ms,omitempty"`
	RoundLimit   int             `json:"round_limit"`
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

// line returns what a line says of a match. Lists are never null.
func (l MatchList) line(m *listed) lineFields {
	t := l.Tournament
	pairing, stage := l.place(m.Number)
	line := lineFields{
		Tournament:   t.Name,
		Number:       m.Number,
		Pairing:      pairing,
		Pair:         m.Pair,
		Ruleset:      t.Ruleset,
		South:        m.South,
		North:        m.North,
		Opening:      m.Body.Opening,
		Moves:        append([]string{}, m.Body.Moves...),
		Result:       m.Result.String(),
		SouthStore:   &m.Stores[engine.South],
		NorthStore:   &m.Stores[engine.North],
		Ending:       m.ending(),
		Fault:        m.FaultName(),
		Plies:        &m.Plies,
		ElapsedMS:    make([]float64, len(m.Body.Elapsed)),
		Rounds:       append([]results.Round{}, m.Body.Rounds...),
		Scores:       m.Body.Scores,
		SouthSeed:    m.Body.Seeds[engine.South],
		NorthSeed:    m.Body.Seeds[engine.North],
		SouthMS:      optional(inMilliseconds(m.Times[engine.South]), l.Charged),
		NorthMS:      optional(inMilliseconds(m.Times[engine.North]), l.Charged),
		RoundLimit:   t.Rounds,
		SouthDonkeys: &m.Donkeys[engine.South],
		NorthDonkeys: &m.Donkeys[engine.North],
		SouthCPUMS:   cpuTime(m.CPU[engine.South], m.CPU[engine.South] >= 0),
		NorthCPUMS:   cpuTime(m.CPU[engine.North], m.CPU[engine.North] >= 0),
		Reason:       cmp.Or(whatOf(m.Evidence), m.reason),
		Worker:       m.Worker,
		SouthFiles:   m.Body.Files[engine.South],
		NorthFiles:   m.Body.Files[engine.North],
		Stage:        stage,
		Note:         m.Note,
	}
	for i, elapsed := range m.Body.Elapsed {
		line.ElapsedMS[i] = inMilliseconds(elapsed)
	}
	return line
}

// fill sets the fields of a record that the line has, except for the result, the ending and the fault. The others stay
// as they are.
func (m *lineFields) fill(s *results.Summary, b *results.Body, times *timeSum) {
	setNonZero(&s.Pair, m.Pair)
	setNonZero(&s.South, m.South)
	setNonZero(&s.North, m.North)
	setNonZero(&b.Opening, m.Opening)
	setList(&b.Moves, m.Moves)
	setKnown(&s.Stores[engine.South], m.SouthStore)
	setKnown(&s.Stores[engine.North], m.NorthStore)
	setKnown(&s.Plies, m.Plies)
	for i := range m.ElapsedMS {
		times.set(&b.Elapsed[i], &m.ElapsedMS[i])
	}
	setList(&b.Rounds, m.Rounds)
	setList(&b.Scores, m.Scores)
	setNonZero(&b.Seeds[engine.South], m.SouthSeed)
	setNonZero(&b.Seeds[engine.North], m.NorthSeed)
	times.set(&s.Times[engine.South], m.SouthMS)
	times.set(&s.Times[engine.North], m.NorthMS)
	setKnown(&s.Donkeys[engine.South], m.SouthDonkeys)
	setKnown(&s.Donkeys[engine.North], m.NorthDonkeys)
	times.set(&s.CPU[engine.South], m.SouthCPUMS)
	times.set(&s.CPU[engine.North], m.NorthCPUMS)
	setNonZero(&s.Worker, m.Worker)
	setNonZero(&b.Files[engine.South], m.SouthFiles)
	setNonZero(&b.Files[engine.North], m.NorthFiles)
}

// setNonZero sets a field whose zero value says nothing.
func setNonZero[T comparable](record *T, line T) {
	if line != *new(T) {
		*record = line
	}
}

// setKnown sets a field that other programs may leave out.
func setKnown[T any](record, line *T) {
	if line != nil {
		*record = *line
	}
}

// setList sets a list.
func setList[T any](record *[]T, line []T) {
	if line != nil {
		*record = line
	}
}

// timeSum is what is known of the times of a line, in milliseconds.
type timeSum struct{ least, sum float64 }

// set sets a time that other programs may leave out.
func (t *timeSum) set(record *time.Duration, line *float64) {
	if line != nil {
		t.least = min(t.least, *line)
		t.sum += *line
		*record = fromMilliseconds(*line)
	}
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
