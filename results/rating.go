package results

import (
	"math"
)

// Expected is the share of a point that the Elo formula expects of a bot rated own against one rated
// other: 1/(1+10^((other-own)/400)). Source: Arpad E. Elo, The Rating of Chessplayers, Past and
// Present (1978).
func Expected(own, other float64) float64 {
	return 1 / (1 + math.Pow(10, (other-own)/400))
}

// Ladder is an online Elo: R' = R + K(S-E) after each match, in the order in which the matches are
// given (Elo 1978). Both bots of a match move by the same amount, so the sum of all ratings stays.
type Ladder struct {
	*seats
	rating Rating
	bots   []string
	elo    []float64
}

// NewLadder puts every bot at the start.
func NewLadder(rating Rating, bots []string) *Ladder {
	ladder := &Ladder{rating: rating, bots: bots, seats: newSeats(bots), elo: make([]float64, len(bots))}
	for i := range ladder.elo {
		ladder.elo[i] = rating.Start
	}
	return ladder
}

// Add rates one match. A match in which both bots were at fault has no result and moves nothing. The
// error names a bot that is not on the ladder.
func (l *Ladder) Add(s Summary) error {
	south, north, err := l.of(s.Key)
	if err == nil {
		l.rate(south, north, s)
	}
	return err
}

// rate rates a match between two bots, given by their indexes.
func (l *Ladder) rate(south, north int, s Summary) {
	if s.Result == Void {
		return
	}
	score, _ := s.Points()
	step := l.rating.K * (score - Expected(l.elo[south], l.elo[north]))
	l.elo[south] += step
	l.elo[north] -= step
}

// Elo is the rating of a bot; the start for one that is not on the ladder.
func (l *Ladder) Elo(bot string) float64 {
	if at, ok := l.place[bot]; ok {
		return l.elo[at]
	}
	return l.rating.Start
}
