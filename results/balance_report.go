package results

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/olekukonko/tablewriter/tw"
)

// BalanceFormats lists what Balance.Write knows.
func BalanceFormats() []Format {
	return []Format{FormatTable, FormatMarkdown, FormatCSV, FormatJSON}
}

// Write writes the figures of the matches that have been put in so far; see BalanceFormats.
func (b *Balance) Write(w io.Writer, format Format) error {
	switch format {
	case FormatTable:
		return b.writeTable(w)
	case FormatMarkdown:
		return b.writeMarkdown(w)
	case FormatCSV:
		return b.writeCSV(w)
	case FormatJSON:
		return b.writeJSON(w)
	}
	_, err := ParseFormat(string(format), BalanceFormats())
	return err
}

func (b *Balance) writeTable(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "%s\n\n", b.title("  ")); err != nil {
		return err
	}
	if err := b.table().text(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n", strings.Join(b.remarks(), "\n"))
	return err
}

func (b *Balance) writeMarkdown(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "**%s**\n\n", b.title(" · ")); err != nil {
		return err
	}
	if err := b.table().markdown(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n- %s\n", strings.Join(b.remarks(), "\n- "))
	return err
}

// measure is how a figure is written.
type measure struct {
	field  string // in CSV and JSON
	title  string // for people
	unit   unit
	digits int  // after the point, for people
	ranged bool // its least and its most mean something
}

// unit is what a figure counts.
type unit int

const (
	plain      unit = iota // a number of something
	signed                 // a number of something, which people read with its sign
	share                  // 0 or 1, which people read as a percentage
	halfPoints             // 0, 1 or 2, which people read as a percentage of the points
)

// measures is how the figures are written.
func (b *Balance) measures() [figures]measure {
	lead := "first seat's lead in seeds"
	if !b.setup.Rules.Info().Single {
		lead += ", first round"
	}
	short := fmt.Sprintf("rounds of %d plies or fewer", shortRound)
	return [figures]measure{
		firstScore:   {"first_score", "first seat's score", halfPoints, 1, false},
		botScore:     {"bot_score", b.setup.Bots[0] + "'s score", halfPoints, 1, false},
		firstLead:    {"first_lead", lead, signed, 1, true},
		draws:        {"draws", "draws", share, 1, false},
		wonByOut:     {"won_by_out", "matches won by a player being out", share, 1, false},
		roundsPlayed: {"rounds", "rounds of a match", plain, 2, true},
		matchPlies:   {"match_plies", "plies of a match", plain, 1, true},
		roundPlies:   {"round_plies", "plies of a round", plain, 1, true},
		shortRounds:  {"short_rounds", short, share, 1, false},
		legalMoves:   {"legal_moves", "legal moves to choose from", plain, 2, true},
		forced:       {"forced", "choices with one legal move", share, 1, false},
		passes:       {"passes", "plies that are passes", share, 1, false},
		quietSowings: {"quiet_sowings", "sowings that capture nothing", share, 1, false},
		quietRun:     {"quiet_run", "the most of them in a row, a round", plain, 1, true},
	}
}

// scale is what one of the unit is in the figure.
func (u unit) scale() float64 {
	if u == halfPoints {
		return 0.5
	}
	return 1
}

// text writes a value of the figure for people.
func (m measure) text(value float64) string {
	switch m.unit {
	case share, halfPoints:
		return percentage(value)
	case signed:
		return fmt.Sprintf("%+.*f", m.digits, value)
	}
	return strconv.FormatFloat(value, 'f', m.digits, 64)
}

// width writes half the width of an interval for people. Only no width looks like none.
func (m measure) width(value float64) string {
	if m.unit == signed {
		m.unit = plain
	}
	if smallest := math.Pow10(-m.digits); m.unit == plain && 0 < value && value < smallest/2 {
		return "<" + m.text(smallest)
	}
	return m.text(value)
}

// percentage writes a share so that only nothing looks like nothing, and only all like all.
func percentage(share float64) string {
	switch {
	case share == 0:
		return "0%"
	case share < 0.0005:
		return "<0.1%"
	case share == 1:
		return "100%"
	case 0.9995 <= share && share < 1:
		return ">99.9%"
	}
	return strconv.FormatFloat(100*share, 'f', 1, 64) + "%"
}

