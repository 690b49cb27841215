package report

import (
	"fmt"
	"strings"
	"testing"

	"sembra/results/example"
)

func TestHeadToHead(t *testing.T) {
	t.Parallel()
	tournament, matches := example.Meetings()
	meetings := must2(tournament.Meetings(matches))
	goldens(t, "head-to-head", HeadToHead(meetings), Table, Markdown, CSV, JSON)
}

// TestMeetingNote: where all matches are alike, it is said, in words.
func TestMeetingNote(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		matches []string
		want    string
	}{
		{[]string{"a b 1 south", "b a 1 south", "a b 2 north", "b a 2 north"}, "the seat decided every match (2 pairs), so nothing shows which bot is stronger"},
		{[]string{"a b 1 draw", "b a 1 draw"}, "all results are alike (1 pair), so the interval comes from their usual spread"},
		{[]string{"a b 1 south", "b a 1 north"}, "a won everything (1 pair), so only a lower bound of the difference is known"},
		{[]string{"a b 1 north", "b a 1 south"}, "b won everything (1 pair), so only an upper bound of the difference is known"},
		{[]string{"a b 1 south", "b a 1 draw"}, "all results are alike (1 pair), so the interval comes from their usual spread"},
		{[]string{"a b 1 void"}, "no match has a result that counts, so nothing is known about strength"},
		{[]string{"a b 1 north", "a b 2 north"}, "b won everything (2 matches), so only an upper bound of the difference is known"},
		{[]string{"a b 1 south", "a b 2 draw", "a b 3 north"}, "no pair is complete: the errors are those of single matches"},
		{[]string{"a b 1 south", "b a 1 north", "a b 2 south", "b a 2 draw"}, ""},
		{[]string{"a b 1 south", "b a 1 north", "a b 2 north", "b a 2 south", "a b 3 south", "b a 3 south", "a b 4 draw", "b a 4 draw"}, ""},
	} {
		meetings := must2(spring(9, "a", "b").Meetings(example.Matches(test.matches...)))
		if got := written(t, HeadToHead(meetings), JSON); !strings.Contains(got, fmt.Sprintf(`"note": %q`, test.want)) {
			t.Errorf("%q:\n%s\nwant\n%s", test.matches, got, test.want)
		}
		for _, format := range []Format{Table, Markdown, CSV, JSON} {
			if text := written(t, HeadToHead(meetings), format); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
				t.Error(text)
			}
		}
	}
}

// TestSharedNote: the note that several meetings share is said once.
func TestSharedNote(t *testing.T) {
	t.Parallel()
	meetings, err := spring(9, "a", "b", "c").Meetings(example.Matches(
		"a b 1 south", "b a 1 north", "a c 1 south", "c a 1 north", "b c 1 south", "c b 1 north"))
	must(t, err)
	got := strings.Join(HeadToHead(meetings).Parts[0].Notes, "\n")
	const only = " won everything (1 pair), so only a lower bound of the difference is known"
	if want := "a - b, a - c: a" + only + "\nb - c: b" + only + "\n" + pairsLegend(false); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
