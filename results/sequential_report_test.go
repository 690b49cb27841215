package results

import (
	"strings"
	"testing"

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
		{sequential(3, stats.Logistic), "WL WL WW", "undecided after the last of 3 pairs"},
		{lower, "WL WB WW", "undecided after the last of 3 pairs"},
		{sequential(99, stats.Logistic), strings.Repeat("BB ", 21), "undecided, and stopped: the last 20 pairs in a row do not count"},
		{sequential(99, stats.Logistic), strings.Repeat("WW WD ", 40), "H1 is accepted: new is ahead of old by 100 rather than by 0 logistic Elo"},
		{sequential(99, stats.Normalized), strings.Repeat("LL LD ", 40), "H0 is accepted: new is ahead of old by 0 rather than by 100 normalized Elo"},
	} {
		if got := reportOf(t, c.tournament, c.text).verdict(); got != c.want {
			t.Errorf("%q: %s", c.text, got)
		}
	}
}

// What is both is a repeat: it would not count before the stop either.
func TestNotesOfTest(t *testing.T) {
	tournament := withoutOpenings(sequential(50, stats.Normalized))
	var all []Slotted
	for i, m := range pairsOf("WW1 WW1 " + strings.Repeat("LD WW ", 20) + "WW1 WW") {
		all = append(all, Slotted{Slot: i + 1, Summary: m})
	}
	stopped := reportOf(t, tournament, "WW1 WW1 "+strings.Repeat("LD WW ", 20)+"WW1 WW").Test().StoppedAt()
	if stopped < 8 || stopped > 83 {
		t.Fatalf("it stopped at %d", stopped)
	}
	notes := Notes(tournament, all)
	for slot, want := range map[int]Note{1: "", 2: "", 3: Repeat, 4: Repeat, stopped: "", stopped + 1: PastStop, 85: Repeat, 86: Repeat, 87: PastStop} {
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