// title says what was played.
func (b *Balance) title(between string) string {
	against := b.setup.Bots[1]
	if against == b.setup.Bots[0] {
		against = "itself"
	}
	matches := strconv.Itoa(b.matches)
	if b.matches < b.setup.Total {
		matches += fmt.Sprintf(" of %d", b.setup.Total)
	}
	return strings.Join([]string{
		b.setup.Rules.Info().Name, b.setup.Bots[0] + " against " + against,
		fmt.Sprintf("%s matches, %d different", matches, len(b.different)),
	}, between)
}

// table has a line a figure, without those that say nothing of what was played.
func (b *Balance) table() *table {
	t := new(table)
	t.column("figure", tw.AlignLeft)
	for _, title := range []string{"mean", "± 95%", "least", "most"} {
		t.column(title, tw.AlignRight)
	}
	sums := b.measured()
	single := b.setup.Rules.Info().Single
	for f, m := range b.measures() {
		switch figure(f) {
		case botScore:
			if b.setup.oneBot() {
				continue
			}
		case wonByOut, roundsPlayed, roundPlies:
			if single {
				continue
			}
		}
		t.row(m.cells(&sums[f])...)
	}
	return t
}

// cells is the line of a figure, "-" where nothing is known.
func (m measure) cells(s *sum) []string {
	cells := []string{m.title, "-", "-", "", ""}
	if mean, ok := s.mean(); ok {
		cells[1] = m.text(mean * m.unit.scale())
	}
	if margin, ok := s.margin(); ok {
		cells[2] = m.width(margin * m.unit.scale())
	}
	if m.ranged && s.count > 0 {
		m.digits = 0
		cells[3], cells[4] = m.text(float64(s.least)), m.text(float64(s.most))
	}
	return cells
}

// remarks are the lines below the table: how rounds and matches ended, the matches that are not
// measured, and what else would have to be known to play the same again.
func (b *Balance) remarks() []string {
	var lines []string
	info := b.setup.Rules.Info()
	if info.Single {
		lines = append(lines, "matches end: "+shares(b.ends, endNormal, endEarly, endRepetition, endQuiet))
	} else {
		lines = append(lines,
			"rounds end: "+shares(b.rounds, endNormal, endRepetition, endQuiet),
			"matches end: "+shares(b.ends, endNormal, endRepetition, endQuiet, endLimit))
	}
	if len(b.leftOut) > 0 {
		lines = append(lines, "not by the rules, and left out: "+b.listLeftOut())
	}
	if n := b.setup.OpeningPlies; n > 0 {
		lines = append(lines, fmt.Sprintf("each match begins with %s, which are not counted;", counted(n, "random ply", "random plies")),
			"the first seat is the one that moves after them")
	}
	again := fmt.Sprintf("seed %d, opening plies %d", b.setup.Seed, b.setup.OpeningPlies)
	if !info.Single {
		again += ", at most " + counted(info.Rounds, "round", "rounds")
	}
	return append(lines, again)
}

