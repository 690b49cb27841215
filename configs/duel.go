package configs

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"sembra/arena"
	"sembra/arena/guest"
)

// Duel is a tournament that a command line describes.
type Duel struct {
	Ruleset   string
	Bots      []Bot
	Pairs     int
	Seed      int
	Isolation string            // a mode
	Time      arena.TimeControl // of [ParseTime]
}

// duelPlies is the number of random plies of an opening of a duel.
const duelPlies = 6

// ParseTime reads a time control: a time for each move, such as 100ms, or a time for
// the match and, after +, what every turn adds to it, such as 5s+50ms. The times are
// in the forms of a tournament file, and have its limits.
func ParseTime(text string) (t arena.TimeControl, err error) {
	const longest = 1000 * time.Hour
	parts, times := strings.SplitN(text, "+", 2), []*time.Duration{&t.Move}
	if len(parts) == 2 {
		times = []*time.Duration{&t.Base, &t.Increment}
	}
	for i, part := range parts {
		if *times[i], err = time.ParseDuration(part); err != nil {
			return t, fmt.Errorf("%q must be a time for each move, like 100ms, "+
				"or a time for the match and the increment of a turn, like 5s+50ms", text)
		}
		if least := time.Duration(1-i) * time.Millisecond; *times[i] < least || *times[i] > longest {
			return t, fmt.Errorf("%q must be a time from %v to %gh", part, least, longest.Hours())
		}
	}
	return t, nil
}

// Config returns the tournament that a file with the same content would describe.
// All other keys have their defaults. A mistake is an [*Error] without a line.
func (duel Duel) Config() (*Config, error) {
	here, err := filepath.Abs(".")
	if err != nil {
		return nil, err
	}
	d := &document{file: "duel"}
	f := defaults(d.file)
	f.Tournament.Ruleset, f.Tournament.Pairs, f.Tournament.Seed = duel.Ruleset, duel.Pairs, uint64(duel.Seed)
	f.Openings.Plies = duelPlies
	f.Time.Move, f.Time.Base, f.Time.Increment = duel.Time.Move, duel.Time.Base, duel.Time.Increment
	f.Isolation.Mode = duel.Isolation
	var bots []guest.Entry
	for _, b := range duel.Bots {
		bots = append(bots, b.Entry(here))
	}
	return read(d, f, bots, false)
}
