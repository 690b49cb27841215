// Package schedule decides who plays whom next in a tournament: round-robin, gauntlet, Swiss,
// knockout and sequential test.
//
// A [Schedule] is a pure function of the tournament's plan and of the records so far. It starts no
// process, reads no clock and stores nothing. The matches left to play are those of the schedule that
// have no record. A match keeps its number, whatever bots or pairs are added.
package schedule

import (
	"cmp"
	"slices"

	"sembra/results"
)

// Schedule is the order of a tournament's matches as far as it is decided. It
// depends on the tournament and the added records alone. It consists of stages.
// A round-robin, a gauntlet and a sequential test are known from the beginning,
// and what they add when they grow counts as the same stage. A Swiss tournament
// and a knockout decide the next stage when the one before it is completely
// recorded. A match never changes its number, whatever is added.
//
// A schedule is computed, not stored. Only one goroutine at a time may use it.
type Schedule struct {
	plan     results.Tournament
	index    map[string]int // of each bot in plan.Bots
	pairings []pairing
	of       []int32 // matrix of two bots: the number of their pairing, from 1; 0: they do not meet
	stages   []stage
	recorded int                   // matches added
	unplayed int                   // matches of bots that have withdrawn
	merits   []results.StageResult // by bot
	format   format
	test     *results.SequentialTest // of two bots that play pairs until it is decided; nil for other formats
}

// format decides what is played.
type format interface {
	// next returns the stage after those of s, all of which are recorded; ok is
	// false if there is none.
	next(s *Schedule) (st stage, ok bool)
	// left returns the least number of matches in stages that are not decided.
	left(s *Schedule) int
	// ended reports that no further stage can follow those of s.
	ended(s *Schedule) bool
}

// pairing is two bots that meet, by index; first is South in the first match of
// each pair.
type pairing struct {
	first, second int
	at            []place // their meetings
}

// place is where a meeting is: the index of its stage, and its own index there.
type place struct{ stage, index int32 }

// meeting is a pairing in one stage.
type meeting struct {
	pairing  int32      // its number, from 1
	before   int        // pairs of the pairing in earlier stages
	points   [2]float64 // of the recorded matches, the first bot's first
	recorded int        // matches
}

// stage is a group of matches that are decided together. For each pair number in
// turn, each meeting has two matches with the seats swapped.
type stage struct {
	number   int // from 1, as people count: extra pairs of a pairing belong to the stage of the pairing
	meetings []meeting
	pairs    int    // for each meeting
	start    int    // matches before the stage
	done     []bool // by number: it is recorded
	open     int    // matches without a record
}

func (st *stage) matches() int { return 2 * st.pairs * len(st.meetings) }

// meeting returns the meeting of a match, by its number.
func (st *stage) meeting(number int) *meeting {
	return &st.meetings[(number-1-st.start)/2%len(st.meetings)]
}

// New returns the schedule of a tournament that passes
// [results.Tournament.Check], without any record.
func New(t results.Tournament) *Schedule {
	n := len(t.Bots)
	t.Bots = slices.Clone(t.Bots)
	s := &Schedule{plan: t, index: make(map[string]int, n), of: make([]int32, n*n), merits: make([]results.StageResult, n)}
	for i, name := range t.Bots {
		s.index[name] = i
	}
	switch t.Format {
	case results.Gauntlet:
		s.format = grown(s, gauntlet)
	case results.Swiss:
		s.format = &swiss{sitsOut: -1}
	case results.Knockout:
		s.format = new(knockout)
	case results.Sequential:
		s.format = &planned{[]stage{{number: 1, meetings: []meeting{s.meet(0, 1)}, pairs: t.Pairs}}}
		s.test = results.NewSequentialTest(t)
	default:
		s.format = grown(s, roundRobin)
	}
	s.grow()
	return s
}

// mayDecideNext reports whether the next stage, if there is one, needs no result that is missing.
func (s *Schedule) mayDecideNext() bool {
	if len(s.stages) == 0 || !DependsOnResults(s.plan) {
		return true
	}
	return s.stages[len(s.stages)-1].open == 0
}

