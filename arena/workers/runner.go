package workers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"sembra/arena"
)

// Runner has the matches of one tournament played by workers. It is an [arena.Remote].
type Runner struct {
	*link
	self     Heartbeat
	run      *arena.Run
	botFiles []arena.BotFiles // of the bots
	plan     Plan
	jobs     jetstream.Stream
	answers  jetstream.Stream
	stop     context.CancelCauseFunc
	stopped  context.Context // done when the runner is closed or cannot continue
	running  sync.WaitGroup  // of the goroutines that end with stopped
	waiting  sync.Map        // the chan Answer of each job under way, by its identity

	mu      sync.Mutex           // guards what follows
	changed *sync.Cond           // slots or sent have changed
	workers map[string]Heartbeat // by identity
	sent    int                  // pairs that have a place
	slots   int                  // matches that all workers play concurrently
	alone   time.Time            // since when there is no worker
}

// NewRunner connects to a server for the run of a tournament. Nothing is announced there
// before [Runner.Begin]. The caller closes the runner. It fails if another runner uses the server.
func NewRunner(ctx context.Context, run *arena.Run, o Options) (*Runner, error) {
	if err := run.CheckOpenings(run.Rules); err != nil {
		return nil, err
	}
	files, err := run.BotFiles()
	if err != nil {
		return nil, err
	}
	l, err := connect(ctx, o, "runner", false)
	if err != nil {
		return nil, err
	}
	r := &Runner{
		link: l, run: run, botFiles: files, alone: time.Now(),
		plan:    Plan{Conditions: run.Conditions, Tournament: run.Name, Isolation: run.Isolation}, // the bots come later
		self:    Heartbeat{Who: Who{"runner", machine()}, ID: nuid.Next(), Program: o.Program, Tournament: run.Name},
		workers: make(map[string]Heartbeat),
	}
	r.changed = sync.NewCond(&r.mu)
	r.stopped, r.stop = context.WithCancelCause(context.Background())
	if err = r.checkServer(ctx); err == nil {
		err = r.claim(ctx)
	}
	if err != nil {
		r.conn.Close()
		return nil, err
	}
	return r, nil
}

// claim listens for a while whether another runner uses the server, and then begins to listen to heartbeats.
func (r *Runner) claim(ctx context.Context) (err error) {
	others := make(chan *nats.Msg, 16)
	if _, err = r.conn.ChanSubscribe(runSubject, others); err != nil {
		return err
	}
	signs := make(chan *nats.Msg, 4096)
	if _, err = r.conn.ChanSubscribe(workerSubject+"*", signs); err != nil {
		return err
	}
	select {
	case msg := <-others:
		if other, err := readSign(msg.Data); err == nil {
			return fmt.Errorf("another runner plays the tournament %q at this server, on machine %q "+
				"(hint: one server serves one run at a time)", other.Tournament, other.Machine)
		}
	case <-time.After(3 * r.timing.sign):
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	r.running.Go(func() { r.watch(others, signs) })
	return nil
}

// watch keeps the list of the workers and sends heartbeats, until the runner is stopped. Of two runners that began
// at the same time, one ends.
func (r *Runner) watch(others, signs <-chan *nats.Msg) {
	tick := time.NewTicker(r.timing.sign)
	defer tick.Stop()
	for {
		select {
		case <-r.stopped.Done():
			return
		case msg := <-others:
			if other, err := readSign(msg.Data); err == nil && other.ID < r.self.ID && other.Plan != "" {
				r.stop(fmt.Errorf("another runner on machine %q uses the server now, for the tournament %q",
					other.Machine, other.Tournament))
			}
		case msg := <-signs:
			if s, err := readSign(msg.Data); err == nil && msg.Subject == workerSubject+s.ID {
				r.update(func() string { return r.note(s) })
			}
		case now := <-tick.C:
			if sign := r.sign(); sign.Plan != "" {
				r.send(runSubject, sign)
			}
			r.update(func() string { return r.forget(now) })
		}
		if r.conn.IsClosed() {
			r.stop(r.closed())
		}
	}
}

// sign returns what the runner says of itself.
func (r *Runner) sign() Heartbeat {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.self
}

// mostWorkers is how many workers a runner knows.
const mostWorkers = 20_000

// note notes what a worker says of itself. Only a worker that has prepared for the plan counts.
func (r *Runner) note(s Heartbeat) string {
	if s.Leaves != "" {
		delete(r.workers, s.ID)
		return fmt.Sprintf("worker %s has left: %s\n", s.Who, s.Leaves)
	}
	_, known := r.workers[s.ID]
	if s.Plan == "" || s.Plan != r.self.Plan || !known && len(r.workers) == mostWorkers {
		return ""
	}
	r.workers[s.ID] = s
	if known {
		return ""
	}
	return fmt.Sprintf("worker %s joined; concurrent matches: %d\n", s.Who, s.Slots)
}

// forget forgets workers without heartbeats.
func (r *Runner) forget(now time.Time) string {
	var news string
	for id, s := range r.workers {
		if now.Sub(s.at) > r.timing.gone {
			delete(r.workers, id)
			news += fmt.Sprintf("lost contact with worker %s; its matches go to others\n", s.Who)
		}
	}
	return news
}

// update changes the list of the workers, counts their slots, and reports the news, a line each.
func (r *Runner) update(change func() (news string)) {
	r.mu.Lock()
	news, slots := change(), 0
	for _, s := range r.workers {
		slots += s.Slots
	}
	if slots == 0 && r.slots > 0 {
		r.alone = time.Now()
	}
	r.slots = slots
	r.changed.Broadcast()
	r.mu.Unlock()
	for line := range strings.Lines(news) {
		r.report(strings.TrimSuffix(line, "\n"))
	}
}

// Workers returns how many workers play, and how many matches they play concurrently.
func (r *Runner) Workers() (workers, slots int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.workers), r.slots
}

