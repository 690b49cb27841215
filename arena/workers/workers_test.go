package workers

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"sembra/arena"
	"sembra/arena/guest"
	"sembra/results"
)

// play plays a tournament with its workers, and compares the records with those of a run without them. It closes
// the runner.
func play(
	t *testing.T, r *Runner, tour *arena.Run, want []results.Record, told *lines, tell func(arena.Event),
) {
	t.Helper()
	k := newKept()
	if err := tour.Play(t.Context(), nil, k, tell); err != nil {
		t.Fatal(err, told.all)
	}
	if diff := cmp.Diff(want, k.timeless(t, tour)); diff != "" {
		t.Errorf("(-here +there)\n%s", diff)
	}
	closed(t, r, true)
}

// closed closes a runner, which has all records if it is over.
func closed(t *testing.T, r *Runner, over bool) {
	t.Helper()
	right(t, r.Close(over))
}

// TestSameRecords: workers play the same matches as a run without them. One worker leaves in the midst, and another one
// comes. Nothing stays at the server.
func TestSameRecords(t *testing.T) {
	t.Parallel()
	tour, want := away(t, 8)
	s := serving(t)
	_, stop := working(t, s, "first")
	working(t, s, "second")
	r, told := hosting(t, s, tour)
	left := false
	play(t, r, tour, want, told, func(e arena.Event) {
		if e.MatchEnded != nil && !left {
			left = true
			go func() { _ = stop() }()
			working(t, s, "third")
		}
	})
	names := client(t, s).js.StreamNames(t.Context())
	for name := range names.Name() {
		t.Errorf("the server keeps %s", name)
	}
	if names.Err() != nil {
		t.Error(names.Err())
	}
}

// TestForfeit: a bot that does not start here loses its matches. Workers play those of the other bots.
func TestForfeit(t *testing.T) {
	t.Parallel()
	tour := cup(t, 2)
	for i, args := range [][]string{builtin("random"), builtin("greedy"), {os.Args[0], "bot", "absent"}} {
		tour.Entries[i].Builtin = ""
		tour.Entries[i].Launcher = guest.Command{Args: args, Dir: t.TempDir(), Env: guest.CleanEnvironment()}
	}
	want := locally(t, tour)
	tour.Concurrency = 0
	s := serving(t)
	working(t, s, "only")
	r, told := hosting(t, s, tour)
	play(t, r, tour, want, told, func(arena.Event) {})
}

// TestNobodyThere: a runner that plays too takes back what it has sent to a worker that is gone.
func TestNobodyThere(t *testing.T) {
	t.Parallel()
	tour := cup(t, 4)
	want := locally(t, tour)
	s := serving(t)
	r, told := hosting(t, s, tour)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	go pretended(ctx, t, s, r)
	play(t, r, tour, want, told, func(arena.Event) {})
}

// TestNextRunner: a runner that comes after one that was killed takes the answers that wait for it.
func TestNextRunner(t *testing.T) {
	t.Parallel()
	tour, want := away(t, 4)
	s := serving(t)
	first, _ := hosting(t, s, tour)
	working(t, s, "w")
	ctx, cancel := context.WithCancel(t.Context())
	some := errors.New("enough")
	recorded := newKept()
	err := tour.Play(ctx, nil, &failing{recorded, 6, some}, func(arena.Event) {})
	cancel()
	if !errors.Is(err, some) {
		t.Fatal(err)
	}
	first.conn.Close() // as if it were killed: nothing is said
	first.stop(errors.New("killed"))
	first.running.Wait()
	time.Sleep(2 * time.Second) // the worker plays on
	r, told := hosting(t, s, tour)
	s2 := tour.Schedule()
	var kept []results.Numbered
	for number := 1; number <= s2.Known(); number++ {
		if rec, is := recorded.records[s2.Key(number)]; is {
			kept = append(kept, results.Numbered{Number: number, Summary: rec.Summary})
		}
	}
	if err := tour.Play(t.Context(), kept, recorded, func(arena.Event) {}); err != nil {
		t.Fatal(err, told.all)
	}
	if diff := cmp.Diff(want, recorded.timeless(t, tour)); diff != "" {
		t.Errorf("(-here +there)\n%s", diff)
	}
	closed(t, r, true)
}

