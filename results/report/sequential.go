package report

import (
	"fmt"
	"slices"

	"sembra/engine/show"
	"sembra/results"
	"sembra/results/stats"
)

// Sequential reports the sequential test of a tournament after its recorded matches, in schedule order. It has the
// formats Table, Markdown, CSV and JSON. The error is that of [results.Tournament.SequentialTest].
func Sequential(t results.Tournament, summaries []results.Numbered) (Report, error) {
	test, err := t.SequentialTest(summaries)
	if err != nil {
		return Report{}, err
	}
	s := sequentialTest{t, len(summaries), test}
	return s.report(s.row(), s.verdict()), nil
}

// The words of a verdict.
const (
	Accepted  = "accepted"  // H1 is accepted: the first bot is stronger
	Rejected  = "rejected"  // H0 is accepted
	Undecided = "undecided" // the test ended before, or was stopped
)

// Verdict is what a sequential test says of the first of its bots, in a word for scripts.
type Verdict struct {
	Word     string // one of the words
	Reason   string // in one sentence; of Undecided, it begins with that word
	Database string // the file that keeps the matches; "": none does

	sequentialTest
}

// NewVerdict returns the verdict of the test that [Sequential] reports. It errs as that does.
func NewVerdict(t results.Tournament, summaries []results.Numbered, database string) (Verdict, error) {
	test, err := t.SequentialTest(summaries)
	if err != nil {
		return Verdict{}, err
	}
	v := Verdict{Word: Undecided, Database: database, sequentialTest: sequentialTest{t, len(summaries), test}}
	switch test.Decision {
	case stats.AcceptH1:
		v.Word = Accepted
	case stats.AcceptH0:
		v.Word = Rejected
	}
	v.Reason = v.verdict()
	return v, nil
}

// Report is the report of [Sequential] with the verdict.
func (v Verdict) Report() Report {
	row := v.row()
	at := slices.IndexFunc(row, func(c Column) bool { return c.Name == "verdict" })
	row[at] = Column{Name: "verdict", Title: "verdict", Value: v.Word}
	row = append(row, Column{Name: "reason", Value: v.Reason}, Column{Name: "database", Value: v.Database})
	return v.report(row, v.Reason)
}

// sequentialTest is a test with its tournament.
type sequentialTest struct {
	tournament results.Tournament
	played     int // recorded matches, with those after the stop
	*results.SequentialTest
}

func (s sequentialTest) report(row Row, verdict string) Report {
	t, part := s.tournament, s.table(row, verdict)
	part.Title = []string{t.Name, t.Ruleset, t.Bots[0] + " against " + t.Bots[1]}
	return Report{Parts: []Part{part}, CSV: alone(row), JSON: row}
}

// row is the test in all formats. People see the columns with a title below each other. What a test need not have has no
// title.
func (s sequentialTest) row() Row {
	t, test, counts := s.tournament, s.tournament.Test, s.Counts
	f := counts.Pairs.Figures()
	lower, upper := test.Bounds()
	score := scoreOf(f).inOne()
	some := func(title string, number int) Column { return Column{Title: titleIf(number > 0, title), Value: number} }
	return Row{
		{Name: "tournament", Value: t.Name},
		{Name: "ruleset", Value: t.Ruleset},
		{Name: "bot", Value: t.Bots[0]},
		{Name: "opponent", Value: t.Bots[1]},
		{Name: "model", Value: test.Model},
		{Name: "elo0", Title: "H0", Value: test.Elo0},
		{Name: "elo1", Title: "H1", Value: test.Elo1},
		{Name: "alpha", Title: "alpha, beta", Value: test.Alpha, Text: exact(test.Alpha) + ", " + exact(test.Beta)},
		{Name: "beta", Value: test.Beta},
		{Name: "llr", Title: "LLR", Value: s.LLR, Text: fmt.Sprintf("%+.2f", s.LLR)},
		{
			Name: "bounds", Title: "bounds", Text: fmt.Sprintf("%+.2f, %+.2f", lower, upper),
			Value: nested{[2]float64{lower, upper}, []string{"lower", "upper"}},
		},
		{Name: "decision", Title: "decision", Value: s.Decision.String()},
		{Name: "stopped_by", Value: s.StoppedBy()},
		{Name: "stopped_at", Value: s.StoppedAt},
		{Name: "over", Value: s.Over()},
		{Name: "verdict", Value: s.verdict()},
		{Name: "worthless", Value: s.worthless()},
		{Name: "pairs_max", Value: t.Pairs},
		{
			Name: "pairs", Title: "pairs", Value: counts.Counted(),
			Text: fmt.Sprintf("%d of at most %d", counts.Counted(), t.Pairs),
		},
		{
			Name: "pentanomial", Title: pairsTitle, Text: pairsCell(counts.Pairs),
			Value: nested{counts.Pairs, []string{"pairs_ll", "pairs_ld", "pairs_level", "pairs_wd", "pairs_ww"}},
		},
		{Name: "pairs_split", Title: titleIf(counts.Split > 0, "level pairs, each won one"), Value: counts.Split},
		{Name: "pairs_repeated", Value: counts.Repeated},
		{Name: "pairs_void", Value: counts.Void},
		{Name: "matches_played", Value: s.played},
		{Name: "matches_past", Value: s.PlayedPast},
		{Name: "fault_losses", Value: nested{counts.Faults, []string{"fault_losses", "opponent_fault_losses"}}},
		{Name: "score", Title: titleIf(score != "-", "score"), Value: f.Score, Text: score},
		{Name: "score_error", Value: f.ScoreError},
		{Name: "elo", Title: "Elo", Value: f.Elo, Text: eloOf(f).inOne()},
		{Name: "elo_error", Value: f.EloError},
		{Name: "elo_low", Value: f.EloLow},
		{Name: "elo_high", Value: f.EloHigh},
		{Name: "nelo", Title: "nElo", Value: f.NElo, Text: nEloOf(f).inOne()},
		{Name: "nelo_error", Value: f.NEloError},
		{Name: "los", Title: "LOS", Value: f.LOS, Text: likelihoodCell(f.Superiority)},
		{Name: "nelo_low", Value: f.NEloLow},
		{Name: "nelo_high", Value: f.NEloHigh},
		{Name: "superiority", Value: f.Superiority},
		{Title: titleIf(counts.Faults != [2]int{}, "lost by a fault"), Value: versus(counts.Faults)},
		some("repeated pairs", counts.Repeated),
		some("pairs with a fault of both", counts.Void),
		some("matches past the stop", s.PlayedPast),
	}
}

