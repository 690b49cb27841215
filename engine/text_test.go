package engine_test

import (
	"errors"
	"strings"
	"testing"

	"sembra/engine"
)

func TestText(t *testing.T) {
	t.Parallel()
	for _, r := range []engine.Ruleset{lookup(t, "awale"), lookup(t, "oware")} {
		diff(t, "start", engine.Text(r, r.Start()), "4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0")
		for _, text := range []string{
			"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0",
			"4,4,4,4,4,4/4,4,4,4,4,4 0-0 N sow 1 99",
			"1,2,3,4,5,6/6,5,4,3,2,1 2-4 N sow 1 7",
			"0,0,0,0,0,48/0,0,0,0,0,0 0-0 S sow 1 0",
			"0,0,0,0,0,0/48,0,0,0,0,0 0-0 S sow 1 0",
			"0,0,0,0,0,0/0,0,0,0,0,0 24-24 S over 1 0",
			"0,0,0,0,0,0/0,0,0,0,0,0 48-0 N over 1 100",
			"0,0,0,0,1,0/0,0,0,0,0,4 25-18 N over 1 0",
			// Play leads to none of these, but the text does not have to be reachable.
			"0,0,0,0,0,0/0,0,0,0,0,0 24-24 S sow 1 0",
			"0,0,0,0,0,0/1,0,0,0,0,0 23-24 S sow 1 0",
			"1,1,0,0,0,1/0,1,0,1,0,0 26-17 S sow 1 0",
		} {
			diff(t, "text", engine.Text(r, parse(t, r, text)), text)
		}
	}
}

func TestTextOfParts(t *testing.T) {
	t.Parallel()
	r := lookup(t, "oware")
	p := parse(t, r, "1,2,3,4,5,6/0,7,0,8,0,1 5-6 N sow 1 7")
	for hole, want := range []int{1, 2, 3, 4, 5, 6} {
		diff(t, "South's seeds", p.Seeds(engine.South, hole), want)
	}
	for hole, want := range []int{0, 7, 0, 8, 0, 1} {
		diff(t, "North's seeds", p.Seeds(engine.North, hole), want)
	}
	diff(t, "South's store", p.Store(engine.South), 5)
	diff(t, "North's store", p.Store(engine.North), 6)
	diff(t, "side", p.Side(), engine.North)
	diff(t, "phase", p.Phase(), engine.PhaseSow)
	diff(t, "round", p.Round(), 1)
	diff(t, "quiet", p.Quiet(), 7)
}

