package arena

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"sembra/arena/guest"
	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/engine/expect"
	"sembra/results"
	"sembra/results/schedule"
)

var must, equal = expect.NoError, expect.Equal

func must2[T any](value T, err error) T { return expect.Value(value, err) }

// thinks returns answers with the first legal move, each after its time.
func thinks(times ...time.Duration) func(*question) string {
	return func(q *question) string {
		if q.Ply <= len(times) {
			time.Sleep(times[q.Ply-1])
		}
		return q.First()
	}
}

// plays returns answers with those tokens, one after another, and then gives up.
func plays(tokens ...string) func(*question) string {
	return func(q *question) string {
		if q.Ply > len(tokens) {
			return "bestmove " + protocol.Resign
		}
		return "bestmove " + tokens[q.Ply-1]
	}
}

// counted counts the starts of a bot, and fails those that fail tells to.
type counted struct {
	guest.Launcher
	starts atomic.Int32
	fail   func(start int) bool // by its number, from 1
}

// Launch starts the bot, or fails like a system without processes.
func (c *counted) Launch(ctx context.Context, n *guest.Spawner) (guest.Bot, error) {
	start := int(c.starts.Add(1))
	if c.fail != nil && c.fail(start) {
		return nil, &guest.RunnerError{Err: fmt.Errorf("fork: %w", syscall.EAGAIN)}
	}
	return c.Launcher.Launch(ctx, n)
}

// unclocked is a time control without a clock.
func unclocked() TimeControl {
	return TimeControl{Watchdog: time.Minute, Startup: time.Minute}
}

func ruleset(t testing.TB, name string) engine.Ruleset {
	t.Helper()
	return must2(engine.Lookup(name))
}

// tournament returns a tournament of awale from the start position between the
// bots, who are named a, b, c … in their order.
func tournament(t testing.TB, pairs int, control TimeControl, bots ...guest.Launcher) *Run {
	t.Helper()
	rules := ruleset(t, "awale")
	tour := &Run{
		Tournament: results.Tournament{Plan: results.Plan{
			Conditions: results.Conditions{Ruleset: "awale", Rounds: 1, Time: control},
			Name:       "test", Format: results.RoundRobin, Pairs: pairs, Openings: StartPositions(rules, pairs), Seed: 1,
		}, Family: "test"},
		Rules: rules, Machine: Machine{Concurrency: 1, Missing: ForfeitMissing},
	}
	for i, bot := range bots {
		tour.enter(guest.Entry{Name: string(rune('a' + i)), Launcher: bot})
	}
	return tour
}

// enter adds a bot.
func (r *Run) enter(e guest.Entry) {
	r.Bots, r.Entries = append(r.Bots, e.Name), append(r.Entries, e)
}

// under changes the ruleset.
func (r *Run) under(rules engine.Ruleset) {
	r.Rules, r.Ruleset, r.Rounds = rules, rules.Info().Name, rules.Info().Rounds
}

// bout is a match between two bots: a, who is South, and b.
type bout struct {
	control      TimeControl // without one: no clock
	rules        engine.Ruleset
	opening      string
	options      []protocol.OptionValue // of South
	south, north guest.Launcher
}

// play plays the match inside a bubble of time and returns its record, which
// agrees with itself, and what was said of a fault.
func (b bout) play(t *testing.T) (rec results.Record, what string) {
	t.Helper()
	if b.control == (TimeControl{}) {
		b.control = unclocked()
	}
	tour := tournament(t, 1, b.control, b.south, b.north)
	tour.Entries[0].Options = b.options
	if b.rules != nil {
		tour.under(b.rules)
	}
	tour.Openings = StartPositions(tour.Rules, 1)
	if b.opening != "" {
		tour.Openings = []string{b.opening}
	}
	return playFirst(t, tour)
}

// log is a Recorder that keeps everything in memory, and fails if it is told to.
type log struct {
	mu      sync.Mutex
	records map[results.Key]results.Record
	voids   []string
	puts    int
	fail    func(put int) error // by its number, from 1
}

