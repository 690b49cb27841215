package workers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"sembra/arena"
	"sembra/results"
)

// WorkerOptions is what a worker needs.
type WorkerOptions struct {
	// Address of the NATS server: HOST:PORT, nats://HOST:PORT or tls://HOST:PORT. Several servers of a cluster have
	// commas between them. Without credentials the host must be of the loopback.
	Address     string
	Credentials Credentials
	Name        string // "": that of the machine
	Concurrency int    // matches at once
	Trust       bool   // the runner may demand more for its bots than a jail: its tournament's [isolation] holds here too
	Program     string // version of this program
	Cache       string // folder for the files of bots

	Builtin func(name string) []string                             // the command of a built-in bot; nil: unknown
	Measure func(context.Context, arena.Isolation) (Charge, error) // what this machine adds to a move, zero if it is too busy; nil: not measured
	Tell    func(line string)                                      // tells people what happens; several goroutines call it
	onTake  func(j Job)                                            // for tests
	timing  timing                                                 // zero: the default
}

// Work plays matches of whatever tournament is announced at the server, until the context is done. It gives jobs back
// that it has not finished then.
//
// It waits for a server that is not there yet. It fails at once if the server cannot be used, and if it has to refuse a
// tournament: because the runner has another version, because this machine cannot keep the clock's margin, or because it
// lacks a file that bots may read.
func Work(ctx context.Context, o WorkerOptions) error {
	if o.timing == (timing{}) {
		o.timing = defaultTiming()
	}
	if o.Name == "" {
		o.Name = machine()
	}
	tell := o.Tell
	o.Tell = func(line string) { tell(results.VisibleAll(line)) } // a line may have texts of the runner
	l, err := await(ctx, o.Address, "worker "+o.Name, o.Credentials, o.Tell)
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	defer l.conn.Close()
	if err := l.persist(ctx, func() error { return l.meet(ctx, o.timing) }); err != nil {
		return err
	}
	w := &worker{link: l, o: o, id: nuid.Next(), feed: new(arena.Feed)}
	w.self = Presence{Version: valueVersion, Name: o.Name, Machine: machine(), Program: o.Program, Slots: o.Concurrency}
	defer w.fetching.Wait() // a job that comes now is handed on before the connection ends
	defer w.leave()
	beating, stop := context.WithCancel(ctx)
	defer stop()
	go w.beat(beating)
	return w.follow(ctx, l.observe(beating, l.plans, planKey))
}

// worker plays the jobs of one plan after another.
type worker struct {
	*link
	o  WorkerOptions
	id string // unique

	fetching sync.WaitGroup // requests for jobs that go on after their plan

	mu   sync.Mutex // guards what follows
	self Presence
	feed *arena.Feed // of the current plan
}

// follow plays the plan that is announced, until another one is.
func (w *worker) follow(ctx context.Context, plans <-chan jetstream.KeyValueEntry) error {
	over := func() {} // ends the play of the current plan
	failed := make(chan error, 1)
	defer func() { over() }()
	current := uint64(0) // revision of the plan
	playing, waiting := false, false
	wait := func() {
		if !waiting {
			w.o.Tell("no run uses the server yet; waiting for one")
		}
		waiting = true
	}
	for {
		select {
		case <-ctx.Done():
			if playing {
				w.o.Tell("leaving; what is not finished goes to other workers")
			}
			return nil
		case err := <-failed:
			return err
		case entry, open := <-plans:
			switch {
			case !open && ctx.Err() == nil:
				return w.closed()
			case entry == nil && current == 0:
				wait()
				continue
			case entry == nil || entry.Revision() == current: // that is all for now, or the connection was lost
				continue
			}
			current = entry.Revision()
			announced := entry.Operation() == jetstream.KeyValuePut
			switch {
			case announced:
			case playing:
				w.o.Tell(fmt.Sprintf("the run has ended; matches played here: %d; waiting for another run", w.played()))
			default:
				wait()
			}
			over()
			over = func() {}
			if playing = announced; !playing {
				continue
			}
			play, cancel := context.WithCancel(ctx)
			ended := make(chan struct{})
			over = func() { cancel(); <-ended }
			hash := string(entry.Value())
			go func() {
				defer close(ended)
				if err := w.playAgain(play, ctx, hash); err != nil && play.Err() == nil {
					failed <- err
				}
			}()
		}
	}
}

