package guest

import (
	"slices"
	"sync"
	"time"
)

// AutoProcessors, as a number of processors, is one processor for the bots of a match, if none of them has several
// threads that run at once.
const AutoProcessors = -1

// Pinning is the processors on which the bots of one table run. A nil pinning leaves that to the system.
//
// The bots of a match take turns. So one processor serves both of them, and a bot wakes up sooner on the processor on
// which its opponent has just gone to sleep. But a bot may have several threads. So in the first match of a bot the
// system decides where it runs, and an automatic pinning takes only bots that have not used more processor time there
// than they have thought.
//
// No two tables have the same processor, not even in different runs, because each claims its processors. Only the
// goroutine of its table uses a pinning.
type Pinning struct {
	*pinnings
	on      []int // the processors; none: the system decides
	release []func()
}

// pinnings is what the tables of a run share.
type pinnings struct {
	auto    bool
	share   int   // how many processors a table claims
	allowed []int // those of the whole run
	claim   func(processor int) (release func(), ok bool)

	mu     sync.Mutex      // guards single
	single map[string]bool // by the name of a bot that has played: whether one processor is enough for it
}

// A bot has several threads that run at once if it uses more than so much processor time. configs/README.md tells this
// to users.
const (
	mostOfThought = 1.5 // times the time in which it has thought
	besides       = 50 * time.Millisecond
)

// NewPinnings returns one pinning for each table; nil for each if there are too few processors for all of them, or
// there is nothing to choose. A single table has no automatic pinning: its bots would wait for the runner on another
// processor, and the system does better.
func NewPinnings(processors, tables int) []*Pinning {
	all := make([]*Pinning, tables)
	shared := &pinnings{
		auto: processors == AutoProcessors, share: max(processors, -processors), allowed: AllowedProcessors(),
		claim: claimProcessor, single: make(map[string]bool),
	}
	few := shared.share*tables > len(shared.allowed) || len(shared.allowed) == 1
	if few || shared.share == 0 || shared.auto && tables == 1 {
		return all
	}
	for i := range all {
		all[i] = &Pinning{pinnings: shared}
	}
	return all
}

// Begin binds the bots of the next match; one may be nil. If the processors are taken by others, the system decides.
func (at *Pinning) Begin(players [2]*Player) {
	if at == nil {
		return
	}
	if at.auto && !at.areSingle(players) {
		at.Leave()
	} else if len(at.on) == 0 {
		at.take()
	}
	for _, p := range players {
		if p == nil || slices.Equal(p.on, at.on) {
			continue
		}
		if p.on = slices.Clone(at.on); len(p.on) > 0 {
			p.Bot.Bind(p.on)
		} else {
			p.Bot.Bind(at.allowed)
		}
	}
}

// End notes how long a bot thought in a match, and how much processor time it used; negative if that is not known.
func (at *Pinning) End(bot string, thought, used time.Duration) {
	if at == nil || used < 0 {
		return
	}
	at.mu.Lock()
	defer at.mu.Unlock()
	if _, known := at.single[bot]; !known {
		at.single[bot] = used <= time.Duration(mostOfThought*float64(thought))+besides
	}
}

// areSingle reports whether both bots have played, and one processor is enough for each.
func (at *Pinning) areSingle(players [2]*Player) bool {
	at.mu.Lock()
	defer at.mu.Unlock()
	return !slices.ContainsFunc(players[:], func(p *Player) bool { return p != nil && !at.single[p.Entry.Name] })
}

// take claims as many processors as a table has, or none.
func (at *Pinning) take() {
	for _, n := range at.allowed {
		if release, ok := at.claim(n); ok {
			at.on, at.release = append(at.on, n), append(at.release, release)
		}
		if len(at.on) == at.share {
			return
		}
	}
	at.Leave()
}

// Leave gives back all processors.
func (at *Pinning) Leave() {
	if at == nil {
		return
	}
	for _, release := range at.release {
		release()
	}
	at.on, at.release = nil, nil
}
