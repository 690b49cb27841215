package workers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"sembra/arena"
	"sembra/results"
)

// credentialsOf writes a file with credentials and reads it.
func credentialsOf(t *testing.T, text string) (Credentials, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "credentials.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return ReadCredentials(file)
}

func TestCredentials(t *testing.T) {
	t.Parallel()
	account, err := nkeys.CreateAccount()
	if err != nil {
		t.Fatal(err)
	}
	seed, err := account.Seed()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ text, err string }{
		{`token = "secret"`, ""},
		{"\r\n token = \"secret\"  \r\n\r\n", ""},
		{"secret\n", "hint: one line is enough"},
		{fmt.Sprintf("nkey = %q", seed), "nkey is not the seed"}, // not of a user
		{"-----BEGIN NATS USER JWT-----\nx\n------END NATS USER JWT------\n", "a .creds file of NATS without a valid seed"},
		{``, "neither token nor nkey"},
		{`tokn = "secret"`, `unknown key "tokn" (known: token, nkey, ca, certificate, key)`},
		{`token = 7`, "neither a .creds file"},
		{`token`, "neither a .creds file"},
		{`nkey = "secret"`, "nkey is not the seed"},
		{"token = \"a\"\nnkey = \"b\"", "only one of them"},
		{"token = \"a\"\ncertificate = \"b\"", "belong together"},
	} {
		_, err := credentialsOf(t, test.text)
		if test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
			t.Errorf("%q: error %v, want %q", test.text, err, test.err)
		}
	}
	if _, err := ReadCredentials(filepath.Join(t.TempDir(), "none")); err == nil || strings.Count(err.Error(), "none") != 1 {
		t.Error(err)
	}
	folder := filepath.Join(t.TempDir(), "folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadCredentials(folder); err == nil || strings.Count(err.Error(), "folder") != 1 {
		t.Error(err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	file := filepath.Join(t.TempDir(), "open")
	if err := os.WriteFile(file, []byte(`token = "secret"`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadCredentials(file); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Error(err)
	}
}

// TestAddresses: other machines need credentials, which do not stand on the command line.
func TestAddresses(t *testing.T) {
	t.Parallel()
	secret, err := credentialsOf(t, `token = "secret"`)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ address, without, with string }{
		{"127.0.0.1:4222", "", ""},
		{"nats://localhost:4222", "", ""},
		{"[::1]:4222", "", ""},
		{"10.0.0.1:4222", "10.0.0.1 is another machine, and needs --credentials FILE", ""},
		{"127.0.0.1:4222,runner.example.org:4222", "runner.example.org is another machine", ""},
		{"0.0.0.0:4222", "0.0.0.0 is another machine", ""},
		{"http://127.0.0.1:4222", "known: nats, tls, ws, wss", "known: nats, tls, ws, wss"},
		{"nats://me:pass@127.0.0.1:4222", "has a password", "has a password"},
		{"", "not an address of a NATS server", "not an address of a NATS server"},
		{"nats://", "not an address of a NATS server", "not an address of a NATS server"},
		{"lisen:127.0.0.1:4222", "not an address of a NATS server", "not an address of a NATS server"},
		{"nats://127.0.0.1:4222/x", "not an address of a NATS server", "not an address of a NATS server"},
	} {
		for want, c := range map[*string]Credentials{&test.without: {}, &test.with: secret} {
			err := checkAddress(test.address, c)
			if *want == "" && err != nil || *want != "" && (err == nil || !strings.Contains(err.Error(), *want)) {
				t.Errorf("%q: error %v, want %q", test.address, err, *want)
			}
		}
	}
	for _, test := range []struct{ address, err string }{
		{"0.0.0.0:0", "needs --credentials FILE"},
		{"192.0.2.1:0", "needs --credentials FILE"},
		{":4222", "not an address to listen at"},
		{"4222", "not an address to listen at"},
		{"127.0.0.1:x", "not an address to listen at"},
		{"127.0.0.1:70000", "not an address to listen at"},
	} {
		if _, err := Listen(test.address, t.TempDir(), Credentials{}); err == nil || !strings.Contains(err.Error(), test.err) {
			t.Errorf("listen:%s: error %v, want %q", test.address, err, test.err)
		}
	}
}

// TestSecretServer: only who has the credentials may connect.
func TestSecretServer(t *testing.T) {
	t.Parallel()
	pair, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	seed, err := pair.Seed()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`token = "secret"`, fmt.Sprintf("nkey = %q", seed)} {
		right, err := credentialsOf(t, text)
		if err != nil {
			t.Fatal(err)
		}
		wrong, err := credentialsOf(t, `token = "other"`)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Listen("127.0.0.1:0", t.TempDir(), right)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if _, err := List(t.Context(), s.URL(), right); err != nil {
			t.Error(err)
		}
		for _, c := range []Credentials{{}, wrong} {
			if _, err := List(t.Context(), s.URL(), c); err == nil || strings.Contains(err.Error(), "secret") {
				t.Errorf("with %+v: %v", c, err)
			}
		}
	}
}

