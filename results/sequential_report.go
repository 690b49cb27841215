package results

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/olekukonko/tablewriter/tw"

	"sembra/results/stats"
)

// SequentialReport is how a sequential test stands.
type SequentialReport struct {
	Tournament Tournament
	Played     int // matches that are recorded, those past the stop too
	Wrap       int // columns of the words below the table; 0: a line each. The caller's to set

	test *SequentialTest
}

// NewSequentialReport makes the report of a test from the summaries of its matches in schedule order. The
// error says that the tournament is no test, or names a match with a bot that is not in it.
func NewSequentialReport(t Tournament, summaries []Slotted) (SequentialReport, error) {
	if t.Test == nil || len(t.Bots) != 2 {
		return SequentialReport{}, fmt.Errorf("tournament %q is no sequential test: its format is %s", t.Name, t.Format)
	}
	if err := t.Test.Check(); err != nil {
		return SequentialReport{}, fmt.Errorf("tournament %q: %w", t.Name, err)
	}
	test := NewSequentialTest(t)
	for _, match := range summaries {
		if !meet(t.Bots, match.Key) {
			return SequentialReport{}, fmt.Errorf("match %v: not both are bots of this tournament", match.Key)
		}
		test.Add(match.Slot, match.Summary)
	}
	return SequentialReport{Tournament: t, Played: len(summaries), test: test}, nil
}

// meet says that the match of a key is between the two bots.
func meet(bots []string, k Key) bool {
	return k.South == bots[0] && k.North == bots[1] || k.South == bots[1] && k.North == bots[0]
}

// SequentialFormats lists what SequentialReport.Write knows.
func SequentialFormats() []Format {
	return []Format{FormatTable, FormatMarkdown, FormatCSV, FormatJSON}
}

// Write writes the report; see SequentialFormats.
func (r SequentialReport) Write(w io.Writer, format Format) error {
	switch format {
	case FormatTable:
		return r.writeTable(w)
	case FormatMarkdown:
		return r.writeMarkdown(w)
	case FormatCSV:
		return r.writeCSV(w)
	case FormatJSON:
		return writeObject(w, r.json())
	}
	_, err := ParseFormat(string(format), SequentialFormats())
	return err
}

func (r SequentialReport) writeTable(w io.Writer) error {
	t := r.Tournament
	if _, err := fmt.Fprintf(w, "%s  %s  %s against %s\n\n", t.Name, t.Ruleset, t.Bots[0], t.Bots[1]); err != nil {
		return err
	}
	return r.writeUntitled(w, r.Wrap)
}

// writeUntitled writes the table, and the words below it in so many columns.
func (r SequentialReport) writeUntitled(w io.Writer, columns int) error {
	if err := r.table().text(w); err != nil {
		return err
	}
	return writeLines(w, wrapped(r.words(), columns), "")
}

func (r SequentialReport) writeMarkdown(w io.Writer) error {
	t := r.Tournament
	escape := strings.NewReplacer("|", `\|`).Replace
	if _, err := fmt.Fprintf(w, "**%s** · %s · %s against %s\n\n", escape(t.Name), t.Ruleset, escape(t.Bots[0]), escape(t.Bots[1])); err != nil {
		return err
	}
	return r.writeUntitledMarkdown(w)
}

func (r SequentialReport) writeUntitledMarkdown(w io.Writer) error {
	if err := r.table().markdown(w); err != nil {
		return err
	}
	return writeLines(w, r.words(), "- ")
}

