package arena

import (
	"errors"
	"fmt"
	"sync"

	"sembra/results"
	"sembra/results/schedule"
)

// matchState says how far a match has come.
type matchState uint8

const (
	open matchState = iota
	beingPlayed
	over
	setAside // it is not played in this run
)

// dispatcher says which match is played next: the first open one. The second
// match of a pair is kept for the table of the first. A match waits while the
// schedule has not decided it, and while earlier matches can still decide
// whether its bots are disqualified. So the same matches are played at any
// concurrency.
type dispatcher struct {
	sched             *schedule.Schedule
	disqualifications *results.Disqualifications

	mu      sync.Mutex // guards all fields
	changed *sync.Cond
	states  []matchState
	open    int // number of open matches
	playing int // number of matches in play
	remote  int // number of those on other machines, which may come back unplayed
	head    int // no match before this one is open
	aside   []*SetAsideError
	stopped bool
}

// newDispatcher hands out the matches of a schedule that have no record. The
// schedule comes without records; kept has them in schedule order.
func newDispatcher(s *schedule.Schedule, disqualifyAfter int, kept []results.Numbered) (*dispatcher, error) {
	d := &dispatcher{sched: s, disqualifications: results.NewDisqualifications(disqualifyAfter), head: 1}
	d.changed = sync.NewCond(&d.mu)
	d.extend()
	for _, m := range kept {
		number, ok := s.Number(m.Key)
		if !ok {
			return nil, fmt.Errorf("there is a record of %v, but no such match in the schedule", m.Key)
		}
		if s.Withdrawn(number) { // it counts nowhere, but what the other bot did in it still disqualifies
			d.disqualifications.Plan(number, m.Key)
			d.disqualifications.Add(results.Numbered{Number: number, Summary: m.Summary})
			continue
		}
		d.open--
		d.record(number, m.Summary)
	}
	return d, nil
}

// record notes that a match is over. That may decide more matches.
func (d *dispatcher) record(number int, m results.Summary) {
	if d.states[number-1] == beingPlayed {
		d.playing--
	}
	d.states[number-1] = over
	d.disqualifications.Add(results.Numbered{Number: number, Summary: m})
	d.sched.Add(m)
	d.extend()
}

// extend opens the matches that have been decided.
func (d *dispatcher) extend() {
	for number := len(d.states) + 1; number <= d.sched.Known(); number++ {
		if d.sched.Withdrawn(number) {
			d.states = append(d.states, setAside)
			continue
		}
		d.states = append(d.states, open)
		d.open++
		d.disqualifications.Plan(number, d.sched.Key(number))
	}
}

// left says whether there is a match to be played, now or later.
func (d *dispatcher) left() bool {
	return !d.sched.Over() && (d.open > 0 || d.remote > 0 || !d.sched.Final())
}

// task is a match to be played, or to be forfeited by disqualified bots.
type task struct {
	number       int
	key          results.Key
	disqualified [2]int // by seat: the number of the match whose fault is the cause; 0: none
}

// lookAhead is how many open matches the dispatcher searches for a match that need not
// wait.
const lookAhead = 4096

// next returns the match that a table plays next. played and outcome are the
// number and the summary of the match that the table has just played; outcome is
// nil if there is none. If every match that is left has to wait, next calls
// idle once and waits too. ok is false if no match is left, if those that are left
// wait for matches that cannot be played, or if the run is stopped.
func (d *dispatcher) next(played int, outcome *results.Summary, idle func()) (t task, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if outcome != nil {
		d.record(played, *outcome)
		d.changed.Broadcast()
	}
	for waited := false; !d.ended(); waited = true {
		if t, ok = d.find(played); ok {
			d.begin(t)
			return t, true
		}
		if waited {
			d.changed.Wait()
			continue
		}
		d.mu.Unlock()
		idle()
		d.mu.Lock() // look again: another table may have ended a match meanwhile
	}
	return task{}, false
}

// ended reports whether no match can be played any more.
func (d *dispatcher) ended() bool {
	if d.stopped || !d.left() {
		return true
	}
	if d.playing > 0 {
		return false
	}
	_, found := d.find(0)
	return !found
}

// nextPair returns the matches of a pair that are played next on another machine.
// That is a single match if the other one is recorded, or if its bots may be
// disqualified. nextPair waits as next does.
func (d *dispatcher) nextPair() []task {
	first, ok := d.next(0, nil, func() {})
	if !ok {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	pair := []task{first}
	if t, ok := d.secondOf(first.number); ok {
		d.begin(t)
		pair = append(pair, t)
	}
	d.remote += len(pair)
	return pair
}

// await waits until no match is left that can be played, or until the run is stopped.
func (d *dispatcher) await() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for !d.ended() {
		d.changed.Wait()
	}
}

// back notes what became of a match that another machine had: its outcome, or nil if nobody has played it. After
// [ErrNoMachine] whoever is free plays it, after an [*SetAsideError] nobody does in this run.
func (d *dispatcher) back(number int, outcome *results.Summary, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.remote--
	aside := new(SetAsideError)
	switch {
	case outcome != nil:
		d.record(number, *outcome)
	case errors.Is(err, ErrNoMachine):
		d.states[number-1] = open
		d.open++
		d.playing--
		d.head = min(d.head, number)
	default:
		d.states[number-1] = setAside
		d.playing--
	}
	if errors.As(err, &aside) && aside.Job.Number == number {
		d.aside = append(d.aside, aside)
	}
	d.changed.Broadcast()
}

func (d *dispatcher) begin(t task) {
	d.states[t.number-1] = beingPlayed
	d.open--
	d.playing++
}

// find looks for a match that can be played. It prefers the second match of the
// pair whose first match the table has just played.
func (d *dispatcher) find(played int) (task, bool) {
	if d.open == 0 {
		return task{}, false
	}
	if t, ok := d.secondOf(played); ok {
		return t, true
	}
	for d.states[d.head-1] != open {
		d.head++
	}
	waiting := 0
	for number := d.head; number <= len(d.states) && waiting <= lookAhead; number++ {
		heldBack := number%2 == 0 && d.states[number-2] == beingPlayed
		if d.states[number-1] != open || heldBack {
			continue
		}
		if t, ok := d.ready(number); ok {
			return t, true
		}
		waiting++
	}
	return task{}, false
}

// secondOf returns the second match of a pair, after its first one, if it can be played.
func (d *dispatcher) secondOf(first int) (task, bool) {
	isFirst := first%2 == 1 // matches are numbered from 1, and come in pairs
	if !isFirst || d.states[first] != open {
		return task{}, false
	}
	return d.ready(first + 1)
}

// ready returns a match by its number. ok says that it is decided whether its bots are
// disqualified.
func (d *dispatcher) ready(number int) (t task, ok bool) {
	t, ok = task{number: number, key: d.sched.Key(number)}, true
	for seat, bot := range [2]string{t.key.South, t.key.North} {
		cause, decided := d.disqualifications.Disqualified(bot, number)
		t.disqualified[seat], ok = cause, ok && decided
	}
	return t, ok
}

// stop makes next return no more matches.
func (d *dispatcher) stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stopped = true
	d.changed.Broadcast()
}
