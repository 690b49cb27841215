package workers

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"sembra/arena"
	"sembra/results"
)

// RunnerOptions is what a runner needs beside its tournament.
type RunnerOptions struct {
	Address     string  // of the NATS server, as for [Work]
	Server      *Server // the server in this process, instead of Address; nil: another one
	Credentials Credentials
	Program     string            // version of this program
	Tell        func(line string) // tells people what happens; several goroutines call it

	timing timing // zero: the default
}

// connect connects a runner. A server in this process need not prove who it is, and nothing is encrypted.
func (o RunnerOptions) connect(ctx context.Context, name string, tell func(string)) (*link, error) {
	if o.Server == nil {
		return connect(ctx, o.Address, name, o.Credentials, tell)
	}
	c := o.Credentials
	c.CA, c.Certificate, c.Key = "", "", ""
	address := strings.Replace(o.Server.URL(), "tls://", "nats://", 1)
	return connect(ctx, address, name, c, tell, nats.InProcessServer(o.Server.server))
}

// Runner has the matches of one tournament played by workers. It is an [arena.Away].
type Runner struct {
	*link
	id            string // unique
	plan          Plan
	planHash      string
	judge         *results.Judge
	jobs          jetstream.Stream
	answers       jetstream.Stream
	files         jetstream.ObjectStore
	claim         uint64 // revision of the runner's entry
	local         bool   // the runner plays too
	withdrawAfter int    // as in [results.Tournament]
	laneOf        func(results.Key) int
	stop          context.CancelCauseFunc
	stopped       context.Context // done when the runner is closed or another one has taken over
	running       sync.WaitGroup

	mu        sync.Mutex // guards what follows
	changed   *sync.Cond
	waiting   map[string]chan delivery // by job
	early     map[string]delivery      // answers to jobs that this runner has not sent yet
	earlySize int                      // bytes
	taken     map[string]bool          // the jobs whose answer was taken; true: it is confirmed
	recalled  map[string]bool          // the jobs that were taken back because nobody was there
	sent      int                      // pairs that have a place
	slowest   time.Duration            // that a job has taken so far
	workers   map[string]Presence      // by their identity
	heard     map[string]time.Time     // when the worker was heard of, by our clock
	slots     int                      // matches that the workers which are ready play at once
	lanes     []laneState              // in the order of the plan
	onChange  func()                   // see Notify
	tallies   map[[2]string]*Tally     // by worker and machine
	strange   map[string]bool          // what was told once
	minute    time.Time                // when the lines below were begun to be counted
	lines     int                      // that workers have caused

	toldMissing string // see missing
}

// NewRunner connects to a server and announces the tournament there, so that workers can prepare. The bots' files
// travel to the server. manifest is the plan of the tournament as its store keeps it. The caller closes the runner.
//
// It fails if another runner uses the server. A runner that was killed leaves an entry there for some seconds; NewRunner
// waits for that.
func NewRunner(ctx context.Context, t *arena.Tournament, manifest results.Tournament, o RunnerOptions) (r *Runner, err error) {
	judge, problems := results.NewJudge(manifest)
	if len(problems) > 0 {
		return nil, errors.New(problems[0])
	}
	if o.timing == (timing{}) {
		o.timing = defaultTiming()
	}
	plan := newPlan(t, o.Program)
	plan.Tournament = manifest.Name // as the store calls it
	baggage, err := t.Baggage()
	if err != nil {
		return nil, err
	}
	l, err := o.connect(ctx, "runner", o.Tell)
	if err != nil {
		return nil, err
	}
	r = &Runner{
		link: l, id: nuid.Next(), taken: make(map[string]bool),
		local: t.Concurrency > 0, withdrawAfter: t.WithdrawAfter, plan: plan, judge: judge,
		recalled: make(map[string]bool),
		waiting:  make(map[string]chan delivery), early: make(map[string]delivery), workers: make(map[string]Presence),
		heard: make(map[string]time.Time), tallies: make(map[[2]string]*Tally), strange: make(map[string]bool),
	}
	r.changed = sync.NewCond(&r.mu)
	if err := r.open(ctx, t, baggage, o); err != nil {
		r.conn.Close()
		return nil, err
	}
	return r, nil
}

// open makes all that the server keeps, and begins to listen.
func (r *Runner) open(ctx context.Context, t *arena.Tournament, baggage []arena.Baggage, o RunnerOptions) (err error) {
	if err := r.persist(ctx, func() error { return r.meet(ctx, o.timing) }); err != nil {
		return err
	}
	if o.Server != nil { // an entry is of an earlier run with this server, which has ended
		_ = r.presence.Delete(ctx, runnerKey) // else it is waited for
	}
	if err := r.claimServer(ctx); err != nil {
		return err
	}
	r.stopped, r.stop = context.WithCancelCause(context.WithoutCancel(ctx))
	r.running.Go(func() { r.beat(r.stopped) }) // the bots may travel for long
	if err := r.fill(ctx, t, baggage, o.Server); err != nil {
		r.stop(err)
		r.running.Wait()
		_ = r.presence.Delete(ctx, runnerKey)
		return err
	}
	return nil
}

