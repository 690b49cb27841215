package web

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sembra/results"
	"sembra/results/measure"
	"sembra/results/report"
	"sembra/results/safe"
)

// The most that a page of a bot reads of the bodies of matches.
const (
	mostLogs     = 5
	mostThinking = 200
)

func (r *reader) botPage(bot string) content {
	t := r.Tournament
	if !slices.Contains(t.Bots, bot) {
		what := fmt.Sprintf("tournament %q has no bot %q", t.Name, bot)
		check(missing(what, hyperlink{"Its standings", r.tournament(t.Name)}))
	}
	if slices.Contains(t.Withdrawn, bot) {
		return r.below("bot", bot, templateData{
			"Bot": bot, "Matches": hyperlink{"All its matches", r.toMatches(matchChoice{byBot: bot})},
			"Facts": []factView{fact("withdrawn", "its matches count in no table")}, "Withdrawn": true, "Play": "",
		})
	}
	standings, summaries := r.standings(), r.recorded()
	profile := results.NewProfile(bot, summaries)
	endings := r.table("By ending", report.EndingTable(profile))
	for _, row := range endings.Rows {
		row[0].URL = r.toMatches(matchChoice{byBot: bot, byEnding: row[0].Text})
	}
	endings.narrow("ending", "points", "matches")
	seats := r.table("By seat", report.SeatTable(profile))
	seats.narrow("seat", "points", "matches")
	faults, logs := r.faultsOf(bot, summaries)
	play := ""
	if r.playing != nil {
		play = r.playing.address(r.links, t, bot)
	}
	v := templateData{
		"Withdrawn": false, "Play": play, "Bot": bot, "Matches": hyperlink{"All its matches", r.toMatches(matchChoice{byBot: bot})},
		"Facts": r.botFacts(bot, standings), "Opponents": r.opponentTable(bot, summaries),
		"Seats": seats, "Endings": endings, "Faults": faults, "Logs": logs,
	}
	v["TimeChart"], v["Times"], v["TimeNote"] = r.timesOf(bot, summaries)
	return r.below("bot", bot, v)
}

// botFacts returns how the bot stands, and what is known about its program.
func (r *reader) botFacts(bot string, s results.Standings) []factView {
	columns, rows, err := report.StandingsTable(s, r.Schedule.Total()).Grid()
	at := slices.IndexFunc(s.Lines, func(line results.Standing) bool { return line.Bot == bot })
	check(err)
	var first, facts []factView // the rating and the rank come first
	for i, column := range columns {
		value, disqualified := strings.CutSuffix(rows[at][i], "*") // a note below the standings explains the star
		if disqualified {
			value += ", disqualified"
		}
		switch column.Title {
		case "bot":
		case "#":
			first = append(first, fact("rank", fmt.Sprintf("%s of %d", value, len(s.Lines))))
		case "rating":
			first = slices.Insert(first, 0, fact("rating", value))
		case "±":
			if value != "-" {
				first[0].Values[0].Text += " " + value
			}
		default:
			facts = append(facts, fact(column.Title, value))
		}
	}
	facts = append(first, facts...)
	program := r.Tournament.Programs[bot]
	if r.translate != nil {
		program.Command = nil // a report is passed on, and the paths of a machine concern nobody else
	}
	for _, f := range []factView{
		fact("built-in bot", program.Builtin), fact("command", strings.Join(program.Command, " ")),
		fact("options", strings.Join(program.Options, ", ")),
	} {
		if f.Values[0].Text != "" {
			facts = append(facts, f)
		}
	}
	if slices.Contains(r.Tournament.Replacing, bot) {
		facts = append(facts, fact("replaced", "its matches are being played again"))
	}
	return facts
}

func (r *reader) opponentTable(bot string, summaries []results.Numbered) tableView {
	meetings := got(r.Tournament.Meetings(summaries, bot))
	v := r.table("By opponent", report.HeadToHead(meetings).Parts[0])
	if points := v.column("points"); points >= 0 {
		for i, meeting := range meetings.List {
			v.Rows[i][points].URL = r.toMatches(matchChoice{byBot: bot, byOpponent: meeting.Opponent})
		}
	}
	v.remove("bot")
	v.narrow("opponent", "points", "score")
	return v
}

