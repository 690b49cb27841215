package workers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"sembra/arena"
	"sembra/results"
)

// TestBadServers: an address that is of no use is a sentence, without control characters.
func TestBadServers(t *testing.T) {
	t.Parallel()
	stranger, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	go func() {
		for {
			conn, err := stranger.Accept()
			if err != nil {
				return
			}
			fmt.Fprint(conn, "SSH-2.0 \x1b[31m\r\n")
			defer conn.Close()
		}
	}()
	plain := func(o server.Options) string {
		o.Host, o.Port, o.NoSigs, o.NoLog, o.StoreDir = "127.0.0.1", server.RANDOM_PORT, true, true, t.TempDir()
		s, err := server.NewServer(&o)
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		t.Cleanup(func() {
			s.Shutdown()
			s.WaitForShutdown()
		})
		until(t, "a server", func() bool { return s.ReadyForConnections(time.Second) })
		return s.ClientURL()
	}
	for _, test := range []struct{ address, err string }{
		{stranger.Addr().String(), "INFO not received (hint: is that a NATS server?)"},
		{plain(server.Options{}), "has no JetStream (hint: nats-server --jetstream"},
		{plain(server.Options{JetStream: true, MaxPayload: 64 << 10}), "takes messages of at most 65536 bytes, and Sembra needs 1048576 (hint: max_payload"},
		{plain(server.Options{JetStream: true, Authorization: "secret"}), "Authorization Violation (hint: --credentials FILE)"},
	} {
		_, err := List(t.Context(), test.address, Credentials{})
		if err == nil || !strings.Contains(err.Error(), test.err) || strings.ContainsAny(err.Error(), "\x1b\n") {
			t.Errorf("%s: error %q, want %q", test.address, err, test.err)
		}
	}
}

// TestOtherShapes: what another program keeps at a server under our names is left alone.
func TestOtherShapes(t *testing.T) {
	t.Parallel()
	stream := func(c jetstream.StreamConfig) func(*link) error {
		return func(l *link) error {
			_, err := l.js.CreateStream(t.Context(), c)
			return err
		}
	}
	queue := func(change func(*jetstream.StreamConfig)) func(*link) error {
		c := jetstream.StreamConfig{
			Name: answersStream, Subjects: []string{answerSubject + "*"}, Retention: jetstream.WorkQueuePolicy,
			Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgsPerSubject: 1, MaxMsgSize: mostPayload,
		}
		change(&c)
		return stream(c)
	}
	for _, test := range []struct {
		make func(*link) error
		err  string
	}{
		{stream(jetstream.StreamConfig{Name: jobsStream, Subjects: []string{"other"}}), "stream SEMBRA_JOBS of another shape"},
		{queue(func(c *jetstream.StreamConfig) { c.MaxAge = time.Hour }), "stream SEMBRA_ANSWERS of another shape"},
		{queue(func(c *jetstream.StreamConfig) { c.MaxMsgSize = -1 }), "stream SEMBRA_ANSWERS of another shape"},
		{queue(func(c *jetstream.StreamConfig) { c.NoAck = true }), "stream SEMBRA_ANSWERS of another shape"},
		{stream(jetstream.StreamConfig{Name: "KV_" + planBucket, Subjects: []string{"other"}}), "bucket SEMBRA_PLAN of another shape"},
		{func(l *link) error {
			_, err := l.js.CreateKeyValue(t.Context(), jetstream.KeyValueConfig{Bucket: presenceBucket, TTL: time.Hour})
			return err
		}, "bucket SEMBRA_PRESENCE of another shape"},
		{stream(jetstream.StreamConfig{Name: "OBJ_" + filesStore, Subjects: []string{"other"}}), "object store SEMBRA_FILES of another shape"},
		{stream(jetstream.StreamConfig{Name: "OTHER", Subjects: []string{"sembra.>"}}), "cannot keep stream SEMBRA_JOBS: subjects overlap"},
		{func(l *link) error {
			if err := queue(func(*jetstream.StreamConfig) {})(l); err != nil {
				return err
			}
			_, err := l.js.CreateConsumer(t.Context(), answersStream, jetstream.ConsumerConfig{
				Durable: answersReader, DeliverPolicy: jetstream.DeliverAllPolicy, AckPolicy: jetstream.AckExplicitPolicy, MaxWaiting: 7,
			})
			return err
		}, "consumer runner of another shape"},
	} {
		t.Run(test.err, func(t *testing.T) {
			t.Parallel()
			s := serving(t)
			l, err := connect(t.Context(), s.URL(), "test", Credentials{}, func(string) {})
			if err != nil {
				t.Fatal(err)
			}
			defer l.conn.Close()
			if err := test.make(l); err != nil {
				t.Fatal(err)
			}
			tour := cup(t, 1)
			manifest, err := tour.Manifest()
			if err != nil {
				t.Fatal(err)
			}
			_, err = NewRunner(t.Context(), tour, manifest, RunnerOptions{Server: s, Program: "test", Tell: func(string) {}})
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("error %v, want %q", err, test.err)
			}
			if p, err := List(t.Context(), s.URL(), Credentials{}); err == nil && p.Runner != nil {
				t.Errorf("the runner that failed is there: %v", p)
			}
		})
	}
}

