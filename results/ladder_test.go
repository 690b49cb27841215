package results

import (
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
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
	file, err := os.Open("testdata/online-elo/trajectory-k16.csv")
	must(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	must(t, err)
	header, rows := rows[0], rows[1:]
	players := header[9:]
	results := map[string]Result{"1": SouthWins, "0.5": Draw, "0": NorthWins}
	tournaments := make([]Tournament, len(rows))
	for i := range rows {
		tournaments[i] = spring(1, players...)
	}
	ladders := NewLadders(tournaments)
	for i, row := range rows {
		summary := Summary{Key: Key{row[1], row[2], 1}, Result: results[row[3]]}
		summary.Hash[0] = byte(i)
		must(t, ladders.Add(tournaments[i], []Slotted{{Slot: 1, Summary: summary}}))
		got := make(map[string]string)
		for _, line := range ladders.Lines() {
			got[line.Bot] = strconv.FormatFloat(line.Elo, 'f', 9, 64)
		}
		want := make(map[string]string)
		for j, player := range players {
			want[player] = row[9+j]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("after game %s:\n%s", row[0], diff)
		}
	}
	if len(rows) != 30 {
		t.Errorf("%d games", len(rows))
	}
}

// twoSprings are two tournaments of awale and one of redu. In the second of awale K and the start are others, a match
// equals one of the first, one has no result, and the bot c is new; d is in it and never plays.
func twoSprings() (tournaments []Tournament, matches [][]Slotted) {
	match := func(slot int, south, north string, result Result, hash byte) Slotted {
		r := record(Key{south, north, 1}, result)
		r.Hash[0] = hash
		return Slotted{Slot: slot, Summary: r.Summary}
	}
	first, redu, second := spring(1, "a", "b"), spring(1, "b", "c"), spring(1, "b", "c", "d", "a")
	redu.Ruleset, redu.Rating = "redu", Rating{Start: 0, K: 100}
	second.Rating = Rating{Start: 1000, K: 8}
	return []Tournament{first, redu, second}, [][]Slotted{
		{match(1, "a", "b", SouthWins, 1), match(2, "b", "a", Draw, 2)},
		{match(1, "b", "c", NorthWins, 3)},
		{match(1, "a", "b", SouthWins, 1), match(3, "b", "c", SouthWins, 4), match(6, "c", "b", Void, 5)},
	}
}

// TestLadders: counted by hand.
func TestLadders(t *testing.T) {
	t.Parallel()
	tournaments, matches := twoSprings()
	ladders := NewLadders(tournaments)
	for i, tournament := range tournaments {
		must(t, ladders.Add(tournament, matches[i]))
	}
	a1, b1 := 1508.0, 1492.0
	step := 16 * (0.5 - expected(b1, a1))
	a2, b2 := a1-step, b1+step
	b3, c3 := b2+8*(1-expected(b2, 1000)), 1000-8*(1-expected(b2, 1000))

	fresh := stats.NewGlicko()
	won, drawn := stats.GlickoGame{Opponent: fresh, Score: 1}, stats.GlickoGame{Opponent: fresh, Score: 0.5}
	lost := stats.GlickoGame{Opponent: fresh}
	glickoA := fresh.After([]stats.GlickoGame{won, drawn}, 0.5)
	glickoB := fresh.After([]stats.GlickoGame{lost, drawn}, 0.5)
	want := []LadderLine{
		{"awale", 1, "a", a2, 2, glickoA.After(nil, 0.5)},
		{"awale", 2, "b", b3, 3, glickoB.After([]stats.GlickoGame{won}, 0.5)},
		{"awale", 3, "d", 1000, 0, fresh},
		{"awale", 4, "c", c3, 1, fresh.After([]stats.GlickoGame{{Opponent: glickoB}}, 0.5)},
		{"redu", 1, "c", 50, 1, fresh.After([]stats.GlickoGame{won}, 0.5)},
		{"redu", 2, "b", -50, 1, fresh.After([]stats.GlickoGame{lost}, 0.5)},
	}
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })
	if diff := cmp.Diff(want, ladders.Lines(), near); diff != "" {
		t.Error(diff)
	}
}

// TestLaddersOfLongTournaments: however long tournaments are, Glicko-2 finds a difference in strength and stays there: 85 % of the points are
// 301 Elo.
func TestLaddersOfLongTournaments(t *testing.T) {
	t.Parallel()
	const pairs, times = 150, 6
	tournaments := make([]Tournament, times)
	for i := range tournaments {
		tournaments[i] = spring(pairs, "new", "old")
	}
	ladders := NewLadders(tournaments)
	random := rand.New(rand.NewPCG(1, 2))
	for _, tournament := range tournaments {
		var matches []Slotted
		order := newRoundRobin(tournament)
		for slot := 1; slot <= order.Len(); slot++ {
			key := order.Key(slot)
			summary := Summary{Key: key, Result: SouthWins}
			if (random.Float64() < 0.85) != (key.South == "new") {
				summary.Result = NorthWins
			}
			binary.BigEndian.PutUint64(summary.Hash[:], random.Uint64())
			matches = append(matches, Slotted{Slot: slot, Summary: summary})
		}
		must(t, ladders.Add(tournament, matches))
		lines := ladders.Lines()
		gap := lines[0].Glicko.Rating - lines[1].Glicko.Rating
		if lines[0].Bot != "new" || gap < 180 || gap > 430 || lines[0].Glicko.Volatility > 0.1 {
			t.Errorf("%v and %v, %.0f apart", lines[0], lines[1], gap)
		}
	}
}

