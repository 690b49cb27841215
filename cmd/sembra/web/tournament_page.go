package web

import (
	"fmt"
	"html/template"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"sembra/engine/show"
	"sembra/results"
	"sembra/results/report"
	"sembra/results/store"
)

type factView struct {
	Name   string
	Values []hyperlink
}

func fact(name, value string) factView { return factView{name, []hyperlink{{Text: value}}} }

func (r *reader) summaryPage() content {
	t, standings, summaries := r.Tournament, r.standings(), r.recorded()
	total := r.Schedule.Total()
	v := templateData{
		"Name": t.Name, "State": r.state(standings.Played), "Played": standings.Played, "Total": total, "Progress": report.Progress(standings, total),
		"Live": r.at("live"), "InPlay": r.inPlay, "Matches": hyperlink{"All matches", r.toMatches(nil)}, "Facts": r.tournamentFacts(),
		"Standings": r.standingsTable(standings), "Bracket": r.bracket(r.Schedule.Bracket()), "Stages": r.swissStages(),
		"Faults": r.faultsTable(summaries), "Others": r.otherMatches(), "Test": nil, "Workers": nil, "Crosstable": nil,
		"CrosstableURL": "", "Isolation": got(r.Isolation()),
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
	case standings.Played == 0: // it would be empty
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
	return facts
}

func (r *reader) standingsTable(s results.Standings) tableView {
	v := r.table("Standings", report.StandingsTable(s, r.Schedule.Total()))
	column, cells := barColumn(s)
	if at := v.column("rating"); at >= 0 && column.Axis != nil {
		if v.column("±") == at+1 {
			at++
		}
		v.insert(at+1, column, cells)
	}
	v.narrow("#", "bot", "points", "rating")
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

func (r *reader) faultsTable(summaries []results.Numbered) tableView {
	all := r.faultReports(r.Tournament.Faults(summaries))
	v := r.table("Matches lost by a fault", report.FaultsTable(r.Tournament.Name, all))
	if at := v.column("faults"); at >= 0 {
		for i, f := range all {
			v.Rows[i][at].URL = r.toMatches(matchChoice{byBot: f.Bot, byFault: f.Bot})
		}
	}
	v.narrow("bot", "faults", "how", "match")
	return v
}

// faultReports adds what is known about the last fault of each bot. A damaged record tells what is wrong with it.
func (r *reader) faultReports(faults []results.BotFaults) []results.BotFaults {
	var all []results.BotFaults
	read := func(number int) (results.Record, error) {
		record, _, err := r.Record(number)
		if err != nil {
			record = results.Record{Evidence: &results.Evidence{What: r.wrong(err)}}
		}
		return record, nil
	}
	for _, f := range faults {
		whole, _ := f.Report(read) // read returns no error
		all = append(all, whole)
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

type tournamentCard struct {
	hyperlink
	Ruleset hyperlink
	Format  string
	Bots    int

	State         string // complete, running or stopped
	Played, Total int
	Leader        hyperlink // the bot with the most points; no text: no bot has played
	Points        string
	Won           bool   // the leader has won a knockout, with however many points
	Test          string // how a sequential test stands, instead of the leader
}

// tournamentsPage is the list of all tournaments, the newest first.
func (s *Server) tournamentsPage(r *http.Request) content {
	all := got(s.library.Tournaments())
	var cards []tournamentCard
	for _, t := range slices.Backward(all) {
		card := tournamentCard{
			hyperlink: hyperlink{t.Name, s.links.tournament(t.Name)}, Ruleset: hyperlink{t.Ruleset, s.links.rules(t.Ruleset)},
			Format: t.Format, Bots: len(t.Bots),
		}
		check(s.library.Read(r.Context(), t.Name, func(b *store.Records) error {
			card.count(s.reader(b))
			return nil
		}))
		cards = append(cards, card)
	}
	return content{Title: "Tournaments", Section: tournamentsSection, Template: "tournaments", View: cards}
}

// count adds what the matches of a tournament tell.
func (c *tournamentCard) count(r *reader) {
	leaders := r.Tournament.Leaders()
	for _, match := range got(r.Recorded()) {
		if !match.Of(r.Tournament.Withdrawn) {
			leaders.Add(match.Summary)
			c.Played++
		}
	}
	c.State, c.Total = r.state(c.Played), r.Schedule.Total()
	for _, leader := range leaders.Top(1, r.Schedule.Merits()) {
		c.Leader, c.Points = r.toBot(leader.Bot), report.Points(leader.Points)
	}
	if test := r.Schedule.Test(); test != nil {
		decision := test.Decision.String()
		if strings.HasPrefix(decision, "H") {
			decision += " accepted"
		}
		c.Test = fmt.Sprintf("%s, LLR %+.2f", decision, test.LLR)
	}
	if bracket := r.Schedule.Bracket(); c.State == "complete" && len(bracket) > 0 {
		c.Leader, c.Won = r.toBot(bracket[len(bracket)-1].Winner), true
	}
}

// crossRow is the results of a bot against each other bot, in the order of the rows.
type crossRow struct {
	hyperlink
	Number int    // from 1
	Each   string // of the first row: the number of matches of every cell; "": they differ
	Cells  template.HTML

	// Cells without links lead to the address that Matches of their row and Against of their column make together. A
	// browser would need twice as long for a large table if each cell were a link. Otherwise both are "".
	Matches, Against string
}

// smallCrosstable is the greatest number of bots whose crosstable is on the page of the tournament, and has links
// in its cells.
const smallCrosstable = 24

func (r *reader) crosstablePage() content {
	return r.below("crosstable", "Crosstable of "+r.Tournament.Name, r.crosstable(r.standings()))
}

// crosstable returns the rows of the crosstable, which has a column for each. A template would take several times as
// long to write the cells of many bots.
func (r *reader) crosstable(s results.Standings) []crossRow {
	table := report.CrosstableTable(s)
	_, lines, err := table.Grid()
	check(err)
	rows := make([]crossRow, len(lines))
	for i, row := range lines {
		bot := s.Lines[i].Bot
		rows[i].hyperlink, rows[i].Number = r.toBot(bot), i+1
		var cells strings.Builder
		for at, text := range row[len(row)-len(s.Lines):] {
			opponent, heat := s.Lines[at].Bot, "none"
			text = template.HTMLEscapeString(text)
			if tally := s.Cell(bot, opponent); tally.Matches > 0 {
				heat = "heat" + strconv.Itoa(int(math.Round(10*tally.Points/float64(tally.Matches))))
				if table.Title != nil { // all cells have as many
					rows[0].Each = show.Count(tally.Matches, "match", "matches")
				}
				url := r.toMatches(matchChoice{byBot: bot, byOpponent: opponent})
				if len(lines) > smallCrosstable {
					rows[i].Matches = r.toMatches(matchChoice{byBot: bot})
					rows[at].Against = strings.TrimPrefix(url, rows[i].Matches)
				} else {
					text = `<a href="` + template.HTMLEscapeString(url) + `">` + text + "</a>"
				}
			}
			cells.WriteString("<td class=" + heat + ">" + text)
		}
		rows[i].Cells = template.HTML(cells.String()) //nolint:gosec // escaped
	}
	return rows
}

type stageView struct {
	Title    string
	Pairings []pairingView
}

// pairingView is two bots that meet.
type pairingView struct {
	Bots    [2]pairedBot
	Matches string // the address of the matches; "": there are none
	Bye     bool   // there is only the first bot
	Note    string // how it ended, if the points do not tell
}

type pairedBot struct {
	hyperlink        // without a text if the bot is not known yet
	Points    string // "" before the first match
	Won       bool
}

func (r *reader) swissStages() []stageView {
	return r.stages(r.Schedule.Pairings(), func(number, _ int) string { return fmt.Sprintf("Stage %d", number) })
}

// bracket returns the stages of a knockout. Stages that have not begun have the bots that have reached them so far.
func (r *reader) bracket(pairings []results.Pairing) []stageView {
	views := r.stages(pairings, knockoutTitle)
	if views == nil {
		return nil
	}
	begun := len(views)
	last := pairings[len(pairings)-len(views[begun-1].Pairings):]
	for open := len(last) / 2; open > 0; open /= 2 {
		views = append(views, stageView{knockoutTitle(len(views)+1, open), make([]pairingView, open)})
	}
	for i, two := range last {
		if two.Winner != "" && len(last) > 1 {
			views[begun].Pairings[i/2].Bots[i%2].hyperlink = r.toBot(two.Winner)
		}
	}
	return views
}

// knockoutTitle returns the usual name of a stage with a number of pairings.
func knockoutTitle(number, pairings int) string {
	switch pairings {
	case 1:
		return "Final"
	case 2:
		return "Semi-finals"
	case 4:
		return "Quarter-finals"
	}
	return fmt.Sprintf("Stage %d", number)
}

// stages groups pairings by their stages. title returns the title of a stage by its number and the number of pairings.
func (r *reader) stages(pairings []results.Pairing, title func(number, pairings int) string) []stageView {
	var views []stageView
	for _, two := range pairings {
		if two.Stage > len(views) {
			views = append(views, stageView{})
		}
		last := &views[len(views)-1]
		last.Pairings = append(last.Pairings, r.pairing(two))
	}
	for i := range views {
		views[i].Title = title(i+1, len(views[i].Pairings))
	}
	return views
}

func (r *reader) pairing(t results.Pairing) pairingView {
	v := pairingView{Bye: t.Bots[1] == ""}
	for i, bot := range t.Bots {
		if bot == "" {
			continue
		}
		v.Bots[i].hyperlink = r.toBot(bot)
		v.Bots[i].Won = !v.Bye && bot == t.Winner
		if t.Pairs > 0 || t.Points != [2]float64{} {
			v.Bots[i].Points = report.Points(t.Points[i])
		}
	}
	if !v.Bye {
		v.Matches = r.toMatches(matchChoice{byBot: t.Bots[0], byOpponent: t.Bots[1], byStage: strconv.Itoa(t.Stage)})
	}
	if t.BySeed {
		v.Note = "level: the higher-seeded bot advances"
	}
	return v
}
