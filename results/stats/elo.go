package stats

import "math"

const (
	// logit is what one Elo is in units of the logistic curve's natural scale.
	logit = math.Ln10 / 400
	// normalizedElo is the normalized Elo of a mean that is one standard deviation from even.
	normalizedElo = 800 / math.Ln10
)

// Score is the share of the points that is expected of a player who is elo Elo stronger, 0 to 1:
// 1/(1+10^(-elo/400)). Source: Arpad E. Elo, The Rating of Chessplayers, Past and Present (1978), in
// the logistic form.
func Score(elo float64) float64 { return 1 / (1 + math.Exp(-logit*elo)) }

// Elo is the difference in Elo at which score is expected, the inverse of Score. It is nil where score
// does not lie between 0 and 1, both excluded.
func Elo(score float64) *float64 {
	if !(score > 0 && score < 1) {
		return nil
	}
	return number((math.Log(score) - math.Log1p(-score)) / logit)
}

// number is a pointer to x, and nil where x is no finite number. It never gives -0.
func number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	x += 0
	return &x
}
