package arena

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"sembra/results"
)

// Remote plays matches on other machines.
type Remote interface {
	// Begin lets the other machines prepare. The run calls it once, before all else. absent names the bots that did not
	// start here: no match of theirs is sent. An error ends the run.
	Begin(ctx context.Context, absent []string) error

	// Room waits until one more pair may be sent, or until the context is done. It keeps a place for that pair
	// until Play returns. Any error but the context's ends the run.
	Room(ctx context.Context) error

	// Play has the matches of one pair played: two, one, or none. It returns one record for each job, in the same order.
	// The records are refereed already. If a machine fails and others try again, Play calls void with a job and the
	// reason. The error is an [*AsideError] if matches cannot be played, or [ErrNobody] if nobody is there to play them:
	// those whose Returned is zero. Any other error ends the run.
	Play(ctx context.Context, pair []Job, void func(job Job, reason string)) ([]Returned, error)
}

// Returned is a record that came back from another machine.
type Returned struct {
	Record results.Record
	Stored func() // called when the record is safe; not nil
}

// ErrNobody says that there is no other machine for now. The matches are played by whoever is free first.
var ErrNobody = errors.New("no other machine is there")

// AsideError says that matches could not be played, while the others could.
type AsideError struct {
	Job    Job // the first of them
	Reason string
}

// Error names the match and the reason.
func (e *AsideError) Error() string {
	return fmt.Sprintf("match %d (%s) is set aside: %s", e.Job.Number, e.Job.Key, e.Reason)
}

// LeftError says which matches a run left because they were set aside.
type LeftError struct{ Aside []*AsideError }

// Error names the first of them, with the reasons.
func (e *LeftError) Error() string {
	const most = 20
	var all []string
	for _, one := range e.Aside[:min(len(e.Aside), most)] {
		all = append(all, one.Error())
	}
	if more := len(e.Aside) - most; more > 0 {
		all = append(all, fmt.Sprintf("%d more are set aside", more))
	}
	return strings.Join(all, "; ") + " (hint: the same command tries them again)"
}

// sendAll has other machines play the matches that are left. Matches that nobody plays, because a bot has not started
// or is disqualified, are recorded here. sendAll returns when no match is left and all records are back. It returns the
// matches that were set aside.
func (l *Local) sendAll(ctx context.Context, cancel context.CancelCauseFunc, d *dispatcher, unstored backlog) (left LeftError) {
	var absent []string
	for _, start := range l.Failed() {
		absent = append(absent, start.Bot)
	}
	if err := l.t.Remote.Begin(ctx, absent); err != nil {
		cancel(err)
		return left
	}
	var sent sync.WaitGroup
	var mu sync.Mutex
	room, over := context.WithCancel(ctx)
	go func() {
		d.await()
		over()
	}()
	for {
		if err := l.t.Remote.Room(room); err != nil && room.Err() == nil {
			cancel(err)
		}
		unstored.await() // else records gather in memory faster than the disk writes them
		if room.Err() != nil || ctx.Err() != nil {
			break
		}
		pair := d.nextPair()
		if pair == nil {
			break
		}
		sent.Go(func() {
			err := l.send(ctx, pair, d, unstored)
			if aside := new(AsideError); errors.As(err, &aside) {
				mu.Lock()
				defer mu.Unlock()
				left.Aside = append(left.Aside, aside)
			} else if err != nil && !errors.Is(err, ErrNobody) {
				cancel(err)
			}
		})
	}
	sent.Wait()
	over()
	return left
}

// plays reports whether the bots of a match play at all: none of them is disqualified, and all have started.
func (l *Local) plays(t task) bool {
	return t.disqualified == [2]bool{} && l.failed[t.key.South] == nil && l.failed[t.key.North] == nil
}

// send has another machine play a pair, and notes its records.
func (l *Local) send(ctx context.Context, pair []task, d *dispatcher, unstored backlog) error {
	var jobs []Job
	var tasks []task
	for _, task := range pair {
		job := l.t.job(task.number, task.key)
		if l.plays(task) {
			jobs, tasks = append(jobs, job), append(tasks, task)
			continue
		}
		start, err := startOf(l.t.Rules, job.Opening)
		if err != nil {
			return err
		}
		rec, what := l.forfeit(job, start, task.disqualified)
		unstored.add(ending{job: job, record: rec, what: what, disqualified: task.disqualified})
		d.back(task.number, &rec.Summary, false)
	}
	returned, err := l.t.Remote.Play(ctx, jobs, func(job Job, reason string) {
		unstored.add(ending{job: job, void: errors.New(reason), again: true})
	})
	nobody := errors.Is(err, ErrNobody)
	if aside := new(AsideError); err != nil && !nobody && !errors.As(err, &aside) {
		return err
	}
	for i, task := range tasks {
		if i >= len(returned) || returned[i].Stored == nil {
			d.back(task.number, nil, nobody)
			continue
		}
		r := returned[i]
		end := ending{job: jobs[i], record: r.Record, stored: r.Stored}
		if r.Record.Evidence != nil {
			end.what = r.Record.Evidence.What
		}
		unstored.add(end)
		d.back(task.number, &r.Record.Summary, false)
	}
	return err
}
