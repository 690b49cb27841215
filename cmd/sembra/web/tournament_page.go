package web

import (
	"fmt"
	"strconv"

	"sembra/engine/show"
	"sembra/results"
	"sembra/results/report"
)

// factView is a property of a tournament or of a bot.
type factView struct {
	Name   string
	Values []hyperlink
}

// fact returns a property with one value.
func fact(name, value string) factView { return factView{name, []hyperlink{{Text: value}}} }

// summaryPage is how the tournament stands.
func (r *reader) summaryPage() content {
	t, standings, summaries := r.Tournament, r.standings(), r.recorded()
	total := r.Schedule.Total()
	v := templateData{
		"Name": t.Name, "Played": standings.Played, "Total": total, "Progress": report.Progress(standings, total),
		"Live": r.at("live"), "Matches": hyperlink{"All matches", r.toMatches(nil)}, "Facts": r.tournamentFacts(),
		"Standings": r.standingsTable(standings), "Bracket": r.bracket(r.Schedule.Bracket()), "Stages": r.swissStages(),
		"Faults": r.faultsTable(summaries), "Others": r.otherMatches(), "Test": nil, "Workers": nil, "Crosstable": nil,
		"CrosstableURL": "",
	}
	if standings.Test != nil {
		test := r.table("Sequential test", report.TestTable(standings))
		test.Fixed = true
		v["Decision"], test.Notes = test.Notes[0].Text, test.Notes[1:]
		v["Test"], v["TestChart"] = test, r.testChart(standings, summaries)
	}
	if len(standings.Workers) > 0 {
		v["Workers"] = r.table("Workers", report.WorkersTable(standings))
	}
	switch {
	case len(t.Bots) > smallCrosstable:
		v["CrosstableURL"] = r.at("crosstable")
	case len(t.Bots) > 2:
		v["Crosstable"] = r.crosstable(standings)
	}
	return content{Title: t.Name, Section: tournamentsSection, Trail: r.trail(), Template: "tournament", View: v}
}

// tournamentFacts returns the plan of the tournament in a few words.
func (r *reader) tournamentFacts() []factView {
	t := r.Tournament
	format := t.Format
	if t.Stages > 0 {
		format += ", " + strconv.Itoa(t.Stages) + " stages"
	}
	facts := []factView{
		{"Ruleset", []hyperlink{{t.Ruleset, r.rules(t.Ruleset)}}},
		fact("Format", format), fact("Bots", strconv.Itoa(len(t.Bots))),
	}
	if t.Pairs > 0 {
		pairs := strconv.Itoa(t.Pairs)
		switch {
		case t.Format == results.Sequential:
			pairs = "at most " + pairs
		case t.ExtraPairs > 0:
			pairs += ", and up to " + strconv.Itoa(t.ExtraPairs) + " more while a meeting is level"
		}
		facts = append(facts, fact("Pairs of matches", pairs))
	}
	if clock := t.Time.String(); clock != "" {
		facts = append(facts, fact("Time", clock))
	}
	if t.Anchor != "" {
		facts = append(facts, factView{"Anchor", []hyperlink{r.toBot(t.Anchor)}})
	}
	if isolation := got(r.Isolation()); len(isolation) > 0 {
		f := factView{Name: "Isolation"}
		for _, line := range isolation {
			f.Values = append(f.Values, hyperlink{Text: line})
		}
		facts = append(facts, f)
	}
	return facts
}

// standingsTable returns the standings with a bar for each rating.
func (r *reader) standingsTable(s results.Standings) tableView {
	v := r.table("Standings", report.StandingsTable(s, r.Schedule.Total()))
	column, cells := barColumn(s)
	if at := v.column("rating"); at >= 0 && column.Axis != nil {
		if v.column("±") == at+1 {
			at++
		}
		v.insert(at+1, column, cells)
	}
	return v
}

// testChart draws the LLR of a sequential test against its bounds. It returns nil before the first pair.
func (r *reader) testChart(s results.Standings, summaries []results.Numbered) *chartView {
	const mostSteps = 400
	points := got(s.Tournament.TestPath(summaries, mostSteps))
	if len(points) < 2 {
		return nil
	}
	line := chartLine{Class: "line0"}
	for _, p := range points {
		line.points = append(line.points, chartPoint{float64(p.Pairs), p.LLR})
	}
	lower, upper := s.Tournament.Test.Bounds()
	llr := func(number float64) string { return strconv.FormatFloat(number, 'f', 2, 64) }
	chart := &chartView{
		Title: "LLR after each pair",
		Description: fmt.Sprintf("The LLR after %d pairs is %s. The test accepts H0 at %s and H1 at %s.",
			points[len(points)-1].Pairs, llr(s.Test.LLR), llr(lower), llr(upper)),
	}
	f := chart.draw([]chartLine{line}, axisUnit{llr, 0.01}, lower, upper)
	chart.Bounds = []tick{f.across(upper, "H1 accepted"), f.across(lower, "H0 accepted")}
	return chart
}

// faultsTable returns the faults of all bots so far.
func (r *reader) faultsTable(summaries []results.Numbered) tableView {
	all := r.faultReports(r.Tournament.Faults(summaries))
	v := r.table("Matches lost by a fault", report.FaultsTable(r.Tournament.Name, all))
	if at := v.column("faults"); at >= 0 {
		for i, f := range all {
			v.Rows[i][at].URL = r.toMatches(matchChoice{byBot: f.Bot, byFault: f.Bot})
		}
	}
	return v
}

// faultReports adds what is known about the last fault of each bot. A damaged record tells what is wrong with it.
func (r *reader) faultReports(faults []results.BotFaults) (all []results.BotFaults) {
	read := func(number int) (results.Record, error) {
		record, _, err := r.Record(number)
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
func (r *reader) otherMatches() []hyperlink {
	n := len(got(r.SelectVoids(results.Filter{Void: true})))
	if n == 0 {
		return nil
	}
	text := show.Count(n, "match has", "matches have") + " no result, because Sembra failed"
	return []hyperlink{{text, r.toMatches(matchChoice{byKind: voidKind})}}
}
