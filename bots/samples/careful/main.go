// Careful looks two plies ahead in every game. It uses the loop and the rules of
// Sembra.
//
//	go build
//	sembra check -- ./careful
package main

import (
	"log"
	"os"

	"sembra/arena/protocol"
	"sembra/bots"
	"sembra/engine"
)

// careful is a player without options and without a memory.
type careful struct{}

func (careful) Identity() protocol.Identity { return protocol.Identity{Name: "careful"} }

func (careful) SetOption(protocol.OptionValue) error { return nil }

func (careful) NewMatch(protocol.NewMatch) {}

// Choose returns the move after which the lead is largest, whatever the other side answers.
func (careful) Choose(m *engine.Match, _ protocol.Limits, _ func(protocol.Info)) engine.Move {
	rules, seat := m.Rules(), m.Position().Side()
	best, most := m.Legal()[0], -1000
	for _, move := range m.Legal() {
		after, end := rules.Play(m.Position(), move)
		least := lead(after, seat)
		if end == engine.Going && after.Side() != seat {
			for _, answer := range rules.Legal(after, nil) {
				next, _ := rules.Play(after, answer)
				least = min(least, lead(next, seat))
			}
		}
		if least > most {
			best, most = move, least
		}
	}
	return best
}

// lead returns how many more seeds a seat has captured than the other.
func lead(p engine.Position, seat engine.Seat) int { return p.Store(seat) - p.Store(seat.Other()) }

func main() {
	if err := bots.Serve(os.Stdin, os.Stdout, careful{}); err != nil {
		log.Fatal(err)
	}
}
