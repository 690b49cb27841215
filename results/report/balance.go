package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"sembra/engine/show"
	"sembra/results"
)

// measured is a figure with the way to write it.
type measured struct {
	field  string // in CSV and JSON
	title  string // for people
	unit   unit
	digits int  // after the point, for people
	ranged bool // its least and greatest observations are shown
	hidden bool // tables leave it out, because it does not apply to what was played
	results.Estimate
}

// unit is the unit of a figure.
type unit int

const (
	plain  unit = iota // a number of something
	signed             // a number of something; tables write its sign
	share              // 0 to 1; tables write a percentage
)

// Balance reports the balance of a game. It has the formats Table, Markdown, CSV and JSON.
func Balance(b results.BalanceResult) Report {
	info, all := b.Rules.Info(), measures(b)
	against := b.Bots[1]
	if b.OneBot() {
		against = "itself"
	}
	matches := strconv.Itoa(b.Matches)
	if b.Matches < b.Total {
		matches += fmt.Sprintf(" of %d", b.Total)
	}
	shown := slices.DeleteFunc(slices.Clone(all), func(m measured) bool { return m.hidden })
	part := tableOf(each(shown), []Column[measured]{
		{Title: "figure", Kind: Text, Value: func(m measured) any { return m.title }},
		{Title: "mean", Value: func(m measured) any {
			return boundCell(m.Mean, nil, nil, func(mean float64) string { return m.text(mean, m.digits) })
		}},
		{Title: "± 95%", Value: func(m measured) any { return boundCell(m.Margin, nil, nil, m.width) }},
		{Title: "least", Drop: 1, Value: func(m measured) any { return m.extreme(m.Least) }},
		{Title: "most", Drop: 1, Value: func(m measured) any { return m.extreme(m.Most) }},
	})
	part.Title = []string{
		info.Name, b.Bots[0] + " against " + against, matches + fmt.Sprintf(" matches, %d different", b.Different),
	}
	part.Notes = balanceNotes(b)
	whole := balanceObject(b, all)
	return Report{Parts: []Part{part}, CSV: whole.csv(), JSON: whole}
}

// measures returns the figures in the order of tables.
func measures(b results.BalanceResult) []measured {
	lead := "first seat's lead in seeds"
	single := b.Rules.Info().Single
	if !single {
		lead += ", first round"
	}
	short := fmt.Sprintf("rounds of %d plies or fewer", results.ShortRound)
	var all []measured
	figure := func(field, title string, unit unit, digits int, ranged, hidden bool) {
		all = append(all, measured{field, title, unit, digits, ranged, hidden, b.Estimates[field]})
	}
	figure("first_score", "first seat's score", share, 1, false, false)
	figure("bot_score", b.Bots[0]+"'s score", share, 1, false, b.OneBot())
	figure("first_lead", lead, signed, 1, true, false)
	figure("draws", "draws", share, 1, false, false)
	figure("won_by_out", "matches won because a player is out", share, 1, false, single)
	figure("rounds", "rounds of a match", plain, 2, true, single)
	figure("match_plies", "plies of a match", plain, 1, true, false)
	figure("round_plies", "plies of a round", plain, 1, true, single)
	figure("short_rounds", short, share, 1, false, false)
	figure("legal_moves", "legal moves to choose from", plain, 2, true, false)
	figure("forced", "choices with one legal move", share, 1, false, false)
	figure("passes", "plies that are passes", share, 1, false, false)
	figure("quiet_sowings", "sowings that capture nothing", share, 1, false, false)
	figure("quiet_run", "longest run of such sowings in a round", plain, 1, true, false)
	return all
}