// grow decides the stages that can be decided.
func (s *Schedule) grow() {
	for s.mayDecideNext() {
		st, ok := s.format.next(s)
		if !ok {
			return
		}
		st.start, st.open = s.Known(), st.matches()
		st.done = make([]bool, st.open)
		for i := range st.meetings {
			m := &st.meetings[i]
			p := &s.pairings[m.pairing-1]
			for _, at := range p.at {
				m.before += s.stages[at.stage].pairs
			}
			p.at = append(p.at, place{int32(len(s.stages)), int32(i)})
			if (results.Key{South: s.plan.Bots[p.first], North: s.plan.Bots[p.second]}).Of(s.plan.Withdrawn) {
				s.unplayed += 2 * st.pairs
			}
		}
		s.stages = append(s.stages, st)
	}
}

// meet returns a meeting of two bots for a new stage. Their first one makes their
// pairing.
func (s *Schedule) meet(first, second int) meeting {
	n := len(s.plan.Bots)
	number := s.of[first*n+second]
	if number == 0 {
		s.pairings = append(s.pairings, pairing{first: first, second: second})
		number = int32(len(s.pairings))
		s.of[first*n+second], s.of[second*n+first] = number, number
	}
	return meeting{pairing: number}
}

// points returns the points of a pairing in all its meetings, and the number of
// recorded matches.
func (s *Schedule) points(p *pairing) (points [2]float64, recorded int) {
	for _, at := range p.at {
		m := &s.stages[at.stage].meetings[at.index]
		points[0], points[1] = points[0]+m.points[0], points[1]+m.points[1]
		recorded += m.recorded
	}
	return points, recorded
}

// Add adds the record of a match, which may decide the next stage. A match that
// is not in the schedule, or was added before, changes nothing.
func (s *Schedule) Add(m results.Summary) {
	number, ok := s.Number(m.Key)
	if !ok {
		return
	}
	st := s.stage(number)
	if st.done[number-1-st.start] {
		return
	}
	st.done[number-1-st.start] = true
	st.open--
	s.recorded++
	at := st.meeting(number)
	at.recorded++
	points := m.Points() // of South, as the pairing counts of its first bot
	if s.index[m.South] != s.pairings[at.pairing-1].first {
		points[0], points[1] = points[1], points[0]
	}
	at.points[0] += points[0]
	at.points[1] += points[1]
	if s.test != nil {
		s.test.Add(number, m)
	}
	s.grow()
}

// AddRecorded adds the records of the schedule's matches, stage by stage. recorded
// finds them.
func (s *Schedule) AddRecorded(recorded func(results.Key) (results.Summary, bool)) {
	for number := 1; number <= s.Known(); number++ {
		if m, ok := recorded(s.Key(number)); ok {
			s.Add(m)
		}
	}
}

// DependsOnResults reports whether the schedule of a tournament depends on its records.
func DependsOnResults(t results.Tournament) bool {
	return t.Format == results.Swiss || t.Format == results.Knockout || t.Format == results.Sequential
}

// Known returns the number of matches that are decided.
func (s *Schedule) Known() int {
	if len(s.stages) == 0 {
		return 0
	}
	last := &s.stages[len(s.stages)-1]
	return last.start + last.matches()
}

// Total returns the number of matches of the whole tournament, or the smallest
// possible number if it depends on results. Those of bots that have withdrawn do
// not count.
func (s *Schedule) Total() int {
	if s.Over() {
		return s.recorded
	}
	return s.Known() - s.unplayed + s.format.left(s)
}

// Withdrawn reports whether one of the bots of a match, from 1 to Known, has withdrawn. Then the match is not played.
func (s *Schedule) Withdrawn(number int) bool {
	return len(s.plan.Withdrawn) > 0 && s.Key(number).Of(s.plan.Withdrawn)
}

// GaplessUntil returns a function that is called with the numbers of the recorded matches, in their order. It reports
// whether every match before that one is recorded too, or somebody has withdrawn from it.
func (s *Schedule) GaplessUntil() func(number int) bool {
	next, unbroken := 1, true
	return func(number int) bool {
		for ; next < number; next++ {
			unbroken = unbroken && s.Withdrawn(next)
		}
		next = number + 1
		return unbroken
	}
}

