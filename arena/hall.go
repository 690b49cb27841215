package arena

import (
	"context"
	"sync"

	"sembra/arena/jail"
	"sembra/results"
)

// Hall is where the bots of a tournament play: it has their jail and their processes. A run plays all matches
// of its schedule in a hall. A program that gets its matches from elsewhere opens a hall with [Tournament.Open].
type Hall struct {
	t       *Tournament            // its entries are those that run in the jail
	failed  map[string]*StartError // bots that did not start; they lose their matches without another try
	prison  *jail.Jail             // nil: none
	nursery *Nursery

	isolated Isolated
}

// Open prepares this machine for matches of the tournament and starts every bot once. It plays nothing. The caller
// closes the hall. The errors are those of [Tournament.Run], except that bots which did not start are no error.
func (t *Tournament) Open(ctx context.Context) (*Hall, error) {
	return t.open(ctx, func(Isolated) {})
}

// open is Open. It tells of the isolation before it starts the bots.
func (t *Tournament) open(ctx context.Context, tell func(Isolated)) (*Hall, error) {
	prison, isolated, err := t.Isolation.jail(ctx)
	if err != nil {
		return nil, err
	}
	if isolated.Line != "" {
		tell(isolated)
	}
	h := &Hall{t: t, prison: prison, nursery: NewNursery(prison), isolated: isolated}
	if prison != nil {
		inJail := *t
		inJail.Entries = t.Secluded()
		h.t = &inJail
	}
	if h.failed, err = h.t.tryBots(ctx, h.nursery); err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

// Close ends all processes of the hall. Its tables must be closed before.
func (h *Hall) Close() {
	h.nursery.Close()
	if h.prison != nil {
		h.prison.Close()
	}
}

// Isolated says what this machine isolates the bots from. Its line is "" if there is nothing to say.
func (h *Hall) Isolated() Isolated { return h.isolated }

// Failed returns the bots that did not start, in the order of the entries.
func (h *Hall) Failed() (failed []*StartError) {
	for _, e := range h.t.Entries {
		if start := h.failed[e.Name]; start != nil {
			failed = append(failed, start)
		}
	}
	return failed
}

// playAll plays the matches that are left, several at once, and then closes the
// backlog.
func (h *Hall) playAll(ctx context.Context, cancel context.CancelCauseFunc, d *dispatcher, unstored *backlog) {
	defer unstored.close()
	unwatch := context.AfterFunc(ctx, d.stop)
	defer unwatch()
	tables := h.t.Concurrency
	if d.sched.Complete() {
		tables = min(tables, d.open)
	}
	var playing sync.WaitGroup
	var left LeftError
	if h.t.Away != nil {
		playing.Go(func() { left = h.sendAll(ctx, cancel, d, unstored) })
	}
	here := h.tables(tables)
	defer here.close()
	for _, table := range here.tables {
		playing.Go(func() {
			defer table.leave()
			task, ok := d.next(0, nil, table.clear)
			for ok {
				outcome, err := table.playSlot(ctx, task, unstored)
				if err != nil {
					cancel(err)
					return
				}
				task, ok = d.next(task.slot, &outcome, table.clear)
			}
		})
	}
	playing.Wait()
	if len(left.Aside) > 0 {
		cancel(&left)
	}
}

// Tables are tables of a hall, with the bots between their matches.
type Tables struct {
	tables []*table
	idle   *pool
	quit   chan struct{}
}

// Tables sets up tables, for a program that gets its matches from elsewhere. The caller closes them.
func (h *Hall) Tables(number int) *Tables { return h.tables(number) }

func (h *Hall) tables(number int) *Tables {
	all := &Tables{idle: newPool(h.nursery, newFreezer(h.t.Time.Pause)), quit: make(chan struct{})}
	pins := h.t.pinnings(number)
	for _, pin := range pins {
		all.tables = append(all.tables, newTable(h.t, h.failed, h.nursery, all.idle, pin))
	}
	go all.idle.freezer.watch(pins, all.quit)
	return all
}

func (all *Tables) close() {
	close(all.quit)
	all.idle.close()
}

// Close sends the bots away. No match may be in play.
func (all *Tables) Close() {
	for _, table := range all.tables {
		table.leave()
	}
	all.close()
}

// Play plays a match at a table, counted from 0, and returns its record. Only one goroutine at a time may use a
// table. If the machine fails, Play tries once more. An error is a failure of the machine, a [*StartError] of a bot that
// has not started in this hall, or the context's end. The feed of the tournament is told of the match.
func (all *Tables) Play(ctx context.Context, number int, job Job) (results.Record, error) {
	table := all.tables[number]
	for _, bot := range []string{job.South, job.North} {
		if start := table.failed[bot]; start != nil {
			return results.Record{}, start
		}
	}
	defer table.t.Feed.forget(job.Slot)
	return table.playAgain(ctx, job, [2]bool{}, func(ending) {})
}

// Rest frees the bots of a table that has no match for now.
func (all *Tables) Rest(number int) { all.tables[number].clear() }

// pinnings returns one pinning for each table, or nil for each.
func (t *Tournament) pinnings(tables int) []*pinning {
	all := make([]*pinning, tables)
	for i := range all {
		all[i] = newPinning(t.Processors, tables, claimProcessor)
	}
	return all
}
