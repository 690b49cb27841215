package results

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sembra/results/stats"
)

// matchesOf is a list of matches in schedule order, each as "south north pair result", with a fault where
// a name stands behind it.
func matchesOf(t testing.TB, matches ...string) []Slotted {
	t.Helper()
	var list []Slotted
	for i, text := range matches {
		fields := strings.Fields(text)
		result, err := ParseResult(fields[3])
		must(t, err)
		match := Slotted{Slot: i + 1, Summary: record(Key{South: fields[0], North: fields[1], Pair: int(fields[2][0] - '0')}, result).Summary}
		match.Hash[0] = byte(i) // all differ
		if len(fields) > 4 {
			match.Ending, match.Fault = EndIllegal, SouthFault
			if fields[4] == match.North {
				match.Fault = NorthFault
			}
		}
		list = append(list, match)
	}
	return list
}

// handCountedMeetings has, of a against b: the pairs WW, WL (South), DD and WD, half a pair, a repeat, a match
// without a result and two losses by a fault; a against c all split; b and c never met.
func handCountedMeetings(t testing.TB) (Tournament, []Slotted) {
	t.Helper()
	tournament := spring(9, "a", "b", "c")
	tournament.Openings = nil // else no match can be a repeat
	summaries := matchesOf(
		t,
		"a b 1 south b", "b a 1 north",
		"c a 1 south", "a c 1 south",
		"a b 2 south", "b a 2 south",
		"a b 3 draw", "b a 3 draw",
		"c a 2 south", "a c 2 south",
		"a b 4 south", "b a 4 draw",
		"a b 5 north a", "b a 5 void",
		"a b 6 south", "b a 6 south",
	)
	summaries[14].Hash = summaries[4].Hash // pair 6 as South again
	for i := range summaries {
		if summaries[i].South != "b" { // as a's and c's processor time as South only
			summaries[i].SouthCPU = time.Duration(i+1) * time.Millisecond
		} else {
			summaries[i].SouthCPU = UnknownCPU
		}
		summaries[i].NorthCPU = UnknownCPU
	}
	return tournament, summaries
}

func TestMeetings(t *testing.T) {
	tournament, summaries := handCountedMeetings(t)
	meetings, err := NewMeetings(tournament, summaries)
	must(t, err)
	want := []Meeting{
		{
			Bot: "a", Opponent: "b",
			Cell:        Cell{Matches: 12, Points: 6.5, Wins: 5, Draws: 3, Losses: 3},
			Pairs:       stats.Pentanomial{0, 0, 2, 1, 1},
			Singles:     stats.Trinomial{Losses: 2}, // of pairs 5 and 6
			Repeats:     1,
			FaultLosses: [2]int{1, 1},
			CPU:         [2]time.Duration{time.Duration(1+5+7+11+13+15) * time.Millisecond, 0},
			CPUMatches:  [2]int{6, 0},
			splits:      [2]int{1, 0},
		},
		{
			Bot: "a", Opponent: "c",
			Cell:       Cell{Matches: 4, Points: 2, Wins: 2, Losses: 2},
			Pairs:      stats.Pentanomial{0, 0, 2, 0, 0},
			CPU:        [2]time.Duration{time.Duration(4+10) * time.Millisecond, time.Duration(3+9) * time.Millisecond},
			CPUMatches: [2]int{2, 2},
			splits:     [2]int{2, 0},
		},
	}
	if diff := cmp.Diff(want, meetings.List, cmp.AllowUnexported(Meeting{})); diff != "" {
		t.Error(diff)
	}
	for _, format := range MeetingsFormats() {
		var out strings.Builder
		must(t, meetings.Write(&out, format))
		golden(t, "head-to-head."+string(format), out.String())
	}
	if err := meetings.Write(new(strings.Builder), FormatJSONL); err == nil || !strings.Contains(err.Error(), "known: table, markdown, csv, json") {
		t.Error(err)
	}
}