// faultsOf returns the faults of a bot, with the conversations of a few matches.
func (r *reader) faultsOf(bot string, summaries []results.Numbered) (table tableView, logs []templateData) {
	faults := slices.DeleteFunc(r.Tournament.Faults(summaries), func(f results.BotFaults) bool {
		return f.Bot != bot
	})
	if len(faults) == 0 {
		table.note("the bot was not at fault in any match")
		return table, nil
	}
	all := r.faultReports(faults)
	table = r.table("Matches lost by a fault", report.FaultsTable(r.Tournament.Name, all))
	table.remove("bot")
	numbers := []int{all[0].Number}
	for _, number := range slices.Backward(faults[0].Numbers) {
		if number != numbers[0] && len(numbers) < mostLogs {
			numbers = append(numbers, number)
		}
	}
	for _, number := range numbers {
		if number == 0 { // all its faults are forfeits
			continue
		}
		record, found, err := r.Record(number)
		if err != nil || !found || record.Evidence == nil { // the page of the match says what is wrong
			continue
		}
		match := report.Match{Tournament: r.Tournament, Number: number, Matches: r.Schedule.Known(), Record: record}
		_, log, _ := strings.Cut(r.talk(match), "\n") // without the title
		logs = append(logs, templateData{
			"Text": "Match " + strconv.Itoa(number), "URL": r.toMatch(number), "Outcome": match.Outcome(), "Log": log,
		})
	}
	return table, logs
}

// talk returns the end of the conversation with the bots of a match, if it was kept.
func (r *reader) talk(m report.Match) string {
	if m.Record.Evidence == nil {
		return ""
	}
	var text bytes.Buffer
	check(m.WriteLog(&text, *m.Record.Evidence))
	return text.String()
}

// timesOf returns how long a bot thought about its moves, from its last matches, as a chart and as a table. The chart
// is nil if it has made no move.
func (r *reader) timesOf(bot string, summaries []results.Numbered) (chart *chartView, table tableView, note string) {
	rules := r.ruleset()
	thinking := measure.Thinking{Bot: bot}
	all, bad := 0, 0
	for _, match := range slices.Backward(summaries) {
		if match.Plies == 0 || !match.Key.Of([]string{bot}) {
			continue
		}
		all++
		if all > mostThinking {
			continue
		}
		record, _, err := r.Record(match.Number)
		var replay results.Replay
		if err == nil {
			replay, err = r.Tournament.Replay(rules, record)
		}
		if err == nil {
			thinking.Add(replay)
		} else {
			bad++
		}
	}
	const mostSteps = 60
	steps := thinking.Steps(mostSteps)
	if whole, ok := thinking.All(); ok {
		chart = timeChart(bot, steps, whole)
	}
	return chart, r.table("Thinking time by the number of the move", report.ThinkingTable(steps)), timeNote(all, bad)
}

// timeNote says which of all matches of a bot its thinking times are from; bad is the number of those that were read
// in vain.
func timeNote(all, bad int) string {
	if all == 0 {
		return "The bot has made no move yet."
	}
	note := fmt.Sprintf("From the last %d of %d matches in which moves were made.", min(all, mostThinking), all)
	if bad > 0 {
		note += fmt.Sprintf(" %d of these matches cannot be replayed (sembra verify says why).", bad)
	}
	return note
}

// timeChart draws how long a bot thought about its moves, by their number.
func timeChart(bot string, steps []measure.ThinkingStep, all measure.ThinkingStep) *chartView {
	lines := []chartLine{
		{Name: "median", Class: "line0", Last: report.ShortTime(all.Median)},
		{Name: "9 of 10 moves within", Class: "line1", Last: report.ShortTime(all.Most)},
	}
	for _, s := range steps {
		at := float64(s.First+s.Last) / 2
		lines[0].points = append(lines[0].points, chartPoint{at, float64(s.Median)})
		lines[1].points = append(lines[1].points, chartPoint{at, float64(s.Most)})
	}
	chart := &chartView{
		Title: "Thinking time by the number of the move",
		Description: fmt.Sprintf("%s thought %s about a move in the median, %s or less about 9 of 10 moves, and %s at most.",
			safe.Line(bot), report.ShortTime(all.Median), report.ShortTime(all.Most), report.ShortTime(all.Longest)),
	}
	write := func(number float64) string { return report.ShortTime(time.Duration(number)) }
	chart.draw(lines, axisUnit{write, float64(time.Microsecond)}, 0)
	return chart
}
