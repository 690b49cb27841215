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
	left := leftOutOf(m.List)
	rows := RowsOf(m.List, func(m results.Meeting) Row { return meetingRow(m, left) })
	part := Part{
		Title: []string{m.Tournament.Name, m.Tournament.Ruleset}, Rows: rows, Notes: meetingNotes(m.List, left),
		Groups: []string{"elo", "los", "left-out", "tally", "score", "draws", "nelo", "pairs", "cpu"},
	}
	part.Notes.withdrawn(m.Tournament)
	return Report{Parts: []Part{part}, CSV: rows, JSON: object(
		"tournament", m.Tournament.Name,
		"ruleset", m.Tournament.Ruleset,
		"meetings", rows,
	)}
}

// leftOutOf returns the sums over all meetings of what their figures leave out, and the faults of both bots.
func leftOutOf(all []results.Meeting) results.Meeting {
	var sum results.Meeting
	for _, m := range all {
		sum.Single += m.Single
		sum.Repeats += m.Repeats
		sum.Past += m.Past
		sum.FaultLosses[0] += m.FaultLosses[0] + m.FaultLosses[1]
	}
	return sum
}

// meetingRow is a meeting in all formats. Tables have a column for what some meeting leaves out.
func meetingRow(m, left results.Meeting) Row {
	var unit any // what the figures count; nil if they count nothing
	if m.Paired {
		unit = "pair"
	} else if m.Figures.Units > 0 {
		unit = "match"
	}
	own, other := m.CPUMatches[0] > 0, m.CPUMatches[1] > 0
	cpu := ""
	if own || other {
		cpu = cpuCell(m.CPU[0], own) + "/" + cpuCell(m.CPU[1], other)
	}
	nElo := nEloOf(m.Figures).columns("nelo", "nElo", "nelo")
	return slices.Concat(
		Row{
			{Name: "bot", Title: "bot", Kind: Name, Value: m.Bot},
			{Name: "opponent", Title: "opponent", Kind: Name, Value: m.Opponent},
			{Name: "matches", Value: m.Matches},
			{Name: "points", Title: "points", Value: m.Points, Text: points(m.Tally)},
		},
		wonDrawnLost(m.Tally, "tally"),
		Row{
			shareColumn("score", "score", "score", m.Points/float64(m.Matches), true),
			shareColumn("draw_share", "draws", "draws", float64(m.Draws)/float64(m.Matches), true),
			{Name: "unit", Value: unit},
			{Name: "units", Value: m.Figures.Units},
		},
		eloOf(m.Figures).columns("elo", "Elo", "elo"),
		nElo[:2],
		Row{
			{Name: "los", Title: "LOS", Group: "los", Value: m.Figures.LOS, Text: likelihoodCell(m.Figures.Superiority)},
			{
				Name: "pentanomial", Title: pairsTitle, Group: "pairs", Text: pairsCell(m.Pairs),
				Value: nested{m.Pairs, []string{"ll", "ld", "wl_dd", "wd", "ww"}},
			},
			{Name: "single", Title: titleIf(left.Single > 0, "single"), Group: "left-out", Value: m.Single},
			{Name: "repeats", Title: titleIf(left.Repeats > 0, "repeats"), Group: "left-out", Value: m.Repeats},
			{Title: titleIf(left.Past > 0, "past stop"), Group: "left-out", Value: m.Past},
			{
				Name: "fault_losses", Title: titleIf(left.FaultLosses[0] > 0, "by fault"), Group: "left-out",
				Value: m.FaultLosses[0], Text: versus(m.FaultLosses),
			},
			{Name: "opponent_fault_losses", Value: m.FaultLosses[1]},
			{Name: "cpu_ms", Title: "CPU", Group: "cpu", Value: cpuTime(m.CPU[0], own), Text: cpu},
			{Name: "opponent_cpu_ms", Value: cpuTime(m.CPU[1], other)},
			{Name: "note", Value: nested{meetingNote(m), nil}},
			{Name: "past", Value: m.Past},
		},
		nElo[2:],
		Row{{Name: "superiority", Value: m.Figures.Superiority}},
	)
}

// meetingNotes returns why numbers are unknown, and what they do not count.
func meetingNotes(all []results.Meeting, left results.Meeting) notes {
	var n notes
	meetings := make(map[string][]string) // by their note, which many can share
	for _, m := range all {
		note := meetingNote(m)
		meetings[note] = append(meetings[note], m.Bot+" - "+m.Opponent)
	}
	delete(meetings, "")
	for _, note := range slices.Sorted(maps.Keys(meetings)) {
		n.about(meetings[note], note)
	}
	const out, hint = "; Elo, nElo, LOS and their errors leave them out", " (" + repeatHint + ")"
	n.when(left.Single > 0, "single: matches without the other match of their pair"+out)
	n.when(left.Repeats > 0, "repeats: matches that equal an earlier one"+out+hint)
	n.when(left.Past > 0, "past stop: matches under way when the test was decided"+out)
	n.when(left.FaultLosses[0] > 0, "by fault: matches that the bot and the opponent lost by a fault of their own")
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
	f := m.Figures
	switch {
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
