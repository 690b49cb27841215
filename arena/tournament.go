package arena

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"

	"sembra/engine"
	"sembra/results"
	"sembra/results/schedule"
)

// Tournament is a plan with everything that is needed to play it.
type Tournament struct {
	// In the plan an opening may be "", which is the start position. Family,
	// Ruleset, Rounds and Bots are empty: [Tournament.Plan] fills them in from
	// the other fields. So are Settings, which [Tournament.Manifest] collects.
	results.Tournament

	Rules       engine.Ruleset
	Entries     []Entry // at least two
	Time        TimeControl
	Seed        uint64
	Concurrency int // number of matches at once

	// Processors is the number of processors on which both bots of a match run.
	// With 0 the system decides where they run. See [AutoProcessors].
	Processors int
	Isolation  Isolation

	// Defaults are the names of settings that the tournament file does not give, and
	// whose default value was another one in the past. See [Tournament.Keep].
	Defaults []string

	// LogFolder is the folder for a log of each match, with everything that the
	// bots and the arena say; "": no logs.
	LogFolder string

	Feed *Feed // passes the events of the run on, without ever waiting; nil: to nobody
}

// Job is one match to be played.
type Job struct {
	results.Key
	Slot    int       `json:"slot"`    // in the schedule, from 1
	Opening string    `json:"opening"` // position text; "" is the start position
	Seeds   [2]uint64 `json:"seeds"`   // for South and North
}

// Recorder keeps the records of a run. Only one goroutine calls its methods.
type Recorder interface {
	// Put keeps all the records or none. It returns when they are safe.
	Put(records []results.Record) error

	// PutVoid notes that a match has no record because the runner itself failed.
	PutVoid(key results.Key, reason string) error
}

// Schedule returns the order of the tournament's matches, without any record.
func (t *Tournament) Schedule() *schedule.Schedule { return schedule.New(t.Plan()) }

// Plan returns the plan with Family, Ruleset, Rounds and Bots.
func (t *Tournament) Plan() results.Tournament {
	plan, rules := t.Tournament, t.Rules.Info()
	plan.Family, plan.Format = plan.Name, cmp.Or(plan.Format, results.RoundRobin)
	plan.Ruleset, plan.Rounds, plan.Bots = rules.Name, rules.Rounds, nil
	for _, e := range t.Entries {
		plan.Bots = append(plan.Bots, e.Name)
	}
	return plan
}

// Job returns the match in a slot of the schedule. It depends only on the
// tournament and on who plays.
func (t *Tournament) Job(s *schedule.Schedule, slot int) Job { return t.job(slot, s.Key(slot)) }

func (t *Tournament) job(slot int, key results.Key) Job {
	job := Job{Key: key, Slot: slot, Opening: t.Openings[key.Pair-1]}
	for seat := range job.Seeds {
		job.Seeds[seat] = matchSeed(t.Seed, key, engine.Seat(seat))
	}
	return job
}

// matchSeed returns the seed that a bot is told. It depends on the key of the
// match and not on its slot, because slots change when bots are added. It has 31
// bits, so that it fits into the integers of every language.
func matchSeed(seed uint64, k results.Key, seat engine.Seat) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "match %d %s %s %d %s", seed, k.South, k.North, k.Pair, seat))
	return binary.BigEndian.Uint64(sum[:]) >> 33
}

// Run plays the matches of the schedule that have no record yet; recorded are
// the others, in schedule order. It returns when every match has a record, the
// context is done, or something fails that is no bot's fault.
//
// Run first starts every bot once. A bot that cannot play the tournament is a
// [*ConfigError]. When Run returns, no process that it started is left. See
// [Isolation] for processes that bots start.
//
// Run calls tell with every event except those of beginnings and plies, which
// only the Feed passes on. The calls come one after the other. A slow tell slows
// the run.
func (t *Tournament) Run(ctx context.Context, recorded []results.Slotted, rec Recorder, tell func(Event)) error {
	d, err := newDispatcher(t.Schedule(), t.WithdrawAfter, recorded)
	if err != nil {
		return err
	}
	if !d.left() {
		return nil
	}
	defer t.Feed.end()
	say := func(e Event) {
		tell(e)
		t.Feed.publish(e)
	}
	prison, isolated, err := t.Isolation.jail(ctx)
	if err != nil {
		return err
	}
	if prison != nil {
		defer prison.Close()
		say(Event{Isolated: &isolated})
		inJail := *t
		inJail.Entries = t.secluded()
		t = &inJail
	}
	nursery := NewNursery(prison)
	defer nursery.Close()
	failed, err := t.tryBots(ctx, nursery)
	if err != nil {
		return err
	}
	for _, e := range t.Entries {
		if err := failed[e.Name]; err != nil {
			say(Event{BotFailed: &BotFailed{Bot: err.Bot, What: err.Error()}})
		}
	}

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	unstored := newBacklog()
	go t.playAll(ctx, cancel, d, failed, nursery, unstored)
	if err := unstored.record(rec, say, cancel); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// tryBots starts every bot once. It returns those that did not get ready.
func (t *Tournament) tryBots(ctx context.Context, n *Nursery) (map[string]*StartError, error) {
	errs := make([]error, len(t.Entries))
	// A bot that does not start costs little but the time of the wait.
	const atOnce = 4
	limit := make(chan struct{}, max(atOnce, t.Concurrency))
	var tries sync.WaitGroup
	for i := range t.Entries {
		tries.Go(func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			p, err := startPlayer(ctx, &t.Entries[i], t.Rules.Info().Name, t.Time.Startup, n, session{since: time.Now()})
			if err == nil {
				p.quit(n)
			}
			errs[i] = err
		})
	}
	tries.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	failed := make(map[string]*StartError)
	for i, err := range errs {
		if start := new(StartError); errors.As(err, &start) {
			failed[t.Entries[i].Name] = start
		} else if err != nil {
			return nil, err
		}
	}
	return failed, nil
}

// playAll plays the matches that are left, several at once, and then closes the
// backlog.
func (t *Tournament) playAll(ctx context.Context, cancel context.CancelCauseFunc, d *dispatcher,
	failed map[string]*StartError, nursery *Nursery, unstored *backlog,
) {
	defer unstored.close()
	unwatch := context.AfterFunc(ctx, d.stop)
	defer unwatch()
	tables := t.Concurrency
	if d.sched.Complete() {
		tables = min(tables, d.open)
	}
	idle := newPool(nursery)
	defer idle.close()
	seatings := t.seatings(tables)
	quit := make(chan struct{})
	defer close(quit)
	if t.Time.Pause == AutomaticPause || seatings[0].place != nil {
		go watch(seatings, quit)
	}
	var playing sync.WaitGroup
	for _, seating := range seatings {
		playing.Go(func() {
			defer seating.place.leave()
			table := newTable(t, failed, nursery, idle, seating)
			defer table.clear()
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
}

// seatings returns one seating for each table.
func (t *Tournament) seatings(tables int) []*seating {
	all := make([]*seating, tables)
	burners := new(burners)
	for i := range all {
		all[i] = &seating{pause: t.Time.Pause, burners: burners, place: newPlace(t.Processors, tables, claimProcessor)}
	}
	return all
}
