package results

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/olekukonko/tablewriter/tw"
)

// MatchList is a list of matches to write.
type MatchList struct {
	Tournament Tournament
	Matches    []Slotted // as Filter.Apply leaves them
	// Voids are matches that came to nothing, to be listed among the others.
	Voids []SlottedVoid
	// Pairing gives the pairing, from 1, that a slot belongs to.
	Pairing func(slot int) int
	// Stage gives the stage, from 1, that a slot belongs to.
	Stage func(slot int) int
	// Notes are of matches that do not count for ratings and tests, by slot.
	Notes map[int]Note
	// Records gives the whole records of matches, in their order, like Store.Records. Only JSON lines
	// need it.
	Records func(matches []Slotted) iter.Seq2[SlottedRecord, error]
}

// Note says why a match counts for points, but not for what the matches say of strength.
type Note string

// The notes.
const (
	Repeat   Note = "repeat"    // an equal match was played before
	PastStop Note = "past stop" // the sequential test was decided before it
)

// Notes gives the notes of all matches of a tournament, in schedule order, by slot. A match that is both is
// a Repeat: it would not count before the stop either.
func Notes(t Tournament, summaries []Slotted) map[int]Note {
	notes := make(map[int]Note)
	repeats := t.Repeats()
	for _, match := range summaries {
		if repeats.Again(match.Summary) {
			notes[match.Slot] = Repeat
		}
	}
	if t.Format == Sequential {
		test := NewSequentialTest(t)
		for _, match := range summaries {
			test.Add(match.Slot, match.Summary)
		}
		for _, match := range summaries {
			if notes[match.Slot] == "" && test.Past(match.Slot) {
				notes[match.Slot] = PastStop
			}
		}
	}
	return notes
}

// Write writes one line a match, in schedule order; see MatchFormats. As table and CSV it reads no body.
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

// line is a match to be listed. For a void one the summary has little more than its key.
type line struct {
	Slotted
	void   bool
	reason string // why it came to nothing, or why it was adjudicated
}

// lines gives the matches and the voids in schedule order.
func (l MatchList) lines() []line {
	var lines []line
	for _, match := range l.Matches {
		lines = append(lines, line{Slotted: match, reason: l.Tournament.Adjudication.Reason(match.Summary)})
	}
	for _, void := range l.Voids {
		summary := Summary{Key: void.Key, Result: Void, SouthCPU: UnknownCPU, NorthCPU: UnknownCPU}
		lines = append(lines, line{Slotted{void.Slot, summary}, true, void.Reason})
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.Slot, b.Slot) })
	return lines
}

// ending is the name of how a match ended, "" for a void one.
func (l line) ending() string {
	if l.void {
		return ""
	}
	return l.Ending.String()
}

func (l MatchList) writeTable(w io.Writer) error {
	t := new(table)
	t.column("slot", tw.AlignRight)
	staged := l.Tournament.Staged()
	if staged {
		t.column("stage", tw.AlignRight)
	}
	t.column("pair", tw.AlignRight)
	for _, title := range []string{"south", "north", "result"} {
		t.column(title, tw.AlignLeft)
	}
	t.column("stores", tw.AlignRight)
	donkeys := slices.ContainsFunc(l.Matches, func(m Slotted) bool { return m.SouthDonkeys+m.NorthDonkeys > 0 })
	if donkeys {
		t.column("donkeys", tw.AlignRight) // owed to South and to North
	}
	t.column("ending", tw.AlignLeft)
	t.column("fault", tw.AlignLeft)
	t.column("plies", tw.AlignRight)
	lines := l.lines()
	reasons := len(l.Voids) > 0 || slices.ContainsFunc(lines, func(match line) bool { return match.reason != "" })
	if reasons {
		t.column("reason", tw.AlignLeft)
	}
	noted := slices.ContainsFunc(lines, func(match line) bool { return l.Notes[match.Slot] != "" })
	if noted {
		t.column("note", tw.AlignLeft)
	}
	for _, match := range lines {
		cells := []string{strconv.Itoa(match.Slot)}
		if staged {
			cells = append(cells, strconv.Itoa(l.Stage(match.Slot)))
		}
		cells = append(cells,
			strconv.Itoa(match.Pair), match.South, match.North,
			match.Result.String(), fmt.Sprintf("%d-%d", match.SouthStore, match.NorthStore),
		)
		if donkeys {
			cells = append(cells, fmt.Sprintf("%d-%d", match.SouthDonkeys, match.NorthDonkeys))
		}
		cells = append(cells, match.ending(), match.FaultName(), strconv.Itoa(match.Plies))
		if reasons {
			cells = append(cells, printable(match.reason))
		}
		if noted {
			cells = append(cells, string(l.Notes[match.Slot]))
		}
		t.row(cells...)
	}
	return t.text(w)
}

