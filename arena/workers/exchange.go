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
	text    []byte // of one that is early; it takes less space than the answer
}

// receive takes an answer from the server.
func (r *Runner) receive(msg jetstream.Msg) {
	d := delivery{confirm: func() { _ = msg.Ack() }} // without it, the answer comes again
	if err := decode("an answer", msg.Data(), &d.Answer); err != nil {
		r.tellOnce(err.Error(), "dropped: "+safe(err.Error()))
		d.confirm()
		return
	}
	d.name()
	if d.Plan != r.planHash {
		r.tellOnce("other plan", fmt.Sprintf("dropped: an answer of worker %s belongs to another tournament", d.who()))
		d.confirm()
		return
	}
	if !r.place(d, msg.Data()) {
		r.tellOnce("too many", fmt.Sprintf("dropped: an answer of worker %s to a job that was not sent, because there are too many of them; "+
			"no match is lost by that", d.who()))
		d.confirm()
	}
}

// place hands an answer to whoever waits for it, or keeps it. It reports whether there was a place for the answer.
func (r *Runner) place(d delivery, text []byte) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if safe, taken := r.taken[d.Job]; taken { // it was played twice, or the server has not heard yet that it is safe
		if safe {
			d.confirm()
		}
		return true
	}
	if to := r.waiting[d.Job]; to != nil {
		select {
		case to <- d:
		default: // an answer is there already, and will be confirmed
		}
		return true
	}
	return r.keepEarly(d.Job, delivery{confirm: d.confirm, text: text})
}

// name makes the names in an answer safe to keep.
func (a *Answer) name() {
	a.Worker, a.Machine = cutName(a.Worker), cutName(a.Machine)
}

// keepEarly keeps an answer to a job that this runner has not sent yet. It reports whether there was space for the
// answer. Without it, the match is played again when its turn comes.
func (r *Runner) keepEarly(job string, d delivery) bool {
	if before, is := r.early[job]; is {
		r.earlySize -= len(before.text)
		delete(r.early, job)
	}
	if len(r.early) >= mostEarly || r.earlySize+len(d.text) > mostEarlySize {
		return false
	}
	r.early[job] = d
	r.earlySize += len(d.text)
	return true
}

// The bounds of the answers that wait for their jobs.
const (
	mostEarly     = 100_000
	mostEarlySize = 256 << 20 // bytes
)

// who names the worker and its machine.
func (a Answer) who() string { return label(a.Worker, a.Machine) }

// mostTroubles is how many times a pair may come back without its records because a machine failed or a record did not
// hold. mostEnded is how many workers may take a pair and not be heard of again. mostGivenBack is how many times workers
// that are stopped may give it back. After fewGivenBack times, it waits a second each time.
const (
	mostTroubles  = 3
	mostEnded     = 3
	mostGivenBack = 100
	fewGivenBack  = 3
)

// Play has a pair played. See [arena.Away].
func (r *Runner) Play(ctx context.Context, pair []arena.Job, void func(arena.Job, string)) ([]arena.Returned, error) {
	defer r.begin(pair)()
	got := make(map[results.Key]arena.Returned)
	var troubles []string
	missing := pair
	for attempt := 0; len(missing) > 0; attempt++ {
		begun := time.Now()
		d, known, err := r.ask(ctx, newJob(r.planHash, missing, attempt))
		if err != nil {
			return inOrder(got, pair), err
		}
		within := time.Since(begun)
		if known {
			within = 0
		}
		switch {
		case d.Ended >= mostEnded:
			d.confirm()
			return inOrder(got, pair), &arena.AsideError{Job: missing[0], Reason: fmt.Sprintf("%d workers took it and were not heard of again", d.Ended)}
		case d.GivenBack:
			d.confirm()
			if attempt >= mostGivenBack {
				return inOrder(got, pair), &arena.AsideError{Job: missing[0], Reason: fmt.Sprintf("workers gave it back %d times", attempt+1)}
			}
			if attempt >= fewGivenBack { // one worker does so again and again, until another one is free
				pause(ctx)
			}
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
		if len(missing) > 0 && len(troubles) >= mostTroubles {
			return inOrder(got, pair), &arena.AsideError{Job: missing[0], Reason: strings.Join(troubles, "; ")}
		}
	}
	return inOrder(got, pair), nil
}

// begin notes that a pair is under way, until the function that it returns is called. The pair has a place.
func (r *Runner) begin(pair []arena.Job) (end func()) {
	note := func(sent int) {
		if len(pair) > 0 { // nothing of it is sent if nobody plays it
			r.lanes[r.laneOf(pair[0].Key)].sent += sent
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	note(1)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		note(-1)
		r.sent--
		r.changed.Broadcast()
	}
}

// taking notes that an answer is taken, and later that it is confirmed.
func (r *Runner) taking(d delivery) delivery {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.taken[d.Job] = false
	if early, is := r.early[d.Job]; is {
		delete(r.early, d.Job)
		r.earlySize -= len(early.text)
	}
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

// ask sends a job and takes its answer. known says that the job was sent before: by an earlier runner, or when there were
// workers for it.
func (r *Runner) ask(ctx context.Context, job Job) (d delivery, known bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(r.stopped, func() { cancel(context.Cause(r.stopped)) })()
	to := make(chan delivery, 1)
	r.mu.Lock()
	early, found := r.early[job.ID]
	recalled := r.recalled[job.ID]
	if !found {
		r.waiting[job.ID] = to
	}
	r.mu.Unlock()
	if found {
		if err := decode("an answer", early.text, &early.Answer); err != nil {
			return d, false, err // it was decoded before
		}
		early.text = nil
		early.name()
		return r.taking(early), true, nil
	}
	defer func() {
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
	begun, told := time.Now(), false
	if known, err = r.publish(ctx, subject, text); err != nil {
		return d, false, err
	}
	for {
		select {
		case d := <-to:
			r.back(time.Since(begun))
			return r.taking(d), known || recalled, nil
		case <-again.C: // the server keeps the job only once
			if _, err := r.publish(ctx, subject, text); err != nil {
				return d, false, err
			}
			told = told || r.tellOverdue(job.Matches[0], lane, time.Since(begun))
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

// recall notes that a job is taken back. A worker that comes back may still play it.
func (r *Runner) recall(job string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.recalled[job] = true
}

// back notes how long a job took.
func (r *Runner) back(took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.slowest = max(r.slowest, took)
}

// tellOverdue tells of a match that takes far longer than all others, and reports whether it did. A worker may have
// taken it and say for ever that it plays.
func (r *Runner) tellOverdue(match arena.Job, lane int, since time.Duration) bool {
	const ratio = 10 // of the slowest job so far, and of the time between two looks
	r.mu.Lock()
	overdue := r.lanes[lane].bare.IsZero() && since > ratio*max(r.slowest, r.timing.resend)
	r.mu.Unlock()
	if overdue {
		r.tellSome(fmt.Sprintf("match %d (%v) was sent to a worker %v ago and is not back "+
			"(hint: when the worker that plays it is stopped, another one gets the match)",
			match.Slot, match.Key, since.Round(time.Second)))
	}
	return overdue
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
			Name: d.Worker, Machine: d.Machine, South: r.plan.bot(rec.South).Bundle, North: r.plan.bot(rec.North).Bundle,
		}
		left.Add(1)
		got[job.Key] = arena.Returned{Record: rec, Stored: stored}
	}
	if len(d.Records) == 0 {
		return errors.New("the answer has none")
	}
	return wrong
}