// limited limits the stream of the answers.
func limited(t *testing.T, r *Runner, change func(*jetstream.StreamConfig)) {
	t.Helper()
	info, err := r.answers.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c := info.Config
	change(&c)
	if _, err := r.js.UpdateStream(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

// TestFullServer: a worker keeps its answer while the server has no space for it. Nothing is lost or played again.
func TestFullServer(t *testing.T) {
	t.Parallel()
	tour := cup(t, 2)
	want := locally(t, tour)
	s := serving(t)
	run := *tour
	run.Concurrency = 0
	r, _ := hosting(t, s, &run)
	run.Away = r
	limited(t, r, func(c *jetstream.StreamConfig) { c.MaxBytes = 100 })
	told, _ := working(t, s, "w")
	var space sync.WaitGroup
	space.Go(func() {
		told.until(t, "an answer waits: the NATS server at")
		limited(t, r, func(c *jetstream.StreamConfig) { c.MaxBytes = -1 })
	})
	k := newKept()
	if err := run.Run(t.Context(), nil, k, func(arena.Event) {}); err != nil {
		t.Fatal(err)
	}
	space.Wait()
	if diff := cmp.Diff(want, k.timeless(t, tour)); diff != "" {
		t.Errorf("(-here +there)\n%s", diff)
	}
	if err := r.Close(true); err != nil {
		t.Error(err)
	}
}

// TestLargeRecord: a match whose record is larger than the server allows is played once and then set aside.
func TestLargeRecord(t *testing.T) {
	t.Parallel()
	s := serving(t)
	run := *cup(t, 1)
	run.Concurrency, run.WithdrawAfter = 0, 0
	r, _ := hosting(t, s, &run)
	run.Away = r
	limited(t, r, func(c *jetstream.StreamConfig) { c.MaxMsgSize = 500 })
	working(t, s, "w")
	k := newKept()
	err := run.Run(t.Context(), nil, k, func(arena.Event) {})
	left := new(arena.LeftError)
	if !errors.As(err, &left) || len(left.Aside) != 3 || len(k.records) > 0 || !strings.Contains(err.Error(), "hint: max_payload") {
		t.Errorf("error %v, %d records", err, len(k.records))
	}
	if err := r.Close(false); err != nil {
		t.Error(err)
	}
}

// TestMissingWorkers: a runner says which matches no worker can play, and takes them back.
func TestMissingWorkers(t *testing.T) {
	t.Parallel()
	told := new(lines)
	r := &Runner{
		link: &link{timing: quick(), tell: told.tell}, planHash: "p", workers: make(map[string]Presence), heard: make(map[string]time.Time),
		plan: Plan{Bots: []Bot{{Name: "a"}, {Name: "b"}, {Name: "c", Need: "python3"}, {Name: "d", Need: "java"}}},
	}
	r.changed = sync.NewCond(&r.mu)
	r.plan.makeLanes()
	r.laneOf, r.lanes = r.plan.laneOf(), make([]laneState, len(r.plan.Lanes))
	now := time.Now()
	r.look(now)
	for _, test := range []struct {
		workers map[string][]string // what they lack
		told    string
		cannot  []results.Key
	}{
		{nil, "no worker is ready; the run waits for one (hint: sembra worker ADDR on another machine)", []results.Key{{South: "a", North: "b"}}},
		{map[string][]string{"1": {"python3", "java"}}, "no worker that is here can play the matches that need python3 (bots: c) or the matches that need java (bots: d); " +
			"they wait (hint: start a worker that can, or give --local N)", []results.Key{{South: "a", North: "c"}, {South: "d", North: "c"}}},
		{map[string][]string{"1": {"python3"}, "2": {"java"}}, "no worker that is here can play the matches that need java and python3 (bots: c, d); " +
			"they wait (hint: start a worker that can, or give --local N)", []results.Key{{South: "d", North: "c"}}},
		{map[string][]string{"1": nil}, "there are workers for all matches now", nil},
	} {
		clear(r.workers)
		for name, lacks := range test.workers {
			r.workers[name] = Presence{Plan: "p", Slots: 1, Without: lacks}
		}
		r.mu.Lock()
		r.look(now)
		r.mu.Unlock()
		r.forget(now)
		r.forget(now) // told once
		if got := told.all[len(told.all)-1]; got != test.told {
			t.Errorf("%v: told %q, want %q", test.workers, got, test.told)
		}
		for _, key := range []results.Key{{South: "a", North: "b"}, {South: "a", North: "c"}, {South: "d", North: "c"}} {
			want := true
			for _, cannot := range test.cannot {
				want = want && cannot != key
			}
			if test.workers != nil && r.CanPlay(key) != want {
				t.Errorf("%v: %v can be played: %t", test.workers, key, !want)
			}
		}
	}
	if len(told.all) != 4 {
		t.Errorf("told %q", told.all)
	}
}

// TestIdleWorkers: a runner says why it cannot keep all workers busy.
func TestIdleWorkers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		slots, after int
		said         string
	}{
		{5, 5, ""},
		{6, 5, "the workers can play 6 matches at once, but withdraw_after = 5 allows only about 5 with 2 bots"},
		{6, 0, ""},
	} {
		r := &Runner{slots: test.slots, withdrawAfter: test.after, plan: Plan{Bots: make([]Bot, 2)}}
		if said := r.idle(); (said == "") != (test.said == "") || !strings.HasPrefix(said, test.said) {
			t.Errorf("%+v: said %q", test, said)
		}
	}
}

