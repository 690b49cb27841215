package results

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/olekukonko/tablewriter/tw"
)

// Report is how a tournament stands.
type Report struct {
	Tournament Tournament
	Played     int // matches that are recorded
	Total      int // matches in the schedule
	Standings  []Standing
	Crosstable Crosstable
	Isolation  []string // what the machine gave for it, as Store.Isolation has it; the caller's to set. Only JSON has it
}

// NewReport makes the report of a tournament with total matches in its schedule from the summaries of
// those that are recorded, in schedule order.
func NewReport(t Tournament, total int, summaries []Slotted) (Report, error) {
	standings, err := Standings(t, summaries)
	if err != nil {
		return Report{}, err
	}
	crosstable, err := NewCrosstable(t, summaries)
	if err != nil {
		return Report{}, err
	}
	return Report{
		Tournament: t,
		Played:     len(summaries),
		Total:      total,
		Standings:  standings,
		Crosstable: crosstable,
	}, nil
}

// Write writes standings and crosstable; as CSV the standings alone. See StandingsFormats.
func (r Report) Write(w io.Writer, format Format) error {
	switch format {
	case FormatTable:
		return r.writeTable(w)
	case FormatMarkdown:
		return r.writeMarkdown(w)
	case FormatCSV:
		return r.writeCSV(w)
	case FormatJSON:
		return r.writeJSON(w)
	}
	_, err := ParseFormat(string(format), StandingsFormats())
	return err
}

