package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sembra/results/stats"
)

// reportOf is the report of a test of some matches.
func reportOf(t *testing.T, tournament Tournament, text string) SequentialReport {
	t.Helper()
	var all []Slotted
	for i, m := range pairsOf(text) {
		all = append(all, Slotted{Slot: i + 1, Summary: m})
	}
	report, err := NewSequentialReport(tournament, all)
	must(t, err)
	return report
}

func TestSequentialFormats(t *testing.T) {
	for name, report := range map[string]SequentialReport{
		"sprt-none":      reportOf(t, sequential(5, stats.Logistic), ""),
		"sprt-decided":   reportOf(t, sequential(200, stats.Normalized), strings.Repeat("WW LD wD ", 30)+"W"),
		"sprt-worthless": reportOf(t, withoutOpenings(sequential(50, stats.Normalized)), "BL WL "+strings.Repeat("WL1 ", 40)),
	} {
		for _, format := range SequentialFormats() {
			var out strings.Builder
			must(t, report.Write(&out, format))
			golden(t, name+"."+string(format), out.String())
			if text := strings.ToLower(out.String()); strings.Contains(text, "nan") || strings.Contains(text, "inf") {
				t.Errorf("%s as %s has no number: %s", name, format, out.String())
			}
		}
		if err := report.Write(nil, FormatJSONL); err == nil || err.Error() != `unknown format "jsonl" (known: table, markdown, csv, json)` {
			t.Errorf("error is %v", err)
		}
	}
}

func TestSequentialVerdict(t *testing.T) {
	lower := sequential(3, stats.Logistic)
	lower.Test.Elo0, lower.Test.Elo1 = -7.5, 2
	for _, c := range []struct {
		tournament Tournament
		text, want string
	}{
		{sequential(3, stats.Logistic), "", "undecided so far, after 0 of at most 3 pairs"},
		{sequential(1, stats.Logistic), "W", "undecided so far, after 0 of at most 1 pair"},
		{sequential(3, stats.Logistic), "WL WL W", "undecided so far, after 2 of at most 3 pairs"},
		{sequential(3, stats.Logistic), "WL WL WW", "undecided after the last of 3 pairs (hint: a larger max_pairs goes on, if there are as many openings)"},
		{lower, "WL WB WW", "undecided after the last of 3 pairs (hint: a larger max_pairs goes on, if there are as many openings)"},
		{sequential(99, stats.Logistic), strings.Repeat("BB ", 21), "undecided, and stopped: the last 20 pairs in a row do not count"},
		{sequential(99, stats.Logistic), strings.Repeat("WW WD ", 40), "H1 is accepted: new is ahead of old by 100 or more, rather than by 0 or less (logistic Elo)"},
		{sequential(99, stats.Normalized), strings.Repeat("LL LD ", 40), "H0 is accepted: new is not ahead of old by 100 or more, rather by 0 or less (normalized Elo)"},
	} {
		if got := reportOf(t, c.tournament, c.text).verdict(); got != c.want {
			t.Errorf("%q: %s", c.text, got)
		}
	}
}

// What is both is a repeat: it would not count before the stop either.
// The words below the table, where they are more than the verdict.
func TestSequentialWords(t *testing.T) {
	h0 := "H0 is accepted: new is not ahead of old by 100 or more, rather by 0 or less (logistic Elo)"
	for _, c := range []struct {
		tournament Tournament
		text       string
		want       []string
	}{
		{
			sequential(99, stats.Logistic), strings.Repeat("WL ", 10),
			[]string{h0 + "; all 9 pairs are split 1-1: the seat decides every match", "LLR, score, Elo, nElo and LOS count 9 pairs, and leave out matches under way at the stop"},
		},
		{
			sequential(9, stats.Logistic), strings.Repeat("WL DD ", 4) + "WL",
			[]string{h0 + "; all 9 pairs are level"},
		},
		{
			sequential(99, stats.Normalized), "WL LW",
			[]string{"undecided so far, after 2 of at most 99 pairs", "all 2 pairs are split 1-1: the seat decides every match, and nothing tells the bots apart"},
		},
		{
			sequential(99, stats.Normalized), "WL DD",
			[]string{"undecided so far, after 2 of at most 99 pairs", "all 2 pairs are level, and nothing tells the bots apart"},
		},
		{
			withoutOpenings(sequential(99, stats.Normalized)), "WL1 WL1 WB WW",
			[]string{"undecided so far, after 4 of at most 99 pairs", "LLR, score, Elo, nElo and LOS count 2 pairs, and leave out pairs with a repeated match, pairs with a fault of both"},
		},
	} {
		if diff := cmp.Diff(c.want, reportOf(t, c.tournament, c.text).words()); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}

func TestNotesOfTest(t *testing.T) {
	tournament := withoutOpenings(sequential(50, stats.Normalized))
	var all []Slotted
	text := "WW1 WW1 " + strings.Repeat("LD WW WW ", 20) + "WW1 WW"
	for i, m := range pairsOf(text) {
		all = append(all, Slotted{Slot: i + 1, Summary: m})
	}
	stopped := reportOf(t, tournament, text).test.StoppedAt()
	if stopped < 8 || stopped > 122 {
		t.Fatalf("it stopped at %d", stopped)
	}
	notes := Notes(tournament, all)
	for slot, want := range map[int]Note{1: "", 2: "", 3: Repeat, 4: Repeat, stopped: "", stopped + 1: PastStop, 125: Repeat, 126: Repeat, 127: PastStop} {
		if notes[slot] != want {
			t.Errorf("slot %d has the note %q, not %q", slot, notes[slot], want)
		}
	}
}

func TestSequentialReportRefuses(t *testing.T) {
	strangers := pairsOf("WW")
	strangers[1].South = "other"
	bad := sequential(2, stats.Normalized)
	bad.Test.Alpha = 2
	three := sequential(2, stats.Normalized)
	three.Bots = append(three.Bots, "third")
	for _, c := range []struct {
		tournament Tournament
		matches    []Summary
		want       string
	}{
		{spring(2, "new", "old"), nil, `tournament "spring" is no sequential test: its format is round-robin`},
		{three, nil, `tournament "spring" is no sequential test`},
		{bad, nil, `tournament "spring": alpha`},
		{sequential(2, stats.Normalized), strangers, "match other - new, pair 1: not both are bots of this tournament"},
	} {
		var all []Slotted
		for i, m := range c.matches {
			all = append(all, Slotted{Slot: i + 1, Summary: m})
		}
		if _, err := NewSequentialReport(c.tournament, all); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("error is %v, want %s", err, c.want)
		}
	}
}
