package check

import (
	"math/rand/v2"
	"slices"
	"strings"

	"sembra/engine"
	"sembra/results"
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
	add := func(kind string, is bool, p engine.Position) {
		known := func(s spot) bool { return s.kind == kind && s.start.Side() == p.Side() }
		if is && !slices.ContainsFunc(spots, known) {
			spots = append(spots, spot{kind, p})
		}
	}
	for range matches {
		m := results.Conditions{}.Begin(rules, rules.Start())
		var late engine.Position
		for ply := 0; !m.Over(); ply++ {
			p, legal := m.Position(), m.Legal()
			if !m.Passes() {
				add("an opening", ply >= 3 && ply <= 5, p)
				add("a single move", len(legal) == 1, p)
				add("the filling of a row", p.Phase() == engine.PhaseFill, p)
				add("the choice of a start hole", p.Phase() == engine.PhaseStart, p)
				first, _, _ := strings.Cut(legal[0].Token(p.Side()), "=")
				add("a claim or a take", first == "claim" || first == "take", p)
			}
			if len(legal) > 1 {
				late = p
			}
			_ = m.Play(legal[random.IntN(len(legal))].Token(p.Side()), 0, nil) // it is legal
		}
		add("the end of a match", late != engine.Position{}, late) // a tiny board may leave no choice at all
	}
	return spots
}
