package results

// Filter picks matches by their summaries. A field with its zero value passes everything, but for
// Void: the zero Filter passes the decided matches, which are all but those with the result Void.
type Filter struct {
	Bot          string // at either side
	South, North string
	Result       Result
	Ending       Ending
	Fault        string // name of the bot at fault, "both", or "any"
	Slot         int
	Void         bool // the matches that are not decided, in place of those that are
}

// Passes says whether the filter lets a match through. Fault with a bot's name passes the matches in
// which that bot was at fault, also together with the other.
func (f Filter) Passes(match Slotted) bool {
	return f.Void == (match.Result == Void) &&
		(f.Bot == "" || f.Bot == match.South || f.Bot == match.North) &&
		(f.South == "" || f.South == match.South) &&
		(f.North == "" || f.North == match.North) &&
		(f.Result == 0 || f.Result == match.Result) &&
		(f.Ending == 0 || f.Ending == match.Ending) &&
		(f.Slot == 0 || f.Slot == match.Slot) &&
		f.passesFault(match.Summary)
}

func (f Filter) passesFault(s Summary) bool {
	switch f.Fault {
	case "":
		return true
	case "any":
		return s.Fault != NoFault
	case "both":
		return s.Fault == BothFault
	case s.South:
		return s.Fault == SouthFault || s.Fault == BothFault
	case s.North:
		return s.Fault == NorthFault || s.Fault == BothFault
	}
	return false
}

// Apply gives the matches that pass, in their order. It leaves the list that it is given as it is.
func (f Filter) Apply(matches []Slotted) []Slotted {
	var passed []Slotted
	for _, match := range matches {
		if f.Passes(match) {
			passed = append(passed, match)
		}
	}
	return passed
}
