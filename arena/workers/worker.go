package workers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"sembra/arena"
)

// WorkerOptions is what a worker needs.
type WorkerOptions struct {
	// Address of the NATS server: HOST:PORT, nats://HOST:PORT or tls://HOST:PORT. Several servers of a cluster have
	// commas between them. Without credentials the host must be of the loopback.
	Address     string
	Credentials Credentials
	Name        string // "": that of the machine
	Concurrency int    // matches at once
	Program     string // version of this program
	Cache       string // folder for the files of bots

	Builtin func(name string) []string                             // the command of a built-in bot; nil: unknown
	Measure func(context.Context, arena.Isolation) (Charge, error) // what this machine adds to a move; nil: not measured
	Tell    func(line string)                                      // tells people what happens; several goroutines call it
	onTake  func(j Job)                                            // for tests
	timing  timing                                                 // zero: the default
}

// Work plays matches of whatever tournament is announced at the server, until the context is done. It gives jobs back
// that it has not finished then.
//
// It fails at once if the server cannot be used, and if it has to refuse a tournament: because the runner has another
// version, because this machine cannot keep the clock's margin, or because it lacks a file that bots may read.
func Work(ctx context.Context, o WorkerOptions) error {
	if o.timing == (timing{}) {
		o.timing = defaultTiming()
	}
	if o.Name == "" {
		o.Name = machine()
	}
	l, err := connect(ctx, o.Address, "worker "+o.Name, o.Credentials, o.Tell)
	if err != nil {
		return err
	}
	defer l.conn.Close()
	if err := l.meet(ctx, o.timing); err != nil {
		return err
	}
	w := &worker{link: l, o: o, id: nuid.Next(), plays: make(map[int]string), alive: make(map[int]time.Time)}
	w.self = Presence{Version: valueVersion, Name: o.Name, Machine: machine(), Program: o.Program, Slots: o.Concurrency}
	defer w.leave()
	beating, stop := context.WithCancel(ctx)
	defer stop()
	go w.beat(beating)
	watcher, err := l.plans.Watch(ctx, planKey)
	if err != nil {
		return ofServer("", err, l.conn.ConnectedUrlRedacted())
	}
	defer func() { _ = watcher.Stop() }()
	return w.follow(ctx, watcher.Updates())
}

// worker plays the jobs of one plan after another.
type worker struct {
	*link
	o  WorkerOptions
	id string // unique

	mu    sync.Mutex // guards what follows
	self  Presence
	plays map[int]string    // the matches in play, by slot
	alive map[int]time.Time // when something happened in the match of a slot
}

// follow plays the plan that is announced, until another one is.
func (w *worker) follow(ctx context.Context, plans <-chan jetstream.KeyValueEntry) error {
	over := func() {} // ends the play of the current plan
	failed := make(chan error, 1)
	defer func() { over() }()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-failed:
			return err
		case entry := <-plans:
			if entry == nil { // there is none yet, or the connection closes
				if w.conn.IsClosed() {
					return errors.New("the connection to the server is closed")
				}
				continue
			}
			over()
			over = func() {}
			if entry.Operation() != jetstream.KeyValuePut {
				w.o.Tell("no tournament is announced at the server; waiting for one")
				continue
			}
			play, cancel := context.WithCancel(ctx)
			ended := make(chan struct{})
			over = func() { cancel(); <-ended }
			hash := string(entry.Value())
			go func() {
				defer close(ended)
				if err := w.play(play, ctx, hash); err != nil && play.Err() == nil {
					failed <- err
				}
			}()
		}
	}
}

// refusal is a reason not to play a tournament.
type refusal struct{ reason string }

func (r *refusal) Error() string { return r.reason }

// play prepares this machine for a plan and plays its jobs until the context is done. Only the end of the whole worker
// gives jobs back: a plan that is over has none.
func (w *worker) play(ctx, worker context.Context, hash string) error {
	err := w.playPlan(ctx, worker, hash)
	if r := new(refusal); errors.As(err, &r) {
		w.say(func(p *Presence) { p.Refuses = r.reason })
		w.renew(worker)
	}
	w.say(func(p *Presence) { p.Plan, p.Matches, p.Lacks = "", 0, nil })
	return err
}

