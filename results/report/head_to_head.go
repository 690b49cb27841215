package report

import (
	"fmt"
	"maps"
	"slices"

	"sembra/engine/show"
	"sembra/results"
)

// HeadToHead reports the meetings of a tournament. It has the formats Table, Markdown, CSV and JSON.
func HeadToHead(m results.Meetings) Report {
	rows := rowsOf(m.List, meetingRow)
	part := Part{Title: []string{m.Tournament.Name, m.Tournament.Ruleset}, Rows: rows, Notes: meetingNotes(m.List)}
	part.Notes.withdrawn(m.Tournament)
	return Report{Parts: []Part{part}, CSV: rows, JSON: object(
		"tournament", m.Tournament.Name,
		"ruleset", m.Tournament.Ruleset,
		"meetings", rows,
	)}
}

// meetingRow is a meeting in all formats.
func meetingRow(m results.Meeting) Row {
	var unit any // what the figures count; nil if they count nothing
	if m.Paired {
		unit = "pair"
	} else if m.Figures.Units > 0 {
		unit = "match"
	}
	own, other := m.CPUMatches[0] > 0, m.CPUMatches[1] > 0
	cpu := unless("-/-", cpuCell(m.CPU[0], own)+"/"+cpuCell(m.CPU[1], other))
	nElo := nEloOf(m.Figures).columns("nelo", "nElo", 3, 3)
	return slices.Concat(
		Row{
			{Name: "bot", Title: "bot", Kind: Name, Value: m.Bot},
			{Name: "opponent", Title: "opponent", Kind: Name, Value: m.Opponent},
			{Name: "matches", Value: m.Matches},
			{Name: "points", Title: "points", Value: points(m.Tally)},
		},
		wonDrawnLost(m.Tally, 6),
		Row{
			{Name: "score", Title: "score", Drop: 5, Value: shareCell(m.Points/float64(m.Matches), true)},
			{Name: "draw_share", Title: "draws", Drop: 4, Value: shareCell(float64(m.Draws)/float64(m.Matches), true)},
			{Name: "unit", Value: unit},
			{Name: "units", Value: m.Figures.Units},
		},
		eloOf(m.Figures).columns("elo", "Elo", 9, 9),
		nElo[:2],
		Row{
			{Name: "los", Title: "LOS", Drop: 8, Value: both{m.Figures.LOS, likelihoodCell(m.Figures.Superiority)}},
			{
				Name: "pentanomial:ll,ld,wl_dd,wd,ww", Title: pairsTitle, Drop: 2,
				Value: both{m.Pairs, pairsCell(m.Pairs)},
			},
			{Name: "single", Title: "single", Rare: true, Drop: 7, Value: m.Single},
			{Name: "repeats", Title: "repeats", Rare: true, Drop: 7, Value: m.Repeats},
			{Title: "past stop", Rare: true, Drop: 7, Value: m.Past},
			{
				Name: "fault_losses", Title: "by fault", Rare: true, Drop: 7,
				Value: both{m.FaultLosses[0], versus(m.FaultLosses)},
			},
			{Name: "opponent_fault_losses", Value: m.FaultLosses[1]},
			{Name: "cpu_ms", Title: "CPU", Drop: 1, Value: both{cpuTime(m.CPU[0], own), cpu}},
			{Name: "opponent_cpu_ms", Value: cpuTime(m.CPU[1], other)},
			{Name: "note:", Value: meetingNote(m)},
			{Name: "past", Value: m.Past},
		},
		nElo[2:],
		Row{{Name: "superiority", Value: m.Figures.Superiority}},
	)
}

// meetingNotes returns why numbers are unknown, and what they do not count.
func meetingNotes(all []results.Meeting) (n notes) {
	meetings := make(map[string][]string) // by their note, which many can share
	some := results.Meeting{}
	for _, m := range all {
		note := meetingNote(m)
		meetings[note] = append(meetings[note], m.Bot+" - "+m.Opponent)
		some.Single, some.Repeats, some.Past = some.Single+m.Single, some.Repeats+m.Repeats, some.Past+m.Past
		some.FaultLosses[0] += m.FaultLosses[0] + m.FaultLosses[1]
	}
	delete(meetings, "")
	for _, note := range slices.Sorted(maps.Keys(meetings)) {
		n.about(meetings[note], note)
	}
	const out, hint = "; Elo, nElo, LOS and their errors leave them out", " (" + repeatHint + ")"
	n.when(some.Single > 0, "single: matches without the other match of their pair"+out)
	n.when(some.Repeats > 0, "repeats: matches that equal an earlier one"+out+hint)
	n.when(some.Past > 0, "past stop: matches under way when the test was decided"+out)
	n.when(some.FaultLosses[0] > 0, "by fault: matches that the bot and the opponent lost by a fault of their own")
	normalized := slices.ContainsFunc(all, func(m results.Meeting) bool { return m.Figures.NElo != nil })
	n.when(len(all) > 0, "%s", pairsLegend(normalized))
	return n
}

// meetingNote returns why the matches give no difference, or an interval that says less than it seems to; "" if nothing
// needs to be said.
func meetingNote(m results.Meeting) string {
	counted := show.Count(m.Figures.Units, "match", "matches")
	if m.Paired {
		counted = show.Count(m.Figures.Units, "pair", "pairs")
	}
	switch f := m.Figures; {
	case f.Units == 0:
		return "no match has a result that counts, so nothing is known about strength"
	case f.Elo == nil && *f.Score == 1:
		return fmt.Sprintf("%s won everything (%s), so only a lower bound of the difference is known", m.Bot, counted)
	case f.Elo == nil:
		return fmt.Sprintf("%s won everything (%s), so only an upper bound of the difference is known",
			m.Opponent, counted)
	case m.Split == f.Units:
		return fmt.Sprintf("the seat decided every match (%s), so nothing shows which bot is stronger", counted)
	case f.ScoreError == nil:
		return fmt.Sprintf("all results are alike (%s), so the interval comes from their usual spread", counted)
	case !m.Paired:
		return "no pair is complete: the errors are those of single matches"
	}
	return ""
}
