package stats

// Glicko is a rating by Glicko-2 (Glickman 2013).
type Glicko struct {
	Rating     float64 // Elo scale
	Deviation  float64 // its standard error
	Volatility float64 // how much it moves from period to period
}

// GlickoGame is one game of a rating period, as the rated player sees it.
type GlickoGame struct {
	Opponent Glicko  // as before the period
	Score    float64 // 1, 1/2 or 0
}
