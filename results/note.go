package results

import "iter"

// The notes say why a match counts for points, but not for ratings and tests, or for nothing at all. A match with
// several reasons has the first.
const (
	withdrawnNote = "withdrawn" // one of its bots has withdrawn, so it counts for nothing
	repeatNote    = "repeat"    // an equal match was played before
	pastNote      = "past stop" // the sequential test was decided before the match
)

// Noted is a match with its note.
type Noted struct {
	Numbered
	Note     string // "withdrawn": it counts for nothing; "repeat" or "past stop": only for points; "": for all
	Body     Body   // zero unless it was read; then also the Evidence
	Evidence *Evidence
}

// WithNotes yields matches with their notes. It needs all matches of the tournament, in schedule order. The first
// error ends it.
func (t Tournament) WithNotes(matches iter.Seq2[Numbered, error]) iter.Seq2[Noted, error] {
	return func(yield func(Noted, error) bool) {
		fold := newNoteFold(t)
		for match, err := range matches {
			if err != nil {
				yield(Noted{}, err)
				return
			}
			if !yield(Noted{Numbered: match, Note: fold.note(match)}, nil) {
				return
			}
		}
	}
}

// noteFold finds the note of each match of a tournament. It takes the matches in schedule order.
type noteFold struct {
	withdrawn []string // bots
	repeats   repeats
	test      *SequentialTest // nil for formats other than sprt
}

func newNoteFold(t Tournament) noteFold {
	fold := noteFold{withdrawn: t.Withdrawn, repeats: make(repeats)}
	if t.Format == Sequential {
		fold.test = NewSequentialTest(t)
	}
	return fold
}

// note takes the next match and returns its note, or "" if it has none.
func (f noteFold) note(m Numbered) string {
	if m.Of(f.withdrawn) {
		return withdrawnNote
	}
	past := f.past(m)
	switch {
	case f.repeats.again(m.Summary):
		return repeatNote
	case past:
		return pastNote
	}
	return ""
}

// past takes the next match and reports whether the test was decided before it. How many matches were under way
// at that moment depends on how many are played at the same time, so they must not count as strength.
func (f noteFold) past(m Numbered) bool {
	if f.test == nil {
		return false
	}
	f.test.Add(m.Number, m.Summary)
	return f.test.Past(m.Number)
}

// repeats finds matches that equal an earlier one. Two bots without chance play the same match again and again
// from one opening. All of these say no more about strength than the first. Matches come in schedule order.
type repeats map[matchIdentity]bool

// matchIdentity is what equal matches have in common. The hash covers the ruleset, bots, seats, opening and
// moves. After equal moves a match can still end in different ways, because a bot resigned or failed.
type matchIdentity struct {
	hash   [16]byte
	result Result
	ending Ending
	fault  Fault
}

// again takes the next match and reports whether it equals an earlier one. A match that nobody played repeats nothing.
func (r repeats) again(s Summary) bool {
	if s.Ending == EndStart {
		return false
	}
	match := matchIdentity{s.Hash, s.Result, s.Ending, s.Fault}
	known := r[match]
	r[match] = true
	return known
}
