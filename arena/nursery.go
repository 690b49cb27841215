package arena

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"sembra/arena/jail"
)

// Nursery starts the processes of bots. One thread starts them all and lives
// until Close, because a bot dies with the thread that started it, and Go ends
// other threads at any time.
type Nursery struct {
	births chan birth
	stops  sync.WaitGroup // bots that are being stopped
	jail   *jail.Jail     // in which the bots run
	jailed bool           // whether it isolates anything
	mu     sync.Mutex
	cells  map[string]*jail.Cell // by command; guarded by mu
}

type birth struct {
	bot  jail.Inmate
	done chan<- error
}

// NewNursery returns an open nursery. It runs bots in the jail; with nil it
// isolates nothing.
func NewNursery(j *jail.Jail) *Nursery {
	jailed := j != nil
	if !jailed {
		j = jail.None()
	}
	n := &Nursery{births: make(chan birth), jail: j, jailed: jailed, cells: make(map[string]*jail.Cell)}
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		for b := range n.births {
			b.done <- b.bot.Start()
		}
	}()
	return n
}

func (n *Nursery) start(bot jail.Inmate) error {
	done := make(chan error)
	n.births <- birth{bot, done}
	return <-done
}

// cell returns the place in the jail for a command. Preparing it can take long,
// if it asks a version manager. So the lock is not held meanwhile, and two tables
// may prepare the same cell.
func (n *Nursery) cell(ctx context.Context, c Command, program string) (*jail.Cell, error) {
	key := fmt.Sprintf("%q %q %q %q %q", program, c.Dir, c.Args, c.Env, c.Hidden)
	n.mu.Lock()
	cell := n.cells[key]
	n.mu.Unlock()
	if cell != nil {
		return cell, nil
	}
	cell, err := n.jail.Cell(ctx, jail.Command{Program: program, Args: c.Args, Dir: c.Dir, Env: c.Env, Hidden: c.Hidden})
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cells[key] = cell
	return cell, nil
}

// stopLater runs a function that stops a bot. Only Close waits for it.
func (n *Nursery) stopLater(stop func()) {
	n.stops.Go(stop)
}

// Close waits until all bots are stopped and ends the nursery. No bot may be
// started after it.
func (n *Nursery) Close() {
	n.stops.Wait()
	close(n.births)
}
