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
	all := make([]meeting, len(m.List))
	for i, met := range m.List {
		all[i] = newMeeting(met)
	}
	columns := meetingColumns(all)
	part := tableOf(each(all), columns)
	part.Title, part.Notes = []string{m.Tournament.Name, m.Tournament.Ruleset}, meetingNotes(all)
	for _, bot := range m.Tournament.Withdrawn {
		part.Notes = append(part.Notes, bot+" has withdrawn: its matches count in no table")
	}
	return Report{Parts: []Part{part}, CSV: csvOf(each(all), columns), JSON: object{
		{"tournament", m.Tournament.Name},
		{"ruleset", m.Tournament.Ruleset},
		{"meetings", objectsOf(all, columns)},
	}}
}

// meeting is a meeting with its figures; see [results.Meeting.Figures].
type meeting struct {
	results.Meeting
	figures stats.Figures
	paired  bool
	single  int
}

func newMeeting(m results.Meeting) meeting {
	figures, paired, single := m.Figures()
	return meeting{m, figures, paired, single}
}

// unit returns what the figures count; nil if they count nothing.
func (m meeting) unit() any {
	switch {
	case m.paired:
		return "pair"
	case m.figures.Units > 0:
		return "match"
	}
	return nil
}

func meetingColumns(all []meeting) []Column[meeting] {
	longest := time.Duration(0)
	for _, m := range all {
		longest = max(longest, m.CPU[0], m.CPU[1])
	}
	cpuCell := cpuWriter(longest)
	past := func(m meeting) any { return m.Past }
	drawn := func(m meeting) float64 { return float64(m.Draws) }
	return []Column[meeting]{
		{Name: "bot", Title: "bot", Kind: Name, Value: func(m meeting) any { return m.Bot }},
		{Name: "opponent", Title: "opponent", Kind: Name, Value: func(m meeting) any { return m.Opponent }},
		{Name: "matches", Value: func(m meeting) any { return m.Matches }},
		{Name: "points", Title: "points", Value: func(m meeting) any { return points(m.Tally) }},
		{Name: "wins", Title: "won", Drop: 6, Value: func(m meeting) any { return m.Wins }},
		{Name: "draws", Title: "drawn", Drop: 6, Value: func(m meeting) any { return m.Draws }},
		{Name: "losses", Title: "lost", Drop: 6, Value: func(m meeting) any { return m.Losses }},
		{Name: "score", Title: "score", Drop: 5, Value: func(m meeting) any { return percent(m.Points, m.Matches) }},
		{Name: "draw_share", Title: "draws", Drop: 4, Value: func(m meeting) any { return percent(drawn(m), m.Matches) }},
		{Name: "unit", Value: meeting.unit},
		{Name: "units", Value: func(m meeting) any { return m.figures.Units }},
		{Name: "elo", Title: "Elo", Drop: 9, Value: func(m meeting) any { return elo(m.figures) }},
		{Name: "elo_error", Title: intervalTitle, Drop: 9, Value: func(m meeting) any { return eloInterval(m.figures) }},
		{Name: "elo_low", Value: func(m meeting) any { return m.figures.EloLow }},
		{Name: "elo_high", Value: func(m meeting) any { return m.figures.EloHigh }},
		{Name: "nelo", Title: "nElo", Drop: 3, Value: func(m meeting) any { return nElo(m.figures) }},
		{Name: "nelo_error", Title: intervalTitle, Drop: 3, Value: func(m meeting) any { return nEloInterval(m.figures) }},
		{Name: "los", Title: "LOS", Drop: 8, Value: func(m meeting) any { return likelihood(m.figures) }},
		{
			Name: "pentanomial:ll,ld,wl_dd,wd,ww", Title: pairsTitle, Drop: 2,
			Value: func(m meeting) any { return both{m.Pairs, pairsCell(m.Pairs)} },
		},
		{Name: "single", Title: "single", Rare: true, Drop: 7, Value: func(m meeting) any { return m.single }},
		{Name: "repeats", Title: "repeats", Rare: true, Drop: 7, Value: func(m meeting) any { return m.Repeats }},
		{Title: "past stop", Rare: true, Drop: 7, Value: past},
		{
			Name: "fault_losses", Title: "by fault", Rare: true, Drop: 7,
			Value: func(m meeting) any { return both{m.FaultLosses[0], scoreOf(m.FaultLosses[0], m.FaultLosses[1])} },
		},
		{Name: "opponent_fault_losses", Value: func(m meeting) any { return m.FaultLosses[1] }},
		{
			Name: "cpu_ms", Title: "CPU", Drop: 1,
			Value: func(m meeting) any {
				text := cpuCell(m.CPU[0], m.CPUMatches[0] > 0) + "/" + cpuCell(m.CPU[1], m.CPUMatches[1] > 0)
				return both{knownMillis(m.CPU[0], m.CPUMatches[0] > 0), unless("-/-", text)}
			},
		},
		{Name: "opponent_cpu_ms", Value: func(m meeting) any { return knownMillis(m.CPU[1], m.CPUMatches[1] > 0) }},
		{Name: "note:", Value: func(m meeting) any { return noInformation(m) }},
		{Name: "past", Value: past},
		{Name: "nelo_low", Value: func(m meeting) any { return m.figures.NEloLow }},
		{Name: "nelo_high", Value: func(m meeting) any { return m.figures.NEloHigh }},
		{Name: "superiority", Value: func(m meeting) any { return m.figures.Superiority }},
	}
}