// played returns how many matches the worker has played in the current run.
func (w *worker) played() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.self.Matches
}

// playAgain plays a plan. It begins again when something is not at the server, or the server is away.
func (w *worker) playAgain(ctx, worker context.Context, hash string) error {
	for told := false; ; told = true {
		err := w.play(ctx, worker, hash)
		if err == nil || ctx.Err() != nil || !isAway(err) && !isMissing(err) || w.conn.IsClosed() {
			return err
		}
		if !told {
			w.o.Tell("not playing yet, and trying again: " + safe(ofServer("", err, w.conn.ConnectedUrlRedacted()).Error()))
		}
		if !pause(ctx) {
			return nil
		}
	}
}

// play prepares this machine for a plan and plays its jobs until the context is done. Only the end of the whole worker
// gives jobs back: a plan that is over has none.
func (w *worker) play(ctx, worker context.Context, hash string) error {
	err := w.playPlan(ctx, worker, hash)
	if r := new(refusal); errors.As(err, &r) {
		w.say(func(p *Presence) { p.Refuses = r.reason })
		w.renew(worker)
	}
	w.say(func(p *Presence) { p.Plan, p.Matches, p.Lacks, p.Without = "", 0, nil, nil })
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
	using, unused := context.WithCancel(ctx)
	defer unused()
	go cache{w.o.Cache}.use(using, plan.bundles())
	t, err := plan.tournament(w.o.Concurrency, cache{w.o.Cache}.folderOf, w.o.Builtin)
	if err != nil {
		return &refusal{err.Error()}
	}
	t.Isolation.Hidden = w.o.Credentials.Files()
	if err := w.shield(ctx, t.Isolation); err != nil {
		return err
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
		w.o.Tell("isolation: " + i.Line)
	}
	for _, need := range slices.Sorted(maps.Keys(lacks)) {
		w.o.Tell("no matches that need " + need + ": " + lacks[need])
	}
	lanes := plan.lanesWithout(lacks)
	w.say(func(p *Presence) {
		if len(lanes) > 0 {
			p.Plan = hash
		}
		for _, need := range slices.Sorted(maps.Keys(lacks)) {
			p.Lacks = append(p.Lacks, "no matches that need "+need+": "+lacks[need])
			p.Without = append(p.Without, need)
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
			return err
		}
		from = append(from, consumer)
	}
	w.mu.Lock()
	w.feed = t.Feed
	w.mu.Unlock()
	tables := hall.Tables(w.o.Concurrency)
	defer tables.Close()
	w.o.Tell(fmt.Sprintf("playing %q; matches at once: %d", safe(plan.Tournament), w.o.Concurrency))
	var playing sync.WaitGroup
	for n := range w.o.Concurrency {
		playing.Go(func() {
			s := &seat{worker: w, number: n, tables: tables, plan: plan, hash: hash, longest: longestSilence(t.Time)}
			defer s.answering.Wait()
			for turn := n; ctx.Err() == nil; turn++ {
				msg := w.take(ctx, from, turn)
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

// inPlay returns the matches in play, in the order of their slots.
func (w *worker) inPlay() []arena.MatchBegun {
	w.mu.Lock()
	feed := w.feed
	w.mu.Unlock()
	return feed.Matches()
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
	var plays []string
	for _, m := range w.inPlay() {
		plays = append(plays, m.String())
	}
	w.mu.Lock()
	w.self.Plays = plays
	text := encode(w.self)
	w.mu.Unlock()
	within, cancel := context.WithTimeout(ctx, w.timing.gone/4)
	defer cancel()
	_, err := w.presence.Put(within, w.id, text)
	if ctx.Err() == nil {
		w.notice(err) // the next beat tries again
	}
}

// leave removes the worker's entry, unless it says why the worker refuses: that vanishes later.
func (w *worker) leave() {
	w.mu.Lock()
	refuses := w.self.Refuses != ""
	w.mu.Unlock()
	if refuses || !w.conn.IsConnected() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), partsIn)
	defer cancel()
	_ = w.presence.Delete(ctx, w.id) // it vanishes by itself
}
