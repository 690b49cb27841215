package workers

import (
	"context"
	"fmt"
	"slices"
	"strings"
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
	if !gone {
		var err error
		if p, err = readPresence(entry.Value()); err != nil {
			r.tellOnce(err.Error(), "ignored: "+safe(err.Error()))
			return
		}
	}
	kept := r.kept(p)
	r.mu.Lock()
	before, known := r.workers[entry.Key()]
	switch {
	case gone || p.Refuses != "":
		delete(r.workers, entry.Key())
		delete(r.heard, entry.Key())
	case known || len(r.workers) < mostWorkers:
		r.workers[entry.Key()], r.heard[entry.Key()] = kept, time.Now()
	}
	same := known && before.Plan == kept.Plan && before.Slots == kept.Slots && slices.Equal(before.Without, kept.Without)
	if !same {
		r.look(time.Now())
	}
	idle := r.idle()
	covered := r.toldMissing != "" && r.missing() == ""
	if covered {
		r.toldMissing = ""
	}
	r.mu.Unlock()
	switch {
	case p.Refuses != "":
		r.tellOnce(entry.Key(), fmt.Sprintf("worker %s refuses to play: %s", p.label(), safe(p.Refuses)))
	case gone && known:
		r.tellSome(fmt.Sprintf("worker %s has left", before.label()))
	case !gone && !known:
		r.tellSome(fmt.Sprintf("worker %s is here and plays %d at once", p.label(), p.Slots))
	}
	for _, lack := range p.Lacks {
		line := fmt.Sprintf("worker %s: %s", p.label(), safe(lack))
		r.tellOnce(entry.Key()+line, line)
	}
	if idle != "" {
		r.tellOnce("idle", idle)
	}
	if covered {
		r.tell(sayCovered)
	}
	if !same {
		r.tellChange()
	}
}

// idle says that there are more workers than the tournament can keep busy; "": there are not. A match waits until its
// bots have few enough matches without a record before it.
func (r *Runner) idle() string {
	most := r.withdrawAfter * len(r.plan.Bots) / 2
	if most == 0 || r.slots <= most {
		return ""
	}
	return fmt.Sprintf("the workers can play %d matches at once, but withdraw_after = %d allows only about %d with %d bots, so some of them wait "+
		"(hint: withdraw_after = 0 in a new tournament)", r.slots, r.withdrawAfter, most, len(r.plan.Bots))
}

const sayCovered = "there are workers for all matches now"

// kept returns what the runner needs of what a worker says of itself. It is small.
func (r *Runner) kept(p Presence) Presence {
	k := Presence{Name: p.Name, Machine: p.Machine, Slots: p.Slots}
	if p.Plan == r.planHash {
		k.Plan = r.planHash
	}
	for _, lane := range r.plan.Lanes {
		for _, need := range lane.Needs {
			if slices.Contains(p.Without, need) && !slices.Contains(k.Without, need) {
				k.Without = append(k.Without, need)
			}
		}
	}
	return k
}

// label names the worker and its machine.
func (p Presence) label() string { return label(p.Name, p.Machine) }

// label names a worker and its machine. By default, both have the same name.
func label(worker, machine string) string {
	if worker == machine {
		return worker
	}
	return worker + " on " + machine
}

// safe makes a text of a worker safe to print, and cuts it.
func safe(text string) string {
	const most = 500 // bytes
	return results.Visible([]byte(text), most)
}

// forget forgets workers without signs of life, and tells which matches no worker can play.
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
	if len(lost) > 0 {
		r.look(now)
	}
	missing := r.missing()
	told := r.toldMissing
	r.toldMissing = missing
	r.mu.Unlock()
	for _, p := range lost {
		r.tellSome(fmt.Sprintf("worker %s is not heard of any more; its matches go to others", p.label()))
	}
	if len(lost) > 0 {
		r.tellChange()
	}
	switch {
	case missing == told:
	case missing == "":
		r.tell(sayCovered)
	default:
		r.tell(missing)
	}
}

// tellChange tells the run that other matches can be played now.
func (r *Runner) tellChange() {
	r.mu.Lock()
	changed := r.onChange
	r.mu.Unlock()
	if changed != nil {
		changed()
	}
}

// Notify has a function called whenever [Runner.CanPlay] may answer otherwise.
func (r *Runner) Notify(changed func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.onChange = changed
}

