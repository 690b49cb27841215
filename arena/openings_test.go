package arena

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"sembra/engine"
)

func randomOpenings(t *testing.T, r engine.Ruleset, seed uint64, plies, n int) []string {
	t.Helper()
	return must2(RandomOpenings(r, seed, plies, n))
}

func TestOpenings(t *testing.T) {
	t.Parallel()
	for _, rules := range engine.Rulesets() {
		name := rules.Info().Name
		byTurns := name == "awale" || name == "oware" // a ply is a turn
		for _, plies := range []int{1, 2, 3, 4, 7, 20, 40} {
			n := 30
			if plies <= 3 {
				n = min(n, countOpenings(rules, plies))
			}
			known := make(map[string]bool)
			for _, text := range randomOpenings(t, rules, 1, plies, n) {
				if known[text] {
					t.Errorf("%s, %d plies: %s is there twice", name, plies, text)
				}
				known[text] = true
				p, err := engine.ParsePosition(rules, text)
				if err != nil {
					t.Errorf("%s, %d plies: %s: %v", name, plies, text, err)
				}
				if p.Phase() == engine.PhaseOver || len(rules.Legal(p, nil)) == 0 || rules.Info().DecidedEarly(p) {
					t.Errorf("%s, %d plies: %s is decided", name, plies, text)
				}
				if want := engine.Seat(plies % 2); byTurns && p.Side() != want {
					t.Errorf("%s, %d plies: in %s %v is to move, want %v", name, plies, text, p.Side(), want)
				}
			}
			if len(known) != n {
				t.Errorf("%s, %d plies: %d openings, want %d", name, plies, len(known), n)
			}
		}
	}
}

// TestOpeningsDependOn sees what an opening depends on: not on how many there are, but on all else.
func TestOpeningsDependOn(t *testing.T) {
	t.Parallel()
	awale, oware := ruleset(t, "awale"), ruleset(t, "oware")
	all := randomOpenings(t, awale, 7, 4, 200)
	for _, n := range []int{1, 2, 50} {
		if few := randomOpenings(t, awale, 7, 4, n); !slices.Equal(few, all[:n]) {
			t.Errorf("the first %d are %q alone and %q of 200", n, few, all[:n])
		}
	}
	for name, others := range map[string][]string{
		"seed":    randomOpenings(t, awale, 8, 4, 200),
		"plies":   randomOpenings(t, awale, 7, 6, 200),
		"ruleset": randomOpenings(t, oware, 7, 4, 200),
	} {
		if slices.Equal(all, others) {
			t.Errorf("another %s makes no difference", name)
		}
	}
	if none := randomOpenings(t, awale, 7, 4, 0); len(none) != 0 {
		t.Errorf("no openings are %q", none)
	}
	// Without plies the one opening is the start position.
	if got := randomOpenings(t, awale, 7, 0, 1); !slices.Equal(got, []string{startText}) {
		t.Errorf("without plies they are %q", got)
	}
}

// TestTooFewOpenings holds the number in the error against a count by hand of the undecided positions that one and two
// plies lead to, and against the tests' own count for more.
func TestTooFewOpenings(t *testing.T) {
	t.Parallel()
	byHand := map[string][]int{
		"awale": {1, 6, 36}, "oware": {1, 6, 36},
		"bechi": {1, 4, 16}, "bechi-2x3": {1, 3, 9}, // a lap of six holes with six seeds is one way as the other
		"buqruru": {1, 4, 16}, "buqruru-bellin": {1, 4, 16}, "buqruru-ludii": {1, 4, 16},
		"redu": {1, 14}, // each hole either way, and two of them with a bounce
	}
	for _, rules := range engine.Rulesets() {
		name := rules.Info().Name
		counts := byHand[name]
		for plies := range 5 {
			if name == "redu" && plies > 2 {
				break // it has a hundred times as many with two more plies
			}
			want := countOpenings(rules, plies)
			if plies < len(counts) && want != counts[plies] {
				t.Errorf("%s: %d plies lead to %d openings by the tests' own count, want %d", name, plies, want, counts[plies])
			}
			all := randomOpenings(t, rules, 3, plies, want)
			if different := slices.Compact(slices.Sorted(slices.Values(all))); len(different) != want {
				t.Errorf("%s: %d plies: %d different openings, want all %d", name, plies, len(different), want)
			}
			if got := RandomOpeningsUpTo(rules, 3, plies, want+7); !slices.Equal(got, all) {
				t.Errorf("%s: %d plies: where %d are asked for %d come, want all %d in the same order", name, plies, want+7, len(got), want)
			}
			_, err := RandomOpenings(rules, 3, plies, want+1)
			if has := fmt.Sprintf("(plies: %d): %d; needed: %d,", plies, want, want+1); err == nil || !strings.Contains(err.Error(), has) {
				t.Errorf("%s: %d plies: error is %v, want %s", name, plies, err, has)
			}
		}
	}
}

// countOpenings counts the different texts at the end of all legal sequences
// of that length which do not end the match.
func countOpenings(r engine.Ruleset, plies int) int {
	texts := make(map[string]bool)
	var walk func(tokens []string)
	walk = func(tokens []string) {
		m := engine.NewMatch(r, r.Start())
		need(m.PlayTokens(tokens))
		if m.Over() {
			return
		}
		if len(tokens) == plies {
			texts[engine.Text(r, m.Position())] = true
			return
		}
		for _, move := range m.Legal() {
			walk(append(tokens, move.Token(m.Position().Side())))
		}
	}
	walk(nil)
	return len(texts)
}

// countingRules counts the moves that are played.
type countingRules struct {
	engine.Ruleset
	moves *int
}

func (r countingRules) Play(p engine.Position, m engine.Move) (engine.Position, engine.End) {
	*r.moves++
	return r.Ruleset.Play(p, m)
}

// TestAllOpenings asks for more than there are: nearly all are found, soon.
func TestAllOpenings(t *testing.T) {
	t.Parallel()
	rules := ruleset(t, "awale")
	const plies, most = 6, 6_000_000 // moves; a million playouts in vain take as many alone
	all := countOpenings(rules, plies)
	moves := 0
	found := RandomOpeningsUpTo(countingRules{rules, &moves}, 1, plies, math.MaxInt)
	t.Logf("%d of %d openings, %d moves", len(found), all, moves)
	if len(found) > all || len(found) < all*99/100 || moves > most {
		t.Errorf("%d of %d openings, %d moves", len(found), all, moves)
	}
	if few := randomOpenings(t, rules, 1, plies, 1000); !slices.Equal(few, found[:1000]) {
		t.Error("others come where fewer are asked for")
	}
}

// TestShuffledOpenings: the same list comes in the same order, all of it, and in another with another seed.
func TestShuffledOpenings(t *testing.T) {
	t.Parallel()
	rules := ruleset(t, "awale")
	list := randomOpenings(t, rules, 1, 3, 100)
	kept := slices.Clone(list)
	shuffled := ShuffledOpenings(rules, 1, list)
	if !slices.Equal(shuffled, ShuffledOpenings(rules, 1, list)) {
		t.Error("the order is not the same again")
	}
	if slices.Equal(shuffled, list) || slices.Equal(shuffled, ShuffledOpenings(rules, 2, list)) {
		t.Error("the order does not come from the seed")
	}
	if !slices.Equal(slices.Sorted(slices.Values(shuffled)), slices.Sorted(slices.Values(list))) || !slices.Equal(list, kept) {
		t.Error("the list is not the same, or was changed itself")
	}
}
