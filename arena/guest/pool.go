package guest

import (
	"runtime"
	"slices"
	"sync"
)

// Pool keeps bots that have no match, so that they need not be started again for
// their next one. They are frozen meanwhile. All tables share the pool.
//
// A full pool stops the bots that come to it. It does not make room for them by
// stopping the one that has waited longest: in a round-robin, that one is needed next.
type Pool struct {
	spawner *Spawner

	mu     sync.Mutex // guards the fields below
	idle   []idle     // the last one came last
	memory int64      // of all of them
	closed bool
}

// idle is a bot without a match.
type idle struct {
	*Player
	memory int64 // bytes of RAM when it came to the pool
}

// The bounds of a pool, which arena/TIMING.md names.
const (
	mostIdle       = 128     // bots
	mostIdleMemory = 1 << 30 // bytes of RAM of all of them

	// unknownMemory is taken for the memory of a bot where the system does not
	// report it.
	unknownMemory = mostIdleMemory / 16
)

// NewPool returns an empty pool. The spawner ends its bots.
func NewPool(n *Spawner) *Pool { return &Pool{spawner: n} }

// Put takes a bot that has no match, or stops it.
func (p *Pool) Put(bot *Player) {
	const canPause = runtime.GOOS != "windows"
	if !canPause || bot.Broken || bot.Entry.Restart {
		bot.Quit(p.spawner)
		return
	}
	bot.Opponent = nil
	bot.Freeze()
	memory, known := bot.Bot.Memory()
	if !known {
		memory = unknownMemory
	}
	p.mu.Lock()
	full := p.closed || len(p.idle) >= mostIdle || p.memory+memory > mostIdleMemory
	if !full {
		p.idle = append(p.idle, idle{bot, memory})
		p.memory += memory
	}
	p.mu.Unlock()
	if full {
		bot.Quit(p.spawner)
	}
}

// Take returns a bot of that name, which is frozen until it is waited for and may run on other processors, or nil.
func (p *Pool) Take(name string) *Player {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, one := range slices.Backward(p.idle) {
		if one.Entry.Name == name {
			p.idle = slices.Delete(p.idle, i, i+1)
			p.memory -= one.memory
			return one.Player
		}
	}
	return nil
}

// Close stops all bots. The pool keeps none from now on.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range p.idle {
		one.Quit(p.spawner)
	}
	p.idle, p.closed = nil, true
}
