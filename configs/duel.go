package configs

import (
	"cmp"
	"fmt"
	"strings"

	"sembra/arena/guest"
	"sembra/results"
)

// Duel is a tournament that a command line describes.
type Duel struct {
	Name      string // of the tournament; "": duel
	Ruleset   string
	Bots      []Bot
	Pairs     int
	Seed      int
	Isolation string        // a mode
	Openings  string        // a file with a list, or Start; "" are random ones
	Until     int           // a sequential test of two bots decides after at most so many pairs; 0: all pairs are played
	Time      string        // for each move, such as 100ms, or for the match and what every turn adds to it, such as 5s+50ms
	Nodes     int           // a limit for each move, with which Time may be "": there is then no clock; 0: none
	Read      []string      // paths that bots may read
	Pool      []guest.Entry // each of the bots plays all of these, and no other bot; nil: the bots play each other
}

// Start stands for the start position instead of a list of openings.
const Start = "startpos"

// duelPlies is the number of random plies of an opening of a duel.
const duelPlies = 6

// Config returns the tournament that a file with the same content would describe.
// All other keys have their defaults. A mistake is an [*Error] without a line.
func (duel Duel) Config() (*Config, error) {
	d := &document{file: cmp.Or(duel.Name, "duel"), places: make(map[string]int)}
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
	f.Isolation.Mode, f.Isolation.Read, f.Time.Nodes = duel.Isolation, duel.Read, uint64(duel.Nodes)
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
		bots = append(bots, b.Entry(fromFile(d, b.Dir)))
	}
	if duel.Pool != nil {
		f.Tournament.Format, f.Fewer = results.Gauntlet, true
		f.Tournament.Challengers = namesOf(duel.Bots, func(b Bot) string { return b.Name })
		bots = append(bots, duel.Pool...)
	}
	return read(d, f, bots)
}

// Pool reads the bots of a file that has nothing else. A mistake is an [*Error]; several are joined.
func Pool(path string, builtins []Builtin) ([]guest.Entry, error) {
	text, err := readFile(path)
	if err != nil {
		return nil, err
	}
	d, err := parse(path, text)
	if err != nil {
		return nil, err
	}
	f := defaults(d.file)
	d.decode("", d.tree, f.keys(path))
	for name := range d.tree {
		if name != "bot" {
			d.refuse(name, "the pool of a test has only bots, each under a line [[bot]]; flags give all else")
		}
	}
	if len(f.Bots) == 0 {
		d.refuse("bot", "the pool has no bots; each stands under a line [[bot]]")
	}
	return readBots(d, f.Bots, builtins), d.err()
}
