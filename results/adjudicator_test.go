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

// readPlies reads plies: the seat, then the score, nothing where there was none, or "pass" where
// nobody was asked.
func readPlies(t *testing.T, text string) []toldPly {
	t.Helper()
	var plies []toldPly
	for _, word := range strings.Fields(text) {
		ply := toldPly{asked: word[1:] != "pass"}
		if word[0] == 'N' {
			ply.seat = engine.North
		}
		if told := word[1:]; ply.asked && told != "" {
			score, err := strconv.ParseFloat(told, 64)
			must(t, err)
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
		{"limit at once", "awale", south, limit(1, "stores"), "S N", "south", 1},
		{"limit, donkeys first", "buqruru-bellin", donkey, limit(1, "stores"), "N", "north", 1},

		{"South wins", "awale", level, win, "S20 N-20 S20 N-20 S20", "south", 4},
		{"North wins", "awale", level, win, "S-25 N99 S-20 N20", "north", 4},
		{"one ply too few", "awale", level, win, "S20 N-20 S20", "", 0},
		{"just not enough", "awale", level, win, "S20 N-20 S19.9 N-20 S20 N-20", "", 0},
		{"begun anew", "awale", level, win, "S20 N-20 S19.9 N-20 S20 N-20 S20", "south", 7},
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

// FuzzAdjudicator: what is kept of a match ply by ply decides like the rule's own words over all plies
// so far; and with the seats exchanged the other side wins.
func FuzzAdjudicator(f *testing.F) {
	f.Add([]byte{0, 4, 0, 0}, []byte{0x18, 0x09, 0x18, 0x09, 0x18})
	f.Add([]byte{9, 3, 4, 5}, []byte{0x28, 0x29, 0x28, 0x05, 0x29, 0x28, 0x29, 0x28, 0x29})
	f.Add([]byte{0, 2, 2, 0}, []byte{0x18, 0x18, 0x18, 0x09})
	f.Fuzz(func(t *testing.T, numbers, told []byte) {
		if len(numbers) != 4 || len(told) > 64 {
			return
		}
		rule := Adjudication{Plies: int(numbers[0] % 70), WinPlies: int(numbers[1] % 9), DrawPlies: int(numbers[2] % 9)}
		if rule.Plies > 0 {
			rule.By = "stores"
		}
		if rule.WinPlies > 0 {
			rule.WinScore = 2
		}
		if rule.DrawPlies > 0 {
			rule.DrawScore, rule.DrawAfter = 1, int(numbers[3]%9)
		}
		if rule.Check() != nil {
			return
		}
		var plies, mirrored []toldPly
		for _, b := range told {
			ply := toldPly{seat: engine.Seat(b & 1), asked: b&6 != 6}
			if score := float64(b>>3&7) - 3; ply.asked && b&6 != 4 {
				ply.score = &score
			}
			plies = append(plies, ply)
			ply.seat = ply.seat.Other()
			mirrored = append(mirrored, ply)
		}
		awale := must2(engine.Lookup("awale"))
		south := must2(engine.ParsePosition(awale, "4,4,4,4,4,3/4,4,4,4,4,4 1-0 S sow 1 0"))
		north := must2(engine.ParsePosition(awale, "4,4,4,4,4,4/4,4,4,4,4,3 0-1 S sow 1 0"))

		result, after := adjudicate(&rule, plies, south)
		wantResult, wantAfter := "", 0
		for n := 1; n <= len(plies) && wantAfter == 0; n++ {
			if wantResult = byDefinition(rule, plies[:n]); wantResult != "" {
				wantAfter = n
			}
		}
		if result != wantResult || after != wantAfter {
			t.Errorf("%+v: %q after %d plies, not %q after %d", rule, result, after, wantResult, wantAfter)
		}
		other, otherAfter := adjudicate(&rule, mirrored, north)
		if swapped := map[string]string{"south": "north", "north": "south"}[result]; swapped != "" {
			result = swapped
		}
		if other != result || otherAfter != after {
			t.Errorf("%+v: with the seats exchanged %q after %d plies, not %q after %d", rule, other, otherAfter, result, after)
		}
	})
}

// byDefinition is the result after all of the plies, where South has the larger store.
func byDefinition(rule Adjudication, plies []toldPly) string {
	if rule.Plies > 0 && len(plies) >= rule.Plies {
		return "south"
	}
	agreed := func(least int, tells func(seat engine.Seat, score float64) bool) bool {
		count, seats := 0, make(map[engine.Seat]bool)
		for i := len(plies) - 1; i >= 0; i-- {
			ply := plies[i]
			if !ply.asked {
				continue
			}
			if ply.score == nil || !tells(ply.seat, *ply.score) {
				break
			}
			count++
			seats[ply.seat] = true
		}
		return least > 0 && count >= least && len(seats) == 2
	}
	for _, winner := range []engine.Seat{engine.South, engine.North} {
		if agreed(rule.WinPlies, func(seat engine.Seat, score float64) bool {
			return seat == winner && score >= rule.WinScore || seat != winner && score <= -rule.WinScore
		}) {
			return winner.String()
		}
	}
	if len(plies) >= rule.DrawAfter && agreed(rule.DrawPlies, func(_ engine.Seat, score float64) bool {
		return max(score, -score) <= rule.DrawScore
	}) {
		return "draw"
	}
	return ""
}