// TestNoServer: a wrong address is a sentence with a hint.
func TestNoServer(t *testing.T) {
	t.Parallel()
	_, err := List(t.Context(), "127.0.0.1:1", Credentials{})
	if err == nil || !strings.Contains(err.Error(), "cannot connect to the NATS server at 127.0.0.1:1") || !strings.Contains(err.Error(), "hint") {
		t.Error(err)
	}
	if !isAbsent(err) {
		t.Errorf("a worker does not wait if it finds this: %v", err)
	}
	s := serving(t)
	_, err = Listen(strings.TrimPrefix(s.URL(), "nats://"), t.TempDir(), Credentials{})
	if err == nil || !strings.Contains(err.Error(), "does not start") {
		t.Error(err)
	}
}

// TestAbsentServer: a worker waits for a server that is not there yet. If the server refuses the worker, it does not wait.
func TestAbsentServer(t *testing.T) {
	t.Parallel()
	secret, err := credentialsOf(t, `token = "secret"`)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Listen("127.0.0.1:0", t.TempDir(), secret)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	port, there := tunnel(t, strings.TrimPrefix(s.URL(), "nats://"))
	early := &Server{url: port}
	told, stop := working(t, early, "w", func(o *WorkerOptions) { o.Credentials = secret })
	told.until(t, "cannot connect to the NATS server at "+port+": EOF; trying again until it is there")
	other, stopOther := working(t, early, "other")
	other.until(t, "until it is there")
	if err := stopOther(); err != nil || len(other.all) != 1 {
		t.Errorf("a worker that is stopped while it waits ends with %v, and told %q", err, other.all)
	}
	close(there)
	told.until(t, "no run uses the server yet; waiting for one")
	if err := stop(); err != nil {
		t.Error(err)
	}
	o := WorkerOptions{Address: port, Name: "stranger", Tell: func(line string) { t.Errorf("a worker without credentials tells %q", line) }}
	if err := Work(t.Context(), o); err == nil || !strings.Contains(err.Error(), "Authorization Violation (hint: --credentials FILE)") {
		t.Errorf("a worker without credentials ends with %v", err)
	}
}

// tunnel listens at an address. It passes on what comes to a server as soon as a channel is closed; before that, it closes
// every connection.
func tunnel(t *testing.T, server string) (address string, there chan struct{}) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	there = make(chan struct{})
	pass := func(near net.Conn) {
		defer near.Close()
		select {
		case <-there:
		default:
			return
		}
		far, err := net.Dial("tcp", server)
		if err != nil {
			return
		}
		defer far.Close()
		go func() {
			_, _ = io.Copy(far, near)
			_ = far.Close()
		}()
		_, _ = io.Copy(near, far)
	}
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			go pass(near)
		}
	}()
	return listener.Addr().String(), there
}

// TestTwoRunners: a second runner at a server is refused when the first one shows a sign of life.
func TestTwoRunners(t *testing.T) {
	t.Parallel()
	s := serving(t)
	tour := cup(t, 1)
	manifest, err := tour.Manifest()
	if err != nil {
		t.Fatal(err)
	}
	first, _ := hosting(t, s, tour)
	live := func(line string) {
		if strings.Contains(line, "waiting") {
			if _, err := first.presence.Put(t.Context(), runnerKey, first.status()); err != nil {
				t.Error(err)
			}
		}
	}
	_, err = NewRunner(t.Context(), tour, manifest, RunnerOptions{Address: s.URL(), Program: "test", Tell: live})
	if err == nil || !strings.Contains(err.Error(), `another runner plays the tournament "cup"`) {
		t.Error(err)
	}
	if err := first.Close(false); err != nil {
		t.Error(err)
	}
}

