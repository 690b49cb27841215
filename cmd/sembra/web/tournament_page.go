package web

import (
	"fmt"
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
	Test          tableView // of a sequential test; otherwise empty
	TestChart     *chartView
	Bracket       []stageView // of a knockout
	Stages        []stageView // of a Swiss tournament
	Crosstable    []crossRow  // none for two bots, and if it has a page of its own
	CrosstableURL string      // of that page; "": there is none
	Faults        tableView
	Workers       tableView // empty if the machine of the run played all matches
	Others        []link    // matches that do not count
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

// summaryPage is how the tournament stands.
func (r *reader) summaryPage() (content, error) {
	t := r.Tournament
	standings, err := r.standings()
	if err != nil {
		return content{}, err
	}
	total, ties := r.Schedule.Total(), r.Schedule.Ties()
	tables := report.NewStandingsTables(standings, total, ties)
	v := tournamentView{
		Name: t.Name, Played: standings.Played, Total: total, Progress: report.Progress(standings, total),
		Live: r.at("live"), Matches: link{"All matches", r.toMatches(nil)},
		Bracket: r.bracket(ties), Stages: r.swissStages(),
	}
	if v.Facts, err = r.tournamentFacts(); err != nil {
		return content{}, err
	}
	if v.Standings, err = r.standingsTable(standings, tables.Standings); err != nil {
		return content{}, err
	}
	if tables.Test != nil {
		if v.Test, err = r.table("Sequential test", *tables.Test); err != nil {
			return content{}, err
		}
		v.Test.Fixed = true
		if v.TestChart, err = r.testChart(standings); err != nil {
			return content{}, err
		}
	}
	if tables.Workers != nil {
		if v.Workers, err = r.table("Workers", *tables.Workers); err != nil {
			return content{}, err
		}
	}
	switch {
	case len(t.Bots) > smallCrosstable:
		v.CrosstableURL = r.at("crosstable")
	case len(t.Bots) > 2:
		if v.Crosstable, err = r.crosstable(standings, tables.Crosstable); err != nil {
			return content{}, err
		}
	}
	if v.Faults, err = r.faultsTable(); err != nil {
		return content{}, err
	}
	v.Others, err = r.otherMatches()
	return content{Title: t.Name, Section: tournamentsSection, Trail: r.trail(), Template: "tournament", View: v}, err
}

// tournamentFacts returns the plan of the tournament in a few words.
func (r *reader) tournamentFacts() ([]factView, error) {
	t := r.Tournament
	format := t.Format
	if t.Stages > 0 {
		format += ", " + strconv.Itoa(t.Stages) + " stages"
	}
	facts := []factView{
		{"Ruleset", []link{{t.Ruleset, r.rules(t.Ruleset)}}}, fact("Format", format), fact("Bots", strconv.Itoa(len(t.Bots))),
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
		facts = append(facts, factView{"Anchor", []link{r.toBot(t.Anchor)}})
	}
	isolation, err := r.Isolation()
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
func (r *reader) standingsTable(s results.Standings, table report.Part) (tableView, error) {
	v, err := r.table("Standings", table)
	column, cells := barColumn("rating with its 95 % interval", s)
	if at := v.column("rating"); at >= 0 && column.Axis != nil {
		if v.column("±") == at+1 {
			at++
		}
		v.insert(at+1, column, cells)
	}
	return v, err
}

// testChart draws the LLR of a sequential test against its bounds. It returns nil
// before the first pair.
func (r *reader) testChart(s results.Standings) (*chartView, error) {
	const mostSteps = 400
	summaries, err := r.recorded()
	if err != nil {
		return nil, err
	}
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
	chart := &chartView{
		Title: "LLR after each pair",
		Description: fmt.Sprintf("The LLR after %d pairs is %s. The test accepts H0 at %s and H1 at %s.",
			points[len(points)-1].Pairs, llr(s.Test.LLR()), llr(lower), llr(upper)),
	}
	f := chart.draw([]chartLine{line}, unit{llr, 0.01}, lower, upper)
	chart.Bounds = []tick{f.across(upper, "H1 accepted"), f.across(lower, "H0 accepted")}
	return chart, nil
}

// faultsTable returns the faults of all bots so far.
func (r *reader) faultsTable() (tableView, error) {
	summaries, err := r.recorded()
	if err != nil {
		return tableView{}, err
	}
	all := r.faultReports(results.CountFaults(r.Tournament, summaries))
	v, err := r.table("Matches lost by a fault", report.FaultsTable(r.Tournament.Name, all))
	if at := v.column("faults"); at >= 0 {
		for i, f := range all {
			v.Rows[i][at].URL = r.toMatches(matchChoice{byBot: f.Bot, byFault: f.Bot})
		}
	}
	return v, err
}

// faultReports adds what is known about the last fault of each bot. A damaged record tells what is wrong with it.
func (r *reader) faultReports(faults []results.BotFaults) (all []results.BotFaults) {
	read := func(slot int) (results.Record, error) {
		record, _, err := r.Record(slot)
		if err != nil {
			record = results.Record{Evidence: &results.Evidence{What: r.wrong(err)}}
		}
		return record, nil
	}
	for _, f := range faults {
		said, _ := f.Report(read) // read returns no error
		all = append(all, said)
	}
	return all
}

// otherMatches returns a link to the matches without a result.
func (r *reader) otherMatches() ([]link, error) {
	voids, err := r.voids()
	if err != nil || len(voids) == 0 {
		return nil, err
	}
	text := "1 match has no result, because Sembra failed"
	if len(voids) > 1 {
		text = strconv.Itoa(len(voids)) + " matches have no result, because Sembra failed"
	}
	return []link{{text, r.toMatches(matchChoice{byKind: voidKind})}}, nil
}
