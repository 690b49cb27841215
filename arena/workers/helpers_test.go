package workers

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"sembra/arena"
	"sembra/arena/guest"
	"sembra/engine"
	"sembra/engine/expect"
	"sembra/results"
	"sembra/results/stats"
)

var must = expect.NoError

func must2[T any](value T, err error) T { return expect.Value(value, err) }

// quick is a timing for tests: what is lost is noticed soon.
func quick() timing {
	return timing{sign: 200 * time.Millisecond, gone: 3 * time.Second, ack: 2 * time.Second, stores: 6 * time.Second}
}

// builtin is how this test binary starts a built-in bot.
func builtin(name string) []string {
	if name != "random" && name != "greedy" && name != "slow" {
		return nil
	}
	return []string{os.Args[0], "bot", name}
}

// playedBy returns a tournament of built-in bots with 25 pairs. Nobody is disqualified, so that many matches are in
// play concurrently.
func playedBy(format string, names, builtins []string) (*arena.Run, error) {
	rules, err := engine.Lookup("awale")
	if err != nil {
		return nil, err
	}
	tour := &arena.Run{
		Tournament: results.Tournament{Plan: results.Plan{
			Name: "cup", Format: format, Bots: names, Pairs: 25, Rating: results.Rating{Start: 1500, K: 16}, Seed: 1,
			Conditions: results.Conditions{
				Ruleset: "awale", Rounds: 1,
				Time: results.TimeControl{Watchdog: time.Minute, Startup: time.Minute, Margin: time.Second},
			},
		}, Family: "cup"},
		Rules: rules, Machine: arena.Machine{Missing: arena.ForfeitMissing, Concurrency: 4},
	}
	for i, name := range names {
		command := guest.Command{Args: builtin(builtins[i]), Dir: os.TempDir(), Env: guest.CleanEnvironment()}
		tour.Entries = append(tour.Entries, guest.Entry{Name: name, Builtin: builtins[i], Launcher: command})
	}
	return tour, nil
}

// open draws the openings of a tournament.
func open(tour *arena.Run) error {
	list, err := arena.RandomOpenings(tour.Rules, 1, 5, tour.Pairs+tour.ExtraPairs)
	tour.Openings = list
	return err
}

// cup is a round-robin of three built-in bots.
func cup(t *testing.T, pairs int) *arena.Run {
	t.Helper()
	tour, err := playedBy(results.RoundRobin, []string{"random", "greedy", "other"}, []string{"random", "greedy", "random"})
	must(t, err)
	tour.Pairs, tour.DisqualifyAfter, tour.Concurrency = pairs, 5, 1
	must(t, open(tour))
	return tour
}

// slowCup is a tournament of that format with bots that are all the same built-in one.
func slowCup(format, bot string) (*arena.Run, error) {
	names := []string{"one", "two", "three", "four"}
	if format == results.Sequential {
		names = names[:2]
	}
	tour, err := playedBy(format, names, []string{bot, bot, bot, bot})
	if err != nil {
		return nil, err
	}
	tour.Adjudication = &results.Adjudication{Plies: 80, By: "stores"}
	switch format {
	case results.Swiss:
		tour.Stages, tour.Pairs = 3, 15
	case results.Knockout:
		tour.ExtraPairs = 2
	case results.Sequential:
		tour.Pairs = 300
		tour.Test = &stats.Test{Elo0: 0, Elo1: 120, Alpha: 0.05, Beta: 0.05, Model: stats.Normalized}
	}
	return tour, open(tour)
}

// kept is a recorder in memory.
type kept struct {
	mu      sync.Mutex
	records map[results.Key]results.Record
	twice   []results.Key
}

func newKept() *kept { return &kept{records: make(map[results.Key]results.Record)} }

// Put keeps records.
func (k *kept) Put(records []results.Record) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, r := range records {
		if _, is := k.records[r.Key]; is {
			k.twice = append(k.twice, r.Key)
		}
		k.records[r.Key] = r
	}
	return nil
}

// PutVoid forgets a void match, which is played again.
func (k *kept) PutVoid(results.Key, string) error { return nil }

