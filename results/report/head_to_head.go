package report

import (
	"fmt"
	"slices"
	"time"

	"sembra/results"
	"sembra/results/stats"
)

// HeadToHead reports the meetings of a tournament. It has the formats Table, Markdown, CSV and JSON.
func HeadToHead(m results.Meetings) Report {
	all, longest := make([]meeting, len(m.List)), time.Duration(0)
	for i, met := range m.List {
		figures, paired, single := met.Figures()
		all[i], longest = meeting{met, figures, paired, single}, max(longest, met.CPU[0], met.CPU[1])
	}
	cpuCell := cpuWriter(longest)
	rows := rowsOf(all, func(m meeting) Row { return m.row(cpuCell) })
	part := Part{Title: []string{m.Tournament.Name, m.Tournament.Ruleset}, Rows: rows, Notes: meetingNotes(all)}
	for _, bot := range m.Tournament.Withdrawn {
		part.Notes.add("%s has withdrawn: its matches count in no table", bot)
	}
	return Report{Parts: []Part{part}, CSV: rows, JSON: object(
		"tournament", m.Tournament.Name,
		"ruleset", m.Tournament.Ruleset,
		"meetings", rows,
	)}
}

// meeting is a meeting with its figures; see [results.Meeting.Figures].
type meeting struct {
	results.Meeting
	figures stats.Figures
	paired  bool
	single  int
}

// row is the meeting in all formats.
func (m meeting) row(cpuCell func(cpu time.Duration, known bool) string) Row {
	var unit any // what the figures count; nil if they count nothing
	if m.paired {
		unit = "pair"
	} else if m.figures.Units > 0 {
		unit = "match"
	}
	own, other := m.CPUMatches[0] > 0, m.CPUMatches[1] > 0
	cpu := unless("-/-", cpuCell(m.CPU[0], own)+"/"+cpuCell(m.CPU[1], other))
	nElo := nEloOf(m.figures).columns("nelo", "nElo", 3, 3)
	return slices.Concat(
		Row{
			{Name: "bot", Title: "bot", Kind: Name, Value: m.Bot},
			{Name: "opponent", Title: "opponent", Kind: Name, Value: m.Opponent},
			{Name: "matches", Value: m.Matches},
			{Name: "points", Title: "points", Value: points(m.Tally)},
		},
		wonDrawnLost(m.Tally, 6),
		Row{
			{Name: "score", Title: "score", Drop: 5, Value: percent(m.Points, m.Matches)},
			{Name: "draw_share", Title: "draws", Drop: 4, Value: percent(float64(m.Draws), m.Matches)},
			{Name: "unit", Value: unit},
			{Name: "units", Value: m.figures.Units},
		},
		eloOf(m.figures).columns("elo", "Elo", 9, 9),
		nElo[:2],
		Row{
			{Name: "los", Title: "LOS", Drop: 8, Value: both{m.figures.LOS, likelihoodCell(m.figures.Superiority)}},
			{
				Name: "pentanomial:ll,ld,wl_dd,wd,ww", Title: pairsTitle, Drop: 2,
				Value: both{m.Pairs, pairsCell(m.Pairs)},
			},
			{Name: "single", Title: "single", Rare: true, Drop: 7, Value: m.single},
			{Name: "repeats", Title: "repeats", Rare: true, Drop: 7, Value: m.Repeats},
			{Title: "past stop", Rare: true, Drop: 7, Value: m.Past},
			{
				Name: "fault_losses", Title: "by fault", Rare: true, Drop: 7,
				Value: both{m.FaultLosses[0], versus(m.FaultLosses[0], m.FaultLosses[1])},
			},
			{Name: "opponent_fault_losses", Value: m.FaultLosses[1]},
			{Name: "cpu_ms", Title: "CPU", Drop: 1, Value: both{cpuTime(m.CPU[0], own), cpu}},
			{Name: "opponent_cpu_ms", Value: cpuTime(m.CPU[1], other)},
			{Name: "note:", Value: noInformation(m)},
			{Name: "past", Value: m.Past},
		},
		nElo[2:],
		Row{{Name: "superiority", Value: m.figures.Superiority}},
	)
}

// meetingNotes returns why numbers are unknown, and what they do not count.
func meetingNotes(all []meeting) []string {
	var n notes
	alike := make(map[string][]string) // meetings by their reason, which many can share
	for _, m := range all {
		reason := noInformation(m)
		alike[reason] = append(alike[reason], m.Bot+" - "+m.Opponent)
	}
	delete(alike, "")
	for _, m := range all { // in their order
		reason := noInformation(m)
		n.about(alike[reason], reason)
		delete(alike, reason)
	}
	some := func(count func(meeting) int) bool {
		return slices.ContainsFunc(all, func(m meeting) bool { return count(m) > 0 })
	}
	const out, hint = "; Elo, nElo, LOS and their errors leave them out", " (" + repeatHint + ")"
	n.when(some(func(m meeting) int { return m.single }), "single: matches without the other match of their pair"+out)
	n.when(some(func(m meeting) int { return m.Repeats }), "repeats: matches that equal an earlier one"+out+hint)
	n.when(some(func(m meeting) int { return m.Past }), "past stop: matches under way when the test was decided"+out)
	n.when(some(func(m meeting) int { return m.FaultLosses[0] + m.FaultLosses[1] }),
		"by fault: matches that the bot and the opponent lost by a fault of their own")
	return n
}

// noInformation returns why the matches give no difference, or an interval that says less than it seems to; "" if
// there is nothing to say.
func noInformation(m meeting) string {
	switch single := m.Singles; {
	case m.figures.Units == 0:
		return "no match has a result that counts, so nothing is known about strength"
	case m.figures.ScoreError == nil && m.paired:
		return alike(m.figures.Units, "pair", "pairs", []common{
			{m.Splits[0], "South won both matches of ", equal},
			{m.Splits[1], "North won both matches of ", equal},
			{m.Pairs[2], "the bots shared the points of ", equal},
			{m.Pairs[4], m.Bot + " won both matches of ", lower},
			{m.Pairs[0], m.Opponent + " won both matches of ", upper},
			{m.Pairs[3], m.Bot + " won one match and drew the other in ", noError},
			{m.Pairs[1], m.Opponent + " won one match and drew the other in ", noError},
		})
	case m.figures.ScoreError == nil:
		return "no pair is complete, and " + alike(m.figures.Units, "match", "matches", []common{
			{single.Wins, m.Bot + " won ", lower},
			{single.Losses, m.Opponent + " won ", upper},
			{single.Draws, "the bots drew ", equal},
		})
	case !m.paired:
		return "no pair is complete: the errors are those of single matches"
	}
	return ""
}

// common is what a number of pairs or matches have in common, and what follows if all have it.
type common struct {
	count    int
	what, so string
}

// The consequences if matches do not show everything.
const (
	equal   = "nothing shows which bot is stronger"
	lower   = "only a lower bound of the difference is known"
	upper   = "only an upper bound of the difference is known"
	noError = "the interval comes from the usual spread of results"
)

// alike returns what all n of something have in common, which are one or many; "" if they have nothing in common.
func alike(n int, one, many string, kinds []common) string {
	all := fmt.Sprintf("all %d %s", n, many)
	if n == 1 {
		all = "the only " + one
	}
	for _, kind := range kinds {
		if kind.count == n {
			return kind.what + all + ", so " + kind.so
		}
	}
	return ""
}
