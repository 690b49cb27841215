package report

import (
	"slices"
	"strings"
	"testing"

	"sembra/results"
	"sembra/results/stats"
)

func TestStandings(t *testing.T) {
	t.Parallel()
	tournament, summaries := handCounted()
	tournament.DisqualifyAfter = 5
	standings := standingsOf(t, tournament, summaries, nil)
	report := Standings(standings, 20, nil, []string{"none", "memory & processes <each>"})
	goldens(t, "standings", report, Table, Markdown, CSV, JSON)
	goldens(t, "crosstable", Crosstable(standings, 20), Table, Markdown, CSV, JSON)
}

// swissEnd is a small tournament with byes, stages reached, repeats and bots that cannot be rated.
func swissEnd() (results.Tournament, []results.Numbered, map[string]results.StageResult) {
	t := results.Tournament{Plan: results.Plan{
		Conditions: results.Conditions{Ruleset: "awale"},
		Name:       "end", Bots: []string{"a", "b", "c", "d", "e"}, Rating: results.Rating{Start: 1500, K: 16}, Pairs: 9,
	}}
	matches := scored("ab 1 ba 1 ac 1 ad 1 da = bc 1 bd = cd 1 dc 1 ab 1 ea 1")
	matches[9].Hash = matches[0].Hash
	return t, matches, map[string]results.StageResult{"c": {Byes: 1, ByePoints: 2, Reached: 1}}
}

func TestStandingsWithEverything(t *testing.T) {
	t.Parallel()
	tournament, matches, merits := swissEnd()
	report := Standings(standingsOf(t, tournament, matches, merits), 20, []results.Pairing{
		{Stage: 1, Bots: [2]string{"a", "d"}, Points: [2]float64{4, 4}, Pairs: 4, Winner: "a", BySeed: true},
		{Stage: 1, Bots: [2]string{"c", ""}, Winner: "c"},
		{Stage: 1, Bots: [2]string{"b", "e"}, Points: [2]float64{1.5, 0.5}, Pairs: 1, Winner: "b"},
		{Stage: 2, Bots: [2]string{"a", "c"}},
	}, nil)
	goldens(t, "everything", report, Table, Markdown, CSV, JSON)
	report.Wide = true
	goldens(t, "everything-wide", report, Table, Markdown)
}

// What a table of the standings says now and then.
func TestStandingsSay(t *testing.T) {
	t.Parallel()
	tournament, matches := handCounted()
	anchored, others, _ := swissEnd()
	anchored.Anchor = "e"
	atMean := standingsOf(t, anchored, others, nil)
	must(t, atMean.Rate(1000, 0))
	for _, c := range []struct {
		standings results.Standings
		text      string
		times     int
	}{
		{atMean, "\ne has no rating, so the mean of the rated bots is at 1000\n", 1},
		{standingsOf(t, tournament, matches, nil), "faults", 1},
		{standingsOf(t, tournament, matches[:2], nil), "faults", 0}, // without a fault there is no column for faults
	} {
		if text := written(t, Standings(c.standings, 20, nil, nil), Table); strings.Count(text, c.text) != c.times {
			t.Errorf("%q is not there %d times:\n%s", c.text, c.times, text)
		}
	}
}

// The standings of a test have its report, and matches past its end are told.
func TestStandingsOfSequentialTest(t *testing.T) {
	t.Parallel()
	tournament := sequential(200, stats.Normalized)
	all := numberedOf(pairsOf(strings.Repeat("WW LD wD ", 8) + "W"))
	report := Standings(standingsOf(t, tournament, all, nil), 400, nil, nil)
	meetings := must2(tournament.Meetings(all))
	text := written(t, report, Table) + written(t, report, JSON) + written(t, HeadToHead(meetings), Table)
	for _, want := range []string{
		"spring  awale  49 of 400 matches\n",
		"\n5 matches were under way when the test was decided and count for points, not for\n  ratings\n",
		"\n\nH1 is accepted: new is ahead of old by 100 or more, rather than by 0 or less\n  (normalized Elo)\n",
		"\n  \"sprt\": {\n", "    \"decision\": \"H1\",", "  past stop  ", "\npast stop: ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not there:\n%s", want, text)
		}
	}
	standings := standingsOf(t, tournament, numberedOf(pairsOf("WW LD wD WL W")), nil)
	if got := Progress(standings, 400); got != "9 of at most 400 matches" {
		t.Error(got)
	}
}

func TestStandingsWithDisqualifiedBot(t *testing.T) {
	t.Parallel()
	tournament, summaries := handCounted()
	tournament.DisqualifyAfter = 1
	standings := standingsOf(t, tournament, summaries[:3], nil)
	for format, wants := range map[Format][]string{
		Table:    {" 1* ", "\n\n* disqualified after 1 fault\n"},
		Markdown: {"|     1* |", "|\n\n- \\* disqualified after 1 fault\n- "},
		CSV:      {",true,"},
		JSON:     {`"disqualified": true`},
	} {
		text := written(t, Standings(standings, 20, nil, nil), format)
		for _, want := range wants {
			if strings.Count(text, want) != 1 {
				t.Errorf("%q is not there once:\n%s", want, text)
			}
		}
	}
	standings.Tournament.DisqualifyAfter = 3
	if notes := standingsNotes(standings); !slices.Contains(notes, "* disqualified after 3 faults in a row") {
		t.Errorf("%q", notes)
	}
}
