package check

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

// findSpots finds a position of each kind that occurs in the ruleset, for both
// seats if possible. It searches random matches, which are always the same.
func findSpots(rules engine.Ruleset) (spots []spot) {
	const matches = 60
	random := rand.New(rand.NewPCG(1, 2))
	for range matches {
		m := engine.NewMatch(rules, rules.Start())
		var late engine.Position
		for ply := 0; !m.Over(); ply++ {
			p, legal := m.Position(), m.Legal()
			for _, kind := range kindsOf(p, legal, ply) {
				spots = addSpot(spots, kind, p)
			}
			if len(legal) > 1 {
				late = p
			}
			m.Play(legal[random.IntN(len(legal))])
		}
		spots = addSpot(spots, "the end of a match", late)
	}
	return spots
}

// addSpot adds a position if it is the first of its kind and seat.
func addSpot(spots []spot, kind string, p engine.Position) []spot {
	if slices.ContainsFunc(spots, func(s spot) bool { return s.kind == kind && s.start.Side() == p.Side() }) {
		return spots
	}
	return append(spots, spot{kind, p})
}

// kindsOf returns the kinds of a position with these legal moves.
func kindsOf(p engine.Position, legal []engine.Move, ply int) (kinds []string) {
	if legal[0].Pass() {
		return nil
	}
	claims := slices.ContainsFunc(legal, func(move engine.Move) bool {
		word, _, _ := strings.Cut(move.Token(p.Side()), "=")
		return word == "claim" || word == "take"
	})
	for _, kind := range []struct {
		name string
		is   bool
	}{
		{"an opening", ply >= 3 && ply <= 5},
		{"a single move", len(legal) == 1},
		{"the filling of a row", p.Phase() == engine.PhaseFill},
		{"the choice of a start hole", p.Phase() == engine.PhaseStart},
		{"a claim or a take", claims},
	} {
		if kind.is {
			kinds = append(kinds, kind.name)
		}
	}
	return kinds
}
