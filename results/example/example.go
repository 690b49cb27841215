// Package example holds a tournament, records and matches for the tests of several packages. Only tests import it.
package example

import (
	"fmt"
	"strings"
	"time"

	"sembra/engine/expect"
	"sembra/results"
)

// Spring returns a tournament of the given bots.
func Spring(pairs int, bots ...string) results.Tournament {
	t := results.Tournament{Plan: results.Plan{
		Conditions: results.Conditions{Ruleset: "awale", Rounds: 1},
		Name:       "spring", Format: results.RoundRobin, Pairs: pairs, Bots: bots,
		Rating: results.Rating{Start: 1500, K: 16},
		Seed:   1, Programs: make(map[string]results.Program),
	}, Family: "spring"}
	list := make([]string, pairs)
	for i := range list {
		list[i] = fmt.Sprintf("opening %d", i+1)
	}
	t.Openings = list
	for _, bot := range bots {
		t.Programs[bot] = results.Program{Builtin: bot}
	}
	return t
}

// Record returns a whole record of a match with some result.
func Record(key results.Key, opening string, result results.Result) results.Record {
	moves := []string{"A", "b", "C"}
	r := results.Record{
		Summary: results.Summary{
			Key: key, Result: result, Ending: results.EndEarly, Stores: [2]int{26, 22},
			Rounds: 1, Plies: len(moves), Times: [2]time.Duration{3500 * time.Microsecond, 1},
			CPU:  [2]time.Duration{1234567 * time.Microsecond, results.UnknownCPU},
			Hash: results.MatchHash("awale", key.South, key.North, opening, moves),
		},
		Body: results.Body{
			Opening: opening, Moves: moves,
			Elapsed: []time.Duration{1500 * time.Microsecond, 1, 2 * time.Millisecond},
			Rounds:  []results.Round{{Start: "begun", Position: "end & over", Reason: "early", South: 26, North: 22}},
		},
	}
	if result == results.Void {
		r.Ending, r.Fault = results.EndStart, results.BothFault
	}
	return r
}

// Matches returns a list of matches in schedule order, each as "south north pair result", with a fault where
// a name stands behind it.
func Matches(matches ...string) []results.Numbered {
	var list []results.Numbered
	for i, text := range matches {
		fields := strings.Fields(text)
		result := expect.Value(results.ParseResult(fields[3]))
		key := results.Key{South: fields[0], North: fields[1], Pair: int(fields[2][0] - '0')}
		match := results.Numbered{Number: i + 1, Summary: Record(key, "opening", result).Summary}
		match.Hash[0] = byte(i) // all differ
		if len(fields) > 4 {
			match.Ending, match.Fault = results.EndIllegal, results.SouthFault
			if fields[4] == match.North {
				match.Fault = results.NorthFault
			}
		}
		list = append(list, match)
	}
	return list
}

// Meetings returns a tournament with matches to be counted by hand. They are, of a against b: the pairs WW, WL (South),
// DD and WD, half a pair, a repeat, a match without a result and two losses by a fault; a against c all split; b and c
// never met.
func Meetings() (results.Tournament, []results.Numbered) {
	tournament := Spring(9, "a", "b", "c")
	summaries := Matches(
		"a b 1 south b", "b a 1 north",
		"c a 1 south", "a c 1 south",
		"a b 2 south", "b a 2 south",
		"a b 3 draw", "b a 3 draw",
		"c a 2 south", "a c 2 south",
		"a b 4 south", "b a 4 draw",
		"a b 5 north a", "b a 5 void",
		"a b 6 south", "b a 6 south",
	)
	summaries[14].Hash = summaries[4].Hash // pair 6 as South again
	for i := range summaries {
		if summaries[i].South != "b" { // as a's and c's CPU time as South only
			summaries[i].CPU[0] = time.Duration(i+1) * time.Millisecond
		} else {
			summaries[i].CPU[0] = results.UnknownCPU
		}
		summaries[i].CPU[1] = results.UnknownCPU
	}
	return tournament, summaries
}
