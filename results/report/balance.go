package report

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"sembra/engine/show"
	"sembra/results"
)

// balance is the report of lab in JSON. CSV begins with its first fields.
type balance struct {
	Ruleset      string             `json:"ruleset"`
	RoundLimit   int                `json:"round_limit"`
	Bots         [2]string          `json:"bots" csv:"bot,opponent"`
	Seed         uint64             `json:"seed"`
	OpeningPlies int                `json:"opening_plies"`
	MatchesTotal int                `json:"matches_total"`
	Matches      int                `json:"matches"`
	Different    int                `json:"matches_different"`
	LeftOut      map[string]int     `json:"matches_left_out" csv:"-"`
	RoundEnds    map[string]int     `json:"round_ends" csv:"-"`
	MatchEnds    map[string]int     `json:"match_ends" csv:"-"`
	Figures      map[string]measure `json:"figures" csv:"-"`
}

// measure is a figure in JSON.
type measure struct {
	Mean  *float64 `json:"mean"`  // nil without an observation
	Error *float64 `json:"error"` // nil with fewer than two pairs
	Least *int64   `json:"least,omitempty"`
	Most  *int64   `json:"most,omitempty"`
}

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
	info, figures := b.Rules.Info(), measures(b)
	object := balance{
		Ruleset: info.Name, RoundLimit: info.Rounds, Bots: b.Bots, Seed: b.Seed, OpeningPlies: b.OpeningPlies,
		MatchesTotal: b.Total, Matches: b.Matches, Different: b.Different, LeftOut: make(map[string]int),
		RoundEnds: b.Rounds, MatchEnds: b.Ends, Figures: make(map[string]measure),
	}
	for ending, n := range b.LeftOut {
		object.LeftOut[ending.String()] = n
	}
	for _, m := range figures {
		object.Figures[m.field] = m.object()
	}
	against := b.Bots[1]
	if b.OneBot() {
		against = "itself"
	}
	matches := strconv.Itoa(b.Matches)
	if b.Matches < b.Total {
		matches += fmt.Sprintf(" of %d", b.Total)
	}
	matches += fmt.Sprintf(" matches, %d different", b.Different)
	part := Part{
		Title:   []string{info.Name, b.Bots[0] + " against " + against, matches},
		Columns: []Column{left("figure"), right("mean"), right("± 95%"), drop(1, right("least")), drop(1, right("most"))},
		Rows:    rowsOf(slices.DeleteFunc(slices.Clone(figures), func(m measured) bool { return m.hidden }), measured.cells),
		Notes:   balanceNotes(b),
	}
	return Report{Parts: []Part{part}, CSV: balanceLines(b, object, figures), JSON: object}
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

func (m measured) object() measure {
	object := measure{Mean: m.Mean, Error: m.Margin}
	if m.ranged && m.Mean != nil {
		object.Least, object.Most = &m.Least, &m.Most
	}
	return object
}

// cells returns the row of a figure; "-" stands for an unknown value.
func (m measured) cells() []string {
	least, most := "", ""
	if m.ranged && m.Mean != nil {
		least, most = m.text(float64(m.Least), 0), m.text(float64(m.Most), 0)
	}
	write := func(value float64) string { return m.text(value, m.digits) }
	return []string{m.title, boundCell(m.Mean, nil, nil, write), boundCell(m.Margin, nil, nil, m.width), least, most}
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

// balanceLines returns a header and one line, so the lines of several rulesets form a table. The fields of JSON's
// inner objects come last.
func balanceLines(b results.BalanceResult, object balance, figures []measured) iter.Seq2[[]string, error] {
	var lines [][]string
	for line := range linesOf(each([]balance{object})) {
		lines = append(lines, line)
	}
	add := func(field, value string) { lines[0], lines[1] = append(lines[0], field), append(lines[1], value) }
	left := 0
	for _, n := range b.LeftOut {
		left += n
	}
	add("matches_left_out", strconv.Itoa(left))
	ends := []string{"normal", "early", "repetition", "quiet", "rounds"}
	for _, end := range ends[:len(b.Rounds)] {
		add("round_ends_"+end, strconv.Itoa(b.Rounds[end]))
	}
	for _, end := range ends {
		add("match_ends_"+end, strconv.Itoa(b.Ends[end]))
	}
	for _, m := range figures {
		values := m.object()
		add(m.field, csvCell(reflect.ValueOf(values.Mean)))
		add(m.field+"_error", csvCell(reflect.ValueOf(values.Error)))
		if m.ranged {
			add(m.field+"_least", csvCell(reflect.ValueOf(values.Least)))
			add(m.field+"_most", csvCell(reflect.ValueOf(values.Most)))
		}
	}
	return each(lines)
}
