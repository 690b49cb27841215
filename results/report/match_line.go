package report

import (
	"cmp"
	"io"
	"time"

	"sembra/engine"
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
	SouthMS      *float64        `json:"south_ms,omitempty"` // only if charged, as the next one and Pondered
	NorthMS      *float64        `json:"north_ms,omitempty"`
	RoundLimit   int             `json:"round_limit"`
	Pondered     string          `json:"burnt,omitempty"` // south, north or both
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
		Tournament: t.Name, Number: l.Number, Ruleset: t.Ruleset, RoundLimit: t.Rounds, Result: l.Result.String(),
		Ending: l.ending(), Fault: l.FaultName(), Reason: cmp.Or(whatOf(l.Evidence), l.reason), Note: l.Note,
	}
	line.Pairing, line.Stage = list.place(l.Number)
	line.fields(&lineCopy{writing: true}, &l.Summary, &l.Body)
	if list.Charged {
		line.Pondered = seatsText(l.Pondered)
	} else {
		line.SouthMS, line.NorthMS = nil, nil
	}
	return line
}

// fields copies the fields that mean the same in a line and in a record, to the line or from it.
func (m *matchLine) fields(c *lineCopy, s *results.Summary, b *results.Body) {
	same(c, &m.Pair, &s.Pair)
	same(c, &m.South, &s.South)
	same(c, &m.North, &s.North)
	same(c, &m.Opening, &b.Opening)
	entire(c, &m.Moves, &b.Moves)
	stated(c, &m.SouthStore, &s.Stores[engine.South])
	stated(c, &m.NorthStore, &s.Stores[engine.North])
	stated(c, &m.Plies, &s.Plies)
	c.elapsed(&m.ElapsedMS, &b.Elapsed)
	entire(c, &m.Rounds, &b.Rounds)
	entire(c, &m.Scores, &b.Scores)
	same(c, &m.SouthSeed, &b.Seeds[engine.South])
	same(c, &m.NorthSeed, &b.Seeds[engine.North])
	c.milliseconds(&m.SouthMS, &s.Times[engine.South])
	c.milliseconds(&m.NorthMS, &s.Times[engine.North])
	stated(c, &m.SouthDonkeys, &s.Donkeys[engine.South])
	stated(c, &m.NorthDonkeys, &s.Donkeys[engine.North])
	c.milliseconds(&m.SouthCPUMS, &s.CPU[engine.South])
	c.milliseconds(&m.NorthCPUMS, &s.CPU[engine.North])
	same(c, &m.Worker, &s.Worker)
	same(c, &m.SouthFiles, &b.Files[engine.South])
	same(c, &m.NorthFiles, &b.Files[engine.North])
}

// lineCopy copies fields between a line and a record. What the line does not say stays in the record as it is.
type lineCopy struct {
	writing bool    // to the line
	least   float64 // of the times that were read, in milliseconds
	sum     float64 // of these times
}

// same copies a field whose zero value says nothing.
func same[T comparable](c *lineCopy, line, record *T) {
	if c.writing {
		*line = *record
	} else if *line != *new(T) {
		*record = *line
	}
}

// stated copies a field that other programs may leave out.
func stated[T any](c *lineCopy, line **T, record *T) {
	if c.writing {
		*line = record
	} else if *line != nil {
		*record = **line
	}
}

// entire copies a list that is never null in a line that Sembra writes.
func entire[T any](c *lineCopy, line, record *[]T) {
	if c.writing {
		if *line = *record; *line == nil {
			*line = []T{}
		}
	} else if *line != nil {
		*record = *line
	}
}

// milliseconds copies a time, or a CPU time that is not known.
func (c *lineCopy) milliseconds(line **float64, record *time.Duration) {
	if c.writing {
		*line = cpuTime(*record, *record >= 0)
	} else if *line != nil {
		*record = c.duration(**line)
	}
}

// elapsed copies the times of all moves.
func (c *lineCopy) elapsed(line *[]float64, record *[]time.Duration) {
	if c.writing {
		*line = make([]float64, len(*record))
		for i, elapsed := range *record {
			(*line)[i] = inMilliseconds(elapsed)
		}
		return
	}
	for i, ms := range *line {
		(*record)[i] = c.duration(ms)
	}
}

// duration returns a time that was read.
func (c *lineCopy) duration(ms float64) time.Duration {
	c.least, c.sum = min(c.least, ms), c.sum+ms
	return fromMilliseconds(ms)
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
