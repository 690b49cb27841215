package results

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/olekukonko/tablewriter/tw"

	"sembra/results/stats"
)

// MeetingsFormats lists what Meetings.Write knows.
func MeetingsFormats() []Format {
	return []Format{FormatTable, FormatMarkdown, FormatCSV, FormatJSON}
}

// Write writes a line a meeting; see MeetingsFormats.
func (m Meetings) Write(w io.Writer, format Format) error {
	switch format {
	case FormatTable:
		return m.writeTable(w)
	case FormatMarkdown:
		return m.writeMarkdown(w)
	case FormatCSV:
		return m.writeCSV(w)
	case FormatJSON:
		return m.writeJSON(w)
	}
	_, err := ParseFormat(string(format), MeetingsFormats())
	return err
}

func (m Meetings) writeTable(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "%s  %s\n\n", m.Tournament.Name, m.Tournament.Ruleset); err != nil {
		return err
	}
	if err := m.table().text(w); err != nil {
		return err
	}
	return writeLines(w, m.words(), "")
}

func (m Meetings) writeMarkdown(w io.Writer) error {
	title := strings.NewReplacer("|", `\|`).Replace(m.Tournament.Name)
	if _, err := fmt.Fprintf(w, "**%s** · %s\n\n", title, m.Tournament.Ruleset); err != nil {
		return err
	}
	if err := m.table().markdown(w); err != nil {
		return err
	}
	return writeLines(w, m.words(), "- ")
}

// writeLines writes lines below an empty one, each behind a sign; nothing where there are none. A line that is indented
// has its sign behind the indent.
func writeLines(w io.Writer, lines []string, sign string) error {
	if len(lines) == 0 {
		return nil
	}
	out := "\n"
	for _, line := range lines {
		text := strings.TrimLeft(line, " ")
		out += line[:len(line)-len(text)] + sign + text + "\n"
	}
	_, err := io.WriteString(w, out)
	return err
}

// table has columns for matches that are not counted and for faults only where there are any.
func (m Meetings) table() *table {
	left, repeats, past, faults := m.rarities()
	t := new(table)
	t.column("bot", tw.AlignLeft)
	t.column("opponent", tw.AlignLeft)
	for _, title := range []string{
		"points", "won", "drawn", "lost", "score", "draws", "Elo", "±", "nElo", "±", "LOS", pairsTitle,
	} {
		t.column(title, tw.AlignRight)
	}
	for _, column := range []struct {
		title string
		shown bool
	}{{"single", left}, {"repeats", repeats}, {"past stop", past}, {"by fault", faults}, {"CPU", true}} {
		if column.shown {
			t.column(column.title, tw.AlignRight)
		}
	}
	for _, meeting := range m.List {
		figures, _, singles := meeting.Figures()
		cells := []string{
			meeting.Bot, meeting.Opponent, points(meeting.Points) + "/" + strconv.Itoa(meeting.Matches),
			strconv.Itoa(meeting.Wins), strconv.Itoa(meeting.Draws), strconv.Itoa(meeting.Losses),
			percentage(meeting.Points / float64(meeting.Matches)),
			percentage(float64(meeting.Draws) / float64(meeting.Matches)),
			differenceCell(figures), differenceMarginCell(figures),
			signedCell(figures.NElo), marginCell(figures.NEloError),
			likelihoodCell(figures.LOS), pairsCell(meeting.Pairs),
		}
		if left {
			cells = append(cells, strconv.Itoa(singles))
		}
		if repeats {
			cells = append(cells, strconv.Itoa(meeting.Repeats))
		}
		if past {
			cells = append(cells, strconv.Itoa(meeting.Past))
		}
		if faults {
			cells = append(cells, fmt.Sprintf("%d-%d", meeting.FaultLosses[0], meeting.FaultLosses[1]))
		}
		t.row(append(cells, meeting.cpuCell(0)+"/"+meeting.cpuCell(1))...)
	}
	return t
}

// rarities says what there is in any of the meetings.
func (m Meetings) rarities() (left, repeats, past, faults bool) {
	for _, meeting := range m.List {
		_, _, singles := meeting.Figures()
		left = left || singles > 0
		repeats = repeats || meeting.Repeats > 0
		past = past || meeting.Past > 0
		faults = faults || meeting.FaultLosses != [2]int{}
	}
	return left, repeats, past, faults
}

// differenceCell is an Elo difference, or a one-sided bound of it.
func differenceCell(f stats.Figures) string {
	switch {
	case f.Elo != nil:
		return signedWhole(*f.Elo)
	case f.EloLow != nil:
		return "> " + signedWhole(*f.EloLow)
	case f.EloHigh != nil:
		return "< " + signedWhole(*f.EloHigh)
	}
	return "-"
}

