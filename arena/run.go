package arena

import (
	"bytes"
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

// Run is a tournament with all that is needed to play it on this machine. Its plan is complete.
type Run struct {
	results.Tournament
	Rules   engine.Ruleset // of the plan
	Entries []guest.Entry  // of the plan's bots, in their order
	Machine
}

// Machine is what belongs to the machine on which a tournament is played, and not to its plan.
type Machine struct {
	Concurrency int           // number of concurrent matches on this machine; 0 only with Remote
	Processors  int           // on which both bots of a match run; 0: the system decides where they run
	Hidden      []string      // absolute paths that no bot may read, as in [sandbox.Limits]
	LogFolder   string        // for a log of each match, with everything that the bots and the arena say; "": no logs
	Missing     MissingPolicy // what happens if a bot does not start; "": RefuseMissing
	Remote      Remote        // plays matches on other machines; nil: all are played here
	Feed        *Feed         // is told which matches are in play; nil: nobody is
}

// TimeControl limits how long the bots of a match may think. At most one of Move
// and Base is set. Without either there is no clock, only the watchdog.
type TimeControl = results.TimeControl

// MissingPolicy is what happens if a bot does not start before the first match.
type MissingPolicy string

// The values of Missing.
const (
	RefuseMissing  MissingPolicy = "refuse"  // nothing is played
	ForfeitMissing MissingPolicy = "forfeit" // the bot loses its matches
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
func (r *Run) Schedule() *schedule.Schedule { return schedule.New(r.Tournament) }

// job returns the match of a key, which has that number in the schedule. Apart from
// the number, it depends only on the tournament and on who plays.
func (r *Run) job(number int, key results.Key) Job {
	job := Job{Key: key, Number: number, Opening: r.Opening(key.Pair)}
	for seat := range job.Seeds {
		job.Seeds[seat] = matchSeed(r.Seed, key, engine.Seat(seat))
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

// Left reports whether Play with the same records would play a match.
func (r *Run) Left(recorded []results.Numbered) (bool, error) {
	d, err := newDispatcher(r.Schedule(), r.DisqualifyAfter, recorded)
	return err == nil && d.left(), err
}

// Play plays the matches of the schedule that have no record yet; recorded are
// the others, in schedule order. It returns when every match has a record, the
// context is done, or something fails through no fault of a bot.
//
// Play first starts every bot once. A bot that cannot play the tournament is a
// [*guest.ConfigError]; several are joined as by [errors.Join]. Bots that did not start
// are a [*MissingError], unless they forfeit their matches. When Play returns, no
// process that it started is left. See [Isolate] for processes that bots start.
//
// Play calls tell with every event, one at a time. A slow tell slows the run.
// Only the Feed knows which matches are in play.
func (r *Run) Play(ctx context.Context, recorded []results.Numbered, rec Recorder, tell func(Event)) error {
	d, err := newDispatcher(r.Schedule(), r.DisqualifyAfter, recorded)
	if err != nil {
		return err
	}
	if !d.left() {
		return nil
	}
	here := *r
	here.Entries = slices.DeleteFunc(slices.Clone(r.Entries), func(e guest.Entry) bool { return e.Withdrawn })
	if d.sched.Final() {
		here.Concurrency = min(r.Concurrency, d.open)
	}
	h, err := here.Open(ctx, func(i IsolationFound) error {
		if i.Line != "" {
			tell(Event{Isolated: &i})
		}
		return nil
	})
	if err != nil {
		return err
	}
	defer h.Close()
	if why := h.BindError(); why != nil {
		tell(Event{Unbound: &NotBound{why}})
	}
	forfeit := r.Missing == ForfeitMissing
	missing := &MissingError{Bots: h.Failed()}
	if forfeit || len(missing.Bots) > 1 {
		for _, start := range missing.Bots {
			tell(Event{BotFailed: &BotFailed{Bot: start.Bot, What: start.Error(), Stderr: start.Talk.Stderr, Forfeits: forfeit}})
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
func (r *Run) tryBots(ctx context.Context, n *guest.Spawner) (map[string]*guest.StartError, error) {
	errs := make([]error, len(r.Entries))
	// A bot that does not start costs little but the time of the wait.
	const atOnce = 4
	limit := make(chan struct{}, max(atOnce, r.Concurrency))
	var tries sync.WaitGroup
	for i := range r.Entries {
		tries.Go(func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			errs[i] = r.tryBot(ctx, &r.Entries[i], n)
		})
	}
	tries.Wait()
	unfit := slices.ContainsFunc(errs, func(err error) bool { return errors.As(err, new(*guest.ConfigError)) })
	var wrong []error
	failed := make(map[string]*guest.StartError)
	for i, err := range errs {
		start := new(guest.StartError)
		if errors.As(err, &start) && ctx.Err() == nil && !unfit {
			err = r.tryBot(ctx, &r.Entries[i], n)
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
func (r *Run) tryBot(ctx context.Context, e *guest.Entry, n *guest.Spawner) error {
	var text bytes.Buffer
	s := guest.Session{Since: time.Now()}
	if r.LogFolder != "" {
		s.Log = guest.NewLog(&text, s.Since)
	}
	p, err := guest.Start(ctx, e, r.Rules.Info().Name, r.Time.Startup, n, s)
	if err == nil {
		p.Quit(n)
	}
	unfit := new(guest.ConfigError)
	if errors.As(err, &unfit) && r.Missing == ForfeitMissing && !strings.HasPrefix(unfit.Key, "options.") {
		return &guest.StartError{Bot: unfit.Bot, Reason: unfit.Err.Error()}
	}
	if s.Log == nil {
		return err
	}
	s.Log.Close()
	if errors.As(err, new(*guest.StartError)) {
		name := fmt.Sprintf("%s-start-%s.log", r.Name, inFileName(e.Name))
		if err := os.WriteFile(filepath.Join(r.LogFolder, name), text.Bytes(), 0o644); err != nil {
			return &guest.RunnerError{Err: err}
		}
	}
	return err
}
