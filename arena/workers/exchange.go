package workers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"sembra/arena"
	"sembra/results"
)

// delivery is an answer that is not confirmed yet.
type delivery struct {
	Answer
	confirm func()
	size    int // bytes, of one that is early
}

// receive takes an answer from the server.
func (r *Runner) receive(msg jetstream.Msg) {
	d := delivery{confirm: func() { _ = msg.Ack() }} // without it, the answer comes again
	if err := decode("an answer", msg.Data(), &d.Answer); err != nil {
		r.tellOnce(err.Error(), "dropped: "+safe(err.Error()))
		d.confirm()
		return
	}
	d.Worker, d.Machine = cutName(d.Worker), cutName(d.Machine)
	if d.Plan != r.planHash {
		r.tellOnce("other plan", fmt.Sprintf("dropped: an answer of worker %s belongs to another tournament", d.who()))
		d.confirm()
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if safe, taken := r.taken[d.Job]; taken { // it was played twice, or the server has not heard yet that it is safe
		if safe {
			d.confirm()
		}
		return
	}
	if to := r.waiting[d.Job]; to != nil {
		select {
		case to <- d:
		default: // an answer is there already, and will be confirmed
		}
		return
	}
	r.keepEarly(d, len(msg.Data()))
}

// keepEarly keeps an answer to a job that this runner has not sent yet. If there is no space, the server delivers the
// answer again later.
func (r *Runner) keepEarly(d delivery, size int) {
	d.size = size
	if before, is := r.early[d.Job]; is {
		r.earlySize -= before.size
	} else if len(r.early) >= mostEarly {
		return
	}
	if r.earlySize+size > mostEarlySize {
		delete(r.early, d.Job)
		return
	}
	r.early[d.Job] = d
	r.earlySize += size
}

// The bounds of the answers that wait for their jobs.
const (
	mostEarly     = 100_000
	mostEarlySize = 256 << 20 // bytes
)

// who names the worker and its machine.
func (a Answer) who() string { return safe(a.Worker) + " on " + safe(a.Machine) }

// mostTroubles is how many times a pair may come back without its records because a machine failed or a record did not
// hold. mostEnded is how many workers may take a pair and not be heard of again. mostGivenBack is how many times workers
// that are stopped may give it back.
const (
	mostTroubles  = 3
	mostEnded     = 3
	mostGivenBack = 100
)

// Play has a pair played. See [arena.Away].
func (r *Runner) Play(ctx context.Context, pair []arena.Job, void func(arena.Job, string)) ([]arena.Returned, error) {
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.sent--
		r.changed.Broadcast()
	}()
	got := make(map[results.Key]arena.Returned)
	var troubles []string
	missing := pair
	for attempt := 0; len(missing) > 0; attempt++ {
		begun := time.Now()
		job := newJob(r.planHash, missing, attempt)
		d, known, err := r.ask(ctx, job)
		if err != nil {
			return inOrder(got, pair), err
		}
		d = r.taking(d)
		within := time.Since(begun)
		if known || r.wasRecalled(job.ID) { // it was sent before
			within = 0
		}
		switch {
		case d.Ended >= mostEnded:
			d.confirm()
			return inOrder(got, pair), &arena.AsideError{Job: missing[0], Reason: fmt.Sprintf("%d workers took it and were not heard of again", d.Ended)}
		case d.GivenBack && attempt < mostGivenBack:
			d.confirm()
			continue
		case d.Final:
			d.confirm()
			return inOrder(got, pair), &arena.AsideError{Job: missing[0], Reason: fmt.Sprintf("worker %s: %s", d.who(), safe(d.Failed))}
		case d.Failed != "":
			reason := fmt.Sprintf("worker %s: %s", d.who(), safe(d.Failed))
			d.confirm()
			void(missing[0], reason)
			troubles = append(troubles, reason)
		default:
			if wrong := r.take(d, missing, within, got); wrong != nil {
				reason := fmt.Sprintf("a record of worker %s does not hold: %s", d.who(), safe(wrong.Error()))
				r.tellSome("dropped: " + reason)
				troubles = append(troubles, reason)
			}
		}
		missing = slices.DeleteFunc(slices.Clone(missing), func(j arena.Job) bool { _, ok := got[j.Key]; return ok })
		r.screen.lost(missing)
		if len(missing) > 0 && len(troubles) >= mostTroubles {
			return inOrder(got, pair), &arena.AsideError{Job: missing[0], Reason: strings.Join(troubles, "; ")}
		}
	}
	return inOrder(got, pair), nil
}

