//go:build unix && long

package workers

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go/jetstream"

	"sembra/arena"
	"sembra/results"
	"sembra/results/store"
)

// The accidents. After each of them, what was hit is started again or continues.
const (
	workerKilled  = "a worker is killed"
	workerStopped = "a worker is stopped for longer than its jobs wait"
	runnerKilled  = "the runner is killed"
	runnerStopped = "the runner is stopped for longer than its answers wait"
	serverKilled  = "the server is killed"
	bothKilled    = "the runner is killed, and the server while the next runner starts"

	// As after a loss of power, where the disk has an earlier state, of some files or of all.
	storeReverted     = "the server is killed, and its store is as it was earlier"
	messagesReverted  = "the server is killed, and the messages of its streams are as they were earlier"
	consumersReverted = "the server is killed, and the state of its consumers is as it was earlier"
)

// TestManyAccidents: after 44 accidents in several formats the records are those of a run without workers. NATS_SERVER
// may name another nats-server than that of go.mod.
func TestManyAccidents(t *testing.T) {
	s := newScene(t)
	for n, format := range []string{results.RoundRobin, results.Swiss, results.Knockout, results.Sequential} {
		s.playUntil(format, 11*(n+1)) // in all after each format
	}
	s.end()
}

// scene is a tournament in processes of their own, which have accidents.
type scene struct {
	t       *testing.T
	random  *rand.Rand
	folder  string
	log     *output
	program string // nats-server

	config  string // file of the server
	address string // address of the server
	server  *process
	workers []*process

	runner   *process
	database string
	played   int // tournaments

	accidents int
	kinds     []string // of the next accidents
}

