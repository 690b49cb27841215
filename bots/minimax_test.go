package bots

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"sembra/engine"
)

// plain computes the value that minimax should find: it searches every line to the depth or to the end of the round.
func plain(r engine.Ruleset, p engine.Position, depth int) int {
	if depth == 0 {
		return p.Store(p.Side()) - p.Store(p.Side().Other())
	}
	best := math.MinInt
	for _, m := range r.Legal(p, nil) {
		best = max(best, plainAfter(r, p, m, depth))
	}
	return best
}

func plainAfter(r engine.Ruleset, p engine.Position, m engine.Move, depth int) int {
	side := p.Side()
	next, end := r.Play(p, m)
	if end != engine.Going {
		match := engine.NewMatch(r, p)
		match.Play(m)
		lead := next.Store(side) - next.Store(side.Other())
		outcome, over := match.Outcome()
		switch {
		case !over:
			return lead
		case outcome.Result == engine.Draw:
			return 0
		case outcome.Result.String() == side.String():
			return 1000 + lead
		}
		return -1000 + lead
	}
	if next.Side() == side {
		return plain(r, next, depth-1)
	}
	return -plain(r, next, depth-1)
}

// randomPositions returns positions of random matches that are not over.
func randomPositions(r engine.Ruleset, seed uint64, count int) []engine.Position {
	random := rand.New(rand.NewPCG(seed, 0))
	var all []engine.Position
	for p := r.Start(); len(all) < count; {
		if p.Phase() == engine.PhaseOver {
			p = r.Start()
		}
		if random.IntN(6) == 0 {
			all = append(all, p)
		}
		moves := r.Legal(p, nil)
		p = engine.Step(r, p, moves[random.IntN(len(moves))])
	}
	return all
}

// TestPruning: pruning does not change the value of a position, and the move is one of the best.
func TestPruning(t *testing.T) {
	skipLongComputation(t)
	for _, r := range append(engine.Rulesets(), again{engine.Rulesets()[0]}) {
		for _, p := range randomPositions(r, 11, 60) {
			moves := r.Legal(p, nil)
			for depth := 1; depth <= 4; depth++ {
				s := search{rules: r, nodesLeft: math.MaxInt64}
				move, value, finished := s.root(p, slices.Clone(moves), depth)
				want := plain(r, p, depth)
				if !finished || value != want || plainAfter(r, p, move, depth) != want {
					t.Errorf("%s, %s, depth %d: %s is worth %d (finished %t), want %d",
						r.Info().Name, engine.Text(r, p), depth, move.Token(p.Side()), value, finished, want)
				}
				for i, m := range moves {
					if plainAfter(r, p, m, depth) == want {
						if move != m {
							t.Errorf("%s, %s, depth %d: move %s, not the first of the best, %d",
								r.Info().Name, engine.Text(r, p), depth, move.Token(p.Side()), i)
						}
						break
					}
				}
			}
		}
	}
}

// again is a game in which the same side often moves again.
type again struct{ engine.Ruleset }

func (a again) Play(p engine.Position, m engine.Move) (engine.Position, engine.End) {
	next, end := a.Ruleset.Play(p, m)
	if hole, _ := m.Hole(); end != engine.Going || hole%2 == 0 {
		return next, end
	}
	turn := strings.NewReplacer(" S ", " N ", " N ", " S ")
	same, err := engine.ParsePosition(a.Ruleset, turn.Replace(engine.Text(a.Ruleset, next)))
	if err != nil || len(a.Legal(same, nil)) == 0 {
		return next, end
	}
	return same, end
}

// TestRootOrder: a search puts the best move first and loses none.
func TestRootOrder(t *testing.T) {
	r := engine.Rulesets()[0]
	for _, p := range randomPositions(r, 12, 100) {
		moves := r.Legal(p, nil)
		ordered := slices.Clone(moves)
		s := search{rules: r, nodesLeft: math.MaxInt64}
		best, _, _ := s.root(p, ordered, 3)
		want := append([]engine.Move{best}, slices.DeleteFunc(slices.Clone(moves), func(m engine.Move) bool { return m == best })...)
		if !slices.Equal(ordered, want) {
			t.Errorf("%s: %v, want %v", engine.Text(r, p), ordered, want)
		}
	}
}

