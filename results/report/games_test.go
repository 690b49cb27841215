package report

import (
	"os"
	"strings"
	"testing"

	"sembra/engine"
	"sembra/results"
	"sembra/results/measure"
)

// Two groups that never met, and players of whom there are only bounds.
func TestGameRatings(t *testing.T) {
	t.Parallel()
	games := must2(os.ReadFile("../stats/testdata/ordo/disconnected/games.csv"))
	_, rows, _ := strings.Cut(string(games), "\n")
	text := "first,second,result\n" + strings.TrimRight(rows, "\n") + `
A1,top,0-1
top,A2,1-0
A3,top,0-1
low|one,B1,0-1
B2,low|one,1-0
low|one,B1,0-1
nobody,B1,1-0
nobody,low|one,0-1
`
	list := must2(results.ReadGames(strings.NewReader(text), "games.csv"))
	ratings := must2(list.Rate("", 1500, 0))
	goldens(t, "rate", GameRatings(ratings), Table, Markdown, CSV, JSON)
}

// twoSprings are ladders over two tournaments of awale and one of redu. In the second of awale K and the start are others,
// a match equals one of the first, one has no result, and the bot c is new; d is in it and never plays.
func twoSprings(t *testing.T) results.Ladders {
	t.Helper()
	match := func(number int, south, north string, result results.Result, hash byte) results.Numbered {
		r := record(results.Key{South: south, North: north, Pair: 1}, result)
		r.Hash[0] = hash
		return results.Numbered{Number: number, Summary: r.Summary}
	}
	first, redu, second := spring(1, "a", "b"), spring(1, "b", "c"), spring(1, "b", "c", "d", "a")
	redu.Ruleset, redu.Rating = "redu", results.Rating{Start: 0, K: 100}
	second.Rating = results.Rating{Start: 1000, K: 8}
	tournaments := []results.Tournament{first, redu, second}
	var ladders results.Ladders
	for i, matches := range [][]results.Numbered{
		{match(1, "a", "b", results.SouthWins, 1), match(2, "b", "a", results.Draw, 2)},
		{match(1, "b", "c", results.NorthWins, 3)},
		{match(1, "a", "b", results.SouthWins, 1), match(3, "b", "c", results.SouthWins, 4), match(6, "c", "b", results.Void, 5)},
	} {
		must(t, ladders.Add(tournaments[i], matches))
	}
	return ladders
}

func TestLadders(t *testing.T) {
	t.Parallel()
	goldens(t, "ladders", Ladders(twoSprings(t)), Table, Markdown, CSV, JSON)
}

// played is the record of a match as far as a balance reads it. The even ones of a pair have the seats swapped.
func played(match int, ending results.Ending, opening, moves string) results.Record {
	key := results.Key{South: "greedy", North: "random", Pair: (match + 1) / 2}
	if match%2 == 0 {
		key.South, key.North = key.North, key.South
	}
	return results.Record{
		Summary: results.Summary{Key: key, Ending: ending},
		Body:    results.Body{Opening: opening, Moves: strings.Fields(moves)},
	}
}

// TestBalance: the matches whose figures the test of measure.Balance counts by hand, of a ruleset of one round and of one
// of several.
func TestBalance(t *testing.T) {
	t.Parallel()
	awale := must2(engine.Lookup("awale"))
	bechi := must2(engine.Lookup("bechi-2x3"))
	bechi = must2(engine.WithRounds(bechi, 2))
	single := measure.Setup{Rules: awale, Bots: [2]string{"random", "random"}, Seed: 7, OpeningPlies: 3, Total: 4}
	several := measure.Setup{Rules: bechi, Bots: [2]string{"greedy", "random"}, Seed: 1, Total: 6}
	report := func(setup measure.Setup, records ...results.Record) Report {
		b := measure.NewBalance(setup)
		must(t, b.Put(records))
		return Balance(b.Result(), false)
	}
	goldens(t, "balance-single", report(
		single,
		played(1, results.EndEarly, "0,0,0,0,0,1/1,4,0,0,0,0 24-18 S sow 1 0", "F"),
		played(2, results.EndCycle, "0,0,0,0,4,0/0,0,4,0,0,0 20-20 N sow 1 99", "c"),
		played(3, results.EndNormal, "0,0,0,0,1,0/0,0,0,0,0,1 23-23 N sow 1 98", "f"),
		played(4, results.EndCycle, "0,0,0,0,1,0/0,0,0,0,1,0 23-23 S sow 1 99", "E"),
	), Table)
	whole := report(
		several,
		played(1, results.EndRounds, "0,0,2/0,0,0 27-7 S sow 1 0 first=S", "C fill=0.6.0 b+ A b+ C pass B+ b+"),
		played(2, results.EndNormal, "0,0,2/0,0,0 30-4 S sow 1 0 first=S", "C"),
		played(3, results.EndRounds, "0,0,2/0,0,0 23-11 S sow 1 0 first=S", "C fill=6.6.0 b+ C a B- a A b-"),
		played(4, results.EndCrash, "0,0,2/0,0,0 23-11 S sow 1 0 first=S", "C"),
	)
	goldens(t, "balance", whole, Table, Markdown, CSV, JSON)
	for line := range strings.Lines(written(t, whole, Table)) {
		if len(line) > 80 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
	for _, format := range []Format{Table, Markdown, CSV, JSON} {
		if text := written(t, report(several), format); strings.Contains(text, "NaN") {
			t.Errorf("%s: without a match there is a number that is none:\n%s", format, text)
		}
	}
}