func (w *worker) playPlan(ctx, worker context.Context, hash string) error {
	plan, err := w.fetchPlan(ctx, hash)
	if err != nil {
		return err
	}
	if err := w.accept(plan); err != nil {
		return err
	}
	w.o.Tell(fmt.Sprintf("preparing for the tournament %q with %d bots", safe(plan.Tournament), len(plan.Bots)))
	if err := w.fetchBundles(ctx, plan); err != nil {
		return err
	}
	t, err := plan.tournament(w.o.Concurrency, cache{w.o.Cache}.folderOf, w.o.Builtin)
	if err != nil {
		return &refusal{err.Error()}
	}
	if err := w.measure(ctx, plan, t.Isolation); err != nil {
		return err
	}
	hall, lacks, err := openHall(ctx, t, plan)
	if err != nil {
		return err
	}
	defer hall.Close()
	if i := hall.Isolated(); i.Line != "" {
		w.o.Tell(i.Line)
	}
	for _, need := range slices.Sorted(maps.Keys(lacks)) {
		w.o.Tell("without matches that need " + need + ": " + lacks[need])
	}
	lanes := plan.lanesWithout(lacks)
	w.say(func(p *Presence) {
		if len(lanes) > 0 {
			p.Plan = hash
		}
		for _, need := range slices.Sorted(maps.Keys(lacks)) {
			p.Lacks = append(p.Lacks, "no matches that need "+need+": "+lacks[need])
		}
	})
	w.renew(ctx)
	if len(lanes) == 0 {
		w.o.Tell("this machine can play no match of the tournament")
		<-ctx.Done()
		return nil
	}
	return w.takeJobs(ctx, worker, hash, plan, t, hall, lanes)
}

// fetchPlan gets the plan from the server.
func (w *worker) fetchPlan(ctx context.Context, hash string) (*Plan, error) {
	if !validHash(hash) {
		return nil, fmt.Errorf("the server announces the plan %.80q, which is no hash", hash)
	}
	files, err := w.js.ObjectStore(ctx, filesStore)
	if err != nil {
		return nil, err
	}
	text, err := files.GetBytes(ctx, planObject(hash))
	if err != nil {
		return nil, fmt.Errorf("the plan of the tournament cannot be read: %w", err)
	}
	if hashOf(text) != hash {
		return nil, errors.New("the plan of the tournament is damaged")
	}
	plan := new(Plan)
	if err := decode("the plan", text, plan); err != nil {
		return nil, &refusal{err.Error()}
	}
	return plan, nil
}

// accept refuses a plan that this program cannot play.
func (w *worker) accept(plan *Plan) error {
	if plan.Program != w.o.Program {
		return &refusal{fmt.Sprintf("this worker is sembra %s, but the runner is sembra %s; both must be the same version",
			w.o.Program, safe(plan.Program))}
	}
	if err := plan.check(); err != nil {
		return &refusal{err.Error()}
	}
	for _, path := range plan.Isolation.Read {
		if _, err := os.Stat(path); err != nil {
			return &refusal{fmt.Sprintf("bots may read %s, which this machine does not have", safe(path))}
		}
	}
	return nil
}

// fetchBundles gets the files of the bots that are not in the cache.
func (w *worker) fetchBundles(ctx context.Context, plan *Plan) error {
	files, err := w.js.ObjectStore(ctx, filesStore)
	if err != nil {
		return err
	}
	cache := cache{w.o.Cache}
	if err := cache.prepare(); err != nil {
		return fmt.Errorf("the cache for the files of bots: %w", err)
	}
	for _, b := range plan.Bots {
		if b.Bundle == "" || cache.has(b.Bundle) {
			continue
		}
		object, err := files.Get(ctx, b.Bundle)
		if err != nil {
			return fmt.Errorf("the files of bot %s cannot be read: %w", safe(b.Name), err)
		}
		err = errors.Join(cache.add(b.Bundle, object), object.Close())
		if err != nil {
			return fmt.Errorf("bot %s: %w", safe(b.Name), err)
		}
	}
	return nil
}