// differenceMarginCell is half of the interval of an Elo difference; of an interval with one end, which is
// what a score near to all or nothing has, that end as "> +311" or "< -161".
func differenceMarginCell(f stats.Figures) string {
	switch {
	case f.Elo == nil || f.EloError != nil:
		return marginCell(f.EloError) // without a difference its cell has the end
	case f.EloLow != nil:
		return "> " + signedWhole(*f.EloLow)
	case f.EloHigh != nil:
		return "< " + signedWhole(*f.EloHigh)
	}
	return "-"
}

func signedCell(number *float64) string {
	if number == nil {
		return "-"
	}
	return signedWhole(*number)
}

// likelihoodCell is the likelihood of superiority, which is never quite 0 or 1.
func likelihoodCell(los *float64) string {
	const tiny = 1e-9
	if los == nil {
		return "-"
	}
	return percentage(min(max(*los, tiny), 1-tiny))
}

// pairsTitle names the pairs by their two matches. Level are those of two draws, and of a match won by each.
const pairsTitle = "LL-LD-level-WD-WW"

func pairsCell(pairs stats.Pentanomial) string {
	counts := make([]string, len(pairs))
	for i, count := range pairs {
		counts[i] = strconv.Itoa(count)
	}
	return strings.Join(counts, "-")
}

// cpuCell is the processor time of Bot (0) or Opponent (1).
func (m Meeting) cpuCell(who int) string {
	return cpuCell(Standing{CPU: m.CPU[who], CPUMatches: m.CPUMatches[who]})
}

// words says what is to be known of the numbers: what is not counted, and where they say nothing.
func (m Meetings) words() []string {
	var lines []string
	for _, meeting := range m.List {
		if what := meeting.noInformation(); what != "" {
			lines = append(lines, fmt.Sprintf("%s - %s: %s", meeting.Bot, meeting.Opponent, what))
		}
	}
	left, repeats, past, faults := m.rarities()
	if left {
		lines = append(lines, "single: matches without the other of their pair, which Elo, nElo, LOS and their errors leave out")
	}
	if repeats {
		lines = append(lines, "repeats: matches that equal an earlier one, which Elo, nElo, LOS and their errors leave out (bots without chance repeat themselves; [openings] plies helps)")
	}
	if past {
		lines = append(lines, "past stop: matches that were under way when the test was decided, which Elo, nElo, LOS and their errors leave out")
	}
	if faults {
		lines = append(lines, "by fault: matches that bot and opponent lost by their own fault")
	}
	return lines
}

// noInformation says why the matches tell no error, or no difference; "" where they do.
func (m Meeting) noInformation() string {
	figures, paired, _ := m.Figures()
	switch {
	case figures.Units == 0:
		return "no match is decided: nothing can be said of strength"
	case figures.ScoreError == nil && paired:
		return m.pairsAlike()
	case figures.ScoreError == nil:
		return "no pair is complete, and " + m.singlesAlike()
	case !paired:
		return "no pair is complete: the errors are those of single matches"
	case figures.EloError == nil:
		return "too few pairs: the interval has no end on one side"
	}
	return ""
}

// pairsAlike says what all complete pairs have in common.
func (m Meeting) pairsAlike() string {
	n := 0
	for _, count := range m.Pairs {
		n += count
	}
	all := fmt.Sprintf("all %d pairs", n)
	if n == 1 {
		all = "the one pair"
	}
	switch n {
	case m.splits[0]:
		return "South won both matches of " + all + ": nothing can be said of strength"
	case m.splits[1]:
		return "North won both matches of " + all + ": nothing can be said of strength"
	case m.Pairs[2]:
		return "the points of " + all + " were shared: nothing can be said of strength"
	case m.Pairs[4]:
		return m.Bot + " won both matches of " + all + ": only a lower bound of the difference can be told"
	case m.Pairs[0]:
		return m.Opponent + " won both matches of " + all + ": only an upper bound of the difference can be told"
	case m.Pairs[3]:
		return m.Bot + " won one match of " + all + " and drew the other: no error can be told"
	}
	return m.Opponent + " won one match of " + all + " and drew the other: no error can be told"
}

// singlesAlike says what all single matches have in common, where there are no complete pairs.
func (m Meeting) singlesAlike() string {
	all := "all " + counted(m.Singles.Wins+m.Singles.Draws+m.Singles.Losses, "match", "matches")
	switch {
	case m.Singles.Wins > 0:
		return m.Bot + " won " + all + ": only a lower bound of the difference can be told"
	case m.Singles.Losses > 0:
		return m.Opponent + " won " + all + ": only an upper bound of the difference can be told"
	}
	return all + " were drawn: nothing can be said of strength"
}

