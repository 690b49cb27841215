package results

import "fmt"

// ratingFold is the fold of the stored ratings: it rates matches in schedule order, and not at all
// repeats and what was played after a test was decided.
type ratingFold struct {
	storedRatings
	repeats *Repeats // of the matches that it covers; nil: all of them are rated
	ended   testEnd
}

// newRatingFold covers no match yet.
func newRatingFold(t Tournament) *ratingFold {
	return &ratingFold{storedRatings{ladder: NewLadder(t.Rating, t.Bots)}, t.Repeats(), newTestEnd(t)}
}

// add covers the match of the next slot.
func (f *ratingFold) add(s Summary) error {
	if past, again := f.pass(f.slots+1, s); !past && !again {
		if err := f.ladder.Add(s); err != nil {
			return err
		}
	}
	f.slots++
	return nil
}

// pass takes the match of a slot, and says why it is not rated.
func (f *ratingFold) pass(slot int, s Summary) (past, again bool) {
	return f.ended.before(Slotted{slot, s}), f.repeats.Again(s)
}

// fold goes on from the stored ratings. last is the fold as it was when they were stored, if that is
// known; else the matches that they cover are read, where it depends on them which of the next are rated. Ratings of an
// earlier version, in which repeats counted, begin again then.
func (r room) fold(last *ratingFold, order Order) (*ratingFold, error) {
	stored, err := r.ratings()
	if err != nil {
		return nil, err
	}
	if last != nil && last.slots == stored.slots {
		return &ratingFold{stored, last.repeats, last.ended}, nil
	}
	t, err := manifest(r.whole, r.name)
	if err != nil {
		return nil, err
	}
	fold := &ratingFold{stored, t.Repeats(), newTestEnd(t)}
	switch {
	case fold.repeats == nil && fold.ended.test == nil:
		return fold, nil
	case stored.countsRepeats:
		return newRatingFold(t), nil
	}
	for slot := 1; slot <= min(stored.slots, order.Len()); slot++ {
		s, found, err := r.summary(order.Key(slot))
		if err != nil {
			return nil, err
		}
		if !found {
			return nil, fmt.Errorf("damaged: the ratings of tournament %q cover match %d, which is missing", r.name, slot)
		}
		fold.pass(slot, s)
	}
	return fold, nil
}

// moveRatings rates the matches that follow the covered slots without a gap, and stores the outcome.
func (r room) moveRatings(fold *ratingFold, order Order) error {
	for fold.slots < order.Len() {
		s, found, err := r.summary(order.Key(fold.slots + 1))
		if err != nil {
			return err
		}
		if !found {
			break
		}
		if err := fold.add(s); err != nil {
			return err
		}
	}
	return r.writeRatings(fold.storedRatings)
}

// summary reads the summary of one match, and says whether it is there.
func (r room) summary(key Key) (s Summary, found bool, err error) {
	s.Key = key
	raw := appendKey(make([]byte, 0, 64), key)
	value := r.summaries.Get(raw)
	if value == nil {
		return s, false, nil
	}
	return s, true, decodeSummary(raw, value, &s)
}

func (r room) writeRatings(ratings storedRatings) error {
	return r.folded.Put([]byte(keyElo), ratings.encode([]byte(r.name)))
}
