package report

import "sembra/results/stats"

// PairFigures reports the figures of pairs of games between two players, with a sequential test. If hypotheses is
// false, only Alpha and Beta of the test count. The report has the format JSON.
func PairFigures(pairs stats.Pentanomial, test stats.Test, hypotheses bool) Report {
	f := pairs.Figures()
	return figures(f, f.Units, test, optional(test.Pairs(pairs), hypotheses))
}

// GameFigures is PairFigures for games that are not pairs.
func GameFigures(games stats.Trinomial, test stats.Test, hypotheses bool) Report {
	return figures(games.Figures(), 0, test, optional(test.Games(games), hypotheses))
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
