package bots

import (
	"math"
	"math/rand/v2"
	"strconv"
	"time"

	"sembra/arena/protocol"
	"sembra/engine"
)

// mcts is a Monte Carlo tree search. It simulates the next moves many times, and tries the moves that turned out well
// more often: UCT (L. Kocsis and C. Szepesvári, Bandit Based Monte-Carlo Planning, 2006). Without a clock, it plays
// the same moves whenever the seed is the same.
type mcts struct {
	named
	simulations int // option; 0: as the clock allows, or the default
	source      *rand.Rand
	now         func() time.Time
	tree        tree
}

const (
	optionSimulations  = "Simulations"
	mostSimulations    = 1_000_000
	defaultSimulations = 5_000
)

func mctsOptions() []Option {
	return []Option{{
		protocol.Option{Name: optionSimulations, Type: "spin", Default: "0", Min: 0, Max: mostSimulations},
		"the number of simulations for each move; 0: as many as the clock allows, or 5000 without a clock",
	}}
}

func (b *mcts) SetOption(v protocol.OptionValue) error {
	n, err := strconv.Atoi(v.Value)
	b.simulations = n
	return err
}

func (b *mcts) NewMatch(m protocol.NewMatch) { b.source = seeded(m.Seed) }

func (b *mcts) Choose(m *engine.Match, limits protocol.Limits, report func(protocol.Info)) engine.Move {
	begun := b.now()
	budget := thinkingTime(limits, m.Position().Side())
	most := b.limit(limits, budget > 0)
	t := &b.tree
	t.plant(m.Rules(), m.Position(), limits.Depth, b.source)
	// One simulation is enough for the only move, and shows its score.
	for n := 0; n < most && (n == 0 || t.nodes[0].children > 1); n++ {
		if n > 0 && budget > 0 && b.now().Sub(begun) >= budget {
			break
		}
		t.simulate()
	}
	best := t.best()
	report(protocol.Info{
		Depth: t.deepest, Score: math.Round(10*best.lead/max(1, float64(best.visits))) / 10, HasScore: true,
		Nodes: uint64(t.nodes[0].visits), Time: b.now().Sub(begun),
	})
	return best.move
}

// limit returns the greatest number of simulations for a move.
func (b *mcts) limit(limits protocol.Limits, clock bool) int {
	most := mostSimulations
	switch {
	case b.simulations > 0:
		most = b.simulations
	case !clock && limits.Nodes == 0:
		most = defaultSimulations
	}
	if limits.Nodes > 0 {
		most = int(min(limits.Nodes, uint64(most)))
	}
	return most
}

// tree is the search tree of one move. Its nodes are in one slice; the children of a node are adjacent.
type tree struct {
	rules   engine.Ruleset
	root    engine.Position
	ply     int // the deepest ply of the tree; 0: any
	source  *rand.Rand
	nodes   []node
	legal   []engine.Move
	path    []int32
	deepest int // ply of the tree that a simulation has reached
}

// node is a move in the tree, with the results of the simulations through it.
type node struct {
	move     engine.Move
	reward   float64 // the sum of the results, 0 to 1 each, for the side that plays the move
	lead     float64 // the sum of the leads in seeds, for the side that plays the move
	visits   int32
	first    int32 // the index of the first child
	children int32 // their number; 0: the node is a leaf
	seat     engine.Seat
}

// mostNodes limits the memory of the tree. With 40 bytes each, they take 20 MiB, and twice that while the slice grows.
// A full tree does not grow, and simulations leave it earlier.
const mostNodes = 1 << 19

// plant begins a tree at a position with a legal move.
func (t *tree) plant(rules engine.Ruleset, p engine.Position, deepest int, source *rand.Rand) {
	t.rules, t.root, t.ply, t.source = rules, p, deepest, source
	t.nodes, t.deepest = append(t.nodes[:0], node{}), 0
	t.expand(0, p)
}

