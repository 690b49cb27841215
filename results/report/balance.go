package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sembra/engine"
	"sembra/engine/show"
	"sembra/results/measure"
)

// measured is a figure with the way to write it.
type measured struct {
	field  string // in CSV and JSON
	title  string // for people
	share  bool   // 0 to 1; tables write a percentage
	digits int    // after the point, for people; shares have one
	ranged bool   // its least and greatest observations are shown
	hidden bool   // tables leave it out, because it does not apply to what was played
	measure.Estimate
}

// Balance reports the balance of a game. It has the formats Table, Markdown, CSV and JSON. The wide table has the score
// of the side that moves first by round.
func Balance(b measure.Result, wide bool) Report {
	against := b.Bots[1]
	if b.OneBot() {
		against = "itself"
	}
	matches := strconv.Itoa(b.Matches)
	if b.Matches < b.Total {
		matches += fmt.Sprintf(" of %d", b.Total)
	}
	matches += fmt.Sprintf(" matches, %d different", b.Different)
	all := measures(b)
	shown := slices.DeleteFunc(slices.Clone(all), func(m measured) bool { return m.hidden })
	if wide {
		shown = append(shown, firstScores(b)...)
	}
	part := Part{
		Title: []string{b.Rules.Info().Name, b.Bots[0] + " against " + against, matches},
		Rows:  RowsOf(shown, measured.row), Groups: []string{"range"}, Notes: balanceNotes(b),
	}
	return Report{Parts: []Part{part}, CSV: alone(balanceLine(b, all)), JSON: balanceObject(b, all)}
}

// measures returns the figures in the order of tables.
func measures(b measure.Result) []measured {
	single := b.Rules.Info().Single
	first, lead := "score of the side that begins", "lead in seeds of the side that begins"
	if !single {
		first += " a round"
		lead += " round 1"
	}
	short := fmt.Sprintf("rounds of %d plies or fewer", measure.ShortRound)
	all := []measured{
		{field: measure.FirstScore, title: first, share: true},
		{field: "bot_score", title: b.Bots[0] + "'s score", share: true, hidden: b.OneBot()},
		{field: "first_lead", title: lead, digits: 1, ranged: true},
		{field: "draws", title: "draws", share: true},
		{field: "won_by_out", title: "matches won because a player is out", share: true, hidden: single},
		{field: "rounds", title: "rounds of a match", digits: 2, ranged: true, hidden: single},
		{field: "match_plies", title: "plies of a match", digits: 1, ranged: true},
		{field: "round_plies", title: "plies of a round", digits: 1, ranged: true, hidden: single},
		{field: "short_rounds", title: short, share: true},
		{field: "legal_moves", title: "legal moves to choose from", digits: 2, ranged: true},
		{field: "forced", title: "choices with one legal move", share: true},
		{field: "passes", title: "plies that are passes", share: true},
		{field: "quiet_sowings", title: "sowings that capture nothing", share: true},
		{field: "quiet_run", title: "longest run of such sowings in a round", digits: 1, ranged: true},
	}
	for i := range all {
		all[i].Estimate = b.Estimates[all[i].field]
	}
	return all
}

// firstScores returns the score of the side that begins, by round; nil: a match has a single round.
func firstScores(b measure.Result) []measured {
	if b.Rules.Info().Single {
		return nil
	}
	var all []measured
	for round := 1; b.Estimates[measure.FirstScoreOf(round)].Mean != nil; round++ {
		title := fmt.Sprintf("score of the side that begins round %d", round)
		all = append(all, measured{title: title, share: true, Estimate: b.Estimates[measure.FirstScoreOf(round)]})
	}
	return all
}

// row is the figure for people.
func (m measured) row() Row {
	write := func(number float64) string { return m.text(number, m.digits) }
	least, most := "", ""
	if m.ranged && m.Mean != nil {
		least, most = m.text(float64(m.Least), 0), m.text(float64(m.Most), 0)
	}
	return Row{
		{Title: "figure", Kind: Text, Value: m.title},
		{Title: "mean", Value: boundCell(m.Mean, nil, nil, write)},
		{Title: "± 95%", Value: boundCell(m.Margin, nil, nil, write)},
		{Title: "least", Group: "range", Value: least},
		{Title: "most", Group: "range", Value: most},
	}
}

// balanceObject returns the balance in JSON.
func balanceObject(b measure.Result, all []measured) Row {
	figures := make(map[string]Row)
	for _, m := range all {
		figures[m.field] = m.object()
	}
	return append(balanceHead(b), object(
		"matches_left_out", nested{endingsOf(b.LeftOut), nil},
		"round_ends", nested{b.Rounds, nil},
		"match_ends", nested{b.Ends, nil},
		"figures", nested{figures, nil},
		"first_score_by_round", nested{RowsOf(firstScores(b), measured.object), nil},
	)...)
}

