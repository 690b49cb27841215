package engine_test

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"sembra/engine"
)

// lastPly plays moves from a position and returns the last of them.
func lastPly(t *testing.T, r engine.Ruleset, start engine.Position, tokens []string) engine.Ply {
	t.Helper()
	m := engine.NewMatch(r, start)
	var ply engine.Ply
	for _, token := range tokens {
		move, err := m.Find(token)
		if err != nil {
			t.Fatal(err)
		}
		ply = engine.Ply{Before: m.Position(), Move: move}
		m.Play(move)
		ply.After = m.Position()
	}
	return ply
}

func TestBoard(t *testing.T) {
	for _, c := range []struct {
		what, ruleset, start, tokens string
		style                        engine.BoardStyle
		want                         string
	}{
		{
			"a start", "awale", "4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0", "", engine.BoardASCII, `
  awale

             f     e     d     c     b     a
          +-----+-----+-----+-----+-----+-----+
  North   |  4  |  4  |  4  |  4  |  4  |  4  |   store  0
          +-----+-----+-----+-----+-----+-----+
> South   |  4  |  4  |  4  |  4  |  4  |  4  |   store  0
          +-----+-----+-----+-----+-----+-----+
             A     B     C     D     E     F

  South is to sow.
  Sowings since the last capture: 0 of 100.
`,
		},
		{
			"North to move, many seeds", "oware", "1,2,3,0,5,6/10,0,5,12,1,0 2-1 N sow 1 7", "", engine.BoardASCII, `
  oware

             f     e     d     c     b     a
          +-----+-----+-----+-----+-----+-----+
> North   |  0  |  1  | 12  |  5  |  0  | 10  |   store  1
          +-----+-----+-----+-----+-----+-----+
  South   |  1  |  2  |  3  |  0  |  5  |  6  |   store  2
          +-----+-----+-----+-----+-----+-----+
             A     B     C     D     E     F

  North is to sow.
  Sowings since the last capture: 7 of 100.
`,
		},
		{
			"a sowing", "oware", "4,2,6,3,0,2/2,4,3,8,1,13 0-0 N sow 1 17", "d", engine.BoardASCII, `
  oware

  North sowed d: 8 seeds to e f A B C D E F; took 3 from F.

             f     e     d     c     b     a
          +-----+-----+-----+-----+-----+-----+
  North   | 14  |  2  |  0  |  3  |  4  |  2  |   store  3
          | +1  | +1  | -8  |     |     |     |         +3
          +-----+-----+-----+-----+-----+-----+
          | +1  | +1  | +1  | +1  | +1  | -2  |
> South   |  5  |  3  |  7  |  4  |  1  |  0  |   store  0
          +-----+-----+-----+-----+-----+-----+
             A     B     C     D     E     F

  South is to sow.
  Sowings since the last capture: 0 of 100.
`,
		},
		{
			"a sowing that ends the match", "awale", "0,0,0,0,0,1/1,1,0,0,0,0 22-23 S sow 1 3", "F", engine.BoardASCII, `
  awale

  South sowed F: 1 seed to a; took 2 from a.
  The round is over: North cannot move. North swept 1 from its row.

             f     e     d     c     b     a
          +-----+-----+-----+-----+-----+-----+
  North   |  0  |  0  |  0  |  0  |  0  |  0  |   store 24
          |     |     |     |     | -1  | -1  |         +1
          +-----+-----+-----+-----+-----+-----+
          |     |     |     |     |     | -1  |         +2
  South   |  0  |  0  |  0  |  0  |  0  |  0  |   store 24
          +-----+-----+-----+-----+-----+-----+
             A     B     C     D     E     F

  The match is over: a draw (South 24, North 24).
`,
		},
		{
			"decided early", "awale", "0,0,0,0,1,0/0,0,0,0,0,4 25-18 N over 1 0", "", engine.BoardASCII, `
  awale

             f     e     d     c     b     a
          +-----+-----+-----+-----+-----+-----+
  North   |  4  |  0  |  0  |  0  |  0  |  0  |   store 18
          +-----+-----+-----+-----+-----+-----+
  South   |  0  |  0  |  0  |  0  |  1  |  0  |   store 25
          +-----+-----+-----+-----+-----+-----+
             A     B     C     D     E     F

  The match is over: South has won (South 25, North 18). South has more than
  half of the seeds.
`,
		},
		{
			"decided early by a sowing", "awale", "0,0,0,0,1,1/1,0,0,0,0,4 23-18 S sow 1 0", "F", engine.BoardLines, `
  awale

  South sowed F: 1 seed to a; took 2 from a.
  The round is over: South has more than half of the seeds.

             f     e     d     c     b     a
          ┌─────┬─────┬─────┬─────┬─────┬─────┐
  North   │  4  │  0  │  0  │  0  │  0  │  0  │   store 18
          │     │     │     │     │     │ -1  │
          ├─────┼─────┼─────┼─────┼─────┼─────┤
          │     │     │     │     │     │ -1  │         +2
  South   │  0  │  0  │  0  │  0  │  1  │  0  │   store 25
          └─────┴─────┴─────┴─────┴─────┴─────┘
             A     B     C     D     E     F

  The match is over: South has won (South 25, North 18).
`,
		},
		{
			"no legal move", "oware", "0,0,0,0,0,0/0,0,0,0,0,0 24-24 S sow 1 0", "", engine.BoardASCII, `
  oware

             f     e     d     c     b     a
          +-----+-----+-----+-----+-----+-----+
  North   |  0  |  0  |  0  |  0  |  0  |  0  |   store 24
          +-----+-----+-----+-----+-----+-----+
> South   |  0  |  0  |  0  |  0  |  0  |  0  |   store 24
          +-----+-----+-----+-----+-----+-----+
             A     B     C     D     E     F

  South is to move, but has no legal move.
  Sowings since the last capture: 0 of 100.
`,
		},
		{
			"marked and closed holes", "bechi", "6,x,x,6/0,9*,2,1* 14-10 S sow 3 2 first=N", "", engine.BoardASCII, `
  bechi, round 3 of 8, North began

             d     c     b     a
          +-----+-----+-----+-----+
  North   |  1* |  2  |  9* |  0  |   store 10
          +-----+-----+-----+-----+
> South   |  6  |/////|/////|  6  |   store 14
          +-----+-----+-----+-----+
             A     B     C     D

  South is to sow.
  Sowings since the last capture: 2 of 100.

  *  sown from in this round     /////  closed
`,
		},
		{
			"the same with lines", "bechi", "6,x,x,6/0,9*,2,1* 14-10 S sow 3 2 first=N", "D", engine.BoardLines, `
  bechi, round 3 of 8, North began

  South sowed D: 6 seeds to D a b c d A.

             d     c     b     a
          ┌─────┬─────┬─────┬─────┐
► North   │  2* │  3  │ 10* │  1  │   store 10
          │ +1  │ +1  │ +1  │ +1  │
          ├─────┼─────┼─────┼─────┤
          │ +1  │░░░░░│░░░░░│ -5  │
  South   │  7  │░░░░░│░░░░░│  1* │   store 14
          └─────┴─────┴─────┴─────┘
             A     B     C     D

  North is to sow.
  Sowings since the last capture: 3 of 100.

  *  sown from in this round     ░░░░░  closed
`,
		},
		{
			"a row to fill", "bechi", "6,6,6,6/0,0,0,0 4-20 N fill 3 0 first=S", "", engine.BoardASCII, `
  bechi, round 3 of 8, South begins

             d     c     b     a
          +-----+-----+-----+-----+
> North   |  0  |  0  |  0  |  0  |   store 20
          +-----+-----+-----+-----+
  South   |  6  |  6  |  6  |  6  |   store  4
          +-----+-----+-----+-----+
             A     B     C     D

  North is to fill its row: 3 holes with 6 seeds.
  Sowings since the last capture: 0 of 100.
`,
		},
		{
			"a row filled", "bechi", "6,6,6,6/0,0,0,0 4-20 N fill 3 0 first=S", "fill=6.0.6.6", engine.BoardASCII, `
  bechi, round 3 of 8, South begins

  North filled its row: 6 each to a c d.

             d     c     b     a
          +-----+-----+-----+-----+
  North   |  6  |  6  |/////|  6  |   store  2
          | +6  | +6  |/////| +6  |        -18
          +-----+-----+-----+-----+
          |     |     |     |     |
> South   |  6  |  6  |  6  |  6  |   store  4
          +-----+-----+-----+-----+
             A     B     C     D

  South is to sow.
  Sowings since the last capture: 0 of 100.

  /////  closed
`,
		},
		{
			"a pass to come", "bechi", "6*,1*,0*,1/1*,1,1,1* 18-18 N sow 2 7 first=S", "", engine.BoardASCII, `
  bechi, round 2 of 8, South began

             d     c     b     a
          +-----+-----+-----+-----+
> North   |  1* |  1  |  1  |  1* |   store 18
          +-----+-----+-----+-----+
  South   |  6* |  1* |  0* |  1  |   store 18
          +-----+-----+-----+-----+
             A     B     C     D

  North cannot sow and is to pass.
  Sowings since the last capture: 7 of 100.

  *  sown from in this round
`,
		},
		{
			"a player out", "bechi", "0*,2,0*,0/0*,0,0,0* 3-43 S sow 4 7 first=N", "B", engine.BoardASCII, `
  bechi, round 4 of 8, North began

  South sowed B: 2 seeds to B A.
  Round 4 is over: nobody can sow. South swept 2 from its row.

             d     c     b     a
          +-----+-----+-----+-----+
  North   |  0* |  0  |  0  |  0* |   store 43
          |     |     |     |     |
          +-----+-----+-----+-----+
          |     | -2  |     |     |         +2
  South   |  0* |  0* |  0* |  0  |   store  5
          +-----+-----+-----+-----+
             A     B     C     D

  The match is over: North has won (South 5, North 43). South is out.

  *  sown from in this round
`,
		},
		{
			"either way", "bechi-2x3", "0*,3,1/1*,3*,7 11-10 S sow 2 7 first=N", "B+", engine.BoardASCII, `
  bechi-2x3, round 2 of 8, North began

  South sowed B: 3 seeds to B C a; took 2 from a.

             c     b     a
          +-----+-----+-----+
> North   |  7  |  3* |  0* |   store 10
          |     |     | -1  |
          +-----+-----+-----+
          |     | -2  | +1  |         +2
  South   |  0* |  1* |  2  |   store 13
          +-----+-----+-----+
             A     B     C

  North is to sow.
  Sowings since the last capture: 0 of 100.

  *  sown from in this round
`,
		},
		{
			"a round that ends", "buqruru", "0,0,1,1/0,0,0,0 32-14 S sow 2 7 first=N opened=SN donkeys=0-1", "C", engine.BoardASCII, `
  buqruru, round 3 of 8, South begins

  South sowed C: 1 seed to D; took 2 from D.
  Round 2 is over: the board is empty.
  Round 3 is set up, South begins.

             d     c     b     a
          +-----+-----+-----+-----+
> North   |  0  |  0  |  0  |  0  |   store 14   donkeys 1
          +-----+-----+-----+-----+
  South   |  6  |  6  |  6  |  6  |   store 10   donkeys 0
          +-----+-----+-----+-----+
             A     B     C     D

  North is to fill its row: 2 holes with 6 seeds and one hole with 2 seeds.
  Sowings since the last capture: 0 of 100.

  donkeys  owed by the other player
`,
		},
		{
			"donkeys decide", "buqruru", "0,0,0,0/0,0,0,0 20-28 N over 8 1 first=S opened=SN donkeys=2-1", "", engine.BoardASCII, `
  buqruru, round 8 of 8, South began

             d     c     b     a
          +-----+-----+-----+-----+
  North   |  0  |  0  |  0  |  0  |   store 28   donkeys 1
          +-----+-----+-----+-----+
  South   |  0  |  0  |  0  |  0  |   store 20   donkeys 2
          +-----+-----+-----+-----+
             A     B     C     D

  The match is over: South has won (South 20, North 28). Round 8 was the last,
  and the donkeys decide: 2 owed to South, 1 to North.

  donkeys  owed by the other player
`,
		},
		{
			"start holes to choose", "buqruru-bellin", "6,6,6,6/6,6,6,6 0-0 S start 1 0 first=S opened=- start=-,- donkeys=0-0", "", engine.BoardASCII, `
  buqruru-bellin, round 1 of 8, South begins

             d     c     b     a
          +-----+-----+-----+-----+
  North   |  6  |  6  |  6  |  6  |   store  0   donkeys 0
          +-----+-----+-----+-----+
> South   |  6  |  6  |  6  |  6  |   store  0   donkeys 0
          +-----+-----+-----+-----+
             A     B     C     D

  South is to choose a start hole.
  Sowings since the last capture: 0 of 100.
`,
		},
		{
			"a start hole chosen", "buqruru-bellin", "6,6,6,6/6,6,6,6 0-0 S start 1 0 first=S opened=- start=-,- donkeys=0-0", "start=C", engine.BoardASCII, `
  buqruru-bellin, round 1 of 8, South begins

  South chose C as its start hole.

             d     c     b     a
          +-----+-----+-----+-----+
> North   |  6  |  6  |  6  |  6  |   store  0   donkeys 0
          |     |     |     |     |
          +-----+-----+-----+-----+
          |     |     |     |     |
  South   |  6  |  6  | [6] |  6  |   store  0   donkeys 0
          +-----+-----+-----+-----+
             A     B     C     D

  North is to choose a start hole.
  Sowings since the last capture: 0 of 100.

  [ ]  start hole
`,
		},
		{
			"seeds for both", "buqruru-bellin", "6,2,13,6/1,x,4,x 6-10 S sow 3 0 first=S opened=SN start=C,a donkeys=1-0", "C21", engine.BoardLines, `
  buqruru-bellin, round 3 of 8, South began

  South sowed C: 13 seeds, 3 to D, 2 each to a c A B C; took 12 from A B; North
  took 6 from c.

             d     c     b     a
          ┌─────┬─────┬─────┬─────┐
► North   │░░░░░│  0  │░░░░░│ [3] │   store 16   donkeys 0
          │░░░░░│ -4  │░░░░░│ +2  │         +6
          ├─────┼─────┼─────┼─────┤
          │ -6  │ -2  │-11  │ +3  │        +12
  South   │  0  │  0  │ [2] │  9  │   store 18   donkeys 1
          └─────┴─────┴─────┴─────┘
             A     B     C     D

  North is to sow from a.
  Sowings since the last capture: 0 of 100.

  [ ]  start hole     ░░░░░  erased     donkeys  owed by the other player
`,
		},
		{
			"erased holes", "buqruru-ludii", "6,2,3,6/6,x,4,x 11-10 N sow 3 0 first=S opened=SN start=C,a donkeys=1-0", "a2", engine.BoardASCII, `
  buqruru-ludii, round 3 of 8, South began

  North sowed a: 6 seeds, 2 each to c A B; took 18 from c A B.

             d     c     b     a
          +-----+-----+-----+-----+
  North   |/////|  0  |/////| [0] |   store 28   donkeys 0
          |/////| -4  |/////| -6  |        +18
          +-----+-----+-----+-----+
          | -6  | -2  |     |     |
> South   |  0  |  0  | [3] |  6  |   store 11   donkeys 1
          +-----+-----+-----+-----+
             A     B     C     D

  South is to sow from C.
  Sowings since the last capture: 0 of 100.

  [ ]  start hole     /////  erased     donkeys  owed by the other player
`,
		},
		{
			"a seed free to take, a capture missed", "redu", "0,1,0,2,1,0/0,1,2,0,0,1 20-20 S sow 1 3 take=- missed=-", "B", engine.BoardASCII, `
  redu

  South sowed B: 1 seed to e.

             f     e     d     c     b     a
          +-----+-----+-----+-----+-----+-----+
> North   |  1  | (1) |  0  |  2  |  1  |  0  |   store 20
          |     | +1  |     |     |     |     |
          +-----+-----+-----+-----+-----+-----+
          |     | -1  |     |     |     |     |
  South   |  0  |  0  |  0  |  2  |  1! |  0  |   store 20
          +-----+-----+-----+-----+-----+-----+
             A     B     C     D     E     F

  North may first claim the capture missed from E and take the seed in e, then
  is to sow.
  Sowings since the last capture: 4 of 100.

  ( )  may be taken     !  capture missed
`,
		},
		{
			"the position alone", "redu", "0,0,0,2,1,0/0,1,2,0,1,1 20-20 N sow 1 4 take=e:turn missed=E", "", engine.BoardLines, `
  redu

             f     e     d     c     b     a
          ┌─────┬─────┬─────┬─────┬─────┬─────┐
► North   │  1  │ (1) │  0  │  2  │  1  │  0  │   store 20
          ├─────┼─────┼─────┼─────┼─────┼─────┤
  South   │  0  │  0  │  0  │  2  │  1! │  0  │   store 20
          └─────┴─────┴─────┴─────┴─────┴─────┘
             A     B     C     D     E     F

  North may first claim the capture missed from E, then is to sow, or to take
  the seed in e instead.
  Sowings since the last capture: 4 of 100.

  ( )  may be taken     !  capture missed
`,
		},
	} {
		r := lookup(t, c.ruleset)
		p := parse(t, r, c.start)
		got := engine.Board(r, p, c.style)
		if c.tokens != "" {
			got = engine.BoardAfter(r, lastPly(t, r, p, strings.Fields(c.tokens)), c.style)
		}
		diff(t, c.ruleset+", "+c.what, "\n"+got, c.want)
	}
}

