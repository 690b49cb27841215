package measure

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sembra/engine"
	"sembra/engine/expect"
	"sembra/results"
	"sembra/results/stats"
)

// rulesOf returns a ruleset with a limit of rounds; 0 is its own.
func rulesOf(t *testing.T, name string, rounds int) engine.Ruleset {
	t.Helper()
	rules := must2(engine.Lookup(name))
	if rounds > 0 {
		rules = must2(engine.WithRounds(rules, rounds))
	}
	return rules
}

// played is the record of a match as far as a balance reads it. The even ones of a pair have the seats swapped.
func played(match int, ending results.Ending, opening, moves string) results.Record {
	key := results.Key{South: "greedy", North: "random", Pair: (match + 1) / 2}
	if match%2 == 0 {
		key.South, key.North = key.North, key.South
	}
	return results.Record{Summary: results.Summary{Key: key, Ending: ending}, Body: results.Body{Opening: opening, Moves: strings.Fields(moves)}}
}

// short are four matches of awale, each of a single ply that is the only legal one.
func short() []results.Record {
	return []results.Record{
		played(1, results.EndEarly, "0,0,0,0,0,1/1,4,0,0,0,0 24-18 S sow 1 0", "F"),  // South wins 26-18
		played(2, results.EndCycle, "0,0,0,0,4,0/0,0,4,0,0,0 20-20 N sow 1 99", "c"), // South wins 25-23, North moved first
		played(3, results.EndNormal, "0,0,0,0,1,0/0,0,0,0,0,1 23-23 N sow 1 98", "f"),
		played(4, results.EndCycle, "0,0,0,0,1,0/0,0,0,0,1,0 23-23 S sow 1 99", "E"), // 24-24
	}
}

// long are three matches of bechi-2x3 of at most two rounds, and one more that a bot spoilt. Beside each
// ply is what is needed to count by hand: the number of legal moves, and c for a sowing that captures.
func long() []results.Record {
	return []results.Record{
		// C 1 | fill 3, b+ 2, A 4, b+ 2, C 4c, pass, B+ 4c, b+ 2c: 28-8 after the first round, 23-13
		played(1, results.EndRounds, "0,0,2/0,0,0 27-7 S sow 1 0 first=S", "C fill=0.6.0 b+ A b+ C pass B+ b+"),
		// C 1: 31-5, and North is out
		played(2, results.EndNormal, "0,0,2/0,0,0 30-4 S sow 1 0 first=S", "C"),
		// C 1 | fill 3, b+ 3c, C 4, a 1, B- 4c, a 3, A 1c, b- 2c: 24-12 after the first round, 18-18
		played(3, results.EndRounds, "0,0,2/0,0,0 23-11 S sow 1 0 first=S", "C fill=6.6.0 b+ C a B- a A b-"),
		played(4, results.EndCrash, "0,0,2/0,0,0 23-11 S sow 1 0 first=S", "C"),
	}
}

func shortBalance(t *testing.T) *Balance {
	return NewBalance(Setup{Rules: rulesOf(t, "awale", 0), Bots: [2]string{"random", "random"}, Seed: 7, OpeningPlies: 3, Total: 4})
}

func longBalance(t *testing.T) *Balance {
	return NewBalance(Setup{Rules: rulesOf(t, "bechi-2x3", 2), Bots: [2]string{"greedy", "random"}, Seed: 1, Total: 6})
}

// found is a figure as it was computed.
type found struct {
	Mean, Error float64 // the standard error; NaN: there is none
	Least, Most int64
}

// figuresOf gives the figures of a balance.
func figuresOf(b *Balance) map[string]found {
	all := make(map[string]found)
	for f, estimate := range b.Result().Estimates {
		got := found{math.NaN(), math.NaN(), estimate.Least, estimate.Most}
		if estimate.Mean != nil {
			got.Mean = *estimate.Mean
		}
		if estimate.Margin != nil {
			got.Error = *estimate.Margin / stats.Z95
		}
		all[f] = got
	}
	return all
}

