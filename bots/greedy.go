package bots

import (
	"math"

	"sembra/arena/protocol"
	"sembra/engine"
)

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
