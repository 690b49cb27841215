package results

import (
	"fmt"
	"math"
	"slices"

	"sembra/engine"
)

// Ratings is the online Elo of a tournament as a store keeps it.
type Ratings struct {
	Covered int    // the ratings cover the matches with the numbers from 1 to this one
	Rating  Rating // the start and the K of the ratings
	Bots    []string
	Elo     []float64 // of each bot
}

// RatingFold rates the matches of a tournament, one after another from the first. It leaves out matches
// with a note.
type RatingFold struct {
	covered int
	ladder  *ladder
	notes   noteFold
}

// RatingFold returns a fold that covers no match yet.
func (t Tournament) RatingFold() *RatingFold {
	return &RatingFold{ladder: newLadder(t), notes: newNoteFold(t)}
}

// Covered returns the number of matches that the fold covers, from the first.
func (f *RatingFold) Covered() int { return f.covered }

// Add takes the match with the next number. The error names a bot that is not in the tournament.
func (f *RatingFold) Add(s Summary) error {
	if f.notes.note(Numbered{f.covered + 1, s}) == "" {
		if err := f.ladder.add(s); err != nil {
			return err
		}
	}
	f.covered++
	return nil
}

// Skip passes over the match with the next number, because a bot has withdrawn from it.
func (f *RatingFold) Skip() { f.covered++ }

// Ratings returns the ratings after the matches so far.
func (f *RatingFold) Ratings() Ratings {
	l := f.ladder
	return Ratings{Covered: f.covered, Rating: l.rating, Bots: slices.Clone(l.bots), Elo: slices.Clone(l.elo)}
}

// expected returns the share of a point that the Elo formula expects of a bot rated own against a bot rated
// other: 1/(1+10^((other-own)/400)). Source: Arpad E. Elo, The Rating of Chessplayers, Past and Present (1978).
func expected(own, other float64) float64 {
	return 1 / (1 + math.Pow(10, (other-own)/400))
}

// ladder is an online Elo: R' = R + K(S-E) after each match (Elo 1978). One bot of a match wins as much as the
// other loses, so the sum of all ratings stays the same.
type ladder struct {
	seats
	rating  Rating
	bots    []string
	elo     []float64
	matches []int // rated
}

func newLadder(t Tournament) *ladder {
	l := &ladder{seats: make(seats)}
	l.enter(t)
	return l
}

// enter puts the new bots of a tournament at its start. From now on its K counts.
func (l *ladder) enter(t Tournament) {
	l.rating = t.Rating
	for _, bot := range without(t.Bots, t.Withdrawn) {
		if _, known := l.seats[bot]; !known {
			l.seats[bot] = len(l.bots)
			l.bots, l.elo, l.matches = append(l.bots, bot), append(l.elo, t.Rating.Start), append(l.matches, 0)
		}
	}
}

// add rates one match. The error names a bot that is not on the ladder. A match without a result changes nothing.
func (l *ladder) add(s Summary) error {
	south, north, err := l.of(s.Key)
	if err != nil || s.Result == Void {
		return err
	}
	score := s.Points()[engine.South]
	step := l.rating.K * (score - expected(l.elo[south], l.elo[north]))
	l.elo[south] += step
	l.elo[north] -= step
	l.matches[south]++
	l.matches[north]++
	return nil
}

// seats are the indexes of the bots.
type seats map[string]int

func newSeats(bots []string) seats {
	s := make(seats, len(bots))
	for i, bot := range bots {
		s[bot] = i
	}
	return s
}

// of returns the indexes of South and North. The error names a bot that is unknown.
func (s seats) of(key Key) (south, north int, err error) {
	var at [2]int
	for i, bot := range [2]string{key.South, key.North} {
		known := false
		if at[i], known = s[bot]; !known {
			return 0, 0, fmt.Errorf("match %v: there is no bot %q in this tournament", key, bot)
		}
	}
	return at[0], at[1], nil
}
