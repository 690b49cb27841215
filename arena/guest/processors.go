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
// No two tables have the same processor, not even in different runs, because each claims its processors for the whole
// run. Only the goroutine of its table uses a pinning.
type Pinning struct {
	auto    bool
	allowed []int     // the processors of the whole run
	own     []int     // those that the table has claimed; none: other runs have too many
	release []func()  // of the claims
	single  *sync.Map // of all tables, by the name of a bot that has played: whether one processor is enough for it
}

// A bot has several threads that run concurrently if it uses more than this much CPU time. arena/TIMING.md names these
// bounds.
const (
	mostOfThought = 1.5 // times the time in which it has thought
	besides       = 50 * time.Millisecond
)

// NewPinnings returns one pinning for each table; nil for each if there are too few processors for all of them, or
// there is nothing to choose. A single table has no automatic pinning: its bots would wait for the runner on another
// processor, and the system does better.
func NewPinnings(processors, tables int) []*Pinning {
	return newPinnings(processors, tables, AllowedProcessors(), claimProcessor)
}

func newPinnings(processors, tables int, allowed []int, claim func(int) (release func(), ok bool)) []*Pinning {
	all := make([]*Pinning, tables)
	auto, share, single := processors == AutoProcessors, max(processors, -processors), new(sync.Map)
	few := share*tables > len(allowed) || len(allowed) == 1
	if few || share == 0 || auto && tables == 1 {
		return all
	}
	free := allowed
	for i := range all {
		at := &Pinning{auto: auto, allowed: allowed, single: single}
		for ; len(at.own) < share && len(free) > 0; free = free[1:] {
			if release, ok := claim(free[0]); ok {
				at.own, at.release = append(at.own, free[0]), append(at.release, release)
			}
		}
		if len(at.own) < share {
			at.Leave()
		}
		all[i] = at
	}
	return all
}

// Begin binds the bots of the next match; one may be nil.
func (at *Pinning) Begin(players [2]*Player) {
	if at == nil {
		return
	}
	on := at.own
	if at.auto && slices.ContainsFunc(players[:], at.needsMore) {
		on = nil
	}
	for _, p := range players {
		if p == nil || slices.Equal(p.on, on) {
			continue
		}
		if p.on = on; len(on) > 0 {
			p.Bot.Bind(on)
		} else {
			p.Bot.Bind(at.allowed)
		}
	}
}

// End notes how long a bot thought in a match, and how much processor time it used; negative if that is not known.
func (at *Pinning) End(bot string, thought, used time.Duration) {
	if at != nil && used >= 0 {
		at.single.LoadOrStore(bot, used <= time.Duration(mostOfThought*float64(thought))+besides)
	}
}

// needsMore reports whether one processor is not enough for a bot, or the bot has not played.
func (at *Pinning) needsMore(p *Player) bool {
	if p == nil {
		return false
	}
	single, _ := at.single.Load(p.Entry.Name)
	return single != true
}

// Leave gives back all processors.
func (at *Pinning) Leave() {
	if at == nil {
		return
	}
	for _, release := range at.release {
		release()
	}
	at.own, at.release = nil, nil
}
