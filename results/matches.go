package results

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strconv"

	"github.com/olekukonko/tablewriter/tw"
)

// MatchList is a list of matches to write.
type MatchList struct {
	Tournament Tournament
	Matches    []Slotted // as Filter.Apply leaves them
	// Pairing gives the pairing, from 1, that a slot belongs to.
	Pairing func(slot int) int
	// Records gives the whole records of matches, in their order, like Store.Records. Only JSON lines
	// need it.
	Records func(matches []Slotted) iter.Seq2[SlottedRecord, error]
}

// Write writes one line a match; see MatchFormats. As table and CSV it reads no body.
func (l MatchList) Write(w io.Writer, format Format) error {
	switch format {
	case FormatTable:
		return l.writeTable(w)
	case FormatCSV:
		return l.writeCSV(w)
	case FormatJSONL:
		return l.writeJSONL(w)
	}
	_, err := ParseFormat(string(format), MatchFormats())
	return err
}

func (l MatchList) writeTable(w io.Writer) error {
	t := new(table)
	t.column("slot", tw.AlignRight)
	t.column("pair", tw.AlignRight)
	for _, title := range []string{"south", "north", "result"} {
		t.column(title, tw.AlignLeft)
	}
	t.column("stores", tw.AlignRight)
	t.column("ending", tw.AlignLeft)
	t.column("fault", tw.AlignLeft)
	t.column("plies", tw.AlignRight)
	for _, match := range l.Matches {
		t.row(
			strconv.Itoa(match.Slot), strconv.Itoa(match.Pair), match.South, match.North,
			match.Result.String(), fmt.Sprintf("%d-%d", match.SouthStore, match.NorthStore),
			match.Ending.String(), match.FaultName(), strconv.Itoa(match.Plies),
		)
	}
	return t.text(w)
}

func (l MatchList) writeCSV(w io.Writer) error {
	writer := csv.NewWriter(w)
	header := []string{
		"tournament", "slot", "pairing", "pair", "ruleset", "south", "north", "result", "south_store",
		"north_store", "ending", "fault", "plies", "south_ms", "north_ms",
	}
	if err := writer.Write(header); err != nil {
		return err
	}
	for _, match := range l.Matches {
		err := writer.Write([]string{
			l.Tournament.Name, strconv.Itoa(match.Slot), strconv.Itoa(l.Pairing(match.Slot)),
			strconv.Itoa(match.Pair), l.Tournament.Ruleset, match.South, match.North,
			match.Result.String(), strconv.Itoa(match.SouthStore), strconv.Itoa(match.NorthStore),
			match.Ending.String(), match.FaultName(), strconv.Itoa(match.Plies),
			millis(match.SouthTime), millis(match.NorthTime),
		})
		if err != nil {
			return err
		}
	}
	writer.Flush()
	return writer.Error()
}

// The shape of a JSON line. Its names are stable.
type (
	matchJSON struct {
		Tournament string        `json:"tournament"`
		Slot       int           `json:"slot"`
		Pairing    int           `json:"pairing"`
		Pair       int           `json:"pair"`
		Ruleset    string        `json:"ruleset"`
		South      string        `json:"south"`
		North      string        `json:"north"`
		Opening    string        `json:"opening"`
		Moves      []string      `json:"moves"`
		Result     string        `json:"result"`
		SouthStore int           `json:"south_store"`
		NorthStore int           `json:"north_store"`
		Ending     string        `json:"ending"`
		Fault      string        `json:"fault"`
		Plies      int           `json:"plies"`
		ElapsedMS  []json.Number `json:"elapsed_ms"`
		Rounds     []roundJSON   `json:"rounds"`
	}
	roundJSON struct {
		Position   string `json:"position"`
		Reason     string `json:"reason"`
		SouthStore int    `json:"south_store"`
		NorthStore int    `json:"north_store"`
	}
)

func (l MatchList) writeJSONL(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for record, err := range l.Records(l.Matches) {
		if err != nil {
			return err
		}
		if err := encoder.Encode(l.line(record)); err != nil {
			return err
		}
	}
	return nil
}

func (l MatchList) line(record SlottedRecord) matchJSON {
	line := matchJSON{
		Tournament: l.Tournament.Name,
		Slot:       record.Slot,
		Pairing:    l.Pairing(record.Slot),
		Pair:       record.Pair,
		Ruleset:    l.Tournament.Ruleset,
		South:      record.South,
		North:      record.North,
		Opening:    record.Opening,
		Moves:      append([]string{}, record.Moves...), // never null
		Result:     record.Result.String(),
		SouthStore: record.SouthStore,
		NorthStore: record.NorthStore,
		Ending:     record.Ending.String(),
		Fault:      record.FaultName(),
		Plies:      record.Plies,
		ElapsedMS:  make([]json.Number, len(record.Elapsed)),
		Rounds:     make([]roundJSON, len(record.Body.Rounds)),
	}
	for i, elapsed := range record.Elapsed {
		line.ElapsedMS[i] = json.Number(millis(elapsed))
	}
	for i, round := range record.Body.Rounds {
		line.Rounds[i] = roundJSON{round.Position, round.Reason, round.South, round.North}
	}
	return line
}