// badTexts returns refused position texts of awale, each with its error.
func badTexts() [][2]string {
	return [][2]string{
		// What is missing, from the front to the end.
		{"", `column 1: the text is empty`},
		{" ", `column 2: the text ends at the row of south, "/" expected after it`},
		{"4,4,4,4,4,4", `column 12: the text ends at the row of south, "/" expected after it`},
		{"4,4,4,4,4,4 0-0 S sow 1 0", `column 26: the text ends at the row of south, "/" expected after it`},
		{"4,4,4,4,4,4/4,4,4,4,4,4", `column 24: the text ends at the row of north, " " expected after it`},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0", `column 26: the text ends at South's store, "-" expected after it`},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0", `column 28: the text ends at North's store, " " expected after it`},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S", `column 30: the text ends at the side to move, " " expected after it`},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow", `column 34: the text ends at the phase, " " expected after it`},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1", `column 36: the text ends at the round, " " expected after it`},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 ", `column 37: the quiet count is "", a number expected`},

		// The number of holes.
		{"4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0", `column 1: 5 holes in the row of south, but awale has 6`},
		{"4,4,4,4,4,4/4,4,4,4,4,4,4 0-0 S sow 1 0", `column 13: 7 holes in the row of north, but awale has 6`},
		{"/4,4,4,4,4,4 0-0 S sow 1 0", `column 1: 1 holes in the row of south, but awale has 6`},

		// Numbers.
		{"4,4,x,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0", `column 5: hole C is "x", a number expected`},
		{"4,4,4*,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0", `column 5: hole C is "4*", a number expected`},
		{"4,4,,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0", `column 5: hole C is "", a number expected`},
		{"4,4,04,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0", `column 5: hole C is "04", a number without leading zeros expected`},
		{"4,4,+4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0", `column 5: hole C is "+4", a number expected`},
		{"4,4,-0,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0", `column 5: hole C is "-0", a number expected`},
		{"4,4,-4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0", `column 5: hole C is -4, 0 to 40 expected`},
		{"4,4,4,4,4,4/4,4,4,4,4,1e1 0-0 S sow 1 0", `column 23: hole f is "1e1", a number expected`},
		{"49,0,0,0,0,0/0,0,0,0,0,0 0-0 S sow 1 0", `column 1: hole A is 49, 0 to 48 expected`},
		{"256,0,0,0,0,0/0,0,0,0,0,0 0-0 S sow 1 0", `column 1: hole A is 256, 0 to 48 expected`},
		{
			"99999999999999999999,0,0,0,0,0/0,0,0,0,0,0 0-0 S sow 1 0",
			`column 1: hole A is 99999999999999999999, 0 to 48 expected`,
		},
		{"0,0,0,0,0,0/0,0,0,0,0,0 024-24 S over 1 0", `column 25: South's store is "024", a number without leading zeros expected`},
		{"0,0,0,0,0,0/0,0,0,0,0,0 49-0 S over 1 0", `column 25: South's store is 49, 0 to 48 expected`},
		{"0,0,0,0,0,0/0,0,0,0,0,0 -1-49 S over 1 0", `column 25: South's store is "", a number expected`},
		{"0,0,0,0,0,0/0,0,0,0,0,0 0--48 S over 1 0", `column 27: North's store is -48, 0 to 48 expected`},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 0 0", `column 35: the round is 0, 1 expected`},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 2 0", `column 35: the round is 2, 1 expected`},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 100", `column 37: the quiet count is 100, 0 to 99 expected`},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 -1", `column 37: the quiet count is -1, 0 to 99 expected`},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 00", `column 37: the quiet count is "00", a number without leading zeros expected`},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 ٣", `column 37: the quiet count is "\u0663", a number expected`},
		{"0,0,0,0,0,0/0,0,0,0,0,0 24-24 S over 1 101", `column 40: the quiet count is 101, 0 to 100 expected`},

		// Seeds.
		{
			"4,4,4,4,4,4/4,4,4,4,4,4 0-1 S sow 1 0",
			`column 25: 48 seeds in the holes and 1 in the stores make 49, but awale has 48`,
		},
		{
			"4,4,4,4,4,4/4,4,4,4,4,3 0-0 S sow 1 0",
			`column 25: 47 seeds in the holes and 0 in the stores make 47, but awale has 48`,
		},
		{
			"48,0,0,0,0,0/48,0,0,0,0,0 48-48 S sow 1 0",
			`column 27: 96 seeds in the holes and 96 in the stores make 192, but awale has 48`,
		},
		{"40,9,0,0,0,0/0,0,0,0,0,0 0-0 S sow 1 0", `column 4: hole B is 9, 0 to 8 expected`},

		// Words.
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 W sow 1 0", `column 29: the side to move is "W", S or N expected`},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 s sow 1 0", `column 29: the side to move is "s", S or N expected`},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S Sow 1 0", `column 31: the phase is "Sow", sow or over expected`},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S fill 1 0", `column 31: the phase is "fill", sow or over expected`},
		{
			"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S over 1 0",
			`column 31: the match is over with 48 seeds left in the holes, but no store holds more than 24`,
		},
		{
			"2,0,0,0,0,0/0,0,0,0,0,0 24-22 S over 1 0",
			`column 33: the match is over with 2 seeds left in the holes, but no store holds more than 24`,
		},

		// Spaces.
		{" 4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0", `column 1: hole A is " 4", a number expected`},
		{"4,4, 4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0", `column 5: hole C is " 4", a number expected`},
		{"4,4,4,4,4,4/4,4,4,4,4,4  0-0 S sow 1 0", `column 25: South's store is " 0", a number expected`},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0 0-0 S sow 1 0", `column 25: South's store is "0 0", a number expected`},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0  S sow 1 0", `column 29: the side to move is "", S or N expected`},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S  sow 1 0", `column 31: the phase is "", sow or over expected`},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1  0", `column 37: the quiet count is "", a number expected`},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0 ", `column 38: found a space at the end, nothing expected after the last field`},

		// Texts too long to be shown.
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0 " + strings.Repeat("k", 41), `column 39: unknown key "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"...: awale has none`},
		{strings.Repeat("9", 41) + ",4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0", `column 1: hole A is 9999999999999999999999999999999999999999..., 0 to 48 expected`},

		// Keys.
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0 first=S", `column 39: unknown key "first=S": awale has none`},
		{
			"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0 take=- missed=-",
			`column 39: unknown key "take=- missed=-": awale has none`,
		},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 100 first=S", `column 37: the quiet count is 100, 0 to 99 expected`},

		// Bytes that a terminal should not see.
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0\n", `column 37: the quiet count is "0\n", a number expected`},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0\x00", `column 37: the quiet count is "0\x00", a number expected`},
		{"4,4,4,4,4,4/4,4,4,4,4,4\t0-0 S sow 1 0", `column 23: hole f is "4\t0-0", a number expected`},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S \x1b[2J 1 0", `column 31: the phase is "\x1b[2J", sow or over expected`},
		{"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0 \x1b\xff", `column 39: unknown key "\x1b\xff": awale has none`},
	}
}

func TestBadText(t *testing.T) {
	t.Parallel()
	r := lookup(t, "awale")
	for _, c := range badTexts() {
		_, err := engine.ParsePosition(r, c[0])
		var bad *engine.TextError
		if !errors.As(err, &bad) {
			t.Errorf("%q: error %v", c[0], err)
			continue
		}
		diff(t, c[0], err.Error(), "bad position text at "+c[1])
	}
	_, err := engine.ParsePosition(lookup(t, "oware"), "4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0 first=S")
	diff(t, "oware", err.Error(), `bad position text at column 39: unknown key "first=S": oware has none`)
}

func TestAppendText(t *testing.T) {
	r := lookup(t, "oware")
	p := r.Start()
	diff(t, "appended", string(engine.AppendText([]byte("position "), r, p)), "position "+engine.Text(r, p))
	buffer := make([]byte, 0, 80)
	if got := testing.AllocsPerRun(10, func() { buffer = engine.AppendText(buffer[:0], r, p) }); got != 0 {
		t.Errorf("AppendText allocates %v times", got)
	}
}
