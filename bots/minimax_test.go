package bots

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"sembra/arena/protocol"
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

// TestMinimaxSees: minimax finds what a search of one ply misses, and reports its score.
func TestMinimaxSees(t *testing.T) {
	r := lookup(t, "awale")
	for _, c := range []struct {
		position, blind, seeing string
		score                   float64
		why                     string
	}{
		{
			"0,1,0,1,0,0/0,0,0,0,0,4 21-21 S sow 1 3", "B", "D", 6,
			"after B the answer f takes C and D; after D it ends with an empty row across, and South keeps its 6",
		},
		{
			"1,0,8,0,1,2/1,0,0,2,0,1 17-15 S sow 1 8", "A", "C", 5,
			"nothing can be taken immediately; after C more is threatened than North can save",
		},
		{
			"0,1,5,0,1,1/1,0,3,1,3,1 10-21 S sow 1 0", "F", "C", -8,
			"F takes 2 and North takes as many back; after C South is 3 better off",
		},
	} {
		for _, side := range []string{"S", "N"} {
			position, blind, seeing := c.position, c.blind, c.seeing
			if side == "N" {
				position = turned(position)
				blind, seeing = strings.ToLower(blind), strings.ToLower(seeing)
			}
			p := parse(t, r, position)
			if move, _ := ask(&minimax{}, r, p, protocol.Limits{Depth: 1}); move.Token(p.Side()) != blind {
				t.Errorf("%s, depth 1: %s, want %s", position, move.Token(p.Side()), blind)
			}
			move, reported := ask(&minimax{}, r, p, protocol.Limits{Depth: 3})
			if move.Token(p.Side()) != seeing || reported.Score != c.score {
				t.Errorf("%s, depth 3: %s, %+v, want %s (%s)", position, move.Token(p.Side()), reported, seeing, c.why)
			}
		}
	}
}

// turned is a position with South and North exchanged.
func turned(position string) string {
	words := strings.Fields(position)
	south, north, _ := strings.Cut(words[0], "/")
	mine, yours, _ := strings.Cut(words[1], "-")
	words[0], words[1], words[2] = north+"/"+south, yours+"-"+mine, "N"
	return strings.Join(words, " ")
}

func TestMinimaxDepth(t *testing.T) {
	r := lookup(t, "awale")
	for _, c := range []struct {
		option int
		limits protocol.Limits
		want   int
	}{
		{0, protocol.Limits{}, 6},
		{4, protocol.Limits{}, 4},
		{1, protocol.Limits{}, 1},
		{4, protocol.Limits{Depth: 2}, 2},
		{2, protocol.Limits{Depth: 4}, 4},
		{0, protocol.Limits{Depth: 3}, 3},
		{3, protocol.Limits{Nodes: 1_000_000}, 3},
		{3, protocol.Limits{Clock: true, Left: [2]time.Duration{time.Hour, time.Hour}}, 3},
		{2, protocol.Limits{Move: time.Hour}, 2},
	} {
		if move, reported := ask(&minimax{depth: c.option}, r, r.Start(), c.limits); reported.Depth != c.want || !slices.Contains(r.Legal(r.Start(), nil), move) {
			t.Errorf("option %d, %+v: %+v, want depth %d", c.option, c.limits, reported, c.want)
		}
	}
}

// TestMinimaxNodes: minimax keeps its limit of nodes, searches deeper with many more
// nodes, and plays a legal move with a single one.
func TestMinimaxNodes(t *testing.T) {
	r := lookup(t, "awale")
	before := 0
	for _, nodes := range []uint64{1, 10, 100, 1_000, 10_000, 100_000} {
		move, reported := ask(&minimax{}, r, r.Start(), protocol.Limits{Nodes: nodes})
		if reported.Nodes > nodes || reported.Depth < before || nodes >= 10 && reported.Depth == before || !slices.Contains(r.Legal(r.Start(), nil), move) {
			t.Errorf("nodes %d: %+v after depth %d", nodes, reported, before)
		}
		before = reported.Depth
		if same, again := ask(&minimax{}, r, r.Start(), protocol.Limits{Nodes: nodes}); same != move || again.Nodes != reported.Nodes {
			t.Errorf("nodes %d: %v with %+v, then %v with %+v", nodes, move, reported, same, again)
		}
	}
}

