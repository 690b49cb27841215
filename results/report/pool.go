package report

import (
	"fmt"
	"slices"

	"sembra/engine/show"
	"sembra/results"
	"sembra/results/stats"
)

// Pool reports a test of two revisions against a pool of opponents with its verdict. See
// [results.Tournament.PoolTest]. It has the formats Table, Markdown and JSON.
func Pool(t results.Tournament, test stats.PoolTest, summaries []results.Numbered, v Verdict) Report {
	p := t.PoolTest(test, summaries)
	lower, upper := test.Bounds()
	score := func(difference float64) string { return fmt.Sprintf("%+.1f%%", 100*difference) }
	of := func(points float64, matches int) string { return fmt.Sprintf("%s/%d", exact(points), matches) }
	interval := "-"
	if p.MeanLow != nil {
		interval = score(*p.MeanLow) + " to " + score(*p.MeanHigh)
	}
	opponents := RowsOf(p.Opponents, func(o results.PoolOpponent) Row {
		return Row{
			{Name: "opponent", Title: "opponent", Kind: Name, Value: o.Bot},
			{Name: "points", Title: t.Challengers[0], Value: o.Points[0], Text: of(o.Points[0], o.Matches)},
			{Name: "base_points", Title: t.Challengers[1], Value: o.Points[1], Text: of(o.Points[1], o.Matches)},
			{Name: "matches", Value: o.Matches},
		}
	})
	row := Row{
		{Name: "ruleset", Value: t.Ruleset},
		{Name: "bot", Value: t.Challengers[0]},
		{Name: "base", Value: t.Challengers[1]},
		{Name: "verdict", Title: "verdict", Value: v.Word},
		{Name: "reason", Value: v.Reason},
		{Name: "difference0", Title: "H0", Value: test.Low, Text: score(test.Low)},
		{Name: "difference1", Title: "H1", Value: test.High, Text: score(test.High)},
		{Name: "llr", Title: "LLR", Value: p.LLR, Text: fmt.Sprintf("%+.2f", p.LLR)},
		{Name: "bounds", Title: "bounds", Value: [2]float64{lower, upper}, Text: fmt.Sprintf("%+.2f, %+.2f", lower, upper)},
		{Name: "decision", Title: "decision", Value: p.Decision.String()},
		{Name: "openings", Title: "openings", Value: p.Openings, Text: fmt.Sprintf("%d of at most %d", p.Openings, t.Pairs)},
		{Name: "openings_max", Value: t.Pairs},
		{Name: "difference", Title: "difference", Value: p.Mean, Text: score(p.Mean)},
		{Name: "difference_low", Title: "95% interval", Value: p.MeanLow, Text: interval},
		{Name: "difference_high", Value: p.MeanHigh},
		{Name: "fault_losses", Title: titleIf(p.Faults != [2]int{}, "lost by a fault"), Value: p.Faults, Text: versus(p.Faults)},
		{Name: "opponents", Value: opponents},
		{Name: "database", Value: v.Database},
	}
	part := listOf(row, "pool test", "score")
	part.Title = []string{t.Name, t.Ruleset, t.Challengers[0] + " against " + t.Challengers[1]}
	part.Notes.add("%s", v.Reason)
	part.Notes.add("difference: points of a match, %s less %s, over %s; it holds for this pool",
		t.Challengers[0], t.Challengers[1], show.Count(len(p.Opponents), "opponent", "opponents"))
	return Report{Parts: []Part{part, {Rows: opponents}}, JSON: row}
}

// listOf lists the columns of a row that have a title below each other.
func listOf(row Row, what, value string) Part {
	shown := slices.DeleteFunc(slices.Clone(row), func(c Column) bool { return c.Title == "" })
	return Part{Rows: RowsOf(shown, func(c Column) Row {
		return Row{{Title: what, Kind: Text, Value: c.Title}, {Title: value, Value: c.text()}}
	})}
}

// VerdictAlone reports a verdict for which nothing was played, with what a failed build has printed. It has the formats
// Table, Markdown and JSON.
func VerdictAlone(v Verdict, output string) Report {
	row := Row{
		{Name: "verdict", Title: "verdict", Value: v.Word},
		{Name: "reason", Value: v.Reason},
		{Name: "output", Value: output},
		{Name: "database", Value: v.Database},
	}
	part := listOf(row, "test", "result")
	part.Notes.add("%s", v.Reason)
	return Report{Parts: []Part{part}, JSON: row}
}
