package show_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sembra/engine"
)

func lookup(t testing.TB, name string) engine.Ruleset {
	t.Helper()
	r, err := engine.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func parse(t testing.TB, r engine.Ruleset, text string) engine.Position {
	t.Helper()
	p, err := engine.ParsePosition(r, text)
	if err != nil {
		t.Fatalf("%s, %q: %v", r.Info().Name, text, err)
	}
	return p
}

// diff reports how got differs from what was wanted.
func diff(t testing.TB, what string, got, want any) {
	t.Helper()
	moves := cmp.Comparer(func(a, b engine.Move) bool { return a == b })
	if d := cmp.Diff(want, got, moves); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}