// CanPlay reports whether a worker is there that can play a match, and whether fewer such pairs are under way than twice
// the matches that these workers play at once. Otherwise those would take the room of pairs that other workers can play.
func (r *Runner) CanPlay(key results.Key) bool {
	lane := r.laneOf(key)
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lanes[lane].bare.IsZero() && r.lanes[lane].sent < 2*r.lanes[lane].slots
}

// laneState is the state of a lane.
type laneState struct {
	bare  time.Time // since when no worker is ready for it; zero: one is
	slots int       // matches that the workers which are ready for it play at once
	sent  int       // pairs that are under way
}

// Room waits until there are fewer pairs under way than twice the matches that all workers play at once. Without a
// worker there is no room.
func (r *Runner) Room(ctx context.Context) error {
	wake := func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.changed.Broadcast()
	}
	defer context.AfterFunc(ctx, wake)()
	defer context.AfterFunc(r.stopped, wake)()
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case r.stopped.Err() != nil:
			return context.Cause(r.stopped)
		case r.sent < min(2*r.slots, mostSent):
			r.sent++
			return nil
		}
		r.changed.Wait()
	}
}

// mostSent is how many pairs can be under way. Each needs about 10 kB of memory here.
const mostSent = 200_000

// look notes how many matches the workers that are ready play at once, in all and of each lane, and since when no worker is
// ready for the matches of a lane.
func (r *Runner) look(now time.Time) {
	r.slots = 0
	slots := make(map[string]int) // by what workers lack, because they differ in little
	for _, p := range r.workers {
		if p.Plan != r.planHash {
			continue
		}
		r.slots += max(1, p.Slots)
		lacks := strings.Join(p.Without, "\x00")
		if _, known := slots[lacks]; known || len(slots) < mostLacks {
			slots[lacks] += max(1, p.Slots)
		}
	}
	for n, lane := range r.plan.Lanes {
		c := &r.lanes[n]
		c.slots = 0
		for lacks, some := range slots {
			if !shareAny(strings.FieldsFunc(lacks, func(c rune) bool { return c == 0 }), lane.Needs) {
				c.slots += some
			}
		}
		switch {
		case c.slots > 0:
			c.bare = time.Time{}
		case c.bare.IsZero():
			c.bare = now
		}
	}
	r.changed.Broadcast()
}

func shareAny(some, others []string) bool {
	return slices.ContainsFunc(some, func(one string) bool { return slices.Contains(others, one) })
}

// nobody reports whether no worker has been ready for the matches of a lane for a while, so that they are taken back.
// They stay with the server if no worker is ready for any match, and nobody here plays them.
func (r *Runner) nobody(lane int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	since := r.lanes[lane].bare
	return (r.local || r.slots > 0) && !since.IsZero() && time.Since(since) > r.timing.gone
}

// missing says which matches no worker can play; "": there are none.
func (r *Runner) missing() string {
	wait := "; they wait (hint: start a worker that can, or give --local N)"
	if r.local {
		wait = "; this machine plays them"
	}
	if r.slots == 0 {
		if r.local {
			return "no worker is ready; this machine plays alone"
		}
		return "no worker is ready; the run waits for one (hint: sembra worker ADDR on another machine)"
	}
	var bare [][]string // the needs
	for n, lane := range r.plan.Lanes {
		if !r.lanes[n].bare.IsZero() {
			bare = append(bare, lane.Needs)
		}
	}
	var all []string
	for _, needs := range bare {
		within := func(fewer []string) bool { // those say it already
			other := func(need string) bool { return !slices.Contains(needs, need) }
			return len(fewer) < len(needs) && !slices.ContainsFunc(fewer, other)
		}
		if slices.ContainsFunc(bare, within) {
			continue
		}
		var bots []string
		for _, b := range r.plan.Bots {
			if slices.Contains(needs, b.Need) {
				bots = append(bots, b.Name)
			}
		}
		const most = 10
		if len(bots) > most {
			bots = append(bots[:most], fmt.Sprintf("and %d more", len(bots)-most))
		}
		all = append(all, fmt.Sprintf("the matches that need %s (bots: %s)", strings.Join(needs, " and "), strings.Join(bots, ", ")))
	}
	if all == nil {
		return ""
	}
	return "no worker that is here can play " + strings.Join(all, " or ") + wait
}