// TestPlaces: pairs that only one worker can play leave places for those that the others can play.
func TestPlaces(t *testing.T) {
	t.Parallel()
	r := &Runner{
		link: &link{timing: quick()}, planHash: "p", workers: map[string]Presence{
			"small": {Plan: "p", Slots: 1},
			"large": {Plan: "p", Slots: 5, Without: []string{"java"}},
		},
		plan: Plan{Bots: []Bot{{Name: "a"}, {Name: "b"}, {Name: "c", Need: "java"}}},
	}
	r.stopped, r.changed = t.Context(), sync.NewCond(&r.mu)
	r.plan.makeLanes()
	r.laneOf, r.lanes = r.plan.laneOf(), make([]laneState, len(r.plan.Lanes))
	r.look(time.Now())
	common, rare := arena.Job{Key: results.Key{South: "a", North: "b", Pair: 1}}, arena.Job{Key: results.Key{South: "c", North: "a", Pair: 1}}
	var ends []func()
	for n := range 12 {
		if can, want := r.CanPlay(rare.Key), n < 2; can != want {
			t.Errorf("with %d pairs under way, another one that needs java can be sent: %t", n, can)
		}
		if !r.CanPlay(common.Key) {
			t.Errorf("with %d pairs under way, no other one can be sent", n)
		}
		if err := r.Room(t.Context()); err != nil {
			t.Fatal(err)
		}
		next := common
		if n < 2 {
			next = rare
		}
		ends = append(ends, r.begin([]arena.Job{next, next}))
	}
	ends[0]()
	if !r.CanPlay(rare.Key) {
		t.Error("a pair is back, but no other one that needs java can be sent")
	}
	for _, end := range ends[1:] {
		end()
	}
	if r.sent != 0 || slices.ContainsFunc(r.lanes, func(l laneState) bool { return l.sent != 0 }) {
		t.Errorf("pairs under way in the end: %d, %+v", r.sent, r.lanes)
	}
}

