package workers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"sembra/arena"
	"sembra/results"
	"sembra/results/safe"
)

// WorkerOptions is what a worker needs.
type WorkerOptions struct {
	Options
	Name        string                     // "": that of the machine
	Concurrency int                        // concurrent matches
	Trust       bool                       // [isolation] holds here too, if it demands more than a sandbox
	Cache       string                     // folder for the files of bots
	Builtin     func(name string) []string // the command of a built-in bot; nil: unknown
}

// Work plays matches of whatever tournament a runner announces at the server, until the context is done. Jobs that it
// has not finished then go to other workers.
//
// It waits for a server that cannot be reached yet. It fails if the server refuses it, and if it cannot play all bots
// of a tournament. It then tells the runner why it leaves.
func Work(ctx context.Context, o WorkerOptions) error {
	o.Name = cmp.Or(o.Name, machine())
	report := o.Report
	o.Report = func(line string) { report(safe.Line(line)) } // a line may have texts of the runner
	l, err := connect(ctx, o.Options, "worker "+o.Name, true)
	if err != nil {
		return err
	}
	defer l.conn.Close()
	self := Heartbeat{Who: Who{o.Name, machine()}, ID: nuid.Next(), Program: o.Program, Slots: o.Concurrency}
	w := &worker{link: l, o: o, self: self}
	err = w.follow(ctx)
	if err == nil || ctx.Err() != nil {
		return nil
	}
	w.sign(safe.Short(err.Error()))
	_ = l.conn.FlushTimeout(w.timing.sign) // else the runner forgets this worker after some time
	return err
}

// worker plays the jobs of one plan after another.
type worker struct {
	*link
	o     WorkerOptions
	self  Heartbeat    // without what changes
	ready atomic.Value // the hash of the plan that it can play, as a string; "": none
}

// sign sends a heartbeat. leaves is why the worker leaves; "": it stays.
func (w *worker) sign(leaves string) {
	s := w.self
	s.Plan, _ = w.ready.Load().(string)
	s.Leaves = leaves
	w.send(workerSubject+s.ID, s)
}

// follow plays the plan that a runner announces, until another one is, and sends heartbeats. It returns why that
// cannot continue, or the cause of the context's end.
func (w *worker) follow(ctx context.Context) error {
	runs := make(chan *nats.Msg, 16) // the library drops more than that
	if _, err := w.conn.ChanSubscribe(runSubject, runs); err != nil {
		return err
	}
	tick := time.NewTicker(w.timing.sign)
	defer tick.Stop()
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	current, over := "", func() {} // over ends the play of the current plan
	defer func() { over() }()
	w.report("waiting for a run")
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
			if w.conn.IsClosed() {
				return w.closed()
			}
			w.sign("")
		case msg := <-runs:
			run, err := readSign(msg.Data)
			if err != nil || run.Plan == current {
				continue
			}
			over()
			over, current = func() {}, run.Plan
			if current == "" {
				w.report("the run has ended; waiting for another run")
				continue
			}
			if run.Program != w.o.Program {
				return fmt.Errorf("this worker is sembra %s, but the runner is sembra %s; both must be the same version",
					w.o.Program, run.Program)
			}
			over = w.begin(ctx, current, fail)
		}
	}
}

// begin begins to play a plan in the background, and calls fail if it cannot. The function that it returns ends that
// and waits for the end.
func (w *worker) begin(ctx context.Context, hash string, fail context.CancelCauseFunc) (over func()) {
	play, cancel := context.WithCancel(ctx)
	var playing sync.WaitGroup
	playing.Go(func() {
		reported := false
		err := w.play(play, hash)
		for errors.As(err, new(*unavailableError)) && pause(play, retryAfter) { // until the server is back
			if !reported {
				w.report(safe.Short(err.Error()) + "; trying again")
				reported = true
			}
			err = w.play(play, hash)
		}
		if err != nil && play.Err() == nil {
			fail(err)
		}
	})
	return func() {
		cancel()
		playing.Wait()
		w.ready.Store("")
	}
}

