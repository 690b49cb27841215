package results

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sembra/engine"
)

// swissEnd is a small tournament with byes, stages reached, repeats, ties and bots that cannot be rated.
func swissEnd() (Tournament, []Numbered, map[string]StageResult) {
	t := Tournament{Plan: Plan{
		Conditions: Conditions{Ruleset: "awale"},
		Name:       "end", Bots: []string{"a", "b", "c", "d", "e"}, Rating: Rating{1500, 16}, Pairs: 9,
	}}
	matches := scored("ab 1 ba 1 ac 1 ad 1 da = bc 1 bd = cd 1 dc 1 ab 1 ea 1")
	matches[9].Hash = matches[0].Hash
	return t, matches, map[string]StageResult{"c": {Byes: 1, ByePoints: 2, Reached: 1}}
}

// Who moves first is told by the opening: after an odd number of plies it is North.
func TestFirstMoverOfOpenings(t *testing.T) {
	t.Parallel()
	rules := must2(engine.Lookup("awale"))
	match := engine.NewMatch(rules, rules.Start())
	openings := []string{engine.Text(rules, match.Position())}
	match.Play(match.Legal()[0])
	openings = append(openings, engine.Text(rules, match.Position()))

	matches := scored("ab 1 ba 1 ab 1 ba 1 ab 0 ba 0") // South wins two of three, for both
	var advantages []float64
	for i, opening := range openings {
		tournament := Tournament{Plan: Plan{
			Conditions: Conditions{Ruleset: "awale", Rounds: 1},
			Bots:       []string{"a", "b"}, Pairs: 6, Rating: Rating{1500, 16},
		}}
		tournament.Openings = slices.Repeat([]string{opening}, tournament.Pairs)
		standings := must2(standingsUpTo(tournament, matches, nil, len(matches)))
		if !standings.Field.FirstMover.Fitted {
			t.Fatalf("opening %d: %+v", i, standings.Field)
		}
		advantages = append(advantages, standings.Field.FirstMover.Elo)
	}
	if want := 400 * math.Log10(2); math.Abs(advantages[0]-want) > 1e-6 || math.Abs(advantages[1]+want) > 1e-6 {
		t.Errorf("moving first is worth %v, not %v and its opposite", advantages, want)
	}
}

// The anchor is exactly where it is wanted, all others as far from it as before.
func TestStandingsAnchor(t *testing.T) {
	t.Parallel()
	tournament, matches, _ := swissEnd()
	mean := must2(standingsUpTo(tournament, matches, nil, len(matches)))
	tournament.Anchor = "b"
	anchored := must2(standingsUpTo(tournament, matches, nil, len(matches)))
	moved := must2(standingsUpTo(tournament, matches, nil, len(matches)))
	must(t, moved.Rate(-20, 0))
	for i, want := range []float64{1500, 1500, -20} {
		r := []Standings{mean, anchored, moved}[i]
		at := *r.Field.Players[1].Rating
		if i == 0 {
			at = (*r.Field.Players[0].Rating + at + *r.Field.Players[2].Rating + *r.Field.Players[3].Rating) / 4
		}
		if math.Abs(at-want) > 1e-9 {
			t.Errorf("%d: it lies at %v, not %v", i, at, want)
		}
		for j := range 4 {
			got := *r.Field.Players[j].Rating - *r.Field.Players[1].Rating
			if want := *mean.Field.Players[j].Rating - *mean.Field.Players[1].Rating; math.Abs(got-want) > 1e-9 {
				t.Errorf("%d: player %d is %v above b, not %v", i, j, got, want)
			}
		}
		for _, line := range r.Lines {
			if diff := cmp.Diff(r.Field.Players[slices.Index(tournament.Bots, line.Bot)], line.Field); diff != "" {
				t.Errorf("%d: %s: %s", i, line.Bot, diff)
			}
		}
	}
	if anchored.Field.Players[1].Error != nil || mean.Field.Players[1].Error == nil {
		t.Error("an anchor has an error, or the others have none")
	}

	tournament.Anchor = "x"
	if _, err := standingsUpTo(tournament, matches, nil, len(matches)); errText(err) != `unknown player "x" (known: a, b, c, d, e)` {
		t.Error(err)
	}
}
