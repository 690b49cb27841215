package results

import (
	"io"

	"sembra/results/stats"
)

// FiguresReport is what one match says of its two players, as the first of them sees it.
type FiguresReport struct {
	Figures stats.Figures
	Paired  bool       // the units are pairs, else games
	Test    stats.Test // a sequential test of it; where it was not Tested, only its Alpha and Beta count
	Tested  bool
	LLR     float64 // the log-likelihood ratio of Test
}

// The shape of the JSON. Its names are stable.
type figuresJSON struct {
	Games      int          `json:"games"`
	Pairs      int          `json:"pairs"` // 0 where games are no pairs
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
	Elo0       *float64     `json:"elo0"` // null without a test, as are elo1, model, llr and decision
	Elo1       *float64     `json:"elo1"`
	Alpha      float64      `json:"alpha"`
	Beta       float64      `json:"beta"`
	Model      *stats.Model `json:"model"`
	LLR        *float64     `json:"llr"`
	Bounds     [2]float64   `json:"bounds"` // lower, upper
	Decision   *string      `json:"decision"`
}

// WriteJSON writes the figures as one object. What is not known is null.
func (r FiguresReport) WriteJSON(w io.Writer) error {
	f := r.Figures
	object := figuresJSON{
		Games: f.Games, Score: f.Score, ScoreError: f.ScoreError,
		Elo: f.Elo, Error: f.EloError, EloLow: f.EloLow, EloHigh: f.EloHigh,
		NElo: f.NElo, NEloError: f.NEloError, LOS: f.LOS,
		DrawRatio: f.DrawRatio, PairsRatio: f.PairsRatio,
	}
	if r.Paired {
		object.Pairs = f.Units
	}
	t := r.Test
	object.Alpha, object.Beta = t.Alpha, t.Beta
	object.Bounds[0], object.Bounds[1] = t.Bounds()
	if r.Tested {
		decision := t.Decide(r.LLR).String()
		object.Elo0, object.Elo1, object.Model = &t.Elo0, &t.Elo1, &t.Model
		object.LLR, object.Decision = &r.LLR, &decision
	}
	return writeObject(w, object)
}