// play prepares this machine for a plan and plays its jobs until the context is done.
func (w *worker) play(ctx context.Context, hash string) error {
	plan, err := w.fetchPlan(ctx, hash)
	if err != nil {
		return err
	}
	if err := w.accept(plan); err != nil {
		return err
	}
	jobs, err := w.js.Consumer(ctx, jobsStream, jobsReader)
	if err != nil {
		return &unavailableError{err}
	}
	w.report(fmt.Sprintf("preparing for the tournament %q with %d bots", safe.Short(plan.Tournament), len(plan.Bots)))
	bundles := cache{w.o.Cache}
	if err := w.fetchBundles(ctx, plan, bundles); err != nil {
		return err
	}
	here := arena.Machine{Concurrency: w.o.Concurrency, Processors: 1, Hidden: HiddenFiles(w.o.Credentials)}
	run, err := plan.run(here, bundles.folderOf, w.o.Builtin)
	if err != nil {
		return err
	}
	local, err := run.Open(ctx, w.shield)
	if err != nil {
		return err
	}
	defer local.Close()
	if why := local.BindError(); why != nil {
		w.report(fmt.Sprintf("bots are not bound to processors: %v", why))
	}
	if failed := local.Failed(); len(failed) > 0 {
		return failed[0]
	}
	w.report(fmt.Sprintf("playing %q; concurrent matches: %d", safe.Short(plan.Tournament), w.o.Concurrency))
	w.ready.Store(hash)
	w.sign("")
	var playing sync.WaitGroup
	for n := range w.o.Concurrency {
		s := &slot{worker: w, number: n, jobs: jobs, tables: local, plan: plan, hash: hash}
		playing.Go(func() { s.work(ctx) })
	}
	playing.Wait()
	return nil
}

// fetchPlan gets the plan from the server.
func (w *worker) fetchPlan(ctx context.Context, hash string) (*Plan, error) {
	if !validHash(hash) {
		return nil, fmt.Errorf("the server announces the plan %.80q, which is not a hash", hash)
	}
	var text []byte
	err := w.fetch(ctx, hash, mostPlan, func(object io.Reader) (err error) {
		text, err = io.ReadAll(io.LimitReader(object, mostPlan))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the plan of the tournament cannot be read: %w", err)
	}
	if hashOf(text) != hash {
		return nil, errors.New("the plan of the tournament is damaged")
	}
	plan := new(Plan)
	return plan, decode("the plan", text, plan)
}

// unavailableError is the error of something that the server does not give now, because the run ends or the server is away.
type unavailableError struct{ err error }

func (e *unavailableError) Error() string { return serverText(e.err) }

// fetch reads an object of the server, which has that many bytes, with a function.
func (w *worker) fetch(ctx context.Context, name string, bytes int64, read func(io.Reader) error) error {
	ctx, cancel := transfer(ctx, bytes)
	defer cancel()
	files, err := w.js.ObjectStore(ctx, filesStore)
	if err != nil {
		return &unavailableError{err}
	}
	object, err := files.Get(ctx, name)
	if err != nil {
		return &unavailableError{err}
	}
	err = read(object)
	if wrong := object.Error(); wrong != nil { // then the reader has failed for that reason
		err = &unavailableError{wrong}
	}
	return errors.Join(err, object.Close())
}

// accept refuses a plan that this program or its owner cannot play.
func (w *worker) accept(plan *Plan) error {
	if err := plan.check(); err != nil {
		return err
	}
	if demands := plan.demands(); len(demands) > 0 && !w.o.Trust && !onLoopback(w.o.Address) {
		return errors.New("the tournament would allow its bots on this machine: " + strings.Join(demands, "; ") +
			" (hint: --trust allows what the runner wants)")
	}
	for _, path := range plan.Isolation.Read {
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("bots may read %s, which the worker's machine does not have", safe.Short(path))
		}
	}
	return nil
}

// shield refuses bots of another machine if this one cannot isolate them, unless the owner of the worker allows it.
func (w *worker) shield(i arena.IsolationFound) error {
	if !i.Shields && !w.o.Trust && !onLoopback(w.o.Address) {
		return errors.New("this machine cannot keep bots from your files and from the network " +
			"(hint: --trust gives them your own rights)")
	}
	if i.Line != "" {
		w.report("isolation: " + i.Brief)
	}
	return nil
}