func TestBoardOfLimit(t *testing.T) {
	r, err := engine.WithRounds(lookup(t, "bechi"), 3)
	if err != nil {
		t.Fatal(err)
	}
	start := parse(t, r, "2,1*,0*,1/1*,0,1,1* 20-21 S sow 3 7 first=N")
	got := engine.BoardAfter(r, lastPly(t, r, start, []string{"A"}), engine.BoardASCII)
	diff(t, "last round", "\n"+got, `
  bechi, round 3 of 3, North began

  South sowed A: 2 seeds to A d; took 2 from d.
  Round 3 is over: nobody can sow. South swept 3 from its row, North 2.

             d     c     b     a
          +-----+-----+-----+-----+
  North   |  0* |  0  |  0  |  0* |   store 23
          | -1  | -1  |     | -1  |         +2
          +-----+-----+-----+-----+
          | -2  | -1  |     | -1  |         +5
  South   |  0* |  0* |  0* |  0  |   store 25
          +-----+-----+-----+-----+
             A     B     C     D

  The match is over: South has won (South 25, North 23). Round 3 was the last.

  *  sown from in this round
`)
}

func TestTell(t *testing.T) {
	for _, c := range []struct{ ruleset, start, tokens, want string }{
		{
			"awale", "4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0", "C",
			"South sowed C: 4 seeds to D E F a.",
		},
		{
			"awale", "1,1,9,6,3,2/2,0,4,1,0,16 0-3 N sow 1 4", "f",
			"North sowed f: 16 seeds, 2 each to A B C D E, 1 each to F a b c d e.",
		},
		{
			"oware", "0,0,0,0,0,2/1,1,0,0,0,0 22-22 S sow 1 3", "F",
			"South sowed F: 2 seeds to a b.\nThe round is over: North cannot move. North swept 4 from its row.",
		},
		{
			"awale", "1,0,0,0,0,0/1,0,0,0,0,0 23-23 S sow 1 0", "A a B b C c D d E e F f",
			"North sowed f: 1 seed to A.\nThe round is over: a position came back. South swept 1 from its row, North 1.",
		},
		{
			"awale", "1,0,0,0,0,0/1,0,0,0,0,0 22-24 S sow 1 98", "A a",
			"North sowed a: 1 seed to b.\nThe round is over: 100 sowings in a row captured nothing. South swept 1 from its row, North 1.",
		},
		{
			"bechi", "6*,1*,0*,1/1*,1,1,1* 18-18 N sow 2 7 first=N", "pass",
			"North could not sow and passed.",
		},
		{
			"bechi", "2,1*,0*,1/1*,0,1,1* 20-21 S sow 2 7 first=N", "A",
			"South sowed A: 2 seeds to A d; took 2 from d.\nRound 2 is over: nobody can sow. South swept 3 from its row, North 2.\nRound 3 is set up, South begins.",
		},
		{
			"bechi", "2,1*,0*,1/1*,0,1,1* 20-21 S sow 2 7 first=N", "A fill=6.6.6.0",
			"North filled its row: 6 each to a b c.",
		},
		{
			"buqruru", "6,6,6,6/0,0,0,0 4-20 N fill 3 0 first=S opened=- donkeys=1-0", "fill=6.2.6.6",
			"North filled its row: 6 each to a c d, 2 to b.",
		},
		{
			"buqruru", "6,6,6,6/0,0,0,0 23-1 N fill 3 0 first=S opened=- donkeys=1-0", "fill=0.1.0.0",
			"North filled its row: 1 to b.",
		},
		{
			"buqruru", "0,0,0,1/1,0,0,0 46-0 S sow 2 7 first=N opened=SN donkeys=0-1", "D",
			"South sowed D: 1 seed to a; took 2 from a.\nRound 2 is over: the board is empty. North owes South 2 donkeys more.",
		},
		{
			"buqruru", "0,0,0,0/1,1,0,0 0-46 N sow 2 7 first=N opened=SN donkeys=0-1", "b",
			"North sowed b: 1 seed to a; took 2 from a.\nRound 2 is over: the board is empty. South owes North 2 donkeys more.",
		},
		{
			"buqruru-bellin", "6,6,6,6/6,6,6,6 0-0 S start 1 0 first=S opened=- start=-,- donkeys=0-0", "start=C start=a C1",
			"South sowed C: 6 seeds to D a b c d A.",
		},
		{
			"buqruru-bellin", "0,2,1,0/1,2,2,0 20-20 S sow 3 0 first=S opened=SN start=C,d donkeys=1-0", "C1",
			"South sowed C: 1 seed to D.\nNeither start hole holds a seed: both are given up.",
		},
		{
			"buqruru-bellin", "0,2,0,0/1,2,3,0 20-20 S sow 3 0 first=S opened=SN start=C,a donkeys=1-0", "pass",
			"South could not sow and passed.",
		},
		{
			"buqruru-ludii", "6,2,3,6/6,x,4,x 11-10 N sow 3 0 first=S opened=SN start=C,a donkeys=1-0", "a3",
			"North sowed a: 6 seeds, 3 each to c A.",
		},
		{
			"buqruru-ludii", "0,0,8,0/0,0,0,0 20-20 S sow 3 0 first=S opened=SN start=C,a donkeys=1-0", "C4",
			"South sowed C: 8 seeds, 4 each to D a; took 8 from D a.\nRound 3 is over: the board is empty.\nRound 4 is set up, South begins.",
		},
		{
			"buqruru-ludii", "0,0,1,0/0,0,0,1 23-23 S sow 3 0 first=S opened=SN start=C,a donkeys=1-0", "C1",
			"South sowed C: 1 seed to D.\nNeither start hole holds a seed: both are given up.",
		},
		{
			"redu", "0,1,0,2,1,0/0,1,2,0,0,1 20-20 S sow 1 3 take=- missed=-", "D+",
			"South sowed D: 2 seeds to E b; took 2 from b.",
		},
		{
			"redu", "0,1,0,2,1,0/0,1,2,0,0,1 20-20 S sow 1 3 take=- missed=-", "D- claim=E",
			"North claimed the capture missed from E: took 2 from E b.",
		},
		{
			"redu", "0,1,0,2,1,0/0,1,2,0,0,1 20-20 S sow 1 3 take=- missed=-", "D- take",
			"North took the seed in d as its whole turn.",
		},
		{
			"redu", "1,1,0,3,1,0/0,1,2,0,0,0 20-19 S sow 1 3 take=- missed=-", "A take",
			"North took the seed in f.",
		},
		{
			"redu", "1,1,0,3,1,0/0,1,2,0,0,1 19-19 S sow 1 3 take=- missed=-", "AB+",
			"South sowed A and B: 2 seeds to C d.",
		},
		{
			"redu", "0,1,1,3,1,0/0,1,1,0,0,1 20-19 N sow 1 3 take=- missed=-", "bc-",
			"North sowed b and c: 2 seeds to a F.",
		},
		{
			"redu", "1,1,0,9,1,0/0,1,2,0,0,0 15-18 S sow 1 3 take=- missed=-", "D-ob",
			"South sowed D: 9 seeds to c C d B e A f E b.",
		},
		{
			"redu", "13,1,0,0,1,0/0,1,2,0,0,0 12-18 S sow 1 3 take=- missed=-", "A+k",
			"South sowed A: 13 seeds, 2 each to B e d, 1 each to C D c E b F a.",
		},
		{
			"redu", "0,0,0,0,0,1/1,0,0,0,0,0 24-22 S sow 1 3 take=- missed=-", "F",
			"South sowed F: 1 seed to a; took 2 from a.\nThe round is over: South has more than half of the seeds.",
		},
	} {
		r := lookup(t, c.ruleset)
		ply := lastPly(t, r, parse(t, r, c.start), strings.Fields(c.tokens))
		diff(t, c.ruleset+", "+c.tokens, engine.Tell(r, ply), c.want)
	}
}

