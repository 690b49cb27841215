package engine_test

import (
	"errors"
	"testing"

	"sembra/engine"
)

// TestKeys checks that texts of every phase and key are read and written back.
func TestKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ ruleset, text string }{
		{"bechi", "6,6,6,6/6,6,6,6 0-0 S sow 1 0 first=S"},
		{"bechi", "0*,7,1*,x/3,0,x,6* 20-11 N sow 3 99 first=N"},
		{"bechi", "0,0,0,0/6,6,6,6 14-10 S fill 2 0 first=N"},
		{"bechi", "6,6,6,6/0,0,0,0 1-23 N fill 8 0 first=N"},
		{"bechi", "0*,0,0*,x/0,0,0,0* 20-28 N over 8 100 first=S"},
		{"bechi", "x,x,x,x/6,6,6,6 5-19 S sow 2 0 first=S"},
		{"bechi-2x3", "6,6,6/6,6,6 0-0 S sow 1 0 first=S"},
		{"bechi-2x3", "0,0,0/6,6,6 17-1 S fill 2 0 first=S"},
		{"buqruru", "6,6,6,6/6,6,6,6 0-0 S sow 1 0 first=S opened=- donkeys=0-0"},
		{"buqruru", "0,0,0,0/6,6,6,6 1-23 S fill 2 0 first=N opened=- donkeys=0-3"},
		{"buqruru", "48,0,0,0/0,0,0,0 0-0 N sow 4 17 first=S opened=SN donkeys=2-1"},
		{"buqruru", "0,0,0,0/0,0,0,0 48-0 N over 4 17 first=S opened=N donkeys=60-59"},
		{"buqruru-bellin", "6,6,6,6/6,6,6,6 0-0 S start 1 0 first=S opened=- start=-,- donkeys=0-0"},
		{"buqruru-bellin", "6,6,6,6/6,6,6,6 0-0 N start 1 0 first=S opened=- start=D,- donkeys=0-0"},
		{"buqruru-bellin", "6,6,6,6/6,6,2,x 0-10 N sow 2 3 first=S opened=S start=-,c donkeys=0-0"},
		{"buqruru-bellin", "0,6,6,6/6,6,2,x 6-10 N sow 2 3 first=S opened=S start=A,- donkeys=0-0"},
		{"buqruru-ludii", "0,0,0,0/x,x,x,0 47-1 N over 2 3 first=S opened=SN start=-,- donkeys=1-0"},
		{"redu", "4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0 take=- missed=-"},
		{"redu", "2,4,4,4,4,1/1,4,4,4,4,1 5-6 S sow 1 3 take=F:turn missed=a,f"},
		{"redu", "1,4,4,4,4,1/1,4,4,4,4,2 5-6 N sow 1 3 take=a:free missed=A,F"},
		{"redu", "1,4,4,4,4,1/0,0,0,0,0,1 26-3 N over 1 3 take=- missed=-"},
	} {
		r := lookup(t, c.ruleset)
		diff(t, "text", engine.Text(r, parse(t, r, c.text)), c.text)
	}
}

// badKey is a refused position text of a ruleset, and the error.
type badKey struct{ ruleset, text, want string }

