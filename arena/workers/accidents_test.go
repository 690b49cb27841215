//go:build unix

package workers

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sembra/results"
	"sembra/results/store"
)

// scene is a tournament in processes of their own, which have accidents.
type scene struct {
	t       *testing.T
	folder  string
	address string
	pairs   int
	log     *output

	server  *exec.Cmd
	workers []*exec.Cmd
	runner  *exec.Cmd
	ended   chan error // of the runner
	runs    int        // how often the runner was started
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

// newScene starts a server and three workers.
func newScene(t *testing.T, pairs int) *scene {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	s := &scene{t: t, folder: t.TempDir(), address: address, pairs: pairs, log: new(output)}
	t.Cleanup(func() {
		for _, process := range append(s.workers, s.runner, s.server) {
			kill(process)
		}
		if t.Failed() {
			t.Log(s.log)
		}
	})
	s.startServer()
	for n := range 3 {
		s.workers = append(s.workers, nil)
		s.startWorker(n)
	}
	return s
}

// process starts this test binary in a role.
func (s *scene) process(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Stderr = s.log
	return cmd
}

// start starts a process.
func (s *scene) start(cmd *exec.Cmd) *exec.Cmd {
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	return cmd
}

// startServer starts the server and waits until it listens.
func (s *scene) startServer() {
	s.server = s.process("server", s.address, filepath.Join(s.folder, "server"))
	out, err := s.server.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	s.start(s.server)
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		s.t.Fatalf("the server does not start: %v", err)
	}
}

func (s *scene) startWorker(n int) {
	name := fmt.Sprintf("w%d", n+1)
	s.workers[n] = s.start(s.process("worker", s.address, name, filepath.Join(s.folder, "cache")))
}

func (s *scene) startRunner() {
	s.runs++
	s.runner = s.start(s.process("runner", s.address, s.database(), strconv.Itoa(s.pairs)))
	s.ended = make(chan error, 1)
	go func(cmd *exec.Cmd, ended chan<- error) { ended <- cmd.Wait() }(s.runner, s.ended)
}

func (s *scene) database() string { return filepath.Join(s.folder, "cup.db") }

// kill ends a process without any warning.
func kill(process *exec.Cmd) {
	if process == nil || process.Process == nil {
		return
	}
	_ = process.Process.Kill()
	_ = process.Wait()
}

// accident lets something happen, and then mends it.
func (s *scene) accident(kind string, n int) {
	fmt.Fprintf(s.log, "--- %s %d\n", kind, n+1)
	switch kind {
	case "a worker is killed":
		kill(s.workers[n])
		s.startWorker(n)
	case "a worker is stopped for long":
		_ = s.workers[n].Process.Signal(syscall.SIGSTOP)
		time.Sleep(quick().ack + quick().ack/2)
		_ = s.workers[n].Process.Signal(syscall.SIGCONT)
	case "the server is killed":
		kill(s.server)
		s.startServer()
	case "the runner is killed":
		_ = s.runner.Process.Kill()
		<-s.ended
		s.startRunner()
	}
}

// run plays the tournament with accidents at random moments, until every match has a record.
func (s *scene) run(kinds []string, accidents int) {
	random := rand.New(rand.NewPCG(1, 2))
	s.startRunner()
	for done := 0; ; {
		pause := time.Duration(random.Int64N(int64(time.Second)))
		if done == accidents {
			pause = time.Hour
		}
		select {
		case err := <-s.ended:
			if err == nil {
				fmt.Fprintf(s.log, "--- complete after %d accidents and %d starts of the runner\n", done, s.runs)
				if done < accidents {
					s.t.Errorf("the tournament is complete after %d accidents, want %d", done, accidents)
				}
				return
			}
			if s.runs > 2*accidents+5 {
				s.t.Fatalf("the runner ends again and again: %v", err)
			}
			s.startRunner() // a match was set aside
		case <-s.t.Context().Done():
			s.t.Fatal("the test ends before the tournament")
		case <-time.After(pause):
			s.accident(kinds[done%len(kinds)], random.IntN(len(s.workers)))
			done++
		}
	}
}

// check compares the records with those of a run without workers.
func (s *scene) check() {
	t := s.t
	t.Helper()
	tour, err := slowCup(s.pairs)
	if err != nil {
		t.Fatal(err)
	}
	want := locally(t, tour)
	db, err := store.Open(s.database())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	book, err := db.Newest("cup")
	if err != nil {
		t.Fatal(err)
	}
	k := newKept()
	for slot := 1; slot <= tour.Schedule().Len(); slot++ {
		if r, found, err := book.Record(slot); err != nil {
			t.Fatal(err)
		} else if found {
			k.records[r.Key] = r
		}
	}
	empty := cmp.Transformer("none", func(s []*float64) []*float64 { return append([]*float64{}, s...) })
	if diff := cmp.Diff(want, k.timeless(t, tour), empty); diff != "" {
		t.Errorf("(-here +there)\n%s", diff)
	}
	if got, _ := book.Recorded(); len(got) != len(want) {
		t.Errorf("%d matches are recorded, want %d", len(got), len(want))
	}
	judge, _ := results.NewJudge(book.Tournament)
	for _, r := range k.records {
		if differences := judge.Referee(r); len(differences) > 0 {
			t.Errorf("%v: %v", r.Key, differences)
		}
	}
}

// TestAccidents: a worker is killed, and then the runner. See TestManyAccidents.
func TestAccidents(t *testing.T) {
	t.Parallel()
	s := newScene(t, 6)
	s.run([]string{"a worker is killed", "the runner is killed"}, 2)
	s.check()
}