// table has lines for what does not count only where there is any.
func (r SequentialReport) table() *table {
	test, counts, figures := r.Tournament.Test, r.test.PairCounts(), r.test.Counts().Figures()
	lower, upper := test.Bounds()
	t := new(table)
	t.column("sequential test", tw.AlignLeft)
	t.column(unitOf(test.Model), tw.AlignRight)
	t.row("H0", signedPlain(test.Elo0))
	t.row("H1", signedPlain(test.Elo1))
	t.row("alpha, beta", exact(test.Alpha)+", "+exact(test.Beta))
	t.row("LLR", signedHundredth(r.test.LLR()))
	t.row("bounds", signedHundredth(lower)+", "+signedHundredth(upper))
	t.row("decision", r.test.Decision().String())
	t.row("pairs", fmt.Sprintf("%d of at most %d", counts.Counted(), r.Tournament.Pairs))
	t.row(pairsTitle, pairsCell(counts.Pairs))
	if counts.Split > 0 {
		t.row("level pairs, each won one", strconv.Itoa(counts.Split))
	}
	if figures.Score != nil {
		t.row("score", withMargin(percentage(*figures.Score), percentageMargin(figures.ScoreError)))
	}
	t.row("Elo", withMargin(differenceCell(figures), differenceMarginCell(figures)))
	t.row("nElo", withMargin(signedCell(figures.NElo), marginCell(figures.NEloError)))
	t.row("LOS", likelihoodCell(figures.LOS))
	if counts.Faults != [2]int{} {
		t.row("lost by a fault", fmt.Sprintf("%d-%d", counts.Faults[0], counts.Faults[1]))
	}
	for _, line := range []struct {
		title string
		n     int
	}{
		{"repeated pairs", counts.Repeated},
		{"pairs with a fault of both", counts.Void},
		{"matches past the stop", r.test.PlayedPast()},
	} {
		if line.n > 0 {
			t.row(line.title, strconv.Itoa(line.n))
		}
	}
	return t
}

// unitOf says what the hypotheses of a model are stated in.
func unitOf(model stats.Model) string { return string(model) + " Elo" }

// signedPlain writes a number as it was given, with its sign; 0 has none.
func signedPlain(number float64) string {
	if number > 0 {
		return "+" + exact(number)
	}
	return exact(number)
}

// signedHundredth writes a number with two digits after the point and its sign; 0 has none.
func signedHundredth(number float64) string {
	text := fmt.Sprintf("%+.2f", number)
	if text == "+0.00" || text == "-0.00" {
		return "0.00"
	}
	return text
}

func percentageMargin(margin *float64) string {
	if margin == nil {
		return "-"
	}
	return percentage(*margin)
}

// withMargin writes a number with its error or, in parentheses, with the one end of its interval that is
// known; alone where neither is.
func withMargin(number, margin string) string {
	switch {
	case margin == "-":
		return number
	case strings.HasPrefix(margin, "<") || strings.HasPrefix(margin, ">"):
		return number + " (" + margin + ")"
	}
	return number + " ± " + strings.TrimPrefix(margin, "±")
}

