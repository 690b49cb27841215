package arena

import (
	"slices"
	"sync"

	"sembra/engine"
	"sembra/results"
)

// SlotState is what is known of a slot before a run: [Open], or [Recorded].
type SlotState uint8

// Open is the state of a match that is still to be played.
const Open SlotState = 0

// Recorded is the state of a match whose record is kept, with the fault in it.
func Recorded(f results.Fault) SlotState { return SlotState(f) + 1 }

// inPlay is the state of a match that is being played.
const inPlay SlotState = 255

// blames tells whether the bot of that seat was at fault.
func (s SlotState) blames(seat engine.Seat) bool {
	switch s {
	case Recorded(results.BothFault):
		return true
	case Recorded(results.SouthFault):
		return seat == engine.South
	case Recorded(results.NorthFault):
		return seat == engine.North
	}
	return false
}

// dispatcher says which match is played next: the first that is open, the
// second of a pair at the table of the first. Where bots are withdrawn after
// some faults in a row, a match waits as long as matches before it can still
// decide whether its bots play it, so that the same matches are played at any
// concurrency.
type dispatcher struct {
	sched  *Schedule
	after  int              // faults in a row; 0: nobody is withdrawn
	places map[string][]int // the slots of each bot, where after is not 0

	mu      sync.Mutex
	changed *sync.Cond
	states  []SlotState
	open    int // how many are
	head    int // no slot before this one is open
	stopped bool
}

func newDispatcher(s *Schedule, withdrawAfter int, states []SlotState) *dispatcher {
	d := &dispatcher{sched: s, after: withdrawAfter, states: slices.Clone(states), head: 1}
	d.changed = sync.NewCond(&d.mu)
	for _, state := range states {
		if state == Open {
			d.open++
		}
	}
	if withdrawAfter > 0 {
		d.places = make(map[string][]int)
		for slot := 1; slot <= s.Len(); slot++ {
			key := s.Key(slot)
			d.places[key.South] = append(d.places[key.South], slot)
			d.places[key.North] = append(d.places[key.North], slot)
		}
	}
	return d
}

// task is a match that is to be played, or forfeited by bots that are
// withdrawn.
type task struct {
	slot      int
	withdrawn [2]bool
}

// lookAhead is how many slots are looked at for one that need not wait.
const lookAhead = 4096

// next takes the match that is played next at a table, after the one that the
// table has played (0: none) with its fault. It waits where all that is left
// has to wait; ok is false where nothing is left or the run is stopped.
func (d *dispatcher) next(played int, f results.Fault) (t task, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if played > 0 {
		d.states[played-1] = Recorded(f)
		defer d.changed.Broadcast()
	}
	for first := played; ; first = 0 {
		if d.stopped || d.open == 0 {
			return task{}, false
		}
		if t, ok = d.find(first); ok {
			d.states[t.slot-1] = inPlay
			d.open--
			return t, true
		}
		d.changed.Wait()
	}
}

// find looks for a match that can be played, first for the other one of a pair
// of which one has just been played.
func (d *dispatcher) find(played int) (task, bool) {
	if second := played + 1; played%2 == 1 && d.states[second-1] == Open {
		if t, ok := d.ready(second); ok {
			return t, true
		}
	}
	for d.states[d.head-1] != Open {
		d.head++
	}
	for slot := d.head; slot <= min(len(d.states), d.head+lookAhead); slot++ {
		heldBack := slot%2 == 0 && d.states[slot-2] == inPlay
		if d.states[slot-1] != Open || heldBack {
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
	t := task{slot: slot}
	if d.after == 0 {
		return t, true
	}
	key := d.sched.Key(slot)
	for seat, bot := range [2]string{key.South, key.North} {
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
		case state == Open || state == inPlay:
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
