package results

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sembra/engine"
)

// adjudged makes it a match that the arena ended with a result.
func (r *trialRecord) adjudged(result Result) {
	r.lost(EndAdjudicated)
	r.Result, r.Fault = result, NoFault
}

// tell makes the bots say that South is ahead by so much, from a move on, counted from 1.
func (r *trialRecord) tell(from int, ahead float64) {
	r.Scores = slices.Grow([]*float64(nil), r.Plies)[:r.Plies]
	for i := from - 1; i < r.Plies; i++ {
		if r.Moves[i] == "pass" {
			continue
		}
		score := ahead
		if r.seats[i] == engine.North {
			score = -ahead
		}
		r.Scores[i] = &score
	}
}

// A match that was adjudicated is one by the rule of its tournament, exactly then and so, and others are none.
func TestVerifyAdjudication(t *testing.T) {
	t.Parallel()
	const number = 2
	c := cup(t, "awale", 1)
	key := newRoundRobin(c).Key(number)
	after := func(plies int) func(*Match) bool {
		return func(m *Match) bool { return len(m.Plies) == plies }
	}
	whole, nine := trialOf(t, c, key, 1, never), trialOf(t, c, key, 1, after(9))
	result, other := Draw, SouthWins
	if south, north := nine.Stores[0], nine.Stores[1]; south > north {
		result, other = SouthWins, Draw
	} else if south < north {
		result = NorthWins
	}
	limit := func(plies int, by string) *Adjudication { return &Adjudication{Plies: plies, By: by} }
	win := &Adjudication{WinScore: 20, WinPlies: 4}
	draw := &Adjudication{DrawScore: 0.5, DrawPlies: 4, DrawAfter: 9}
	adjudged := func(result Result) func(*trialRecord) {
		return func(r *trialRecord) { r.adjudged(result) }
	}
	const tooEarly = "it ended by adjudicated, but its tournament's adjudication does not end it after its last move"
	wentOn := func(of *trialRecord, move int) string {
		return fmt.Sprintf("move %d: %q comes after the end of the match (adjudicated)", move+1, of.Moves[move])
	}
	its := func(result Result, other Result) string {
		return fmt.Sprintf("its result is %v, but its moves make it %v", result, other)
	}
	endsIt := func(ending Ending, result Result) string {
		lost := Lost(nine.side, ending)
		lines := []string{its(lost.Result, result), fmt.Sprintf("its ending is %v, but its moves make it adjudicated", ending)}
		if lost.Fault != NoFault {
			lines = append(lines, fmt.Sprintf(`its fault is %q, but its moves make it ""`, nine.FaultName()))
		}
		if lost.Result == result {
			lines = lines[1:]
		}
		return strings.Join(append(lines, fmt.Sprintf("round 1: reason is %v, but its moves make it adjudicated", ending)), "\n")
	}
	told := func(result Result, from int, ahead float64) func(*trialRecord) {
		return func(r *trialRecord) { r.adjudged(result); r.tell(from, ahead) }
	}
	nothing := func(*trialRecord) {}
	for _, test := range []struct {
		name   string
		rule   *Adjudication
		of     *trialRecord
		change func(r *trialRecord)
		says   string // "" is nothing
	}{
		{"limit", limit(9, "stores"), nine, adjudged(result), ""},
		{"limit, a draw", limit(9, "draw"), nine, adjudged(Draw), ""},
		{"limit, another result", limit(9, "stores"), nine, adjudged(other), its(other, result)},
		{"no rule", nil, nine, adjudged(Draw), tooEarly},
		{"before the limit", limit(10, "stores"), nine, adjudged(result), tooEarly},
		{"beyond the limit", limit(8, "draw"), nine, adjudged(Draw), wentOn(nine, 8)},
		{"a crash beyond it", limit(8, "draw"), nine, nothing, wentOn(nine, 8)},
		{"a crash at the limit", limit(9, "draw"), nine, nothing, endsIt(EndCrash, Draw)},
		{"a crash before it", limit(10, "draw"), nine, nothing, ""},
		{"over before the limit", limit(whole.Plies+1, "draw"), whole, nothing, ""},
		{"over with the last ply", limit(whole.Plies, "draw"), whole, nothing, ""},
		{"over too late", limit(whole.Plies-1, "draw"), whole, nothing, wentOn(whole, whole.Plies-1)},

		{"agreed, South", win, nine, told(SouthWins, 6, 20), ""},
		{"agreed, North", win, nine, told(NorthWins, 6, -33), ""},
		{"agreed on the other", win, nine, told(NorthWins, 6, 20), its(NorthWins, SouthWins)},
		{"not agreed", win, nine, told(SouthWins, 7, 20), tooEarly},
		{"a score is gone", win, nine, func(r *trialRecord) { told(SouthWins, 6, 20)(r); r.Scores[7] = nil }, tooEarly},
		{"all scores are gone", win, nine, adjudged(SouthWins), tooEarly},
		{"agreed earlier", win, nine, told(SouthWins, 5, 20), wentOn(nine, 8)},
		{
			"agreed, and resigned", win, nine,
			func(r *trialRecord) { r.lost(EndResign); r.tell(6, 20) }, endsIt(EndResign, SouthWins),
		},
		{
			"agreed, and over by the rules", win, whole,
			func(r *trialRecord) { r.tell(6, 20) }, wentOn(whole, 9),
		},
		{"agreed with the last ply", win, whole, func(r *trialRecord) { r.tell(r.Plies-3, 20) }, ""},
		{"a draw", draw, nine, told(Draw, 3, 0.5), ""},
		{"a draw that somebody won", draw, nine, told(SouthWins, 3, 0), its(SouthWins, Draw)},
	} {
		c := c
		c.Adjudication = test.rule
		r := clone(test.of)
		test.change(r)
		equal(t, test.name, test.says, strings.Join(verifyOne(t, c, r.Record), "\n"))
	}
}

// A forced pass counts for the limit, and not for an agreement, which it does not break either.
func TestVerifyAdjudicationAtPasses(t *testing.T) {
	t.Parallel()
	const number = 2
	c := cup(t, "bechi", 1)
	key := newRoundRobin(c).Key(number)
	for seed := range uint64(1000) {
		whole := trialOf(t, c, key, seed, never)
		pass := slices.Index(whole.Moves, "pass") + 1
		if pass < 4 || pass+1 >= whole.Plies || whole.Moves[pass] == "pass" || whole.seats[pass-3] == whole.seats[pass-2] {
			continue
		}
		cut := func(plies int) *trialRecord {
			asked := 0
			return trialOf(t, c, key, seed, func(*Match) bool { asked++; return asked > plies })
		}

		r := cut(pass)
		r.adjudged(Draw)
		c.Adjudication = &Adjudication{Plies: pass, By: "draw"}
		if got := verifyOne(t, c, r.Record); len(got) > 0 {
			t.Errorf("the limit at a pass: %q", got)
		}

		r = cut(pass + 1)
		r.adjudged(SouthWins)
		r.tell(pass-2, 20)
		c.Adjudication = &Adjudication{WinScore: 20, WinPlies: 3}
		if got := verifyOne(t, c, r.Record); len(got) > 0 {
			t.Errorf("two plies, a pass and a ply: %q", got)
		}
		return
	}
	t.Fatal("no match has such a pass")
}
