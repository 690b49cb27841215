package schedule

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"sembra/results"
	"sembra/results/stats"
)

// plans are tournaments of each format, with few and many bots.
func plans() map[string]results.Tournament {
	plans := make(map[string]results.Tournament)
	for _, n := range []int{2, 3, 5, 8, 13} {
		for _, pairs := range []int{1, 3} {
			add := func(format string, t results.Tournament) {
				t.Format, t.Bots, t.Pairs = format, named(n), pairs
				plans[fmt.Sprintf("%s/bots=%d,pairs=%d", format, n, pairs)] = t
			}
			add(results.RoundRobin, results.Tournament{})
			add(results.Gauntlet, results.Tournament{Plan: results.Plan{Challengers: named(max(1, n/3))}})
			add(results.Swiss, results.Tournament{Plan: results.Plan{Stages: n - 1}})
			add(results.Knockout, results.Tournament{Plan: results.Plan{ExtraPairs: 2}})
		}
	}
	plans["sprt"] = results.Tournament{Plan: results.Plan{
		Format: results.Sequential, Bots: named(2), Pairs: 200,
		Test: &stats.Test{Elo0: 0, Elo1: 100, Alpha: 0.05, Beta: 0.05, Model: stats.Normalized},
	}}
	return plans
}

// outcome is the record of a match with a random result that depends on the seed.
func outcome(key results.Key, seed uint64) results.Summary {
	m := results.Summary{Key: key}
	m.Hash = results.MatchHash("", key.South, key.North, fmt.Sprint(seed, key.Pair), nil)
	m.Result = results.SouthWins + results.Result(m.Hash[0]%3)
	return m
}

// playOut adds matches in a random possible order, and returns all records.
func playOut(s *Schedule, seed uint64) map[results.Key]results.Summary {
	random := rand.New(rand.NewPCG(seed, 1))
	records := make(map[results.Key]results.Summary)
	var open []results.Key
	for number := 1; ; {
		for ; number <= s.Known(); number++ {
			open = append(open, s.Key(number))
		}
		if len(open) == 0 || s.Over() {
			return records
		}
		i := random.IntN(min(8, len(open)))
		m := outcome(open[i], seed)
		open = append(open[:i], open[i+1:]...)
		records[m.Key] = m
		s.Add(m)
	}
}

// keys lists all matches of a schedule with their pairings and stages.
func keys(s *Schedule) []string {
	var all []string
	for number := 1; number <= s.Known(); number++ {
		all = append(all, fmt.Sprintf("stage %d, pairing %d: %v", s.Stage(number), s.Pairing(number), s.Key(number)))
	}
	return all
}

// TestGrowing: a schedule depends on the tournament and its records, but not on the order in which they are added.
// Numbers never move. Key and Number are inverse to each other.
func TestGrowing(t *testing.T) {
	t.Parallel()
	for name, plan := range plans() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := New(plan)
			begun, least := keys(s), s.Total()
			records := playOut(s, 7)
			grown := keys(s)
			equal(t, "numbers have changed", begun, grown[:len(begun)])
			if s.Total() < least && !s.Over() || s.Total() != len(records) {
				t.Errorf("%d matches were to be played, at least, %d were, and now it is %d", least, len(records), s.Total())
			}
			for number := 1; number <= s.Known(); number++ {
				if got, ok := s.Number(s.Key(number)); !ok || got != number {
					t.Errorf("match %d is found as %d, %v", number, got, ok)
				}
				if key := s.Key(number); number%2 == 0 && key != (results.Key{South: s.Key(number - 1).North, North: s.Key(number - 1).South, Pair: key.Pair}) {
					t.Errorf("matches %d and %d are no pair: %v, %v", number-1, number, s.Key(number-1), key)
				}
			}
			again := New(plan)
			again.AddRecorded(func(key results.Key) (results.Summary, bool) {
				record, ok := records[key]
				return record, ok
			})
			equal(t, "from the records it is another", grown, keys(again))
			equal(t, "merits", s.Merits(), again.Merits())
			for _, m := range records { // again: it changes nothing
				again.Add(m)
			}
			equal(t, "records that come twice change it", grown, keys(again))
		})
	}
}

// result adds both matches of a pair, with the points of the first bot in each.
func (s *Schedule) result(first, second string, pair int, points ...float64) {
	outcomes := map[float64][2]results.Result{
		1:   {results.SouthWins, results.NorthWins},
		0.5: {results.Draw, results.Draw},
		0:   {results.NorthWins, results.SouthWins},
	}
	s.Add(results.Summary{Key: results.Key{South: first, North: second, Pair: pair}, Result: outcomes[points[0]][0]})
	s.Add(results.Summary{Key: results.Key{South: second, North: first, Pair: pair}, Result: outcomes[points[1]][1]})
}

