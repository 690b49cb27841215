package results

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// handCounted is a small tournament whose tables are counted by hand below.
func handCounted() (Tournament, []Numbered) {
	t := spring(1, "a", "b", "c", "d", "e")
	t.Bots = []string{"e", "d", "c", "b", "a"}
	var all []Numbered
	for i, match := range []struct {
		south, north string
		result       Result
		ending       Ending
		fault        Fault
	}{
		{"a", "b", SouthWins, EndEarly, NoFault},
		{"b", "a", Draw, EndNormal, NoFault},
		{"a", "c", NorthWins, EndTime, SouthFault},
		{"c", "a", SouthWins, EndNormal, NoFault},
		{"b", "c", SouthWins, EndIllegal, NorthFault},
		{"d", "b", Void, EndStart, BothFault},
		{"b", "d", Draw, EndCycle, NoFault},
		{"d", "a", NorthWins, EndResign, NoFault},
	} {
		r := record(Key{match.south, match.north, 1}, match.result)
		r.Ending, r.Fault = match.ending, match.fault
		all = append(all, Numbered{Number: i + 1, Summary: r.Summary})
	}
	return t, all
}

func TestStandings(t *testing.T) {
	t.Parallel()
	tournament, summaries := handCounted()
	got := must2(standingsOf(tournament, summaries, nil))
	sum := 0.0
	for i := range got {
		sum += got[i].Elo
		got[i].Elo = 0
	}
	const cpu = 1234567 * time.Microsecond // of South, in each match
	want := []Standing{
		{
			Rank: 1, Bot: "a", Tally: Tally{Matches: 5, Points: 2.5, Wins: 2, Draws: 1, Losses: 2},
			Faults: 1, CPU: 2 * cpu, CPUMatches: 2, SonnebornBerger: 3.5,
		},
		{
			Rank: 2, Bot: "b", Tally: Tally{Matches: 5, Points: 2, Wins: 1, Draws: 2, Losses: 1},
			Faults: 1, CPU: 3 * cpu, CPUMatches: 3, DirectEncounter: 1, SonnebornBerger: 3.5, Koya: 1.5,
		},
		{
			Rank: 3, Bot: "c", Tally: Tally{Matches: 3, Points: 2, Wins: 2, Losses: 1},
			Faults: 1, CPU: cpu, CPUMatches: 1, SonnebornBerger: 5, Koya: 2,
		},
		{
			Rank: 4, Bot: "d", Tally: Tally{Matches: 3, Points: 0.5, Draws: 1, Losses: 1},
			Faults: 1, CPU: 2 * cpu, CPUMatches: 2, SonnebornBerger: 1,
		},
		{Rank: 5, Bot: "e"},
	}
	equal(t, "standings", want, got)
	if math.Abs(sum-7500) > 1e-8 {
		t.Errorf("the ratings add up to %v", sum)
	}
	if _, ok := got[4].Score(); ok {
		t.Error("a score without a match")
	}
	summaries[3].South = "x"
	if _, err := standingsOf(tournament, summaries, nil); err == nil {
		t.Error("a stranger is in the standings")
	}
}

// The standings of a tournament say who is disqualified, by the matches that they are made of.
func TestStandingsOfDisqualifiedBots(t *testing.T) {
	t.Parallel()
	tournament, summaries := handCounted()
	for _, c := range []struct {
		after, matches int
		want           string
	}{
		{0, 8, ""}, {1, 2, ""}, {1, 3, "a"}, {1, 5, "ac"}, {1, 8, "acbd"}, {2, 8, ""},
	} {
		tournament.DisqualifyAfter = c.after
		table := must2(standingsOf(tournament, summaries[:c.matches], nil))
		for _, line := range table {
			if line.Disqualified != strings.Contains(c.want, line.Bot) {
				t.Errorf("after %d, %d matches: %+v", c.after, c.matches, line)
			}
		}
	}
	tournament.DisqualifyAfter = 1
	for missing, want := range map[int]string{1: "", 3: "", 4: "a", 5: "a", 7: "abcd"} {
		table := must2(standingsOf(tournament, slices.Delete(slices.Clone(summaries), missing-1, missing), nil))
		for _, line := range table {
			if line.Disqualified != strings.Contains(want, line.Bot) {
				t.Errorf("without match %d: %+v", missing, line)
			}
		}
	}
}

func TestFilter(t *testing.T) {
	t.Parallel()
	_, all := handCounted()
	for _, c := range []struct {
		filter Filter
		want   []int
	}{
		{Filter{}, []int{1, 2, 3, 4, 5, 7, 8}},
		{Filter{Void: true}, []int{6}},
		{Filter{Bot: "d"}, []int{7, 8}},
		{Filter{South: "b"}, []int{2, 5, 7}},
		{Filter{South: "b", North: "c"}, []int{5}},
		{Filter{Bot: "a", Result: SouthWins}, []int{1, 4}},
		{Filter{Lost: "d"}, []int{8}},
		{Filter{Result: Void}, nil},
		{Filter{Ending: EndTime}, []int{3}},
		{Filter{Fault: "any"}, []int{3, 5}},
		{Filter{Fault: "any", Void: true}, []int{6}},
		{Filter{Fault: "both"}, nil},
		{Filter{Fault: "both", Void: true}, []int{6}},
		{Filter{Fault: "b", Void: true}, []int{6}},
		{Filter{Fault: "c"}, []int{5}},
		{Filter{Numbers: map[int]bool{7: true}}, []int{7}},
		{Filter{Numbers: map[int]bool{7: true}, Bot: "a"}, nil},
	} {
		var got []int
		for match, err := range c.filter.Apply(Tournament{}.WithNotes(inMemory(all))) {
			must(t, err)
			got = append(got, match.Number)
		}
		equal(t, fmt.Sprintf("%+v", c.filter), c.want, got)
	}
}
