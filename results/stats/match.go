package stats

// Trinomial counts the games of one match between two players that are no pairs, as the first of them
// sees it.
type Trinomial struct{ Wins, Draws, Losses int }

// Pentanomial counts the pairs of one match between two players, as the first of them sees it: both
// games lost; one lost, one drawn; one won, one lost or both drawn; one won, one drawn; both won.
type Pentanomial [5]int

// Figures is what one match says of its two players, as the first of them sees it.
type Figures struct {
	Games, Units int      // units are what errors are counted by: pairs, or games that are no pairs
	Score        *float64 // points a game, 0 to 1; nil without a game
	ScoreError   *float64 // half of the 95 % interval; nil where all units are alike, which tells nothing of their spread
	Elo          *float64 // logistic difference; nil where the score is 0 or 1
	EloError     *float64 // half of the 95 % interval; nil where an end of it is unbounded or all units are alike
	EloLow       *float64 // the ends of the 95 % interval; nil where unbounded; of units that were all won or all lost, a one-sided 95 % bound
	EloHigh      *float64
	NElo         *float64 // normalized Elo; nil where all units are alike
	NEloError    *float64
	LOS          *float64 // likelihood of superiority, 0 to 1; nil where all units are level
	DrawRatio    *float64 // units that were level, of all
	PairsRatio   *float64 // pairs won by pairs lost; nil where none was lost, and of games
}