// balanceObject returns the balance in JSON and CSV. What is an object inside the one of JSON is told by columns of
// CSV, so the lines of several rulesets form a table.
func balanceObject(b results.BalanceResult, all []measured) object {
	whole := object{
		{"ruleset", b.Rules.Info().Name},
		{"round_limit", b.Rules.Info().Rounds},
		{"bots:bot,opponent", b.Bots},
		{"seed", b.Seed},
		{"opening_plies", b.OpeningPlies},
		{"matches_total", b.Total},
		{"matches", b.Matches},
		{"matches_different", b.Different},
	}
	leftOut, sum := make(map[string]int), 0
	for ending, n := range b.LeftOut {
		leftOut[ending.String()] = n
		sum += n
	}
	whole = append(whole, field{"matches_left_out:", leftOut}, field{":matches_left_out", sum})
	ends := []string{"normal", "early", "repetition", "quiet", "rounds"}
	for _, end := range ends[:len(b.Rounds)] {
		whole = append(whole, field{":round_ends_" + end, b.Rounds[end]})
	}
	for _, end := range ends {
		whole = append(whole, field{":match_ends_" + end, b.Ends[end]})
	}
	figures := make(map[string]object)
	for _, m := range all {
		measure := object{{"mean", m.Mean}, {"error", m.Margin}} // nil without an observation, or with one pair
		if m.ranged {
			known := m.Mean != nil
			measure = append(measure, field{"least", optional(m.Least, known)}, field{"most", optional(m.Most, known)})
		}
		for _, f := range measure {
			whole = append(whole, field{":" + strings.TrimSuffix(m.field+"_"+f.name, "_mean"), f.value})
		}
		if m.Mean == nil {
			measure = measure[:2] // JSON has no extremes of nothing
		}
		figures[m.field] = measure
	}
	return append(whole, field{"round_ends:", b.Rounds}, field{"match_ends:", b.Ends}, field{"figures:", figures})
}

// extreme writes the least or the greatest observation; "" if that is not shown.
func (m measured) extreme(value int64) string {
	if !m.ranged || m.Mean == nil {
		return ""
	}
	return m.text(float64(value), 0)
}

// text writes a value of the figure.
func (m measured) text(value float64, digits int) string {
	switch m.unit {
	case share:
		return percentage(value)
	case signed:
		return fmt.Sprintf("%+.*f", digits, value)
	}
	return strconv.FormatFloat(value, 'f', digits, 64)
}

// width writes half of an interval. A small one is not written as 0, because it is not exact.
func (m measured) width(value float64) string {
	if m.unit == signed {
		m.unit = plain
	}
	if smallest := math.Pow10(-m.digits); m.unit == plain && 0 < value && value < smallest/2 {
		return "<" + m.text(smallest, m.digits)
	}
	return m.text(value, m.digits)
}

// balanceNotes returns how rounds and matches ended, what is not measured, and how to repeat the measurement.
func balanceNotes(b results.BalanceResult) []string {
	var notes []string
	info := b.Rules.Info()
	if info.Single {
		notes = append(notes, "matches end: "+shares(b.Ends, "normal", "early"))
	} else {
		notes = append(notes, "rounds end: "+shares(b.Rounds, "normal"),
			"matches end: "+shares(b.Ends, "normal", "rounds"))
	}
	if len(b.LeftOut) > 0 {
		var kinds []string
		for _, ending := range slices.Sorted(maps.Keys(b.LeftOut)) {
			kinds = append(kinds, fmt.Sprintf("%s %d", ending, b.LeftOut[ending]))
		}
		notes = append(notes, "left out, because the rules did not end them: "+strings.Join(kinds, ", "))
	}
	if n := b.OpeningPlies; n > 0 {
		notes = append(notes,
			"each match begins with "+show.Count(n, "random ply, which is", "random plies, which are")+" not counted",
			"the first seat is the one that moves first after them")
	}
	again := fmt.Sprintf("seed %d, opening plies %d", b.Seed, b.OpeningPlies)
	if !info.Single {
		again += ", at most " + show.Count(info.Rounds, "round", "rounds")
	}
	return append(notes, again)
}

// shares lists how often each of the kinds of end occurred, as a share of all, and then cycles, with their two kinds.
// The names are those of the endings in other tables.
func shares(counts map[string]int, kinds ...string) string {
	all := 0
	for _, n := range counts {
		all += n
	}
	share := func(name string, n int) string {
		if all == 0 {
			return name + " -"
		}
		return name + " " + percentage(float64(n)/float64(all))
	}
	const repetition, quiet = "repetition", "quiet"
	var texts []string
	for _, kind := range kinds {
		texts = append(texts, share(kind, counts[kind]))
	}
	cycle := share(results.EndCycle.String(), counts[repetition]+counts[quiet])
	return fmt.Sprintf("%s, %s (%s, %s)", strings.Join(texts, ", "), cycle,
		share(repetition, counts[repetition]), share(quiet, counts[quiet]))
}
