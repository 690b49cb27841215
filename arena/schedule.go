package arena

import (
	"slices"

	"sembra/results"
)

// Schedule is the order of a round-robin: for each pair in turn, every bot
// meets every other in the order of the Berger tables (FIDE Handbook C.05,
// annex 1), with two matches a meeting, seats swapped. So a larger number of
// pairs adds slots at the end and moves none.
//
// It is computed, not stored, and implements [results.Order].
type Schedule struct {
	bots  []string
	index map[string]int // from 1
	pairs int
}

// NewSchedule returns the schedule of two or more bots.
func NewSchedule(bots []string, pairs int) *Schedule {
	s := &Schedule{bots: slices.Clone(bots), index: make(map[string]int), pairs: pairs}
	for i, name := range s.bots {
		s.index[name] = i + 1
	}
	return s
}

// Pairings returns the number of pairings: each two bots are one.
func (s *Schedule) Pairings() int { return len(s.bots) * (len(s.bots) - 1) / 2 }

// Len returns the number of matches.
func (s *Schedule) Len() int { return 2 * s.pairs * s.Pairings() }

// Key returns the match in a slot, from 1 to Len.
func (s *Schedule) Key(slot int) results.Key {
	meeting, swapped := (slot-1)/2, (slot-1)%2 == 1
	first, second := s.pairing(meeting % s.Pairings())
	if swapped {
		first, second = second, first
	}
	return results.Key{
		South: s.bots[first-1], North: s.bots[second-1],
		Pair: meeting/s.Pairings() + 1,
	}
}

// Pairing returns the number of the pairing that a slot belongs to, from 1 in
// the order of the tables.
func (s *Schedule) Pairing(slot int) int { return (slot-1)/2%s.Pairings() + 1 }

// Slot returns the slot of a match, if it is in the schedule.
func (s *Schedule) Slot(k results.Key) (slot int, ok bool) {
	south, north := s.index[k.South], s.index[k.North]
	if south == 0 || north == 0 || south == north || k.Pair < 1 || k.Pair > s.pairs {
		return 0, false
	}
	meeting, swapped := s.meeting(south, north)
	slot = 2*((k.Pair-1)*s.Pairings()+meeting) + 1
	if swapped {
		slot++
	}
	return slot, true
}

// table returns the size of the Berger table: with an odd number of bots one
// more, the last, stands for no opponent. It is what the other numbers are
// counted by: a stage has stageLen pairings, and in the table numbers below
// the last are taken modulo mod.
func (s *Schedule) table() (last, mod, stageLen int) {
	last = len(s.bots) + len(s.bots)%2
	return last, last - 1, len(s.bots) / 2
}

// pairing returns the bots of pairing p, counted from 0, the one that moves
// first first. In stage r (from 1) let 2i = r+1 modulo the size less one: board
// 0 is i against the last, who moves first in even stages; board k is i+k
// against i-k.
func (s *Schedule) pairing(p int) (first, second int) {
	last, mod, stageLen := s.table()
	r, board := p/stageLen+1, p%stageLen
	if len(s.bots)%2 == 1 {
		board++ // board 0 is the bye
	}
	i := half(r+1, mod)
	switch {
	case board > 0:
		return wrap(i+board, mod), wrap(i-board, mod)
	case r%2 == 1:
		return i, last
	}
	return last, i
}

// meeting is the inverse of pairing; swapped tells that second moves first in
// the table.
func (s *Schedule) meeting(first, second int) (p int, swapped bool) {
	last, mod, stageLen := s.table()
	if first == last || second == last {
		i := min(first, second)
		r := wrap(2*i-1, mod)
		lastIsFirst := r%2 == 0
		return (r - 1) * stageLen, lastIsFirst != (first == last)
	}
	r := wrap(first+second-1, mod)
	board := wrap(first-half(r+1, mod), mod)
	if swapped = board > mod/2; swapped {
		board = mod - board
	}
	p = (r-1)*stageLen + board
	if len(s.bots)%2 == 1 {
		p-- // board 0 is the bye
	}
	return p, swapped
}

// wrap returns n modulo an odd mod, as a number from 1 to mod.
func wrap(n, mod int) int { return ((n-1)%mod+mod)%mod + 1 }

// half returns the i from 1 to mod with 2i = n modulo an odd mod.
func half(n, mod int) int {
	if n%2 == 1 {
		n += mod
	}
	return wrap(n/2, mod)
}
