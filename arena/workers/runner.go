package workers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"sembra/arena"
	"sembra/results"
)

// RunnerOptions is what a runner needs beside its tournament.
type RunnerOptions struct {
	Address     string // of the NATS server, as for [Work]
	Credentials Credentials
	Program     string            // version of this program
	Tell        func(line string) // tells people what happens; several goroutines call it

	timing timing // zero: the default
}

// Runner has the matches of one tournament played by workers. It is an [arena.Away].
type Runner struct {
	*link
	tell     func(string)
	plan     Plan
	planHash string
	manifest results.Tournament
	judge    *results.Judge
	jobs     jetstream.Stream
	answers  jetstream.Stream
	files    jetstream.ObjectStore
	claim    uint64 // revision of the runner's entry
	local    bool   // the runner plays too
	stop     context.CancelCauseFunc
	stopped  context.Context // done when the runner is closed or another one has taken over
	running  sync.WaitGroup

	mu      sync.Mutex // guards what follows
	changed *sync.Cond
	waiting map[string]chan delivery // by job
	early   map[string]delivery      // answers to jobs that this runner has not sent yet
	sent    int                      // pairs that have a place
	workers map[string]Presence      // by their identity
	heard   map[string]time.Time     // when the worker was heard of, by our clock
	alone   time.Time                // since when no worker is ready; zero: one is
	tallies map[[2]string]*Tally     // by worker and machine
	strange map[string]bool          // what was told once
	refused map[string]bool          // by worker: its refusal is told
}

// delivery is an answer that is not confirmed yet.
type delivery struct {
	Answer
	confirm func()
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
	l, err := connect(ctx, o.Address, "runner", o.Credentials, o.Tell)
	if err != nil {
		return nil, err
	}
	r = &Runner{
		link: l, tell: o.Tell, local: t.Concurrency > 0, alone: time.Now(), plan: plan, manifest: manifest, judge: judge,
		waiting: make(map[string]chan delivery), early: make(map[string]delivery), workers: make(map[string]Presence),
		heard: make(map[string]time.Time), tallies: make(map[[2]string]*Tally), strange: make(map[string]bool), refused: make(map[string]bool),
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
	if r.files, err = r.js.ObjectStore(ctx, filesStore); errors.Is(err, jetstream.ErrBucketNotFound) {
		r.files, err = r.js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{
			Bucket: filesStore, Description: "the bots that Sembra plays", Replicas: r.replicas(),
		})
	}
	if err != nil {
		release()
		return ofServer("object store "+filesStore, err, r.conn.ConnectedUrlRedacted())
	}
	if err := r.sendBots(ctx, t.Entries, baggage); err != nil {
		release()
		return err
	}
	if err := r.announce(ctx); err != nil {
		release()
		return err
	}
	return r.listen(ctx)
}

