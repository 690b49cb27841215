package report

import "sembra/results/stats"

// figures is the figures of one match in JSON, from the view of the first player.
type figures struct {
	Games      int          `json:"games"`
	Pairs      int          `json:"pairs"` // 0 if the games are not pairs
	Score      *float64     `json:"score"`
	ScoreError *float64     `json:"score_error"`
	Elo        *float64     `json:"elo"`
	Error      *float64     `json:"error"`
	EloLow     *float64     `json:"elo_low"`
	EloHigh    *float64     `json:"elo_high"`
	NElo       *float64     `json:"nelo"`
	NEloError  *float64     `json:"nelo_error"`
	LOS        *float64     `json:"los"`
	DrawRatio  *float64     `json:"draw_ratio"`
	PairsRatio *float64     `json:"pairs_ratio"`
	Elo0       *float64     `json:"elo0"` // nil without a test, as are elo1, model, llr and decision
	Elo1       *float64     `json:"elo1"`
	Alpha      float64      `json:"alpha"`
	Beta       float64      `json:"beta"`
	Model      *stats.Model `json:"model"`
	LLR        *float64     `json:"llr"`
	Bounds     [2]float64   `json:"bounds"` // lower, upper
	Decision   *string      `json:"decision"`
	smallSample
}

// PairFigures reports the figures of pairs of games between two players, with a sequential test. If hypotheses is
// false, only Alpha and Beta of the test count. The report has the format JSON.
func PairFigures(pairs stats.Pentanomial, test stats.Test, hypotheses bool) Report {
	f := newFigures(pairs.Figures(), test)
	f.Pairs = pairs.Figures().Units
	if hypotheses {
		f.test(test, test.Pairs(pairs))
	}
	return Report{JSON: f}
}

// GameFigures is PairFigures for games that are not pairs.
func GameFigures(games stats.Trinomial, test stats.Test, hypotheses bool) Report {
	f := newFigures(games.Figures(), test)
	if hypotheses {
		f.test(test, test.Games(games))
	}
	return Report{JSON: f}
}

func newFigures(f stats.Figures, test stats.Test) figures {
	lower, upper := test.Bounds()
	return figures{
		Games: f.Games, Score: f.Score, ScoreError: f.ScoreError,
		Elo: f.Elo, Error: f.EloError, EloLow: f.EloLow, EloHigh: f.EloHigh,
		NElo: f.NElo, NEloError: f.NEloError, LOS: f.LOS, DrawRatio: f.DrawRatio, PairsRatio: f.PairsRatio,
		Alpha: test.Alpha, Beta: test.Beta, Bounds: [2]float64{lower, upper},
		smallSample: newSmallSample(f),
	}
}

func (f *figures) test(t stats.Test, llr float64) {
	f.Elo0, f.Elo1, f.Model, f.LLR, f.Decision = &t.Elo0, &t.Elo1, &t.Model, &llr, new(t.Decide(llr).String())
}