// table has a line for each column of a row with a title, and says the verdict.
func (s sequentialTest) table(row Row, verdict string) Part {
	part := listOf(row, "sequential test", unitOf(s.tournament.Test.Model))
	part.Notes.add("%s", verdict)
	worthless := s.worthless()
	part.Notes.when(worthless != "", "%s", worthless)
	part.Notes.when(s.Counts.Repeated+s.Counts.Void+s.PlayedPast > 0, "repeated pairs, pairs with a fault of both and "+
		"matches past the stop do not count")
	part.Notes.add("%s", pairsLegend(true))
	return part
}

// unitOf returns the unit of the hypotheses of a model.
func unitOf(model stats.Model) string { return string(model) + " Elo" }

// verdict returns the outcome of the test in one sentence.
func (s sequentialTest) verdict() string {
	t, pairs := s.tournament, show.Count(s.tournament.Pairs, "pair", "pairs")
	accepted := func(elo, other float64, side, otherSide string) string {
		return fmt.Sprintf("%v is accepted: %s is ahead of %s by %s or %s, rather than by %s or %s (%s)",
			s.Decision, t.Bots[0], t.Bots[1], exact(elo), side, exact(other), otherSide, unitOf(t.Test.Model))
	}
	switch {
	case s.Decision == stats.AcceptH1:
		return accepted(t.Test.Elo1, t.Test.Elo0, "more", "less")
	case s.Decision == stats.AcceptH0:
		return accepted(t.Test.Elo0, t.Test.Elo1, "less", "more")
	case s.StoppedAt > 0:
		return fmt.Sprintf("undecided and stopped, because the last %d pairs in a row do not count", results.MaxUncountedPairs)
	case s.Over():
		return fmt.Sprintf("undecided after the last of %s "+
			"(hint: a larger max_pairs resumes the test, if there are enough openings)", pairs)
	}
	return fmt.Sprintf("undecided so far, after %d of at most %s", s.Counts.Complete(), pairs)
}

// worthless returns why the pairs do not show which bot is stronger; "" if they do. A test with level pairs alone
// accepts H0 after some time.
func (s sequentialTest) worthless() string {
	counts := s.Counts
	n := counts.Counted()
	switch {
	case s.Decision == stats.Undecided && counts.Repeated > n:
		return fmt.Sprintf("%d of %d pairs repeat matches that were played before, and do not count: "+
			"deterministic bots play the same match from the same opening (hint: more openings)",
			counts.Repeated, counts.Complete())
	case s.StoppedBy() == "idle":
		return fmt.Sprintf("none of the last %d pairs counts: both bots were at fault, or a match was played before",
			results.MaxUncountedPairs)
	case n > 1 && counts.Split == n:
		return fmt.Sprintf("all %d pairs are split 1-1: the seat decides every match", n)
	case n > 1 && counts.Pairs[2] == n:
		return fmt.Sprintf("all %d pairs are level", n)
	}
	return ""
}

// PairFigures reports the figures of pairs of games between two players, with a sequential test. If hypotheses is
// false, only Alpha and Beta of the test count. The report has the format JSON.
func PairFigures(pairs stats.Pentanomial, test stats.Test, hypotheses bool) Report {
	f := pairs.Figures()
	return figures(f, f.Units, test, optional(test.LLRPairs(pairs), hypotheses))
}

// GameFigures is PairFigures for games that are not pairs.
func GameFigures(games stats.Trinomial, test stats.Test, hypotheses bool) Report {
	return figures(games.Figures(), 0, test, optional(test.LLRGames(games), hypotheses))
}

// figures reports the figures of one match, from the view of the first player. pairs is 0 if the games are not pairs.
// llr is nil without a test, and then so are its hypotheses.
func figures(f stats.Figures, pairs int, test stats.Test, llr *float64) Report {
	tested := llr != nil
	decision := stats.Undecided
	if tested {
		decision = test.Decide(*llr)
	}
	lower, upper := test.Bounds()
	return Report{JSON: object(
		"games", f.Games,
		"pairs", pairs,
		"score", f.Score,
		"score_error", f.ScoreError,
		"elo", f.Elo,
		"error", f.EloError,
		"elo_low", f.EloLow,
		"elo_high", f.EloHigh,
		"nelo", f.NElo,
		"nelo_error", f.NEloError,
		"los", f.LOS,
		"draw_ratio", f.DrawRatio,
		"pairs_ratio", f.PairsRatio,
		"elo0", optional(test.Elo0, tested),
		"elo1", optional(test.Elo1, tested),
		"alpha", test.Alpha,
		"beta", test.Beta,
		"model", optional(test.Model, tested),
		"llr", llr,
		"bounds", [2]float64{lower, upper},
		"decision", optional(decision.String(), tested),
		"nelo_low", f.NEloLow,
		"nelo_high", f.NEloHigh,
		"superiority", f.Superiority,
	)}
}