// TestBalanceFigures: the figures of the matches above, by hand. The standard error of a mean p over two
// pairs with sums y and counts m is sqrt(2 ((y1-p m1)² + (y2-p m2)²)) / (m1+m2).
func TestBalanceFigures(t *testing.T) {
	t.Parallel()
	one := found{1, math.NaN(), 1, 1} // all pairs are alike, which tells no error
	for _, c := range []struct {
		name    string
		balance *Balance
		records []results.Record
		want    map[string]found
	}{
		{"short", shortBalance(t), short(), map[string]found{
			"first_score":   {0.375, 0.125, 0, 2}, // in half points 2+0 and 0+1
			"first_lead":    {1, 2, -2, 8},        // 8-2 and -2+0
			"draws":         {.25, .25, 0, 1},     // 0+0 and 0+1
			"rounds":        one,
			"match_plies":   one,
			"round_plies":   one,
			"short_rounds":  one,
			"legal_moves":   one,
			"forced":        one,
			"passes":        {0, math.NaN(), 0, 0},
			"quiet_sowings": {.75, .25, 0, 1},       // 0+1 and 1+1
			"quiet_run":     {74.75, 24.75, 0, 100}, // 0+100 and 99+100
		}},
		{"long", longBalance(t), long(), map[string]found{
			// in half points 2, 0 (North begins, takes 11 and South 13), 2, and 2, 2
			"first_score": {0.8, 0.16, 0, 2}, "first_score_round_1": {1, math.NaN(), 2, 2}, "first_score_round_2": {.5, .5, 0, 2},
			"bot_score":     {0.5, math.NaN(), 0, 2},    // 2+0 and 1
			"first_lead":    {58. / 3, 44. / 9, 12, 26}, // 20+26 and 12
			"draws":         {1. / 3, 4. / 9, 0, 1},     // 0+0 and 1
			"won_by_out":    {1. / 3, 2. / 9, 0, 1},     // 0+1 and 0
			"rounds":        {5. / 3, 2. / 9, 1, 2},     // 2+1 and 2
			"match_plies":   {19. / 3, 16. / 9, 1, 9},   // 9+1 and 9
			"round_plies":   {19. / 5, 14. / 25, 1, 8},  // 1+8+1 and 1+8
			"short_rounds":  one,                        // all
			"legal_moves":   {2.5, 1. / 18, 1, 4},       // 1+21+1 of 9 and 1+21 of 9
			"forced":        {5. / 18, 1. / 18, 0, 1},   // 1+0+1 of 9 and 1+2 of 9
			"passes":        {1. / 19, 18. / 361, 0, 1}, // 1 of 10 and 0 of 9
			"quiet_sowings": {9. / 16, 1. / 16, 0, 1},   // 4+1 of 8 and 4 of 8
			"quiet_run":     {8. / 5, 2. / 25, 1, 3},    // 1+3+1 of 3 and 1+2 of 2
		}},
	} {
		must(t, c.balance.Put(c.records))
		if diff := cmp.Diff(c.want, figuresOf(c.balance), cmpopts.EquateNaNs(), cmpopts.EquateApprox(0, 1e-9)); diff != "" {
			t.Errorf("%s (-by hand +computed):\n%s", c.name, diff)
		}
	}
}