// newScene starts a server and three workers.
func newScene(t *testing.T) *scene {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text, given := os.LookupEnv("ACCIDENTS_SEED"); given {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("ACCIDENTS_SEED=%d", seed)
	s := &scene{t: t, random: rand.New(rand.NewPCG(seed, 0)), folder: t.TempDir(), log: new(output)}
	if s.program = os.Getenv("NATS_SERVER"); s.program == "" {
		s.program = filepath.Join(s.folder, "nats-server")
		build := exec.Command("go", "build", "-o", s.program, "github.com/nats-io/nats-server/v2")
		if out, err := build.CombinedOutput(); err != nil {
			t.Skipf("nats-server cannot be built here: %v\n%s", err, out)
		}
	}
	t.Cleanup(func() {
		for _, p := range append(s.workers, s.server, s.runner) {
			p.kill()
		}
		if t.Failed() || testing.Verbose() {
			t.Log(s.log)
		}
	})
	s.configure()
	s.startServer()
	for n := range 3 {
		s.workers = append(s.workers, nil)
		s.startWorker(n)
	}
	return s
}

// configure chooses a port for the server and writes its configuration.
func (s *scene) configure() {
	free := must2(net.Listen("tcp", "127.0.0.1:0"))
	defer free.Close()
	s.address, s.config = free.Addr().String(), filepath.Join(s.folder, "server.conf")
	text := fmt.Sprintf("listen: %q\nmax_payload: 8MB\njetstream { store_dir: %q }\n", s.address, filepath.Join(s.folder, "store"))
	must(s.t, os.WriteFile(s.config, []byte(text), 0o600))
}

// startServer starts the server and waits until it listens.
func (s *scene) startServer() {
	s.server = s.start(io.Discard, s.program, "-c", s.config)
	until(s.t, "a server", func() bool {
		if s.server.over() {
			s.t.Fatalf("the server has ended: %v\n%s", s.server.err, s.server.said)
		}
		conn, err := net.Dial("tcp", s.address)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
}

func (s *scene) startWorker(n int) {
	s.workers[n] = s.start(s.log, os.Args[0], "worker", s.address, fmt.Sprintf("w%d", n+1), filepath.Join(s.folder, "cache"))
}

func (s *scene) startRunner(format string) {
	s.runner = s.start(s.log, os.Args[0], "runner", s.address, s.database, format)
}

// process is a process that was started.
type process struct {
	cmd   *exec.Cmd
	said  *output
	ended chan struct{}
	err   error // when it has ended
}

func (s *scene) start(stderr io.Writer, args ...string) *process {
	p := &process{cmd: exec.Command(args[0], args[1:]...), said: new(output), ended: make(chan struct{})}
	p.cmd.Stderr = io.MultiWriter(stderr, p.said)
	must(s.t, p.cmd.Start())
	go func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	return p
}

// kill ends a process without any warning.
func (p *process) kill() {
	if p != nil {
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
}

func (p *process) over() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// unlucky reports whether a process began while the server was away, which ends it.
func (p *process) unlucky() bool {
	said := p.said.String()
	return strings.Contains(said, "cannot connect to the NATS server") || strings.Contains(said, "the NATS server does not answer") ||
		strings.Contains(said, "has no JetStream")
}

// playUntil plays tournaments of a format until there have been so many accidents.
func (s *scene) playUntil(format string, accidents int) {
	tour := must2(slowCup(format, "random"))
	want := locally(s.t, tour)
	for first := true; first || s.accidents < accidents; first = false {
		s.played++
		s.database = filepath.Join(s.folder, fmt.Sprintf("cup%d.db", s.played))
		s.play(format, accidents)
		s.check(tour, want)
	}
}

// waitsForEver is far more than what is left after the last accident takes.
const waitsForEver = 10 * time.Minute

// play plays a tournament with accidents at random moments, until every match has a record.
func (s *scene) play(format string, accidents int) {
	s.startRunner(format)
	for {
		pause := time.Duration(s.random.Int64N(int64(2 * time.Second)))
		if s.accidents >= accidents {
			pause = waitsForEver
		}
		select {
		case <-s.runner.ended:
			err := s.runner.err
			fmt.Fprintf(s.log, "--- the runner ends after %d accidents: %v\n", s.accidents, err)
			if err == nil {
				return
			}
			// Accidents may take a job from three workers, and a server may be away when a runner begins.
			if !s.runner.unlucky() && !strings.Contains(s.runner.said.String(), "is set aside") {
				s.t.Fatalf("the runner has ended: %v", err)
			}
			s.startRunner(format)
		case <-time.After(pause):
			if pause == waitsForEver {
				s.t.Fatal("the run waits for ever")
			}
			s.accident(format)
		}
		for n, w := range s.workers {
			if w.over() && !w.unlucky() {
				s.t.Fatalf("worker %d has ended: %v", n+1, w.err)
			}
			if w.over() {
				s.startWorker(n)
			}
		}
	}
}

// accident lets something happen, and then mends it.
func (s *scene) accident(format string) {
	if len(s.kinds) == 0 {
		s.kinds = []string{
			workerKilled, workerStopped, runnerKilled, runnerStopped, serverKilled, bothKilled,
			storeReverted, messagesReverted, consumersReverted,
		}
		s.random.Shuffle(len(s.kinds), func(i, j int) { s.kinds[i], s.kinds[j] = s.kinds[j], s.kinds[i] })
	}
	kind := s.kinds[0]
	s.kinds = s.kinds[1:]
	s.accidents++
	worker := s.random.IntN(len(s.workers))
	fmt.Fprintf(s.log, "--- %d. %s (worker %d)\n", s.accidents, kind, worker+1)
	long := quick().ack + time.Duration(s.random.Int64N(int64(quick().ack)))
	short := time.Duration(s.random.Int64N(int64(quick().ack)))
	switch kind {
	case workerKilled:
		s.workers[worker].kill()
		time.Sleep(short)
		s.startWorker(worker)
	case workerStopped:
		_ = s.workers[worker].cmd.Process.Signal(syscall.SIGSTOP)
		time.Sleep(long)
		_ = s.workers[worker].cmd.Process.Signal(syscall.SIGCONT)
	case runnerKilled:
		s.runner.kill()
		s.startRunner(format)
	case serverKilled:
		s.server.kill()
		time.Sleep(short + long/2)
		s.startServer()
	case runnerStopped:
		_ = s.runner.cmd.Process.Signal(syscall.SIGSTOP)
		time.Sleep(2 * long)
		_ = s.runner.cmd.Process.Signal(syscall.SIGCONT)
	case bothKilled:
		s.runner.kill()
		s.startRunner(format)
		time.Sleep(2 * short)
		s.server.kill()
		time.Sleep(short)
		s.startServer()
	case storeReverted:
		s.revert("jetstream", long)
	case messagesReverted:
		s.revert("jetstream/*/streams/*/msgs", long)
	case consumersReverted:
		s.revert("jetstream/*/streams/*/obs", long)
	}
}

// revert kills the server after some time, and starts it with those files of its store as they are now.
func (s *scene) revert(files string, after time.Duration) {
	folder, earlier := filepath.Join(s.folder, "store"), filepath.Join(s.folder, "earlier")
	_ = s.server.cmd.Process.Signal(syscall.SIGSTOP)
	must(s.t, os.CopyFS(earlier, os.DirFS(folder)))
	_ = s.server.cmd.Process.Signal(syscall.SIGCONT)
	time.Sleep(after)
	s.server.kill()
	if running := must2(fs.Glob(os.DirFS(folder), "jetstream/*/streams/"+jobsStream)); len(running) == 0 {
		files = "none" // the run has ended meanwhile, and would not remove them again
	}
	for _, name := range must2(fs.Glob(os.DirFS(folder), files)) {
		must(s.t, os.RemoveAll(filepath.Join(folder, name)))
		err := os.Rename(filepath.Join(earlier, name), filepath.Join(folder, name))
		if !errors.Is(err, fs.ErrNotExist) { // it was not there yet
			must(s.t, err)
		}
	}
	must(s.t, os.RemoveAll(earlier))
	s.startServer()
}

// check compares the records with those of a run without workers, verifies the database, and checks that nothing
// stays at the server.
func (s *scene) check(tour *arena.Run, want []results.Record) {
	t := s.t
	t.Helper()
	db := must2(store.Open(s.database))
	defer db.Close()
	records := must2(db.Newest("cup"))
	recorded := must2(records.Recorded())
	k := newKept()
	for _, m := range recorded {
		r, _, err := records.Record(m.Number)
		must(t, err)
		if !strings.HasPrefix(r.Worker, "w") {
			t.Errorf("%v: the worker is %q", r.Key, r.Worker)
		}
		_ = k.Put([]results.Record{r}) // in memory
	}
	empty := cmp.Transformer("none", func(s []*float64) []*float64 { return append([]*float64{}, s...) })
	if diff := cmp.Diff(want, k.timeless(t, tour), empty); diff != "" {
		t.Errorf("%s (-here +there)\n%s", tour.Format, diff)
	}
	if tour.Format != results.Sequential && len(recorded) != len(want) {
		t.Errorf("%d matches are recorded, want %d", len(recorded), len(want))
	}
	verified, err := db.Verify(store.Verification{Report: func(d store.Difference) { t.Error(d) }})
	if err != nil || verified.Matches != len(recorded) {
		t.Errorf("%d of %d matches are verified, error %v", verified.Matches, len(recorded), err)
	}
	s.checkEmpty()
}

// checkEmpty checks that the server has no streams of ours.
func (s *scene) checkEmpty() {
	l := client(s.t, s.address)
	for _, name := range []string{jobsStream, answersStream} {
		if _, err := l.js.Stream(s.t.Context(), name); !errors.Is(err, jetstream.ErrStreamNotFound) {
			s.t.Errorf("%s is there: %v", name, err)
		}
	}
}

// end stops the workers, which leaves no process.
func (s *scene) end() {
	for n, w := range s.workers {
		until(s.t, "a word of a worker", func() bool { return w.said.String() != "" || w.over() })
		_ = w.cmd.Process.Signal(syscall.SIGTERM)
		<-w.ended
		if w.err != nil && !w.unlucky() {
			s.t.Errorf("worker %d ends with %v", n+1, w.err)
		}
	}
	// On Linux, the bots are known by their folder.
	until(s.t, "the end of all bots", func() bool {
		folders, err := filepath.Glob("/proc/[0-9]*/cwd")
		return err != nil || !slices.ContainsFunc(folders, func(link string) bool {
			folder, err := os.Readlink(link)
			return err == nil && strings.HasPrefix(folder, s.folder)
		})
	})
	s.server.kill()
}

// output keeps what the processes write.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write adds a text.
func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(b)
}

// String returns all.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}
