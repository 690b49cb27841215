package workers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"sembra/arena"
)

// longestSilence is how long nothing can happen in a match that goes on.
func longestSilence(c arena.TimeControl) time.Duration {
	return max(c.Watchdog, c.Move+c.Margin, c.Base+c.Margin) + 3*c.Startup + time.Minute
}

// take takes a job from one of the lanes; nil: there is none for now.
func (w *worker) take(ctx context.Context, lanes []jetstream.Consumer, turn int) jetstream.Msg {
	for i := range lanes {
		if len(lanes) == 1 {
			break
		}
		batch, err := lanes[(turn+i)%len(lanes)].FetchNoWait(1)
		if err != nil {
			continue
		}
		if msg := <-batch.Messages(); msg != nil {
			return msg
		}
	}
	// This side waits longer than the server: a job that nobody receives would be delivered again only after its wait.
	batch, err := lanes[turn%len(lanes)].Fetch(1, jetstream.FetchMaxWait(w.timing.poll))
	if err != nil {
		pause(ctx) // the server is away, or the plan is over
		return nil
	}
	select {
	case msg := <-batch.Messages():
		if msg == nil && batch.Error() != nil {
			pause(ctx) // the server answers, but it has no such lane or no leader
		}
		return msg
	case <-ctx.Done():
		w.fetching.Go(func() {
			if msg := <-batch.Messages(); msg != nil {
				_ = msg.Nak() // for another worker
			}
		})
		return nil
	}
}

// seat is one table of a worker.
type seat struct {
	*worker
	number  int
	tables  *arena.Tables
	plan    *Plan
	hash    string
	longest time.Duration // that nothing can happen in a match

	answering sync.WaitGroup // the answer to the last job
}

// do plays a job and answers.
func (s *seat) do(ctx, worker context.Context, msg jetstream.Msg) {
	var job Job
	err := decode("a job", msg.Data(), &job)
	if err == nil {
		err = job.check(s.hash, s.plan)
	}
	if err != nil {
		s.o.Tell("dropped: " + safe(err.Error()))
		_ = msg.Term() // else it comes again
		return
	}
	if s.o.onTake != nil {
		s.o.onTake(job)
	}
	answer := Answer{Version: valueVersion, Plan: s.hash, Job: job.ID, Worker: s.o.Name, Machine: s.self.Machine}
	meta, err := msg.Metadata()
	if err == nil && meta.NumDelivered > mostEnded {
		answer.Ended = int(meta.NumDelivered) - 1
		s.answer(ctx, answer, msg)
		return
	}
	beating, stop := context.WithCancel(ctx)
	go s.keepAlive(beating, msg, job)
	answer.Records, err = s.playJob(ctx, job)
	s.answering.Wait()
	if err == nil { // the next job is on its way meanwhile
		s.answering.Go(func() {
			defer stop()
			s.answer(ctx, answer, msg)
		})
		return
	}
	defer stop()
	switch {
	case worker.Err() != nil:
		answer.GivenBack = true
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), partsIn)
		defer cancel()
		s.answer(within, answer, msg)
	case ctx.Err() == nil:
		answer.Records, answer.Failed = nil, safe(err.Error())
		s.o.Tell("the machine failed: " + answer.Failed)
		s.answer(ctx, answer, msg)
		select { // it may be short of something
		case <-time.After(restAfterFailure):
		case <-ctx.Done():
		}
	}
}

const (
	partsIn          = 3 * time.Second // to give a job back
	restAfterFailure = 10 * time.Second
)

// playJob plays the matches of a job.
func (s *seat) playJob(ctx context.Context, job Job) (records []Record, err error) {
	for _, match := range job.Matches {
		rec, err := s.tables.Play(ctx, s.number, match)
		if err != nil {
			return nil, err
		}
		s.say(func(p *Presence) { p.Matches++ })
		records = append(records, packed(rec))
	}
	return records, nil
}

// answer stores an answer at the server and then confirms the job. As long as the server is full, it waits: nobody plays
// the job again meanwhile.
func (s *seat) answer(ctx context.Context, a Answer, job jetstream.Msg) {
	for told := false; ; told = true {
		_, err := s.publish(ctx, answerSubject+a.Job, encode(a))
		if err == nil {
			break
		}
		large := new(tooLarge)
		switch {
		case ctx.Err() != nil: // the job will come again
			return
		case errors.As(err, &large) && len(a.Records) > 1: // the runner asks for the other match again
			a.Records = a.Records[:1]
			continue
		case errors.As(err, &large) && len(a.Records) == 1:
			a.Records, a.Failed, a.Final = nil, fmt.Sprintf("the record of %v cannot travel: %v", a.Records[0].Key, err), true
			s.o.Tell(a.Failed)
			continue
		case !errors.As(err, new(*full)):
			s.o.Tell("an answer cannot be sent: " + err.Error())
			return
		case !told:
			s.o.Tell("an answer waits: " + err.Error())
		}
		if !pause(ctx) {
			return
		}
	}
	_ = job.DoubleAck(ctx) // without it, the job comes again, and its second answer is dropped
}

// keepAlive sends signs of life for a job, as long as something happens in its match.
func (s *seat) keepAlive(ctx context.Context, msg jetstream.Msg, job Job) {
	tick := time.NewTicker(s.timing.ack / 4)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		last := time.Now() // between two matches
		for _, m := range s.inPlay() {
			if slices.ContainsFunc(job.Matches, func(match arena.Job) bool { return match.Slot == m.Slot }) {
				if last = m.At; m.Moved.After(last) {
					last = m.Moved
				}
			}
		}
		if time.Since(last) > s.longest {
			return
		}
		_ = msg.InProgress() // without it, the job is delivered again
	}
}