// fill makes the streams and the store, fills them, and begins to listen. s is the server in this process; nil: another one.
func (r *Runner) fill(ctx context.Context, t *arena.Tournament, baggage []arena.Baggage, s *Server) (err error) {
	space := int64(-1) // a server of its own has the limits that its owner wants
	if s != nil {
		space = s.queueSpace()
	}
	for _, step := range []func() error{
		func() (err error) {
			r.jobs, err = r.queue(ctx, jobsStream, jobSubject+"*.*", space)
			return err
		},
		func() (err error) {
			r.answers, err = r.queue(ctx, answersStream, answerSubject+"*", space)
			return err
		},
		func() (err error) {
			r.files, err = r.store(ctx)
			return err
		},
		func() error { return r.sendBots(ctx, t.Entries, baggage) },
		func() error { return r.announce(ctx) },
		func() error { return r.listen(ctx) },
	} {
		if err := r.persist(ctx, step); err != nil {
			return err
		}
	}
	return nil
}

// listen begins to receive answers and to watch the workers. When another runner takes over, all plays fail.
func (r *Runner) listen(ctx context.Context) error {
	reader, err := r.openReader(ctx)
	if err != nil {
		return err
	}
	r.laneOf, r.lanes = r.plan.laneOf(), make([]laneState, len(r.plan.Lanes))
	r.look(time.Now())
	r.running.Go(func() { r.read(r.stopped, reader) })
	r.running.Go(func() { r.watch(r.stopped, r.observe(r.stopped, r.presence, jetstream.AllKeys)) })
	return nil
}

// openReader opens the consumer of the answers, or makes it.
func (r *Runner) openReader(ctx context.Context) (jetstream.Consumer, error) {
	reader, err := r.answers.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: answersReader, AckPolicy: jetstream.AckExplicitPolicy, AckWait: 2 * r.timing.ack, MaxDeliver: -1, MaxAckPending: -1,
	})
	if err != nil {
		if api := new(jetstream.APIError); errors.As(err, &api) && strings.Contains(api.Description, "updated") {
			err = jetstream.ErrConsumerExists
		}
		return nil, ofServer("consumer "+answersReader, err, r.conn.ConnectedUrlRedacted())
	}
	return reader, nil
}

// read receives answers until the context is done.
func (r *Runner) read(ctx context.Context, reader jetstream.Consumer) {
	for {
		// Without signs of life, the server has forgotten that somebody waits for answers.
		consuming, err := reader.Consume(
			r.receive, jetstream.PullExpiry(10*time.Second), jetstream.PullHeartbeat(2*time.Second), jetstream.PullMaxBytes(4*mostPayload),
		)
		if err == nil {
			select {
			case <-consuming.Closed(): // the server has ended it
			case <-ctx.Done():
			}
			consuming.Stop()
		}
		for again := true; again; again = err != nil {
			if !pause(ctx) {
				return
			}
			reader, err = r.openReader(ctx)
		}
	}
}

// tellSome tells a line that a worker causes. A worker cannot flood people with lines.
func (r *Runner) tellSome(line string) {
	const most = 100 // lines a minute
	r.mu.Lock()
	if now := time.Now(); now.Sub(r.minute) > time.Minute {
		r.minute, r.lines = now, 0
	}
	r.lines++
	n := r.lines
	r.mu.Unlock()
	switch {
	case n <= most:
		r.tell(line)
	case n == most+1:
		r.tell("the workers cause more lines, which are left out for a minute")
	}
}

// tellOnce is tellSome, once for each key.
func (r *Runner) tellOnce(key, line string) {
	const most = 10_000
	key = hashOf([]byte(key)) // it may be long
	r.mu.Lock()
	told := r.strange[key]
	if len(r.strange) >= most {
		clear(r.strange)
	}
	r.strange[key] = true
	r.mu.Unlock()
	if !told {
		r.tellSome(line)
	}
}

// closesWithin is how long the end of a run waits for a server that is away.
const closesWithin = 20 * time.Second

// Close tells the workers that the run is over, and ends the connection. over says that every match has a record: then
// nothing of the tournament stays at the server. If not, answers that are on their way stay there for the next run.
func (r *Runner) Close(over bool) error {
	lost := r.stopped.Err() != nil // the server has another runner, or nothing more of this one
	r.stop(errors.New("the run is over"))
	r.running.Wait()
	if lost {
		r.conn.Close()
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background()) // without a deadline, each request has its own
	defer cancel()
	defer time.AfterFunc(closesWithin, cancel).Stop()
	defer r.conn.Close()
	steps := []func() error{
		func() error { return r.plans.Delete(ctx, planKey) },
		func() error { return r.jobs.Purge(ctx) },
	}
	if over {
		steps = append(
			steps, func() error { return r.js.DeleteStream(ctx, answersStream) }, // late answers have no place then
			func() error { return r.files.Delete(ctx, planObject(r.planHash)) },
		)
	}
	steps = append(steps, func() error { return r.presence.Delete(ctx, runnerKey) })
	for _, step := range steps {
		if err := r.persist(ctx, step); err != nil && !isMissing(err) {
			return err
		}
	}
	return nil
}
