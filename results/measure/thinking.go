package measure

import (
	"cmp"
	"slices"
	"time"

	"sembra/engine"
	"sembra/results"
)

// Thinking collects how long one bot thought about its moves in some matches.
type Thinking struct {
	Bot     string
	Matches int // that were added

	moves []time.Duration
	at    []int // by move: its number among the bot's moves of its match, from 0
	most  int   // the most moves of the bot in one match
}

// Add adds the moves of the bot in a match. Forced passes do not count.
func (t *Thinking) Add(match results.Replay) {
	seat := engine.South
	if match.Record.North == t.Bot {
		seat = engine.North
	}
	t.Matches++
	n := 0
	for _, ply := range match.Plies {
		if ply.Before.Side() != seat || !ply.Asked {
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
