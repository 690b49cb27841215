package results

import (
	"strings"
	"testing"
)

func TestOutcomeNames(t *testing.T) {
	t.Parallel()
	for e := EndNormal; e <= EndAdjudicated; e++ {
		if got, err := ParseEnding(e.String()); err != nil || got != e {
			t.Errorf("%v: %v, %v", e, got, err)
		}
	}
	for r := SouthWins; r <= Void; r++ {
		if got, err := ParseResult(r.String()); err != nil || got != r {
			t.Errorf("%v: %v, %v", r, got, err)
		}
	}
	if _, err := ParseEnding("mate"); err == nil || !strings.Contains(err.Error(), `unknown ending "mate" (known: normal, cycle,`) {
		t.Error(err)
	}
	if _, err := ParseResult(""); err == nil {
		t.Error("an empty result was parsed")
	}
	if got := Ending(0).String() + Result(9).String(); got != "ending(0)result(9)" {
		t.Error(got)
	}
}

func TestMatchHash(t *testing.T) {
	t.Parallel()
	moves := []string{"A", "b"}
	hash := MatchHash("awale", "x", "y", "start", moves)
	if hash != MatchHash("awale", "x", "y", "start", []string{"A", "b"}) {
		t.Error("equal matches differ")
	}
	for _, other := range [][16]byte{
		MatchHash("oware", "x", "y", "start", moves),
		MatchHash("awale", "y", "x", "start", moves),
		MatchHash("awale", "xy", "", "start", moves),
		MatchHash("awale", "x", "y", "startA", moves[1:]),
		MatchHash("awale", "x", "y", "start", []string{"Ab"}),
		MatchHash("awale", "x", "y", "start", nil),
	} {
		if hash == other {
			t.Error("different matches are equal")
		}
	}
}
