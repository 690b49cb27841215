package workers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"sembra/arena"
	"sembra/results"
)

// WorkerOptions is what a worker needs.
type WorkerOptions struct {
	Address     string // of the NATS server; see [CheckAddress]
	Credentials string // .creds file; "": none
	Name        string // "": that of the machine
	Concurrency int    // matches at once
	Trust       bool   // the tournament's [isolation] holds here too, if it demands more than a sandbox
	Program     string // version of this program
	Cache       string // folder for the files of bots

	Builtin func(name string) []string // the command of a built-in bot; nil: unknown
	Tell    func(line string)          // tells people what happens; several goroutines call it
	timing  timing                     // zero: the default

	// Measure measures what this machine adds to a move: zero if it is too busy. With nil nothing is measured.
	Measure func(context.Context, arena.Isolation) (Latency, error)
}

// Latency is what a worker's machine adds to the time of a move.
type Latency struct{ Median, Longest time.Duration }

// Work plays matches of whatever tournament a runner announces at the server, until the context is done. Jobs that it
// has not finished then go to other workers.
//
// It waits for a server that cannot be reached yet. It fails if the server refuses it, and if it cannot play all bots
// of a tournament. It then tells the runner why it leaves.
func Work(ctx context.Context, o WorkerOptions) error {
	if o.timing == (timing{}) {
		o.timing = defaultTiming()
	}
	if o.Name == "" {
		o.Name = machine()
	}
	tell := o.Tell
	o.Tell = func(line string) { tell(results.VisibleAll(line)) } // a line may have texts of the runner
	l, err := connect(ctx, o.Address, "worker "+o.Name, o.Credentials, true, o.timing, o.Tell)
	if ctx.Err() != nil {
		if err == nil {
			l.conn.Close()
		}
		return nil
	}
	if err != nil {
		return err
	}
	defer l.conn.Close()
	w := &worker{link: l, o: o, self: Sign{
		ID: nuid.Next(), Name: o.Name, Machine: machine(), Program: o.Program, Slots: o.Concurrency,
	}}
	err = w.follow(ctx)
	if err != nil {
		w.self.Leaves = safe(err.Error())
		w.send(workerSubject+w.self.ID, w.self)
		_ = l.conn.FlushTimeout(w.timing.sign) // else the runner forgets this worker after some time
	}
	return err
}

// worker plays the jobs of one plan after another.
type worker struct {
	*link
	o    WorkerOptions
	self Sign // only follow uses it
}

// follow plays the plan that a runner announces, until another one is, and gives signs of life.
func (w *worker) follow(ctx context.Context) error {
	runs := make(chan *nats.Msg, 16) // the library drops more than that
	if _, err := w.conn.ChanSubscribe(runSubject, runs); err != nil {
		return err
	}
	tick := time.NewTicker(w.timing.sign)
	defer tick.Stop()
	ready, failed := make(chan string), make(chan error, 1) // the hash of a plan that can be played; why it cannot
	current, over := "", func() {}                          // over ends the play of the current plan
	defer func() { over() }()
	w.o.Tell("waiting for a run")
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-failed:
			return err
		case plan := <-ready:
			if plan == current {
				w.self.Plan = current
				w.send(workerSubject+w.self.ID, w.self)
			}
		case <-tick.C:
			if w.conn.IsClosed() {
				return w.closed()
			}
			w.send(workerSubject+w.self.ID, w.self)
		case msg := <-runs:
			run, err := readSign(msg.Data)
			if err != nil || run.Plan == current {
				continue
			}
			over()
			over, current, w.self.Plan = func() {}, run.Plan, ""
			if current == "" {
				w.o.Tell("the run has ended; waiting for another run")
				continue
			}
			if run.Program != w.o.Program {
				return fmt.Errorf("this worker is sembra %s, but the runner is sembra %s; both must be the same version",
					w.o.Program, run.Program)
			}
			over = w.begin(ctx, current, ready, failed)
		}
	}
}

// begin begins to play a plan in the background. The function that it returns ends that and waits for the end.
func (w *worker) begin(ctx context.Context, hash string, ready chan<- string, failed chan<- error) (over func()) {
	play, cancel := context.WithCancel(ctx)
	tellReady := func() {
		select {
		case ready <- hash:
		case <-play.Done():
		}
	}
	var playing sync.WaitGroup
	playing.Go(func() {
		away := new(awayError)
		err := w.play(play, hash, tellReady)
		for told := false; errors.As(err, &away) && pause(play); told = true { // the run may end, or the server come back
			if !told {
				w.o.Tell(safe(err.Error()) + "; trying again")
			}
			err = w.play(play, hash, tellReady)
		}
		if err != nil && play.Err() == nil {
			failed <- err
		}
	})
	return func() {
		cancel()
		playing.Wait()
	}
}

