package arena

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"sembra/arena/guest"
	"sembra/engine"
	"sembra/results"
	"sembra/results/schedule"
)

// Tournament is a plan with everything that is needed to play it.
type Tournament struct {
	// In the plan Family, Ruleset, Rounds, Bots and Withdrawn are empty: [Tournament.Plan] fills them in from the other
	// fields. So are Isolation and Programs, for [Tournament.Manifest].
	results.Tournament

	Rules       engine.Ruleset
	Entries     []guest.Entry // at least two
	Concurrency int           // number of concurrent matches on this machine; 0 only with Remote

	// Remote plays matches on other machines; nil: all are played here.
	Remote Remote

	// Processors is the number of processors on which both bots of a match run.
	// With 0 the system decides where they run.
	Processors int
	Isolation  Isolation
	Missing    Missing // what happens if a bot does not start; "": RefuseMissing

	// LogFolder is the folder for a log of each match, with everything that the
	// bots and the arena say; "": no logs.
	LogFolder string

	Feed *Feed // is told which matches are in play; nil: nobody is
}

// TimeControl limits how long the bots of a match may think. At most one of Move
// and Base is set. Without either there is no clock, only the watchdog.
type TimeControl = results.TimeControl

// Missing is what happens if a bot does not start before the first match.
type Missing string

// The values of Missing.
const (
	RefuseMissing  Missing = "refuse"  // nothing is played
	ForfeitMissing Missing = "forfeit" // the bot loses its matches
)

// MissingError says which bots did not start, so that nothing was played.
type MissingError struct {
	Bots []*guest.StartError // at least one
}

// Error gives the reason if it is a single bot. The reasons of several bots were
// events.
func (e *MissingError) Error() string {
	if len(e.Bots) == 1 {
		return e.Bots[0].Error()
	}
	names := make([]string, len(e.Bots))
	for i, start := range e.Bots {
		names[i] = start.Bot
	}
	return fmt.Sprintf("%d bots did not start, so nothing is played: %s", len(names), strings.Join(names, ", "))
}

// Job is one match to be played.
type Job struct {
	results.Key
	Number  int       `json:"match"`   // in the schedule, from 1
	Opening string    `json:"opening"` // position text
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
	plan.Ruleset, plan.Rounds, plan.Bots, plan.Withdrawn = rules.Name, rules.Rounds, nil, nil
	for _, e := range t.Entries {
		plan.Bots = append(plan.Bots, e.Name)
		if e.Withdrawn {
			plan.Withdrawn = append(plan.Withdrawn, e.Name)
		}
	}
	return plan
}

// Playing returns the entries of the bots that have not withdrawn.
func (t *Tournament) Playing() []guest.Entry {
	return slices.DeleteFunc(slices.Clone(t.Entries), func(e guest.Entry) bool { return e.Withdrawn })
}

// job returns the match of a key, which has that number in the schedule. Apart from
// the number, it depends only on the tournament and on who plays.
func (t *Tournament) job(number int, key results.Key) Job {
	job := Job{Key: key, Number: number, Opening: t.Opening(key.Pair)}
	for seat := range job.Seeds {
		job.Seeds[seat] = matchSeed(t.Seed, key, engine.Seat(seat))
	}
	return job
}

// matchSeed returns the seed that a bot is told. It depends on the key of the
// match alone, so nothing that is added to a tournament changes it. It has 31
// bits, so that it fits into the integers of every language.
func matchSeed(seed uint64, k results.Key, seat engine.Seat) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "match %d %s %s %d %s", seed, k.South, k.North, k.Pair, seat))
	return binary.BigEndian.Uint64(sum[:]) >> 33
}

// Left reports whether Run with the same records would play a match.
func (t *Tournament) Left(recorded []results.Numbered) (bool, error) {
	d, err := newDispatcher(t.Schedule(), t.DisqualifyAfter, recorded)
	return err == nil && d.left(), err
}

