package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sembra/results"
	"sembra/results/stats"
)

// testOf is a test after some matches.
func testOf(t *testing.T, tournament results.Tournament, text string) sequentialTest {
	t.Helper()
	matches := slottedOf(pairsOf(text))
	test, err := tournament.SequentialTest(matches)
	must(t, err)
	return sequentialTest{tournament, len(matches), test}
}

func TestSequential(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		tournament results.Tournament
		text       string
	}{
		{"sprt-none", sequential(5, stats.Logistic), ""},
		{"sprt-decided", sequential(200, stats.Normalized), strings.Repeat("WW LD wD ", 30) + "W"},
		{"sprt-worthless", withoutOpenings(sequential(50, stats.Normalized)), "BL WL " + strings.Repeat("WL1 ", 40)},
	} {
		report, err := Sequential(c.tournament, slottedOf(pairsOf(c.text)))
		must(t, err)
		goldens(t, c.name, report, Table, Markdown, CSV, JSON)
		for _, format := range []Format{Table, Markdown, CSV, JSON} {
			if text := strings.ToLower(written(t, report, format)); strings.Contains(text, "nan") || strings.Contains(text, "inf") {
				t.Errorf("%s as %s has no number: %s", c.name, format, text)
			}
		}
	}
	if _, err := Sequential(spring(2, "new", "old"), nil); err == nil {
		t.Error("a report of a test that is none")
	}
}

func TestSequentialVerdict(t *testing.T) {
	t.Parallel()
	lower := sequential(3, stats.Logistic)
	lower.Test.Elo0, lower.Test.Elo1 = -7.5, 2
	for _, c := range []struct {
		tournament results.Tournament
		text, want string
	}{
		{sequential(3, stats.Logistic), "", "undecided so far, after 0 of at most 3 pairs"},
		{sequential(1, stats.Logistic), "W", "undecided so far, after 0 of at most 1 pair"},
		{sequential(3, stats.Logistic), "WL WL W", "undecided so far, after 2 of at most 3 pairs"},
		{sequential(3, stats.Logistic), "WL WL WW", "undecided after the last of 3 pairs (hint: with a larger max_pairs the test goes on, if there are enough openings)"},
		{lower, "WL WB WW", "undecided after the last of 3 pairs (hint: with a larger max_pairs the test goes on, if there are enough openings)"},
		{sequential(99, stats.Logistic), strings.Repeat("BB ", 21), "undecided and stopped, because the last 20 pairs in a row do not count"},
		{sequential(99, stats.Logistic), strings.Repeat("WW WD ", 40), "H1 is accepted: new is ahead of old by 100 or more, rather than by 0 or less (logistic Elo)"},
		{sequential(99, stats.Normalized), strings.Repeat("LL LD ", 40), "H0 is accepted: new is ahead of old by 0 or less, rather than by 100 or more (normalized Elo)"},
	} {
		if got := testOf(t, c.tournament, c.text).verdict(); got != c.want {
			t.Errorf("%q: %s", c.text, got)
		}
	}
}

// The notes below the table, where they are more than the verdict.
func TestSequentialNotes(t *testing.T) {
	t.Parallel()
	const h0 = "H0 is accepted: new is ahead of old by 0 or less, rather than by 100 or more (logistic Elo)"
	const split = "all 2 pairs are split 1-1: the seat decides every match, and nothing tells the bots apart"
	soFar := func(pairs int) string { return fmt.Sprintf("undecided so far, after %d of at most 99 pairs", pairs) }
	counted := func(pairs int, out string) string {
		return fmt.Sprintf("LLR, score, Elo, nElo and LOS count %d pairs, and leave out %s", pairs, out)
	}
	many := sequential(99, stats.Normalized)
	for _, c := range []struct {
		tournament results.Tournament
		text       string
		want       []string
	}{
		{sequential(99, stats.Logistic), strings.Repeat("WL ", 10), []string{
			h0 + "; all 9 pairs are split 1-1: the seat decides every match", counted(9, "matches under way at the stop"),
		}},
		{sequential(9, stats.Logistic), strings.Repeat("WL DD ", 4) + "WL", []string{h0 + "; all 9 pairs are level"}},
		{many, "WL LW", []string{soFar(2), split}},
		{many, "WL DD", []string{soFar(2), "all 2 pairs are level, and nothing tells the bots apart"}},
		{withoutOpenings(sequential(99, stats.Normalized)), "WL1 WL1 WB WW", []string{
			soFar(4), counted(2, "pairs with a repeated match, pairs with a fault of both"),
		}},
	} {
		if diff := cmp.Diff(c.want, testOf(t, c.tournament, c.text).notes()); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}

// What the pairs do not tell is said. A digit makes pairs the same matches; see pairsOf.
func TestSequentialWorthless(t *testing.T) {
	t.Parallel()
	repeated := func(pair string, n int) string { return strings.TrimSpace(strings.Repeat(pair+" ", n)) }
	for name, c := range map[string]struct{ pairs, want string }{
		"nothing":        {},
		"half a pair":    {pairs: "WW LD W"},
		"each kind once": {pairs: "LL LD DL WL LW DD WD DW WW"},
		"one split":      {pairs: "WL"},
		"repeats":        {pairs: "WL1 WW WL1 WL1 WL2 WD2 LD"},
		"one match for ever": {
			repeated("WL1", 40),
			"20 of 21 pairs repeat matches that were played before, and do not count: bots without randomness repeat the same match from the same opening (hint: more openings)",
		},
		"a row is broken": {
			"WD WL1 " + repeated("WL1", 19) + " LD " + repeated("WL1", 19) + " LL",
			"38 of 42 pairs repeat matches that were played before, and do not count: bots without randomness repeat the same match from the same opening (hint: more openings)",
		},
		"nobody starts": {repeated("BB", 30), "none of the last 20 pairs counts: both bots were at fault, or a match was played before"},
		"all split":     {"WL WL LW", "all 3 pairs are split 1-1: the seat decides every match, and nothing tells the bots apart"},
		"all level":     {"WL DD LW", "all 3 pairs are level, and nothing tells the bots apart"},
	} {
		if got := testOf(t, withoutOpenings(sequential(100, stats.Normalized)), c.pairs).worthless(); got != c.want {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
	}
}