// TestBoardOfRandomMatches shows of every position of random matches that its
// board is whole in both styles, and that what is told of a move is what it did.
func TestBoardOfRandomMatches(t *testing.T) {
	matches := 10
	if testing.Short() {
		matches = 2
	}
	for _, r := range engine.Rulesets() {
		random := rand.New(rand.NewPCG(1, 2))
		for range matches {
			m := engine.NewMatch(r, r.Start())
			checkBoards(t, r, m.Position(), func(style engine.BoardStyle) string { return engine.Board(r, m.Position(), style) })
			for !m.Over() && !t.Failed() {
				legal := m.Legal()
				ply := engine.Ply{Before: m.Position(), Move: legal[random.IntN(len(legal))]}
				rounds := len(m.Rounds())
				m.Play(ply.Move)
				ply.After = m.Position()
				checkBoards(t, r, ply.After, func(style engine.BoardStyle) string { return engine.BoardAfter(r, ply, style) })
				last := ply.After
				if len(m.Rounds()) > rounds {
					last = m.Rounds()[rounds].Position
				}
				checkTold(t, r, ply, last)
				if t.Failed() {
					t.Fatalf("%s, %s after %s:\n%s", r.Info().Name, ply.Move.Token(ply.Before.Side()),
						engine.Text(r, ply.Before), engine.BoardAfter(r, ply, engine.BoardASCII))
				}
			}
		}
	}
}