// Run plays the matches of the schedule that have no record yet; recorded are
// the others, in schedule order. It returns when every match has a record, the
// context is done, or something fails through no fault of a bot.
//
// Run first starts every bot once. A bot that cannot play the tournament is a
// [*ConfigError]; several are joined as by [errors.Join]. Bots that did not start
// are a [*MissingError], unless they forfeit their matches. When Run returns, no
// process that it started is left. See [Isolation] for processes that bots start.
//
// Run calls tell with every event, one at a time. A slow tell slows the run.
// Only the Feed knows which matches are in play.
func (t *Tournament) Run(ctx context.Context, recorded []results.Numbered, rec Recorder, tell func(Event)) error {
	d, err := newDispatcher(t.Schedule(), t.DisqualifyAfter, recorded)
	if err != nil {
		return err
	}
	if !d.left() {
		return nil
	}
	here := *t
	here.Entries = t.Playing()
	if d.sched.Complete() {
		here.Concurrency = min(t.Concurrency, d.open)
	}
	h, err := here.Open(ctx, func(i Isolated) error {
		if i.Line != "" {
			tell(Event{Isolated: &i})
		}
		return nil
	})
	if err != nil {
		return err
	}
	defer h.Close()
	if why := h.Unbound(); why != nil {
		tell(Event{Unbound: &Unbound{why}})
	}
	forfeit := t.Missing == ForfeitMissing
	missing := &MissingError{Bots: h.Failed()}
	if forfeit || len(missing.Bots) > 1 {
		for _, start := range missing.Bots {
			tell(Event{BotFailed: &BotFailed{Bot: start.Bot, What: start.Error(), Forfeits: forfeit}})
		}
	}
	if !forfeit && len(missing.Bots) > 0 {
		return missing
	}
	tell(Event{RunBegun: &RunBegun{}})

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	unstored := newBacklog()
	go h.playAll(ctx, cancel, d, unstored) // closes the backlog when it ends, which ends record
	if err := unstored.record(rec, tell, cancel); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// tryBots starts every bot, several concurrently. It then tries those that did not get
// ready once more, each alone, because a slow machine is not a bot's fault. It
// returns those that did not get ready then either. If a bot is a [*guest.ConfigError],
// nothing is played, so the error names the others after their first try.
func (t *Tournament) tryBots(ctx context.Context, n *guest.Spawner) (map[string]*guest.StartError, error) {
	errs := make([]error, len(t.Entries))
	// A bot that does not start costs little but the time of the wait.
	const atOnce = 4
	limit := make(chan struct{}, max(atOnce, t.Concurrency))
	var tries sync.WaitGroup
	for i := range t.Entries {
		tries.Go(func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			errs[i] = t.tryBot(ctx, &t.Entries[i], n)
		})
	}
	tries.Wait()
	unfit := slices.ContainsFunc(errs, func(err error) bool { return errors.As(err, new(*guest.ConfigError)) })
	var wrong []error
	failed := make(map[string]*guest.StartError)
	for i, err := range errs {
		start := new(guest.StartError)
		if errors.As(err, &start) && ctx.Err() == nil && !unfit {
			err = t.tryBot(ctx, &t.Entries[i], n)
		}
		switch {
		case errors.As(err, new(*guest.RunnerError)):
			return nil, err
		case errors.As(err, &start) && !unfit:
			failed[start.Bot] = start
		case err != nil:
			wrong = append(wrong, err)
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return failed, errors.Join(wrong...)
}

// tryBot starts a bot and sends it away. If it fails to get ready, and the tournament keeps logs, what it said is in
// one. If such bots forfeit their matches, so do those that the machine cannot execute or that do not play the ruleset.
func (t *Tournament) tryBot(ctx context.Context, e *guest.Entry, n *guest.Spawner) error {
	var text bytes.Buffer
	s := guest.Session{Since: time.Now()}
	if t.LogFolder != "" {
		s.Log = guest.NewLog(&text, s.Since)
	}
	p, err := guest.Start(ctx, e, t.Rules.Info().Name, t.Time.Startup, n, s)
	if err == nil {
		p.Quit(n)
	}
	unfit := new(guest.ConfigError)
	if errors.As(err, &unfit) && t.Missing == ForfeitMissing && !strings.HasPrefix(unfit.Key, "options.") {
		return &guest.StartError{Bot: unfit.Bot, Reason: unfit.Err.Error()}
	}
	if s.Log == nil {
		return err
	}
	s.Log.Close()
	if errors.As(err, new(*guest.StartError)) {
		name := fmt.Sprintf("%s-start-%s.log", t.Name, inFileName(e.Name))
		if err := os.WriteFile(filepath.Join(t.LogFolder, name), text.Bytes(), 0o644); err != nil {
			return &guest.RunnerError{Err: err}
		}
	}
	return err
}
