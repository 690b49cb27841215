package schedule

import (
	"slices"

	"sembra/results"
)

// list is the matches of an imported tournament, which has no plan.
type list struct {
	matches  []listed           // by slot less 1
	slots    map[listed]int32   // from 1
	pairings map[[2]int32]int32 // by two bots, the smaller index first: the number of their pairing, from 1
}

// listed is the key of a match, with bots by index.
type listed struct {
	south, north int32
	pair         uint32
}

// newList returns the schedule of an imported tournament, without any match.
func newList(t results.Tournament) *Schedule {
	t.Bots = slices.Clone(t.Bots)
	s := &Schedule{
		plan: t, index: make(map[string]int), merits: make([]results.Merit, len(t.Bots)), format: oneStage{},
		list: &list{slots: make(map[listed]int32), pairings: make(map[[2]int32]int32)},
	}
	for i, name := range t.Bots {
		s.index[name] = i
	}
	return s
}

// Append adds a match of an imported tournament in the next slot, and its bots if
// they are new. It returns false, and changes nothing, if the match has a slot.
func (s *Schedule) Append(k results.Key) bool {
	if _, known := s.Slot(k); known {
		return false
	}
	m := listed{int32(s.bot(k.South)), int32(s.bot(k.North)), uint32(k.Pair)}
	s.list.matches = append(s.list.matches, m)
	s.list.slots[m] = int32(len(s.list.matches))
	if two := m.bots(); s.list.pairings[two] == 0 {
		s.list.pairings[two] = int32(len(s.list.pairings) + 1)
	}
	s.recorded++
	return true
}

// bot returns the index of a bot; a new bot gets the next one.
func (s *Schedule) bot(name string) int {
	at, known := s.index[name]
	if !known {
		at = len(s.plan.Bots)
		s.plan.Bots, s.merits = append(s.plan.Bots, name), append(s.merits, results.Merit{})
		s.index[name] = at
	}
	return at
}

// Bots returns the bots in the order of the tournament. The schedule owns the slice.
func (s *Schedule) Bots() []string { return s.plan.Bots }

func (s *Schedule) listed(slot int) results.Key {
	m := s.list.matches[slot-1]
	return results.Key{South: s.plan.Bots[m.south], North: s.plan.Bots[m.north], Pair: int(m.pair)}
}

func (l *list) pairing(slot int) int { return int(l.pairings[l.matches[slot-1].bots()]) }

func (m listed) bots() [2]int32 { return [2]int32{min(m.south, m.north), max(m.south, m.north)} }