// TestFloods: what workers say never takes more than a bounded space, whoever they are.
func TestFloods(t *testing.T) {
	t.Parallel()
	told := new(lines)
	r := &Runner{
		link: &link{timing: quick(), tell: told.tell}, early: make(map[string]delivery), tallies: make(map[[2]string]*Tally),
		strange: make(map[string]bool),
		minute:  time.Now().Add(time.Hour), // no minute ends here, however slow the machine is
	}
	long := strings.Repeat("\x1b\u202e", 1<<20)
	large := make([]byte, 1<<20)
	for n := range 11_000 {
		a := Answer{Job: fmt.Sprint(n), Worker: fmt.Sprint(n), Machine: cutName(long)}
		if fits := (n+1)<<20 <= mostEarlySize; r.keepEarly(a.Job, delivery{text: large}) != fits {
			t.Fatalf("answer %d of 1 MiB to a job that was not sent: there is space: %t", n+1, !fits)
		}
		r.tallyOf(a)
		r.tellOnce(a.Job, "a line")
	}
	if r.earlySize > mostEarlySize || len(r.early) > mostEarlySize>>20 {
		t.Errorf("%d early answers with %d bytes", len(r.early), r.earlySize)
	}
	if status := r.status(); len(status) > leastPayload {
		t.Errorf("the runner's entry has %d bytes", len(status))
	}
	if len(told.all) > 101 || len(r.strange) > 10_001 {
		t.Errorf("%d lines are told, %d kept", len(told.all), len(r.strange))
	}
	name := long[:1000]
	p := Presence{Version: valueVersion, Name: name, Machine: name, Slots: math.MaxInt, Lacks: make([]string, 1000), Without: make([]string, 1000)}
	got, err := readPresence(encode(p))
	if err != nil || len(got.Name) > mostName || len(got.Machine) > mostName || got.Slots != mostSlots || len(got.Lacks) > mostLacks ||
		len(got.Without) > mostLacks || strings.ContainsAny(got.label(), "\x1b\u202e") {
		t.Errorf("%.300v, %v", got, err)
	}
	for _, test := range []struct{ text, err string }{
		{"{", "is malformed"},
		{strings.Repeat(" ", mostPresence+1), "has 1048577 bytes (at most 1048576)"},
		{`{"version":2,"name":"w","machine":"m"}`, "the entry of worker w on m has version 2, and this sembra knows version 1"},
	} {
		if _, err := readPresence([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: error %v, want %q", test.text, err, test.err)
		}
	}
}

// TestPlanBounds: a worker refuses a plan that is odd, or that demands more than its owner allows.
func TestPlanBounds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		change func(*Plan)
		err    string
	}{
		{func(*Plan) {}, ""},
		{func(p *Plan) { p.Bots = p.Bots[:1] }, "the plan has 1 bots"},
		{func(p *Plan) { p.Lanes = nil }, "the plan has 0 lanes"},
		{func(p *Plan) { p.Bots[0].Builtin = "" }, `bot "a" of the plan has no command`},
		{func(p *Plan) { p.Bots[1].Name = "a" }, `two bots "a"`},
		{func(p *Plan) { p.Bots[0].Bundle = "../x" }, "which is no hash"},
		{func(p *Plan) { p.Bots[0].Size = mostBundle + 1 }, "too many bytes"},
		{func(p *Plan) { p.Bots[0].Size = -1 }, "too many bytes"},
		{func(p *Plan) { p.Bots[0].Dialect = "x" }, `speaks "x"`},
		{func(p *Plan) { p.Isolation.Mode = "x" }, `the isolation "x"`},
		{func(p *Plan) { p.Isolation.Memory = -1 }, "a limit of the plan is negative"},
		{func(p *Plan) { p.Time.Watchdog = math.MaxInt64 }, "the plan has the time"},
		{func(p *Plan) { p.Time.Margin = -1 }, "the plan has the time"},
		{func(p *Plan) { p.Ruleset = "x" }, `"x"`},
		{func(p *Plan) { p.Program = "0.9" }, "this worker is sembra test, but the runner is sembra 0.9"},
		{func(p *Plan) { p.Isolation.Mode = arena.NoIsolation }, "your own rights, because its isolation has the mode none (hint: --trust"},
		{func(p *Plan) { p.Isolation.Mode = "" }, "your own rights"},
		{func(p *Plan) { p.Isolation.Network, p.Isolation.Read = true, []string{"/home"} }, "the network; to read /home (hint: --trust"},
	} {
		p := newPlan(cup(t, 1), "test")
		p.Isolation.Mode = arena.AutoIsolation
		p.Bots = []Bot{{Name: "a", Builtin: "random"}, {Name: "b", Builtin: "random"}}
		p.makeLanes()
		test.change(&p)
		w := &worker{o: WorkerOptions{Program: "test", Address: "tls://runner.example.org:4222"}}
		if err := w.accept(&p); test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
			t.Errorf("error %v, want %q", err, test.err)
		}
		if strings.Contains(test.err, "--trust") && p.Isolation.Read == nil {
			for _, o := range []WorkerOptions{{Program: "test", Address: "x:1", Trust: true}, {Program: "test", Address: "127.0.0.1:1"}} {
				if err := (&worker{o: o}).accept(&p); err != nil {
					t.Errorf("%+v: %v", o, err)
				}
			}
		}
	}
}

