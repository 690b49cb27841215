package configs

import (
	"fmt"
	"strings"

	"sembra/arena/guest"
)

// Duel is a tournament that a command line describes.
type Duel struct {
	Ruleset   string
	Bots      []Bot
	Pairs     int
	Seed      int
	Isolation string // a mode
	Openings  string // a file with a list, or Start; "" are random ones
	Until     int    // a sequential test of two bots decides after at most so many pairs; 0: all pairs are played
	Time      string // for each move, such as 100ms, or for the match and what every turn adds to it, such as 5s+50ms
	Nodes     int    // a limit for each move, with which Time may be "": there is then no clock; 0: none
}

// Start stands for the start position instead of a list of openings.
const Start = "startpos"

// duelPlies is the number of random plies of an opening of a duel.
const duelPlies = 6

// Config returns the tournament that a file with the same content would describe.
// All other keys have their defaults. A mistake is an [*Error] without a line.
func (duel Duel) Config() (*Config, error) {
	d := &document{file: "duel", places: make(map[string]int)}
	f := defaults(d.file)
	f.Tournament.Ruleset, f.Tournament.Pairs, f.Tournament.Seed = duel.Ruleset, duel.Pairs, uint64(duel.Seed)
	switch duel.Openings {
	case "":
		f.Openings.Plies = duelPlies
	case Start:
	default:
		f.Openings.File, d.places["openings.file"] = duel.Openings, 0
	}
	if duel.Until > 0 {
		f.MaxPairs, d.places["sprt"] = duel.Until, 0
	}
	f.Isolation.Mode, f.Time.Nodes = duel.Isolation, uint64(duel.Nodes)
	times := map[string]any{"move": duel.Time}
	if base, increment, both := strings.Cut(duel.Time, "+"); both {
		times = map[string]any{"base": base, "increment": increment}
	}
	if duel.Nodes > 0 && duel.Time == "" {
		times = nil
	}
	if d.decode("", map[string]any{"time": times}, f.keys(d.file)); len(d.wrong) > 0 {
		return nil, &Error{File: "--time", Problem: fmt.Sprintf("%q must be a time from 1ms to 1000h for each move, "+
			"like 100ms, or for the match and the increment of a turn, like 5s+50ms", duel.Time)}
	}
	var bots []guest.Entry
	for _, b := range duel.Bots {
		bots = append(bots, b.Entry(fromFile(d, ".")))
	}
	return read(d, f, bots)
}
