package report

import (
	"errors"
	"iter"
	"strings"
	"testing"

	"sembra/results"
)

// places is where slots are in a schedule of pairings with so many matches, in stages of two matches.
type places struct{ pairing int }

func (p places) Pairing(slot int) int { return (slot-1)/p.pairing + 1 }
func (p places) Stage(slot int) int   { return slot / 2 }

// oneStage is the same in one stage.
type oneStage struct{ places }

func (oneStage) Stage(int) int { return 1 }

// recordsOf gives records in slots from 1.
func recordsOf(records []results.Record) iter.Seq2[results.Record, error] {
	return func(yield func(results.Record, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func TestMatches(t *testing.T) {
	t.Parallel()
	tournament := spring(1, "a", "b", "c")
	records := everyPairing(tournament)
	records[1].Ending, records[1].Fault = results.EndHang, results.SouthFault
	records[2].Moves, records[2].Elapsed, records[2].Body.Rounds = nil, nil, nil
	records[2].Plies, records[2].Summary.Rounds = 0, 0
	list := MatchList{Tournament: tournament, Places: oneStage{places{2}}, Records: recordsOf(records)}
	for i, r := range records {
		list.Matches = append(list.Matches, results.Slotted{Slot: i + 1, Summary: r.Summary})
	}
	goldens(t, "matches", Matches(list), Table, CSV, JSONL)
}

// The records that are read have to be those of the matches.
func TestMatchesWithoutRecords(t *testing.T) {
	t.Parallel()
	records := everyPairing(spring(1, "a", "b"))
	broken := errors.New("it cannot be read")
	for _, c := range []struct {
		records iter.Seq2[results.Record, error]
		want    string
	}{
		{recordsOf(records[1:]), "the record of a - b, pair 1 was not found"},
		{recordsOf(nil), "the record of a - b, pair 1 was not found"},
		{func(yield func(results.Record, error) bool) { yield(results.Record{}, broken) }, broken.Error()},
	} {
		list := MatchList{
			Tournament: spring(1, "a", "b"), Places: oneStage{places{2}}, Records: c.records,
			Matches: []results.Slotted{{Slot: 1, Summary: records[0].Summary}},
		}
		if err := Matches(list).Write(new(strings.Builder), JSONL, 0); err == nil || err.Error() != c.want {
			t.Errorf("error is %v, not %s", err, c.want)
		}
	}
}

// The stage of a match is in the table where there are several.
func TestStagesOfMatches(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]string{
		results.RoundRobin: "slot  pair  south  north  result  stores  ending  fault  plies\n",
		results.Swiss:      "slot  stage  pair  south  north  result  stores  ending  fault  plies\n",
		results.Knockout:   "slot  stage  pair  south  north  result  stores  ending  fault  plies\n",
	} {
		tournament := spring(1, "a", "b")
		tournament.Format = format
		match := results.Slotted{Slot: 7, Summary: record(results.Key{South: "a", North: "b", Pair: 1}, results.NorthWins).Summary}
		text := written(t, Matches(MatchList{Tournament: tournament, Places: places{2}, Matches: []results.Slotted{match}}), Table)
		header, lines, _ := strings.Cut(text, "\n")
		if header+"\n" != want || strings.Contains(lines, "\n   7      3     1  a") != (format != results.RoundRobin) {
			t.Errorf("%s:\n%s", format, text)
		}
	}
}

func TestVoids(t *testing.T) {
	t.Parallel()
	both := results.Summary{
		Key: results.Key{South: "b", North: "a", Pair: 1}, Result: results.Void, Ending: results.EndStart, Fault: results.BothFault,
	}
	list := MatchList{
		Tournament: spring(1, "a", "b"), Places: oneStage{places{9}}, Matches: []results.Slotted{{Slot: 2, Summary: both}},
		Voids: []results.VoidMatch{
			{Slot: 3, Key: results.Key{South: "a", North: "b", Pair: 2}, Reason: "no file, \"handle\""},
			{Slot: 1, Key: results.Key{South: "a", North: "b", Pair: 1}, Reason: "no process: resource\x1b[31m unavailable"},
		},
		Records: recordsOf([]results.Record{{Summary: both, Body: results.Body{Opening: "opening"}}}),
	}
	goldens(t, "voids", Matches(list), Table, CSV, JSONL)
}

// Where donkeys are owed they are shown, as they decide before the stores.
func TestMatchesWithDonkeys(t *testing.T) {
	t.Parallel()
	summary := record(results.Key{South: "a", North: "b", Pair: 1}, results.NorthWins).Summary
	summary.SouthStore, summary.NorthStore = 44, 4
	for north, want := range map[int]string{
		0: " north     44-4  ",
		2: " north     44-4      0-2  ",
	} {
		summary.NorthDonkeys = north
		list := MatchList{Tournament: spring(1, "a", "b"), Places: oneStage{places{2}}, Matches: []results.Slotted{{Slot: 1, Summary: summary}}}
		text := written(t, Matches(list), Table)
		if !strings.Contains(text, want) || strings.Contains(text, "donkeys") != (north > 0) {
			t.Errorf("%d donkeys:\n%s", north, text)
		}
	}
}
