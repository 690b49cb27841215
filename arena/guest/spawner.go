package guest

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"sembra/arena/sandbox"
)

// Spawner starts the processes of bots. One thread starts them all and lives
// until Close, because a bot dies with the thread that started it, and Go ends
// other threads at any time.
type Spawner struct {
	starts   chan func()
	stops    sync.WaitGroup   // bots that are being stopped; only Close waits for them
	sandbox  *sandbox.Sandbox // in which the bots run
	commands sync.Map         // of *sandbox.Prepared, by all that a command says
}

// NewSpawner returns an open spawner. It runs bots in the sandbox, which it closes at the end; with nil it isolates
// nothing.
func NewSpawner(s *sandbox.Sandbox) *Spawner {
	if s == nil {
		s = sandbox.None()
	}
	n := &Spawner{starts: make(chan func()), sandbox: s}
	go func() { // until Close
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		for start := range n.starts {
			start()
		}
	}()
	return n
}

// Isolates reports whether its bots are isolated from anything.
func (n *Spawner) Isolates() bool { return n.sandbox.Isolates() }

// start starts the process of a bot.
func (n *Spawner) start(bot *sandbox.Process) error {
	done := make(chan error)
	n.starts <- func() { done <- bot.Start() }
	return <-done
}

// prepare prepares a command for the sandbox, once. That can take long, if it asks a version manager. Two tables may
// prepare the same command.
func (n *Spawner) prepare(ctx context.Context, c Command, program string) (*sandbox.Prepared, error) {
	command := sandbox.Command{Program: program, Args: c.Args, Dir: c.Dir, Env: c.Env, Hidden: c.Hidden}
	key := fmt.Sprintf("%q", command)
	if ready, ok := n.commands.Load(key); ok {
		return ready.(*sandbox.Prepared), nil
	}
	ready, err := n.sandbox.Prepare(ctx, command)
	if err == nil {
		n.commands.Store(key, ready)
	}
	return ready, err
}

// Close waits until all bots are stopped and ends the spawner. No bot may be
// started after it.
func (n *Spawner) Close() {
	n.stops.Wait()
	close(n.starts)
	_ = n.sandbox.Close() // all bots are gone
}