// meetingNotes returns why numbers are unknown, and what they do not count.
func meetingNotes(all []meeting) []string {
	var reasons, notes []string
	alike := make(map[string][]string) // meetings by their reason, which many can share
	for _, m := range all {
		reason := noInformation(m)
		if reason == "" {
			continue
		}
		if alike[reason] == nil {
			reasons = append(reasons, reason)
		}
		alike[reason] = append(alike[reason], m.Bot+" - "+m.Opponent)
	}
	for _, reason := range reasons {
		notes = append(notes, noteOf(alike[reason], reason)...)
	}
	explain := func(count func(meeting) int, note string) {
		if slices.ContainsFunc(all, func(m meeting) bool { return count(m) > 0 }) {
			notes = append(notes, note)
		}
	}
	const out = "; Elo, nElo, LOS and their errors leave them out"
	explain(func(m meeting) int { return m.single }, "single: matches without the other match of their pair"+out)
	explain(func(m meeting) int { return m.Repeats }, "repeats: matches that equal an earlier one"+out+" ("+repeatHint+")")
	explain(func(m meeting) int { return m.Past }, "past stop: matches under way when the test was decided"+out)
	explain(func(m meeting) int { return m.FaultLosses[0] + m.FaultLosses[1] },
		"by fault: matches that the bot and the opponent lost by a fault of their own")
	return notes
}

// The consequences if matches do not show everything.
const (
	nothing = "so nothing is known about strength"
	equal   = "so nothing shows which bot is stronger"
	lower   = "so only a lower bound of the difference is known"
	upper   = "so only an upper bound of the difference is known"
	noError = "so the interval comes from the usual spread of results"
)

// noInformation returns why the matches give no difference, or an interval that says less than it seems to; "" if
// there is nothing to say.
func noInformation(m meeting) string {
	switch {
	case m.figures.Units == 0:
		return "no match has a result that counts, " + nothing
	case m.figures.ScoreError == nil && m.paired:
		return pairsAlike(m.Meeting)
	case m.figures.ScoreError == nil:
		return "no pair is complete, and " + singlesAlike(m.Meeting)
	case !m.paired:
		return "no pair is complete: the errors are those of single matches"
	}
	return ""
}

// pairsAlike returns what all complete pairs have in common.
func pairsAlike(m results.Meeting) string {
	n := 0
	for _, count := range m.Pairs {
		n += count
	}
	all := allOf(n, "pair", "pairs")
	switch n {
	case m.Splits[0]:
		return "South won both matches of " + all + equal
	case m.Splits[1]:
		return "North won both matches of " + all + equal
	case m.Pairs[2]:
		return "the bots shared the points of " + all + equal
	case m.Pairs[4]:
		return m.Bot + " won both matches of " + all + lower
	case m.Pairs[0]:
		return m.Opponent + " won both matches of " + all + upper
	case m.Pairs[3]:
		return m.Bot + " won one match and drew the other in " + all + noError
	}
	return m.Opponent + " won one match and drew the other in " + all + noError
}

func allOf(n int, one, many string) string {
	if n == 1 {
		return "the only " + one + ", "
	}
	return fmt.Sprintf("all %d %s, ", n, many)
}

// singlesAlike returns what all single matches have in common if there are no complete pairs.
func singlesAlike(m results.Meeting) string {
	n := m.Singles.Wins + m.Singles.Draws + m.Singles.Losses
	all := allOf(n, "match", "matches")
	switch {
	case m.Singles.Wins > 0:
		return m.Bot + " won " + all + lower
	case m.Singles.Losses > 0:
		return m.Opponent + " won " + all + upper
	}
	return "the bots drew " + all + equal
}
