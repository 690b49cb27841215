package stats

import "math"

// Glicko is a rating by Glicko-2 (Glickman 2013).
type Glicko struct {
	Rating     float64 `json:"glicko"`            // Elo scale
	Deviation  float64 `json:"glicko_deviation"`  // standard error of the rating
	Volatility float64 `json:"glicko_volatility"` // how much the rating changes from period to period
}

// GlickoGame is one game of a rating period, from the view of the rated player.
type GlickoGame struct {
	Opponent Glicko  // before the period
	Score    float64 // 1, 1/2 or 0
}

// NewGlicko returns the rating of an unknown player.
func NewGlicko() Glicko { return Glicko{Rating: 1500, Deviation: 350, Volatility: 0.06} }

// glickoScale is 1 on the scale of Glicko-2, in Elo.
const glickoScale = 173.7178

// After returns the rating after a period with these games. Deviations and volatilities must be greater than
// 0. Tau, from 0.1 to 2 and usually from 0.3 to 1.2, is how fast the volatility may change. A period without
// a game only makes the rating less certain. Source: M. E. Glickman, Example of the Glicko-2 system (2013,
// revised 2022), steps 2 to 8; the code has its letters.
func (g Glicko) After(games []GlickoGame, tau float64) Glicko {
	mu, phi := (g.Rating-1500)/glickoScale, g.Deviation/glickoScale
	if len(games) == 0 {
		g.Deviation = math.Hypot(phi, g.Volatility) * glickoScale
		return g
	}
	information, surplus := 0.0, 0.0
	for _, game := range games {
		muJ, phiJ := (game.Opponent.Rating-1500)/glickoScale, game.Opponent.Deviation/glickoScale
		weight := 1 / math.Sqrt(1+3*phiJ*phiJ/(math.Pi*math.Pi))
		expected := logistic(weight * (mu - muJ))
		information += weight * weight * expected * (1 - expected)
		surplus += weight * (game.Score - expected)
	}
	g.Volatility = g.volatility(phi, information, surplus, tau)
	phi = math.Hypot(phi, g.Volatility)
	phi = 1 / math.Sqrt(1/(phi*phi)+information)
	g.Rating = (mu+phi*phi*surplus)*glickoScale + 1500
	g.Deviation = phi * glickoScale
	return g
}

// volatility is step 5: it finds the root of f, in A = ln sigma^2, by the Illinois variant of regula falsi.
func (g Glicko) volatility(phi, information, surplus, tau float64) float64 {
	const epsilon = 1e-6
	v := 1 / information
	delta := v * surplus
	if math.IsInf(v, 0) || math.IsInf(delta*delta, 0) {
		return g.Volatility // all results were certain, so they show nothing about changes of the player
	}
	a := math.Log(g.Volatility * g.Volatility)
	f := func(x float64) float64 {
		e := math.Exp(x)
		d := phi*phi + v + e
		return e/d*((delta*delta-phi*phi-v-e)/(2*d)) - (x-a)/(tau*tau)
	}
	low, high := a, a-tau
	if surprise := delta*delta - phi*phi - v; surprise > 0 {
		high = math.Log(surprise)
	} else {
		for f(high) < 0 {
			high -= tau
		}
	}
	fLow, fHigh := f(low), f(high)
	for range 1000 {
		if math.Abs(high-low) <= epsilon {
			break
		}
		x := low + (low-high)*fLow/(fHigh-fLow)
		y := f(x)
		if y*fHigh <= 0 {
			low, fLow = high, fHigh
		} else {
			fLow /= 2
		}
		high, fHigh = x, y
	}
	return math.Exp(low / 2)
}
