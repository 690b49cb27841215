package bots

import (
	"time"

	"sembra/arena/protocol"
	"sembra/engine"
)

// Advise returns a good move for the side to move, which has at least one. It searches
// like the built-in bot minimax, for about the given time.
func Advise(m *engine.Match, within time.Duration) engine.Move {
	return new(minimax).Choose(m, protocol.Limits{Move: within}, func(protocol.Info) {})
}