// timeless returns all records in schedule order without what differs from run to run.
func (k *kept) timeless(t *testing.T, tour *arena.Run) (all []results.Record) {
	t.Helper()
	s := tour.Schedule()
	s.AddRecorded(func(key results.Key) (results.Summary, bool) {
		r, is := k.records[key]
		return r.Summary, is
	})
	last := s.Known()
	if test := s.Test(); test != nil {
		last = test.StoppedAt // matches beyond it may be recorded
	}
	for number := 1; number <= last; number++ {
		r, is := k.records[s.Key(number)]
		if !is {
			t.Fatalf("match %d (%v) has no record", number, s.Key(number))
		}
		r.Times, r.CPU, r.Elapsed, r.Evidence = [2]time.Duration{}, [2]time.Duration{}, nil, nil
		r.Worker, r.Files = "", [2]string{}
		all = append(all, r)
	}
	if len(k.twice) > 0 {
		t.Errorf("these matches were stored twice: %v", k.twice)
	}
	return all
}

// locally returns the records of a tournament that is played without workers.
func locally(t *testing.T, tour *arena.Run) []results.Record {
	t.Helper()
	k := newKept()
	must(t, tour.Play(t.Context(), nil, k, func(arena.Event) {}))
	return k.timeless(t, tour)
}

// lines keeps what is told.
type lines struct {
	mu  sync.Mutex
	all []string
}

func (l *lines) tell(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, line)
}

// has reports whether a line with that text was told.
func (l *lines) has(text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.all, func(line string) bool { return strings.Contains(line, text) })
}

// until waits for a line with that text.
func (l *lines) until(t *testing.T, text string) {
	t.Helper()
	until(t, "the line "+text, func() bool { return l.has(text) })
}

// until waits for a state.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for !is() {
		select {
		case <-t.Context().Done():
			t.Fatalf("the test ends without %s", what)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// serving runs a server for a test in this process, and returns its address.
func serving(t *testing.T, change ...func(*server.Options)) string {
	t.Helper()
	s, _ := startServer(t, change...)
	return s.ClientURL()
}

// startServer starts a server, which ends with the test or with stop.
func startServer(t *testing.T, change ...func(*server.Options)) (s *server.Server, stop func()) {
	t.Helper()
	o := &server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true}
	for _, c := range change {
		c(o)
	}
	s = must2(server.NewServer(o))
	s.Start()
	stop = func() {
		s.Shutdown()
		s.WaitForShutdown()
	}
	t.Cleanup(stop)
	until(t, "a server", func() bool { return s.ReadyForConnections(time.Second) })
	return s, stop
}

// text is a value as it travels.
func text(t *testing.T, value any) []byte {
	t.Helper()
	return must2(json.Marshal(value))
}

// client connects to a server.
func client(t *testing.T, address string) *link {
	t.Helper()
	l := must2(connect(t.Context(), Options{Address: address, Report: func(string) {}, timing: quick()}, "test", false))
	t.Cleanup(l.conn.Close)
	return l
}

// working runs a worker until the test ends, or until stop is called.
func working(t *testing.T, address, name string, change ...func(*WorkerOptions)) (told *lines, stop func() error) {
	t.Helper()
	told = new(lines)
	o := WorkerOptions{
		Options: Options{Address: address, Program: "test", Report: told.tell, timing: quick()},
		Name:    name, Concurrency: 2, Cache: filepath.Join(t.TempDir(), "cache"), Builtin: builtin,
	}
	for _, c := range change {
		c(&o)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	stop = sync.OnceValue(func() error {
		cancel()
		return <-ended
	})
	t.Cleanup(func() { _ = stop() })
	go func() { ended <- Work(ctx, o) }()
	return told, stop
}

// hosting connects a runner for a tournament, which it is given to.
func hosting(t *testing.T, address string, tour *arena.Run) (*Runner, *lines) {
	t.Helper()
	told := new(lines)
	r, err := NewRunner(t.Context(), tour, Options{Address: address, Program: "test", Report: told.tell, timing: quick()})
	must(t, err)
	tour.Remote = r
	return r, told
}

// away returns a tournament for workers alone, and its records without them.
func away(t *testing.T, pairs int) (run *arena.Run, want []results.Record) {
	t.Helper()
	tour := cup(t, pairs)
	want = locally(t, tour)
	tour.Concurrency = 0
	return tour, want
}

// pretended sends heartbeats for a worker that does nothing, until the context is done.
func pretended(ctx context.Context, t *testing.T, address string, r *Runner) {
	l := client(t, address)
	for ctx.Err() == nil {
		l.send(workerSubject+"pretended", Heartbeat{ID: "pretended", Who: Who{"pretended", "m"}, Plan: r.sign().Plan, Slots: 2})
		time.Sleep(quick().sign)
	}
}

// right sees that there is no error. Any goroutine may call it.
func right(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}
