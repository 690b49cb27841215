package workers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"sembra/arena"
	"sembra/results"
	"sembra/results/safe"
)

// The answers that nobody waits for come again. They are to jobs that an earlier runner has sent and this one has not
// sent yet, or to jobs that were played twice. After some time they are dropped.
const (
	comesAgain   = 2 * time.Second
	mostDeferred = 60 // times
)

// receive takes an answer from the server.
func (r *Runner) receive(msg jetstream.Msg) {
	if msg.Subject() == answerSubject+"probe" {
		_ = msg.Ack() // else it comes again, like all that is not confirmed
		return
	}
	a := Answer{confirm: func() { _ = msg.Ack() }}
	if err := decode("an answer", msg.Data(), &a); err != nil {
		r.report("dropped: " + safe.Short(err.Error()))
		a.confirm()
		return
	}
	a.cut()
	if a.Plan != r.sign().Plan {
		a.confirm()
		return
	}
	if to, waits := r.waiting.Load(a.Job); waits {
		select {
		case to.(chan Answer) <- a:
		default: // an answer is there already, and will be confirmed
		}
		return
	}
	if meta, err := msg.Metadata(); err == nil && meta.NumDelivered < mostDeferred {
		_ = msg.NakWithDelay(comesAgain)
		return
	}
	a.confirm()
}

// mostTroubles is how many times a pair may come back without its records because a machine failed or a record did not
// hold.
const mostTroubles = 3

// Play has a pair played. See [arena.Remote].
func (r *Runner) Play(ctx context.Context, pair []arena.Job, back func(arena.Returned)) error {
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.sent--
		r.changed.Broadcast()
	}()
	var troubles []string
	for missing := pair; len(missing) > 0; {
		a, err := r.ask(ctx, newJob(r.sign().Plan, missing, len(troubles)))
		if err != nil {
			return err
		}
		if a.Failed != "" {
			a.confirm()
			troubles = append(troubles, fmt.Sprintf("worker %s: %s", a.Who, safe.Short(a.Failed)))
			if !a.Final {
				back(arena.Returned{Job: missing[0], Failed: troubles[len(troubles)-1]})
			}
		} else {
			missing, err = r.take(a, missing, back)
			if err != nil {
				troubles = append(troubles, fmt.Sprintf("an invalid record of worker %s: %s", a.Who, safe.Short(err.Error())))
				r.report("dropped: " + troubles[len(troubles)-1])
			}
		}
		if len(missing) > 0 && (a.Final || len(troubles) >= mostTroubles) {
			return &arena.SetAsideError{Job: missing[0], Reason: strings.Join(troubles, "; ")}
		}
	}
	return nil
}

// errNoRecord says that an answer has no record of a match.
var errNoRecord = errors.New("there is none")

// take takes the records of an answer that hold, and returns the matches that have none, with the first reason why one
// is not valid. A match may be without a record if the other one has one: an earlier runner may have asked for
// that one alone. The answer is confirmed when the last of the others is safe.
func (r *Runner) take(a Answer, wanted []arena.Job, back func(arena.Returned)) (missing []arena.Job, wrong error) {
	left := new(atomic.Int64)
	left.Add(1) // this function
	stored := func() {
		if left.Add(-1) == 0 {
			a.confirm()
		}
	}
	defer stored()
	for _, job := range wanted {
		rec, err := r.recordOf(a, job)
		if err == nil {
			left.Add(1)
			back(arena.Returned{Job: job, Record: rec, Stored: stored})
			continue
		}
		missing = append(missing, job)
		if wrong == nil {
			wrong = fmt.Errorf("%v: %w", job.Key, err)
		}
	}
	if len(missing) < len(wanted) && errors.Is(wrong, errNoRecord) {
		wrong = nil
	}
	return missing, wrong
}

// recordOf returns the record of a match in an answer, if it holds.
func (r *Runner) recordOf(a Answer, job arena.Job) (rec results.Record, err error) {
	at := slices.IndexFunc(a.Records, func(rec results.Record) bool { return rec.Key == job.Key })
	if at < 0 {
		return rec, errNoRecord
	}
	rec = a.Records[at]
	if err := referee(r.run.Plan, r.run.Rules, job, rec); err != nil {
		return rec, err
	}
	if e := rec.Evidence; e != nil { // a worker may say what harms a terminal
		for _, what := range []*string{&e.What, &e.South.What, &e.North.What} {
			*what = safe.Line(*what)
		}
	}
	rec.Worker = a.Name + " on " + a.Machine
	rec.Files = [2]string{r.plan.bot(rec.South).Bundle, r.plan.bot(rec.North).Bundle}
	return rec, nil
}

// ask sends a job and takes its answer.
func (r *Runner) ask(ctx context.Context, job Job) (a Answer, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(r.stopped, func() { cancel(context.Cause(r.stopped)) })()
	to := make(chan Answer, 1)
	r.waiting.Store(job.ID, to)
	defer r.waiting.Delete(job.ID)
	text, err := json.Marshal(job)
	if err != nil {
		return a, err
	}
	if err := r.publish(ctx, jobSubject+job.ID, text); err != nil {
		return a, err
	}
	look := time.NewTicker(r.timing.gone)
	defer look.Stop()
	for {
		select {
		case a = <-to:
			return a, nil
		case <-look.C:
			if r.nobody() && r.jobs.Purge(ctx, jetstream.WithPurgeSubject(jobSubject+job.ID)) == nil {
				return a, arena.ErrNoMachine
			}
			if err := r.publish(ctx, jobSubject+job.ID, text); err != nil { // the server may have lost it; it keeps one
				return a, err
			}
		case <-ctx.Done():
			return a, context.Cause(ctx)
		}
	}
}

// nobody reports whether there has been no worker for a while, so that this machine plays what was sent.
func (r *Runner) nobody() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.run.Concurrency > 0 && r.slots == 0 && time.Since(r.alone) > 2*r.timing.gone
}

// mostSent is how many pairs can be under way. Each needs about 10 kB of memory here.
const mostSent = 200_000

// Reserve waits until there are fewer pairs under way than twice the matches that all workers play concurrently. Without a
// worker there is no room. If fewer than two bots have started, nothing is sent, and there is always room.
func (r *Runner) Reserve(ctx context.Context) error {
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
		case r.sent < min(2*r.slots, mostSent), len(r.plan.Bots) < 2:
			r.sent++
			return nil
		}
		r.changed.Wait()
	}
}