// counted writes a number of things.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// shares lists how often each kind of ending came, as a share of all.
func shares(counts [endKinds]int, kinds ...endKind) string {
	all := 0
	for _, n := range counts {
		all += n
	}
	var texts []string
	for _, kind := range kinds {
		text := kind.String() + " -"
		if all > 0 {
			text = kind.String() + " " + percentage(float64(counts[kind])/float64(all))
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}

// listLeftOut lists the matches that are not measured, by their endings.
func (b *Balance) listLeftOut() string {
	var texts []string
	for ending := EndNormal; ending.Valid(); ending++ {
		if n := b.leftOut[ending]; n > 0 {
			texts = append(texts, fmt.Sprintf("%s %d", ending, n))
		}
	}
	return strings.Join(texts, ", ")
}

// The shape of the JSON. Its names are stable.
type (
	balanceJSON struct {
		Ruleset      string                `json:"ruleset"`
		RoundLimit   int                   `json:"round_limit"`
		Bots         [2]string             `json:"bots"`
		Seed         uint64                `json:"seed"`
		OpeningPlies int                   `json:"opening_plies"`
		MatchesTotal int                   `json:"matches_total"`
		Matches      int                   `json:"matches"`
		Different    int                   `json:"matches_different"`
		LeftOut      map[string]int        `json:"matches_left_out"`
		RoundEnds    map[string]int        `json:"round_ends"`
		MatchEnds    map[string]int        `json:"match_ends"`
		Figures      map[string]figureJSON `json:"figures"`
	}
	figureJSON struct {
		Mean  *float64 `json:"mean"`  // null if there is nothing to measure
		Error *float64 `json:"error"` // null with fewer than two pairs
		Least *int64   `json:"least,omitempty"`
		Most  *int64   `json:"most,omitempty"`
	}
)

func (b *Balance) writeJSON(w io.Writer) error {
	info := b.setup.Rules.Info()
	report := balanceJSON{
		Ruleset: info.Name, RoundLimit: info.Rounds, Bots: b.setup.Bots, Seed: b.setup.Seed,
		OpeningPlies: b.setup.OpeningPlies, MatchesTotal: b.setup.Total,
		Matches: b.matches, Different: len(b.different), LeftOut: make(map[string]int),
		RoundEnds: make(map[string]int), MatchEnds: make(map[string]int), Figures: make(map[string]figureJSON),
	}
	for ending, n := range b.leftOut {
		report.LeftOut[ending.String()] = n
	}
	for kind := range endKinds {
		report.MatchEnds[kind.String()] = b.ends[kind]
		if kind != endLimit {
			report.RoundEnds[kind.String()] = b.rounds[kind]
		}
	}
	sums := b.measured()
	for f, m := range b.measures() {
		report.Figures[m.field] = m.json(&sums[f])
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(report)
}

func (m measure) json(s *sum) figureJSON {
	var j figureJSON
	if mean, ok := s.mean(); ok {
		mean *= m.unit.scale()
		j.Mean = &mean
		if m.ranged {
			j.Least, j.Most = &s.least, &s.most
		}
	}
	if margin, ok := s.margin(); ok {
		margin *= m.unit.scale()
		j.Error = &margin
	}
	return j
}

// writeCSV writes a header and one line, so that the lines of several rulesets make a table.
func (b *Balance) writeCSV(w io.Writer) error {
	info := b.setup.Rules.Info()
	leftOut := 0
	for _, n := range b.leftOut {
		leftOut += n
	}
	var header, line []string
	add := func(field, value string) { header, line = append(header, field), append(line, value) }
	add("ruleset", info.Name)
	add("round_limit", strconv.Itoa(info.Rounds))
	add("bot", b.setup.Bots[0])
	add("opponent", b.setup.Bots[1])
	add("seed", strconv.FormatUint(b.setup.Seed, 10))
	add("opening_plies", strconv.Itoa(b.setup.OpeningPlies))
	add("matches_total", strconv.Itoa(b.setup.Total))
	add("matches", strconv.Itoa(b.matches))
	add("matches_different", strconv.Itoa(len(b.different)))
	add("matches_left_out", strconv.Itoa(leftOut))
	for kind := range endLimit {
		add("round_ends_"+kind.String(), strconv.Itoa(b.rounds[kind]))
	}
	for kind := range endKinds {
		add("match_ends_"+kind.String(), strconv.Itoa(b.ends[kind]))
	}
	sums := b.measured()
	for f, m := range b.measures() {
		j := m.json(&sums[f])
		add(m.field, known(j.Mean))
		add(m.field+"_error", known(j.Error))
		if m.ranged {
			add(m.field+"_least", knownWhole(j.Least))
			add(m.field+"_most", knownWhole(j.Most))
		}
	}
	writer := csv.NewWriter(w)
	return writer.WriteAll([][]string{header, line})
}

// known writes a number, exactly, and nothing where there is none.
func known(number *float64) string {
	if number == nil {
		return ""
	}
	return exact(*number)
}

func knownWhole(number *int64) string {
	if number == nil {
		return ""
	}
	return strconv.FormatInt(*number, 10)
}