// checkBoards looks at the boards of a position in both styles.
func checkBoards(t *testing.T, r engine.Ruleset, p engine.Position, draw func(engine.BoardStyle) string) {
	t.Helper()
	ascii := draw(engine.BoardASCII)
	lines := strings.NewReplacer(
		"┌", "+", "┬", "+", "┐", "+", "├", "+", "┼", "+", "┤", "+", "└", "+", "┴", "+", "┘", "+",
		"─", "-", "│", "|", "░", "/", "►", ">",
	).Replace(draw(engine.BoardLines))
	diff(t, "with lines", lines, ascii)
	if rows := strings.Count(ascii, "\n"); rows > 22 {
		t.Errorf("%d rows are more than a terminal shows", rows)
	}
	for line := range strings.Lines(ascii) {
		text, ended := strings.CutSuffix(line, "\n")
		if !ended || len(text) > 79 || len(text) != utf8.RuneCountInString(text) || text != strings.TrimRight(text, " ") {
			t.Errorf("bad line %q", line)
		}
	}
	for seat, name := range []string{engine.South: "South", engine.North: "North"} {
		diff(t, "row of "+name, drawnRow(ascii, name), wantedRow(r, p, engine.Seat(seat)))
	}
}

// drawnRow returns what stands in the cells of a player's row, from the
// player's left, and beside it.
func drawnRow(board, name string) string {
	_, row, _ := strings.Cut(board, name+"   |")
	row, _, _ = strings.Cut(row, "\n")
	cells := strings.Split(row, "|")
	beside := cells[len(cells)-1]
	cells = cells[:len(cells)-1]
	if name == "North" {
		for i, j := 0, len(cells)-1; i < j; i, j = i+1, j-1 {
			cells[i], cells[j] = cells[j], cells[i]
		}
	}
	return strings.Join(strings.Fields(strings.Join(append(cells, beside), " ")), " ")
}