// play prepares this machine for a plan and plays its jobs until the context is done.
func (w *worker) play(ctx context.Context, hash string, ready func()) error {
	plan, err := w.fetchPlan(ctx, hash)
	if err != nil {
		return err
	}
	if err := w.accept(plan); err != nil {
		return err
	}
	w.o.Tell(fmt.Sprintf("preparing for the tournament %q with %d bots", safe(plan.Tournament), len(plan.Bots)))
	bundles := cache{w.o.Cache}
	if err := w.fetchBundles(ctx, plan, bundles); err != nil {
		return err
	}
	t, err := plan.tournament(w.o.Concurrency, bundles.folderOf, w.o.Builtin)
	if err != nil {
		return err
	}
	t.Isolation.Hidden = HiddenFiles(w.o.Credentials)
	if err := w.measure(ctx, plan, t.Isolation); err != nil {
		return err
	}
	local, err := t.Open(ctx, w.shield)
	if err != nil {
		return err
	}
	defer local.Close()
	if failed := local.Failed(); len(failed) > 0 {
		return failed[0]
	}
	w.o.Tell(fmt.Sprintf("playing %q; matches at once: %d", safe(plan.Tournament), w.o.Concurrency))
	ready()
	w.takeJobs(ctx, hash, plan, local)
	return nil
}

// takeJobs plays jobs at all tables until the context is done.
func (w *worker) takeJobs(ctx context.Context, hash string, plan *Plan, local *arena.Local) {
	var playing sync.WaitGroup
	for n := range w.o.Concurrency {
		playing.Go(func() {
			s := &slot{worker: w, number: n, tables: local, plan: plan, hash: hash}
			for ctx.Err() == nil {
				s.next(ctx)
			}
		})
	}
	playing.Wait()
}

