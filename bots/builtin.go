package bots

import (
	"math"
	"math/rand/v2"
	"time"

	"sembra/arena/protocol"
	"sembra/engine"
)

// Builtin is a bot that comes with the program.
type Builtin struct {
	Name    string
	Summary string   // how it plays, in one line
	Details []string // paragraphs: how it plays, and whether it plays the same moves again
	Options []Option // those that it offers in the handshake
	New     func() Player
}

// Option is an option of a built-in bot.
type Option struct {
	protocol.Option
	Meaning string // what it changes, and what its default does
}

// Builtins returns the built-in bots. The levels come last, the weakest first.
func Builtins() []Builtin {
	return append([]Builtin{
		{
			Name: "random", Summary: "plays random legal moves, chosen with the seed of the match",
			Details: []string{
				"All legal moves have the same probability.",
				"It is deterministic, with any clock: the same seed produces the same moves.",
			},
			New: func() Player { return &random{named: named{name: "random"}} },
		},
		{
			Name: "greedy", Summary: "takes as many seeds as it can in one move, and looks no further",
			Details: []string{
				"Of several moves with the same lead in seeds, it plays the first.",
				"It is deterministic: it always plays the same move in the same position.",
			},
			New: func() Player { return greedy{named{name: "greedy"}} },
		},
		{
			Name: "minimax", Summary: "searches with alpha-beta, to a given depth or as deep as time allows",
			Details: []string{
				"It searches one ply deeper each time and values a position by the lead in seeds. It does not look beyond " +
					"the end of a round. Without a limit, it searches 6 plies or 200000 positions, whichever comes first.",
				"Without a clock it is deterministic: the same position has the same move. With a clock its moves depend " +
					"on the speed of the machine, unless it reaches the Depth that you set.",
			},
			Options: minimaxOptions(), New: func() Player { return &minimax{named: named{"minimax", minimaxOptions()}} },
		},
		{
			Name: "mcts", Summary: "simulates its moves many times, and plays the best one (UCT)",
			Details: []string{
				"It is a Monte Carlo tree search: each simulation goes down a tree, in which better moves are played more " +
					"often, and then plays a few random moves. A simulation ends after the round at the latest; its result is " +
					"who won the match, or else the lead in seeds. The tree takes at most 48 MiB and is new for each move.",
				"Without a clock it is deterministic: the same seed produces the same moves. With a clock its moves depend " +
					"on the speed of the machine.",
				"In its info lines, depth is the deepest ply of the tree, nodes is the number of simulations, and score is " +
					"the mean lead in seeds after the simulations of the move.",
			},
			Options: mctsOptions(), New: func() Player {
				return &mcts{named: named{"mcts", mctsOptions()}, now: time.Now}
			},
		},
	}, levels()...)
}

// Lookup returns the built-in bot with a name, or an [*engine.UnknownError].
func Lookup(name string) (Builtin, error) {
	var known []string
	for _, b := range Builtins() {
		if b.Name == name {
			return b, nil
		}
		known = append(known, b.Name)
	}
	return Builtin{}, &engine.UnknownError{Kind: "bot", Name: name, Known: known}
}

// named is the part of a built-in bot that reports its identity. A bot that has no options, or keeps nothing of a match,
// leaves that to it, too.
type named struct {
	name    string
	options []Option
}

func (n named) Identity() protocol.Identity {
	id := protocol.Identity{Name: n.name, Author: "Sembra"}
	for _, o := range n.options {
		id.Options = append(id.Options, o.Option)
	}
	return id
}

func (named) SetOption(protocol.OptionValue) error { return nil }

func (named) NewMatch(protocol.NewMatch) {}

// seeded returns the random numbers of a match.
func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// greedy plays the first of the moves that give it the largest lead.
type greedy struct{ named }

func (greedy) Choose(m *engine.Match, _ protocol.Limits, _ func(protocol.Info)) engine.Move {
	var best engine.Move
	most := math.MinInt
	seat := m.Position().Side()
	for _, move := range m.Legal() {
		// If the move ends a round, this is the lead before the stores fill the next.
		after, _ := m.Rules().Play(m.Position(), move)
		if l := lead(after, seat); l > most {
			best, most = move, l
		}
	}
	return best
}

// lead returns how many more seeds a seat has captured than the other.
func lead(p engine.Position, s engine.Seat) int { return p.Store(s) - p.Store(s.Other()) }

// random plays any legal move, all with the same probability, by the seed of the
// match.
type random struct {
	named
	source *rand.Rand
}

func (r *random) NewMatch(m protocol.NewMatch) { r.source = seeded(m.Seed) }

func (r *random) Choose(m *engine.Match, _ protocol.Limits, _ func(protocol.Info)) engine.Move {
	legal := m.Legal()
	return legal[r.source.IntN(len(legal))]
}
