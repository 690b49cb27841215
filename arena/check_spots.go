package arena

import (
	"math/rand/v2"
	"slices"
	"strings"

	"sembra/engine"
)

// spot is a position of a kind in which bots often make mistakes. Its side to
// move has a decision to make.
type spot struct {
	kind  string
	start engine.Position
}

// findSpots finds positions of each kind that occurs in the ruleset, for both
// seats if possible. It searches random matches, which are always the same.
func findSpots(rules engine.Ruleset) []spot {
	const matches, ofEach = 60, 2
	kinds := spotKinds()
	found := make(map[string][2]int)
	var spots []spot
	add := func(kind string, p engine.Position) {
		if known := found[kind]; known[p.Side()] < ofEach {
			known[p.Side()]++
			found[kind] = known
			spots = append(spots, spot{kind, p})
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range matches {
		m := engine.NewMatch(rules, rules.Start())
		var late engine.Position
		for ply := 0; !m.Over(); ply++ {
			p, legal := m.Position(), m.Legal()
			for _, kind := range kinds {
				if found[kind.name][p.Side()] < ofEach && !legal[0].Pass() && kind.is(rules, p, legal, ply) {
					add(kind.name, p)
				}
			}
			if len(legal) > 1 {
				late = p
			}
			m.Play(legal[random.IntN(len(legal))])
		}
		add("the end of a match", late)
	}
	return spots
}

// spotKind is a kind of positions.
type spotKind struct {
	name string
	is   func(rules engine.Ruleset, p engine.Position, legal []engine.Move, ply int) bool
}

func spotKinds() []spotKind {
	const most = 12 // the largest number of moves that are looked at one by one
	every := func(rules engine.Ruleset, p engine.Position, legal []engine.Move, leadsTo func(after engine.Position) bool) bool {
		for _, move := range legal {
			if len(legal) > most || !leadsTo(engine.Step(rules, p, move)) {
				return false
			}
		}
		return true
	}
	return []spotKind{
		{"an opening", func(_ engine.Ruleset, p engine.Position, _ []engine.Move, ply int) bool {
			return ply >= 3 && ply <= 5
		}},
		{"a single move", func(_ engine.Ruleset, _ engine.Position, legal []engine.Move, _ int) bool {
			return len(legal) == 1
		}},
		{"the filling of a row", func(_ engine.Ruleset, p engine.Position, _ []engine.Move, _ int) bool {
			return p.Phase() == engine.PhaseFill
		}},
		{"the choice of a start hole", func(_ engine.Ruleset, p engine.Position, _ []engine.Move, _ int) bool {
			return p.Phase() == engine.PhaseStart
		}},
		{"a claim or a take", func(_ engine.Ruleset, p engine.Position, legal []engine.Move, _ int) bool {
			return slices.ContainsFunc(legal, func(move engine.Move) bool {
				word, _, _ := strings.Cut(move.Token(p.Side()), "=")
				return word == "claim" || word == "take"
			})
		}},
		{"a second move in the same turn", func(rules engine.Ruleset, p engine.Position, legal []engine.Move, _ int) bool {
			return p.Phase() == engine.PhaseSow && every(rules, p, legal, func(after engine.Position) bool {
				return after.Side() == p.Side() && after.Phase() == engine.PhaseSow && after.Round() == p.Round()
			})
		}},
		{"a pass of the other side", func(rules engine.Ruleset, p engine.Position, legal []engine.Move, _ int) bool {
			return every(rules, p, legal, func(after engine.Position) bool {
				next := rules.Legal(after, nil)
				return after.Side() != p.Side() && len(next) == 1 && next[0].Pass()
			})
		}},
	}
}

// longSequence returns the moves of a very long match from the start position, up
// to a decision of the seat.
func longSequence(rules engine.Ruleset) (tokens []string, seat engine.Seat) {
	const tries, longest = 24, 70 << 10 // of each round; bytes
	random := rand.New(rand.NewPCG(3, 4))
	var best roundPlayed
	for start, bytes := rules.Start(), 0; !best.over && bytes < longest; start, bytes = best.last, bytes+best.bytes {
		best = roundPlayed{}
		for range tries { // a round that does not end the match is better, and then a longer one
			r := playRound(rules, start, random)
			if best.tokens == nil || best.over && !r.over || best.over == r.over && r.bytes > best.bytes {
				best = r
			}
		}
		tokens = append(tokens, best.tokens...)
	}
	return tokens[:len(tokens)-best.after], best.decides
}

// roundPlayed is a round of random moves.
type roundPlayed struct {
	tokens  []string
	bytes   int
	last    engine.Position
	over    bool        // whether the match is over
	decides engine.Seat // who played the last move that is no pass
	after   int         // number of tokens from that move on
}

// playRound plays a round. It prefers moves that capture nothing.
func playRound(rules engine.Ruleset, start engine.Position, random *rand.Rand) (r roundPlayed) {
	const looks = 6
	for m := engine.NewMatch(rules, start); len(m.Rounds()) == 0; {
		p, legal := m.Position(), m.Legal()
		move := legal[random.IntN(len(legal))]
		for range looks {
			other := legal[random.IntN(len(legal))]
			after, end := rules.Play(p, other)
			if end == engine.Going && after.Store(engine.South) == p.Store(engine.South) &&
				after.Store(engine.North) == p.Store(engine.North) {
				move = other
				break
			}
		}
		token := move.Token(p.Side())
		r.tokens, r.bytes, r.after = append(r.tokens, token), r.bytes+1+len(token), r.after+1
		if !move.Pass() {
			r.decides, r.after = p.Side(), 1
		}
		m.Play(move)
		r.last, r.over = m.Position(), m.Over()
	}
	return r
}