// expand gives a leaf its children, in a random order. It does nothing if the tree has grown too large.
func (t *tree) expand(at int32, p engine.Position) {
	t.legal = t.rules.Legal(p, t.legal[:0])
	if len(t.nodes) > 1 && len(t.nodes)+len(t.legal) > mostNodes {
		return
	}
	t.source.Shuffle(len(t.legal), func(i, j int) { t.legal[i], t.legal[j] = t.legal[j], t.legal[i] })
	t.nodes[at].first, t.nodes[at].children = int32(len(t.nodes)), int32(len(t.legal))
	for _, m := range t.legal {
		t.nodes = append(t.nodes, node{move: m, seat: p.Side()})
	}
}

// simulate goes down the tree to a leaf, plays from there, and counts the result at each node on the way.
func (t *tree) simulate() {
	p, end := t.root, engine.Going
	last := engine.Move{}
	before := p
	t.path = append(t.path[:0], 0)
	at := int32(0)
	for end == engine.Going && (t.ply == 0 || len(t.path) <= t.ply) {
		if t.nodes[at].children == 0 {
			if t.nodes[at].visits == 0 {
				break
			}
			t.expand(at, p)
			if t.nodes[at].children == 0 {
				break
			}
		}
		at = t.pick(at)
		t.path = append(t.path, at)
		before, last = p, t.nodes[at].move
		p, end = t.rules.Play(p, last)
	}
	t.deepest = max(t.deepest, len(t.path)-1)
	for ply := 0; end == engine.Going && ply < playoutPlies; ply++ {
		t.legal = t.rules.Legal(p, t.legal[:0])
		before, last = p, t.legal[t.source.IntN(len(t.legal))]
		p, end = t.rules.Play(p, last)
	}
	south, seeds := t.result(before, last, p, end)
	for _, i := range t.path {
		n := &t.nodes[i]
		n.visits++
		if n.seat == engine.South {
			n.reward += south
			n.lead += seeds
		} else {
			n.reward += 1 - south
			n.lead -= seeds
		}
	}
}

// playoutPlies is the number of random plies after which a simulation stops and counts the seeds in the stores. In
// longer ones chance hides more than the end of the round shows.
const playoutPlies = 8

// explores is the weight of moves that were tried seldom.
const explores = 0.25

// pick returns the child with the highest upper confidence bound. A child without a visit comes first.
func (t *tree) pick(at int32) int32 {
	parent := &t.nodes[at]
	log := math.Log(float64(parent.visits) + 1)
	best, most := parent.first, math.Inf(-1)
	for i := parent.first; i < parent.first+parent.children; i++ {
		n := &t.nodes[i]
		if n.visits == 0 {
			return i
		}
		visits := float64(n.visits)
		bound := n.reward/visits + explores*math.Sqrt(log/visits)
		if bound > most {
			best, most = i, bound
		}
	}
	return best
}

// result returns what a simulation is worth for South, 0 to 1, and South's lead in seeds. A won match is worth 0.9
// or more, depending on the lead. A round that does not end the match is worth the lead.
func (t *tree) result(before engine.Position, last engine.Move, p engine.Position, end engine.End) (
	south, ahead float64,
) {
	seeds := float64(lead(p, engine.South))
	share := seeds / float64(t.rules.Info().Total())
	if end != engine.Going && engine.Step(t.rules, before, last).Phase() == engine.PhaseOver {
		switch t.rules.Winner(p) {
		case engine.SouthWins:
			return 0.9 + 0.1*max(0, share), seeds
		case engine.NorthWins:
			return 0.1 + 0.1*min(0, share), seeds
		}
		return 0.5, seeds
	}
	return 0.5 + 0.4*math.Tanh(steepness*share), seeds
}

// steepness is how fast the worth of a lead grows.
const steepness = 4

// best returns the move that was simulated most often, and of several the first.
func (t *tree) best() node {
	moves := t.nodes[t.nodes[0].first:][:t.nodes[0].children]
	best := moves[0]
	for _, n := range moves {
		if n.visits > best.visits {
			best = n
		}
	}
	return best
}
