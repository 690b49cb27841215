package schedule

import (
	"cmp"
	"slices"

	"sembra/results"
)

// Schedule is the order of a tournament's matches as far as it is decided: a
// function of the tournament and of the records added, and of nothing else. It
// consists of stages. A round-robin and a gauntlet are one stage, known from
// the beginning; of a swiss and a knockout the next stage is decided once the
// one before it is recorded. Slots never move as stages are added.
//
// It is computed, not stored, and implements [results.Order]. It is not safe
// for use by several goroutines.
type Schedule struct {
	plan     results.Tournament
	index    map[string]int // of a bot
	pairings []pairing
	of       []int32 // number of the pairing, from 1, of each two bots, a row a bot; 0: they do not meet
	stages   []stage
	recorded int // of the matches added, where stages depend on them
	merits   []results.Merit
	format   format
}

// format decides what is played.
type format interface {
	// next decides the stage after those that s has, which are recorded; ok is
	// false where there is none.
	next(s *Schedule) (st stage, ok bool)
	// left is the least number of matches in stages that are not decided.
	left(s *Schedule) int
	// add takes a recorded match.
	add(s *Schedule, slot int, m results.Summary)
	// ended tells that no stage comes after those that s has, whatever comes of
	// them.
	ended(s *Schedule) bool
	// over tells that nothing more is played although slots are open.
	over() bool
}

// pairing is two bots who meet; first is South in the first match of each pair.
type pairing struct {
	first, second int
	stages        []int32 // in which they meet, and
	places        []int32 // where among the meetings of each
	points        [2]float64
	recorded      int // matches
}

// stage is matches that are decided at once: for each pair number in turn, each
// pairing has two matches with the seats swapped.
type stage struct {
	number   int     // from 1, as people count: further pairs of a tie belong to the stage of the tie
	meetings []int32 // numbers of the pairings, from 1
	before   int     // pairs that these have played before
	pairs    int
	start    int // slots before it
	done     []bool
	open     int // matches without a record
}

func (st *stage) matches() int { return 2 * st.pairs * len(st.meetings) }

// New returns the schedule of a tournament that passes
// [results.Tournament.Check], without any record.
func New(t results.Tournament) *Schedule {
	n := len(t.Bots)
	t.Bots = slices.Clone(t.Bots)
	s := &Schedule{plan: t, index: make(map[string]int, n), of: make([]int32, n*n), merits: make([]results.Merit, n)}
	for i, name := range t.Bots {
		s.index[name] = i
	}
	switch t.Format {
	case results.Gauntlet:
		s.format = gauntlet{}
	case results.Swiss:
		s.format = &swiss{sitsOut: -1}
	case results.Knockout:
		s.format = new(knockout)
	case results.Sequential:
		s.format = &sequential{test: results.NewSequentialTest(t)}
	default:
		s.format = roundRobin{}
	}
	s.grow()
	return s
}

// grow decides the stages that can be decided.
func (s *Schedule) grow() {
	for len(s.stages) == 0 || s.stages[len(s.stages)-1].open == 0 {
		st, ok := s.format.next(s)
		if !ok {
			return
		}
		st.start, st.open = s.Len(), st.matches()
		st.done = make([]bool, st.open)
		for at, number := range st.meetings {
			p := &s.pairings[number-1]
			p.stages, p.places = append(p.stages, int32(len(s.stages))), append(p.places, int32(at))
		}
		s.stages = append(s.stages, st)
	}
}

// meet returns the number of the pairing of two bots, who have not met.
func (s *Schedule) meet(first, second int) int32 {
	s.pairings = append(s.pairings, pairing{first: first, second: second})
	number, n := int32(len(s.pairings)), len(s.plan.Bots)
	s.of[first*n+second], s.of[second*n+first] = number, number
	return number
}

// Add adds the record of a match, which may decide what comes after it. Matches
// that are not in the schedule, or added before, change nothing.
func (s *Schedule) Add(m results.Summary) {
	slot, ok := s.Slot(m.Key)
	if !ok {
		return
	}
	st := s.stage(slot)
	if st.done[slot-1-st.start] {
		return
	}
	st.done[slot-1-st.start] = true
	st.open--
	s.recorded++
	p := &s.pairings[s.Pairing(slot)-1]
	p.recorded++
	south, north := m.Points()
	if s.index[m.South] == p.first {
		p.points[0], p.points[1] = p.points[0]+south, p.points[1]+north
	} else {
		p.points[0], p.points[1] = p.points[0]+north, p.points[1]+south
	}
	s.format.add(s, slot, m)
	s.grow()
}