// TestTidyCache: old bundles and what killed workers left are removed, and bundles in use are not.
func TestTidyCache(t *testing.T) {
	t.Parallel()
	c := cache{t.TempDir()}
	if err := c.prepare(); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	for _, test := range []struct {
		name string
		age  time.Duration
		left bool
	}{
		{hashOf([]byte("in use")), time.Hour, true},
		{hashOf([]byte("young")), longestAge / 3, true},
		{hashOf([]byte("too much")), longestAge / 2, false},
		{hashOf([]byte("old")), longestAge + time.Hour, false},
		{"empty", longestAge + time.Hour, true},
		{"other", longestAge + time.Hour, true},
		{"new-1", time.Hour, true},
		{"new-2", 2 * safeAge, false},
		{"old-3", 2 * safeAge, false},
	} {
		folder := filepath.Join(c.folder, test.name)
		if err := os.MkdirAll(filepath.Join(folder, "lib"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "lib", "f"), make([]byte, 100), 0o444); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(folder, "lib"), 0o555); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(folder, now, now.Add(-test.age)); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if _, err := os.Stat(folder); (err == nil) != test.left {
				t.Errorf("%s is left: %t, want %t", test.name, err == nil, test.left)
			}
			_ = removeAll(folder)
		}()
	}
	if err := c.tidy(now, 250); err != nil {
		t.Error(err)
	}
}

// TestServerFiles: bundles and plans that no plan names any more are removed from the server.
func TestServerFiles(t *testing.T) {
	t.Parallel()
	s := serving(t)
	l, err := connect(t.Context(), s.URL(), "test", Credentials{}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	defer l.conn.Close()
	files, err := l.store(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{hashOf([]byte("x")), planObject(hashOf([]byte("y")))} {
		if _, err := files.PutBytes(t.Context(), name, []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	r, _ := hosting(t, s, cup(t, 1))
	left, err := files.List(t.Context())
	if err != nil || len(left) != 1 || left[0].Name != planObject(r.planHash) {
		t.Errorf("the server has %v, %v", left, err)
	}
	if err := r.Close(true); err != nil {
		t.Error(err)
	}
	s.Close()
	if err := s.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(s.folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the server's folder is there: %v", err)
	}
}

// TestTimesOverflow: times whose sum is too large for a number are refused.
func TestTimesOverflow(t *testing.T) {
	t.Parallel()
	for _, times := range [][]time.Duration{
		{math.MaxInt64, math.MaxInt64}, {math.MaxInt64, 1}, {time.Hour, time.Hour},
	} {
		r := results.Record{}
		r.SouthTime, r.NorthTime, r.Elapsed = times[0], times[1], times
		if err := checkTimes(r, time.Minute); err == nil {
			t.Errorf("no error: %v", times)
		}
		r.SouthTime, r.NorthTime = 0, 0
		if err := checkTimes(r, time.Minute); err == nil {
			t.Errorf("no error: %v", times)
		}
	}
}

// TestUnknownPlan: a worker goes on if it cannot get a plan.
func TestUnknownPlan(t *testing.T) {
	t.Parallel()
	s := serving(t)
	l, err := connect(t.Context(), s.URL(), "test", Credentials{}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	defer l.conn.Close()
	if err := l.meet(t.Context(), defaultTiming()); err != nil {
		t.Fatal(err)
	}
	if _, err := l.store(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := l.plans.PutString(t.Context(), planKey, hashOf([]byte("nowhere"))); err != nil {
		t.Fatal(err)
	}
	told, stop := working(t, s, "w")
	told.until(t, "not playing yet, and trying again")
	if err := stop(); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