// recall notes that a job is taken back. A worker that was cut off may still play it.
func (r *Runner) recall(job string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.recalled == nil {
		r.recalled = make(map[string]bool)
	}
	r.recalled[job] = true
}

func (r *Runner) wasRecalled(job string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.recalled[job]
}

// taking notes that an answer is taken, and later that it is confirmed.
func (r *Runner) taking(d delivery) delivery {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.taken[d.Job] = false
	confirm := d.confirm
	d.confirm = func() {
		confirm()
		r.mu.Lock()
		defer r.mu.Unlock()
		r.taken[d.Job] = true
	}
	return d
}

func inOrder(got map[results.Key]arena.Returned, pair []arena.Job) (all []arena.Returned) {
	for _, job := range pair {
		all = append(all, got[job.Key])
	}
	return all
}

// ask sends a job and waits for its answer. known says that the job was sent by an earlier runner.
func (r *Runner) ask(ctx context.Context, job Job) (d delivery, known bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(r.stopped, func() { cancel(context.Cause(r.stopped)) })()
	to := make(chan delivery, 1)
	r.mu.Lock()
	if early, found := r.early[job.ID]; found {
		delete(r.early, job.ID)
		r.earlySize -= early.size
		r.mu.Unlock()
		return early, true, nil
	}
	r.waiting[job.ID] = to
	r.mu.Unlock()
	r.screen.send(job.Matches)
	defer func() {
		r.screen.back(job.Matches, len(d.Records) > 0)
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.waiting, job.ID)
	}()
	lane := r.laneOf(job.Matches[0].Key)
	subject := fmt.Sprintf("%s%d.%s", jobSubject, lane, job.ID)
	text := encode(job)
	again := time.NewTicker(r.timing.resend)
	defer again.Stop()
	watch := time.NewTicker(r.timing.gone / 2)
	defer watch.Stop()
	if known, err = r.publish(ctx, subject, text); err != nil {
		return d, false, err
	}
	for {
		select {
		case d := <-to:
			return d, known, nil
		case <-again.C: // the server keeps the job only once
			if _, err := r.publish(ctx, subject, text); err != nil {
				return d, false, err
			}
		case <-watch.C:
			if r.nobody(lane) && r.jobs.Purge(ctx, jetstream.WithPurgeSubject(subject)) == nil {
				r.recall(job.ID)
				return d, false, arena.ErrNobody
			}
		case <-ctx.Done():
			return d, false, context.Cause(ctx)
		}
	}
}

// take takes the records of an answer that hold. It returns the first reason why one does not. The answer is confirmed
// when the last of them is safe.
func (r *Runner) take(d delivery, wanted []arena.Job, within time.Duration, got map[results.Key]arena.Returned) (wrong error) {
	tally := r.tallyOf(d.Answer)
	left := new(atomic.Int64)
	left.Add(1) // this function
	stored := func() {
		if left.Add(-1) == 0 {
			d.confirm()
		}
	}
	defer stored()
	for _, job := range wanted {
		at := slices.IndexFunc(d.Records, func(rec Record) bool { return rec.Key == job.Key })
		if at < 0 {
			continue // an answer to a part of the pair, of an earlier runner
		}
		rec, err := d.Records[at].unpacked(r.plan.Ruleset)
		if err == nil {
			err = referee(r.judge, job, rec, within)
		}
		r.mu.Lock()
		tally.count(rec.Summary, err)
		r.mu.Unlock()
		if err != nil {
			wrong = cmp.Or(wrong, fmt.Errorf("%v: %w", job.Key, err))
			continue
		}
		rec.Worker = results.Worker{
			Name: safe(d.Worker), Machine: safe(d.Machine), South: r.plan.bot(rec.South).Bundle, North: r.plan.bot(rec.North).Bundle,
		}
		left.Add(1)
		got[job.Key] = arena.Returned{Record: rec, Stored: stored}
	}
	if len(d.Records) == 0 {
		return errors.New("the answer has none")
	}
	return wrong
}