// TestPartOfPair: a runner that asks for a pair may get the record of one match, because an earlier runner has asked for
// that match alone. It asks for the other one, and blames nobody.
func TestPartOfPair(t *testing.T) {
	t.Parallel()
	tour := cup(t, 2)
	tour.DisqualifyAfter = 0 // whole pairs, whatever is recorded
	here := newKept()
	must(t, tour.Play(t.Context(), nil, here, func(arena.Event) {}))
	tour.Concurrency = 0
	s := serving(t)
	r, told := hosting(t, s, tour)
	ctx, cancel := context.WithCancel(t.Context())
	go pretended(ctx, t, s, r)
	go func() {
		defer cancel()
		l := client(t, s)
		msg := fetched(t, l)
		if msg == nil {
			return
		}
		var job Job
		right(t, decode("a job", msg.Data(), &job))
		if len(job.Matches) != 2 {
			t.Errorf("the job has %d matches", len(job.Matches))
		}
		a := Answer{Plan: job.Plan, Job: job.ID, Who: Who{"first", "m"}}
		a.Records = []results.Record{here.records[job.Matches[0].Key]}
		right(t, l.publish(ctx, answerSubject+job.ID, text(t, a)))
		_ = msg.Ack() // the runner has the answer
		working(t, s, "second")
	}()
	play(t, r, tour, here.timeless(t, tour), told, func(arena.Event) {})
	if told.has("dropped") {
		t.Errorf("something was dropped: %q", told.all)
	}
}

// failing is a recorder that fails after some records.
type failing struct {
	*kept
	left int
	err  error
}

// Put keeps records.
func (f *failing) Put(records []results.Record) error {
	if f.left -= len(records); f.left < 0 {
		return f.err
	}
	return f.kept.Put(records)
}

// TestTwoRunners: a second runner at a server is refused.
func TestTwoRunners(t *testing.T) {
	t.Parallel()
	s := serving(t)
	tour, _ := away(t, 1)
	first, _ := hosting(t, s, tour)
	must(t, first.Begin(t.Context(), nil))
	_, err := NewRunner(t.Context(), tour, Options{Address: s, Program: "test", Report: func(string) {}})
	if err == nil || !strings.Contains(err.Error(), `another runner plays the tournament "cup"`) {
		t.Error(err)
	}
	closed(t, first, false)
}

// TestRefusals: a worker that cannot play all bots says why, leaves, and the runner says why too.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		worker func(*WorkerOptions)
		tour   func(*arena.Run)
		err    string
	}{
		{"another version", func(o *WorkerOptions) { o.Program = "0.9" }, func(*arena.Run) {}, "this worker is sembra 0.9, but the runner is sembra test"},
		{"a file that bots may read", func(*WorkerOptions) {}, func(tour *arena.Run) {
			tour.Isolation.Read = []string{"/no/such/models"}
		}, "bots may read /no/such/models"},
		{"a built-in bot", func(o *WorkerOptions) { o.Builtin = func(string) []string { return nil } }, func(*arena.Run) {}, "does not have"},
		{"a bot that does not start", func(o *WorkerOptions) {
			o.Builtin = func(string) []string { return []string{os.Args[0], "bot", "absent"} }
		}, func(*arena.Run) {}, "did not start"},
		{"a program that is not there", func(o *WorkerOptions) {
			o.Builtin = func(string) []string { return []string{"no-such-program"} }
		}, func(*arena.Run) {}, "no-such-program"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := serving(t)
			tour := cup(t, 1)
			test.tour(tour)
			r, told := hosting(t, s, tour)
			must(t, r.Begin(t.Context(), nil))
			_, stop := working(t, s, "w", test.worker)
			told.until(t, "worker w on "+machine()+" has left")
			if err := stop(); err == nil || !strings.Contains(err.Error(), test.err) || !told.has(test.err) {
				t.Errorf("the worker ends with %v, want %q; told %v", err, test.err, told.all)
			}
			closed(t, r, false)
		})
	}
}

// TestHostileWorker: records that do not hold are dropped, and another worker plays the match. Neither they nor odd
// messages change the result.
func TestHostileWorker(t *testing.T) {
	t.Parallel()
	tour, want := away(t, 3)
	s := serving(t)
	r, told := hosting(t, s, tour)
	go pretended(t.Context(), t, s, r)
	go forge(t, s, r)
	play(t, r, tour, want, told, func(arena.Event) {})
	for _, line := range []string{"an invalid record of", "is malformed"} {
		if !told.has(line) {
			t.Errorf("%q was not told: %v", line, told.all)
		}
	}
	if told.has("\x1b") {
		t.Errorf("a control character is told: %q", told.all)
	}
}

