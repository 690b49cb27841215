package arena

import (
	"context"
	"sync"

	"sembra/arena/guest"
	"sembra/arena/sandbox"
	"sembra/results"
)

// Local plays matches on this machine: it has the sandbox of the bots and their processes. A run plays all matches
// of its schedule there. A program that gets its matches from elsewhere opens one with [Tournament.Open].
type Local struct {
	t       *Tournament                  // its entries are those that run in the jail
	failed  map[string]*guest.StartError // bots that did not start; they lose their matches without another try
	prison  *sandbox.Jail                // nil: none
	spawner *guest.Spawner

	isolated Isolated
}

// Open prepares this machine for matches of the tournament and starts every bot once. It plays nothing. The caller
// closes the Local. The errors are those of [Tournament.Run], except that bots which did not start are no error.
func (t *Tournament) Open(ctx context.Context) (*Local, error) {
	return t.open(ctx, func(Isolated) {})
}

// open is Open. It tells of the isolation before it starts the bots.
func (t *Tournament) open(ctx context.Context, tell func(Isolated)) (*Local, error) {
	prison, isolated, err := t.Isolation.Open(ctx)
	if err != nil {
		return nil, err
	}
	if isolated.Line != "" {
		tell(isolated)
	}
	l := &Local{t: t, prison: prison, spawner: guest.NewSpawner(prison), isolated: isolated}
	if prison != nil {
		inJail := *t
		inJail.Entries = t.Secluded()
		l.t = &inJail
	}
	if l.failed, err = l.t.tryBots(ctx, l.spawner); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// Close ends all processes. Its tables must be closed before.
func (l *Local) Close() {
	l.spawner.Close()
	if l.prison != nil {
		l.prison.Close()
	}
}

// Isolated says what this machine isolates the bots from. Its line is "" if there is nothing to say.
func (l *Local) Isolated() Isolated { return l.isolated }

// Failed returns the bots that did not start, in the order of the entries.
func (l *Local) Failed() (failed []*guest.StartError) {
	for _, e := range l.t.Entries {
		if start := l.failed[e.Name]; start != nil {
			failed = append(failed, start)
		}
	}
	return failed
}

// playAll plays the matches that are left, several at once, and then closes the
// backlog.
func (l *Local) playAll(ctx context.Context, cancel context.CancelCauseFunc, d *dispatcher, unstored backlog) {
	defer close(unstored)
	unwatch := context.AfterFunc(ctx, d.stop)
	defer unwatch()
	tables := l.t.Concurrency
	if d.sched.Complete() {
		tables = min(tables, d.open)
	}
	var playing sync.WaitGroup
	var left LeftError
	if l.t.Away != nil {
		playing.Go(func() { left = l.sendAll(ctx, cancel, d, unstored) })
	}
	here := l.tables(tables)
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

// Tables are tables of a [Local], with the bots between their matches.
type Tables struct {
	tables []*table
	idle   *guest.Pool
	quit   chan struct{}
}

// Tables sets up tables, for a program that gets its matches from elsewhere. The caller closes them.
func (l *Local) Tables(number int) *Tables { return l.tables(number) }

func (l *Local) tables(number int) *Tables {
	all := &Tables{idle: guest.NewPool(l.spawner, guest.NewFreezer(l.t.Time.Pause)), quit: make(chan struct{})}
	pins := guest.NewPinnings(l.t.Processors, number)
	for _, pin := range pins {
		all.tables = append(all.tables, newTable(l.t, l.failed, l.spawner, all.idle, pin))
	}
	go all.idle.Freezer.Watch(all.quit)
	return all
}

func (all *Tables) close() {
	close(all.quit)
	all.idle.Close()
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
// has not started here, or the context's end. The feed of the tournament is told of the match.
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
