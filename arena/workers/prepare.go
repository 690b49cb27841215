package workers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"sembra/arena"
)

// refusal is a reason not to play a tournament.
type refusal struct{ reason string }

func (r *refusal) Error() string { return r.reason }

// fetchPlan gets the plan from the server. It refuses that of another version, which may have other fields.
func (w *worker) fetchPlan(ctx context.Context, hash string) (*Plan, error) {
	if !validHash(hash) {
		return nil, fmt.Errorf("the server announces the plan %.80q, which is no hash", hash)
	}
	files, err := w.js.ObjectStore(ctx, filesStore)
	if err != nil {
		return nil, err
	}
	within, cancel := transfer(ctx, 0)
	defer cancel()
	object, err := files.Get(within, planObject(hash))
	if err != nil {
		return nil, fmt.Errorf("the plan of the tournament cannot be read: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(object, mostPlan))
	if err = errors.Join(err, object.Close()); err != nil {
		return nil, fmt.Errorf("the plan of the tournament cannot be read: %w", err)
	}
	if hashOf(text) != hash {
		return nil, errors.New("the plan of the tournament is damaged")
	}
	var head struct { // what every version of a plan has
		Program string `json:"program"`
	}
	if err := json.Unmarshal(text, &head); err == nil {
		if err := w.sameProgram(head.Program); err != nil {
			return nil, err
		}
	}
	plan := new(Plan)
	if err := decode("the plan", text, plan); err != nil {
		return nil, &refusal{err.Error()}
	}
	return plan, nil
}

// sameProgram refuses a runner of another version.
func (w *worker) sameProgram(runner string) error {
	if runner == w.o.Program {
		return nil
	}
	return &refusal{fmt.Sprintf("this worker is sembra %s, but the runner is sembra %s; both must be the same version",
		w.o.Program, safe(runner))}
}

// accept refuses a plan that this program cannot play.
func (w *worker) accept(plan *Plan) error {
	if err := w.sameProgram(plan.Program); err != nil {
		return err
	}
	if err := plan.check(); err != nil {
		return &refusal{err.Error()}
	}
	if demands := plan.demands(); len(demands) > 0 && !w.o.Trust && !onLoopback(w.o.Address) {
		return &refusal{"the tournament wants for its bots on this machine: " + strings.Join(demands, "; ") +
			" (hint: --trust allows what the runner wants)"}
	}
	for _, path := range plan.Isolation.Read {
		if _, err := os.Stat(path); err != nil {
			return &refusal{fmt.Sprintf("bots may read %s, which the worker's machine does not have", safe(path))}
		}
	}
	return nil
}

// shield refuses bots of another machine if this one cannot isolate them, unless the owner of the worker allows it.
func (w *worker) shield(ctx context.Context, i arena.Isolation) error {
	if w.o.Trust || onLoopback(w.o.Address) {
		return nil
	}
	shields, err := i.Shields(ctx)
	if err == nil && !shields {
		err = &refusal{"this machine cannot keep bots from your files and from the network (hint: --trust gives them your own rights)"}
	}
	return err
}

// fetchBundles gets the files of the bots that are not in the cache.
func (w *worker) fetchBundles(ctx context.Context, plan *Plan) error {
	files, err := w.js.ObjectStore(ctx, filesStore)
	if err != nil {
		return err
	}
	cache := cache{w.o.Cache}
	if err := cache.prepare(); err != nil {
		return fmt.Errorf("the cache for the files of bots: %w", err)
	}
	cache.touch(plan.bundles(), time.Now())
	if err := cache.tidy(time.Now(), mostCached); err != nil {
		w.o.Tell("old files of bots cannot be removed: " + safe(err.Error()))
	}
	for _, b := range plan.Bots {
		if b.Bundle == "" || cache.has(b.Bundle) {
			continue
		}
		if err := w.fetchBundle(ctx, files, b, cache); err != nil {
			return fmt.Errorf("the files of bot %s cannot be read: %w", safe(b.Name), err)
		}
	}
	return nil
}

func (w *worker) fetchBundle(ctx context.Context, files jetstream.ObjectStore, b Bot, cache cache) error {
	within, cancel := transfer(ctx, b.Size)
	defer cancel()
	object, err := files.Get(within, b.Bundle)
	if err != nil {
		return err
	}
	return errors.Join(cache.add(b.Bundle, b.Size, object), object.Close())
}

// measure measures this machine, and refuses a margin that it cannot keep.
func (w *worker) measure(ctx context.Context, plan *Plan, i arena.Isolation) error {
	if w.o.Measure == nil {
		return nil
	}
	charge, err := w.o.Measure(ctx, i)
	if err = cmp.Or(err, ctx.Err()); err != nil { // a measurement that is stopped has no result
		return err
	}
	clocked := plan.Time.Move > 0 || plan.Time.Base > 0
	if charge == (Charge{}) {
		const busy = "is too busy to measure what it adds to a move"
		if clocked {
			return &refusal{"the worker's machine " + busy + " (hint: stop what else runs there)"}
		}
		w.o.Tell("this machine " + busy)
		return nil
	}
	w.say(func(p *Presence) { p.Charge = &charge })
	longest := charge.Longest.Round(10 * time.Microsecond)
	w.o.Tell(fmt.Sprintf("this machine adds %v to most moves and %v to the slowest one", charge.Median.Round(time.Microsecond), longest))
	if clocked && charge.Longest > plan.Time.Margin {
		return &refusal{fmt.Sprintf("the worker's machine adds up to %v to a move, and the margin of the clock is %v "+
			"(hint: fewer matches at once, nothing else on that machine, or a larger margin)", longest, plan.Time.Margin)}
	}
	return nil
}

// openHall starts the bots. lacks has the needs that this machine does not meet, with the reason.
func openHall(ctx context.Context, t *arena.Tournament, plan *Plan) (hall *arena.Hall, lacks map[string]string, err error) {
	lacks = make(map[string]string)
	for _, e := range t.Entries {
		if command, ok := e.Launcher.(arena.Command); ok {
			if _, err := command.Program(); err != nil {
				lacks[plan.bot(e.Name).Need] = fmt.Sprintf("bot %s: %v", e.Name, err)
			}
		}
	}
	for {
		playable := *t
		playable.Entries = slices.DeleteFunc(slices.Clone(t.Entries), func(e arena.Entry) bool {
			_, lacking := lacks[plan.bot(e.Name).Need]
			return lacking
		})
		hall, err := playable.Open(ctx)
		if err != nil && ctx.Err() == nil {
			if wrong := configErrors(err); len(wrong) > 0 && note(lacks, plan, wrong) {
				continue
			}
		}
		if err != nil {
			return nil, nil, err
		}
		failed := hall.Failed()
		for _, start := range failed {
			need := plan.bot(start.Bot).Need
			met := func(e arena.Entry) bool {
				hasFailed := func(other *arena.StartError) bool { return other.Bot == e.Name }
				return plan.bot(e.Name).Need == need && !slices.ContainsFunc(failed, hasFailed)
			}
			// The bot may start nowhere. Its matches must not keep the worker from those of other bots then.
			if !plan.Forfeit || !slices.ContainsFunc(playable.Entries, met) {
				lacks[need] = start.Error()
			}
		}
		return hall, lacks, nil
	}
}

// note notes the needs of bots that cannot play here, and reports whether any is new.
func note(lacks map[string]string, plan *Plan, wrong []*arena.ConfigError) (added bool) {
	for _, w := range wrong {
		need := plan.bot(w.Bot).Need
		if _, known := lacks[need]; !known {
			lacks[need], added = w.Error(), true
		}
	}
	return added
}

// configErrors returns the errors of single bots among joined errors.
func configErrors(err error) (all []*arena.ConfigError) {
	if joined, several := err.(interface{ Unwrap() []error }); several {
		for _, one := range joined.Unwrap() {
			all = append(all, configErrors(one)...)
		}
		return all
	}
	if one := new(arena.ConfigError); errors.As(err, &one) {
		return []*arena.ConfigError{one}
	}
	return nil
}

// lanesWithout returns the lanes that need nothing of what is lacking.
func (p *Plan) lanesWithout(lacks map[string]string) (lanes []int) {
	if _, builtin := lacks[""]; builtin {
		return nil
	}
	for n, lane := range p.Lanes {
		lacking := func(need string) bool { _, is := lacks[need]; return is }
		if !slices.ContainsFunc(lane.Needs, lacking) {
			lanes = append(lanes, n)
		}
	}
	return lanes
}