func (r Report) writeTable(w io.Writer) error {
	t := r.Tournament
	if _, err := fmt.Fprintf(w, "%s  %s  %d of %d matches\n\n", t.Name, t.Ruleset, r.Played, r.Total); err != nil {
		return err
	}
	if err := r.standingsTable().text(w); err != nil {
		return err
	}
	if note := r.withdrawnNote(); note != "" {
		if _, err := fmt.Fprintf(w, "%s %s\n", withdrawnSign, note); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return r.crossTable().narrow(w)
}

func (r Report) writeMarkdown(w io.Writer) error {
	t := r.Tournament
	title := strings.NewReplacer("|", `\|`).Replace(t.Name)
	if _, err := fmt.Fprintf(w, "**%s** · %s · %d of %d matches\n\n", title, t.Ruleset, r.Played, r.Total); err != nil {
		return err
	}
	if err := r.standingsTable().markdown(w); err != nil {
		return err
	}
	if note := r.withdrawnNote(); note != "" {
		// An empty line, else it is a row of the table; escaped, else it is an item of a list.
		if _, err := fmt.Fprintf(w, "\n\\%s %s\n", withdrawnSign, note); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return r.crossTable().markdown(w)
}

// standingsTable has a column for faults only where there are any. The last column is the one that may
// differ from run to run.
func (r Report) standingsTable() *table {
	faults := 0
	for _, line := range r.Standings {
		faults += line.Faults
	}
	t := new(table)
	t.column("#", tw.AlignRight)
	t.column("bot", tw.AlignLeft)
	for _, title := range []string{"points", "matches", "won", "drawn", "lost", "score", "Elo"} {
		t.column(title, tw.AlignRight)
	}
	if faults > 0 {
		t.column("faults", tw.AlignRight)
	}
	t.column("CPU", tw.AlignRight)
	for _, line := range r.Standings {
		cells := []string{
			strconv.Itoa(line.Rank), line.Bot, points(line.Points), strconv.Itoa(line.Matches),
			strconv.Itoa(line.Wins), strconv.Itoa(line.Draws), strconv.Itoa(line.Losses),
			percent(line), whole(line.Elo),
		}
		if faults > 0 {
			cells = append(cells, faultsCell(line))
		}
		t.row(append(cells, cpuCell(line))...)
	}
	return t
}

func faultsCell(line Standing) string {
	cell := strconv.Itoa(line.Faults)
	if line.Withdrawn {
		cell += withdrawnSign
	}
	return cell
}

// withdrawnSign is behind the faults of a bot that is withdrawn.
const withdrawnSign = "*"

// withdrawnNote says what withdrawnSign means, where it is in the table.
func (r Report) withdrawnNote() string {
	if !slices.ContainsFunc(r.Standings, func(line Standing) bool { return line.Withdrawn }) {
		return ""
	}
	if r.Tournament.WithdrawAfter == 1 {
		return "withdrawn after 1 fault"
	}
	return fmt.Sprintf("withdrawn after %d faults in a row", r.Tournament.WithdrawAfter)
}

// cpuCell is a bot's processor time, "-" where it is not known of any match.
func cpuCell(line Standing) string {
	if line.CPUMatches == 0 {
		return "-"
	}
	milli, tenth := line.CPU.Round(time.Millisecond), line.CPU.Round(time.Second/10)
	switch {
	case milli < time.Second:
		return strconv.FormatInt(milli.Milliseconds(), 10) + "ms"
	case tenth < 100*time.Second:
		return strconv.FormatFloat(tenth.Seconds(), 'f', 1, 64) + "s"
	}
	return strconv.FormatFloat(line.CPU.Round(time.Second).Seconds(), 'f', 0, 64) + "s"
}

func percent(line Standing) string {
	score, ok := line.Score()
	if !ok {
		return "-"
	}
	return strconv.FormatFloat(100*score, 'f', 1, 64) + "%"
}

// crossTable has the bots of the standings as rows and, by their line there, as columns.
func (r Report) crossTable() *table {
	t := new(table)
	t.column("#", tw.AlignRight)
	t.column("bot", tw.AlignLeft)
	for i := range r.Standings {
		t.column(strconv.Itoa(i+1), tw.AlignRight)
	}
	for i, line := range r.Standings {
		cells := []string{strconv.Itoa(i + 1), line.Bot}
		for _, other := range r.Standings {
			cells = append(cells, crossCell(r.Crosstable.Cell(line.Bot, other.Bot), line.Bot == other.Bot))
		}
		t.row(cells...)
	}
	return t
}

// crossCell is points/matches; "." on the diagonal, "-" where nothing has been played.
func crossCell(cell Cell, diagonal bool) string {
	switch {
	case diagonal:
		return "."
	case cell.Matches == 0:
		return "-"
	}
	return points(cell.Points) + "/" + strconv.Itoa(cell.Matches)
}

func (r Report) writeCSV(w io.Writer) error {
	writer := csv.NewWriter(w)
	rows := [][]string{{
		"rank", "bot", "points", "matches", "wins", "draws", "losses", "score", "faults", "elo",
		"withdrawn", "cpu_ms",
	}}
	for _, line := range r.Standings {
		score := ""
		if share, ok := line.Score(); ok {
			score = exact(share)
		}
		cpu := ""
		if line.CPUMatches > 0 {
			cpu = millis(line.CPU)
		}
		rows = append(rows, []string{
			strconv.Itoa(line.Rank), line.Bot, exact(line.Points), strconv.Itoa(line.Matches),
			strconv.Itoa(line.Wins), strconv.Itoa(line.Draws), strconv.Itoa(line.Losses),
			score, strconv.Itoa(line.Faults), exact(line.Elo),
			strconv.FormatBool(line.Withdrawn), cpu,
		})
	}
	return writer.WriteAll(rows)
}

// The shape of the JSON. Its names are stable.
type (
	reportJSON struct {
		Tournament    string         `json:"tournament"`
		Ruleset       string         `json:"ruleset"`
		MatchesPlayed int            `json:"matches_played"`
		MatchesTotal  int            `json:"matches_total"`
		WithdrawAfter int            `json:"withdraw_after"`
		Isolation     []string       `json:"isolation"`
		Bots          []standingJSON `json:"bots"`
		Crosstable    []cellJSON     `json:"crosstable"`
	}
	standingJSON struct {
		Rank    int      `json:"rank"`
		Bot     string   `json:"bot"`
		Points  float64  `json:"points"`
		Matches int      `json:"matches"`
		Wins    int      `json:"wins"`
		Draws   int      `json:"draws"`
		Losses  int      `json:"losses"`
		Score   *float64 `json:"score"` // null without a match
		Faults  int      `json:"faults"`
		Elo     float64  `json:"elo"`

		Withdrawn bool         `json:"withdrawn"`
		CPUMS     *json.Number `json:"cpu_ms"` // null where it is not known of any match
	}
	cellJSON struct {
		Bot      string  `json:"bot"`
		Opponent string  `json:"opponent"`
		Matches  int     `json:"matches"`
		Points   float64 `json:"points"`
		Wins     int     `json:"wins"`
		Draws    int     `json:"draws"`
		Losses   int     `json:"losses"`
	}
)

func (r Report) writeJSON(w io.Writer) error {
	report := reportJSON{
		Tournament:    r.Tournament.Name,
		Ruleset:       r.Tournament.Ruleset,
		MatchesPlayed: r.Played,
		MatchesTotal:  r.Total,
		WithdrawAfter: r.Tournament.WithdrawAfter,
		Isolation:     append([]string{}, r.Isolation...), // never null
		Bots:          make([]standingJSON, 0, len(r.Standings)),
		Crosstable:    []cellJSON{},
	}
	for _, line := range r.Standings {
		bot := standingJSON{
			Rank: line.Rank, Bot: line.Bot, Points: line.Points, Matches: line.Matches,
			Wins: line.Wins, Draws: line.Draws, Losses: line.Losses, Faults: line.Faults, Elo: line.Elo,
			Withdrawn: line.Withdrawn,
		}
		if score, ok := line.Score(); ok {
			bot.Score = &score
		}
		if line.CPUMatches > 0 {
			bot.CPUMS = knownMillis(line.CPU)
		}
		report.Bots = append(report.Bots, bot)
		for _, other := range r.Standings {
			if other.Bot == line.Bot {
				continue
			}
			cell := r.Crosstable.Cell(line.Bot, other.Bot)
			report.Crosstable = append(report.Crosstable, cellJSON{
				Bot: line.Bot, Opponent: other.Bot, Matches: cell.Matches, Points: cell.Points,
				Wins: cell.Wins, Draws: cell.Draws, Losses: cell.Losses,
			})
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(report)
}
