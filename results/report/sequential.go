package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sembra/engine/show"
	"sembra/results"
	"sembra/results/stats"
)

// sequentialRow is a sequential test in CSV and JSON. Unknown values are nil.
type sequentialRow struct {
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
	Bounds        [2]float64        `json:"bounds" csv:"lower,upper"`
	Decision      string            `json:"decision"`
	StoppedBy     results.StoppedBy `json:"stopped_by"`
	StoppedAt     int               `json:"stopped_at"`
	Over          bool              `json:"over"`
	Verdict       string            `json:"verdict"`
	Worthless     string            `json:"worthless"`
	PairsMax      int               `json:"pairs_max"`
	Pairs         int               `json:"pairs"`
	Pentanomial   stats.Pentanomial `json:"pentanomial" csv:"pairs_ll,pairs_ld,pairs_level,pairs_wd,pairs_ww"`
	PairsSplit    int               `json:"pairs_split"`
	PairsRepeated int               `json:"pairs_repeated"`
	PairsVoid     int               `json:"pairs_void"`
	MatchesPlayed int               `json:"matches_played"`
	MatchesPast   int               `json:"matches_past"`
	FaultLosses   [2]int            `json:"fault_losses" csv:"fault_losses,opponent_fault_losses"`
	Score         *float64          `json:"score"`
	ScoreError    *float64          `json:"score_error"`
	differences
	smallSample
}

// Sequential reports the sequential test of a tournament after its recorded matches, in schedule order. It has the
// formats Table, Markdown, CSV and JSON. The error is that of [results.Tournament.SequentialTest].
func Sequential(t results.Tournament, summaries []results.Slotted) (Report, error) {
	test, err := t.SequentialTest(summaries)
	if err != nil {
		return Report{}, err
	}
	s := sequentialTest{t, len(summaries), test}
	row := s.row()
	return Report{
		Parts: []Part{s.table([]string{t.Name, t.Ruleset, t.Bots[0] + " against " + t.Bots[1]})},
		CSV:   linesOf(each([]sequentialRow{row})),
		JSON:  row,
	}, nil
}

// sequentialTest is a test with its tournament.
type sequentialTest struct {
	tournament results.Tournament
	played     int // recorded matches, with those after the stop
	*results.SequentialTest
}

func (s sequentialTest) row() sequentialRow {
	t, test, counts := s.tournament, s.tournament.Test, s.PairCounts()
	figures := counts.Pairs.Figures()
	lower, upper := test.Bounds()
	return sequentialRow{
		Tournament: t.Name, Ruleset: t.Ruleset, Bot: t.Bots[0], Opponent: t.Bots[1],
		Model: test.Model, Elo0: test.Elo0, Elo1: test.Elo1, Alpha: test.Alpha, Beta: test.Beta,
		LLR: s.LLR(), Bounds: [2]float64{lower, upper}, Decision: s.Decision().String(),
		StoppedBy: s.StoppedBy(), StoppedAt: s.StoppedAt(), Over: s.Over(), Verdict: s.verdict(), Worthless: s.worthless(),
		PairsMax: t.Pairs, Pairs: counts.Counted(), Pentanomial: counts.Pairs, PairsSplit: counts.Split,
		PairsRepeated: counts.Repeated, PairsVoid: counts.Void,
		MatchesPlayed: s.played, MatchesPast: s.PlayedPast(), FaultLosses: counts.Faults,
		Score: figures.Score, ScoreError: figures.ScoreError, differences: newDifferences(figures),
		smallSample: newSmallSample(figures),
	}
}

// table has lines for pairs and matches that do not count only if there are any.
func (s sequentialTest) table(title []string) Part {
	test, counts := s.tournament.Test, s.PairCounts()
	figures := counts.Pairs.Figures()
	lower, upper := test.Bounds()
	rows := [][]string{
		{"H0", signedPlain(test.Elo0)},
		{"H1", signedPlain(test.Elo1)},
		{"alpha, beta", exact(test.Alpha) + ", " + exact(test.Beta)},
		{"LLR", signedHundredth(s.LLR())},
		{"bounds", signedHundredth(lower) + ", " + signedHundredth(upper)},
		{"decision", s.Decision().String()},
		{"pairs", fmt.Sprintf("%d of at most %d", counts.Counted(), s.tournament.Pairs)},
		{pairsTitle, pairsCell(counts.Pairs)},
	}
	some := func(title string, n int) {
		if n > 0 {
			rows = append(rows, []string{title, strconv.Itoa(n)})
		}
	}
	some("level pairs, each won one", counts.Split)
	if figures.Score != nil {
		interval := intervalCell(figures.Score, figures.ScoreLow, figures.ScoreHigh, 0.001, percentage)
		rows = append(rows, []string{"score", withInterval(percentage(*figures.Score), interval)})
	}
	rows = append(
		rows,
		[]string{"Elo", withInterval(differenceCell(figures), differenceIntervalCell(figures))},
		[]string{"nElo", withInterval(signedCell(figures.NElo), normalizedIntervalCell(figures))},
		[]string{"LOS", likelihoodCell(figures.Superiority)},
	)
	if counts.Faults != [2]int{} {
		rows = append(rows, []string{"lost by a fault", scoreOf(counts.Faults[0], counts.Faults[1])})
	}
	some("repeated pairs", counts.Repeated)
	some("pairs with a fault of both", counts.Void)
	some("matches past the stop", s.PlayedPast())
	return Part{
		Title:   title,
		Columns: []Column{left("sequential test"), right(unitOf(test.Model))},
		Rows:    each(rows),
		Notes:   s.notes(),
	}
}

