package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sembra/engine"
	"sembra/engine/expect"
)

var must = expect.NoError

func must2[T any](value T, err error) T { return expect.Value(value, err) }

func lookup(t testing.TB, name string) engine.Ruleset {
	t.Helper()
	return must2(engine.Lookup(name))
}

// rulesets returns all rulesets, with some boards and switches of kalah.
func rulesets(t testing.TB) []engine.Ruleset {
	all := engine.Rulesets()
	for _, name := range []string{"kalah-1x1", "kalah-2x3", "kalah-3x2", "kalah-7x7", "kalah-9x1", "kalah-12x10"} {
		all = append(all, lookup(t, name))
	}
	return append(all, switched(t)...)
}

// switched returns Kalahs with each switch and with two combinations of them, on three boards; the third has holes beyond
// the eighth.
func switched(t testing.TB) (all []engine.Ruleset) {
	for _, board := range []string{"kalah", "kalah-7x7", "kalah-9x2"} {
		for _, switches := range []string{
			"-empty-capture", "-full", "-stuck", "-swap", "-empty-capture-full", "-full-stuck-swap",
		} {
			all = append(all, lookup(t, board+switches))
		}
	}
	return all
}

func parse(t testing.TB, r engine.Ruleset, text string) engine.Position {
	t.Helper()
	p, err := engine.ParsePosition(r, text)
	if err != nil {
		t.Fatalf("%s, %q: %v", r.Info().Name, text, err)
	}
	return p
}

// withRounds returns the rules with a limit of rounds. Those of a single round keep theirs.
func withRounds(t testing.TB, r engine.Ruleset, rounds int) engine.Ruleset {
	t.Helper()
	if r.Info().Single {
		return r
	}
	return must2(engine.WithRounds(r, rounds))
}

// equal checks that a value is what it should be. It can compare moves.
func equal(t testing.TB, what string, want, got any) {
	t.Helper()
	expect.Equal(t, what, want, got, cmp.Comparer(func(a, b engine.Move) bool { return a == b }))
}
