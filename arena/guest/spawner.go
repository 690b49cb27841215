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
	starts chan start
	stops  sync.WaitGroup // bots that are being stopped
	jail   *sandbox.Jail  // in which the bots run
	jailed bool           // whether it isolates anything
	mu     sync.Mutex
	cells  map[string]*sandbox.Cell // by command; guarded by mu
}

type start struct {
	bot  sandbox.Inmate
	done chan<- error
}

// NewSpawner returns an open spawner. It runs bots in the jail, which it closes at the end; with nil it isolates
// nothing.
func NewSpawner(j *sandbox.Jail) *Spawner {
	jailed := j != nil
	if !jailed {
		j = sandbox.None()
	}
	n := &Spawner{starts: make(chan start), jail: j, jailed: jailed, cells: make(map[string]*sandbox.Cell)}
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		for b := range n.starts {
			b.done <- b.bot.Start()
		}
	}()
	return n
}

// Isolates reports whether its bots are isolated from anything.
func (n *Spawner) Isolates() bool { return n.jailed }

func (n *Spawner) start(bot sandbox.Inmate) error {
	done := make(chan error)
	n.starts <- start{bot, done}
	return <-done
}

// cell returns the place in the jail for a command. Preparing it can take long,
// if it asks a version manager. So the lock is not held meanwhile, and two tables
// may prepare the same cell.
func (n *Spawner) cell(ctx context.Context, c Command, program string) (*sandbox.Cell, error) {
	key := fmt.Sprintf("%q %q %q %q %q", program, c.Dir, c.Args, c.Env, c.Hidden)
	n.mu.Lock()
	cell := n.cells[key]
	n.mu.Unlock()
	if cell != nil {
		return cell, nil
	}
	cell, err := n.jail.Cell(ctx, sandbox.Command{Program: program, Args: c.Args, Dir: c.Dir, Env: c.Env, Hidden: c.Hidden})
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cells[key] = cell
	return cell, nil
}

// stopLater runs a function that stops a bot. Only Close waits for it.
func (n *Spawner) stopLater(stop func()) {
	n.stops.Go(stop)
}

// Close waits until all bots are stopped and ends the spawner. No bot may be
// started after it.
func (n *Spawner) Close() {
	n.stops.Wait()
	close(n.starts)
	_ = n.jail.Close() // all bots are gone
}
