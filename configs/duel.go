package configs

import (
	"fmt"
	"strings"
	"time"

	"sembra/arena/protocol"
)

// Duel is a tournament that a command line describes.
type Duel struct {
	Ruleset   string
	Bots      []Bot
	Pairs     int
	Seed      int
	Isolation string // a mode
	Time      Time
}

// duelPlies is the number of random plies of an opening of a duel.
const duelPlies = 6

// Time is a time control on a command line.
type Time struct {
	Move            string // "100ms"; or
	Base, Increment string // "5s" and "50ms"
}

// longest is the longest time of a duel, as of a tournament file.
const longest = 1000 * time.Hour

// ParseTime reads a time control: a time for each move, such as 100ms, or a time for
// the match and, after +, what every turn adds to it, such as 5s+50ms. The times are
// in the forms of a tournament file.
func ParseTime(text string) (t Time, err error) {
	parts := strings.SplitN(text, "+", 2)
	for i, part := range parts {
		least := time.Millisecond
		if i > 0 {
			least = 0 // of an increment
		}
		switch duration, err := time.ParseDuration(part); {
		case err != nil:
			return Time{}, fmt.Errorf("%q must be a time for each move, like 100ms, "+
				"or a time for the match and the increment of a turn, like 5s+50ms", text)
		case duration < least:
			return Time{}, fmt.Errorf("%q is too short: a time must be at least %v", part, least)
		case duration > longest:
			return Time{}, fmt.Errorf("%q is too long: a time must be at most %gh", part, longest.Hours())
		}
	}
	if len(parts) == 1 {
		return Time{Move: text}, nil
	}
	return Time{Base: parts[0], Increment: parts[1]}, nil
}

// keys returns the keys of the table [time].
func (t Time) keys() map[string]any {
	if t.Base != "" || t.Increment != "" {
		return map[string]any{"base": t.Base, "increment": t.Increment}
	}
	return map[string]any{"move": t.Move}
}

// Config returns the tournament that a file with the same content would describe.
// All other keys have their defaults. A mistake is an [*Error] without a line.
func (duel Duel) Config(builtins []Builtin) (*Config, error) {
	var bots []any
	for _, b := range duel.Bots {
		bots = append(bots, b.keys())
	}
	d := newDocument("duel", nil, map[string]any{
		"tournament": map[string]any{
			"ruleset": duel.Ruleset, "pairs": int64(duel.Pairs), "seed": int64(duel.Seed),
		},
		"openings":  map[string]any{"plies": int64(duelPlies)},
		"time":      duel.Time.keys(),
		"isolation": map[string]any{"mode": duel.Isolation},
		"bot":       bots,
	})
	return configOf(d, builtins)
}

// keys returns the keys of the bot's table [[bot]].
func (b Bot) keys() map[string]any {
	keys := map[string]any{"name": b.Name}
	if b.Builtin != "" {
		keys["builtin"] = b.Builtin
	} else {
		var command []any
		for _, word := range b.Args {
			command = append(command, word)
		}
		keys["command"] = command
	}
	if b.Protocol != protocol.MBI {
		keys["protocol"] = protocol.UCI.String()
	}
	if b.Protocol == protocol.UCISpaced {
		keys["moves"] = spacedMoves
	}
	if len(b.Options) > 0 {
		options := make(map[string]any)
		for _, o := range b.Options {
			options[o.Name] = o.Value
		}
		keys["options"] = options
	}
	return keys
}
