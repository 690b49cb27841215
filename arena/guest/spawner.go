package guest

import (
	"context"
	"fmt"
	"sync"

	"sembra/arena/sandbox"
)

// Spawner starts the processes of bots, and ends them.
type Spawner struct {
	*spawned
	thread     *Thread // starts the bots; nil: that of the caller does
	processors []int   // on which the bots run; none: any
}

// spawned is what a spawner shares with those that it returns.
type spawned struct {
	stops    sync.WaitGroup   // bots that are being stopped; only Close waits for them
	sandbox  *sandbox.Sandbox // in which the bots run
	commands sync.Map         // of *sandbox.Prepared, by all that a command says
	allowed  []int            // the processors on which this program may run
}

// NewSpawner returns an open spawner. It runs bots in the sandbox, which it closes at the end; with nil it isolates
// nothing.
func NewSpawner(s *sandbox.Sandbox) *Spawner {
	if s == nil {
		s = sandbox.None()
	}
	return &Spawner{spawned: &spawned{sandbox: s, allowed: AllowedProcessors()}, thread: NewThread(nil)}
}

// On returns the spawner for callers on a [Thread] that is closed after the spawner and runs on these processors; none
// are any. It starts their bots on that thread, because going to another one and back takes as long as a start. The bots
// run on the same processors.
func (n *Spawner) On(processors []int) *Spawner {
	return &Spawner{spawned: n.spawned, processors: processors}
}

// Isolates reports whether its bots are isolated from anything.
func (n *Spawner) Isolates() bool { return n.sandbox.Isolates() }

// start starts the process of a bot. A process runs where the thread that starts it does. But an init has to run
// anywhere, see [sandbox.Control], and binds the bot itself.
func (n *Spawner) start(bot *sandbox.Process) (err error) {
	if n.thread != nil {
		n.thread.Do(func() { err = bot.Start() })
		return err
	}
	if len(n.processors) > 0 && n.Isolates() {
		bindThread(n.allowed)
		defer bindThread(n.processors)
	}
	return bot.Start()
}

// prepare prepares a command for the sandbox, once. That can take long, if it asks a version manager. Two tables may
// prepare the same command.
func (n *Spawner) prepare(ctx context.Context, c Command, program string) (*sandbox.Prepared, error) {
	command := sandbox.Command{Program: program, Args: c.Args, Dir: c.Dir, Env: c.Env, Hidden: c.Hidden, Allowance: c.Allowance}
	key := fmt.Sprintf("%#v", command)
	if ready, ok := n.commands.Load(key); ok {
		return ready.(*sandbox.Prepared), nil
	}
	ready, err := n.sandbox.Prepare(ctx, command)
	if err == nil {
		n.commands.Store(key, ready)
	}
	return ready, err
}

// Close waits until all bots are stopped and ends the spawner. No bot may be started after it. Only whoever
// opened the spawner closes it.
func (n *Spawner) Close() {
	n.stops.Wait()
	n.thread.Close()
	_ = n.sandbox.Close() // all bots are gone
}
