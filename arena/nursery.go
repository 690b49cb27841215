package arena

import (
	"os/exec"
	"runtime"
	"sync"
)

// Nursery is where processes are started. All are children of one thread that
// lives until Close, because a process can ask to die with the thread that
// started it, and the threads that goroutines run on come and go.
type Nursery struct {
	births chan birth
	stops  sync.WaitGroup // bots that are being stopped
}

type birth struct {
	cmd  *exec.Cmd
	done chan<- error
}

// NewNursery returns an open nursery.
func NewNursery() *Nursery {
	n := &Nursery{births: make(chan birth)}
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		for b := range n.births {
			b.done <- b.cmd.Start()
		}
	}()
	return n
}

func (n *Nursery) start(cmd *exec.Cmd) error {
	done := make(chan error)
	n.births <- birth{cmd, done}
	return <-done
}

// stopLater runs a stop that nobody waits for, except Close.
func (n *Nursery) stopLater(stop func()) {
	n.stops.Go(stop)
}

// Close waits for the stops that are under way and ends the nursery. No
// process may be started after it.
func (n *Nursery) Close() {
	n.stops.Wait()
	close(n.births)
}