// TestRefusals: a worker refuses a tournament, and the runner says why.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		worker func(*WorkerOptions)
		tour   func(*arena.Tournament)
		err    string
	}{
		{
			"another version", func(o *WorkerOptions) { o.Program = "0.9" }, func(*arena.Tournament) {},
			"this worker is sembra 0.9, but the runner is sembra test",
		},
		{"a slow machine", func(o *WorkerOptions) {
			o.Measure = func(context.Context, arena.Isolation) (Charge, error) {
				return Charge{Longest: 60 * time.Millisecond}, nil
			}
		}, func(tour *arena.Tournament) { tour.Time.Move, tour.Time.Margin = time.Second, 50*time.Millisecond }, "adds up to 60ms to a move"},
		{"a machine too busy to be measured", func(o *WorkerOptions) {
			o.Measure = func(context.Context, arena.Isolation) (Charge, error) { return Charge{}, nil }
		}, func(tour *arena.Tournament) { tour.Time.Move = time.Second }, "is too busy to measure"},
		{"a file that bots may read", func(*WorkerOptions) {}, func(tour *arena.Tournament) {
			tour.Isolation.Read = []string{"/no/such/models"}
		}, "bots may read /no/such/models"},
		{"a built-in bot", func(o *WorkerOptions) { o.Builtin = func(string) []string { return nil } }, func(*arena.Tournament) {}, "does not have"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := serving(t)
			tour := cup(t, 1)
			test.tour(tour)
			r, told := hosting(t, s, tour)
			ended := make(chan error, 1)
			o := WorkerOptions{
				Address: s.URL(), Name: "w", Concurrency: 1, Program: "test", Cache: filepath.Join(t.TempDir(), "c"), Builtin: builtin,
				Tell: func(string) {},
			}
			test.worker(&o)
			go func() { ended <- Work(t.Context(), o) }()
			if err := <-ended; err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("the worker ends with %v, want %q", err, test.err)
			}
			told.until(t, test.err)
			if err := r.Close(false); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestHostileWorker: records that do not hold are dropped, and another worker plays the match. Neither they nor odd
// messages change the result.
func TestHostileWorker(t *testing.T) {
	t.Parallel()
	tour := cup(t, 3)
	want := locally(t, tour)
	s := serving(t)
	run := *tour
	run.Concurrency = 0
	r, told := hosting(t, s, &run)
	run.Away = r
	bad, err := connect(t.Context(), s.URL(), "test", Credentials{}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	defer bad.conn.Close()
	pretend(r, time.Now().Add(time.Hour))
	go forge(t, bad, r.planHash)
	k := newKept()
	err = run.Run(t.Context(), nil, k, func(e arena.Event) {})
	if err != nil {
		t.Fatal(err, told.all)
	}
	if diff := cmp.Diff(want, k.timeless(t, tour)); diff != "" {
		t.Errorf("(-here +there)\n%s", diff)
	}
	for _, line := range []string{"does not hold", "belongs to another tournament", "is malformed"} {
		if !told.has(line) {
			t.Errorf("%q was not told: %v", line, told.all)
		}
	}
	if err := r.Close(true); err != nil {
		t.Error(err)
	}
}

// fetched waits for a job. It returns nil when the test is over.
func fetched(t *testing.T, lane jetstream.Consumer) jetstream.Msg {
	for t.Context().Err() == nil {
		batch, err := lane.Fetch(1)
		if err != nil {
			t.Error(err)
			return nil
		}
		if msg := <-batch.Messages(); msg != nil {
			return msg
		}
	}
	return nil
}

// forge takes the first jobs and answers them with nonsense. Then it starts an honest worker.
func forge(t *testing.T, l *link, plan string) {
	ctx := t.Context()
	jobs, err := l.js.Stream(ctx, jobsStream)
	if err != nil {
		t.Error(err)
		return
	}
	lane, err := jobs.Consumer(ctx, laneName(0))
	if err != nil {
		t.Error(err)
		return
	}
	for n := range 2 {
		msg := fetched(t, lane)
		if msg == nil {
			return
		}
		var job Job
		if err := decode("a job", msg.Data(), &job); err != nil {
			t.Error(err)
		}
		a := Answer{Version: valueVersion, Plan: plan, Job: job.ID, Worker: "bad\x1b[31m", Machine: "m"}
		for _, m := range job.Matches {
			rec := packed(results.Record{Summary: results.Summary{Key: m.Key, Result: results.SouthWins, Ending: results.EndNormal}})
			rec.Body.Opening = m.Opening
			if n == 0 {
				a.Records = append(a.Records, rec)
			}
		}
		if _, err := l.publish(ctx, answerSubject+job.ID, encode(a)); err != nil {
			t.Error(err)
		}
		_ = msg.Ack() // the runner has the answer
	}
	for id, text := range map[string]string{"x1": "nonsense", "x2": string(encode(Answer{Version: valueVersion, Plan: "other", Job: "x2"}))} {
		if _, err := l.publish(ctx, answerSubject+id, []byte(text)); err != nil {
			t.Error(err)
		}
	}
	if _, err := l.publish(ctx, jobSubject+"0.odd", []byte("{")); err != nil {
		t.Error(err)
	}
	working(t, &Server{url: l.conn.ConnectedUrl()}, "good")
}

// TestKillsWorkers: a job that no worker survives is set aside, and the others are played.
func TestKillsWorkers(t *testing.T) {
	t.Parallel()
	s := serving(t)
	run := *cup(t, 2)
	run.Concurrency, run.WithdrawAfter = 0, 0 // whole pairs, whatever is recorded
	r, _ := hosting(t, s, &run)
	run.Away = r
	l, err := connect(t.Context(), s.URL(), "test", Credentials{}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	defer l.conn.Close()
	pretend(r, time.Now().Add(time.Hour))
	go func() { // three workers take the first job and never answer
		lane, err := l.js.Consumer(t.Context(), jobsStream, laneName(0))
		if err != nil {
			t.Error(err)
			return
		}
		for delivered := uint64(0); delivered < mostEnded; {
			msg := fetched(t, lane)
			if msg == nil {
				return
			}
			if meta, err := msg.Metadata(); err == nil {
				delivered = meta.NumDelivered
			}
			if err := msg.Nak(); err != nil { // as if the wait were over
				t.Error(err)
			}
		}
		working(t, s, "survivor")
	}()
	k := newKept()
	err = run.Run(t.Context(), nil, k, func(arena.Event) {})
	left := new(arena.LeftError)
	if !errors.As(err, &left) || !strings.Contains(err.Error(), "3 workers took it and were not heard of again") {
		t.Fatalf("error %v", err)
	}
	if len(k.records)+2*len(left.Aside) != 12 { // the server may have delivered another job as often
		t.Errorf("%d records, and %d of 6 pairs set aside", len(k.records), len(left.Aside))
	}
	if err := r.Close(false); err != nil {
		t.Error(err)
	}
}

// TestLostStore: a run ends with a sentence when the server has lost what it kept.
func TestLostStore(t *testing.T) {
	t.Parallel()
	s := serving(t)
	run := *cup(t, 1)
	run.Concurrency = 0
	manifest, err := run.Manifest()
	if err != nil {
		t.Fatal(err)
	}
	short := defaultTiming()
	short.gone = 500 * time.Millisecond
	r, err := NewRunner(t.Context(), &run, manifest, RunnerOptions{Address: s.URL(), Program: "test", Tell: func(string) {}, timing: short})
	if err != nil {
		t.Fatal(err)
	}
	run.Away = r
	for _, stream := range []string{jobsStream, answersStream, streamOf(presenceBucket), streamOf(planBucket)} {
		if err := r.js.DeleteStream(t.Context(), stream); err != nil {
			t.Error(err)
		}
	}
	if err := run.Run(t.Context(), nil, newKept(), func(arena.Event) {}); err == nil || !strings.Contains(err.Error(), "came back without what it had kept") {
		t.Errorf("the run ends with %v", err)
	}
	if err := r.Close(false); err != nil {
		t.Error(err)
	}
}

// TestShield: a worker does not give its owner's rights to bots of another machine, unless the owner says so.
func TestShield(t *testing.T) {
	t.Parallel()
	bare := arena.Isolation{Mode: arena.NoIsolation} // like that of a machine without a jail
	for _, test := range []struct {
		o   WorkerOptions
		err string
	}{
		{WorkerOptions{Address: "tls://runner.example.org:4222"}, "this machine cannot keep bots from your files"},
		{WorkerOptions{Address: "tls://runner.example.org:4222", Trust: true}, ""},
		{WorkerOptions{Address: "127.0.0.1:4222"}, ""},
	} {
		err := (&worker{o: test.o}).shield(t.Context(), bare)
		if test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
			t.Errorf("%+v: error %v, want %q", test.o, err, test.err)
		}
	}
}
