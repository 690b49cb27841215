package results

import (
	"errors"
	"slices"
	"testing"
)

// changed is spring with other settings of some of its bots.
func changed(bots ...string) Tournament {
	t := spring(2, "a", "b", "c")
	for _, bot := range bots {
		t.Programs[bot] = Program{Builtin: "changed"}
	}
	return t
}

func TestChangeErrorNamesBots(t *testing.T) {
	t.Parallel()
	old := spring(2, "a", "b", "c")
	reseeded := changed("a")
	reseeded.Seed = 2
	cases := []struct {
		name     string
		next     Tournament
		replaced []string
		want     []string // that could be replaced
	}{
		{"one", changed("b"), nil, []string{"b"}},
		{"two", changed("c", "a"), nil, []string{"a", "c"}},
		{"one of two is replaced", changed("c", "a"), []string{"c"}, []string{"a"}},
		{"more than bots", reseeded, nil, nil},
		{"a replaced one and more than bots", reseeded, []string{"a"}, nil},
	}
	for _, c := range cases {
		_, err := old.Continue(c.next.Plan, c.replaced...)
		var refused *ChangeError
		if !errors.As(err, &refused) || !slices.Equal(refused.Replace, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := old.Continue(changed("a", "b").Plan, "b", "a"); err != nil {
		t.Error(err)
	}
}

func TestToReplace(t *testing.T) {
	t.Parallel()
	under := func(bots ...string) Tournament {
		t := spring(2, "a", "b", "c")
		t.Replacing = bots
		return t
	}
	same := spring(2, "a", "b", "c")
	cases := []struct {
		name      string
		old, next Tournament
		want      []string
	}{
		{"nothing is open", under(), same, []string{"a", "c"}},
		{"one resumes", under("a", "b"), same, []string{"c"}},
		{"all resume", under("a", "c"), same, nil},
		{"another program", under("a", "c"), changed("c"), []string{"c"}},
		{"another program of another bot", under("a", "c"), changed("b"), nil},
	}
	for _, c := range cases {
		if got := c.old.ToReplace(c.next.Plan, []string{"a", "c"}); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
