package web

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"sembra/results"
	"sembra/results/report"
)

// tournamentView is how a tournament stands.
type tournamentView struct {
	Name          string
	Facts         []factView
	Played, Total int
	Progress      string // "12 of 40 matches"
	Live          string // the address of its events; "": it is not live
	Matches       link
	Standings     tableView
	Test          *tableView // of a sequential test; otherwise nil
	TestChart     *chartView
	Bracket       []stageView // of a knockout
	Stages        []stageView // of a Swiss tournament
	Crosstable    *crossView  // nil for two bots, and if it has a page of its own
	CrosstableURL string      // of that page; "": there is none
	Faults        tableView
	Workers       *tableView // nil if the machine of the run played all matches
	Others        []link     // matches that do not count
}

// factView is a property of a tournament or of a bot.
type factView struct {
	Name   string
	Values []link
}

// Wide reports whether the property needs a line of its own.
func (f factView) Wide() bool {
	const most = 40 // bytes in a column
	return slices.ContainsFunc(f.Values, func(v link) bool { return len(v.Text) > most })
}

// fact returns a property with one value.
func fact(name, value string) factView { return factView{name, []link{{Text: value}}} }

func summaryPage(b *reader, _ *http.Request, l links) (content, error) {
	view, err := newTournamentView(b, l)
	name := b.Tournament.Name
	return content{
		Title: name, Section: tournamentsSection, Trail: tournamentTrail("", l), Template: "tournament", View: view,
	}, err
}

func newTournamentView(b *reader, l links) (v tournamentView, err error) {
	t := b.Tournament
	summaries, err := b.recorded()
	if err != nil {
		return v, err
	}
	c := newCellLinks(t, l)
	faults, err := faultsTable(b, summaries, c)
	if err != nil {
		return v, err
	}
	standings, err := b.standings()
	if err != nil {
		return v, err
	}
	total, ties := b.Schedule.Total(), b.Schedule.Ties()
	tables := report.NewStandingsTables(standings, total, ties)
	v = tournamentView{
		Name: t.Name, Played: standings.Played, Total: total, Progress: report.Progress(standings, total),
		Live: l.live(t.Name), Matches: link{"All matches", l.matches(t.Name, matchChoice{})},
		Bracket: bracket(ties, c), Stages: swissStages(b.Schedule.Pairings(), c),
		Faults: faults,
	}
	if v.Facts, err = tournamentFacts(b, l); err != nil {
		return v, err
	}
	if v.Standings, err = standingsTable(standings, tables, c); err != nil {
		return v, err
	}
	if tables.Test != nil {
		test, err := c.table("Sequential test", *tables.Test)
		if err != nil {
			return v, err
		}
		test.Fixed = true
		v.Test = &test
		if v.TestChart, err = testChart(standings, summaries); err != nil {
			return v, err
		}
	}
	if tables.Workers != nil {
		workers, err := c.table("Workers", *tables.Workers)
		if err != nil {
			return v, err
		}
		v.Workers = &workers
	}
	if len(t.Bots) > smallCrosstable {
		v.CrosstableURL = l.crosstable(t.Name)
	}
	if len(t.Bots) > 2 && v.CrosstableURL == "" {
		if v.Crosstable, err = newCrossView(standings, tables.Crosstable, c); err != nil {
			return v, err
		}
	}
	v.Others, err = otherMatches(b, c)
	return v, err
}

// tournamentFacts returns the plan of a tournament in a few words.
func tournamentFacts(b *reader, l links) ([]factView, error) {
	t := b.Tournament
	format := t.Format
	if t.Stages > 0 {
		format += ", " + strconv.Itoa(t.Stages) + " stages"
	}
	facts := []factView{
		{"Ruleset", []link{{t.Ruleset, l.rules(t.Ruleset)}}},
		fact("Format", format),
		fact("Bots", strconv.Itoa(len(t.Bots))),
	}
	if t.Pairs > 0 {
		pairs := strconv.Itoa(t.Pairs)
		switch {
		case t.Format == results.Sequential:
			pairs = "at most " + pairs
		case t.ExtraPairs > 0:
			pairs += ", and up to " + strconv.Itoa(t.ExtraPairs) + " more while a tie is level"
		}
		facts = append(facts, fact("Pairs of matches", pairs))
	}
	if clock := t.Time.String(); clock != "" {
		facts = append(facts, fact("Time", clock))
	}
	if t.Anchor != "" {
		facts = append(facts, factView{"Anchor", []link{{t.Anchor, l.bot(t.Name, t.Anchor)}}})
	}
	isolation, err := b.Isolation()
	if len(isolation) > 0 {
		f := factView{Name: "Isolation"}
		for _, line := range isolation {
			f.Values = append(f.Values, link{Text: line})
		}
		facts = append(facts, f)
	}
	return facts, err
}