// badKeys returns texts whose marks, phases and keys do not fit together.
func badKeys() []badKey {
	const (
		bechi   = "bechi"
		buqruru = "buqruru"
		bellin  = "buqruru-bellin"
		redu    = "redu"
	)
	return []badKey{
		// Rows.
		{bechi, "x*,6,6,6/6,6,6,6 6-0 S sow 2 0 first=S", `column 2: hole A is closed, so it cannot be marked`},
		{bechi, "6,6x,6,6/6,6,6,6 0-0 S sow 2 0 first=S", `column 3: hole B is "6x", a number expected`},
		{bechi, "6,6,6,6/6,6**,6,6 0-0 S sow 2 0 first=S", `column 11: hole b is "6*", a number expected`},
		{bechi, "6,6,6,6/*,6,6,6 6-0 S sow 2 0 first=S", `column 9: hole a is "", a number expected`},
		{bechi, "6,6,6,6/X,6,6,6 6-0 S sow 2 0 first=S", `column 9: hole a is "X", a number expected`},
		{bechi, "6,6,6,6/5,6,6,6 0-0 S sow 2 0 first=S", `column 17: 47 seeds in the holes and 0 in the stores make 47, but bechi has 48`},
		{bechi, "6,6,6/6,6,6 0-0 S sow 2 0 first=S", `column 1: 3 holes in the row of south, but bechi has 4`},
		{"bechi-2x3", "6,6,6/6,6,6 12-0 S sow 2 0 first=S", `column 13: 36 seeds in the holes and 12 in the stores make 48, but bechi-2x3 has 36`},
		{buqruru, "6*,6,6,6/6,6,6,6 0-0 S sow 2 0 first=S opened=- donkeys=0-0", `column 1: hole A is "6*", a number expected`},
		{buqruru, "x,6,6,6/6,6,6,6 6-0 S sow 2 0 first=S opened=- donkeys=0-0", `column 1: hole A is "x", a number expected`},
		{redu, "x,4,4,4,4,4/4,4,4,4,4,4 4-0 S sow 1 0 take=- missed=-", `column 1: hole A is "x", a number expected`},

		// Phases.
		{bechi, "6,6,6,6/6,6,6,6 0-0 S start 1 0 first=S", `column 23: the phase is "start", sow or fill or over expected`},
		{redu, "4,4,4,4,4,4/4,4,4,4,4,4 0-0 S fill 1 0 take=- missed=-", `column 31: the phase is "fill", sow or over expected`},
		{bechi, "6,6,6,6/6,6,6,6 0-0 S sow 9 0 first=S", `column 27: the round is 9, but the limit of the match is 8 rounds`},
		{bechi, "6,6,6,6/6,6,6,6 0-0 S sow 2 100 first=S", `column 29: the quiet count is 100, 0 to 99 expected`},

		// Filling.
		{bechi, "6,0,0,0/6,6,6,6 8-10 S fill 2 0 first=N", `column 1: south is to fill its row, but the row is not empty: 0 in every hole expected`},
		{bechi, "0*,0,0,0/6,6,6,6 14-10 S fill 2 0 first=N", `column 1: south is to fill its row, but the row is not empty: 0 in every hole expected`},
		{bechi, "x,0,0,0/6,6,6,6 14-10 S fill 2 0 first=N", `column 1: south is to fill its row, but the row is not empty: 0 in every hole expected`},
		{bechi, "0,0,0,0/6,6,6,6* 14-10 S fill 2 0 first=N", `column 9: south is to fill its row, so the row of north must be full: 6 in every hole expected`},
		{bechi, "0,0,0,0/6,6,6,x 14-16 S fill 2 0 first=N", `column 9: south is to fill its row, so the row of north must be full: 6 in every hole expected`},
		{bechi, "0,0,0,0/0,0,0,0 24-24 S fill 2 0 first=N", `column 9: south is to fill its row, so the row of north must be full: 6 in every hole expected`},
		{bechi, "0,0,0,0/0,0,0,0 23-25 N fill 2 0 first=N", `column 1: north is to fill its row, so the row of south must be full: 6 in every hole expected`},
		{bechi, "0,0,0,0/6,6,6,6 24-0 S fill 2 0 first=N", `column 17: south is to fill its row, but with 24 seeds there is no choice: 6 to 23 expected`},
		{bechi, "6,6,6,6/0,0,0,0 19-5 N fill 2 0 first=N", `column 20: north is to fill its row, but with 5 seeds there is no choice: 6 to 23 expected`},
		{buqruru, "6,6,6,6/0,0,0,0 24-0 N fill 2 0 first=N opened=- donkeys=0-0", `column 20: north is to fill its row, but with 0 seeds there is no choice: 1 to 23 expected`},
		{bechi, "0,0,0,0/6,6,6,6 14-10 S fill 2 1 first=N", `column 32: the quiet count is 1 before the first sowing: 0 expected`},
		{buqruru, "0,0,0,0/6,6,6,6 14-10 S fill 2 0 first=N opened=S donkeys=0-0", `column 49: nobody has sown before the rows are filled: - expected`},
		{bellin, "0,0,0,0/6,6,6,6 14-10 S fill 2 0 first=N opened=- start=-,a donkeys=0-0", `column 57: nobody has a start hole before the rows are filled: -,- expected`},

		// Start holes.
		{bellin, "6,6,6,6/6,6,6,6 0-0 S start 1 100 first=S opened=- start=-,- donkeys=0-0", `column 31: the quiet count is 100, 0 to 99 expected`},
		{bellin, "6,6,6,6/6,6,6,6 0-0 S sow 1 0 first=S opened=- start=-,- donkeys=0-0", `column 54: neither player has a start hole to sow from`},
		{bellin, "6,6,6,6/6,6,6,6 0-0 S start 1 0 first=S opened=- start=B,- donkeys=0-0", `column 56: south is to choose a start hole, but has B already`},
		{bellin, "6,6,6,6/6,6,6,6 0-0 N start 1 0 first=S opened=- start=B,c donkeys=0-0", `column 56: north is to choose a start hole, but has c already`},
		{bellin, "0,0,0,0/6,6,6,6 24-0 S start 1 0 first=S opened=- start=-,- donkeys=0-0", `column 1: south is to choose a start hole, but has no seed in its row`},
		{bellin, "x,6,6,6/6,6,6,6 6-0 S sow 2 0 first=S opened=- start=A,b donkeys=0-0", `column 54: the start hole A of south is erased`},
		{bellin, "x,x,x,x/6,6,6,6 24-0 S sow 2 0 first=S opened=- start=-,b donkeys=0-0", `column 1: every hole of south is erased, so south would be out`},
		{bellin, "6,6,6,6/6,6,6,6 0-0 S sow 1 0 first=S opened=- start=a,b donkeys=0-0", `column 54: the start hole of south is "a", a hole of south expected, A to D`},
		{bellin, "6,6,6,6/6,6,6,6 0-0 S sow 1 0 first=S opened=- start=A,e donkeys=0-0", `column 56: the start hole of north is "e", a hole of north expected, a to d`},
		{bellin, "6,6,6,6/6,6,6,6 0-0 S sow 1 0 first=S opened=- start=A donkeys=0-0", `column 54: start is "A", a start hole or - for each player expected, as in C,-`},

		// Keys.
		{bechi, "6,6,6,6/6,6,6,6 0-0 S sow 1 0", `column 30: the text ends here, key "first=" expected`},
		{bechi, "6,6,6,6/6,6,6,6 0-0 S sow 1 0 ", `column 31: found "", key "first=" expected`},
		{bechi, "6,6,6,6/6,6,6,6 0-0 S sow 1 0 first=s", `column 37: first is "s", S or N expected`},
		{bechi, "6,6,6,6/6,6,6,6 0-0 S sow 1 0 first=S opened=-", `column 39: unknown key "opened=-": the text of bechi ends with first`},
		{bechi, "6,6,6,6/6,6,6,6 0-0 S sow 1 0 first=S ", `column 38: found a space at the end, nothing expected after the last field`},
		{buqruru, "6,6,6,6/6,6,6,6 0-0 S sow 1 0 opened=- first=S donkeys=0-0", `column 31: found "opened=-", key "first=" expected`},
		{buqruru, "6,6,6,6/6,6,6,6 0-0 S sow 1 0 first=S opened=NS donkeys=0-0", `column 46: opened is "NS", - or S or N or SN expected`},
		{buqruru, "6,6,6,6/6,6,6,6 0-0 S sow 1 0 first=S opened=- donkeys=0", `column 56: donkeys is "0", two numbers expected, as in 0-1`},
		{buqruru, "6,6,6,6/6,6,6,6 0-0 S sow 1 0 first=S opened=- donkeys=0-53", `column 58: donkeys owed to north is 53, 0 to 52 expected`},
		{buqruru, "6,6,6,6/6,6,6,6 0-0 S sow 1 0 first=S opened=- donkeys=00-1", `column 56: donkeys owed to south is "00", a number without leading zeros expected`},

		// Over.
		{bechi, "1,0,0,0/0,0,0,0 47-0 S over 2 0 first=S", `column 24: the match is over with 1 seeds left in the holes`},
		{redu, "1,0,0,0,0,1/0,0,0,0,0,1 30-15 S over 1 0 take=A:free missed=-", `column 47: nothing can be taken when the match is over: - expected`},
		{redu, "1,0,0,0,0,1/0,0,0,0,0,1 30-15 N over 1 0 take=- missed=A", `column 56: nothing can be claimed when the match is over: - expected`},

		// Take and missed.
		{redu, "0,4,4,4,4,4/4,4,4,4,4,4 4-0 S sow 1 0 take=A:free missed=-", `column 44: hole A holds 0 seeds, but only a single seed can be taken`},
		{redu, "2,2,4,4,4,4/4,4,4,4,4,4 4-0 S sow 1 0 take=A:free missed=-", `column 44: hole A holds 2 seeds, but only a single seed can be taken`},
		{redu, "1,3,4,4,4,4/4,4,4,4,4,4 4-0 N sow 1 0 take=A:free missed=-", `column 44: take is "A", a hole of north expected, a to f`},
		{redu, "1,3,4,4,4,4/4,4,4,4,4,4 4-0 S sow 1 0 take=A missed=-", `column 44: take is "A", a hole with :free or :turn expected, or -`},
		{redu, "1,3,4,4,4,4/4,4,4,4,4,4 4-0 S sow 1 0 take=A:both missed=-", `column 46: take is "A:both", :free or :turn expected`},
		{redu, "1,3,4,4,4,4/4,4,4,4,4,4 4-0 S sow 1 0 take=- missed=f", `column 53: hole f holds 4 and faces 1 in hole A, but only a hole of 1 that faces 1 or 2 can be missed`},
		{redu, "3,1,4,4,4,4/4,4,4,4,4,1 7-0 S sow 1 0 take=- missed=f", `column 53: hole f holds 1 and faces 3 in hole A, but only a hole of 1 that faces 1 or 2 can be missed`},
		{redu, "0,4,4,4,4,4/4,4,4,4,4,1 7-0 S sow 1 0 take=- missed=f", `column 53: hole f holds 1 and faces 0 in hole A, but only a hole of 1 that faces 1 or 2 can be missed`},
		{redu, "1,2,4,4,4,4/4,4,4,4,1,1 10-1 S sow 1 0 take=- missed=f,e", `column 56: hole e is out of order: each hole once expected, from its owner's left`},
		{redu, "1,2,4,4,4,4/4,4,4,4,1,1 10-1 S sow 1 0 take=- missed=f,f", `column 56: hole f is out of order: each hole once expected, from its owner's left`},
		{redu, "1,2,4,4,4,4/4,4,4,4,1,1 10-1 S sow 1 0 take=- missed=", `column 54: missed is "", a hole of north expected, a to f`},
		{redu, "4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0 missed=- take=-", `column 39: found "missed=-", key "take=" expected`},
	}
}

func TestBadKeys(t *testing.T) {
	t.Parallel()
	for _, c := range badKeys() {
		_, err := engine.ParsePosition(lookup(t, c.ruleset), c.text)
		var bad *engine.TextError
		if !errors.As(err, &bad) {
			t.Errorf("%s, %q: error %v", c.ruleset, c.text, err)
			continue
		}
		diff(t, c.ruleset+", "+c.text, err.Error(), "bad position text at "+c.want)
	}
}