// TestCutShort: a search that was stopped at any node leaves the moves of the root
// unchanged, and a later search with the same stack gives the right result.
func TestCutShort(t *testing.T) {
	for _, r := range engine.Rulesets() {
		for _, p := range randomPositions(r, 13, 10) {
			const depth = 4
			moves := r.Legal(p, nil)
			fresh := search{rules: r, nodesLeft: math.MaxInt64}
			wantMove, wantValue, _ := fresh.root(p, slices.Clone(moves), depth)
			whole := fresh.nodes

			var s search
			for nodes := int64(0); nodes < whole; nodes += 1 + whole/40 {
				s = search{rules: r, nodesLeft: nodes, stack: s.stack}
				cut := slices.Clone(moves)
				if _, _, finished := s.root(p, cut, depth); finished {
					t.Fatalf("%s: %d nodes do for %d", engine.Text(r, p), nodes, whole)
				}
				if !slices.Equal(cut, moves) || len(s.stack) != 0 {
					t.Fatalf("%s, cut after %d: moves %v, %d on the stack", engine.Text(r, p), nodes, cut, len(s.stack))
				}
				s = search{rules: r, nodesLeft: whole, stack: s.stack}
				move, value, finished := s.root(p, cut, depth)
				if move != wantMove || value != wantValue || !finished || s.nodes != whole {
					t.Fatalf("%s, after a cut at %d: %v %d (finished %t, %d nodes), want %v %d (%d nodes)", engine.Text(r, p),
						nodes, move, value, finished, s.nodes, wantMove, wantValue, whole)
				}
			}
		}
	}
}

// TestEnded: the value of the only move of a match's last round, and the score that minimax reports.
func TestEnded(t *testing.T) {
	for _, c := range []struct {
		ruleset  string
		rounds   int
		position string
		value    int
		inSeeds  int
		decided  bool
	}{
		{"awale", 1, "0,0,0,0,0,1/1,4,0,0,0,0 24-18 S sow 1 0", 1008, 8, true},   // 26-18
		{"awale", 1, "0,0,0,0,0,1/3,0,1,0,0,0 22-21 S sow 1 0", -1004, -4, true}, // 22-26
		{"awale", 1, "0,0,0,0,0,1/1,1,0,0,0,0 22-23 S sow 1 3", 0, 0, false},     // 24-24
		// 26-22, and a donkey owed to North wins against four seeds.
		{"buqruru", 2, "0,0,1,0/0,0,0,0 25-22 S sow 2 99 first=S opened=SN donkeys=0-1", -996, 4, true},
		// The same with a round to come.
		{"buqruru", 3, "0,0,1,0/0,0,0,0 25-22 S sow 2 99 first=S opened=SN donkeys=0-1", 4, 4, false},
		// As many donkeys and seeds.
		{"buqruru", 2, "0,0,1,0/0,0,0,0 23-24 S sow 2 99 first=S opened=SN donkeys=1-1", 0, 0, false},
	} {
		r := must2(engine.WithRounds(lookup(t, c.ruleset), c.rounds))
		p := parse(t, r, c.position)
		s := search{rules: r, nodesLeft: math.MaxInt64}
		_, value, _ := s.root(p, r.Legal(p, nil), 3)
		if value != c.value || inSeeds(value) != c.inSeeds || (inSeeds(value) != value) != c.decided {
			t.Errorf("%s: worth %d, %d seeds, decided %v; want %d, %d, %v",
				c.position, value, inSeeds(value), inSeeds(value) != value, c.value, c.inSeeds, c.decided)
		}
	}
}

// skipLongComputation skips, with -short, a test that computes for long in one goroutine and waits for nothing. The race
// detector makes it many times slower, and can find nothing in it.
func skipLongComputation(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it computes for long, in one goroutine")
	}
}

// TestAdvise: it finds the capture that wins the match, and stops then.
func TestAdvise(t *testing.T) {
	t.Parallel()
	rules := lookup(t, "awale")
	p := parse(t, rules, "1,0,0,0,0,1/2,0,0,0,0,3 23-18 S sow 1 0")
	if got := Advise(engine.NewMatch(rules, p), time.Hour).Token(engine.South); got != "F" {
		t.Errorf("got %s", got)
	}
}
