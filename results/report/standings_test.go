package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"

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
func swissEnd() (results.Tournament, []results.Slotted, map[string]results.Merit) {
	t := results.Tournament{
		Name: "end", Ruleset: "awale", Bots: []string{"a", "b", "c", "d", "e"}, Rating: results.Rating{Start: 1500, K: 16}, Pairs: 9,
	}
	matches := scored("ab 1 ba 1 ac 1 ad 1 da = bc 1 bd = cd 1 dc 1 ab 1 ea 1")
	matches[9].Hash = matches[0].Hash
	return t, matches, map[string]results.Merit{"c": {Byes: 1, ByePoints: 2, Reached: 1}}
}

func TestStandingsWithEverything(t *testing.T) {
	t.Parallel()
	tournament, matches, merits := swissEnd()
	report := Standings(standingsOf(t, tournament, matches, merits), 20, []results.Tie{
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
	burnt := slices.Clone(matches)
	burnt[0].SouthBurnt = true
	anchored, others, _ := swissEnd()
	anchored.Anchor = "e"
	atMean := standingsOf(t, anchored, others, nil)
	must(t, atMean.Rate(1000, 0))
	for _, c := range []struct {
		standings results.Standings
		text      string
		times     int
	}{
		{standingsOf(t, tournament, burnt, nil), "\n" + burnt[0].South + " used processor time while its opponents thought, " +
			"so Sembra stops it then (runtimes that tidy up do so too)\n", 1},
		{standingsOf(t, tournament, burnt, nil), "Sembra stops it", 1},
		{atMean, "\ne has no rating, so the mean of the rated bots is at 1000\n", 1},
		{standingsOf(t, tournament, matches, nil), "faults", 1},
		{standingsOf(t, tournament, matches[:2], nil), "faults", 0}, // without a fault there is no column for faults
	} {
		if text := written(t, Standings(c.standings, 20, nil, nil), Table); strings.Count(text, c.text) != c.times {
			t.Errorf("%q is not there %d times:\n%s", c.text, c.times, text)
		}
	}
}

// The standings of a test have its report, while it goes on and after.
func TestStandingsOfSequentialTest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       []string // in the table
	}{
		{"goes on", "WW LD wD WL W", []string{
			"\nspring  awale  9 of at most 400 matches\n",
			"\npairs                         4 of at most 200\n",
			"\n\nundecided so far, after 4 of at most 200 pairs\n\n# bot",
		}},
		{"decided", strings.Repeat("WW LD wD ", 8) + "W", []string{
			"\nspring  awale  49 of 400 matches\n",
			"\n5 matches were under way when the test was decided and count for points, not for ratings\n",
			"\n\nH1 is accepted: new is ahead of old by 100 or more, rather than by 0 or less (normalized Elo)\n",
		}},
	} {
		tournament := sequential(200, stats.Normalized)
		all := slottedOf(pairsOf(c.text))
		standings := standingsOf(t, tournament, all, nil)
		report := Standings(standings, 400, nil, nil)
		table, markdown, object := "\n"+written(t, report, Table), written(t, report, Markdown), written(t, report, JSON)
		for _, want := range c.want {
			if !strings.Contains(table, want) {
				t.Errorf("%s: %q is not there:\n%s", c.name, want, table)
			}
		}
		for _, note := range (sequentialTest{tournament, len(all), standings.Test}).notes() {
			if !strings.Contains(markdown, "\n- "+note+"\n") || !strings.Contains(table, "\n"+note+"\n") {
				t.Errorf("%s: %q is not there:\n%s", c.name, note, markdown)
			}
		}
		if !strings.Contains(object, `"sprt": {`) || !strings.Contains(object, `    "decision": "`+standings.Test.Decision().String()+`",`) {
			t.Errorf("%s:\n%s", c.name, object)
		}
		meetings, err := results.NewMeetings(tournament, all)
		must(t, err)
		met := written(t, HeadToHead(meetings), Table)
		if past := standings.Past > 0; strings.Contains(met, "  past stop  ") != past || strings.Contains(met, "\npast stop: ") != past {
			t.Errorf("%s: %d past the stop:\n%s", c.name, standings.Past, met)
		}
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
		JSON:     {`"withdrawn": true`},
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

func TestTwelveBotsFitIn100Columns(t *testing.T) {
	t.Parallel()
	var bots []string
	for i := range 12 {
		bots = append(bots, fmt.Sprintf("minimax-depth-%d", i+1))
	}
	tournament := spring(4, bots...)
	var summaries []results.Slotted
	for i, r := range everyPairing(tournament) {
		summaries = append(summaries, results.Slotted{Slot: i + 1, Summary: r.Summary})
	}
	text := written(t, Standings(standingsOf(t, tournament, summaries, nil), len(summaries), nil, nil), Table)
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if displaywidth.String(line) > 100 || strings.Contains(line, "\x1b") || strings.TrimRight(line, " ") != line {
			t.Errorf("%d: %q", len(line), line)
		}
	}
}
