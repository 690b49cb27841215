package results

import (
	"slices"
	"time"
)

// Late tells whether bots lost on time because the machine was busy. Built-in bots keep to their clocks, so if one of
// them loses on time, it has waited for a processor.
type Late struct {
	bots    int
	builtin []string
	lost    map[string]int // matches that each bot lost on time
	all     waiting
	ours    waiting // of the built-in bots
}

// waiting is the time that bots were charged, and how much of it they used a processor.
type waiting struct{ charged, used time.Duration }

func (w *waiting) add(charged, used time.Duration) {
	if used >= 0 {
		w.charged, w.used = w.charged+charged, w.used+min(charged, used)
	}
}

// NewLate returns a fold without matches. builtin names the bots of the tournament that come with the program.
func NewLate(t Tournament, builtin []string) *Late {
	return &Late{bots: len(t.Bots), builtin: builtin, lost: make(map[string]int)}
}

// Add counts a match. The times of a match that a bot lost by a fault do not count, because the charged time lacks
// the answer that did not come.
func (l *Late) Add(s Summary) {
	switch {
	case s.Ending == EndTime:
		l.lost[s.FaultName()]++
	case s.Fault == NoFault:
		l.count(s.South, s.SouthTime, s.SouthCPU)
		l.count(s.North, s.NorthTime, s.NorthCPU)
	}
}

// count counts the times of a bot in a match.
func (l *Late) count(bot string, charged, used time.Duration) {
	l.all.add(charged, used)
	if slices.Contains(l.builtin, bot) {
		l.ours.add(charged, used)
	}
}

// Busy is what a run tells about a machine that was too busy.
type Busy struct {
	Builtin       []string // built-in bots that lost on time, in alphabetical order; nil: none, but many others did
	Bots          int      // that lost on time
	Of            int      // all bots
	Matches       int      // lost on time, by built-in bots if there are any
	Charged, Used time.Duration
}

// Busy reports whether the machine seems to have been too busy: whether a built-in bot lost on time, or at least half
// of the bots did. Charged and Used are sums over the matches without a fault, of the built-in bots if one of them
// lost on time, else of all bots. Used is the processor time, at most the charged time of each match.
func (l *Late) Busy() (b Busy, busy bool) {
	b.Of, b.Bots = l.bots, len(l.lost)
	ours := 0
	for bot, n := range l.lost {
		if slices.Contains(l.builtin, bot) {
			b.Builtin = append(b.Builtin, bot)
			ours += n
		}
		b.Matches += n
	}
	slices.Sort(b.Builtin)
	if b.Builtin != nil {
		b.Matches, b.Charged, b.Used = ours, l.ours.charged, l.ours.used
		return b, true
	}
	b.Charged, b.Used = l.all.charged, l.all.used
	return b, b.Bots >= 2 && 2*b.Bots >= b.Of
}