// words says what came of the test, and what is to be known of the numbers.
func (r SequentialReport) words() []string {
	verdict, worthless := r.verdict(), r.worthless()
	if r.test.Decision() != stats.Undecided && worthless != "" {
		verdict, worthless = verdict+"; "+worthless, ""
	}
	lines := []string{verdict}
	for _, line := range []string{worthless, r.notCounted()} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// verdict says what came of the test in one sentence.
func (r SequentialReport) verdict() string {
	test, t := r.test, r.Tournament
	switch {
	case test.Decision() == stats.AcceptH1:
		return fmt.Sprintf("H1 is accepted: %s is ahead of %s by %s or more, rather than by %s or less (%s)",
			t.Bots[0], t.Bots[1], exact(t.Test.Elo1), exact(t.Test.Elo0), unitOf(t.Test.Model))
	case test.Decision() == stats.AcceptH0:
		return fmt.Sprintf("H0 is accepted: %s is not ahead of %s by %s or more, rather by %s or less (%s)",
			t.Bots[0], t.Bots[1], exact(t.Test.Elo1), exact(t.Test.Elo0), unitOf(t.Test.Model))
	case test.StoppedAt() > 0:
		return fmt.Sprintf("undecided, and stopped: the last %d pairs in a row do not count", IdlePairs)
	case test.Over():
		return fmt.Sprintf("undecided after the last of %s (hint: a larger max_pairs goes on, if there are as many openings)", counted(t.Pairs, "pair", "pairs"))
	}
	return fmt.Sprintf("undecided so far, after %d of at most %s", test.PairCounts().Complete(), counted(t.Pairs, "pair", "pairs"))
}

// worthless says in plain words why the pairs do not tell which bot is stronger; "" where they do. Of a test
// that is decided although every pair is level it says that alone: bots that cannot be told apart are what
// one of the hypotheses speaks of.
func (r SequentialReport) worthless() string {
	counts, level := r.test.PairCounts(), r.level()
	switch {
	case level == "" || r.test.StoppedBy() == StoppedByIdle:
		return r.test.Worthless()
	case r.test.Decision() != stats.Undecided:
		return level
	case counts.Repeated > counts.Counted():
		return r.test.Worthless()
	}
	return level + ", and nothing tells the bots apart"
}

// level says that all pairs that count are level; "" where they are not, or less than two.
func (r SequentialReport) level() string {
	counts := r.test.PairCounts()
	switch n := counts.Counted(); {
	case n < 2 || counts.Pairs[2] < n:
		return ""
	case counts.Split == n:
		return fmt.Sprintf("all %d pairs are split 1-1: the seat decides every match", n)
	default:
		return fmt.Sprintf("all %d pairs are level", n)
	}
}

// notCounted says what does not count; "" where all does.
func (r SequentialReport) notCounted() string {
	counts := r.test.PairCounts()
	var left []string
	for _, kind := range []struct {
		what string
		n    int
	}{
		{"pairs with a repeated match", counts.Repeated},
		{"pairs with a fault of both", counts.Void},
		{"matches under way at the stop", r.test.PlayedPast()},
	} {
		if kind.n > 0 {
			left = append(left, kind.what)
		}
	}
	if left == nil {
		return ""
	}
	return fmt.Sprintf("LLR, score, Elo, nElo and LOS count %s, and leave out %s",
		counted(counts.Counted(), "pair", "pairs"), strings.Join(left, ", "))
}

// The shape of the JSON. Its names are stable. What is not known is null.
type sequentialJSON struct {
	Tournament    string            `json:"tournament"`
	Ruleset       string            `json:"ruleset"`
	Bot           string            `json:"bot"`
	Opponent      string            `json:"opponent"`
	Model         stats.Model       `json:"model"`
	Elo0          float64           `json:"elo0"`
	Elo1          float64           `json:"elo1"`
	Alpha         float64           `json:"alpha"`
	Beta          float64           `json:"beta"`
	LLR           float64           `json:"llr"`
	Bounds        [2]float64        `json:"bounds"` // lower, upper
	Decision      string            `json:"decision"`
	StoppedBy     StoppedBy         `json:"stopped_by"`
	StoppedAt     int               `json:"stopped_at"`
	Over          bool              `json:"over"`
	Verdict       string            `json:"verdict"`
	Worthless     string            `json:"worthless"`
	PairsMax      int               `json:"pairs_max"`
	Pairs         int               `json:"pairs"`
	Pentanomial   stats.Pentanomial `json:"pentanomial"`
	PairsSplit    int               `json:"pairs_split"`
	PairsRepeated int               `json:"pairs_repeated"`
	PairsVoid     int               `json:"pairs_void"`
	MatchesPlayed int               `json:"matches_played"`
	MatchesPast   int               `json:"matches_past"`
	FaultLosses   [2]int            `json:"fault_losses"`
	Score         *float64          `json:"score"`
	ScoreError    *float64          `json:"score_error"`
	Elo           *float64          `json:"elo"`
	EloError      *float64          `json:"elo_error"`
	EloLow        *float64          `json:"elo_low"`
	EloHigh       *float64          `json:"elo_high"`
	NElo          *float64          `json:"nelo"`
	NEloError     *float64          `json:"nelo_error"`
	LOS           *float64          `json:"los"`
}

func (r SequentialReport) json() sequentialJSON {
	t, test, counts, figures := r.Tournament, r.Tournament.Test, r.test.PairCounts(), r.test.Counts().Figures()
	lower, upper := test.Bounds()
	return sequentialJSON{
		Tournament: t.Name, Ruleset: t.Ruleset, Bot: t.Bots[0], Opponent: t.Bots[1],
		Model: test.Model, Elo0: test.Elo0, Elo1: test.Elo1, Alpha: test.Alpha, Beta: test.Beta,
		LLR: r.test.LLR(), Bounds: [2]float64{lower, upper}, Decision: r.test.Decision().String(),
		StoppedBy: r.test.StoppedBy(), StoppedAt: r.test.StoppedAt(), Over: r.test.Over(),
		Verdict: r.verdict(), Worthless: r.worthless(),
		PairsMax: t.Pairs, Pairs: counts.Counted(), Pentanomial: counts.Pairs, PairsSplit: counts.Split,
		PairsRepeated: counts.Repeated, PairsVoid: counts.Void,
		MatchesPlayed: r.Played, MatchesPast: r.test.PlayedPast(), FaultLosses: counts.Faults,
		Score: figures.Score, ScoreError: figures.ScoreError,
		Elo: figures.Elo, EloError: figures.EloError, EloLow: figures.EloLow, EloHigh: figures.EloHigh,
		NElo: figures.NElo, NEloError: figures.NEloError, LOS: figures.LOS,
	}
}

// writeCSV writes a header and one line with the fields of the JSON, so that the lines of several tests
// make a table.
func (r SequentialReport) writeCSV(w io.Writer) error {
	j := r.json()
	var header, line []string
	add := func(field, value string) { header, line = append(header, field), append(line, value) }
	count := func(field string, n int) { add(field, strconv.Itoa(n)) }
	add("tournament", j.Tournament)
	add("ruleset", j.Ruleset)
	add("bot", j.Bot)
	add("opponent", j.Opponent)
	add("model", string(j.Model))
	add("elo0", exact(j.Elo0))
	add("elo1", exact(j.Elo1))
	add("alpha", exact(j.Alpha))
	add("beta", exact(j.Beta))
	add("llr", exact(j.LLR))
	add("lower", exact(j.Bounds[0]))
	add("upper", exact(j.Bounds[1]))
	add("decision", j.Decision)
	add("stopped_by", string(j.StoppedBy))
	count("stopped_at", j.StoppedAt)
	add("over", strconv.FormatBool(j.Over))
	add("verdict", j.Verdict)
	add("worthless", j.Worthless)
	count("pairs_max", j.PairsMax)
	count("pairs", j.Pairs)
	for i, kind := range []string{"ll", "ld", "level", "wd", "ww"} {
		count("pairs_"+kind, j.Pentanomial[i])
	}
	count("pairs_split", j.PairsSplit)
	count("pairs_repeated", j.PairsRepeated)
	count("pairs_void", j.PairsVoid)
	count("matches_played", j.MatchesPlayed)
	count("matches_past", j.MatchesPast)
	count("fault_losses", j.FaultLosses[0])
	count("opponent_fault_losses", j.FaultLosses[1])
	add("score", known(j.Score))
	add("score_error", known(j.ScoreError))
	add("elo", known(j.Elo))
	add("elo_error", known(j.EloError))
	add("elo_low", known(j.EloLow))
	add("elo_high", known(j.EloHigh))
	add("nelo", known(j.NElo))
	add("nelo_error", known(j.NEloError))
	add("los", known(j.LOS))
	return csv.NewWriter(w).WriteAll([][]string{header, line})
}
