package notation

import "sembra/results"

// Game is one match with what a reader needs to know about its tournament. A field with its zero value is not known,
// except where it says otherwise.
type Game struct {
	Tournament  string // name
	Date        string // as the writer of the record wrote it, for example "2026-11-22"
	Slot        int    // the number of the match in its tournament, from 1
	Ruleset     string // name; always known
	Rounds      int    // limit of rounds of the match; 0: the limit of the ruleset
	TimeControl string // in words, for example "10s+100ms"
	Reason      string // why the match ended so, in words: what a bot at fault did, or which rule adjudicated the match

	// Record is the match. Its pair is 0 if that is not known; then it does not pass Record.Check.
	Record results.Record
}
