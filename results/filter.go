package results

import (
	"iter"

	"sembra/engine"
)

// Filter selects matches by their summaries. A field with its zero value selects every match, except that Void
// selects the decided matches: those with a result other than Void.
type Filter struct {
	Bot          string // on either side
	Opponent     string // on either side; with Bot: the matches of these two
	South, North string
	Lost         string // the loser, on either side
	Result       Result
	Ending       Ending
	Fault        string       // name of the bot at fault, "both", or "any"
	Numbers      map[int]bool // nil: all
	Void         bool         // select the matches that are not decided instead
	Undecided    bool         // select the matches that are not decided too
}

// Passes reports whether the filter selects a match. A bot's name as Fault selects the matches in which that bot
// was at fault, alone or together with the other.
func (f Filter) Passes(match Numbered) bool {
	return (f.Undecided || f.Void == (match.Result == Void)) &&
		(f.Bot == "" || f.Bot == match.South || f.Bot == match.North) &&
		(f.Opponent == "" || f.Opponent == match.South || f.Opponent == match.North) &&
		(f.South == "" || f.South == match.South) &&
		(f.North == "" || f.North == match.North) &&
		(f.Lost == "" || f.lost(match.Summary)) &&
		(f.Result == 0 || f.Result == match.Result) &&
		(f.Ending == 0 || f.Ending == match.Ending) &&
		(f.Numbers == nil || f.Numbers[match.Number]) &&
		f.passesFault(match.Summary)
}

func (f Filter) lost(s Summary) bool {
	return f.Lost == s.South && s.Result == NorthWins || f.Lost == s.North && s.Result == SouthWins
}

func (f Filter) passesFault(s Summary) bool {
	switch f.Fault {
	case "":
		return true
	case "any":
		return s.Fault != NoFault
	case "both":
		return s.Fault == BothFault
	}
	return f.Fault == s.South && s.Fault.Blames(engine.South) || f.Fault == s.North && s.Fault.Blames(engine.North)
}

// Apply yields the selected matches, in the same order, and any error.
func (f Filter) Apply(matches iter.Seq2[Noted, error]) iter.Seq2[Noted, error] {
	return func(yield func(Noted, error) bool) {
		for match, err := range matches {
			if (err != nil || f.Passes(match.Numbered)) && !yield(match, err) {
				return
			}
		}
	}
}
