package stats

import "math"

// bound returns a one-sided lower 95 % bound for the rating of a player who won all its games against a
// group: with this rating, it would win them all with a probability of 0.05. The probability to win a unit
// is taken as that of its hardest game, which is never too small. The margin of a game is the opponent's
// rating, minus the advantage of moving first if the player moved first, or plus it otherwise. Every unit
// has at least one margin.
func bound(units [][]float64) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	hardest := make([]float64, len(units))
	for i, margins := range units {
		hardest[i] = math.Inf(-1)
		for _, m := range margins {
			hardest[i] = max(hardest[i], m)
		}
		low, high = min(low, hardest[i]), max(high, hardest[i])
	}
	each := math.Pow(oneSided, 1/float64(len(units)))
	edge := *Elo(each)
	return root(func(x float64) (y, slope float64) {
		y = math.Log(oneSided)
		for _, m := range hardest {
			d := logit * (x - m)
			y += max(-d, 0) + math.Log1p(math.Exp(-math.Abs(d)))
			slope -= logit * (1 - logistic(d))
		}
		return y, slope
	}, low+edge-1, high+edge+1)
}
