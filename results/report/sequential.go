package report

import (
	"fmt"
	"slices"
	"strings"

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
	part, whole := s.table(), s.object()
	part.Title = []string{t.Name, t.Ruleset, t.Bots[0] + " against " + t.Bots[1]}
	return Report{Parts: []Part{part}, CSV: whole.csv(), JSON: whole}, nil
}

// sequentialTest is a test with its tournament.
type sequentialTest struct {
	tournament results.Tournament
	played     int // recorded matches, with those after the stop
	*results.SequentialTest
}

// object is the test in CSV and JSON.
func (s sequentialTest) object() object {
	t, test, counts := s.tournament, s.tournament.Test, s.Counts
	f := counts.Pairs.Figures()
	lower, upper := test.Bounds()
	return object{
		{"tournament", t.Name},
		{"ruleset", t.Ruleset},
		{"bot", t.Bots[0]},
		{"opponent", t.Bots[1]},
		{"model", test.Model},
		{"elo0", test.Elo0},
		{"elo1", test.Elo1},
		{"alpha", test.Alpha},
		{"beta", test.Beta},
		{"llr", s.LLR},
		{"bounds:lower,upper", [2]float64{lower, upper}},
		{"decision", s.Decision.String()},
		{"stopped_by", s.StoppedBy()},
		{"stopped_at", s.StoppedAt},
		{"over", s.Over()},
		{"verdict", s.verdict()},
		{"worthless", s.worthless()},
		{"pairs_max", t.Pairs},
		{"pairs", counts.Counted()},
		{"pentanomial:pairs_ll,pairs_ld,pairs_level,pairs_wd,pairs_ww", counts.Pairs},
		{"pairs_split", counts.Split},
		{"pairs_repeated", counts.Repeated},
		{"pairs_void", counts.Void},
		{"matches_played", s.played},
		{"matches_past", s.PlayedPast},
		{"fault_losses:fault_losses,opponent_fault_losses", counts.Faults},
		{"score", f.Score},
		{"score_error", f.ScoreError},
		{"elo", f.Elo},
		{"elo_error", f.EloError},
		{"elo_low", f.EloLow},
		{"elo_high", f.EloHigh},
		{"nelo", f.NElo},
		{"nelo_error", f.NEloError},
		{"los", f.LOS},
		{"nelo_low", f.NEloLow},
		{"nelo_high", f.NEloHigh},
		{"superiority", f.Superiority},
	}
}

// table has lines for pairs and matches that do not count only if there are any.
func (s sequentialTest) table() Part {
	test, counts := s.tournament.Test, s.Counts
	f := counts.Pairs.Figures()
	lower, upper := test.Bounds()
	score := ""
	if f.Score != nil {
		score = withInterval(percentage(*f.Score), intervalCell(f.Score, f.ScoreLow, f.ScoreHigh, 0.001, percentage))
	}
	rows := slices.DeleteFunc([][2]string{
		{"H0", signedPlain(test.Elo0)},
		{"H1", signedPlain(test.Elo1)},
		{"alpha, beta", exact(test.Alpha) + ", " + exact(test.Beta)},
		{"LLR", signedHundredth(s.LLR)},
		{"bounds", signedHundredth(lower) + ", " + signedHundredth(upper)},
		{"decision", s.Decision.String()},
		{"pairs", fmt.Sprintf("%d of at most %d", counts.Counted(), s.tournament.Pairs)},
		{pairsTitle, pairsCell(counts.Pairs)},
		{"level pairs, each won one", positive(counts.Split)},
		{"score", score},
		{"Elo", withInterval(elo(f).text, eloInterval(f).text)},
		{"nElo", withInterval(nElo(f).text, nEloInterval(f).text)},
		{"LOS", likelihoodCell(f.Superiority)},
		{"lost by a fault", unless("0-0", scoreOf(counts.Faults[0], counts.Faults[1]))},
		{"repeated pairs", positive(counts.Repeated)},
		{"pairs with a fault of both", positive(counts.Void)},
		{"matches past the stop", positive(s.PlayedPast)},
	}, func(row [2]string) bool { return row[1] == "" })
	part := tableOf(each(rows), []Column[[2]string]{
		{Title: "sequential test", Kind: Text, Value: func(row [2]string) any { return row[0] }},
		{Title: unitOf(test.Model), Value: func(row [2]string) any { return row[1] }},
	})
	part.Notes = s.notes()
	return part
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
	if s.Decision != stats.Undecided && worthless != "" {
		verdict, worthless = verdict+"; "+worthless, ""
	}
	return slices.DeleteFunc([]string{verdict, worthless, s.notCounted()}, func(note string) bool { return note == "" })
}

// verdict returns the outcome of the test in one sentence.
func (s sequentialTest) verdict() string {
	t, decision, pairs := s.tournament, s.Decision, show.Count(s.tournament.Pairs, "pair", "pairs")
	switch {
	case decision == stats.AcceptH1:
		return fmt.Sprintf("H1 is accepted: %s is ahead of %s by %s or more, rather than by %s or less (%s)",
			t.Bots[0], t.Bots[1], exact(t.Test.Elo1), exact(t.Test.Elo0), unitOf(t.Test.Model))
	case decision == stats.AcceptH0:
		return fmt.Sprintf("H0 is accepted: %s is ahead of %s by %s or less, rather than by %s or more (%s)",
			t.Bots[0], t.Bots[1], exact(t.Test.Elo0), exact(t.Test.Elo1), unitOf(t.Test.Model))
	case s.StoppedAt > 0:
		return fmt.Sprintf("undecided and stopped, because the last %d pairs in a row do not count", results.IdlePairs)
	case s.Over():
		return fmt.Sprintf("undecided after the last of %s "+
			"(hint: with a larger max_pairs the test goes on, if there are enough openings)", pairs)
	}
	return fmt.Sprintf("undecided so far, after %d of at most %s", s.Counts.Complete(), pairs)
}

// worthless returns why the pairs do not show which bot is stronger; "" if they do. A test with level pairs alone
// accepts H0 after some time. About such a test it only says that the pairs are level, because one of the hypotheses
// is about bots that are equally strong.
func (s sequentialTest) worthless() string {
	counts, level := s.Counts, s.level()
	undecided := s.Decision == stats.Undecided
	switch {
	case undecided && counts.Repeated > counts.Counted():
		return fmt.Sprintf("%d of %d pairs repeat matches that were played before, and do not count: "+
			"bots without randomness repeat the same match from the same opening (hint: more openings)",
			counts.Repeated, counts.Complete())
	case s.StoppedBy() == "idle":
		return fmt.Sprintf("none of the last %d pairs counts: both bots were at fault, or a match was played before",
			results.IdlePairs)
	case undecided && level != "":
		return level + ", and nothing tells the bots apart"
	}
	return level
}

// level returns a sentence if all pairs that count are level; "" if they are not, or if there are fewer than two.
func (s sequentialTest) level() string {
	counts := s.Counts
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
	counts := s.Counts
	var kinds []string
	if counts.Repeated > 0 {
		kinds = append(kinds, "pairs with a repeated match")
	}
	if counts.Void > 0 {
		kinds = append(kinds, "pairs with a fault of both")
	}
	if s.PlayedPast > 0 {
		kinds = append(kinds, "matches under way at the stop")
	}
	if kinds == nil {
		return ""
	}
	return fmt.Sprintf("LLR, score, Elo, nElo and LOS count %s, and leave out %s",
		show.Count(counts.Counted(), "pair", "pairs"), strings.Join(kinds, ", "))
}
