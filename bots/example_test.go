package bots_test

import (
	"fmt"
	"os"
	"strings"

	"sembra/arena/protocol"
	"sembra/bots"
	"sembra/engine"
)

// heaviest plays the hole with the most seeds.
type heaviest struct{}

func (heaviest) Identity() protocol.Identity { return protocol.Identity{Name: "heaviest"} }

func (heaviest) SetOption(protocol.OptionValue) error { return nil }

func (heaviest) NewMatch(protocol.NewMatch) {}

func (heaviest) Choose(m *engine.Match, _ protocol.Limits, _ func(protocol.Info)) engine.Move {
	p := m.Position()
	seeds := func(move engine.Move) int {
		hole, ok := move.Hole()
		if !ok {
			return 0
		}
		return p.Seeds(p.Side(), hole)
	}
	best := m.Legal()[0]
	for _, move := range m.Legal() {
		if seeds(move) > seeds(best) {
			best = move
		}
	}
	return best
}

// A bot in Go is a Player. Its main function calls Serve with os.Stdin and
// os.Stdout.
func ExampleServe() {
	says := `mbi 1
isready
newmatch awale north seed 71532
isready
position startpos moves C
go
position startpos moves C a B
go
quit
`
	if err := bots.Serve(strings.NewReader(says), os.Stdout, heaviest{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// id name heaviest
	// mbiok
	// readyok
	// readyok
	// bestmove a
	// bestmove b
}