// TestMinimaxWhereMovesAreMany: without limits, minimax searches to the default
// depth, or as deep as the default number of nodes allows.
func TestMinimaxWhereMovesAreMany(t *testing.T) {
	for _, c := range []struct {
		ruleset, position string
		least             int // legal moves
	}{
		{"buqruru-bellin", "48,0,0,0/0,x,x,x 0-0 S sow 2 0 first=S opened=SN start=A,a donkeys=0-0", 1000},
		{"buqruru-bellin", "20,4,0,0/6,6,6,6 0-0 S sow 2 0 first=S opened=SN start=A,a donkeys=0-0", 13},
		{"redu", "4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0 take=- missed=-", 14},
		{"redu", "0,9,0,9,0,9/0,0,7,0,7,0 3-4 S sow 1 0 take=- missed=-", 40},
	} {
		r := lookup(t, c.ruleset)
		p := parse(t, r, c.position)
		if legal := len(r.Legal(p, nil)); legal < c.least {
			t.Errorf("%s, %s: %d legal moves, want %d or more", c.ruleset, c.position, legal, c.least)
		}
		if _, reported := ask(&minimax{}, r, p, protocol.Limits{}); reported.Depth < 1 || reported.Depth > 6 || reported.Nodes > 200_000 {
			t.Errorf("%s, %s: %+v", c.ruleset, c.position, reported)
		}
	}
}

// TestMinimaxClock: with a clock, minimax ends its search, however little or much
// time is left. Times that are no times at all do not make it hasty.
func TestMinimaxClock(t *testing.T) {
	r := lookup(t, "awale")
	const forever = math.MaxInt64
	clock := func(left, increment time.Duration, nodes uint64) protocol.Limits {
		return protocol.Limits{
			Clock: true, Left: [2]time.Duration{left, 1}, Increment: [2]time.Duration{increment, 1}, Nodes: nodes,
		}
	}
	_, unhurried := ask(&minimax{}, r, r.Start(), protocol.Limits{Nodes: 100_000})
	for _, limits := range []protocol.Limits{
		{Move: 1},
		{Move: 20 * time.Millisecond},
		{Move: 20 * time.Millisecond, Depth: 64},
		{Move: 20 * time.Millisecond, Nodes: forever},
		clock(0, 0, 0),
		clock(time.Millisecond, forever, 0),
		clock(300*time.Millisecond, 10*time.Millisecond, 0),
		{Move: forever, Nodes: 100_000},
		clock(time.Hour, forever, 100_000),
		clock(forever, forever, 100_000),
	} {
		move, reported := ask(&minimax{}, r, r.Start(), limits)
		if !slices.Contains(r.Legal(r.Start(), nil), move) || limits.Nodes == 100_000 && reported.Nodes != unhurried.Nodes {
			t.Errorf("%+v: %+v, without a clock %+v", limits, reported, unhurried)
		}
	}
}

// TestMinimaxEndsEarly: minimax does not use the clock up for a single legal move or a decided match.
func TestMinimaxEndsEarly(t *testing.T) {
	r := lookup(t, "awale")
	for _, position := range []string{
		"0,0,0,0,0,3/1,4,1,4,1,4 16-14 S sow 1 0",  // F alone
		"1,0,4,0,3,0/1,0,0,1,0,0 23-15 S sow 1 11", // C takes more than half
	} {
		if _, reported := ask(&minimax{}, r, parse(t, r, position), protocol.Limits{Move: time.Hour}); reported.Depth != 1 {
			t.Errorf("%s: %+v", position, reported)
		}
	}
}
