package results

// Note says why a match counts for points, but not for ratings and tests.
type Note string

// The notes.
const (
	Repeat   Note = "repeat"    // an equal match was played before
	PastStop Note = "past stop" // the sequential test was decided before it
)

// Notes gives the notes of all matches of a tournament, in schedule order, by slot. A match that is both is
// a Repeat: it would not count before the stop either.
func Notes(t Tournament, summaries []Slotted) map[int]Note {
	notes := make(map[int]Note)
	repeats, ended := t.Repeats(), newTestEnd(t)
	for _, match := range summaries {
		past := ended.before(match)
		switch {
		case repeats.Again(match.Summary):
			notes[match.Slot] = Repeat
		case past:
			notes[match.Slot] = PastStop
		}
	}
	return notes
}