// TestLaddersOfPastMatches: what was played after a test was decided is not rated.
func TestLaddersOfPastMatches(t *testing.T) {
	t.Parallel()
	trial := sequential(40, stats.Normalized)
	var matches []Slotted
	for i, m := range pairsOf(strings.Repeat("WW WD ", 20)) {
		matches = append(matches, Slotted{Slot: i + 1, Summary: m})
	}
	end := NewSequentialTest(trial)
	for _, m := range matches {
		end.Add(m.Slot, m.Summary)
	}
	stop := end.StoppedAt()
	if stop == 0 || stop > 70 {
		t.Fatalf("the test stopped at slot %d", stop)
	}
	rated := func(matches []Slotted) []LadderLine {
		ladders := NewLadders([]Tournament{trial})
		must(t, ladders.Add(trial, matches))
		return ladders.Lines()
	}
	if diff := cmp.Diff(rated(matches[:stop]), rated(matches)); diff != "" {
		t.Errorf("ladder (-up to the stop +all)\n%s", diff)
	}
	upTo, err := NewStandings(trial, matches[:stop], nil)
	must(t, err)
	all, err := NewStandings(trial, matches, nil)
	must(t, err)
	for i, line := range all.Lines {
		before := upTo.Lines[i]
		if line.Matches != len(matches) || line.Elo != before.Elo || *line.Field.Rating != *before.Field.Rating {
			t.Errorf("%s: %d matches, Elo %v and rating %v, up to the stop %v and %v",
				line.Bot, line.Matches, line.Elo, *line.Field.Rating, before.Elo, *before.Field.Rating)
		}
	}
	met, err := NewMeetings(trial, matches)
	must(t, err)
	if m := met.List[0]; m.Past != len(matches)-stop || m.Pairs != end.PairCounts().Pairs || m.Tally.Matches != len(matches) {
		t.Errorf("head to head: %d past, pairs %v of %d matches", m.Past, m.Pairs, m.Tally.Matches)
	}
}

// TestLaddersOfNothing: a tournament without a rated match is no rating period, and equal bots share a rank.
func TestLaddersOfNothing(t *testing.T) {
	t.Parallel()
	tournaments, matches := twoSprings()
	ladders := NewLadders([]Tournament{tournaments[0], tournaments[0]})
	void := matches[0][0]
	void.Result, void.Ending, void.Fault = Void, EndStart, BothFault
	must(t, ladders.Add(tournaments[0], []Slotted{void}))
	must(t, ladders.Add(tournaments[0], nil))
	rested := NewLadders([]Tournament{tournaments[0], tournaments[0]})
	must(t, rested.Add(tournaments[0], matches[0]))
	before := rested.Lines()
	must(t, rested.Add(tournaments[0], []Slotted{void}))
	if diff := cmp.Diff(before, rested.Lines()); diff != "" {
		t.Errorf("a tournament without a result has changed the ladder\n%s", diff)
	}
	want := []LadderLine{
		{"awale", 1, "a", 1500, 0, stats.NewGlicko()},
		{"awale", 1, "b", 1500, 0, stats.NewGlicko()},
	}
	if diff := cmp.Diff(want, ladders.Lines()); diff != "" {
		t.Error(diff)
	}
	if err := ladders.Add(tournaments[0], []Slotted{{Slot: 1, Summary: Summary{Key: Key{"a", "z", 1}, Result: Draw}}}); err == nil {
		t.Error("a stranger was rated")
	}
}

// BenchmarkLadders rates a million matches of ten bots in one tournament and in two.
func BenchmarkLadders(b *testing.B) {
	var bots []string
	for i := range 10 {
		bots = append(bots, fmt.Sprintf("minimax-depth-%d", i+1))
	}
	all := spring(1, bots...)
	all.Openings, all.Pairs = nil, 1_000_000/90+1
	order := newRoundRobin(all)
	summaries := make([]Slotted, 1_000_000)
	for i := range summaries {
		r := record(order.Key(i+1), Result(i%3)+1)
		r.Hash[0], r.Hash[1], r.Hash[2] = byte(i), byte(i>>8), byte(i>>16)
		summaries[i] = Slotted{Slot: i + 1, Summary: r.Summary}
	}
	for _, tournaments := range []int{1, 2} {
		b.Run(fmt.Sprint(tournaments), func(b *testing.B) {
			list := make([]Tournament, tournaments)
			for i := range list {
				list[i] = all
			}
			size := len(summaries) / tournaments
			for b.Loop() {
				ladders := NewLadders(list)
				for i, t := range list {
					must(b, ladders.Add(t, summaries[i*size:][:size]))
				}
			}
		})
	}
}