// wantedRow returns what drawnRow should.
func wantedRow(r engine.Ruleset, p engine.Position, s engine.Seat) string {
	var parts []string
	for hole := range r.Info().Holes {
		count := strconv.Itoa(p.Seeds(s, hole))
		start, chosen := p.StartHole(s)
		take, _, takable := p.Takable()
		switch {
		case p.Closed(s, hole):
			count = "/////"
		case p.Marked(s, hole):
			count += "*"
		case chosen && start == hole:
			count = "[" + count + "]"
		case takable && s == p.Side() && take == hole:
			count = "(" + count + ")"
		case s != p.Side() && p.Missed(hole):
			count += "!"
		}
		parts = append(parts, count)
	}
	parts = append(parts, "store", strconv.Itoa(p.Store(s)))
	if strings.Contains(engine.Text(r, p), "donkeys=") {
		parts = append(parts, "donkeys", strconv.Itoa(p.Donkeys(s)))
	}
	return strings.Join(parts, " ")
}

// checkTold does to the position before a ply what is told of it, and compares
// the seeds with those of the position after it, the last of its round.
func checkTold(t *testing.T, r engine.Ruleset, ply engine.Ply, last engine.Position) {
	t.Helper()
	told := engine.Tell(r, ply)
	b := toldBoard{holes: map[byte]int{}, stores: map[string]int{}}
	b.read(r, ply.Before)
	b.play(ply, told)
	want := toldBoard{holes: map[byte]int{}, stores: map[string]int{}}
	want.read(r, last)
	diff(t, told, b.holes, want.holes)
	diff(t, told, b.stores, want.stores)
}

