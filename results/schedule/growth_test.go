package schedule

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sembra/results"
)

// TestGrowth: whatever joins and however the pairs grow, a match keeps its number, each meeting has each pair once with
// both seats, and the two matches of a pair follow each other.
func TestGrowth(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 1))
		plan := results.Tournament{Plan: results.Plan{Format: results.RoundRobin, Bots: named(2 + random.IntN(4)), Pairs: 1 + random.IntN(3)}}
		if seed%2 == 1 {
			plan.Format, plan.Challengers = results.Gauntlet, plan.Bots[:1]
		}
		var before []results.Key
		for step := range 6 {
			s := New(plan)
			var now []results.Key
			for number := 1; number <= s.Known(); number++ {
				now = append(now, s.Key(number))
			}
			what := fmt.Sprintf("seed %d, step %d of %s, %+v", seed, step, plan.Format, plan.Steps)
			if !slices.Equal(before, now[:len(before)]) {
				t.Fatalf("%s: numbers have changed", what)
			}
			checkGrown(t, what, plan, s, now)
			before = now
			plan = grow(t, plan, random)
		}
	}
}

// grow continues a plan with more bots, more pairs, both or neither.
func grow(t *testing.T, plan results.Tournament, random *rand.Rand) results.Tournament {
	next := plan
	next.Bots, next.Challengers = slices.Clone(plan.Bots), slices.Clone(plan.Challengers)
	for range random.IntN(3) {
		name := fmt.Sprintf("joined %d", len(next.Bots))
		next.Bots = slices.Insert(next.Bots, random.IntN(len(next.Bots)+1), name)
		if plan.Format == results.Gauntlet && random.IntN(3) == 0 {
			next.Challengers = append(next.Challengers, name)
		}
	}
	next.Pairs += random.IntN(3)
	plan.Name, plan.Family = "x", "x"
	merged, err := plan.Continue(next.Plan)
	must(t, err)
	return merged
}

func checkGrown(t *testing.T, what string, plan results.Tournament, s *Schedule, keys []results.Key) {
	t.Helper()
	want := 0
	for i, a := range plan.Bots {
		for _, b := range plan.Bots[i+1:] {
			if plan.Format == results.Gauntlet && slices.Contains(plan.Challengers, a) == slices.Contains(plan.Challengers, b) {
				continue
			}
			want += 2 * plan.Pairs
			for pair := range plan.Pairs {
				for _, key := range []results.Key{{South: a, North: b, Pair: pair + 1}, {South: b, North: a, Pair: pair + 1}} {
					if number, ok := s.Number(key); !ok || keys[number-1] != key {
						t.Fatalf("%s: %v has number %d, %v", what, key, number, ok)
					}
				}
			}
		}
	}
	if len(keys) != want {
		t.Errorf("%s: %d matches, want %d", what, len(keys), want)
	}
	for i := 0; i < len(keys); i += 2 {
		if other := keys[i+1]; keys[i] != (results.Key{South: other.North, North: other.South, Pair: other.Pair}) {
			t.Fatalf("%s: matches %d and %d are no pair", what, i+1, i+2)
		}
	}
}

func TestWithdrawn(t *testing.T) {
	t.Parallel()
	plan := results.Tournament{Plan: results.Plan{Format: results.RoundRobin, Bots: named(4), Pairs: 2, Withdrawn: []string{"3"}}}
	s := New(plan)
	if s.Known() != 24 || s.Total() != 12 {
		t.Errorf("%d numbers, %d matches", s.Known(), s.Total())
	}
	var recorded []results.Numbered
	for number := 1; number <= s.Known(); number++ {
		if key := s.Key(number); s.Withdrawn(number) != (key.South == "3" || key.North == "3") {
			t.Errorf("match %d, %v: withdrawn %v", number, key, s.Withdrawn(number))
		}
		if !s.Withdrawn(number) {
			recorded = append(recorded, results.Numbered{Number: number})
		}
	}
	for missing, want := range map[int]int{0: 12, 5: 4, 12: 11} { // the place of a missing match, from 1; 0: none is
		unbroken, got := s.GaplessUntil(), 0
		for i, match := range recorded {
			if i+1 != missing && unbroken(match.Number) {
				got++
			}
		}
		equal(t, fmt.Sprint("unbroken without match ", missing), want, got)
	}
}
