package report

import (
	"strings"
	"testing"

	"sembra/results"
	"sembra/results/stats"
)

// testOf is a test after some matches.
func testOf(t *testing.T, tournament results.Tournament, text string) sequentialTest {
	t.Helper()
	matches := numberedOf(pairsOf(text))
	test := must2(tournament.SequentialTest(matches))
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
		report := must2(Sequential(c.tournament, numberedOf(pairsOf(c.text))))
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
		{sequential(3, stats.Logistic), "WL WL W", "undecided so far, after 2 of at most 3 pairs"},
		{lower, "WL WB WW", "undecided after the last of 3 pairs (hint: a larger max_pairs resumes the test, if there are enough openings)"},
		{sequential(99, stats.Logistic), strings.Repeat("BB ", 21), "undecided and stopped, because the last 20 pairs in a row do not count"},
		{sequential(99, stats.Logistic), strings.Repeat("WW WD ", 40), "H1 is accepted: new is ahead of old by 100 or more, rather than by 0 or less (logistic Elo)"},
		{sequential(99, stats.Normalized), strings.Repeat("LL LD ", 40), "H0 is accepted: new is ahead of old by 0 or less, rather than by 100 or more (normalized Elo)"},
	} {
		equal(t, c.text, c.want, testOf(t, c.tournament, c.text).verdict())
	}
}

// A verdict is a word, and its report has it instead of the sentence.
func TestVerdict(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"WL WL":                          Undecided,
		strings.Repeat("BB ", 21):        Undecided,
		strings.Repeat("WW WD ", 40):     Accepted,
		strings.Repeat("LL LD ", 40):     Rejected,
		strings.Repeat("LL LD WW WD", 9): Undecided,
	} {
		v := must2(NewVerdict(sequential(99, stats.Normalized), numberedOf(pairsOf(text)), "/home/me/sembra.db"))
		equal(t, text, want, v.Word)
		equal(t, text+", in the reason", want == Undecided, strings.HasPrefix(v.Reason, Undecided))
		json := written(t, v.Report(), JSON)
		for _, field := range []string{`"verdict": "` + want + `"`, `"database": "/home/me/sembra.db"`} {
			if !strings.Contains(json, field) {
				t.Errorf("%s: no %s in %s", text, field, json)
			}
		}
	}
	if _, err := NewVerdict(spring(2, "new", "old"), nil, ""); err == nil {
		t.Error("a verdict without a test")
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
			"20 of 21 pairs repeat matches that were played before, and do not count: deterministic bots play the same match from the same opening (hint: more openings)",
		},
		"a row is broken": {
			"WD WL1 " + repeated("WL1", 19) + " LD " + repeated("WL1", 19) + " LL",
			"38 of 42 pairs repeat matches that were played before, and do not count: deterministic bots play the same match from the same opening (hint: more openings)",
		},
		"nobody starts": {repeated("BB", 30), "none of the last 20 pairs counts: both bots were at fault, or a match was played before"},
		"all split":     {"WL WL LW", "all 3 pairs are split 1-1: the seat decides every match"},
		"all level":     {"WL DD LW", "all 3 pairs are level"},
	} {
		equal(t, name, c.want, testOf(t, withoutOpenings(sequential(100, stats.Normalized)), c.pairs).worthless())
	}
}