// Begin announces the tournament, so that workers prepare for it. The bots' files travel to the server. absent names
// the bots that have not started here, which workers do not need.
func (r *Runner) Begin(ctx context.Context, absent []string) (err error) {
	defer func() { err = r.unable(err) }()
	if err := r.packBots(absent); err != nil {
		return err
	}
	text, err := json.Marshal(r.plan)
	if err != nil {
		return err
	}
	server := r.conn.ConnectedServerId()
	if r.jobs, r.answers, err = r.prepare(ctx, text); err != nil {
		return err
	}
	r.mu.Lock()
	r.self.Plan = hashOf(text)
	r.mu.Unlock()
	// Close ends them, and waits for them.
	r.running.Go(func() { r.read(r.stopped) })
	r.running.Go(func() { r.guard(r.stopped, server, text) })
	return nil
}

// prepare makes sure that the server has the plan of that text, the bots' files, and the streams with new readers.
func (r *Runner) prepare(ctx context.Context, text []byte) (jobs, answers jetstream.Stream, err error) {
	plan := hashOf(text)
	ctx, cancel := transfer(ctx, int64(len(text))+r.plan.size())
	defer cancel()
	// A runner may be killed at any point. What is there stays only if it has this plan, which comes last.
	files, err := r.js.ObjectStore(ctx, filesStore)
	if err == nil {
		_, err = files.GetInfo(ctx, plan)
	}
	same := err == nil
	if err != nil && !errors.Is(err, jetstream.ErrBucketNotFound) && !errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil, nil, err
	}
	if !same {
		if err := r.removeAll(ctx); err != nil {
			return nil, nil, err
		}
	}
	if jobs, err = r.queue(ctx, jobsStream, jobSubject+"*", jobsReader, r.timing.ack); err != nil {
		return nil, nil, err
	}
	if answers, err = r.queue(ctx, answersStream, answerSubject+"*", answersReader, 2*r.timing.ack); err != nil || same {
		return jobs, answers, err
	}
	files, err = r.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: filesStore})
	if err == nil {
		err = r.sendBots(ctx, files)
	}
	if err == nil {
		_, err = files.PutBytes(ctx, plan, text)
	}
	return jobs, answers, err
}

// removeAll removes all that the server keeps.
func (r *Runner) removeAll(ctx context.Context) (err error) {
	for _, wrong := range []error{
		r.js.DeleteStream(ctx, jobsStream), r.js.DeleteStream(ctx, answersStream), r.js.DeleteObjectStore(ctx, filesStore),
	} {
		if !errors.Is(wrong, jetstream.ErrStreamNotFound) && !errors.Is(wrong, jetstream.ErrBucketNotFound) {
			err = errors.Join(err, wrong)
		}
	}
	return err
}

