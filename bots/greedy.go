package bots

import (
	"math"

	"sembra/arena/protocol"
	"sembra/engine"
)

// greedy plays the move after which its lead is largest, of equal ones the
// first.
type greedy struct{}

func (greedy) Identity() protocol.Identity {
	return protocol.Identity{Name: "greedy", Author: "Sembra"}
}

func (greedy) SetOption(protocol.OptionValue) error { return nil }

func (greedy) NewMatch(protocol.NewMatch) {}

func (greedy) Choose(m *engine.Match, _ protocol.Limits, _ func(protocol.Info)) engine.Move {
	var best engine.Move
	most := math.MinInt
	seat := m.Position().Side()
	for _, move := range m.Legal() {
		// A round that ends is valued before the next is filled from the stores.
		after, _ := m.Rules().Play(m.Position(), move)
		if l := lead(after, seat); l > most {
			best, most = move, l
		}
	}
	return best
}

// lead is how many seeds a seat has captured more than the other.
func lead(p engine.Position, s engine.Seat) int { return p.Store(s) - p.Store(s.Other()) }