// measure measures this machine, and refuses a margin that it cannot keep.
func (w *worker) measure(ctx context.Context, plan *Plan, i arena.Isolation) error {
	if w.o.Measure == nil {
		return nil
	}
	charge, err := w.o.Measure(ctx, i)
	if err != nil {
		return err
	}
	w.say(func(p *Presence) { p.Charge = &charge })
	w.o.Tell(fmt.Sprintf("this machine adds %v to a move in the median, and at most %v", charge.Median, charge.Longest))
	if clocked := plan.Time.Move > 0 || plan.Time.Base > 0; clocked && charge.Longest > plan.Time.Margin {
		return &refusal{fmt.Sprintf("this machine adds up to %v to a move, and the margin of the clock is %v", charge.Longest, plan.Time.Margin)}
	}
	return nil
}

// openHall starts the bots. lacks has the needs that this machine does not meet, with the reason.
func openHall(ctx context.Context, t *arena.Tournament, plan *Plan) (hall *arena.Hall, lacks map[string]string, err error) {
	lacks = make(map[string]string)
	for _, e := range t.Entries {
		if command, ok := e.Launcher.(arena.Command); ok {
			if _, err := command.Program(); err != nil {
				lacks[plan.bot(e.Name).Need] = fmt.Sprintf("bot %s: %v", e.Name, err)
			}
		}
	}
	for {
		playable := *t
		playable.Entries = slices.DeleteFunc(slices.Clone(t.Entries), func(e arena.Entry) bool {
			_, lacking := lacks[plan.bot(e.Name).Need]
			return lacking
		})
		hall, err := playable.Open(ctx)
		if err != nil && ctx.Err() == nil {
			if wrong := configErrors(err); len(wrong) > 0 && note(lacks, plan, wrong) {
				continue
			}
		}
		if err != nil {
			return nil, nil, err
		}
		for _, failed := range hall.Failed() {
			lacks[plan.bot(failed.Bot).Need] = failed.Error()
		}
		return hall, lacks, nil
	}
}

// note notes the needs of bots that cannot play here, and reports whether any is new.
func note(lacks map[string]string, plan *Plan, wrong []*arena.ConfigError) (added bool) {
	for _, w := range wrong {
		need := plan.bot(w.Bot).Need
		if _, known := lacks[need]; !known {
			lacks[need], added = w.Error(), true
		}
	}
	return added
}

// configErrors returns the errors of single bots among joined errors.
func configErrors(err error) (all []*arena.ConfigError) {
	if joined, several := err.(interface{ Unwrap() []error }); several {
		for _, one := range joined.Unwrap() {
			all = append(all, configErrors(one)...)
		}
		return all
	}
	if one := new(arena.ConfigError); errors.As(err, &one) {
		return []*arena.ConfigError{one}
	}
	return nil
}

// lanesWithout returns the lanes that need nothing of what is lacking.
func (p *Plan) lanesWithout(lacks map[string]string) (lanes []int) {
	if _, builtin := lacks[""]; builtin {
		return nil
	}
	for n, lane := range p.Lanes {
		lacking := func(need string) bool { _, is := lacks[need]; return is }
		if !slices.ContainsFunc(lane.Needs, lacking) {
			lanes = append(lanes, n)
		}
	}
	return lanes
}

// takeJobs plays jobs at all tables until the context is done.
func (w *worker) takeJobs(ctx, worker context.Context, hash string, plan *Plan, t *arena.Tournament, hall *arena.Hall, lanes []int) error {
	jobs, err := w.js.Stream(ctx, jobsStream)
	if err != nil {
		return err
	}
	var from []jetstream.Consumer
	for _, n := range lanes {
		consumer, err := jobs.Consumer(ctx, laneName(n))
		if err != nil {
			return fmt.Errorf("lane %d: %w", n, err)
		}
		from = append(from, consumer)
	}
	listener := t.Feed.Listen(true)
	defer listener.Close()
	go w.listen(listener)
	tables := hall.Tables(w.o.Concurrency)
	defer tables.Close()
	w.o.Tell(fmt.Sprintf("playing %q, %d matches at once", safe(plan.Tournament), w.o.Concurrency))
	var playing sync.WaitGroup
	for n := range w.o.Concurrency {
		playing.Go(func() {
			s := &seat{worker: w, number: n, tables: tables, plan: plan, hash: hash, longest: longestSilence(t.Time)}
			for turn := n; ctx.Err() == nil; turn++ {
				msg := take(ctx, from, turn)
				if msg == nil {
					tables.Rest(n)
					continue
				}
				s.do(ctx, worker, msg)
			}
		})
	}
	playing.Wait()
	return nil
}

