package arena

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/results"
)

// table is where matches are played one after another. The processes of the
// last match stay for the next one that the same bots play; no others run.
type table struct {
	t       *Tournament
	sched   *Schedule
	failed  map[string]*StartError // bots that lose their matches without being started again
	entries map[string]*Entry
	nursery *Nursery
	seated  map[string]*player
}

func newTable(t *Tournament, failed map[string]*StartError, n *Nursery) *table {
	tb := &table{
		t: t, sched: t.Schedule(), failed: failed, nursery: n,
		entries: make(map[string]*Entry), seated: make(map[string]*player),
	}
	for i := range t.Entries {
		tb.entries[t.Entries[i].Name] = &t.Entries[i]
	}
	return tb
}

// playSlot plays the match of a slot until it has a record. A match that came
// to nothing by the runner's own failure is played once more, when the bots
// that are being stopped have had their time to go. It returns an error when
// the run cannot go on.
func (tb *table) playSlot(ctx context.Context, slot int, ended chan<- ending) error {
	job := tb.t.Job(tb.sched, slot)
	for attempt := 1; ; attempt++ {
		rec, what, err := tb.play(ctx, job)
		if errors.Is(err, errStopped) {
			return err
		}
		again := err != nil && attempt == 1
		ended <- ending{job: job, record: rec, what: what, void: err, again: again}
		if err == nil {
			return nil
		}
		tb.clear()
		if again {
			select {
			case <-time.After(stopGrace):
			case <-ctx.Done():
			}
		} else {
			return fmt.Errorf("match %d (%s) came to nothing twice in a row: %w", slot, job.Key, err)
		}
	}
}

// play plays a match and returns its record, and what a bot at fault did. An
// error is the runner's own failure.
func (tb *table) play(ctx context.Context, job Job) (results.Record, string, error) {
	start, err := tb.start(job)
	if err != nil {
		return results.Record{}, "", err
	}
	players, faults, err := tb.seat(ctx, job)
	if ctx.Err() != nil {
		return results.Record{}, "", errStopped
	}
	if err != nil {
		return results.Record{}, "", err
	}
	r := newReferee(job, start, tb.t.Rules, tb.t.Time, players)
	var v Verdict
	switch south, north := faults[engine.South], faults[engine.North]; {
	case south != nil && north != nil:
		v = Verdict{
			Result: results.Void, Ending: results.EndStart, Fault: results.BothFault,
			What: south.what + "; " + north.what,
		}
	case south != nil:
		v = lostByFault(engine.South, south)
	case north != nil:
		v = lostByFault(engine.North, north)
	default:
		unwatch := context.AfterFunc(ctx, func() {
			players[engine.South].bot.Stop(0)
			players[engine.North].bot.Stop(0)
		})
		v, err = r.play(ctx)
		unwatch()
		return r.record(v), v.What, err
	}
	for seat, f := range faults {
		if p := players[seat]; p != nil && f != nil {
			p.close(f.what, r.endFor(engine.Seat(seat), v))
		}
	}
	r.tell(v)
	return r.record(v), v.What, nil
}

// start returns the position that the match begins with.
func (tb *table) start(job Job) (engine.Position, error) {
	if job.Opening == "" {
		return tb.t.Rules.Start(), nil
	}
	return engine.ParsePosition(tb.t.Rules, job.Opening)
}

// seat brings the bots of a match to the table and announces it. A bot that
// does not get ready is at fault; an error is the runner's own failure.
func (tb *table) seat(ctx context.Context, job Job) (players [2]*player, faults [2]*fault, err error) {
	names := [2]string{job.South, job.North}
	for name, p := range tb.seated {
		if p.broken || p.entry.Restart && p.used || name != names[0] && name != names[1] {
			tb.dismiss(name)
		}
	}
	for seat, name := range names {
		players[seat], faults[seat], err = tb.call(ctx, name)
		if err != nil {
			return players, faults, err
		}
	}
	for seat, p := range players {
		if p != nil {
			faults[seat] = tb.announce(ctx, p, engine.Seat(seat), job)
		}
	}
	return players, faults, nil
}

// call returns the bot of that name, started if it does not run.
func (tb *table) call(ctx context.Context, name string) (*player, *fault, error) {
	if failed := tb.failed[name]; failed != nil {
		return nil, failed.fault(), nil
	}
	if p := tb.seated[name]; p != nil {
		return p, nil, nil
	}
	t := tb.t
	p, err := startPlayer(ctx, tb.entries[name], t.Rules.Info().Name, t.Time.Startup, tb.nursery)
	if err != nil {
		if failure := new(RunnerError); errors.As(err, &failure) {
			return nil, nil, err
		}
		// Also where the program has gone or its options have changed since
		// all bots were tried.
		return nil, &fault{results.EndStart, err.Error()}, nil
	}
	tb.seated[name] = p
	return p, nil, nil
}

// announce tells a bot of the match.
func (tb *table) announce(ctx context.Context, p *player, seat engine.Seat, job Job) *fault {
	info := tb.t.Rules.Info()
	m := protocol.NewMatch{Ruleset: info.Name, Seat: seat, Seed: job.Seeds[seat]}
	if !info.Single {
		m.Rounds = info.Rounds
	}
	unwatch := context.AfterFunc(ctx, func() { p.bot.Stop(0) })
	defer unwatch()
	if err := p.begin(m, job.Opening, tb.t.Time.Startup); err != nil {
		return &fault{results.EndStart, "not ready for a new match: " + startReason(err, tb.t.Time.Startup)}
	}
	return nil
}

// dismiss sends a bot away.
func (tb *table) dismiss(name string) {
	tb.seated[name].quit(tb.nursery)
	delete(tb.seated, name)
}

// clear sends all bots away.
func (tb *table) clear() {
	for name := range tb.seated {
		tb.dismiss(name)
	}
}
