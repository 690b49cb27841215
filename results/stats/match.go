package stats

// Trinomial counts the results of games that are not pairs, between two players and from the view of the
// first.
type Trinomial struct{ Wins, Draws, Losses int }

// Pentanomial counts the results of pairs between two players, from the view of the first: both games lost;
// one lost, one drawn; one won, one lost or both drawn; one won, one drawn; both won.
type Pentanomial [5]int

// Figures are the statistics of a match between two players, from the view of the first.
type Figures struct {
	Games, Units int      // units are independent observations: pairs, or games that are not pairs
	Score        *float64 // points for each game, 0 to 1; nil without a game
	ScoreError   *float64 // half of the 95 % interval; nil if all units are alike, because they show no spread
	Elo          *float64 // logistic difference; nil if the score is 0 or 1
	EloError     *float64 // half of the 95 % interval; nil if an end of it is unbounded or all units are alike
	EloLow       *float64 // ends of the 95 % interval; nil if unbounded; a one-sided bound if all units were won or all lost
	EloHigh      *float64
	NElo         *float64 // normalized Elo; nil if all units are alike
	NEloError    *float64
	LOS          *float64 // likelihood of superiority, 0 to 1; nil if all units are level
	DrawRatio    *float64 // share of units that were level
	PairsRatio   *float64 // pairs won divided by pairs lost; nil if none was lost, and for games
}
