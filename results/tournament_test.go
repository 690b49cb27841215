package results

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sembra/results/stats"
)

func TestContinue(t *testing.T) {
	t.Parallel()
	old := spring(2, "a", "b")
	old.Name = "spring-2"
	cases := []struct {
		name   string
		change func(*Tournament)
		want   []string
	}{
		{"nothing", func(*Tournament) {}, nil},
		{"fewer pairs", func(n *Tournament) { *n = spring(1, "a", "b") }, []string{
			"tournament.pairs was 2 and is now 1", "opening 2 was opening 2 and is now (nothing)",
		}},
		{"a bot is gone", func(n *Tournament) { *n = spring(2, "b", "c") }, []string{
			"bot a was there and is now gone; withdrawn = true in its [[bot]] takes it out",
		}},
		{"another order", func(n *Tournament) { *n = spring(2, "b", "c", "a") }, []string{
			"the order of the bots was a, b and is now b, a",
		}},
		{"much", func(n *Tournament) {
			n.Ruleset, n.Rounds = "oware", 3
			n.DisqualifyAfter = 3
			n.Rating = Rating{1500.5, 32}
			n.Openings = []string{"opening 1", "another"}
			n.Seed = 2
		}, []string{
			"tournament.seed was 1 and is now 2",
			"rating.start was 1500 and is now 1500.5",
			"rating.k was 16 and is now 32",
			"tournament.disqualify_after was 0 and is now 3",
			"tournament.ruleset was awale and is now oware",
			"tournament.rounds was 1 and is now 3",
			"opening 2 was opening 2 and is now another",
		}},
		{"another format, and what comes of it", func(n *Tournament) {
			n.Ruleset, n.Format, n.Stages, n.Pairs = "oware", Swiss, 1, 1
		}, []string{"tournament.format was round-robin and is now swiss", "tournament.ruleset was awale and is now oware"}},
		{"the program of an old bot, and of a new one", func(n *Tournament) {
			*n = spring(2, "a", "b", "c")
			n.Seed, n.Programs["b"] = 0, Program{Builtin: "b", Folder: "/x", Files: map[string]string{"x": "sha256:1"}}
		}, []string{
			"tournament.seed was 1 and is now 0", "bot b: dir was (nothing) and is now /x",
			"bot b: content of x was (nothing) and is now sha256:1",
		}},
		{"a clock, isolation, adjudication and an anchor", func(n *Tournament) {
			n.Time.Move, n.Isolation = time.Second, Isolation{Mode: "auto", Memory: 1 << 30, Read: []string{"/x"}}
			n.Adjudication, n.Anchor, n.TieBreaks = &Adjudication{Plies: 300, By: "draw"}, "a", []string{}
		}, []string{
			"rating.anchor was (nothing) and is now a", "time.move was 0s and is now 1s",
			"adjudication.plies was 0 and is now 300", "adjudication.by was (nothing) and is now draw",
			"isolation.mode was (nothing) and is now auto",
			"isolation.memory was 0B and is now 1GiB", `isolation.read was (nothing) and is now ["/x"]`,
		}},
	}
	for _, c := range cases {
		next := spring(2, "a", "b")
		c.change(&next)
		merged, err := old.Continue(next.Plan)
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
		equal(t, c.name, c.want, refused.Changes)
	}
}

