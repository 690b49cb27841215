//go:build long

package workers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"sembra/arena"
	"sembra/engine"
	"sembra/results"
	"sembra/results/store"
)

// TestCeiling measures how many matches a second one runner can have played, with its database and its server in one
// process, by simulated workers that answer at once with valid records.
func TestCeiling(t *testing.T) {
	for _, workers := range []int{1, 10, 100, 1000, 10_000} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) { ceiling(t, workers, 5*time.Second) })
	}
}

func ceiling(t *testing.T, workers int, long time.Duration) {
	tour := crowd(t, 400)
	template := playedOut(t, tour.Rules)
	s := serving(t)
	db, err := store.Open(filepath.Join(t.TempDir(), "cup.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	manifest, err := tour.Manifest()
	if err != nil {
		t.Fatal(err)
	}
	book, err := db.Begin(manifest, false)
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewRunner(t.Context(), tour, book.Tournament, RunnerOptions{Address: s.URL(), Program: "test", Tell: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	tour.Away, tour.Concurrency = r, 0
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	var simulated sync.WaitGroup
	for n := range min(workers, 16) {
		simulated.Go(func() { simulate(ctx, t, s, r.planHash, (workers+n)/min(workers, 16), template) })
	}
	r.mu.Lock()
	for n := range (workers + mostSlots - 1) / mostSlots {
		r.workers[fmt.Sprint("simulated", n)] = Presence{Slots: min(workers, mostSlots), Plan: r.planHash}
	}
	r.look(time.Now())
	r.mu.Unlock()
	var ended atomic.Int64
	var begun time.Time
	var first, last int64
	var took time.Duration
	var memory runtime.MemStats
	timed := &timedBook{Recorder: book}
	err = tour.Run(ctx, nil, timed, func(e arena.Event) {
		if e.MatchEnded == nil {
			return
		}
		n := ended.Add(1)
		switch {
		case begun.IsZero() && n > 200:
			begun, first = time.Now(), n
			*timed = timedBook{Recorder: book}
		case !begun.IsZero() && took == 0 && time.Since(begun) > long:
			took, last = time.Since(begun), n
			runtime.ReadMemStats(&memory)
			cancel()
		}
	})
	cancel()
	simulated.Wait()
	if took == 0 {
		took, last = time.Since(begun), ended.Load()
		runtime.ReadMemStats(&memory)
	}
	t.Logf("%6d workers: %6.0f matches/s, %d MB of memory; the database writes %.0f matches at once, %.0f %% of the time (%v)",
		workers, float64(last-first)/took.Seconds(), memory.Sys>>20,
		float64(timed.records)/float64(timed.puts), 100*timed.took.Seconds()/took.Seconds(), err)
	_ = r.Close(false)
}

// timedBook measures how long a database writes.
type timedBook struct {
	arena.Recorder
	puts, records int
	took          time.Duration
}

func (b *timedBook) Put(records []results.Record) error {
	begun := time.Now()
	err := b.Recorder.Put(records)
	b.puts, b.records, b.took = b.puts+1, b.records+len(records), b.took+time.Since(begun)
	return err
}

// crowd is a round-robin of many bots, with one pair for each two.
func crowd(t *testing.T, bots int) *arena.Tournament {
	t.Helper()
	tour := cup(t, 1)
	tour.Openings = []string{""}
	tour.WithdrawAfter = 0
	one := tour.Entries[0]
	tour.Entries = nil
	for n := range bots {
		e := one
		e.Name = fmt.Sprintf("bot%d", n+1)
		e.Launcher = arena.Command{Args: []string{os.Args[0], "bot", "random"}, Dir: os.TempDir(), Env: arena.CleanEnvironment()}
		tour.Entries = append(tour.Entries, e)
	}
	return tour
}

// playedOut is a record of a match whose moves took no time.
func playedOut(t *testing.T, rules engine.Ruleset) results.Record {
	t.Helper()
	match := engine.NewMatch(rules, rules.Start())
	r := results.Record{Body: results.Body{Opening: engine.Text(rules, rules.Start())}}
	for n := 0; !match.Over(); n++ {
		legal := match.Legal()
		move := legal[n*7%len(legal)]
		r.Moves = append(r.Moves, move.Token(match.Position().Side()))
		r.Elapsed = append(r.Elapsed, 0)
		match.Play(move)
	}
	o, _ := match.Outcome()
	r.Result, r.Ending, r.Plies = results.ResultOf(o.Result), results.EndingOf(o.End), len(r.Moves)
	r.Body.Rounds = results.RoundsOf(match, r.Ending)
	r.SouthStore, r.NorthStore = match.Position().Store(engine.South), match.Position().Store(engine.North)
	return r
}

// simulate is some workers with one connection.
func simulate(ctx context.Context, t *testing.T, s *Server, plan string, workers int, template results.Record) {
	l, err := connect(ctx, s.URL(), "simulated", Credentials{}, func(string) {})
	if err != nil {
		t.Error(err)
		return
	}
	defer l.conn.Close()
	lane, err := l.js.Consumer(ctx, jobsStream, laneName(0))
	if err != nil {
		t.Error(err)
		return
	}
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for ctx.Err() == nil {
				batch, err := lane.Fetch(1, jetstream.FetchMaxWait(20*time.Second))
				if err != nil {
					continue
				}
				for msg := range batch.Messages() {
					var job Job
					if decode("a job", msg.Data(), &job) != nil {
						continue
					}
					a := Answer{Version: valueVersion, Plan: plan, Job: job.ID, Worker: "simulated", Machine: "m"}
					for _, m := range job.Matches {
						rec := template
						rec.Key, rec.Seeds = m.Key, m.Seeds
						a.Records = append(a.Records, packed(rec))
					}
					if _, err := l.publish(ctx, answerSubject+job.ID, encode(a)); err == nil {
						_ = msg.Ack()
					}
				}
			}
		})
	}
	<-ctx.Done()
	l.conn.Close() // ends the waits
	all.Wait()
}
