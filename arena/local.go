package arena

import (
	"context"
	"sync"

	"sembra/arena/guest"
	"sembra/results"
)

// Local plays matches on this machine: it has the sandbox of the bots, their processes, and a table for each concurrent
// match. A run plays all matches of its schedule there. A program that gets its matches from elsewhere opens one with
// [Run.Open].
type Local struct {
	run     *Run                         // its entries are those that run in the sandbox
	failed  map[string]*guest.StartError // bots that did not start; they lose their matches without another try
	spawner *guest.Spawner
	idle    *guest.Pool
	tables  []*table
	release func() // gives back the processors of the tables
	unbound error  // why they have none; nil: they have, or need none
}

// Open prepares this machine for as many concurrent matches as the tournament says, and starts every bot once. It
// plays nothing. Before the bots start, accept hears what they are isolated from; its error ends Open. The caller
// closes the Local. The errors are those of [Run.Play], except that a bot that did not start is not an error.
func (r *Run) Open(ctx context.Context, accept func(IsolationFound) error) (*Local, error) {
	spawner, isolated, err := Isolate(ctx, r.Isolation, r.Hidden, r.Entries...)
	if err != nil {
		return nil, err
	}
	here := *r
	here.Entries = r.entriesApart()
	l := &Local{
		run: &here, spawner: spawner, idle: guest.NewPool(spawner), release: func() {},
	}
	if err = accept(isolated); err == nil {
		l.failed, err = l.run.tryBots(ctx, l.spawner)
	}
	if err != nil {
		l.Close()
		return nil, err
	}
	var shares [][]int
	shares, l.release, l.unbound = guest.ShareProcessors(r.Processors, r.Concurrency)
	for _, processors := range shares {
		l.tables = append(l.tables, newTable(l, processors))
	}
	return l, nil
}

// Close ends all processes. No match may be in play.
func (l *Local) Close() {
	for _, table := range l.tables {
		table.clear()
	}
	l.idle.Close()
	l.spawner.Close()
	for _, table := range l.tables {
		table.thread.Close() // with it ends every bot that it has started, even one that sits at another table
	}
	l.release()
}

// BindError returns why bots are not bound to processors; nil if they are, or if nobody wants that.
func (l *Local) BindError() error { return l.unbound }

// Failed returns the bots that did not start, in the order of the entries.
func (l *Local) Failed() []*guest.StartError {
	var failed []*guest.StartError
	for _, e := range l.run.Entries {
		if start := l.failed[e.Name]; start != nil {
			failed = append(failed, start)
		}
	}
	return failed
}

// playAll plays the matches that are left, several concurrently, and then closes the
// backlog.
func (l *Local) playAll(ctx context.Context, cancel context.CancelCauseFunc, d *dispatcher, unstored backlog) {
	defer close(unstored)
	unwatch := context.AfterFunc(ctx, d.stop)
	defer unwatch()
	var playing sync.WaitGroup
	if l.run.Remote != nil {
		playing.Go(func() { l.sendAll(ctx, cancel, d, unstored) })
	}
	for _, table := range l.tables {
		playing.Go(func() {
			table.thread.Do(func() {
				if err := table.playOn(ctx, d, unstored); err != nil {
					cancel(err)
				}
			})
		})
	}
	playing.Wait()
	if len(d.aside) > 0 {
		cancel(&UnplayedError{d.aside})
	}
}

// Play plays a match at a table, counted from 0, and returns its record. If the machine fails, Play tries once more. An
// error is a failure of the machine, a [*guest.StartError] of a bot that has not started here, or the context's end. The
// feed of the tournament is told of the match. Calls of Play and FreeTable for the same table must not overlap.
func (l *Local) Play(ctx context.Context, table int, job Job) (rec results.Record, err error) {
	for _, bot := range []string{job.South, job.North} {
		if start := l.failed[bot]; start != nil {
			return results.Record{}, start
		}
	}
	l.tables[table].thread.Do(func() {
		rec, err = l.tables[table].playAgain(ctx, job, [2]int{}, func(ending) {})
	})
	return rec, err
}

// FreeTable frees the bots of a table that has no match for now.
func (l *Local) FreeTable(table int) { l.tables[table].clear() }
