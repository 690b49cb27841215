package arena

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"sembra/results"
)

// Remote plays matches on other machines.
type Remote interface {
	// Begin lets the other machines prepare. The run calls it once, before all else. absent names the bots that did not
	// start here: no match of theirs is sent. An error ends the run.
	Begin(ctx context.Context, absent []string) error

	// Reserve waits until one more pair may be sent, or until the context is done. It keeps a place for that pair
	// until Play returns. Any error but the context's ends the run.
	Reserve(ctx context.Context) error

	// Play has the matches of one pair played: two, one, or none. It passes on each record that is returned, and each
	// failure after which others try again. The error is an [*SetAsideError] if matches cannot be played, or [ErrNoMachine]
	// if nobody is there to play them: those without a record. Any other error ends the run.
	Play(ctx context.Context, pair []Job, back func(Returned)) error
}

// Returned is what another machine has returned.
type Returned struct {
	Job    Job
	Record results.Record // refereed already
	Stored func()         // called when the record is safe

	Failed string // why the machine failed; "": it did not. There is no record then.
}

// ErrNoMachine says that there is no other machine for now. The matches are played by whoever is free first.
var ErrNoMachine = errors.New("no other machine is there")

// SetAsideError says that matches could not be played, while the others could.
type SetAsideError struct {
	Job    Job // the first of them
	Reason string
}

// Error names the match and the reason.
func (e *SetAsideError) Error() string {
	return fmt.Sprintf("match %d (%s) is set aside: %s", e.Job.Number, e.Job.Key, e.Reason)
}

// UnplayedError says which matches a run left because they were set aside.
type UnplayedError struct{ Aside []*SetAsideError }

// Error names the first of them, with the reason.
func (e *UnplayedError) Error() string {
	text := e.Aside[0].Error()
	if more := len(e.Aside) - 1; more > 0 {
		text += fmt.Sprintf("; %d more are set aside", more)
	}
	return text + " (hint: the same command tries them again)"
}

// sendAll has other machines play the matches that are left. It returns when no match is left and all records are back.
func (l *Local) sendAll(ctx context.Context, cancel context.CancelCauseFunc, d *dispatcher, unstored backlog) {
	var absent []string
	for _, start := range l.Failed() {
		absent = append(absent, start.Bot)
	}
	if err := l.run.Remote.Begin(ctx, absent); err != nil {
		cancel(err)
		return
	}
	room, over := context.WithCancel(ctx)
	defer over()
	go func() { // until no match is left
		d.await()
		over()
	}()
	var sent sync.WaitGroup
	defer sent.Wait()
	for {
		if err := l.run.Remote.Reserve(room); err != nil {
			if room.Err() == nil {
				cancel(err)
			}
			return
		}
		pair := d.nextPair()
		if pair == nil {
			return
		}
		sent.Go(func() {
			if err := l.send(ctx, pair, d, unstored); err != nil {
				cancel(err)
			}
		})
	}
}

// send has another machine play a pair, and notes its records. Matches that nobody plays, because a bot has not started
// or is disqualified, are recorded here. An error ends the run.
func (l *Local) send(ctx context.Context, pair []task, d *dispatcher, unstored backlog) error {
	var jobs []Job
	for _, task := range pair {
		job := l.run.job(task.number, task.key)
		if !l.forfeits(job, task.disqualified) {
			jobs = append(jobs, job)
			continue
		}
		ended, err := l.forfeit(job, task.disqualified)
		if err != nil {
			return err
		}
		unstored.add(ending{ended: ended})
		d.back(job.Number, &ended.Record.Summary, nil)
	}
	err := l.run.Remote.Play(ctx, jobs, func(r Returned) {
		if r.Failed != "" {
			unstored.add(ending{void: &MatchVoid{r.Job, r.Failed, true}})
			return
		}
		unstored.add(ending{ended: &MatchEnded{Number: r.Job.Number, Record: r.Record}, stored: r.Stored})
		d.back(r.Job.Number, &r.Record.Summary, nil)
		jobs = slices.DeleteFunc(slices.Clone(jobs), func(job Job) bool { return job.Key == r.Job.Key })
	})
	if err != nil && !errors.Is(err, ErrNoMachine) && !errors.As(err, new(*SetAsideError)) {
		return err
	}
	for _, job := range jobs {
		d.back(job.Number, nil, err)
	}
	return nil
}