// claimServer waits until no other runner uses the server.
func (r *Runner) claimServer(ctx context.Context) error {
	deadline := time.Now().Add(r.timing.gone + r.timing.gone/2)
	for told := false; ; told = true {
		revision, err := r.presence.Create(ctx, runnerKey, r.status())
		if err == nil {
			r.claim = revision
			return nil
		}
		if !errors.Is(err, jetstream.ErrKeyExists) {
			return ofServer("an entry", err, r.conn.ConnectedUrlRedacted())
		}
		var other Status
		if entry, err := r.presence.Get(ctx, runnerKey); err == nil {
			_ = json.Unmarshal(entry.Value(), &other) // an odd entry names nobody
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("another runner plays the tournament %q at this server, on machine %q (hint: one server serves one run at a time)",
				other.Tournament, other.Machine)
		}
		if !told {
			r.tell(fmt.Sprintf("waiting: the server has a runner on machine %q, or one that has just ended", other.Machine))
		}
		select {
		case <-time.After(r.timing.gone / 20):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// machine returns the name of this machine.
func machine() string {
	name, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return name
}

func (r *Runner) status() []byte { // the tallies are not there before the first record
	return encode(Status{Version: valueVersion, Tournament: r.plan.Tournament, Machine: machine(), Tallies: r.Tallies()})
}

// Tallies returns what was counted for each worker, by their names.
func (r *Runner) Tallies() (all []Tally) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, key := range slices.SortedFunc(maps.Keys(r.tallies), func(a, b [2]string) int {
		return strings.Compare(a[0]+"\x00"+a[1], b[0]+"\x00"+b[1])
	}) {
		all = append(all, *r.tallies[key])
	}
	return all
}

// sendBots stores the bundles at the server and completes the plan.
func (r *Runner) sendBots(ctx context.Context, entries []arena.Entry, baggage []arena.Baggage) error {
	for i, e := range entries {
		b := Bot{
			Name: e.Name, Builtin: e.Builtin, Environment: e.Environment, Options: e.Options, Dialect: e.Dialect, Restart: e.Restart,
			Command: baggage[i].Args, Need: baggage[i].Need,
		}
		if b.Builtin == "" && b.Need == "" {
			b.Need = ownProgram
		}
		if len(baggage[i].Files) > 0 {
			var err error
			if b.Bundle, b.Size, err = r.sendBundle(ctx, baggage[i].Files); err != nil {
				return fmt.Errorf("bot %s: its files cannot be sent to workers: %w", e.Name, err)
			}
		}
		r.plan.Bots = append(r.plan.Bots, b)
	}
	r.plan.makeLanes()
	return nil
}

// sendBundle stores a bundle unless it is there.
func (r *Runner) sendBundle(ctx context.Context, files []arena.Carried) (name string, size int64, err error) {
	temp, err := os.CreateTemp("", "sembra-bundle-")
	if err != nil {
		return "", 0, err
	}
	defer func() { err = errors.Join(err, temp.Close(), os.Remove(temp.Name())) }()
	if name, size, err = pack(temp, files); err != nil {
		return "", 0, err
	}
	if info, err := r.files.GetInfo(ctx, name); err == nil && info.Size == uint64(size) {
		return name, size, nil
	}
	if _, err := temp.Seek(0, 0); err != nil {
		return "", 0, err
	}
	_, err = r.files.Put(ctx, jetstream.ObjectMeta{Name: name}, temp)
	return name, size, err
}

// announce tells workers the plan. Jobs and answers of another plan are removed; those of the same plan stay, because
// they are of a runner that was killed.
func (r *Runner) announce(ctx context.Context) error {
	text := encode(r.plan)
	r.planHash = hashOf(text)
	entry, err := r.plans.Get(ctx, planKey)
	if err == nil && string(entry.Value()) == r.planHash {
		return nil
	}
	if err := r.jobs.Purge(ctx); err != nil {
		return err
	}
	if err := r.removeLanes(ctx); err != nil {
		return err
	}
	if _, err := r.files.PutBytes(ctx, planObject(r.planHash), text); err != nil {
		return ofServer("the plan", err, r.conn.ConnectedUrlRedacted())
	}
	for n, lane := range r.plan.Lanes {
		_, err := r.jobs.CreateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: laneName(n), Description: strings.Join(lane.Needs, ", "), FilterSubject: fmt.Sprintf("%s%d.*", jobSubject, n),
			AckPolicy: jetstream.AckExplicitPolicy, AckWait: r.timing.ack, MaxDeliver: -1, MaxAckPending: -1,
		})
		if err != nil {
			return ofServer("consumer "+laneName(n), err, r.conn.ConnectedUrlRedacted())
		}
	}
	_, err = r.plans.PutString(ctx, planKey, r.planHash)
	return err
}

func laneName(n int) string { return fmt.Sprintf("lane-%d", n) }

func planObject(hash string) string { return "plan." + hash }

// removeLanes removes the consumers of another plan.
func (r *Runner) removeLanes(ctx context.Context) error {
	names := r.jobs.ConsumerNames(ctx)
	for name := range names.Name() {
		if err := r.jobs.DeleteConsumer(ctx, name); err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
			return err
		}
	}
	return names.Err()
}

