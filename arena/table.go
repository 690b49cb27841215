package arena

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sembra/arena/guest"
	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/results"
)

// table plays matches one after another. The bots of the last match stay for the
// next match, or go to the pool if they do not play in it.
type table struct {
	*Local
	thread     *guest.Thread // plays its matches
	processors []int         // on which it does, and the bots run; none: any
	players    map[string]*guest.Player
	session    guest.Session // of the current match
}

// newTable returns a table without bots.
func newTable(l *Local, processors []int) *table {
	return &table{
		Local: l, thread: guest.NewThread(processors), processors: processors, players: make(map[string]*guest.Player),
	}
}

// playOn plays matches until none is left. It runs on the table's thread.
func (tb *table) playOn(ctx context.Context, d *dispatcher, unstored backlog) error {
	defer tb.clear()
	task, ok := d.next(0, nil, tb.clear)
	for ok {
		rec, err := tb.playAgain(ctx, tb.run.job(task.number, task.key), task.disqualified, unstored.add)
		if err != nil {
			return err
		}
		task, ok = d.next(task.number, &rec.Summary, tb.clear)
	}
	return nil
}

// playAgain plays a match and reports how it ended. If the runner itself fails, it plays
// the match once more, after the bots that are being stopped have had time to exit. No
// idle bots are kept from then on, because the machine may be short of what they take.
// The error is errStopped, or that of the second failure.
func (tb *table) playAgain(ctx context.Context, job Job, disqualified [2]int, report func(ending)) (results.Record, error) {
	defer tb.run.Feed.forget(job.Number)
	for attempt := 1; ; attempt++ {
		ended, err := tb.play(ctx, job, disqualified)
		switch {
		case errors.Is(err, errStopped):
			return results.Record{}, err
		case err == nil:
			report(ending{ended: ended})
			return ended.Record, nil
		}
		again := attempt == 1
		report(ending{void: &MatchVoid{job, err.Error(), again}})
		tb.idle.Close()
		tb.clear()
		if !again {
			return results.Record{}, fmt.Errorf("match %d (%s) failed twice in a row: %w", job.Number, job.Key, err)
		}
		select {
		case <-time.After(guest.StopGrace):
		case <-ctx.Done():
		}
	}
}

// play plays a match. An error is a failure of the runner itself.
func (tb *table) play(ctx context.Context, job Job, disqualified [2]int) (ended *MatchEnded, err error) {
	if tb.forfeits(job, disqualified) {
		return tb.forfeit(job, disqualified)
	}
	start, err := engine.ParsePosition(tb.run.Rules, job.Opening)
	if err != nil {
		return nil, err
	}
	closeLog, err := tb.openLog(job)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeLog()) }()
	tb.run.Feed.begin(job)
	players, faults, err := tb.seat(ctx, job, start.Side())
	if ctx.Err() != nil {
		return nil, errStopped
	}
	if err != nil {
		return nil, err
	}
	r := newReferee(job, tb.run.Begin(tb.run.Rules, start), players)
	r.feed = tb.run.Feed
	var v ruling
	if faults != [2]*fault{} {
		v = r.lost(faults)
	} else {
		unwatch := context.AfterFunc(ctx, func() {
			players[engine.South].Bot.Stop(0)
			players[engine.North].Bot.Stop(0)
		})
		v, err = r.play(ctx)
		unwatch()
		if err != nil {
			return nil, err
		}
	}
	rec := r.record(v, faults)
	return &MatchEnded{Number: job.Number, Record: rec}, nil
}

// forfeits reports whether nobody plays a match because a bot is disqualified or has not started.
func (l *Local) forfeits(job Job, disqualified [2]int) bool {
	return disqualified != [2]int{} || l.failed[job.South] != nil || l.failed[job.North] != nil
}

// forfeit returns the end of a match that nobody plays. If that is so for both bots, nobody wins.
func (l *Local) forfeit(job Job, disqualified [2]int) (*MatchEnded, error) {
	start, err := engine.ParsePosition(l.run.Rules, job.Opening)
	if err != nil {
		return nil, err
	}
	var faults [2]*fault
	var why results.Forfeit
	for seat, bot := range [2]string{job.South, job.North} {
		if failed := l.failed[bot]; failed != nil {
			faults[seat], why = startFault(failed), why|results.NotStarted
		}
		if cause := disqualified[seat]; cause > 0 {
			what := fmt.Sprintf("bot %s is disqualified after %d faults in a row, the last one in match %d",
				bot, l.run.DisqualifyAfter, cause)
			faults[seat] = &fault{ending: results.EndStart, what: what}
			why |= results.SouthDisqualified << seat
		}
	}
	record := newReferee(job, l.run.Begin(l.run.Rules, start), [2]*guest.Player{}).record(lostBy(faults), faults)
	record.Forfeit = why
	return &MatchEnded{Number: job.Number, Record: record}, nil
}

