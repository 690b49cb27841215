package measure

import (
	"slices"
	"time"

	"sembra/results"
)

// Busy tells whether bots lost on time because the machine was busy. Built-in bots keep to their clocks, so if one of
// them loses on time, it has waited for a processor.
type Busy struct {
	Builtin []string // built-in bots that lost on time, in alphabetical order
	Bots    int      // that lost on time
	Of      int      // all bots
	Matches int      // lost on time, by built-in bots if one of them did

	// Charged and Used are the charged time and the processor time, at most the charged one of each match, over the
	// matches without a fault in which the latter is known: of the built-in bots if one of them lost on time, else of
	// all bots.
	Charged, Used time.Duration
}

// Late is a fold for Busy.
type Late struct {
	bots          int
	builtin       []string
	lost          map[string]int   // matches that each bot lost on time
	charged, used [2]time.Duration // of all bots, and of the built-in ones
}

// NewLate returns a fold without matches of a tournament, whose plan says which bots come with the program.
func NewLate(t results.Tournament) *Late {
	l := &Late{bots: len(t.Bots), lost: make(map[string]int)}
	for bot, program := range t.Programs {
		if program.Builtin != "" {
			l.builtin = append(l.builtin, bot)
		}
	}
	return l
}

// Add counts a match. The times of a match that a bot lost by a fault do not count, because the charged time lacks
// the answer that did not come.
func (l *Late) Add(s results.Summary) {
	switch {
	case s.Ending == results.EndTime:
		l.lost[s.FaultName()]++
	case s.Fault == results.NoFault:
		l.count(s.South, s.SouthTime, s.SouthCPU)
		l.count(s.North, s.NorthTime, s.NorthCPU)
	}
}

func (l *Late) count(bot string, charged, used time.Duration) {
	if used < 0 {
		return
	}
	for i := range l.used {
		if i == 0 || slices.Contains(l.builtin, bot) {
			l.charged[i], l.used[i] = l.charged[i]+charged, l.used[i]+min(charged, used)
		}
	}
}

// Busy reports whether the machine seems to have been too busy: whether a built-in bot lost on time, or at least half
// of the bots did.
func (l *Late) Busy() (b Busy, busy bool) {
	var matches [2]int
	for bot, n := range l.lost {
		matches[0] += n
		if slices.Contains(l.builtin, bot) {
			b.Builtin = append(b.Builtin, bot)
			matches[1] += n
		}
	}
	slices.Sort(b.Builtin)
	of := min(1, len(b.Builtin))
	b.Of, b.Bots, b.Matches, b.Charged, b.Used = l.bots, len(l.lost), matches[of], l.charged[of], l.used[of]
	return b, of == 1 || b.Bots >= 2 && 2*b.Bots >= b.Of
}

// Charges measures the time that bots which answer immediately are charged for a move. This is the part of a bot's
// time that the machine and the runner use. The zero value has no matches; records may come in any order.
type Charges struct {
	charged []time.Duration // for each move that a bot was asked for
}

// Put adds the times of some records. It leaves out passes, because no bot is asked for them.
func (c *Charges) Put(records []results.Record) error {
	for _, r := range records {
		for i, token := range r.Moves {
			if token != "pass" {
				c.charged = append(c.charged, r.Elapsed[i])
			}
		}
	}
	return nil
}

// PutVoid ignores a void match.
func (c *Charges) PutVoid(results.Key, string) error { return nil }

// Result returns the median of the times so far, by the nearest rank, and the longest; both are 0 without a move.
func (c *Charges) Result() (median, longest time.Duration) {
	moves := len(c.charged)
	if moves == 0 {
		return 0, 0
	}
	sorted := slices.Sorted(slices.Values(c.charged))
	return sorted[(moves+1)/2-1], sorted[moves-1]
}