// listen notes in which matches something happens.
func (w *worker) listen(l *arena.Listener) {
	for event := range l.C {
		slot := 0
		switch {
		case event.MatchBegun != nil:
			slot = event.MatchBegun.Slot
		case event.Ply != nil:
			slot = event.Ply.Slot
		}
		w.mu.Lock()
		if _, playing := w.plays[slot]; playing {
			w.alive[slot] = time.Now()
		}
		w.mu.Unlock()
	}
}

// longestSilence is how long nothing can happen in a match that goes on.
func longestSilence(c arena.TimeControl) time.Duration {
	return max(c.Watchdog, c.Move+c.Margin, c.Base+c.Margin) + 3*c.Startup + time.Minute
}

// longPoll is how long a table waits for a job of one lane.
const longPoll = 2 * time.Second

// take takes a job from one of the lanes; nil: there is none for now.
func take(ctx context.Context, lanes []jetstream.Consumer, turn int) jetstream.Msg {
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
	within, cancel := context.WithTimeout(ctx, longPoll)
	defer cancel()
	batch, err := lanes[turn%len(lanes)].Fetch(1, jetstream.FetchContext(within))
	if err != nil {
		select {
		case <-time.After(longPoll / 4): // the server is away, or the plan is over
		case <-ctx.Done():
		}
		return nil
	}
	return <-batch.Messages()
}

// seat is one table of a worker.
type seat struct {
	*worker
	number  int
	tables  *arena.Tables
	plan    *Plan
	hash    string
	longest time.Duration // that nothing can happen in a match
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
	defer stop()
	go s.keepAlive(beating, msg, job)
	answer.Records, err = s.playJob(ctx, job)
	switch {
	case err == nil:
		s.answer(ctx, answer, msg)
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
		s.mu.Lock()
		s.plays[match.Slot], s.alive[match.Slot] = match.String(), time.Now()
		s.mu.Unlock()
		rec, err := s.tables.Play(ctx, s.number, match)
		s.mu.Lock()
		delete(s.plays, match.Slot)
		delete(s.alive, match.Slot)
		s.self.Matches++
		s.mu.Unlock()
		if err != nil {
			return nil, err
		}
		records = append(records, packed(rec))
	}
	return records, nil
}

// answer stores an answer at the server and then confirms the job.
func (s *seat) answer(ctx context.Context, a Answer, job jetstream.Msg) {
	if err := s.publish(ctx, answerSubject+a.Job, encode(a)); err != nil {
		if ctx.Err() == nil { // the job will come again
			s.o.Tell("an answer cannot be sent: " + safe(err.Error()))
		}
		return
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
		s.mu.Lock()
		last := time.Now() // between two matches
		for _, match := range job.Matches {
			if at, playing := s.alive[match.Slot]; playing {
				last = at
			}
		}
		s.mu.Unlock()
		if time.Since(last) > s.longest {
			return
		}
		_ = msg.InProgress() // without it, the job is delivered again
	}
}

// say changes what the worker says of itself.
func (w *worker) say(change func(*Presence)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change(&w.self)
}

// beat renews the worker's entry until the context is done.
func (w *worker) beat(ctx context.Context) {
	tick := time.NewTicker(w.timing.gone / 4)
	defer tick.Stop()
	for w.renew(ctx); ; w.renew(ctx) {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// renew puts the worker's entry.
func (w *worker) renew(ctx context.Context) {
	w.mu.Lock()
	p := w.self
	p.Plays, p.Said = nil, time.Now().UTC().Round(time.Second)
	for _, slot := range slices.Sorted(maps.Keys(w.plays)) {
		p.Plays = append(p.Plays, w.plays[slot])
	}
	text := encode(p)
	w.mu.Unlock()
	within, cancel := context.WithTimeout(ctx, w.timing.gone/4)
	defer cancel()
	_, _ = w.presence.Put(within, w.id, text) // the next beat tries again
}

// leave removes the worker's entry, unless it says why the worker refuses: that vanishes later.
func (w *worker) leave() {
	w.mu.Lock()
	refuses := w.self.Refuses != ""
	w.mu.Unlock()
	if refuses {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), partsIn)
	defer cancel()
	_ = w.presence.Delete(ctx, w.id) // it vanishes by itself
}
