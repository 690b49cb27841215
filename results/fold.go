package results

import "slices"

// Ratings is the online Elo of a tournament as a store keeps it: how far the fold has come, and what
// it has come to.
type Ratings struct {
	Slots  int    // the unbroken run of slots, from the first, that the ratings cover
	Rating Rating // the start and the K that they were folded with
	Bots   []string
	Elo    []float64 // of each bot
}

// RatingFold rates the matches of a tournament slot by slot, without a gap, from the first. It leaves out
// repeats and what was played after a sequential test was decided.
type RatingFold struct {
	slots   int
	ladder  *Ladder
	repeats *Repeats
	ended   testEnd
}

// NewRatingFold begins the fold: it covers no slot yet.
func NewRatingFold(t Tournament) *RatingFold {
	return &RatingFold{ladder: NewLadder(t.Rating, t.Bots), repeats: t.Repeats(), ended: newTestEnd(t)}
}

// Slots is how many slots, from the first, the fold covers.
func (f *RatingFold) Slots() int { return f.slots }

// Add covers the match of the next slot. The error names a bot that is not in the tournament.
func (f *RatingFold) Add(s Summary) error {
	past, again := f.ended.before(Slotted{f.slots + 1, s}), f.repeats.Again(s)
	if !past && !again {
		if err := f.ladder.Add(s); err != nil {
			return err
		}
	}
	f.slots++
	return nil
}

// Ratings is what the fold has come to.
func (f *RatingFold) Ratings() Ratings {
	return Ratings{Slots: f.slots, Rating: f.ladder.rating, Bots: slices.Clone(f.ladder.bots), Elo: slices.Clone(f.ladder.elo)}
}
