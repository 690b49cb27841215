package workers

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sembra/arena"
	"sembra/results"
)

// RunnerOptions is what a runner needs beside its tournament.
type RunnerOptions struct {
	Address     string  // of the NATS server, as for [Work]
	Server      *Server // the server in this process; nil: it is elsewhere
	Credentials Credentials
	Program     string            // version of this program
	Tell        func(line string) // tells people what happens; several goroutines call it

	timing timing // zero: the default
}

// Runner has the matches of one tournament played by workers. It is an [arena.Away].
type Runner struct {
	*link
	plan     Plan
	planHash string
	manifest results.Tournament
	judge    *results.Judge
	jobs     jetstream.Stream
	answers  jetstream.Stream
	files    jetstream.ObjectStore
	claim    uint64 // revision of the runner's entry
	local    bool   // the runner plays too
	laneOf   func(results.Key) int
	stop     context.CancelCauseFunc
	stopped  context.Context // done when the runner is closed or another one has taken over
	running  sync.WaitGroup

	mu        sync.Mutex // guards what follows
	changed   *sync.Cond
	waiting   map[string]chan delivery // by job
	early     map[string]delivery      // answers to jobs that this runner has not sent yet
	earlySize int                      // bytes
	sent      int                      // pairs that have a place
	workers   map[string]Presence      // by their identity
	heard     map[string]time.Time     // when the worker was heard of, by our clock
	slots     int                      // matches that the workers which are ready play at once
	bare      []time.Time              // by lane: since when no worker is ready for it; zero: one is
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
	baggage, err := t.Baggage()
	if err != nil {
		return nil, err
	}
	var direct []nats.Option // a server in this process need not prove who it is
	if o.Server != nil {
		o.Address, direct = o.Server.URL(), []nats.Option{nats.InProcessServer(o.Server.server)}
	}
	l, err := connect(ctx, o.Address, "runner", o.Credentials, o.Tell, direct...)
	if err != nil {
		return nil, err
	}
	r = &Runner{
		link: l, local: t.Concurrency > 0, plan: plan, manifest: manifest, judge: judge,
		waiting: make(map[string]chan delivery), early: make(map[string]delivery), workers: make(map[string]Presence),
		heard: make(map[string]time.Time), tallies: make(map[[2]string]*Tally), strange: make(map[string]bool),
	}
	r.changed = sync.NewCond(&r.mu)
	if err := r.open(ctx, t, baggage, o.timing); err != nil {
		r.conn.Close()
		return nil, err
	}
	return r, nil
}

// open makes all that the server keeps, and begins to listen.
func (r *Runner) open(ctx context.Context, t *arena.Tournament, baggage []arena.Baggage, timing timing) (err error) {
	if err := r.meet(ctx, timing); err != nil {
		return err
	}
	if err := r.claimServer(ctx); err != nil {
		return err
	}
	release := func() { _ = r.presence.Delete(ctx, runnerKey) }
	if r.jobs, err = r.queue(ctx, jobsStream, jobSubject+"*.*"); err != nil {
		release()
		return err
	}
	if r.answers, err = r.queue(ctx, answersStream, answerSubject+"*"); err != nil {
		release()
		return err
	}
	if r.files, err = r.store(ctx); err != nil {
		release()
		return err
	}
	if err := r.sendBots(ctx, t.Entries, baggage); err != nil {
		release()
		return err
	}
	if err := r.announce(ctx); err != nil {
		release()
		return err
	}
	r.laneOf, r.bare = r.plan.laneOf(), make([]time.Time, len(r.plan.Lanes))
	r.look(time.Now())
	return r.listen(ctx)
}

// listen begins to receive answers and to watch the workers. When another runner takes over, all plays fail.
func (r *Runner) listen(ctx context.Context) error {
	reader, err := r.answers.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: answersReader, AckPolicy: jetstream.AckExplicitPolicy, AckWait: 2 * r.timing.ack, MaxDeliver: -1, MaxAckPending: -1,
	})
	if err != nil {
		if api := new(jetstream.APIError); errors.As(err, &api) && strings.Contains(api.Description, "updated") {
			err = jetstream.ErrConsumerExists
		}
		return ofServer("consumer "+answersReader, err, r.conn.ConnectedUrlRedacted())
	}
	consuming, err := reader.Consume(r.receive)
	if err != nil {
		return err
	}
	watcher, err := r.presence.WatchAll(ctx)
	if err != nil {
		consuming.Stop()
		return err
	}
	background, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	r.stopped = background
	r.stop = func(err error) {
		stop(err)
		consuming.Stop()
		_ = watcher.Stop() // the connection closes anyway
	}
	r.running.Go(func() { r.watch(background, watcher.Updates()) })
	r.running.Go(func() { r.beat(background) })
	return nil
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

// Close tells the workers that the run is over, and ends the connection. over says that every match has a record: then
// nothing of the tournament stays at the server. If not, answers that are on their way stay there for the next run.
func (r *Runner) Close(over bool) error {
	r.stop(errors.New("the run is over"))
	r.running.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), answersWithin)
	defer cancel()
	defer r.conn.Close()
	err := errors.Join(r.plans.Delete(ctx, planKey), r.jobs.Purge(ctx))
	if over {
		err = errors.Join(err, r.answers.Purge(ctx), r.files.Delete(ctx, planObject(r.planHash)))
	}
	return errors.Join(err, r.presence.Delete(ctx, runnerKey))
}