// balanceLine returns the balance in CSV: columns stand for the objects of JSON, so the lines of several rulesets form a
// table.
func balanceLine(b measure.Result, all []measured) Row {
	leftOut := 0
	for _, n := range b.LeftOut {
		leftOut += n
	}
	line := append(balanceHead(b), object("matches_left_out", leftOut)...)
	add := func(name string, value any) { line = append(line, Column{Name: name, Value: value}) }
	ends := []string{"normal", "early", "repetition", "quiet", "rounds"}
	for _, end := range ends[:len(b.Rounds)] {
		add("round_ends_"+end, b.Rounds[end])
	}
	for _, end := range ends {
		add("match_ends_"+end, b.Ends[end])
	}
	for _, m := range all {
		for _, f := range m.object() {
			add(strings.TrimSuffix(m.field+"_"+f.Name, "_mean"), f.Value)
		}
	}
	return line
}

// balanceHead returns what was played.
func balanceHead(b measure.Result) Row {
	return object(
		"ruleset", b.Rules.Info().Name,
		"round_limit", b.Rules.Info().Rounds,
		"bots", nested{b.Bots, []string{"bot", "opponent"}},
		"seed", b.Seed,
		"opening_plies", b.OpeningPlies,
		"matches_total", b.Total,
		"matches", b.Matches,
		"matches_different", b.Different,
	)
}

// object returns the figure for programs. Its numbers are nil without an observation, and the error with one pair.
func (m measured) object() Row {
	figure := object("mean", m.Mean, "error", m.Margin)
	if m.ranged {
		known := m.Mean != nil
		figure = append(figure, object("least", optional(m.Least, known), "most", optional(m.Most, known))...)
	}
	return figure
}

// text writes a value of the figure.
func (m measured) text(value float64, digits int) string {
	if m.share {
		return percentage(value)
	}
	return strconv.FormatFloat(value, 'f', digits, 64)
}

// balanceNotes returns how rounds and matches ended, what is not measured, and how to repeat the measurement.
func balanceNotes(b measure.Result) []string {
	var n notes
	n.add("moving first: %s", movingFirst(b))
	n.add("matches end: %s", shares(b.Ends))
	rounds := ""
	if info := b.Rules.Info(); !info.Single {
		n.add("rounds end: %s", shares(b.Rounds))
		rounds = ", at most " + show.Count(info.Rounds, "round", "rounds")
	}
	n.when(len(b.LeftOut) > 0, "left out, because the rules did not end them: %s", endingsOf(b.LeftOut))
	n.when(b.OpeningPlies > 0, "each match begins with %s not counted; the side that moves after them begins",
		show.Count(b.OpeningPlies, "random ply, which is", "random plies, which are"))
	n.add("seed %d, opening plies %d%s", b.Seed, b.OpeningPlies, rounds)
	return n
}

// movingFirst says whether the side that begins is better off.
func movingFirst(b measure.Result) string {
	e, known := b.Estimates[measure.FirstScore]
	if !known {
		return "no match is measured"
	}
	text := percentage(*e.Mean)
	if e.Margin == nil {
		return text + ", not decided"
	}
	text += " ±" + percentage(*e.Margin)
	if *e.Mean-*e.Margin > 0.5 {
		return text + ", an advantage with these bots"
	}
	if *e.Mean+*e.Margin < 0.5 {
		return text + ", a disadvantage with these bots"
	}
	return text + ", not decided"
}

// shares lists how often each of the kinds of end occurred, as a share of all, with the names of JSON.
func shares(counts map[string]int) string {
	all := 0
	for _, n := range counts {
		all += n
	}
	var texts []string
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		if counts[kind] > 0 {
			texts = append(texts, kind+" "+percentage(float64(counts[kind])/float64(all)))
		}
	}
	return cmp.Or(strings.Join(texts, ", "), "-")
}

// Rulesets reports the games.
func Rulesets(rulesets []engine.Ruleset) Report {
	var infos []engine.Info
	for _, rules := range rulesets {
		infos = append(infos, rules.Info())
	}
	const enough = 22 // keeps the table within 80 columns
	return Report{Parts: []Part{{Wrap: enough, Rows: RowsOf(infos, func(i engine.Info) Row {
		return Row{
			{Title: "name", Kind: Text, Value: i.Name},
			{Title: "board", Kind: Text, Value: fmt.Sprintf("2x%d", i.Holes)},
			{Title: "rounds", Kind: Text, Value: i.Rounds},
			{Title: "source", Kind: Text, Value: i.Source},
			{Title: "what it is", Kind: Text, Value: i.Summary},
		}
	})}}}
}
