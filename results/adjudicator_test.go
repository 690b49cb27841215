package results

import (
	"strconv"
	"strings"
	"testing"

	"sembra/engine"
)

// toldPly is a ply as an Adjudicator takes it.
type toldPly struct {
	seat  engine.Seat
	asked bool
	score *float64
}

// readPlies reads plies: the seat, then the score, nothing where there was none, or "pass" where nobody was asked.
func readPlies(t *testing.T, text string) []toldPly {
	t.Helper()
	var plies []toldPly
	for _, word := range strings.Fields(text) {
		ply := toldPly{asked: word[1:] != "pass"}
		if word[0] == 'N' {
			ply.seat = engine.North
		}
		if told := word[1:]; ply.asked && told != "" {
			score := must2(strconv.ParseFloat(told, 64))
			ply.score = &score
		}
		plies = append(plies, ply)
	}
	return plies
}

// adjudicate gives the first result, "" for none, and after how many plies.
func adjudicate(rule *Adjudication, plies []toldPly, p engine.Position) (result string, after int) {
	adjudicator := rule.Begin()
	for i, ply := range plies {
		if result, decided := adjudicator.Ply(ply.seat, ply.asked, ply.score, p); decided {
			return result.String(), i + 1
		}
	}
	return "", 0
}

func TestAdjudicator(t *testing.T) {
	t.Parallel()
	const (
		level  = "4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0"
		south  = "4,4,4,4,4,3/4,4,4,4,4,4 1-0 S sow 1 0"
		north  = "4,4,4,4,4,4/4,4,4,4,4,3 0-1 S sow 1 0"
		donkey = "6,2,3,6/6,x,4,x 11-10 N sow 3 0 first=S opened=SN start=C,a donkeys=0-1" // owed to North, who has less in store
	)
	limit := func(plies int, by string) *Adjudication { return &Adjudication{Plies: plies, By: by} }
	win := &Adjudication{WinScore: 20, WinPlies: 4}
	draw := &Adjudication{DrawScore: 0.5, DrawPlies: 4}
	later := &Adjudication{DrawScore: 0.5, DrawPlies: 4, DrawAfter: 7}
	both := &Adjudication{Plies: 5, By: "stores", WinScore: 20, WinPlies: 4, DrawScore: 1, DrawPlies: 2}
	for _, test := range []struct {
		name, ruleset, position string
		rule                    *Adjudication
		plies                   string
		result                  string
		after                   int
	}{
		{"no rule", "awale", south, nil, "S99 N-99 S99 N-99 S99 N-99", "", 0},
		{"an empty rule", "awale", south, &Adjudication{}, "S99 N-99 S0 N0 S99 N-99", "", 0},

		{"limit, South has more", "awale", south, limit(3, "stores"), "S N S N", "south", 3},
		{"limit, North has more", "awale", north, limit(3, "stores"), "S N S N", "north", 3},
		{"limit, as many", "awale", level, limit(3, "stores"), "S N S N", "draw", 3},
		{"limit, always a draw", "awale", south, limit(3, "draw"), "S N S N", "draw", 3},
		{"limit, passes count", "awale", south, limit(3, "stores"), "S Npass S", "south", 3},
		{"limit, not reached", "awale", south, limit(3, "stores"), "S N", "", 0},
		{"limit immediately", "awale", south, limit(1, "stores"), "S N", "south", 1},
		{"limit, donkeys first", "buqruru-bellin", donkey, limit(1, "stores"), "N", "north", 1},

		{"South wins", "awale", level, win, "S20 N-20 S20 N-20 S20", "south", 4},
		{"North wins", "awale", level, win, "S-25 N99 S-20 N20", "north", 4},
		{"one ply too few", "awale", level, win, "S20 N-20 S20", "", 0},
		{"just not enough", "awale", level, win, "S20 N-20 S19.9 N-20 S20 N-20", "", 0},
		{"begun again", "awale", level, win, "S20 N-20 S19.9 N-20 S20 N-20 S20", "south", 7},
		{"each for itself", "awale", level, win, "S20 N20 S20 N20 S20 N20", "", 0},
		{"each against itself", "awale", level, win, "S-20 N-20 S-20 N-20 S-20 N-20", "", 0},
		{"it turns", "awale", level, win, "S20 N-20 S20 N20 S-20 N20 S-20 N20", "north", 7},
		{"one tells nothing", "awale", level, win, "S20 N S20 N S20 N S20 N", "", 0},
		{"once nothing", "awale", level, win, "S20 N-20 S N-20 S20 N-20 S20", "south", 7},
		{"passes neither count", "awale", level, win, "S20 Npass S20 N-20 Spass", "", 0},
		{"nor break", "awale", level, win, "S20 Npass S20 N-20 Spass N-20", "south", 6},
		{"a turn of many plies is no agreement", "awale", level, win, "S20 S20 S20 S20 S20", "", 0},
		{"until the other agrees", "awale", level, win, "S20 S20 S20 S20 S20 N-20", "south", 6},
		{"a level match is no win", "awale", level, win, "S0 N0 S0 N0 S0", "", 0},

		{"a draw", "awale", level, draw, "S0 N0 S0.5 N-0.5 S0", "draw", 4},
		{"both see themselves ahead a little", "awale", level, draw, "S.5 N.5 S.5 N.5", "draw", 4},
		{"a little too much", "awale", level, draw, "S0 N0 S0.51 N0 S0 N0", "", 0},
		{"too little", "awale", level, draw, "S0 N0 S-0.51 N0 S0 N0 S0", "draw", 7},
		{"nothing breaks a draw", "awale", level, draw, "S0 N S0 N S0 N S0", "", 0},
		{"a pass does not", "awale", level, draw, "S0 N0 Spass N0 S0", "draw", 5},
		{"one bot draws alone", "awale", level, draw, "S0 S0 S0 S0", "", 0},
		{"a win is no draw", "awale", level, draw, "S20 N-20 S20 N-20", "", 0},
		{"not so early", "awale", level, later, "S0 N0 S0 N0 S0 N0 S0", "draw", 7},
		{"not by then", "awale", level, later, "S0 N0 S0 N0 S0 N0 S1 N0 S0 N0 S0", "draw", 11},
		{"at a pass", "awale", level, later, "S0 N0 S0 N0 S0 N0 Spass", "draw", 7},

		{"the win before the limit", "awale", south, both, "S-20 N20 S-20 N20 S-20", "north", 4},
		{"the draw before the limit", "awale", south, both, "S9 N0 S1 N9 S9", "draw", 3},
		{"the limit at last", "awale", south, both, "S9 N S1 N-20 S20", "south", 5},
		{"the limit before the win", "awale", south, both, "S9 N20 S-20 N20 S-20", "south", 5},
	} {
		position := must2(engine.ParsePosition(must2(engine.Lookup(test.ruleset)), test.position))
		result, after := adjudicate(test.rule, readPlies(t, test.plies), position)
		if result != test.result || after != test.after {
			t.Errorf("%s: %q after %d plies, not %q after %d", test.name, result, after, test.result, test.after)
		}
	}
}