// toldBoard is the seeds by the names of the holes and the players.
type toldBoard struct {
	holes  map[byte]int
	stores map[string]int
}

const (
	southLetters = "ABCDEF"
	northLetters = "abcdef"
)

func (b toldBoard) read(r engine.Ruleset, p engine.Position) {
	for hole := range r.Info().Holes {
		b.holes[southLetters[hole]] = p.Seeds(engine.South, hole)
		b.holes[northLetters[hole]] = p.Seeds(engine.North, hole)
	}
	b.stores["South"], b.stores["North"] = p.Store(engine.South), p.Store(engine.North)
}

// play does what is told.
func (b toldBoard) play(ply engine.Ply, told string) {
	first, rest, _ := strings.Cut(told, "\n")
	who, what, _ := strings.Cut(strings.TrimSuffix(first, "."), " ")
	sowed, takings, _ := strings.Cut(what, "; ")
	number := func(text string) int {
		n, _ := strconv.Atoi(text)
		return n
	}
	if m := regexp.MustCompile(`^sowed (\w)(?: and (\w))?: (\d+) seeds?,? (.*)$`).FindStringSubmatch(sowed); m != nil {
		b.holes[m[1][0]] = 0
		if m[2] != "" {
			b.holes[m[2][0]] = 0
		}
		b.drop(m[4], number(m[3]))
	}
	if m := regexp.MustCompile(`^filled its row: (.*)$`).FindStringSubmatch(sowed); m != nil {
		b.stores[who] -= b.drop(m[1], 0)
	}
	if name, ok := strings.CutPrefix(strings.TrimSuffix(sowed, " as its whole turn"), "took the seed in "); ok {
		b.take(who, name)
	}
	if _, names, ok := strings.Cut(sowed, "took 2 from "); ok {
		b.take(who, names)
	}
	if _, names, ok := strings.Cut(sowed, "took 3 from "); ok {
		b.take(who, names)
	}
	for taking := range strings.SplitSeq(takings, "; ") {
		m := regexp.MustCompile(`^(?:(\w+) )?took (\d+) from (.*)$`).FindStringSubmatch(taking)
		if m == nil {
			continue
		}
		taker := who
		if m[1] != "" {
			taker = m[1]
		}
		before := b.stores[taker]
		b.take(taker, m[3])
		if b.stores[taker] != before+number(m[2]) {
			b.stores["wrong number taken"]++
		}
	}
	if m := regexp.MustCompile(`(\w+) swept (\d+) from its row(?:, North (\d+))?`).FindStringSubmatch(rest); m != nil {
		b.sweep(m[1], number(m[2]))
		b.sweep("North", number(m[3]))
	}
}