// listen begins to receive answers and to watch the workers. When another runner takes over, all plays fail.
func (r *Runner) listen(ctx context.Context) error {
	reader, err := r.answers.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: answersReader, AckPolicy: jetstream.AckExplicitPolicy, AckWait: 2 * r.timing.ack, MaxDeliver: -1, MaxAckPending: -1,
	})
	if err != nil {
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

// receive takes an answer from the server.
func (r *Runner) receive(msg jetstream.Msg) {
	d := delivery{confirm: func() { _ = msg.Ack() }} // without it, the answer comes again
	if err := decode("an answer", msg.Data(), &d.Answer); err != nil {
		r.tellOnce(err.Error(), fmt.Sprintf("dropped: %s", results.Visible([]byte(err.Error()), 0)))
		d.confirm()
		return
	}
	if d.Plan != r.planHash {
		r.tellOnce("other plan", fmt.Sprintf("dropped: an answer of worker %q belongs to another tournament", d.Worker))
		d.confirm()
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if to := r.waiting[d.Job]; to != nil {
		select {
		case to <- d:
		default: // an answer is there already, and will be confirmed
		}
		return
	}
	r.early[d.Job] = d
}

func (r *Runner) tellOnce(key, line string) {
	r.mu.Lock()
	told := r.strange[key]
	r.strange[key] = true
	r.mu.Unlock()
	if !told {
		r.tell(line)
	}
}

// watch keeps the list of the workers.
func (r *Runner) watch(ctx context.Context, updates <-chan jetstream.KeyValueEntry) {
	sweep := time.NewTicker(r.timing.gone / 4)
	defer sweep.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case entry, open := <-updates:
			if !open {
				return
			}
			if entry != nil && entry.Key() != runnerKey {
				r.note(entry)
			}
		case now := <-sweep.C:
			r.forget(now)
		}
	}
}

// note notes what a worker says of itself.
func (r *Runner) note(entry jetstream.KeyValueEntry) {
	var p Presence
	gone := entry.Operation() != jetstream.KeyValuePut
	if !gone && json.Unmarshal(entry.Value(), &p) != nil {
		return
	}
	r.mu.Lock()
	before, known := r.workers[entry.Key()]
	if gone || p.Refuses != "" {
		delete(r.workers, entry.Key())
		delete(r.heard, entry.Key())
	} else {
		r.workers[entry.Key()], r.heard[entry.Key()] = p, time.Now()
	}
	r.look(time.Now())
	refuses := p.Refuses != "" && !r.refused[entry.Key()]
	r.refused[entry.Key()] = r.refused[entry.Key()] || refuses
	r.changed.Broadcast()
	r.mu.Unlock()
	switch {
	case refuses:
		r.tell(fmt.Sprintf("worker %s refuses to play: %s", p.label(), safe(p.Refuses)))
	case gone && known:
		r.tell(fmt.Sprintf("worker %s has left", before.label()))
	case !gone && !known && p.Refuses == "":
		r.tell(fmt.Sprintf("worker %s is here and plays %d at once", p.label(), p.Slots))
	}
	if !gone {
		for _, lack := range p.Lacks {
			r.tellOnce(entry.Key()+lack, fmt.Sprintf("worker %s: %s", p.label(), safe(lack)))
		}
	}
}

// label names a worker and its machine.
func (p Presence) label() string { return safe(p.Name) + " on " + safe(p.Machine) }

// safe makes a text of a worker safe to print, and cuts it.
func safe(text string) string {
	const most = 500 // bytes
	return results.Visible([]byte(text), most)
}

// forget forgets workers without signs of life.
func (r *Runner) forget(now time.Time) {
	var lost []Presence
	r.mu.Lock()
	for id, heard := range r.heard {
		if now.Sub(heard) > r.timing.gone {
			lost = append(lost, r.workers[id])
			delete(r.workers, id)
			delete(r.heard, id)
		}
	}
	r.look(now)
	r.mu.Unlock()
	for _, p := range lost {
		r.tell(fmt.Sprintf("worker %s is not heard of any more; its matches go to others", p.label()))
	}
}

