package arena

import (
	"fmt"
	"slices"
	"sync"

	"sembra/engine"
	"sembra/results"
	"sembra/results/schedule"
)

// slotState is what is known of a slot: it is open, being played, or recorded
// with a fault or none.
type slotState uint8

const (
	open   slotState = 0
	inPlay slotState = 255
)

// recorded is the state of a match that is over.
func recorded(f results.Fault) slotState { return slotState(f) + 1 }

// blames tells whether the bot of that seat was at fault.
func (s slotState) blames(seat engine.Seat) bool {
	switch s {
	case recorded(results.BothFault):
		return true
	case recorded(results.SouthFault):
		return seat == engine.South
	case recorded(results.NorthFault):
		return seat == engine.North
	}
	return false
}

// dispatcher says which match is played next: the first that is open, the
// second of a pair at the table of the first. Where bots are withdrawn after
// some faults in a row, a match waits as long as matches before it can still
// decide whether its bots play it, and where the schedule depends on results,
// until it is decided; so the same matches are played at any concurrency.
type dispatcher struct {
	sched  *schedule.Schedule
	after  int              // faults in a row; 0: nobody is withdrawn
	places map[string][]int // the slots of each bot, where after is not 0

	mu      sync.Mutex
	changed *sync.Cond
	states  []slotState
	open    int // how many are
	head    int // no slot before this one is open
	stopped bool
}

// newDispatcher hands out what is left of a schedule without records after
// those that are kept, which come in schedule order.
func newDispatcher(s *schedule.Schedule, withdrawAfter int, kept []results.Slotted) (*dispatcher, error) {
	d := &dispatcher{sched: s, after: withdrawAfter, places: make(map[string][]int), head: 1}
	d.changed = sync.NewCond(&d.mu)
	d.extend()
	for _, m := range kept {
		slot, ok := s.Slot(m.Key)
		if !ok {
			return nil, fmt.Errorf("a record of %v is kept, and there is no such match in the schedule", m.Key)
		}
		d.open--
		d.record(slot, m.Summary)
	}
	return d, nil
}

// record notes that a match is over, which may decide more matches.
func (d *dispatcher) record(slot int, m results.Summary) {
	d.states[slot-1] = recorded(m.Fault)
	d.sched.Add(m)
	d.extend()
}

// extend opens the slots that have been decided.
func (d *dispatcher) extend() {
	for slot := len(d.states) + 1; slot <= d.sched.Len(); slot++ {
		d.states = append(d.states, open)
		d.open++
		if d.after > 0 {
			key := d.sched.Key(slot)
			d.places[key.South] = append(d.places[key.South], slot)
			d.places[key.North] = append(d.places[key.North], slot)
		}
	}
}

// left tells whether anything is left to be played, now or later.
func (d *dispatcher) left() bool {
	return !d.sched.Over() && (d.open > 0 || !d.sched.Complete())
}

// task is a match that is to be played, or forfeited by bots that are
// withdrawn.
type task struct {
	slot      int
	key       results.Key
	withdrawn [2]bool
}

// lookAhead is how many slots are looked at for one that need not wait.
const lookAhead = 4096

// next takes the match that is played next at a table, after the one that the
// table has played, with its outcome (nil: none). Where all that is left has to
// wait it calls idle and waits; ok is false where nothing is left or the run is
// stopped.
func (d *dispatcher) next(played int, outcome *results.Summary, idle func()) (t task, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if outcome != nil {
		d.record(played, *outcome)
		d.changed.Broadcast()
	}
	for waited := false; ; waited = true {
		if d.stopped || !d.left() {
			return task{}, false
		}
		if t, ok = d.find(played); ok {
			d.states[t.slot-1] = inPlay
			d.open--
			return t, true
		}
		if waited {
			d.changed.Wait()
			continue
		}
		d.mu.Unlock()
		idle()
		d.mu.Lock() // and look again: something may have come meanwhile
	}
}

// find looks for a match that can be played, first for the other one of a pair
// of which one has just been played.
func (d *dispatcher) find(played int) (task, bool) {
	if d.open == 0 {
		return task{}, false
	}
	if second := played + 1; played%2 == 1 && d.states[second-1] == open {
		if t, ok := d.ready(second); ok {
			return t, true
		}
	}
	for d.states[d.head-1] != open {
		d.head++
	}
	for slot := d.head; slot <= min(len(d.states), d.head+lookAhead); slot++ {
		heldBack := slot%2 == 0 && d.states[slot-2] == inPlay
		if d.states[slot-1] != open || heldBack {
			continue
		}
		if t, ok := d.ready(slot); ok {
			return t, true
		}
	}
	return task{}, false
}

// ready tells whether it is decided who plays the match of a slot.
func (d *dispatcher) ready(slot int) (task, bool) {
	t := task{slot: slot, key: d.sched.Key(slot)}
	if d.after == 0 {
		return t, true
	}
	for seat, bot := range [2]string{t.key.South, t.key.North} {
		withdrawn, decided := d.withdrawn(bot, slot)
		if !decided {
			return task{}, false
		}
		t.withdrawn[seat] = withdrawn
	}
	return t, true
}

// withdrawn tells whether a bot has had its faults in a row right before a
// slot. It is not decided while matches that are not over could make it so.
func (d *dispatcher) withdrawn(bot string, slot int) (withdrawn, decided bool) {
	places := d.places[bot]
	i, _ := slices.BinarySearch(places, slot)
	if i < d.after {
		return false, true
	}
	decided = true
	for _, before := range places[i-d.after : i] {
		seat := engine.South
		if d.sched.Key(before).North == bot {
			seat = engine.North
		}
		switch state := d.states[before-1]; {
		case state == open || state == inPlay:
			decided = false
		case !state.blames(seat):
			return false, true
		}
	}
	return decided, decided
}

// stop ends the handing out.
func (d *dispatcher) stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stopped = true
	d.changed.Broadcast()
}
