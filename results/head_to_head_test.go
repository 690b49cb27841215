package results_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"sembra/engine/expect"
	"sembra/results"
	"sembra/results/example"
	"sembra/results/stats"
)

func TestMeetings(t *testing.T) {
	t.Parallel()
	tournament, summaries := example.Meetings()
	meetings, figures := expect.Value(tournament.Meetings(summaries)), cmpopts.IgnoreFields(results.Meeting{}, "Figures")
	want := []results.Meeting{
		{
			Bot: "a", Opponent: "b",
			Tally:       results.Tally{Matches: 12, Points: 6.5, Wins: 5, Draws: 3, Losses: 3},
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
			Tally:      results.Tally{Matches: 4, Points: 2, Wins: 2, Losses: 2},
			Pairs:      stats.Pentanomial{0, 0, 2, 0, 0},
			CPU:        [2]time.Duration{time.Duration(4+10) * time.Millisecond, time.Duration(3+9) * time.Millisecond},
			CPUMatches: [2]int{2, 2},
			Split:      2, Paired: true,
		},
	}
	expect.Equal(t, "meetings", want, meetings.List, figures)
}

func TestMeetingsOf(t *testing.T) {
	t.Parallel()
	tournament, summaries := example.Meetings()
	of, figures := expect.Value(tournament.Meetings(summaries, "b")), cmpopts.IgnoreFields(results.Meeting{}, "Figures")
	want := []results.Meeting{{
		Bot: "b", Opponent: "a",
		Tally:       results.Tally{Matches: 12, Points: 4.5, Wins: 3, Draws: 3, Losses: 5},
		Pairs:       stats.Pentanomial{1, 1, 2, 0, 0},
		Singles:     stats.Trinomial{Wins: 2},
		Repeats:     1,
		FaultLosses: [2]int{1, 1},
		CPU:         [2]time.Duration{0, 52 * time.Millisecond},
		CPUMatches:  [2]int{0, 6},
		Split:       1, Paired: true, Single: 2,
	}}
	expect.Equal(t, "meetings of b", want, of.List, figures)
	expect.Equal(t, "meetings of b and a", want, expect.Value(tournament.Meetings(summaries, "b", "a")).List, figures)
	if of := expect.Value(tournament.Meetings(summaries, "b", "c")); len(of.List) != 0 {
		t.Errorf("%+v", of.List)
	}
	if of := expect.Value(tournament.Meetings(summaries, "c", "a")); len(of.List) != 1 {
		t.Errorf("%+v", of.List)
	}
}

func TestMeetingsOfStrangers(t *testing.T) {
	t.Parallel()
	tournament, summaries := example.Meetings()
	summaries[3].North = "d"
	if _, err := tournament.Meetings(summaries); err == nil || !strings.Contains(err.Error(), "d") {
		t.Error(err)
	}
}
