package measure

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"sembra/engine"
	"sembra/results"
)

// Late counts the matches that bots lost on time. On a machine that is too busy, bots that keep to their clocks lose on
// time too, because they wait for a processor.
type Late struct {
	plan results.Tournament
	lost map[string]int // matches that each bot lost on time
}

// NewLate returns a fold without matches of a tournament, whose plan says which bots come with the program.
func NewLate(t results.Tournament) *Late { return &Late{plan: t, lost: make(map[string]int)} }

// Add counts a match.
func (l *Late) Add(s results.Summary) {
	if s.Ending == results.EndTime {
		l.lost[s.FaultName()]++
	}
}

// Busy returns the bots whose losses on time show that the machine was too busy, and the number of these losses. They
// are the built-in bots, which keep to their clocks, or all bots if at least half of them, and two, lost on time.
func (l *Late) Busy() (bots []string, matches int, builtin bool) {
	var ours []string
	oursLost, allLost := 0, 0
	for bot, lost := range l.lost {
		allLost += lost
		if l.plan.Programs[bot].Builtin != "" {
			ours = append(ours, bot)
			oursLost += lost
		}
	}
	if len(ours) > 0 {
		slices.Sort(ours)
		return ours, oursLost, true
	}
	if len(l.lost) < 2 || 2*len(l.lost) < len(l.plan.Bots) {
		return nil, 0, false
	}
	return slices.Sorted(maps.Keys(l.lost)), allLost, false
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

// Thinking collects how long one bot thought about its moves in some matches.
type Thinking struct {
	Bot     string
	Matches int // that were added

	moves []time.Duration
	at    []int // by move: its number among the bot's moves of its match, from 0
	most  int   // the most moves of the bot in one match
}

// Add adds the moves of the bot in a match. Passes take no time, and do not count.
func (t *Thinking) Add(match results.Replay) {
	seat := engine.South
	if match.Record.North == t.Bot {
		seat = engine.North
	}
	t.Matches++
	n := 0
	for _, ply := range match.Plies {
		if ply.Before.Side() != seat || ply.Move.Pass() {
			continue
		}
		t.moves, t.at = append(t.moves, ply.Elapsed), append(t.at, n)
		n++
	}
	t.most = max(t.most, n)
}

// ThinkingStep is how long a bot thought about the moves with some numbers in their matches.
type ThinkingStep struct {
	First, Last int // numbers of the moves, from 1, among the moves of the bot
	Moves       int // in all matches
	Median      time.Duration
	Most        time.Duration // nine tenths of the moves took no longer
	Longest     time.Duration
}

// Steps returns how long the bot thought, by the number of the move in its match, in at most most steps of the same
// size.
func (t *Thinking) Steps(most int) []ThinkingStep {
	size := max(1, (t.most+most-1)/most)
	moves := make([][]time.Duration, (t.most+size-1)/size)
	for i, elapsed := range t.moves {
		step := t.at[i] / size
		moves[step] = append(moves[step], elapsed)
	}
	var steps []ThinkingStep
	for i, all := range moves {
		steps = append(steps, newThinkingStep(i*size+1, min((i+1)*size, t.most), all))
	}
	return steps
}

// All returns how long the bot thought about all its moves; ok is false if there is none.
func (t *Thinking) All() (step ThinkingStep, ok bool) {
	if len(t.moves) == 0 {
		return step, false
	}
	return newThinkingStep(1, t.most, slices.Clone(t.moves)), true
}

// newThinkingStep sorts the times of at least one move.
func newThinkingStep(first, last int, all []time.Duration) ThinkingStep {
	slices.SortFunc(all, cmp.Compare[time.Duration])
	n := len(all)
	return ThinkingStep{first, last, n, all[(n-1)/2], all[(9*n-1)/10], all[n-1]}
}