// fetched waits for a job. It returns nil when the test is over.
func fetched(t *testing.T, l *link) jetstream.Msg {
	for t.Context().Err() == nil {
		jobs, err := l.js.Consumer(t.Context(), jobsStream, jobsReader)
		if err == nil {
			var msg jetstream.Msg
			if msg, err = jobs.Next(jetstream.FetchMaxWait(time.Second)); err == nil {
				return msg
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil
}

// forge takes the first jobs and answers them with nonsense. Then it starts an honest worker.
func forge(t *testing.T, address string, r *Runner) {
	ctx, l := t.Context(), client(t, address)
	for n := range 2 {
		msg := fetched(t, l)
		if msg == nil {
			return
		}
		var job Job
		right(t, decode("a job", msg.Data(), &job))
		a := Answer{Plan: r.sign().Plan, Job: job.ID, Who: Who{"bad\x1b[31m", "m"}}
		for _, m := range job.Matches {
			rec := results.Record{Summary: results.Summary{Key: m.Key, Result: results.SouthWins, Ending: results.EndNormal}}
			rec.Body.Opening = m.Opening
			if n == 0 {
				a.Records = append(a.Records, rec)
			}
		}
		right(t, l.publish(ctx, answerSubject+job.ID, text(t, a)))
		_ = msg.Ack() // the runner has the answer
	}
	for id, message := range map[string][]byte{"x1": []byte("nonsense"), "x2": text(t, Answer{Plan: "other", Job: "x2"})} {
		right(t, l.publish(ctx, answerSubject+id, message))
	}
	_ = l.conn.Publish(workerSubject+"x", []byte("nonsense"))
	_ = l.conn.Publish(runSubject, []byte("nonsense"))
	right(t, l.publish(ctx, jobSubject+"odd", []byte("{")))
	working(t, address, "good")
}

// TestKillsWorkers: a job that no worker survives is set aside, and the others are played.
func TestKillsWorkers(t *testing.T) {
	t.Parallel()
	s := serving(t)
	tour, _ := away(t, 2)
	tour.DisqualifyAfter = 0 // whole pairs, whatever is recorded
	r, _ := hosting(t, s, tour)
	ctx, cancel := context.WithCancel(t.Context())
	go pretended(ctx, t, s, r)
	l := client(t, s)
	go func() { // workers take a job and never answer
		for delivered := uint64(0); delivered < mostDelivered; {
			msg := fetched(t, l)
			if msg == nil {
				return
			}
			if meta, err := msg.Metadata(); err == nil {
				delivered = meta.NumDelivered
			}
			_ = msg.Nak() // as if the wait were over
		}
		cancel()
		working(t, s, "survivor")
	}()
	k := newKept()
	err := tour.Play(t.Context(), nil, k, func(arena.Event) {})
	left := new(arena.UnplayedError)
	if !errors.As(err, &left) || !strings.Contains(err.Error(), "5 workers took it and did not finish it") {
		t.Fatalf("error %v", err)
	}
	if len(k.records)+2*len(left.Aside) != 12 { // the server may have delivered another job as often
		t.Errorf("%d records, and %d of 6 pairs set aside", len(k.records), len(left.Aside))
	}
	closed(t, r, false)
}

// TestLargeRecord: a match whose record is larger than the server allows is played once and then set aside.
func TestLargeRecord(t *testing.T) {
	t.Parallel()
	s := serving(t)
	tour, _ := away(t, 1)
	tour.DisqualifyAfter = 0
	r, _ := hosting(t, s, tour)
	r.timing.stores = time.Hour // the probe of the guard is too large, too
	working(t, s, "w")
	go func() {
		for t.Context().Err() == nil {
			if info, err := r.js.Stream(t.Context(), answersStream); err == nil {
				c := info.CachedInfo().Config
				c.MaxMsgSize = 500
				if _, err := r.js.UpdateStream(t.Context(), c); err != nil {
					t.Error(err)
				}
				return
			}
		}
	}()
	err := tour.Play(t.Context(), nil, newKept(), func(arena.Event) {})
	if left := new(arena.UnplayedError); !errors.As(err, &left) || !strings.Contains(err.Error(), "hint: max_payload") {
		t.Errorf("error %v", err)
	}
	_ = r.Close(false)
}

// TestStoresNothing: a server that answers but stores nothing, or has lost what it kept, ends the run in time. With
// space again, the next run is whole.
func TestStoresNothing(t *testing.T) {
	t.Parallel()
	for name, harm := range map[string]func(r *Runner) error{
		"full": func(r *Runner) error {
			filler, err := r.js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "FILLER", Subjects: []string{"filler"}})
			for err == nil {
				_, err = r.js.Publish(t.Context(), "filler", make([]byte, 512<<10))
			}
			if filler == nil {
				return err
			}
			return nil
		},
		"lost": func(r *Runner) error {
			return errors.Join(r.js.DeleteStream(t.Context(), jobsStream), r.js.DeleteStream(t.Context(), answersStream))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tour, want := away(t, 4)
			s := serving(t, func(o *server.Options) { o.JetStreamMaxStore = 8 << 20 })
			r, _ := hosting(t, s, tour)
			begun := make(chan time.Time, 1)
			l := client(t, s)
			go func() {
				until(t, "the streams", func() bool {
					_, err := l.js.Consumer(t.Context(), answersStream, answersReader)
					return err == nil && r.sign().Plan != ""
				})
				begun <- time.Now()
				right(t, harm(&Runner{link: l}))
			}()
			err := tour.Play(t.Context(), nil, newKept(), func(arena.Event) {})
			if took := time.Since(<-begun); err == nil || !strings.Contains(err.Error(), "answers but stores nothing") ||
				!strings.Contains(err.Error(), "its log has the reason") || took > 10*time.Second {
				t.Errorf("the run ends after %v with %v", took, err)
			}
			closed(t, r, false)
			_ = l.js.DeleteStream(t.Context(), "FILLER")
			again, told := hosting(t, s, tour)
			working(t, s, "w")
			play(t, again, tour, want, told, func(arena.Event) {})
		})
	}
}