// beat renews the runner's entry.
func (r *Runner) beat(ctx context.Context) {
	tick := time.NewTicker(r.timing.gone / 4)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		within, cancel := context.WithTimeout(ctx, r.timing.gone/4)
		revision, err := r.presence.Update(within, runnerKey, r.status(), r.claim)
		if err == nil {
			r.claim = revision
		} else if errors.Is(err, jetstream.ErrKeyExists) {
			r.renew(within)
		}
		cancel()
	}
}

// renew claims the server again after the entry has vanished, because the server was away. If another runner has the
// server now, the run ends.
func (r *Runner) renew(ctx context.Context) {
	entry, err := r.presence.Get(ctx, runnerKey)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		if revision, err := r.presence.Create(ctx, runnerKey, r.status()); err == nil {
			r.claim = revision
		}
	case err == nil && entry.Revision() != r.claim:
		var other Status
		_ = json.Unmarshal(entry.Value(), &other) // an odd entry names nobody
		if other.Machine == machine() && other.Tournament == r.plan.Tournament {
			r.claim = entry.Revision() // our own, whose confirmation was lost
			return
		}
		r.stop(fmt.Errorf("another runner on machine %q has taken over the server for the tournament %q", safe(other.Machine), safe(other.Tournament)))
	}
}

// Room waits until there are fewer pairs under way than twice the matches that all workers play at once. Without a
// worker there is no room.
func (r *Runner) Room(ctx context.Context) error {
	wake := context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.changed.Broadcast()
	})
	defer wake()
	r.mu.Lock()
	defer r.mu.Unlock()
	for ctx.Err() == nil {
		if r.sent < 2*r.slots() {
			r.sent++
			return nil
		}
		r.changed.Wait()
	}
	return context.Cause(ctx)
}

// slots returns how many matches all workers that are ready play at once.
func (r *Runner) slots() (slots int) {
	for _, p := range r.workers {
		if p.Plan == r.planHash {
			slots += max(1, min(p.Slots, mostSlots))
		}
	}
	return slots
}

// look notes since when no worker is ready.
func (r *Runner) look(now time.Time) {
	switch ready := r.slots() > 0; {
	case ready:
		r.alone = time.Time{}
	case r.alone.IsZero():
		r.alone = now
	}
}

// nobody reports whether the runner has to play everything itself for now.
func (r *Runner) nobody() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.local && !r.alone.IsZero() && time.Since(r.alone) > r.timing.gone
}

// mostSlots is the largest number of matches at once that a worker may announce.
const mostSlots = 4096

// mostTroubles is how many times a pair may come back without its records because a machine failed or a record did not
// hold. mostEnded is how many workers may take a pair and not be heard of again.
const (
	mostTroubles = 3
	mostEnded    = 3
)

// Play has a pair played. See [arena.Away].
func (r *Runner) Play(ctx context.Context, pair []arena.Job, void func(arena.Job, string)) ([]arena.Returned, error) {
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.sent--
		r.changed.Broadcast()
	}()
	got := make(map[results.Key]arena.Returned)
	var troubles []string
	missing := pair
	for attempt := 0; len(missing) > 0; attempt++ {
		begun := time.Now()
		d, known, err := r.ask(ctx, newJob(r.planHash, missing, attempt))
		if err != nil {
			return inOrder(got, pair), err
		}
		within := time.Since(begun)
		if known { // an earlier runner has sent the job
			within = 0
		}
		who := safe(d.Worker) + " on " + safe(d.Machine)
		switch {
		case d.Ended > 0:
			d.confirm()
			return inOrder(got, pair), &arena.AsideError{Job: missing[0], Reason: fmt.Sprintf("%d workers took it and were not heard of again", d.Ended)}
		case d.GivenBack:
			d.confirm()
			continue
		case d.Failed != "":
			reason := fmt.Sprintf("worker %s: %s", who, safe(d.Failed))
			d.confirm()
			void(missing[0], reason)
			troubles = append(troubles, reason)
		default:
			if wrong := r.take(d, missing, within, got); wrong != nil {
				reason := fmt.Sprintf("a record of worker %s does not hold: %s", who, safe(wrong.Error()))
				r.tell("dropped: " + reason)
				troubles = append(troubles, reason)
			}
		}
		missing = slices.DeleteFunc(slices.Clone(missing), func(j arena.Job) bool { _, ok := got[j.Key]; return ok })
		if len(missing) > 0 && len(troubles) >= mostTroubles {
			return inOrder(got, pair), &arena.AsideError{Job: missing[0], Reason: strings.Join(troubles, "; ")}
		}
	}
	return inOrder(got, pair), nil
}