func TestMeetingsOf(t *testing.T) {
	tournament, summaries := handCountedMeetings(t)
	meetings, err := NewMeetings(tournament, summaries)
	must(t, err)
	of := meetings.Of("b")
	want := []Meeting{{
		Bot: "b", Opponent: "a",
		Cell:        Cell{Matches: 12, Points: 4.5, Wins: 3, Draws: 3, Losses: 5},
		Pairs:       stats.Pentanomial{1, 1, 2, 0, 0},
		Singles:     stats.Trinomial{Wins: 2},
		Repeats:     1,
		FaultLosses: [2]int{1, 1},
		CPU:         [2]time.Duration{0, 52 * time.Millisecond},
		CPUMatches:  [2]int{0, 6},
		splits:      [2]int{1, 0},
	}}
	if diff := cmp.Diff(want, of.List, cmp.AllowUnexported(Meeting{})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(meetings.List[:1], of.Against("a").Of("a").List, cmp.AllowUnexported(Meeting{})); diff != "" {
		t.Error(diff)
	}
	if of := meetings.Of("b").Against("c"); len(of.List) != 0 {
		t.Errorf("%+v", of.List)
	}
	if of := meetings.Of("c").Against("a"); len(of.List) != 1 {
		t.Errorf("%+v", of.List)
	}
}

func TestMeetingsOfStrangers(t *testing.T) {
	tournament, summaries := handCountedMeetings(t)
	summaries[3].North = "d"
	if _, err := NewMeetings(tournament, summaries); err == nil || !strings.Contains(err.Error(), "d") {
		t.Error(err)
	}
}

// TestNoInformation: where all matches are alike, it is said, in words.
func TestNoInformation(t *testing.T) {
	for _, test := range []struct {
		matches []string
		want    string
	}{
		{[]string{"a b 1 south", "b a 1 south", "a b 2 south", "b a 2 south"}, "South won both matches of all 2 pairs: nothing can be said of strength"},
		{[]string{"a b 1 north", "b a 1 north"}, "North won both matches of the one pair: nothing can be said of strength"},
		{[]string{"a b 1 north", "b a 1 north", "a b 2 south", "b a 2 south"}, "the points of all 2 pairs were shared: nothing can be said of strength"},
		{[]string{"a b 1 draw", "b a 1 draw"}, "the points of the one pair were shared: nothing can be said of strength"},
		{[]string{"a b 1 south", "b a 1 north"}, "a won both matches of the one pair: only a lower bound of the difference can be told"},
		{[]string{"a b 1 north", "b a 1 south"}, "b won both matches of the one pair: only an upper bound of the difference can be told"},
		{[]string{"a b 1 south", "b a 1 draw"}, "a won one match of the one pair and drew the other: no error can be told"},
		{[]string{"a b 1 draw", "b a 1 south"}, "b won one match of the one pair and drew the other: no error can be told"},
		{[]string{"a b 1 void"}, "no match is decided: nothing can be said of strength"},
		{[]string{"a b 1 south"}, "no pair is complete, and a won all 1 match: only a lower bound of the difference can be told"},
		{[]string{"a b 1 north", "a b 2 north"}, "no pair is complete, and b won all 2 matches: only an upper bound of the difference can be told"},
		{[]string{"a b 1 draw"}, "no pair is complete, and all 1 match were drawn: nothing can be said of strength"},
		{[]string{"a b 1 south", "a b 2 draw", "a b 3 north"}, "no pair is complete: the errors are those of single matches"},
		{[]string{"a b 1 south", "b a 1 north", "a b 2 south", "b a 2 draw"}, "too few pairs: the interval has no end on one side"},
		{[]string{"a b 1 south", "b a 1 north", "a b 2 north", "b a 2 south", "a b 3 south", "b a 3 south", "a b 4 draw", "b a 4 draw"}, ""},
	} {
		meetings, err := NewMeetings(spring(9, "a", "b"), matchesOf(t, test.matches...))
		must(t, err)
		if got := meetings.List[0].noInformation(); got != test.want {
			t.Errorf("%q:\n%s\nwant\n%s", test.matches, got, test.want)
		}
		for _, format := range MeetingsFormats() {
			var out strings.Builder
			must(t, meetings.Write(&out, format))
			if text := out.String(); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
				t.Error(text)
			}
		}
	}
}

// FuzzMeetings: whatever the results, both bots see the same meeting, all matches are somewhere, and it can be
// written.
func FuzzMeetings(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Add([]byte("nothing is known of these matches"))
	f.Fuzz(func(t *testing.T, results []byte) {
		tournament := spring(1, "a", "b")
		tournament.Openings = nil
		var summaries []Slotted
		for i, b := range results {
			key := Key{South: "a", North: "b", Pair: i/2 + 1}
			if i%2 == 1 {
				key.South, key.North = key.North, key.South
			}
			if b%8 >= 6 {
				continue // not played
			}
			summary := record(key, Result(b%4+1)).Summary
			summary.Hash[0] = b
			summaries = append(summaries, Slotted{Slot: i + 1, Summary: summary})
		}
		meetings, err := NewMeetings(tournament, summaries)
		must(t, err)
		if len(summaries) == 0 {
			return
		}
		m := meetings.List[0]
		pairs := 0
		for _, count := range m.Pairs {
			pairs += count
		}
		singles := m.Singles.Wins + m.Singles.Draws + m.Singles.Losses
		decided := m.Wins + m.Draws + m.Losses
		if 2*pairs+singles+m.Repeats != decided || decided > m.Matches || m.Matches != len(summaries) {
			t.Errorf("%+v of %d matches", m, len(summaries))
		}
		if diff := cmp.Diff(m, m.Swap().Swap(), cmp.AllowUnexported(Meeting{})); diff != "" {
			t.Error(diff)
		}
		own, theirs := m.json(), m.Swap().json()
		if own.Points+theirs.Points != float64(decided) || own.Units != theirs.Units || (own.EloError == nil) != (theirs.EloError == nil) {
			t.Errorf("%+v\n%+v", own, theirs)
		}
		var out strings.Builder
		must(t, meetings.Write(&out, FormatJSON))
		if !json.Valid([]byte(out.String())) {
			t.Error(out.String())
		}
	})
}

// Where one end of the interval of a difference is known it is said.
func TestDifferenceCells(t *testing.T) {
	for _, c := range []struct {
		figures      stats.Figures
		cell, margin string
		inOne        string
	}{
		{stats.Figures{Elo: number(132.4), EloError: number(108.6), EloLow: number(24), EloHigh: number(241)}, "+132", "±109", "+132 ± 109"},
		{stats.Figures{Elo: number(512), EloLow: number(311)}, "+512", "> +311", "+512 (> +311)"},
		{stats.Figures{Elo: number(-300), EloHigh: number(-161)}, "-300", "< -161", "-300 (< -161)"},
		{stats.Figures{EloLow: number(311)}, "> +311", "-", "> +311"},
		{stats.Figures{EloHigh: number(-161)}, "< -161", "-", "< -161"},
		{stats.Figures{Elo: number(0)}, "0", "-", "0"},
		{stats.Figures{}, "-", "-", "-"},
	} {
		cell, margin := differenceCell(c.figures), differenceMarginCell(c.figures)
		if cell != c.cell || margin != c.margin || withMargin(cell, margin) != c.inOne {
			t.Errorf("%q, %q and %q, not %q, %q and %q", cell, margin, withMargin(cell, margin), c.cell, c.margin, c.inOne)
		}
	}
}