// TestLostPower: a server that begins again without the plan, the jobs and the answers, but with the state of its
// consumers, loses no match, and the run ends. A worker joins after that.
func TestLostPower(t *testing.T) {
	t.Parallel()
	tour := must2(playedBy(results.RoundRobin, []string{"one", "two"}, []string{"slow", "slow"}))
	tour.Pairs, tour.Concurrency = 4, 2
	must(t, open(tour))
	want := locally(t, tour)
	tour.Concurrency = 0
	folder := t.TempDir()
	s, stop := startServer(t, func(o *server.Options) { o.StoreDir = folder })
	port := s.Addr().(*net.TCPAddr).Port
	_, leave := working(t, s.ClientURL(), "early")
	r, told := hosting(t, s.ClientURL(), tour)
	ended := 0
	play(t, r, tour, want, told, func(e arena.Event) {
		if e.MatchEnded == nil {
			return
		}
		if ended++; ended == 1 {
			stop()
			for _, name := range must2(filepath.Glob(filepath.Join(folder, "jetstream/*/streams/*/msgs"))) {
				right(t, os.RemoveAll(name))
			}
			again, _ := startServer(t, func(o *server.Options) { o.StoreDir, o.Port = folder, port })
			working(t, again.ClientURL(), "late")
			_ = leave()
		}
	})
}

// forward leads the connections of a door to a server. Nothing passes while the gate is locked.
func forward(door net.Listener, server string, gate *sync.RWMutex) {
	pass := func(to io.Writer, from io.Reader) {
		buffer := make([]byte, 32<<10)
		for {
			n, err := from.Read(buffer)
			gate.RLock()
			_, wrong := to.Write(buffer[:n])
			gate.RUnlock()
			if err != nil || wrong != nil {
				return
			}
		}
	}
	for {
		near, err := door.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", strings.TrimPrefix(server, "nats://"))
		if err != nil {
			return
		}
		go pass(far, near)
		go pass(near, far)
	}
}

// TestSilentServer: a run that is interrupted ends soon, and says so, while the server answers nothing.
func TestSilentServer(t *testing.T) {
	t.Parallel()
	door := must2(net.Listen("tcp", "127.0.0.1:0"))
	defer door.Close()
	gate := new(sync.RWMutex)
	go forward(door, serving(t), gate)
	tour, _ := away(t, 1)
	r, _ := hosting(t, door.Addr().String(), tour)
	must(t, r.Begin(t.Context(), nil))
	gate.Lock()
	defer gate.Unlock()
	began := time.Now()
	if err := r.Close(false); !says(err, "it does not answer") || time.Since(began) > 5*time.Second {
		t.Errorf("it ends after %v: %v", time.Since(began), err)
	}
}

// TestAbsentServer: a worker waits for a server that cannot be reached yet, and one that the server refuses ends.
func TestAbsentServer(t *testing.T) {
	t.Parallel()
	secret := func(o *server.Options) { o.Username, o.Password = "me", "secret" }
	s := serving(t, secret)
	free := must2(net.Listen("tcp", "127.0.0.1:0"))
	port := free.Addr().String()
	free.Close()
	told, stop := working(t, "nats://me:secret@"+port, "w")
	told.until(t, "no server can be reached yet")
	door, err := net.Listen("tcp", port)
	if err != nil {
		t.Skip(err) // another process has it
	}
	defer door.Close()
	go forward(door, s, new(sync.RWMutex))
	told.until(t, "waiting for a run")
	right(t, stop())
	for _, user := range []string{"", "me:other@"} {
		o := WorkerOptions{Options: Options{Address: strings.Replace(s, "nats://", "nats://"+user, 1), Report: func(string) {}}}
		err := Work(t.Context(), o)
		if err == nil || !strings.Contains(err.Error(), "Authorization Violation (hint: the user and password") || strings.Contains(err.Error(), "other@") {
			t.Errorf("a worker with the user %q ends with %v", user, err)
		}
	}
}
