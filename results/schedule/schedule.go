package schedule

import (
	"cmp"
	"slices"

	"sembra/results"
)

// Schedule is the order of a tournament's matches as far as it is decided. It
// depends on the tournament and the added records alone. It consists of stages.
// A round-robin, a gauntlet and a sequential test are one stage, known from the
// beginning. A Swiss tournament and a knockout decide the next stage when the
// one before it is completely recorded. Slots never move when stages are added.
//
// A schedule is computed, not stored. It implements [results.Order]. Only one
// goroutine at a time may use it.
type Schedule struct {
	plan     results.Tournament
	index    map[string]int // of each bot in plan.Bots
	pairings []pairing
	of       []int32 // matrix of two bots: the number of their pairing, from 1; 0: they do not meet
	stages   []stage
	recorded int             // matches added
	merits   []results.Merit // by bot
	format   format
}

// format decides what is played.
type format interface {
	// next returns the stage after those of s, all of which are recorded; ok is
	// false if there is none.
	next(s *Schedule) (st stage, ok bool)
	// left returns the least number of matches in stages that are not decided.
	left(s *Schedule) int
	// add takes a recorded match.
	add(slot int, m results.Summary)
	// ended reports that no further stage can follow those of s.
	ended(s *Schedule) bool
	// over reports that no further match is to be played, even in open slots.
	over() bool
}

// pairing is two bots that meet, by index; first is South in the first match of
// each pair.
type pairing struct {
	first, second int
	stages        []int32 // indexes of the stages in which they meet
	places        []int32 // index of their meeting in each of these stages
	points        [2]float64
	recorded      int // matches
}

// stage is a group of matches that are decided together. For each pair number in
// turn, each pairing has two matches with the seats swapped.
type stage struct {
	number   int     // from 1, as people count: extra pairs of a tie belong to the stage of the tie
	meetings []int32 // numbers of the pairings, from 1
	before   int     // pairs that these pairings have played before
	pairs    int     // for each pairing
	start    int     // slots before the stage
	done     []bool  // by slot: it is recorded
	open     int     // matches without a record
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
		s.format = oneStage{gauntlet}
	case results.Swiss:
		s.format = &swiss{sitsOut: -1}
	case results.Knockout:
		s.format = new(knockout)
	case results.Sequential:
		s.format = sequential{oneStage{firstTwo}, results.NewSequentialTest(t)}
	default:
		s.format = oneStage{roundRobin}
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

// meet makes a pairing of two bots that have none yet, and returns its number.
func (s *Schedule) meet(first, second int) int32 {
	s.pairings = append(s.pairings, pairing{first: first, second: second})
	number, n := int32(len(s.pairings)), len(s.plan.Bots)
	s.of[first*n+second], s.of[second*n+first] = number, number
	return number
}

// Add adds the record of a match, which may decide the next stage. A match that
// is not in the schedule, or was added before, changes nothing.
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
	s.format.add(slot, m)
	s.grow()
}

// Follow adds the records of the schedule's matches, stage by stage. recorded
// finds them.
func (s *Schedule) Follow(recorded func(results.Key) (results.Summary, bool)) {
	for slot := 1; slot <= s.Len(); slot++ {
		if m, ok := recorded(s.Key(slot)); ok {
			s.Add(m)
		}
	}
}

// Grows reports whether the schedule of a tournament depends on its records.
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

// Total returns the number of matches of the whole tournament, or the smallest
// possible number if it depends on results.
func (s *Schedule) Total() int {
	if s.Over() {
		return s.recorded
	}
	return s.Len() + s.format.left(s)
}

// Over reports that no further match is to begin, even in open slots.
func (s *Schedule) Over() bool { return s.format.over() }

// Complete reports that the schedule gets no further slots.
func (s *Schedule) Complete() bool { return s.format.ended(s) }

// stage returns the stage of a slot.
func (s *Schedule) stage(slot int) *stage {
	i, found := slices.BinarySearchFunc(s.stages, slot-1, func(st stage, start int) int {
		return cmp.Compare(st.start, start)
	})
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

// Pairing returns the number of the pairing of a slot, from 1 in the order of
// the schedule.
func (s *Schedule) Pairing(slot int) int {
	st := s.stage(slot)
	return int(st.meetings[(slot-1-st.start)/2%len(st.meetings)])
}

// Stage returns the number of the stage of a slot, from 1.
func (s *Schedule) Stage(slot int) int {
	return s.stage(slot).number
}

// Slot returns the slot of a match; ok is false if the match is not in the
// schedule, or not yet.
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

// Merits returns by bot what counts beside the matches: byes, and the stage that
// was reached. It leaves out bots that have nothing of the kind.
func (s *Schedule) Merits() map[string]results.Merit {
	merits := make(map[string]results.Merit)
	for i, merit := range s.merits {
		if merit != (results.Merit{}) {
			merits[s.plan.Bots[i]] = merit
		}
	}
	return merits
}

// Ties returns the known ties of a knockout, stage by stage; nil for other
// formats.
func (s *Schedule) Ties() []results.Tie {
	if k, ok := s.format.(*knockout); ok {
		return k.results(s)
	}
	return nil
}

// Pairings returns the pairings of the known stages of a swiss with their points so far, stage by stage. A bye is a
// pairing whose second bot is "". It returns nil for other formats. The ties have no winner.
func (s *Schedule) Pairings() []results.Tie {
	if s.plan.Format != results.Swiss {
		return nil
	}
	var all []results.Tie
	for _, st := range s.stages {
		plays := make([]bool, len(s.plan.Bots))
		for _, number := range st.meetings {
			p := &s.pairings[number-1] // no two bots meet in two stages
			plays[p.first], plays[p.second] = true, true
			bots := [2]string{s.plan.Bots[p.first], s.plan.Bots[p.second]}
			all = append(all, results.Tie{Stage: st.number, Bots: bots, Points: p.points, Pairs: p.recorded / 2})
		}
		for i, playing := range plays {
			if !playing {
				all = append(all, results.Tie{Stage: st.number, Bots: [2]string{s.plan.Bots[i], ""}})
			}
		}
	}
	return all
}

// oneStage is a format with one stage, which is known from the beginning.
type oneStage struct {
	meetings func(s *Schedule) []int32 // makes its pairings and returns their numbers
}

func (f oneStage) next(s *Schedule) (stage, bool) {
	if len(s.stages) > 0 {
		return stage{}, false
	}
	return stage{number: 1, meetings: f.meetings(s), pairs: s.plan.Pairs}, true
}

func (oneStage) left(*Schedule) int       { return 0 }
func (oneStage) add(int, results.Summary) {}
func (oneStage) ended(*Schedule) bool     { return true }
func (oneStage) over() bool               { return false }