func (l MatchList) writeCSV(w io.Writer) error {
	writer := csv.NewWriter(w)
	rows := [][]string{{
		"tournament", "slot", "pairing", "pair", "ruleset", "south", "north", "result", "south_store",
		"north_store", "ending", "fault", "plies", "south_ms", "north_ms", "reason",
		"south_donkeys", "north_donkeys", "south_cpu_ms", "north_cpu_ms", "stage", "note",
	}}
	for _, match := range l.lines() {
		rows = append(rows, []string{
			l.Tournament.Name, strconv.Itoa(match.Slot), strconv.Itoa(l.Pairing(match.Slot)),
			strconv.Itoa(match.Pair), l.Tournament.Ruleset, match.South, match.North,
			match.Result.String(), strconv.Itoa(match.SouthStore), strconv.Itoa(match.NorthStore),
			match.ending(), match.FaultName(), strconv.Itoa(match.Plies),
			millis(match.SouthTime), millis(match.NorthTime), printable(match.reason),
			strconv.Itoa(match.SouthDonkeys), strconv.Itoa(match.NorthDonkeys),
			cpuField(match.SouthCPU), cpuField(match.NorthCPU),
			strconv.Itoa(l.Stage(match.Slot)), string(l.Notes[match.Slot]),
		})
	}
	return writer.WriteAll(rows)
}

// cpuField is a processor time in milliseconds, "" where it is not known.
func cpuField(cpu time.Duration) string {
	if cpu < 0 {
		return ""
	}
	return millis(cpu)
}

// knownMillis is a processor time in milliseconds, nil where it is not known.
func knownMillis(cpu time.Duration) *json.Number {
	if cpu < 0 {
		return nil
	}
	number := json.Number(millis(cpu))
	return &number
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
		Scores     []*float64    `json:"scores,omitempty"`
		SouthSeed  uint64        `json:"south_seed"`
		NorthSeed  uint64        `json:"north_seed"`

		SouthDonkeys int          `json:"south_donkeys"`
		NorthDonkeys int          `json:"north_donkeys"`
		SouthCPUMS   *json.Number `json:"south_cpu_ms"` // null where it is not known
		NorthCPUMS   *json.Number `json:"north_cpu_ms"`
		Reason       string       `json:"reason,omitempty"` // of a void match, and of one that was adjudicated

		Stage int  `json:"stage"`
		Note  Note `json:"note"`
	}
	roundJSON struct {
		Start      string `json:"start"`
		Plies      int    `json:"plies"`
		Position   string `json:"position"`
		Reason     string `json:"reason"`
		SouthStore int    `json:"south_store"`
		NorthStore int    `json:"north_store"`
	}
)

func (l MatchList) writeJSONL(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	next, stop := iter.Pull2(l.Records(l.Matches))
	defer stop()
	for _, match := range l.lines() {
		object := l.voidJSON(match)
		if !match.void {
			record, err, ok := next()
			if err != nil {
				return err
			}
			if !ok || record.Key != match.Key {
				return fmt.Errorf("the record of %v was not found", match.Key)
			}
			object = l.matchJSON(record)
			object.Reason = match.reason
		}
		if err := encoder.Encode(object); err != nil {
			return err
		}
	}
	return nil
}

func (l MatchList) voidJSON(void line) matchJSON {
	var opening string
	if void.Pair <= len(l.Tournament.Openings) {
		opening = l.Tournament.Openings[void.Pair-1]
	}
	object := l.matchJSON(SlottedRecord{void.Slot, Record{Summary: void.Summary, Body: Body{Opening: opening}}})
	object.Ending, object.Reason = "", void.reason
	return object
}

func (l MatchList) matchJSON(record SlottedRecord) matchJSON {
	object := matchJSON{
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
		Scores:     record.Scores,
		SouthSeed:  record.Seeds[0],
		NorthSeed:  record.Seeds[1],

		SouthDonkeys: record.SouthDonkeys,
		NorthDonkeys: record.NorthDonkeys,
		SouthCPUMS:   knownMillis(record.SouthCPU),
		NorthCPUMS:   knownMillis(record.NorthCPU),

		Stage: l.Stage(record.Slot),
		Note:  l.Notes[record.Slot],
	}
	for i, elapsed := range record.Elapsed {
		object.ElapsedMS[i] = json.Number(millis(elapsed))
	}
	for i, round := range record.Body.Rounds {
		object.Rounds[i] = roundJSON{round.Start, round.Plies, round.Position, round.Reason, round.South, round.North}
	}
	return object
}

// printable puts a space in place of every character that could move a terminal's cursor.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
}