// fetchPlan gets the plan from the server.
func (w *worker) fetchPlan(ctx context.Context, hash string) (*Plan, error) {
	if !validHash(hash) {
		return nil, fmt.Errorf("the server announces the plan %.80q, which is no hash", hash)
	}
	var text []byte
	err := w.fetch(ctx, planObject(hash), mostPlan, func(object io.Reader) (err error) {
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

// awayError is the error of something that the server does not give now, because the run ends or the server is away.
type awayError struct{ err error }

func (e *awayError) Error() string { return saidBy(e.err) }

// fetch reads an object of the server, which has that many bytes, with a function.
func (w *worker) fetch(ctx context.Context, name string, bytes int64, read func(io.Reader) error) error {
	ctx, cancel := transfer(ctx, bytes)
	defer cancel()
	files, err := w.js.ObjectStore(ctx, filesStore)
	if err != nil {
		return &awayError{err}
	}
	object, err := files.Get(ctx, name)
	if err != nil {
		return &awayError{err}
	}
	err = read(object)
	if wrong := object.Error(); wrong != nil { // then the reader has failed for that reason
		err = &awayError{wrong}
	}
	return errors.Join(err, object.Close())
}

// accept refuses a plan that this program or its owner cannot play.
func (w *worker) accept(plan *Plan) error {
	if err := plan.check(); err != nil {
		return err
	}
	if demands := plan.demands(); len(demands) > 0 && !w.o.Trust && !onLoopback(w.o.Address) {
		return errors.New("the tournament wants for its bots on this machine: " + strings.Join(demands, "; ") +
			" (hint: --trust allows what the runner wants)")
	}
	for _, path := range plan.Isolation.Read {
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("bots may read %s, which the worker's machine does not have", safe(path))
		}
	}
	return nil
}

// shield refuses bots of another machine if this one cannot isolate them, unless the owner of the worker allows it.
func (w *worker) shield(i arena.Isolated) error {
	if !i.Shields && !w.o.Trust && !onLoopback(w.o.Address) {
		return errors.New("this machine cannot keep bots from your files and from the network " +
			"(hint: --trust gives them your own rights)")
	}
	if i.Line != "" {
		w.o.Tell("isolation: " + i.Line)
	}
	return nil
}

// fetchBundles gets the files of the bots that are not in the cache.
func (w *worker) fetchBundles(ctx context.Context, plan *Plan, bundles cache) error {
	if err := bundles.prepare(plan.bundles()); err != nil {
		return fmt.Errorf("the cache for the files of bots: %w", err)
	}
	for _, b := range plan.Bots {
		if b.Bundle == "" || bundles.has(b.Bundle) {
			continue
		}
		err := w.fetch(ctx, b.Bundle, b.Size, func(object io.Reader) error { return bundles.add(b.Bundle, b.Size, object) })
		if err != nil {
			return fmt.Errorf("the files of bot %s cannot be read: %w", safe(b.Name), err)
		}
	}
	return nil
}

// measure measures what this machine adds to a move, and says it.
func (w *worker) measure(ctx context.Context, plan *Plan, i arena.Isolation) error {
	if w.o.Measure == nil {
		return nil
	}
	l, err := w.o.Measure(ctx, i)
	says := fmt.Sprintf("this machine adds %v to most moves and %v to the slowest one", l.Median, l.Longest)
	switch clocked := plan.Time.Move > 0 || plan.Time.Base > 0; {
	case err != nil:
		return err
	case l == (Latency{}):
		w.o.Tell("this machine is too busy to measure what it adds to a move")
	case clocked && l.Longest > plan.Time.Margin:
		says += fmt.Sprintf(", more than the margin of the clock, %v (hint: fewer matches at once, nothing else on this "+
			"machine, or a larger margin)", plan.Time.Margin)
		fallthrough
	default:
		w.o.Tell(says)
	}
	return nil
}

// slot is one place for a match of a worker.
type slot struct {
	*worker
	number int
	tables *arena.Local
	plan   *Plan
	hash   string
}

// mostDelivered is how many times a job may be delivered. Whoever played it before was killed, was stopped, or was away
// for too long.
const mostDelivered = 5

// next takes a job, plays it and answers. It returns after some seconds if there is none.
func (s *slot) next(ctx context.Context) {
	const waits = 5 * time.Second
	within, cancel := context.WithTimeout(ctx, waits)
	jobs, err := s.js.Consumer(within, jobsStream, jobsReader)
	var msg jetstream.Msg
	for err == nil && within.Err() == nil {
		if msg, err = jobs.Next(jetstream.FetchContext(within)); err == nil {
			cancel()
			s.do(ctx, msg)
			within, cancel = context.WithTimeout(ctx, waits)
		}
	}
	cancel()
	s.tables.Rest(s.number)
	if !errors.Is(err, nats.ErrTimeout) && !errors.Is(err, context.DeadlineExceeded) {
		pause(ctx) // the server is away, or the run has ended
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
		s.o.Tell("dropped: " + safe(err.Error()))
		_ = msg.Term() // else it comes again
		return
	}
	answer := Answer{Plan: s.hash, Job: job.ID, Worker: s.o.Name, Machine: machine()}
	working, stop := context.WithCancel(ctx)
	defer stop()
	go s.keepAlive(working, msg)
	if meta, wrong := msg.Metadata(); wrong == nil && meta.NumDelivered > mostDelivered {
		answer.Failed, answer.Final = fmt.Sprintf("%d workers took it and did not finish it", mostDelivered), true
	} else {
		answer.Records, err = s.playJob(ctx, job)
	}
	if ctx.Err() != nil {
		_ = msg.Nak() // for another worker
		return
	}
	if err != nil {
		answer.Failed = safe(err.Error())
		s.o.Tell("the machine failed: " + answer.Failed)
	}
	s.answer(ctx, answer, msg)
	if err != nil { // it may be short of something
		const rest = 10 * time.Second
		select {
		case <-time.After(rest):
		case <-ctx.Done():
		}
	}
}

// playJob plays the matches of a job.
func (s *slot) playJob(ctx context.Context, job Job) (records []results.Record, err error) {
	for _, match := range job.Matches {
		rec, err := s.tables.Play(ctx, s.number, match)
		if err != nil {
			return nil, err
		}
		records = append(records, rec)
	}
	return records, nil
}

// answer stores an answer at the server and then confirms the job. As long as the server stores nothing, it waits:
// nobody plays the job again meanwhile.
func (s *slot) answer(ctx context.Context, a Answer, job jetstream.Msg) {
	text, err := encode(a)
	if err == nil {
		err = s.publish(ctx, answerSubject+a.Job, text)
	}
	if ctx.Err() != nil { // the job will come again
		return
	}
	if err != nil && a.Failed == "" {
		a.Records, a.Failed, a.Final = nil, "the records cannot travel: "+err.Error(), true
		s.o.Tell(a.Failed)
		s.answer(ctx, a, job)
		return
	}
	_ = job.Ack() // if it is lost, the job comes again, and its second answer is dropped
}

// keepAlive tells the server that a job is being played, until the context is done.
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