// standingsTable returns the standings with a bar for each rating.
func standingsTable(s results.Standings, tables report.StandingsTables, c cellLinks) (tableView, error) {
	v, err := c.table("Standings", tables.Standings)
	if err != nil {
		return v, err
	}
	column, cells := barColumn("rating with its 95 % interval", s)
	if at := v.column("rating"); at >= 0 && column.Axis != nil {
		if v.column("±") == at+1 {
			at++
		}
		v.insert(at+1, column, cells)
	}
	return v, nil
}

// testChart draws the LLR of a sequential test against its bounds. It returns nil
// before the first pair.
func testChart(s results.Standings, summaries []results.Slotted) (*chartView, error) {
	const mostSteps = 400
	points, err := results.TestPath(s.Tournament, summaries, mostSteps)
	if err != nil || len(points) < 2 {
		return nil, err
	}
	line := chartLine{Class: "line0"}
	for _, p := range points {
		line.points = append(line.points, point{float64(p.Pairs), p.LLR})
	}
	lower, upper := s.Tournament.Test.Bounds()
	llr := func(number float64) string { return strconv.FormatFloat(number, 'f', 2, 64) }
	lines := []chartLine{line}
	chart := &chartView{
		Title: "LLR after each pair",
		Description: fmt.Sprintf("The LLR after %d pairs is %s. The test accepts H0 at %s and H1 at %s.",
			points[len(points)-1].Pairs, llr(s.Test.LLR()), llr(lower), llr(upper)),
	}
	f := newFrame(lines, []float64{lower, upper}, whole(), unit{llr, 0.01})
	f.draw(chart, lines)
	chart.Bounds = []tick{f.across(upper, "H1 accepted"), f.across(lower, "H0 accepted")}
	return chart, nil
}

// faultsTable returns the faults of all bots so far.
func faultsTable(b *reader, summaries []results.Slotted, c cellLinks) (tableView, error) {
	all := faultReports(b, results.CountFaults(b.Tournament, summaries))
	v, err := c.table("Matches lost by a fault", report.FaultsTable(b.Tournament.Name, all))
	if at := v.column("faults"); at >= 0 {
		for i, f := range all {
			v.Rows[i][at].URL = c.matches(b.Tournament.Name, matchChoice{Bot: f.Bot, Fault: f.Bot})
		}
	}
	return v, err
}

// faultReports adds what is known about the last fault of each bot. A damaged record tells what is wrong with it.
func faultReports(b *reader, faults []results.BotFaults) (all []results.FaultReport) {
	read := func(slot int) (results.Record, error) {
		record, _, err := b.Record(slot)
		if err != nil {
			record = results.Record{Evidence: &results.Evidence{What: b.wrong(err)}}
		}
		return record, nil
	}
	for _, f := range faults {
		said, _ := results.ReportFaults(f, read) // read returns no error
		all = append(all, said)
	}
	return all
}

// otherMatches returns a link to the matches without a result.
func otherMatches(b *reader, c cellLinks) ([]link, error) {
	voids, err := b.voids()
	if err != nil || len(voids) == 0 {
		return nil, err
	}
	text := "1 match has no result, because Sembra failed"
	if len(voids) > 1 {
		text = strconv.Itoa(len(voids)) + " matches have no result, because Sembra failed"
	}
	return []link{{text, c.matches(b.Tournament.Name, matchChoice{Kind: voidMatches})}}, nil
}
