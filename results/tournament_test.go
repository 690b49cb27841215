package results

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestContinue(t *testing.T) {
	t.Parallel()
	old := spring(2, "a", "b")
	old.Name = "spring-2"
	cases := []struct {
		name   string
		change func(*Tournament)
		want   []Change
	}{
		{"nothing", func(*Tournament) {}, nil},
		{"more pairs", func(n *Tournament) { *n = spring(5, "a", "b") }, nil},
		{"added bots", func(n *Tournament) { *n = spring(2, "x", "a", "y", "b") }, nil},
		{"fewer pairs", func(n *Tournament) { *n = spring(1, "a", "b") }, []Change{
			{"tournament.pairs", "2", "1"}, {"opening 2", "opening 2", ""},
		}},
		{"a bot is gone", func(n *Tournament) { *n = spring(2, "b", "c") }, []Change{{"bot a", "there", "gone"}}},
		{"another order", func(n *Tournament) { *n = spring(2, "b", "c", "a") }, []Change{
			{"the order of the bots", "a, b", "b, a"},
		}},
		{"much", func(n *Tournament) {
			n.Family, n.Ruleset, n.Rounds = "autumn", "oware", 3
			n.DisqualifyAfter = 3
			n.Rating = Rating{1500.5, 32}
			n.Openings[1] = "another"
			n.Settings[0].Value = "2"
		}, []Change{
			{"tournament.name", "spring", "autumn"},
			{"tournament.ruleset", "awale", "oware"},
			{"tournament.rounds", "1", "3"},
			{"tournament.disqualify_after", "0", "3"},
			{"rating.start", "1500", "1500.5"},
			{"rating.k", "16", "32"},
			{"opening 2", "opening 2", "another"},
			{"tournament.seed", "1", "2"},
		}},
		{"another format, and what comes of it", func(n *Tournament) {
			n.Ruleset, n.Format, n.Stages, n.Pairs = "oware", Swiss, 1, 1
		}, []Change{{"tournament.ruleset", "awale", "oware"}, {"tournament.format", "round-robin", "swiss"}}},
		{"a setting gone, one new, one of a new bot", func(n *Tournament) {
			*n = spring(2, "a", "b", "c")
			n.Settings = append(n.Settings[1:], Setting{Name: "bot b: dir", Bot: "b", Value: "/x"})
		}, []Change{{"tournament.seed", "1", ""}, {"bot b: dir", "", "/x"}}},
	}
	for _, c := range cases {
		next := spring(2, "a", "b")
		c.change(&next)
		merged, err := old.Continue(next)
		if c.want == nil {
			next.Name = "spring-2"
			if diff := cmp.Diff(next, merged); err != nil || diff != "" {
				t.Errorf("%s: %v\n%s", c.name, err, diff)
			}
			continue
		}
		var refused *ChangeError
		if !errors.As(err, &refused) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if diff := cmp.Diff(c.want, refused.Changes); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestChangeErrorSaysAll(t *testing.T) {
	t.Parallel()
	err := &ChangeError{Tournament: "spring", Changes: []Change{{"rating.k", "16", "32"}, {"bot a", "there", "gone"}}}
	want := `tournament "spring" cannot go on: rating.k was 16 and is now 32; bot a was there and is now gone ` +
		`(--fresh begins a new one beside it)`
	if err.Error() != want {
		t.Error(err)
	}
}
