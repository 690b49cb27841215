package workers

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"sembra/results"
)

// watch keeps the list of the workers.
func (r *Runner) watch(ctx context.Context, updates <-chan jetstream.KeyValueEntry) {
	sweep := time.NewTicker(r.timing.gone / 4)
	defer sweep.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case entry, open := <-updates:
			if !open {
				if ctx.Err() == nil {
					r.stop(r.closed())
				}
				return
			}
			if entry != nil && entry.Key() != runnerKey {
				r.note(entry)
			}
		case now := <-sweep.C:
			r.forget(now)
		}
	}
}

// note notes what a worker says of itself.
func (r *Runner) note(entry jetstream.KeyValueEntry) {
	var p Presence
	gone := entry.Operation() != jetstream.KeyValuePut
	if !gone && json.Unmarshal(entry.Value(), &p) != nil {
		return
	}
	r.mu.Lock()
	before, known := r.workers[entry.Key()]
	if gone || p.Refuses != "" {
		delete(r.workers, entry.Key())
		delete(r.heard, entry.Key())
	} else {
		r.workers[entry.Key()], r.heard[entry.Key()] = p, time.Now()
	}
	r.look(time.Now())
	refuses := p.Refuses != "" && !r.refused[entry.Key()]
	r.refused[entry.Key()] = r.refused[entry.Key()] || refuses
	r.changed.Broadcast()
	r.mu.Unlock()
	switch {
	case refuses:
		r.tell(fmt.Sprintf("worker %s refuses to play: %s", p.label(), safe(p.Refuses)))
	case gone && known:
		r.tell(fmt.Sprintf("worker %s has left", before.label()))
	case !gone && !known && p.Refuses == "":
		r.tell(fmt.Sprintf("worker %s is here and plays %d at once", p.label(), p.Slots))
	}
	if !gone {
		for _, lack := range p.Lacks {
			r.tellOnce(entry.Key()+lack, fmt.Sprintf("worker %s: %s", p.label(), safe(lack)))
		}
	}
}

// label names a worker and its machine.
func (p Presence) label() string { return safe(p.Name) + " on " + safe(p.Machine) }

// safe makes a text of a worker safe to print, and cuts it.
func safe(text string) string {
	const most = 500 // bytes
	return results.Visible([]byte(text), most)
}

// forget forgets workers without signs of life.
func (r *Runner) forget(now time.Time) {
	var lost []Presence
	r.mu.Lock()
	for id, heard := range r.heard {
		if now.Sub(heard) > r.timing.gone {
			lost = append(lost, r.workers[id])
			delete(r.workers, id)
			delete(r.heard, id)
		}
	}
	r.look(now)
	r.mu.Unlock()
	for _, p := range lost {
		r.tell(fmt.Sprintf("worker %s is not heard of any more; its matches go to others", p.label()))
	}
}

// Room waits until there are fewer pairs under way than twice the matches that all workers play at once. Without a
// worker there is no room.
func (r *Runner) Room(ctx context.Context) error {
	wake := context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.changed.Broadcast()
	})
	defer wake()
	r.mu.Lock()
	defer r.mu.Unlock()
	for ctx.Err() == nil && r.stopped.Err() == nil {
		if r.sent < 2*r.slots() {
			r.sent++
			return nil
		}
		r.changed.Wait()
	}
	return cmp.Or(context.Cause(ctx), context.Cause(r.stopped))
}

// slots returns how many matches all workers that are ready play at once.
func (r *Runner) slots() (slots int) {
	for _, p := range r.workers {
		if p.Plan == r.planHash {
			slots += max(1, min(p.Slots, mostSlots))
		}
	}
	return slots
}

// look notes since when no worker is ready.
func (r *Runner) look(now time.Time) {
	switch ready := r.slots() > 0; {
	case ready:
		r.alone = time.Time{}
	case r.alone.IsZero():
		r.alone = now
	}
}

// nobody reports whether the runner has to play everything itself for now.
func (r *Runner) nobody() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.local && !r.alone.IsZero() && time.Since(r.alone) > r.timing.gone
}

// mostSlots is the largest number of matches at once that a worker may announce.
const mostSlots = 4096
