package report

import (
	"strings"
	"testing"

	"sembra/results"
)

// A field with a player who won everything, one who met nobody of the others, and a name that is too long.
func TestDifferences(t *testing.T) {
	t.Parallel()
	text := strings.ReplaceAll(`first,second,result,pair
b,c,1-0,1
c,b,1-0,1
b,c,1-0,2
c,b,1/2-1/2,2
LONG,d,1-0,1
d,LONG,1-0,1
LONG,b,1-0,1
b,LONG,1/2-1/2,1
top,b,1-0,1
b,top,0-1,1
x,y,1-0,1
`, "LONG", strings.Repeat("long", 20))
	list := must2(results.ReadGames(strings.NewReader(text), "games.csv"))
	ratings := must2(list.Rate("", 1500, 0))
	goldens(t, "differences", GameDifferences(ratings), Table, Markdown, CSV, JSON)
	ratings = must2(list.Rate("d", 1500, 2))
	goldens(t, "differences-prior", GameDifferences(ratings), Table)
	goldens(t, "rate-prior", GameRatings(ratings), Table)
	tournament, summaries := handCounted()
	s := standingsOf(t, tournament, summaries, nil)
	goldens(t, "differences-standings", StandingsDifferences(s, 20), Table, CSV, JSON)
	must(t, s.Rate(1000, 2))
	goldens(t, "standings-prior", Standings(s, 20, nil, nil), Table)
}

// In a field of clean sweeps there are an order and bounds.
func TestSweeps(t *testing.T) {
	t.Parallel()
	s := standingsOf(t, spring(1, "a", "b", "c"), scored("ab 1 ac 1 bc 1 cb 0 ca 0 ba 0"), nil)
	goldens(t, "sweeps", Standings(s, 6, nil, nil), Table)
	goldens(t, "sweeps-differences", StandingsDifferences(s, 6), Table)
}