// packBots completes the plan with the bots that have started here.
func (r *Runner) packBots(absent []string) (err error) {
	for i, e := range r.run.Entries {
		if e.Withdrawn || slices.Contains(absent, e.Name) {
			continue
		}
		e.Launcher, e.Folder = nil, ""
		b := Bot{Entry: e, Command: r.botFiles[i].Args, files: r.botFiles[i].Files}
		if len(b.files) > 0 {
			if b.Bundle, b.Size, err = pack(io.Discard, b.files); err != nil {
				return fmt.Errorf("bot %s: its files cannot be sent to workers: %w", b.Name, err)
			}
		}
		r.plan.Bots = append(r.plan.Bots, b)
	}
	return nil
}

// sendBots stores the bundles at the server.
func (r *Runner) sendBots(ctx context.Context, files jetstream.ObjectStore) error {
	for i, b := range r.plan.Bots {
		isSent := func(other Bot) bool { return other.Bundle == b.Bundle }
		if b.Bundle == "" || slices.ContainsFunc(r.plan.Bots[:i], isSent) {
			continue
		}
		from, to := io.Pipe()
		go func() {
			name, _, err := pack(to, b.files)
			if err == nil && name != b.Bundle {
				err = errors.New("they have changed while they were sent")
			}
			_ = to.CloseWithError(err) // it returns nil
		}()
		_, err := files.Put(ctx, jetstream.ObjectMeta{Name: b.Bundle}, from)
		_ = from.Close() // so that pack ends in any case
		if err != nil {
			return fmt.Errorf("bot %s: its files cannot be sent to workers: %w", b.Name, err)
		}
	}
	return nil
}

// guard ends the run if the server answers but has stored nothing for some time, because its disk is full or it has
// lost the streams. As long as the server cannot be reached, the library tries to connect again. A server that was
// started again is prepared again, because it may have lost what it had confirmed.
func (r *Runner) guard(ctx context.Context, server string, plan []byte) {
	probe := make([]byte, 64<<10) // the answer of a worker that does not exist; it returns and is dropped
	const most = 3 * time.Second  // that one probe counts: this process may have been stopped, or the machine suspended
	var failing time.Duration
	for last := time.Now(); ctx.Err() == nil; pause(ctx, retryAfter) {
		within, cancel := context.WithTimeout(ctx, 2*time.Second)
		_, err := r.js.Publish(within, answerSubject+"probe", probe, jetstream.WithRetryAttempts(0))
		cancel()
		failing += min(time.Since(last), most)
		last = time.Now()
		switch {
		case err == nil || isThere(err): // the last one is still on its way
			failing = 0
		case r.conn.FlushTimeout(time.Second) != nil: // it does not answer at all
			failing = 0
		case failing > r.timing.stores:
			r.stop(r.unable(err))
		}
		if now := r.conn.ConnectedServerId(); now != server && now != "" {
			if _, _, err := r.prepare(ctx, plan); err == nil {
				server = now
			}
		}
	}
}

// read receives answers until the context is done.
func (r *Runner) read(ctx context.Context) {
	for ; ctx.Err() == nil; pause(ctx, retryAfter) {
		reader, err := reader(ctx, r.answers, answersReader, 2*r.timing.ack)
		if err != nil {
			continue
		}
		// Without heartbeats, the server has forgotten that somebody waits for answers.
		consuming, err := reader.Consume(
			r.receive, jetstream.PullExpiry(10*time.Second), jetstream.PullHeartbeat(2*time.Second),
			jetstream.PullMaxBytes(4*mostPayload),
		)
		if err != nil {
			continue
		}
		select {
		case <-consuming.Closed(): // the server has ended it
		case <-ctx.Done():
		}
		consuming.Stop()
	}
}

// Close tells the workers that the run is over, and ends the connection. over says that every match has a record: then
// nothing of the tournament stays at the server. If not, answers that are on their way stay there for the next run. A
// server that does not answer is not waited for.
func (r *Runner) Close(over bool) (err error) {
	defer r.conn.Close()
	lost := r.stopped.Err() != nil // the server stores nothing, or has another runner
	r.stop(errors.New("the run is over"))
	silent := r.conn.FlushTimeout(time.Second)
	r.running.Wait()
	sign := r.sign()
	switch {
	case lost:
		return nil
	case sign.Plan == "" && !over: // nothing was begun
		return nil
	case silent != nil:
		return errors.New("it does not answer")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*answersWithin)
	defer cancel()
	if over { // even if nothing was begun: the runner before may have been killed when it had all records
		err = r.removeAll(ctx)
	} else {
		err = errors.Join(r.jobs.DeleteConsumer(ctx, jobsReader), r.jobs.Purge(ctx))
	}
	sign.Plan = ""
	r.send(runSubject, sign)
	return errors.Join(err, r.conn.FlushWithContext(ctx))
}