// fetchBundles gets the files of the bots that are not in the cache.
func (w *worker) fetchBundles(ctx context.Context, plan *Plan, bundles cache) error {
	if err := bundles.prepare(); err != nil {
		return fmt.Errorf("the cache for the files of bots: %w", err)
	}
	for _, b := range plan.Bots {
		if b.Bundle == "" || bundles.has(b.Bundle) {
			continue
		}
		err := w.fetch(ctx, b.Bundle, b.Size, func(object io.Reader) error { return bundles.add(b.Bundle, b.Size, object) })
		if err != nil {
			return fmt.Errorf("the files of bot %s cannot be read: %w", safe.Short(b.Name), err)
		}
	}
	return nil
}

// slot is one place for a match of a worker.
type slot struct {
	*worker
	number int
	jobs   jetstream.Consumer
	tables *arena.Local
	plan   *Plan
	hash   string
}

// mostDelivered is how many times a job may be delivered. Whoever played it before was killed, was stopped, or was away
// for too long.
const mostDelivered = 5

// work takes jobs, plays them and answers, until the context is done.
func (s *slot) work(ctx context.Context) {
	for ctx.Err() == nil {
		within, cancel := context.WithTimeout(ctx, 5*time.Second)
		msg, err := s.jobs.Next(jetstream.FetchContext(within))
		cancel()
		if err == nil {
			s.do(ctx, msg)
			continue
		}
		s.tables.FreeTable(s.number)
		if !errors.Is(err, nats.ErrTimeout) && !errors.Is(err, context.DeadlineExceeded) {
			pause(ctx, retryAfter) // the server is away, or the run has ended
		}
	}
}

// do plays a job and answers.
func (s *slot) do(ctx context.Context, msg jetstream.Msg) {
	var job Job
	err := decode("a job", msg.Data(), &job)
	if err == nil {
		err = job.check(s.hash, s.plan)
	}
	if err != nil {
		s.report("dropped: " + safe.Short(err.Error()))
		_ = msg.Term() // else it comes again
		return
	}
	answer := Answer{Who: s.self.Who, Plan: s.hash, Job: job.ID}
	working, stop := context.WithCancel(ctx)
	defer stop()
	go s.keepAlive(working, msg)
	if meta, wrong := msg.Metadata(); wrong == nil && meta.NumDelivered > mostDelivered {
		answer.Failed, answer.Final = fmt.Sprintf("%d workers took it and did not finish it", mostDelivered), true
	} else {
		answer.Records, err = s.play(ctx, job.Matches)
	}
	if ctx.Err() != nil {
		_ = msg.Nak() // for another worker
		return
	}
	if err != nil {
		answer.Failed = safe.Short(err.Error())
		s.report("the machine failed: " + answer.Failed)
	}
	s.answer(ctx, answer, msg)
	if err != nil { // it may be short of something
		pause(ctx, 10*time.Second)
	}
}

// play plays the matches of a job.
func (s *slot) play(ctx context.Context, matches []arena.Job) (records []results.Record, err error) {
	for _, match := range matches {
		record, err := s.tables.Play(ctx, s.number, match)
		if err != nil {
			return nil, err
		}
		records = append(records, record)
	}
	return records, nil
}

// answer stores an answer at the server and then confirms the job. As long as the server stores nothing, it waits:
// nobody plays the job again meanwhile.
func (s *slot) answer(ctx context.Context, a Answer, job jetstream.Msg) {
	text, err := json.Marshal(a) // an infinite score cannot be sent
	if err == nil {
		err = s.publish(ctx, answerSubject+a.Job, text)
	}
	if ctx.Err() != nil { // the job will come again
		return
	}
	if err != nil && a.Failed == "" {
		a.Records, a.Failed, a.Final = nil, "the records cannot be sent: "+err.Error(), true
		s.report(a.Failed)
		s.answer(ctx, a, job)
		return
	}
	_ = job.Ack() // if it is lost, the job comes again, and its second answer is dropped
}

// keepAlive reports to the server that a job is being played, until the context is done.
func (s *slot) keepAlive(ctx context.Context, msg jetstream.Msg) {
	tick := time.NewTicker(s.timing.ack / 4)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			_ = msg.InProgress() // without it, the job is delivered again
		}
	}
}