func TestBalanceEnds(t *testing.T) {
	t.Parallel()
	awale, bechi := shortBalance(t), longBalance(t)
	must(t, awale.Put(short()))
	must(t, bechi.Put(long()))
	single := Setup{Rules: rulesOf(t, "buqruru", 1), Total: 2}
	buqruru := NewBalance(single)
	// Two sowings bring the only seed back. Nobody is out, but the match has no second round.
	must(t, buqruru.Put([]results.Record{played(1, results.EndRounds, "0,0,0,1/0,0,0,0 24-23 S sow 1 0 first=S opened=SN donkeys=0-0", "D a")}))
	for _, c := range []struct {
		name         string
		balance      *Balance
		rounds, ends map[string]int
		leftOut      map[results.Ending]int
	}{
		{"awale", awale, map[string]int{"normal": 1, "early": 1, "quiet": 2}, map[string]int{"normal": 1, "early": 1, "quiet": 2}, nil},
		{"bechi-2x3", bechi, map[string]int{"normal": 5}, map[string]int{"normal": 1, "rounds": 2}, map[results.Ending]int{results.EndCrash: 1}},
		{"buqruru", buqruru, map[string]int{"repetition": 1}, map[string]int{"rounds": 1}, nil},
	} {
		b := c.balance
		for kind, counts := range map[string][2]map[string]int{"rounds": {c.rounds, b.counts.Rounds}, "matches": {c.ends, b.counts.Ends}} {
			for end, n := range counts[1] {
				if n != counts[0][end] {
					t.Errorf("%s: %s end %v", c.name, kind, counts[1])
				}
			}
		}
		if diff := cmp.Diff(c.leftOut, b.counts.LeftOut, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: left out:\n%s", c.name, diff)
		}
	}
}

func misled(b *Balance) bool {
	_, misleading := b.Repeats()
	return misleading
}

func TestBalanceRepetitive(t *testing.T) {
	t.Parallel()
	b := shortBalance(t)
	must(t, b.Put([]results.Record{short()[0], played(2, results.EndEarly, short()[0].Opening, "F")}))
	if len(b.different) != 1 || misled(b) {
		t.Errorf("a pair of equal matches: %d different, misleading: %v", len(b.different), misled(b))
	}
	must(t, b.Put([]results.Record{played(3, results.EndEarly, short()[0].Opening, "F")}))
	if len(b.different) != 1 || !misled(b) {
		t.Errorf("three equal matches: %d different, misleading: %v", len(b.different), misled(b))
	}
}

// TestBalanceRefuses: a record that the rules do not agree with is an error, not a figure.
func TestBalanceRefuses(t *testing.T) {
	t.Parallel()
	start := engine.Text(rulesOf(t, "awale", 0), rulesOf(t, "awale", 0).Start())
	for _, c := range []struct {
		record results.Record
		want   string
	}{
		{played(1, results.EndNormal, "4,4", ""), "record of greedy - random, pair 1: bad position text"},
		{played(1, results.EndNormal, "0,0,0,0,0,0/0,0,0,0,0,0 24-24 S over 1 0", ""), "the match has no move"},
		{played(2, results.EndNormal, start, "A Q"), `record of random - greedy, pair 1: move 2 of 2: illegal move "Q"`},
		{played(1, results.EndEarly, start, "A a"), `the match is not over after its 2 moves, but its ending is "early"`},
	} {
		b := shortBalance(t)
		if err := b.Put([]results.Record{c.record}); err == nil || !strings.Contains(err.Error(), c.want) || b.counts.Matches != 0 {
			t.Errorf("error is %v, %q expected", err, c.want)
		}
	}
}

// TestBalanceTakes: a seed that is taken without sowing is no sowing that captured.
func TestBalanceTakes(t *testing.T) {
	t.Parallel()
	b := NewBalance(Setup{Rules: rulesOf(t, "redu", 0), Bots: [2]string{"random", "random"}, Seed: 1, Total: 2})
	const opening = "1,0,0,0,0,1/5,6,6,3,0,0 24-2 S sow 1 0 take=F:free missed=-"
	must(t, b.Put([]results.Record{played(1, results.EndEarly, opening, "take"), played(2, results.EndEarly, opening, "take")}))
	got := figuresOf(b)
	if _, sown := got["quiet_sowings"]; sown || got["match_plies"].Mean != 1 {
		t.Errorf("quiet sowings %v, plies %v", got["quiet_sowings"], got["match_plies"])
	}
}

var must = expect.NoError

func must2[T any](value T, err error) T { return expect.Value(value, err) }