// unitOf returns the unit of the hypotheses of a model.
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

// withInterval writes a number with its interval: as "+132 ± 109", or in parentheses if the interval is uneven or has
// only one end. If it is not known, the number stands alone.
func withInterval(number, interval string) string {
	half, even := strings.CutPrefix(interval, "±")
	switch {
	case interval == "-":
		return number
	case even:
		return number + " ± " + half
	}
	return number + " (" + interval + ")"
}

// notes returns the outcome of the test, and what the numbers do not show or count.
func (s sequentialTest) notes() []string {
	verdict, worthless := s.verdict(), s.worthless()
	if s.Decision() != stats.Undecided && worthless != "" {
		verdict, worthless = verdict+"; "+worthless, ""
	}
	return slices.DeleteFunc([]string{verdict, worthless, s.notCounted()}, func(note string) bool { return note == "" })
}

// verdict returns the outcome of the test in one sentence.
func (s sequentialTest) verdict() string {
	t, decision, pairs := s.tournament, s.Decision(), show.Count(s.tournament.Pairs, "pair", "pairs")
	switch {
	case decision == stats.AcceptH1:
		return fmt.Sprintf("H1 is accepted: %s is ahead of %s by %s or more, rather than by %s or less (%s)",
			t.Bots[0], t.Bots[1], exact(t.Test.Elo1), exact(t.Test.Elo0), unitOf(t.Test.Model))
	case decision == stats.AcceptH0:
		return fmt.Sprintf("H0 is accepted: %s is ahead of %s by %s or less, rather than by %s or more (%s)",
			t.Bots[0], t.Bots[1], exact(t.Test.Elo0), exact(t.Test.Elo1), unitOf(t.Test.Model))
	case s.StoppedAt() > 0:
		return fmt.Sprintf("undecided and stopped, because the last %d pairs in a row do not count", results.IdlePairs)
	case s.Over():
		return fmt.Sprintf("undecided after the last of %s "+
			"(hint: with a larger max_pairs the test goes on, if there are enough openings)", pairs)
	}
	return fmt.Sprintf("undecided so far, after %d of at most %s", s.PairCounts().Complete(), pairs)
}

// worthless returns why the pairs do not show which bot is stronger; "" if they do. A test with level pairs alone
// accepts H0 after some time. About such a test it only says that the pairs are level, because one of the hypotheses
// is about bots that are equally strong.
func (s sequentialTest) worthless() string {
	counts, level := s.PairCounts(), s.level()
	undecided := s.Decision() == stats.Undecided
	switch {
	case undecided && counts.Repeated > counts.Counted():
		return fmt.Sprintf("%d of %d pairs repeat matches that were played before, and do not count: "+
			"bots without randomness repeat the same match from the same opening (hint: more openings)",
			counts.Repeated, counts.Complete())
	case s.StoppedBy() == results.StoppedByIdle:
		return fmt.Sprintf("none of the last %d pairs counts: both bots were at fault, or a match was played before",
			results.IdlePairs)
	case undecided && level != "":
		return level + ", and nothing tells the bots apart"
	}
	return level
}

// level returns a sentence if all pairs that count are level; "" if they are not, or if there are fewer than two.
func (s sequentialTest) level() string {
	counts := s.PairCounts()
	switch n := counts.Counted(); {
	case n < 2 || counts.Pairs[2] < n:
		return ""
	case counts.Split == n:
		return fmt.Sprintf("all %d pairs are split 1-1: the seat decides every match", n)
	default:
		return fmt.Sprintf("all %d pairs are level", n)
	}
}

// notCounted returns what does not count; "" if everything counts.
func (s sequentialTest) notCounted() string {
	counts := s.PairCounts()
	var kinds []string
	if counts.Repeated > 0 {
		kinds = append(kinds, "pairs with a repeated match")
	}
	if counts.Void > 0 {
		kinds = append(kinds, "pairs with a fault of both")
	}
	if s.PlayedPast() > 0 {
		kinds = append(kinds, "matches under way at the stop")
	}
	if kinds == nil {
		return ""
	}
	return fmt.Sprintf("LLR, score, Elo, nElo and LOS count %s, and leave out %s",
		show.Count(counts.Counted(), "pair", "pairs"), strings.Join(kinds, ", "))
}
