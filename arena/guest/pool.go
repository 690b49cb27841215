package guest

import (
	"runtime"
	"sync"
)

// Pool keeps bots that have no match, so that they need not be started anew for
// their next one. They are frozen meanwhile, as by [TimeControl.Pause]. All tables share the pool.
//
// A full pool takes no more bots, and those that come to it are sent away. It does
// not make room for them by sending away the one that has waited longest: in a
// round-robin, that one is needed next.
type Pool struct {
	spawner *Spawner
	Freezer *Freezer

	mu     sync.Mutex
	idle   map[string][]*Player // by the name of the bot
	bots   int
	memory int64 // of all of them
	closed bool
}

// The bounds of a pool, which configs/README.md tells users.
const (
	mostIdle       = 128     // bots
	mostIdleMemory = 1 << 30 // bytes of RAM of all of them

	// unknownMemory is taken for the memory of a bot where the system does not
	// tell it.
	unknownMemory = mostIdleMemory / 16
)

func NewPool(n *Spawner, f *Freezer) *Pool {
	return &Pool{spawner: n, Freezer: f, idle: make(map[string][]*Player)}
}

// Put takes a bot that has no match, or sends it away.
func (p *Pool) Put(bot *Player) {
	const canPause = runtime.GOOS != "windows"
	if !canPause || bot.Broken || bot.Entry.Restart {
		bot.Quit(p.spawner)
		return
	}
	p.Freezer.rest(bot, true)
	bot.memory = unknownMemory
	if memory, known := bot.Bot.Memory(); known {
		bot.memory = memory
	}
	if !p.keep(bot) {
		bot.Quit(p.spawner)
	}
}

// keep adds a bot if there is room for it.
func (p *Pool) keep(bot *Player) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.bots >= mostIdle || p.memory+bot.memory > mostIdleMemory {
		return false
	}
	name := bot.Entry.Name
	p.idle[name] = append(p.idle[name], bot)
	p.bots++
	p.memory += bot.memory
	return true
}

// Take returns a bot of that name, which is frozen until its turn, or nil.
func (p *Pool) Take(name string) *Player {
	p.mu.Lock()
	defer p.mu.Unlock()
	idle := p.idle[name]
	if len(idle) == 0 {
		return nil
	}
	bot := idle[len(idle)-1]
	p.idle[name] = idle[:len(idle)-1]
	p.bots--
	p.memory -= bot.memory
	return bot
}

// Close sends all bots away. The pool keeps none from now on.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, idle := range p.idle {
		for _, bot := range idle {
			bot.Quit(p.spawner)
		}
	}
	p.idle = nil
}
