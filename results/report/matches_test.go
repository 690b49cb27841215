package report

import (
	"errors"
	"iter"
	"strings"
	"testing"

	"sembra/results"
)

// places is where matches are in a schedule of pairings with so many matches, in stages of two matches.
type places struct{ pairing int }

func (p places) Pairing(number int) int { return (number-1)/p.pairing + 1 }
func (p places) Stage(number int) int   { return number / 2 }

// oneStage is the same in one stage.
type oneStage struct{ places }

func (oneStage) Stage(int) int { return 1 }

// noted gives whole matches, numbered from 1.
func noted(records ...results.Record) iter.Seq2[results.Noted, error] {
	var all []results.Noted
	for i, r := range records {
		all = append(all, results.Noted{Numbered: results.Numbered{Number: i + 1, Summary: r.Summary}, Body: r.Body})
	}
	return Each(all)
}

func TestMatches(t *testing.T) {
	t.Parallel()
	tournament := spring(1, "a", "b", "c")
	records := everyPairing(tournament)
	records[1].Ending, records[1].Fault = results.EndHang, results.SouthFault
	records[2].Moves, records[2].Elapsed, records[2].Body.Rounds = nil, nil, nil
	records[2].Plies, records[2].Summary.Rounds = 0, 0
	all := noted(records...)
	list := MatchList{Tournament: tournament, Places: oneStage{places{2}}, Matches: all, Whole: all}
	goldens(t, "matches", Matches(list), Table, CSV, JSONL)
}

// An error of the matches ends every format, and what comes before it is written. A table is measured first.
func TestMatchesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	broken := errors.New("it cannot be read")
	all := func(yield func(results.Noted, error) bool) {
		for match := range noted(everyPairing(spring(1, "a", "b"))[0]) {
			_ = yield(match, nil) && yield(results.Noted{}, broken) && yield(match, nil)
		}
	}
	list := MatchList{Tournament: spring(1, "a", "b"), Places: oneStage{places{2}}, Matches: all, Whole: all}
	for format, lines := range map[Format]int{Table: 0, Markdown: 0, CSV: 2, JSONL: 1} {
		var out strings.Builder
		if err := Matches(list).Write(&out, format, 0); !errors.Is(err, broken) {
			t.Errorf("%s: error is %v", format, err)
		}
		if got := strings.Count(out.String(), "\n"); got != lines {
			t.Errorf("%s: %d lines, not %d: %s", format, got, lines, out.String())
		}
	}
}

// The stage of a match is in the table where there are several.
func TestStagesOfMatches(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]string{
		results.RoundRobin: "match  pair  south  north  result  stores  ending  plies\n",
		results.Swiss:      "match  stage  pair  south  north  result  stores  ending  plies\n",
		results.Knockout:   "match  stage  pair  south  north  result  stores  ending  plies\n",
	} {
		tournament := spring(1, "a", "b")
		tournament.Format = format
		match := results.Noted{Numbered: results.Numbered{
			Number: 7, Summary: record(results.Key{South: "a", North: "b", Pair: 1}, results.NorthWins).Summary,
		}}
		list := MatchList{Tournament: tournament, Places: places{2}, Matches: Each([]results.Noted{match})}
		text := written(t, Matches(list), Table)
		header, lines, _ := strings.Cut(text, "\n")
		if header+"\n" != want || strings.Contains(lines, "\n    7      3     1  a") != (format != results.RoundRobin) {
			t.Errorf("%s:\n%s", format, text)
		}
	}
}

func TestVoids(t *testing.T) {
	t.Parallel()
	both := results.Summary{
		Key: results.Key{South: "b", North: "a", Pair: 1}, Result: results.Void, Ending: results.EndStart, Fault: results.BothFault,
	}
	all := Each([]results.Noted{
		{Numbered: results.Numbered{Number: 2, Summary: both}, Body: results.Body{Opening: "opening"}},
	})
	list := MatchList{
		Tournament: spring(1, "a", "b"), Places: oneStage{places{9}}, Matches: all, Whole: all,
		Voids: []results.VoidMatch{
			{Number: 3, Key: results.Key{South: "a", North: "b", Pair: 2}, Reason: "no file, \"handle\""},
			{Number: 1, Key: results.Key{South: "a", North: "b", Pair: 1}, Reason: "no process: resource\x1b[31m unavailable"},
		},
	}
	goldens(t, "voids", Matches(list), Table, CSV, JSONL)
}

// Where donkeys are owed they are shown, as they decide before the stores.
func TestMatchesWithDonkeys(t *testing.T) {
	t.Parallel()
	summary := record(results.Key{South: "a", North: "b", Pair: 1}, results.NorthWins).Summary
	summary.Stores[0], summary.Stores[1] = 44, 4
	for north, want := range map[int]string{
		0: " north     44-4  ",
		2: " north     44-4      0-2  ",
	} {
		summary.Donkeys[1] = north
		list := MatchList{Tournament: spring(1, "a", "b"), Places: oneStage{places{2}}, Matches: noted(results.Record{Summary: summary})}
		text := written(t, Matches(list), Table)
		if !strings.Contains(text, want) || strings.Contains(text, "donkeys") != (north > 0) {
			t.Errorf("%d donkeys:\n%s", north, text)
		}
	}
}
