package results

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"testing"
	"time"

	"sembra/engine"
	"sembra/engine/expect"
	"sembra/results/stats"
)

var must, equal = expect.NoError, expect.Equal

func must2[T any](value T, err error) T { return expect.Value(value, err) }

// roundRobin is a plain schedule for tests: all pairings in order, of each all pairs, of each both seatings.
type roundRobin struct {
	bots  []string
	place map[string]int
	pairs int
}

func newRoundRobin(t Tournament) *roundRobin {
	order := &roundRobin{bots: t.Bots, pairs: t.Pairs, place: make(map[string]int)}
	for i, bot := range t.Bots {
		order.place[bot] = i
	}
	return order
}

func (o *roundRobin) Len() int { return len(o.bots) * (len(o.bots) - 1) * o.pairs }

func (o *roundRobin) Key(number int) Key {
	pairing, rest := (number-1)/(2*o.pairs), (number-1)%(2*o.pairs)
	first := 0
	for pairing >= len(o.bots)-1-first {
		pairing -= len(o.bots) - 1 - first
		first++
	}
	south, north := o.bots[first], o.bots[first+1+pairing]
	if rest%2 == 1 {
		south, north = north, south
	}
	return Key{South: south, North: north, Pair: rest/2 + 1}
}

// spring is a tournament of the given bots.
func spring(pairs int, bots ...string) Tournament {
	t := Tournament{Plan: Plan{
		Conditions: Conditions{Ruleset: "awale", Rounds: 1},
		Name:       "spring", Format: "round-robin", Pairs: pairs, Bots: bots,
		Rating: Rating{Start: 1500, K: 16},
		Seed:   1, Programs: make(map[string]Program),
	}, Family: "spring"}
	list := make([]string, pairs)
	for i := range list {
		list[i] = fmt.Sprintf("opening %d", i+1)
	}
	t.Openings = list
	for _, bot := range bots {
		t.Programs[bot] = Program{Builtin: bot}
	}
	return t
}

// record is a whole record of a match with some result.
func record(key Key, result Result) Record {
	moves := []string{"A", "b", "C"}
	r := Record{
		Summary: Summary{
			Key: key, Result: result, Ending: EndEarly, Stores: [2]int{26, 22},
			Rounds: 1, Plies: len(moves), Times: [2]time.Duration{3500 * time.Microsecond, 1},
			CPU:  [2]time.Duration{1234567 * time.Microsecond, UnknownCPU},
			Hash: MatchHash("awale", key.South, key.North, "opening", moves),
		},
		Body: Body{
			Opening: "opening", Moves: moves,
			Elapsed: []time.Duration{1500 * time.Microsecond, 1, 2 * time.Millisecond},
			Rounds:  []Round{{Start: "begun", Position: "end & over", Reason: "early", South: 26, North: 22}},
		},
	}
	if result == Void {
		r.Ending, r.Fault = EndStart, BothFault
	}
	return r
}

// standingsUpTo is the standings of a tournament whose matches up to a number are all recorded.
func standingsUpTo(t Tournament, matches []Numbered, merits map[string]StageResult, unbroken int) (Standings, error) {
	return t.Standings(
		inMemory(matches), func() map[string]StageResult { return merits }, func(number int) bool { return number <= unbroken },
	)
}

// standingsOf is the table of a tournament, without the rating of the field.
func standingsOf(t Tournament, summaries []Numbered, merits map[string]StageResult) ([]Standing, error) {
	unbroken := 0
	for unbroken < len(summaries) && summaries[unbroken].Number == unbroken+1 {
		unbroken++
	}
	s, err := standingsUpTo(t, summaries, merits, unbroken)
	for i := range s.Lines {
		s.Lines[i].Field = stats.Rating{}
	}
	return s.Lines, err
}

// cup is a tournament of a game with three bots, a clock and an opening a pair.
func cup(t testing.TB, ruleset string, pairs int) Tournament {
	t.Helper()
	rules := must2(engine.Lookup(ruleset))
	c := Tournament{Plan: Plan{
		Conditions: Conditions{
			Ruleset: ruleset, Rounds: min(rules.Info().Rounds, 3),
			Time: TimeControl{
				Base: time.Minute, Increment: 10 * time.Millisecond, Margin: 20 * time.Millisecond, Watchdog: 30 * time.Second,
			},
		},
		Name: ruleset, Format: "round-robin", Pairs: pairs, Bots: []string{"a", "b", "c"},
		Rating: Rating{Start: 1500, K: 16},
	}, Family: ruleset}
	openings := make([]string, pairs)
	for pair := range pairs {
		match := engine.NewMatch(rules, rules.Start())
		random := rand.New(rand.NewPCG(uint64(pair), 1))
		for range 4 {
			match.Play(match.Legal()[random.IntN(len(match.Legal()))])
		}
		openings[pair] = engine.Text(rules, match.Position())
	}
	c.Openings = openings
	return c
}

// inMemory yields matches that need not be read.
func inMemory(matches []Numbered) iter.Seq2[Numbered, error] {
	return func(yield func(Numbered, error) bool) {
		for _, match := range matches {
			if !yield(match, nil) {
				return
			}
		}
	}
}