// Over reports that no further match is to begin, even an open one.
func (s *Schedule) Over() bool { return s.test != nil && s.test.Over() }

// Test returns the state of a sequential test after the added records; nil for other formats.
func (s *Schedule) Test() *results.SequentialTest { return s.test }

// Final reports that the schedule gets no further matches.
func (s *Schedule) Final() bool { return s.format.ended(s) }

// stage returns the stage of a match, by its number.
func (s *Schedule) stage(number int) *stage {
	i, found := slices.BinarySearchFunc(s.stages, number-1, func(st stage, start int) int {
		return cmp.Compare(st.start, start)
	})
	if !found {
		i--
	}
	return &s.stages[i]
}

// Key returns the match with a number, from 1 to Known.
func (s *Schedule) Key(number int) results.Key {
	st := s.stage(number)
	m := st.meeting(number)
	p := &s.pairings[m.pairing-1]
	first, second := p.first, p.second
	if (number-1-st.start)%2 == 1 {
		first, second = second, first
	}
	return results.Key{
		South: s.plan.Bots[first], North: s.plan.Bots[second],
		Pair: m.before + (number-1-st.start)/2/len(st.meetings) + 1,
	}
}

// Pairing returns the number of the pairing of a match, from 1 in the order of
// the schedule.
func (s *Schedule) Pairing(number int) int {
	return int(s.stage(number).meeting(number).pairing)
}

// Stage returns the number of the stage of a match, from 1.
func (s *Schedule) Stage(number int) int {
	return s.stage(number).number
}

// Number returns the number of a match; ok is false if the match is not in the
// schedule, or not yet.
func (s *Schedule) Number(k results.Key) (number int, ok bool) {
	south, known := s.index[k.South]
	if !known {
		return 0, false
	}
	north, known := s.index[k.North]
	if !known {
		return 0, false
	}
	meets := s.of[south*len(s.plan.Bots)+north]
	if meets == 0 {
		return 0, false
	}
	p := &s.pairings[meets-1]
	for _, at := range p.at {
		st := &s.stages[at.stage]
		pair := k.Pair - st.meetings[at.index].before
		if pair < 1 || pair > st.pairs {
			continue
		}
		number = st.start + 2*((pair-1)*len(st.meetings)+int(at.index)) + 1
		if south != p.first {
			number++
		}
		return number, true
	}
	return 0, false
}

// Merits returns by bot what counts beside the matches: byes, and the stage that
// was reached. It leaves out bots that have nothing of the kind.
func (s *Schedule) Merits() map[string]results.StageResult {
	merits := make(map[string]results.StageResult)
	for i, merit := range s.merits {
		if merit != (results.StageResult{}) {
			merits[s.plan.Bots[i]] = merit
		}
	}
	return merits
}

// Bracket returns the known pairings of a knockout, stage by stage; nil for other
// formats.
func (s *Schedule) Bracket() []results.Pairing {
	if k, ok := s.format.(*knockout); ok {
		return k.results(s)
	}
	return nil
}

// Pairings returns the pairings of the known stages of a swiss with their points so far, stage by stage. A bye is a
// pairing whose second bot is "". It returns nil for other formats. The pairings have no winner.
func (s *Schedule) Pairings() []results.Pairing {
	if s.plan.Format != results.Swiss {
		return nil
	}
	var all []results.Pairing
	for _, st := range s.stages {
		plays := make([]bool, len(s.plan.Bots))
		for _, m := range st.meetings {
			p := &s.pairings[m.pairing-1]
			plays[p.first], plays[p.second] = true, true
			bots := [2]string{s.plan.Bots[p.first], s.plan.Bots[p.second]}
			all = append(all, results.Pairing{Stage: st.number, Bots: bots, Points: m.points, Pairs: m.recorded / 2})
		}
		for i, playing := range plays {
			if !playing {
				all = append(all, results.Pairing{Stage: st.number, Bots: [2]string{s.plan.Bots[i], ""}})
			}
		}
	}
	return all
}