// Follow adds the records that there are of a schedule's matches, stage by
// stage.
func (s *Schedule) Follow(records map[results.Key]results.Summary) {
	for slot := 1; slot <= s.Len(); slot++ {
		if m, ok := records[s.Key(slot)]; ok {
			s.Add(m)
		}
	}
}

// Grows tells whether what is played depends on records.
func Grows(t results.Tournament) bool {
	return t.Format == results.Swiss || t.Format == results.Knockout || t.Format == results.Sequential
}

// Len returns the number of matches that are decided.
func (s *Schedule) Len() int {
	if len(s.stages) == 0 {
		return 0
	}
	last := &s.stages[len(s.stages)-1]
	return last.start + last.matches()
}

// Total returns the number of matches in all; where it depends on results, the
// least that it can be.
func (s *Schedule) Total() int {
	if s.Over() {
		return s.recorded
	}
	return s.Len() + s.format.left(s)
}

// Over tells that no more matches are to be begun, although slots are open.
func (s *Schedule) Over() bool { return s.format.over() }

// complete tells that no more slots can come.
func (s *Schedule) Complete() bool { return s.format.ended(s) }

// stage returns the stage of a slot.
func (s *Schedule) stage(slot int) *stage {
	i, found := slices.BinarySearchFunc(s.stages, slot-1, func(st stage, start int) int { return cmp.Compare(st.start, start) })
	if !found {
		i--
	}
	return &s.stages[i]
}

// Key returns the match in a slot, from 1 to Len.
func (s *Schedule) Key(slot int) results.Key {
	st := s.stage(slot)
	meeting, swapped := (slot-1-st.start)/2, (slot-1-st.start)%2 == 1
	p := &s.pairings[st.meetings[meeting%len(st.meetings)]-1]
	first, second := p.first, p.second
	if swapped {
		first, second = second, first
	}
	return results.Key{
		South: s.plan.Bots[first], North: s.plan.Bots[second],
		Pair: st.before + meeting/len(st.meetings) + 1,
	}
}

// Pairing returns the number of the pairing that a slot belongs to, from 1 in
// the order of the schedule.
func (s *Schedule) Pairing(slot int) int {
	st := s.stage(slot)
	return int(st.meetings[(slot-1-st.start)/2%len(st.meetings)])
}

// Stage returns the number of the stage that a slot belongs to, from 1.
func (s *Schedule) Stage(slot int) int { return s.stage(slot).number }

// Slot returns the slot of a match, if it is decided that it is played.
func (s *Schedule) Slot(k results.Key) (slot int, ok bool) {
	south, known := s.index[k.South]
	if !known {
		return 0, false
	}
	north, known := s.index[k.North]
	if !known {
		return 0, false
	}
	number := s.of[south*len(s.plan.Bots)+north]
	if number == 0 {
		return 0, false
	}
	p := &s.pairings[number-1]
	for i, at := range p.stages {
		st := &s.stages[at]
		if k.Pair <= st.before || k.Pair > st.before+st.pairs {
			continue
		}
		slot = st.start + 2*((k.Pair-st.before-1)*len(st.meetings)+int(p.places[i])) + 1
		if south != p.first {
			slot++
		}
		return slot, true
	}
	return 0, false
}

// Merits returns what the bots have beside their matches; empty where nobody
// has anything.
func (s *Schedule) Merits() map[string]results.Merit {
	merits := make(map[string]results.Merit)
	for i, merit := range s.merits {
		if merit != (results.Merit{}) {
			merits[s.plan.Bots[i]] = merit
		}
	}
	return merits
}

// Ties returns the ties of a knockout as far as they are known, stage by stage;
// nil of other formats.
func (s *Schedule) Ties() []results.Tie {
	if k, ok := s.format.(*knockout); ok {
		return k.results(s)
	}
	return nil
}

// whole is what formats have in common whose one stage is known from the
// beginning.
type whole struct{}

func (whole) left(*Schedule) int                  { return 0 }
func (whole) add(*Schedule, int, results.Summary) {}
func (whole) ended(*Schedule) bool                { return true }
func (whole) over() bool                          { return false }
func (whole) single(s *Schedule, meetings []int32) (stage, bool) {
	return stage{number: 1, meetings: meetings, pairs: s.plan.Pairs}, true
}