// inFileName returns a bot's name as a part of a file's name: with underscores for
// spaces. Names of bots hold nothing else that is special there.
func inFileName(bot string) string { return strings.ReplaceAll(bot, " ", "_") }

// openLog begins the session of a match. The session has a log if the tournament
// keeps logs.
func (tb *table) openLog(job Job) (closeLog func() error, err error) {
	tb.session = guest.Session{Since: time.Now()}
	if tb.run.LogFolder == "" {
		return func() error { return nil }, nil
	}
	name := fmt.Sprintf("%s-%d-%s-%s.log", tb.run.Name, job.Number, inFileName(job.South), inFileName(job.North))
	file, err := os.Create(filepath.Join(tb.run.LogFolder, name))
	if err != nil {
		return nil, &guest.RunnerError{Err: err}
	}
	buffer := bufio.NewWriterSize(file, 64<<10)
	log := guest.NewLog(buffer, tb.session.Since)
	tb.session.Log = log
	return func() error {
		for _, p := range tb.players {
			p.Journal.End()
		}
		log.Close()
		if err := errors.Join(buffer.Flush(), file.Close()); err != nil {
			return &guest.RunnerError{Err: err}
		}
		return nil
	}, nil
}

// seat brings the bots of a match to the table and announces the match. If both have to start, they do so one after
// the other; whoever is there is frozen until the other one is. The match is announced last to the one that moves first. A
// bot that does not get ready is at fault. An error is a failure of the runner itself.
func (tb *table) seat(
	ctx context.Context, job Job, first engine.Seat,
) (players [2]*guest.Player, faults [2]*fault, err error) {
	names := [2]string{job.South, job.North}
	for name, p := range tb.players {
		spent := p.Broken || p.Entry.Restart && p.Used
		if spent || !slices.Contains(names[:], name) {
			tb.release(name)
		}
	}
	for seat, name := range names {
		if players[seat], faults[seat], err = tb.call(ctx, name); err != nil {
			return players, faults, err
		}
		if p := players[seat]; p != nil {
			tb.players[name] = p
		}
	}
	for seat, p := range players {
		if p != nil && tb.run.Time.Pause {
			p.Opponent = players[1-seat]
		}
	}
	for _, seat := range [2]engine.Seat{first.Other(), first} {
		if p := players[seat]; p != nil {
			faults[seat] = tb.announce(ctx, p, seat, job)
		}
	}
	return players, faults, nil
}

// call returns the bot of that name. It starts the bot if it does not run. A failed start is a fault even if the program
// is gone or offers other options than at the first try: the tournament continues.
func (tb *table) call(ctx context.Context, name string) (*guest.Player, *fault, error) {
	p := tb.players[name]
	if p == nil {
		p = tb.idle.Take(name)
	}
	if p != nil {
		p.Bind(tb.processors)
		p.Journal.Begin(tb.session)
		if tb.session.Log != nil {
			tb.session.Log.Options(name, p.Entry.Options)
		}
		return p, nil, nil
	}
	t := tb.run
	for _, other := range tb.players {
		if t.Time.Pause {
			other.Freeze()
		}
	}
	entry := &t.Entries[slices.IndexFunc(t.Entries, func(e guest.Entry) bool { return e.Name == name })]
	p, err := guest.Start(ctx, entry, t.Rules.Info().Name, t.Time.Startup, tb.spawner.On(tb.processors), tb.session)
	start := new(guest.StartError)
	switch {
	case errors.As(err, new(*guest.RunnerError)):
		return nil, nil, err
	case errors.As(err, &start):
		return nil, startFault(start), nil
	case err != nil:
		return nil, &fault{ending: results.EndStart, what: err.Error()}, nil
	}
	return p, nil, nil
}

// announce announces the match to a bot, and waits until the bot is ready.
func (tb *table) announce(ctx context.Context, p *guest.Player, seat engine.Seat, job Job) *fault {
	unwatch := context.AfterFunc(ctx, func() { p.Bot.Stop(0) })
	defer unwatch()
	rules, opening := tb.run.Rules, job.Opening
	if opening == engine.Text(rules, rules.Start()) {
		opening = "" // for which the protocol has a word
	}
	if err := p.Begin(protocol.NewMatchMessage(rules, seat, job.Seeds[seat]), opening, tb.run.Time.Startup); err != nil {
		return &fault{ending: results.EndStart, what: p.NotReady(err, tb.run.Time.Startup)}
	}
	return nil
}

// release gives a bot to the pool.
func (tb *table) release(name string) {
	tb.idle.Put(tb.players[name])
	delete(tb.players, name)
}

// clear gives all bots to the pool.
func (tb *table) clear() {
	for name := range tb.players {
		tb.release(name)
	}
}