// TestKnockoutByHand: with six bots, the first two have byes. One pairing is won immediately,
// one has extra pairs, and one is level to the end.
func TestKnockoutByHand(t *testing.T) {
	t.Parallel()
	s := New(results.Tournament{Plan: results.Plan{Format: results.Knockout, Bots: named(6), Pairs: 1, ExtraPairs: 2}})
	if s.Total() != 10 {
		t.Errorf("%d matches in all, at least", s.Total())
	}
	s.result("4", "5", 1, 0, 1)
	s.result("3", "6", 1, 1, 0)
	s.result("4", "5", 2, 0.5, 0.5)
	s.result("3", "6", 2, 0.5, 0) // 6 wins the pairing
	s.result("4", "5", 3, 0, 1)   // still level: the better seed
	s.result("1", "4", 1, 0, 0)
	s.result("2", "6", 1, 1, 1)
	s.result("2", "4", 1, 0.5, 0.5) // each stage has its own extra pairs
	s.result("2", "4", 2, 1, 0.5)
	want := []string{
		"stage 1, pairing 1: 4 - 5, pair 1", "stage 1, pairing 1: 5 - 4, pair 1",
		"stage 1, pairing 2: 3 - 6, pair 1", "stage 1, pairing 2: 6 - 3, pair 1",
		"stage 1, pairing 1: 4 - 5, pair 2", "stage 1, pairing 1: 5 - 4, pair 2",
		"stage 1, pairing 2: 3 - 6, pair 2", "stage 1, pairing 2: 6 - 3, pair 2",
		"stage 1, pairing 1: 4 - 5, pair 3", "stage 1, pairing 1: 5 - 4, pair 3",
		"stage 2, pairing 3: 1 - 4, pair 1", "stage 2, pairing 3: 4 - 1, pair 1",
		"stage 2, pairing 4: 2 - 6, pair 1", "stage 2, pairing 4: 6 - 2, pair 1",
		"stage 3, pairing 5: 2 - 4, pair 1", "stage 3, pairing 5: 4 - 2, pair 1",
		"stage 3, pairing 5: 2 - 4, pair 2", "stage 3, pairing 5: 4 - 2, pair 2",
	}
	equal(t, "schedule", want, keys(s))
	merits := map[string]results.StageResult{"1": {Reached: 2}, "2": {Reached: 4}, "3": {Reached: 1}, "4": {Reached: 3}, "5": {Reached: 1}, "6": {Reached: 2}}
	equal(t, "merits", merits, s.Merits())
	if s.Total() != 18 {
		t.Errorf("%d matches in all", s.Total())
	}
	bracket := []results.Pairing{
		{Stage: 1, Bots: [2]string{"1", ""}, Winner: "1"},
		{Stage: 1, Bots: [2]string{"4", "5"}, Points: [2]float64{3, 3}, Pairs: 3, Winner: "4", BySeed: true},
		{Stage: 1, Bots: [2]string{"2", ""}, Winner: "2"},
		{Stage: 1, Bots: [2]string{"3", "6"}, Points: [2]float64{1.5, 2.5}, Pairs: 2, Winner: "6"},
		{Stage: 2, Bots: [2]string{"1", "4"}, Points: [2]float64{0, 2}, Pairs: 1, Winner: "4"},
		{Stage: 2, Bots: [2]string{"2", "6"}, Points: [2]float64{2, 0}, Pairs: 1, Winner: "2"},
		{Stage: 3, Bots: [2]string{"2", "4"}, Points: [2]float64{2.5, 1.5}, Pairs: 2, Winner: "2"},
	}
	equal(t, "bracket", bracket, s.Bracket())
}

// TestSwissRepeat: whoever meets again plays further pairs. With six bots and five stages, some tournaments need that.
func TestSwissRepeat(t *testing.T) {
	t.Parallel()
	repeats := 0
	for seed := range uint64(100) {
		s := New(results.Tournament{Plan: results.Plan{Format: results.Swiss, Bots: named(6), Pairs: 2, Stages: 5}})
		if records := playOut(s, seed); len(records) != 60 || s.Known() != 60 || !s.Final() {
			t.Fatalf("seed %d: %d records of %d matches", seed, len(records), s.Known())
		}
		seen := make(map[string]bool)
		for number := 1; number <= s.Known(); number++ {
			key := s.Key(number)
			seen[key.String()] = true
			if before := (results.Key{South: key.South, North: key.North, Pair: key.Pair - 1}); key.Pair > 1 && !seen[before.String()] {
				t.Errorf("seed %d: %v comes without %v", seed, key, before)
			}
			if key.Pair > 2 {
				repeats++
			}
		}
	}
	if repeats == 0 {
		t.Error("no repeats")
	}
}