func inOrder(got map[results.Key]arena.Returned, pair []arena.Job) (all []arena.Returned) {
	for _, job := range pair {
		all = append(all, got[job.Key])
	}
	return all
}

// ask sends a job and waits for its answer. known says that the job was sent by an earlier runner.
func (r *Runner) ask(ctx context.Context, job Job) (d delivery, known bool, err error) {
	to := make(chan delivery, 1)
	r.mu.Lock()
	if early, found := r.early[job.ID]; found {
		delete(r.early, job.ID)
		r.mu.Unlock()
		return early, true, nil
	}
	r.waiting[job.ID] = to
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.waiting, job.ID)
	}()
	subject := fmt.Sprintf("%s%d.%s", jobSubject, r.plan.laneOf(job.Matches[0].Key), job.ID)
	text := encode(job)
	again := time.NewTicker(r.timing.resend)
	defer again.Stop()
	watch := time.NewTicker(r.timing.gone / 2)
	defer watch.Stop()
	if err := r.publish(ctx, subject, text); err != nil {
		return d, false, err
	}
	for {
		select {
		case d := <-to:
			return d, false, nil
		case <-again.C: // the server keeps the job only once
			if err := r.publish(ctx, subject, text); err != nil {
				return d, false, err
			}
		case <-watch.C:
			if r.nobody() && r.jobs.Purge(ctx, jetstream.WithPurgeSubject(subject)) == nil {
				return d, false, arena.ErrNobody
			}
		case <-r.stopped.Done():
			return d, false, context.Cause(r.stopped)
		case <-ctx.Done():
			return d, false, context.Cause(ctx)
		}
	}
}

// take takes the records of an answer that hold. It returns the first reason why one does not. The answer is confirmed
// when the last of them is safe.
func (r *Runner) take(d delivery, wanted []arena.Job, within time.Duration, got map[results.Key]arena.Returned) (wrong error) {
	tally := r.tallyOf(d.Answer)
	left := new(atomic.Int64)
	left.Add(1) // this function
	stored := func() {
		if left.Add(-1) == 0 {
			d.confirm()
		}
	}
	defer stored()
	for _, job := range wanted {
		at := slices.IndexFunc(d.Records, func(rec Record) bool { return rec.Key == job.Key })
		if at < 0 {
			continue // an answer to a part of the pair, of an earlier runner
		}
		rec, err := d.Records[at].unpacked(r.plan.Ruleset)
		if err == nil {
			err = referee(r.judge, job, rec, within)
		}
		r.mu.Lock()
		tally.count(rec.Summary, err)
		r.mu.Unlock()
		if err != nil {
			wrong = errors.Join(wrong, fmt.Errorf("%v: %w", job.Key, err))
			continue
		}
		rec.Worker = safe(d.Worker) + " on " + safe(d.Machine)
		left.Add(1)
		got[job.Key] = arena.Returned{Record: rec, Stored: stored}
	}
	if len(d.Records) == 0 {
		return errors.New("the answer has none")
	}
	return wrong
}

func (r *Runner) tallyOf(a Answer) *Tally {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := [2]string{a.Worker, a.Machine}
	if r.tallies[key] == nil {
		r.tallies[key] = &Tally{Worker: a.Worker, Machine: a.Machine}
	}
	return r.tallies[key]
}

// count counts a record; err is why it was dropped.
func (t *Tally) count(s results.Summary, err error) {
	if err != nil {
		t.Dropped++
		return
	}
	t.Matches++
	if s.Fault != results.NoFault {
		t.Faults++
	}
	if s.Ending == results.EndTime {
		t.Late++
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
