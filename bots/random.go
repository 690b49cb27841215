package bots

import (
	"math/rand/v2"

	"sembra/arena/protocol"
	"sembra/engine"
)

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
