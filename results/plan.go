package results

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// The formats of a tournament.
const (
	RoundRobin = "round-robin" // every two bots meet
	Gauntlet   = "gauntlet"    // the challengers meet all others
	Swiss      = "swiss"       // in stages, bots with like points meet, no two of them twice
	Knockout   = "knockout"    // who loses is out
	Sequential = "sprt"        // two bots meet until a test is decided
)

// formats lists all of them.
func formats() []string { return []string{RoundRobin, Gauntlet, Swiss, Knockout, Sequential} }

// What a tournament can have at most.
const (
	mostBots    = 10_000
	mostPairs   = 1_000_000
	mostMatches = math.MaxInt32
)

// checkSize says whether it is larger than any schedule can be.
func (t Tournament) checkSize() error {
	switch n := len(t.Bots); {
	case n > mostBots:
		return fmt.Errorf("it has %d bots (at most %d)", n, mostBots)
	case t.Pairs > mostPairs || t.ExtraPairs > mostPairs:
		return fmt.Errorf("it has %d pairs and %d extra ones (at most %d)", t.Pairs, t.ExtraPairs, mostPairs)
	case n*(n-1) > mostMatches/max(1, t.MostPairs()):
		return fmt.Errorf("%d bots with %d pairs are too many matches (at most %d)", n, t.MostPairs(), mostMatches)
	}
	return nil
}

// MostPairs is how many pairs two bots play at most: each has an opening.
func (t Tournament) MostPairs() int { return t.Pairs + t.ExtraPairs }

// Staged says that who meets whom follows from what was played before.
func (t Tournament) Staged() bool { return t.Format == Swiss || t.Format == Knockout }

// checkFormat says what is wrong with who is to meet whom, and how they are ranked.
func (t Tournament) checkFormat() error {
	for _, key := range []struct {
		name, format string
		given        bool
	}{
		{"stages", Swiss, t.Stages != 0},
		{"challengers", Gauntlet, len(t.Challengers) > 0},
		{"extra pairs", Knockout, t.ExtraPairs != 0},
		{"a test", Sequential, t.Test != nil},
	} {
		if key.given && t.Format != key.format {
			return fmt.Errorf("its format is %q, and it has %s, which are of a %s", t.Format, key.name, key.format)
		}
	}
	for _, name := range t.TieBreaks {
		if !slices.Contains(TieBreaks(), name) {
			return fmt.Errorf("it has the tie-break %q (known: %s)", name, strings.Join(TieBreaks(), ", "))
		}
	}
	if t.Anchor != "" && !slices.Contains(t.Bots, t.Anchor) {
		return fmt.Errorf("there is no bot %q, which its ratings are anchored on", t.Anchor)
	}
	switch t.Format {
	case RoundRobin:
	case Gauntlet:
		return t.checkChallengers()
	case Swiss:
		if t.Stages < 1 || t.Stages > len(t.Bots)-1 {
			return fmt.Errorf("it has %d stages (1 to %d, one less than it has bots)", t.Stages, len(t.Bots)-1)
		}
	case Knockout:
		if t.ExtraPairs < 0 {
			return fmt.Errorf("it has %d extra pairs (at least 0)", t.ExtraPairs)
		}
	case Sequential:
		return t.checkTest()
	default:
		return fmt.Errorf("its format is %q (known: %s)", t.Format, strings.Join(formats(), ", "))
	}
	return nil
}

func (t Tournament) checkChallengers() error {
	for i, name := range t.Challengers {
		if !slices.Contains(t.Bots, name) {
			return fmt.Errorf("there is no bot %q, which is a challenger", name)
		}
		if slices.Contains(t.Challengers[:i], name) {
			return fmt.Errorf("bot %q is a challenger twice", name)
		}
	}
	if n := len(t.Challengers); n == 0 || n == len(t.Bots) {
		return fmt.Errorf("%d of its %d bots are challengers (at least 1, and not all)", n, len(t.Bots))
	}
	return nil
}

func (t Tournament) checkTest() error {
	if len(t.Bots) != 2 {
		return fmt.Errorf("it tests %d bots (2 expected)", len(t.Bots))
	}
	if t.Test == nil {
		return fmt.Errorf("its format is %q, and it has no test", t.Format)
	}
	return t.Test.Check()
}