// drop adds seeds as told: "2 each to C D, 1 to E", or so many "to C D E". It
// returns how many they were.
func (b toldBoard) drop(told string, seeds int) (dropped int) {
	for _, m := range regexp.MustCompile(`(?:(\d+) (?:each )?)?to ([A-Fa-f ]+)`).FindAllStringSubmatch(told, -1) {
		names := strings.Fields(m[2])
		each, err := strconv.Atoi(m[1])
		if err != nil {
			each = seeds / len(names)
		}
		for _, name := range names {
			b.holes[name[0]] += each
			dropped += each
		}
	}
	if seeds > 0 && dropped != seeds {
		b.stores["wrong number sown"]++
	}
	return dropped
}

func (b toldBoard) take(who, names string) {
	for _, name := range strings.Fields(names) {
		b.stores[who] += b.holes[name[0]]
		b.holes[name[0]] = 0
	}
}

func (b toldBoard) sweep(who string, seeds int) {
	if seeds == 0 {
		return
	}
	letters := southLetters
	if who == "North" {
		letters = northLetters
	}
	before := b.stores[who]
	for hole := range b.holes {
		if strings.IndexByte(letters, hole) >= 0 {
			b.take(who, string(hole))
		}
	}
	if b.stores[who] != before+seeds {
		b.stores["wrong number swept"]++
	}
}