// TestKnockoutUnderWay: a pairing is won as soon as its own matches decide it.
func TestKnockoutUnderWay(t *testing.T) {
	t.Parallel()
	s := New(results.Tournament{Plan: results.Plan{Format: results.Knockout, Bots: named(4), Pairs: 1, ExtraPairs: 1}})
	s.result("1", "4", 1, 1, 1)
	s.Add(results.Summary{Key: results.Key{South: "2", North: "3", Pair: 1}, Result: results.Draw})
	bracket := []results.Pairing{
		{Stage: 1, Bots: [2]string{"1", "4"}, Points: [2]float64{2, 0}, Pairs: 1, Winner: "1"},
		{Stage: 1, Bots: [2]string{"2", "3"}, Points: [2]float64{0.5, 0.5}},
	}
	equal(t, "bracket", bracket, s.Bracket())
}

// TestSwissByes: with five bots, each stage has a bye. It is worth the points of two
// won matches, which count for the next pairing.
func TestSwissByes(t *testing.T) {
	t.Parallel()
	s := New(results.Tournament{Plan: results.Plan{Format: results.Swiss, Bots: named(5), Pairs: 1, Stages: 2}})
	s.result("1", "3", 1, 1, 1)
	s.result("2", "4", 1, 1, 1)
	// 1, 2 and 5, who had the bye, have 2 points. One of them meets 3 or 4, and the
	// other of those has the bye.
	want := []string{
		"stage 1, pairing 1: 1 - 3, pair 1", "stage 1, pairing 1: 3 - 1, pair 1",
		"stage 1, pairing 2: 2 - 4, pair 1", "stage 1, pairing 2: 4 - 2, pair 1",
		"stage 2, pairing 3: 1 - 2, pair 1", "stage 2, pairing 3: 2 - 1, pair 1",
		"stage 2, pairing 4: 5 - 3, pair 1", "stage 2, pairing 4: 3 - 5, pair 1",
	}
	equal(t, "schedule", want, keys(s))
	merits := map[string]results.StageResult{"5": {Byes: 1, ByePoints: 2}} // that of the present stage does not count yet
	equal(t, "merits in the second stage", merits, s.Merits())
	s.result("1", "2", 1, 1, 1)
	s.result("5", "3", 1, 1, 1)
	merits["4"] = results.StageResult{Byes: 1, ByePoints: 2}
	equal(t, "merits", merits, s.Merits())
}

// The pairings of a Swiss have the points of all records, and each bot plays or has a bye once in a stage.
func TestPairings(t *testing.T) {
	t.Parallel()
	for name, plan := range plans() {
		s := New(plan)
		records := playOut(s, 3)
		pairings := s.Pairings()
		if plan.Format != results.Swiss {
			if pairings != nil {
				t.Errorf("%s: it has pairings", name)
			}
			continue
		}
		points, byes, seen := make(map[string]float64), make(map[string]int), make(map[string]int)
		for _, p := range pairings {
			for i, bot := range p.Bots {
				points[bot] += p.Points[i]
				seen[fmt.Sprintf("%d %s", p.Stage, bot)]++
			}
			switch {
			case p.Bots[1] == "":
				byes[p.Bots[0]]++
			case p.Pairs != plan.Pairs:
				t.Errorf("%s: %d pairs of %v", name, p.Pairs, p.Bots)
			}
		}
		for _, m := range records {
			points[m.South] -= m.Points()[0]
			points[m.North] -= m.Points()[1]
		}
		for _, bot := range plan.Bots {
			if points[bot] != 0 || byes[bot] != s.Merits()[bot].Byes {
				t.Errorf("%s: %s has %v points too many and %d byes", name, bot, points[bot], byes[bot])
			}
			for stage := range plan.Stages {
				if n := seen[fmt.Sprintf("%d %s", stage+1, bot)]; n != 1 {
					t.Errorf("%s: %s is %d times in stage %d", name, bot, n, stage+1)
				}
			}
		}
	}
}
