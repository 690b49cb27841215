package results

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"sembra/results/stats"
)

// matchesOf is a list of matches in schedule order, each as "south north pair result", with a fault where
// a name stands behind it.
func matchesOf(t testing.TB, matches ...string) []Numbered {
	t.Helper()
	var list []Numbered
	for i, text := range matches {
		fields := strings.Fields(text)
		result := must2(ParseResult(fields[3]))
		match := Numbered{Number: i + 1, Summary: record(Key{South: fields[0], North: fields[1], Pair: int(fields[2][0] - '0')}, result).Summary}
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
func handCountedMeetings(t testing.TB) (Tournament, []Numbered) {
	t.Helper()
	tournament := spring(9, "a", "b", "c")
	tournament.Openings = Openings{} // else no match can be a repeat
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
		if summaries[i].South != "b" { // as a's and c's CPU time as South only
			summaries[i].CPU[0] = time.Duration(i+1) * time.Millisecond
		} else {
			summaries[i].CPU[0] = UnknownCPU
		}
		summaries[i].CPU[1] = UnknownCPU
	}
	return tournament, summaries
}

func TestMeetings(t *testing.T) {
	t.Parallel()
	tournament, summaries := handCountedMeetings(t)
	meetings, figures := must2(tournament.Meetings(summaries)), cmpopts.IgnoreFields(Meeting{}, "Figures")
	want := []Meeting{
		{
			Bot: "a", Opponent: "b",
			Tally:       Tally{Matches: 12, Points: 6.5, Wins: 5, Draws: 3, Losses: 3},
			Pairs:       stats.Pentanomial{0, 0, 2, 1, 1},
			Singles:     stats.Trinomial{Losses: 2}, // of pairs 5 and 6
			Repeats:     1,
			FaultLosses: [2]int{1, 1},
			CPU:         [2]time.Duration{time.Duration(1+5+7+11+13+15) * time.Millisecond, 0},
			CPUMatches:  [2]int{6, 0},
			Split:       1, Paired: true, Single: 2,
		},
		{
			Bot: "a", Opponent: "c",
			Tally:      Tally{Matches: 4, Points: 2, Wins: 2, Losses: 2},
			Pairs:      stats.Pentanomial{0, 0, 2, 0, 0},
			CPU:        [2]time.Duration{time.Duration(4+10) * time.Millisecond, time.Duration(3+9) * time.Millisecond},
			CPUMatches: [2]int{2, 2},
			Split:      2, Paired: true,
		},
	}
	equal(t, "meetings", want, meetings.List, figures)
}

func TestMeetingsOf(t *testing.T) {
	t.Parallel()
	tournament, summaries := handCountedMeetings(t)
	of, figures := must2(tournament.Meetings(summaries, "b")), cmpopts.IgnoreFields(Meeting{}, "Figures")
	want := []Meeting{{
		Bot: "b", Opponent: "a",
		Tally:       Tally{Matches: 12, Points: 4.5, Wins: 3, Draws: 3, Losses: 5},
		Pairs:       stats.Pentanomial{1, 1, 2, 0, 0},
		Singles:     stats.Trinomial{Wins: 2},
		Repeats:     1,
		FaultLosses: [2]int{1, 1},
		CPU:         [2]time.Duration{0, 52 * time.Millisecond},
		CPUMatches:  [2]int{0, 6},
		Split:       1, Paired: true, Single: 2,
	}}
	equal(t, "meetings of b", want, of.List, figures)
	equal(t, "meetings of b and a", want, must2(tournament.Meetings(summaries, "b", "a")).List, figures)
	if of := must2(tournament.Meetings(summaries, "b", "c")); len(of.List) != 0 {
		t.Errorf("%+v", of.List)
	}
	if of := must2(tournament.Meetings(summaries, "c", "a")); len(of.List) != 1 {
		t.Errorf("%+v", of.List)
	}
}

func TestMeetingsOfStrangers(t *testing.T) {
	t.Parallel()
	tournament, summaries := handCountedMeetings(t)
	summaries[3].North = "d"
	if _, err := tournament.Meetings(summaries); err == nil || !strings.Contains(err.Error(), "d") {
		t.Error(err)
	}
}
