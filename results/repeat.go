package results

// Repeats recognises matches that were played before. Two bots without chance play one match over and
// over from one opening, and all of these together say no more of their strength than the first does:
// points and crosstables count every match, ratings, errors and tests only the first. It is a fold over
// summaries in schedule order. A nil *Repeats knows of no repeats; see Tournament.Repeats.
type Repeats struct {
	played map[matchIdentity]struct{}
	once   []bool // of each pair, at index pair-1: no other has its opening
}

// matchIdentity is what makes two matches one: the hash has ruleset, bots, seats, opening and moves, and
// after equal moves a match may still end in other ways, by a bot that gave up or broke down.
type matchIdentity struct {
	hash   [16]byte
	result Result
	ending Ending
	fault  Fault
}

// NewRepeats begins the fold: nothing has been played.
func NewRepeats() *Repeats {
	return &Repeats{played: make(map[matchIdentity]struct{})}
}

// Repeats begins the fold for the matches of t. It is nil where none of them can be a repeat, because
// each pair has an opening of its own, and then costs nothing.
func (t Tournament) Repeats() *Repeats {
	pairs := make(map[string]int, len(t.Openings)) // by opening
	for _, opening := range t.Openings {
		pairs[opening]++
	}
	repeats := NewRepeats()
	switch {
	case len(t.Openings) < t.MostPairs(): // and nothing is known of the others
		return repeats
	case len(pairs) == len(t.Openings):
		return nil
	}
	for _, opening := range t.Openings {
		repeats.once = append(repeats.once, pairs[opening] == 1)
	}
	return repeats
}

// expect makes room for a number of matches, which is quicker than to grow for each.
func (r *Repeats) expect(matches int) {
	if r != nil && len(r.played) == 0 {
		r.played = make(map[matchIdentity]struct{}, matches)
	}
}

// Again takes the next match of the schedule, and says whether one that equals it was given before:
// the same bots in the same seats, opening, moves, result, ending and fault.
func (r *Repeats) Again(s Summary) bool {
	if r == nil || s.Pair <= len(r.once) && r.once[s.Pair-1] {
		return false
	}
	match := matchIdentity{s.Hash, s.Result, s.Ending, s.Fault}
	if _, again := r.played[match]; again {
		return true
	}
	r.played[match] = struct{}{}
	return false
}