// The shape of the JSON. Its names are stable.
type (
	meetingsJSON struct {
		Tournament string        `json:"tournament"`
		Ruleset    string        `json:"ruleset"`
		Meetings   []meetingJSON `json:"meetings"`
	}
	meetingJSON struct {
		Bot         string            `json:"bot"`
		Opponent    string            `json:"opponent"`
		Matches     int               `json:"matches"`
		Points      float64           `json:"points"`
		Wins        int               `json:"wins"`
		Draws       int               `json:"draws"`
		Losses      int               `json:"losses"`
		Score       float64           `json:"score"`
		DrawShare   float64           `json:"draw_share"`
		Unit        *string           `json:"unit"` // pair or match; null where nothing is counted
		Units       int               `json:"units"`
		Elo         *float64          `json:"elo"`
		EloError    *float64          `json:"elo_error"`
		EloLow      *float64          `json:"elo_low"`
		EloHigh     *float64          `json:"elo_high"`
		NElo        *float64          `json:"nelo"`
		NEloError   *float64          `json:"nelo_error"`
		LOS         *float64          `json:"los"`
		Pentanomial stats.Pentanomial `json:"pentanomial"`
		Single      int               `json:"single"`
		Repeats     int               `json:"repeats"`
		FaultLosses int               `json:"fault_losses"`
		Theirs      int               `json:"opponent_fault_losses"`
		CPUMS       *json.Number      `json:"cpu_ms"`
		TheirCPUMS  *json.Number      `json:"opponent_cpu_ms"`
		Note        string            `json:"note"`
		Past        int               `json:"past"`
	}
)

func (m Meetings) writeJSON(w io.Writer) error {
	object := meetingsJSON{
		Tournament: m.Tournament.Name, Ruleset: m.Tournament.Ruleset,
		Meetings: make([]meetingJSON, 0, len(m.List)),
	}
	for _, meeting := range m.List {
		object.Meetings = append(object.Meetings, meeting.json())
	}
	return writeObject(w, object)
}

func (m Meeting) json() meetingJSON {
	f, paired, left := m.Figures()
	object := meetingJSON{
		Bot: m.Bot, Opponent: m.Opponent, Matches: m.Matches, Points: m.Points,
		Wins: m.Wins, Draws: m.Draws, Losses: m.Losses,
		Score: m.Points / float64(m.Matches), DrawShare: float64(m.Draws) / float64(m.Matches),
		Units: f.Units, Elo: f.Elo, EloError: f.EloError, EloLow: f.EloLow, EloHigh: f.EloHigh,
		NElo: f.NElo, NEloError: f.NEloError, LOS: f.LOS,
		Pentanomial: m.Pairs, Single: left, Repeats: m.Repeats,
		FaultLosses: m.FaultLosses[0], Theirs: m.FaultLosses[1],
		CPUMS: m.cpuMillis(0), TheirCPUMS: m.cpuMillis(1), Note: m.noInformation(), Past: m.Past,
	}
	if f.Units > 0 {
		unit := "match"
		if paired {
			unit = "pair"
		}
		object.Unit = &unit
	}
	return object
}

// cpuMillis is the processor time of Bot (0) or Opponent (1), nil where it is not known of any match.
func (m Meeting) cpuMillis(who int) *json.Number {
	if m.CPUMatches[who] == 0 {
		return nil
	}
	return knownMillis(m.CPU[who])
}

func (m Meetings) writeCSV(w io.Writer) error {
	rows := [][]string{{
		"bot", "opponent", "matches", "points", "wins", "draws", "losses", "score", "draw_share", "unit", "units",
		"elo", "elo_error", "elo_low", "elo_high", "nelo", "nelo_error", "los", "ll", "ld", "wl_dd", "wd", "ww",
		"single", "repeats", "fault_losses", "opponent_fault_losses", "cpu_ms", "opponent_cpu_ms",
		"past",
	}}
	for _, meeting := range m.List {
		o := meeting.json()
		unit := ""
		if o.Unit != nil {
			unit = *o.Unit
		}
		row := []string{
			o.Bot, o.Opponent, strconv.Itoa(o.Matches), exact(o.Points),
			strconv.Itoa(o.Wins), strconv.Itoa(o.Draws), strconv.Itoa(o.Losses),
			exact(o.Score), exact(o.DrawShare), unit, strconv.Itoa(o.Units),
			known(o.Elo), known(o.EloError), known(o.EloLow), known(o.EloHigh),
			known(o.NElo), known(o.NEloError), known(o.LOS),
		}
		for _, count := range o.Pentanomial {
			row = append(row, strconv.Itoa(count))
		}
		row = append(row,
			strconv.Itoa(o.Single), strconv.Itoa(o.Repeats),
			strconv.Itoa(o.FaultLosses), strconv.Itoa(o.Theirs), knownNumber(o.CPUMS), knownNumber(o.TheirCPUMS), strconv.Itoa(o.Past))
		rows = append(rows, row)
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// knownNumber writes a number, "" for none.
func knownNumber(number *json.Number) string {
	if number == nil {
		return ""
	}
	return number.String()
}
