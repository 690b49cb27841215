package results

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sembra/results/stats"
)

// TestLaddersAgainstTrajectory: however the games are spread over tournaments, all ratings after each are those
// that an independent program printed.
func TestLaddersAgainstTrajectory(t *testing.T) {
	t.Parallel()
	file := must2(os.Open("testdata/online-elo/trajectory-k16.csv"))
	defer file.Close()
	rows := must2(csv.NewReader(file).ReadAll())
	header, rows := rows[0], rows[1:]
	players := header[9:]
	results := map[string]Result{"1": SouthWins, "0.5": Draw, "0": NorthWins}
	tournaments := make([]Tournament, len(rows))
	for i := range rows {
		tournaments[i] = spring(1, players...)
	}
	var ladders Ladders
	for i, row := range rows {
		summary := Summary{Key: Key{row[1], row[2], 1}, Result: results[row[3]]}
		summary.Hash[0] = byte(i)
		must(t, ladders.Add(tournaments[i], []Numbered{{Number: 1, Summary: summary}}))
		got := make(map[string]string)
		for _, line := range ladders.Lines() {
			got[line.Bot] = strconv.FormatFloat(line.Elo, 'f', 9, 64)
		}
		want := make(map[string]string)
		for j, player := range players {
			want[player] = row[9+j]
		}
		equal(t, "after game "+row[0], want, got)
	}
	if len(rows) != 30 {
		t.Errorf("%d games", len(rows))
	}
}

// twoSprings are two tournaments of awale and one of redu. In the second of awale K and the start are others, a match
// equals one of the first, one has no result, and the bot c is new; d is in it and never plays.
func twoSprings() (tournaments []Tournament, matches [][]Numbered) {
	match := func(number int, south, north string, result Result, hash byte) Numbered {
		r := record(Key{south, north, 1}, result)
		r.Hash[0] = hash
		return Numbered{Number: number, Summary: r.Summary}
	}
	first, redu, second := spring(1, "a", "b"), spring(1, "b", "c"), spring(1, "b", "c", "d", "a")
	redu.Ruleset, redu.Rating = "redu", Rating{Start: 0, K: 100}
	second.Rating = Rating{Start: 1000, K: 8}
	return []Tournament{first, redu, second}, [][]Numbered{
		{match(1, "a", "b", SouthWins, 1), match(2, "b", "a", Draw, 2)},
		{match(1, "b", "c", NorthWins, 3)},
		{match(1, "a", "b", SouthWins, 1), match(3, "b", "c", SouthWins, 4), match(6, "c", "b", Void, 5)},
	}
}

// TestLadders: counted by hand.
func TestLadders(t *testing.T) {
	t.Parallel()
	tournaments, matches := twoSprings()
	var ladders Ladders
	for i, tournament := range tournaments {
		must(t, ladders.Add(tournament, matches[i]))
	}
	a1, b1 := 1508.0, 1492.0
	step := 16 * (0.5 - expected(b1, a1))
	a2, b2 := a1-step, b1+step
	b3, c3 := b2+8*(1-expected(b2, 1000)), 1000-8*(1-expected(b2, 1000))

	want := []LadderLine{
		{"awale", 1, "a", a2, 2},
		{"awale", 2, "b", b3, 3},
		{"awale", 3, "d", 1000, 0},
		{"awale", 4, "c", c3, 1},
		{"redu", 1, "c", 50, 1},
		{"redu", 2, "b", -50, 1},
	}
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })
	equal(t, "lines", want, ladders.Lines(), near)
}

// TestLaddersOfPastMatches: what was played after a test was decided is not rated.
func TestLaddersOfPastMatches(t *testing.T) {
	t.Parallel()
	trial := sequential(40, stats.Normalized)
	matches := numberedOf(pairsOf(strings.Repeat("WW WD ", 20)))
	end := NewSequentialTest(trial)
	for _, m := range matches {
		end.Add(m.Number, m.Summary)
	}
	stop := end.StoppedAt
	if stop == 0 || stop > 70 {
		t.Fatalf("the test stopped at match %d", stop)
	}
	rated := func(matches []Numbered) []LadderLine {
		var ladders Ladders
		must(t, ladders.Add(trial, matches))
		return ladders.Lines()
	}
	equal(t, "ladder up to the stop", rated(matches[:stop]), rated(matches))
	upTo := must2(standingsUpTo(trial, matches[:stop], nil, len(matches[:stop])))
	all := must2(standingsUpTo(trial, matches, nil, len(matches)))
	for i, line := range all.Lines {
		before := upTo.Lines[i]
		if line.Matches != len(matches) || line.Elo != before.Elo || *line.Field.Rating != *before.Field.Rating {
			t.Errorf("%s: %d matches, Elo %v and rating %v, up to the stop %v and %v",
				line.Bot, line.Matches, line.Elo, *line.Field.Rating, before.Elo, *before.Field.Rating)
		}
	}
	met := must2(trial.Meetings(matches))
	if m := met.List[0]; m.Past != len(matches)-stop || m.Pairs != end.Counts.Pairs || m.Tally.Matches != len(matches) {
		t.Errorf("head to head: %d past, pairs %v of %d matches", m.Past, m.Pairs, m.Tally.Matches)
	}
}