// TestGrowth: each growth is a step, and what has changed is told.
func TestGrowth(t *testing.T) {
	t.Parallel()
	next := func(pairs int, withdrawn []string, bots ...string) Tournament {
		n := spring(pairs, bots...)
		n.Withdrawn = withdrawn
		for _, bot := range withdrawn {
			delete(n.Programs, bot)
		}
		return n
	}
	first, now := step{[]string{"a", "b", "c"}, 2}, spring(2, "a", "b", "c")
	for _, c := range []struct {
		next  Tournament
		told  Growth
		steps []step
	}{
		{next(2, nil, "a", "b", "c"), Growth{PairsBefore: 2, Pairs: 2}, nil},
		{next(2, []string{"b"}, "a", "b", "c"), Growth{Withdrawn: []string{"b"}, PairsBefore: 2, Pairs: 2}, nil},
		{
			next(5, nil, "x", "a", "b", "c"),
			Growth{Joined: []string{"x"}, Back: []string{"b"}, PairsBefore: 2, Pairs: 5},
			[]step{first, {[]string{"x"}, 5}},
		},
		{
			next(5, []string{"x"}, "x", "a", "b", "c", "y"),
			Growth{Joined: []string{"y"}, Withdrawn: []string{"x"}, PairsBefore: 5, Pairs: 5},
			[]step{first, {[]string{"x"}, 5}, {[]string{"y"}, 5}},
		},
	} {
		merged := must2(now.Continue(c.next.Plan))
		equal(t, "the steps", c.steps, merged.Steps)
		told := merged.Growth(now)
		equal(t, "the growth", c.told, told, cmpopts.EquateEmpty())
		if same := c.steps == nil && c.next.Withdrawn == nil; told.None() != same {
			t.Errorf("%+v is none: %v", told, told.None())
		}
		now = merged
	}
	if now.Programs["x"].Builtin != "x" {
		t.Errorf("the program of a bot that has withdrawn is %+v", now.Programs["x"])
	}
	changed := next(5, nil, "x", "a", "b", "c", "y")
	changed.Programs["x"] = Program{Builtin: "random"}
	if _, err := now.Continue(changed.Plan); err == nil || !strings.Contains(err.Error(), "--replace x") {
		t.Errorf("another bot comes back: %v", err)
	}
	for name, wrong := range map[string]Tournament{
		"fewer pairs":    {Steps: []step{{[]string{"a", "b"}, 3}, {nil, 2}}},
		"another bot":    {Steps: []step{{[]string{"a", "c"}, 2}}},
		"a bot twice":    {Steps: []step{{[]string{"a", "b"}, 2}, {[]string{"a"}, 2}}},
		"other pairs":    {Steps: []step{{[]string{"a", "b"}, 2}, {nil, 3}}},
		"nobody known":   {Plan: Plan{Withdrawn: []string{"c"}}},
		"withdrawn two":  {Plan: Plan{Withdrawn: []string{"a", "a"}}},
		"another format": {Plan: Plan{Withdrawn: []string{"a"}, Format: Knockout}},
	} {
		plan := spring(2, "a", "b")
		plan.Steps, plan.Withdrawn = wrong.Steps, wrong.Withdrawn
		if wrong.Format != "" {
			plan.Format = wrong.Format
		}
		if plan.Check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestChangeable: a field of a plan that the table lacks may not change, whatever is added to the struct, and
// each name in the table is that of a field.
func TestChangeable(t *testing.T) {
	t.Parallel()
	old := spring(2, "a", "b")
	old.Test, old.Adjudication = new(stats.Test), new(Adjudication)
	fields := make(map[string]bool)
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Plan]()) {
		fields[field.Name] = true
		if field.Anonymous || slices.Contains(changeable(), field.Name) {
			continue
		}
		next := old.Plan
		value := reflect.ValueOf(&next).Elem().FieldByIndex(field.Index)
		value.Set(another(value))
		var refused *ChangeError
		if _, err := old.Continue(next); !errors.As(err, &refused) {
			t.Errorf("%s may change: %v", field.Name, err)
		}
	}
	for _, name := range changeable() {
		if !fields[name] {
			t.Errorf("a plan has no field %s", name)
		}
	}
}

// another returns a value that differs.
func another(v reflect.Value) reflect.Value {
	other := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Pointer:
		other.Set(reflect.New(v.Type().Elem()))
		other.Elem().Set(another(v.Elem()))
	case reflect.Struct:
		other.Set(v)
		other.Field(0).Set(another(v.Field(0)))
	case reflect.Slice:
		other.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
	case reflect.String:
		other.SetString(v.String() + "x")
	case reflect.Int, reflect.Int64:
		other.SetInt(v.Int() - 1)
	case reflect.Uint64:
		other.SetUint(v.Uint() + 1)
	case reflect.Float64:
		other.SetFloat(v.Float() + 1)
	}
	return other
}