// Put keeps records that agree with themselves and are not kept yet.
func (l *log) Put(records []results.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.puts++
	if l.fail != nil {
		if err := l.fail(l.puts); err != nil {
			return err
		}
	}
	if l.records == nil {
		l.records = make(map[results.Key]results.Record)
	}
	for _, r := range records {
		if _, there := l.records[r.Key]; there {
			return fmt.Errorf("the record of %v is there already", r.Key)
		}
		if err := r.Check(); err != nil {
			return err
		}
		l.records[r.Key] = r
	}
	return nil
}

// PutVoid keeps that a match came to nothing.
func (l *log) PutVoid(key results.Key, reason string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.voids = append(l.voids, key.String()+": "+reason)
	return nil
}

// done returns what is recorded, in the order of a schedule without records.
func (l *log) done(s *schedule.Schedule) []results.Numbered {
	var done []results.Numbered
	for number := 1; number <= s.Known(); number++ {
		if r, ok := l.records[s.Key(number)]; ok {
			done = append(done, results.Numbered{Number: number, Summary: r.Summary})
			s.Add(r.Summary)
		}
	}
	return done
}

// timeless returns the records in the order of the schedule, without times.
// All must be there, those of a sequential test until its stop.
func (l *log) timeless(t *testing.T, s *schedule.Schedule) []results.Record {
	t.Helper()
	var records []results.Record
	last := s.Known()
	if test := s.Test(); test != nil {
		last = test.StoppedAt
	}
	for number := 1; number <= last; number++ {
		r, ok := l.records[s.Key(number)]
		if !ok {
			t.Fatalf("match %d has no record", number)
		}
		r.Times, r.CPU, r.Elapsed, r.Evidence = [2]time.Duration{}, [2]time.Duration{}, nil, nil
		records = append(records, r)
	}
	return records
}

// stopped runs a tournament in a bubble of time, stops it at random moments, most of them before longest, and resumes
// with what was kept, until all is played. It is stopped three times at least.
func stopped(t *testing.T, tour *Run, longest time.Duration) (kept *log, stops int) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, uint64(tour.Concurrency)))
	kept = new(log)
	for {
		patience := time.Duration(random.Int64N(int64(longest)))
		if stops%4 == 3 { // long enough for the longest match
			patience += time.Second
		}
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		err := tour.Play(ctx, kept.done(tour.Schedule()), kept, func(Event) {})
		cancel()
		if err == nil {
			break
		}
		if stops++; !errors.Is(err, context.DeadlineExceeded) || stops > 1000 {
			t.Fatalf("stopped %d times: %v", stops, err)
		}
	}
	settle()
	if stops < 3 {
		t.Errorf("it was stopped only %d times", stops)
	}
	return kept, stops
}

// events collects what a run tells.
type events []Event

func (e *events) tell(event Event) { *e = append(*e, event) }

// of returns the events of one kind.
func of[T any](all events) []T {
	var some []T
	for _, e := range all {
		for _, one := range []any{e.Isolated, e.Unbound, e.BotFailed, e.MatchEnded, e.MatchVoid} {
			if is, ok := one.(*T); ok && is != nil {
				some = append(some, *is)
			}
		}
	}
	return some
}

// asConfigError returns the error as a ConfigError, which it must be.
func asConfigError(t *testing.T, err error) *guest.ConfigError {
	t.Helper()
	config := new(guest.ConfigError)
	if !errors.As(err, &config) {
		t.Fatalf("error is %v, a ConfigError expected", err)
	}
	return config
}

// inBubble runs a part of a test in a bubble of time.
func inBubble(t *testing.T, name string, run func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { synctest.Test(t, run) })
}

// run runs a tournament without records.
func run(t *testing.T, tour *Run) (kept *log, told events, err error) {
	t.Helper()
	kept = new(log)
	err = tour.Play(t.Context(), nil, kept, told.tell)
	return kept, told, err
}

// noFault sees that no bot was at fault.
func noFault(t *testing.T, kept *log) {
	t.Helper()
	for key, rec := range kept.records {
		if rec.Fault != results.NoFault {
			t.Errorf("%v: ending %v, fault %q", key, rec.Ending, rec.FaultName())
		}
	}
}
