package bots

import (
	"fmt"
	"math/rand/v2"
	"time"

	"sembra/arena/protocol"
	"sembra/engine"
)

// grade is how a level plays.
type grade struct {
	slips float64 // the share of its moves that are random, 0 to 1
	nodes int64   // the positions that it searches for each other move, beyond those after one ply
}

// grades returns the grade of each level, the weakest first. They were chosen so that each level is clearly stronger
// than the one before it in every ruleset; the table of bots/OPPONENTS.md shows that.
func grades() []grade {
	return []grade{
		{0.80, 20},
		{0.62, 50},
		{0.47, 120},
		{0.35, 300},
		{0.26, 700},
		{0.19, 1_800},
		{0.13, 4_500},
		{0.08, 11_000},
		{0.04, 28_000},
		{0, 70_000},
	}
}

// levels returns the built-in bots level1 to level10.
func levels() []Builtin {
	var all []Builtin
	for i, g := range grades() {
		name := fmt.Sprintf("level%d", i+1)
		summary := fmt.Sprintf("is level %d of 10: searches %d positions", i+1, g.nodes)
		if g.slips > 0 {
			summary += fmt.Sprintf("; %.0f%% of its moves are random", 100*g.slips)
		}
		all = append(all, Builtin{
			Name: name, Summary: summary,
			Details: []string{
				"The levels are opponents of known strength; level1 is the weakest. They search like minimax, but a fixed " +
					"number of positions for each move, and a move by the weaker levels is sometimes random. Of several best " +
					"moves they play a random one. bots/OPPONENTS.md lists their ratings.",
				"The same seed produces the same moves, if the clock leaves time for the search. That needs less than 100 ms " +
					"a move even on a slow machine.",
			},
			New: func() Player { return &level{named: named{name: name}, grade: g} },
		})
	}
	return all
}

// level is an opponent of a given strength. It searches like minimax, a fixed number of positions for each move, and
// plays a share of its moves at random.
type level struct {
	named
	grade  grade
	source *rand.Rand
}

func (l *level) NewMatch(m protocol.NewMatch) { l.source = seeded(m.Seed) }

func (l *level) Choose(m *engine.Match, limits protocol.Limits, report func(protocol.Info)) engine.Move {
	begun := time.Now()
	// In a random order, the search finds a random one of the best moves.
	moves := append([]engine.Move(nil), m.Legal()...)
	l.source.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
	if l.source.Float64() < l.grade.slips {
		return moves[0]
	}
	s := newSearch(m, l.grade.nodes+int64(len(moves)), limits, begun)
	depth := deepest
	if limits.Depth > 0 {
		depth = min(limits.Depth, deepest)
	}
	return s.deepen(m.Position(), moves, depth, begun, report)
}
