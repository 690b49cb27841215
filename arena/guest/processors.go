package guest

import (
	"context"
	"slices"
	"sync"
	"time"
)

// AutoProcessors, as a number of processors, is one processor for the bots of a match, if none of them has several
// threads that run concurrently.
const AutoProcessors = -1

// Pinning is the processors on which the bots of one table run. A nil pinning leaves that to the system.
//
// The bots of a match take turns. So one processor serves both of them, and a bot wakes up sooner on the processor on
// which its opponent has just gone to sleep. But a bot may have several threads. So in the first match of a bot the
// system decides where it runs, and an automatic pinning takes only bots that have not used more CPU time there
// than they have thought.
//
// No two tables have the same processor, not even in different runs, because each claims its processors for the whole
// run. Only the [Thread] of its table uses a pinning.
type Pinning struct {
	auto    bool
	alone   bool      // there is no other table
	allowed []int     // the processors of the whole run
	own     []int     // those that the table has claimed; none: other runs have too many
	release []func()  // of the claims
	on      []int     // the processors to which the thread of the table is bound; none: any
	single  *sync.Map // of all tables, by the name of a bot that has played: whether one processor is enough for it
}

// A bot has several threads that run concurrently if it uses more than this much CPU time. A single table leaves the
// other CPUs to such a bot, so it needs less there. arena/TIMING.md names these bounds.
const (
	mostOfThought = 1.5 // times the time in which it has thought
	besides       = 50 * time.Millisecond

	mostOfThoughtAlone = 1.02
	besidesAlone       = 5 * time.Millisecond
)

// NewPinnings returns one pinning for each table; nil for each if there are too few processors for all of them, or
// there is nothing to choose.
func NewPinnings(processors, tables int) []*Pinning {
	return newPinnings(processors, tables, AllowedProcessors(), claimProcessor)
}

func newPinnings(processors, tables int, allowed []int, claim func(int) (release func(), ok bool)) []*Pinning {
	all := make([]*Pinning, tables)
	auto, share, single := processors == AutoProcessors, max(processors, -processors), new(sync.Map)
	few := share*tables > len(allowed) || len(allowed) == 1
	if few || share == 0 {
		return all
	}
	free := allowed
	for i := range all {
		at := &Pinning{auto: auto, alone: tables == 1, allowed: allowed, single: single}
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

// launch launches a bot and returns the processors to which it is bound; none: any. A process inherits those of the
// thread that starts it. But an init has to run anywhere, see [sandbox.Control]. So has a bot for which one processor may
// not be enough, as some programs count their processors when they start.
func (at *Pinning) launch(ctx context.Context, e *Entry, n *Spawner) (bot Bot, on []int, err error) {
	if at == nil {
		bot, err = e.Launcher.Launch(ctx, n)
		return bot, nil, err
	}
	free := at.auto && at.alone
	if on = at.on; len(on) > 0 && (n.Isolates() || free && !at.isSingle(e.Name)) {
		bindThread(at.allowed)
		defer bindThread(on)
		on = nil
	}
	if bot, err = e.Launcher.Launch(ctx, n); err == nil && !free && len(at.own) > 0 && !slices.Equal(on, at.own) {
		on = at.own
		bot.Bind(on)
	}
	return bot, on, err
}

// Begin binds the bots of the next match, one of which may be nil, and the thread of the table: the runner waits for the
// bots as they wait for each other.
func (at *Pinning) Begin(players [2]*Player) {
	if at == nil {
		return
	}
	on := at.own
	if at.auto && slices.ContainsFunc(players[:], at.needsMore) {
		on = nil
	}
	to := on
	if len(on) == 0 {
		to = at.allowed
	}
	for _, p := range players {
		if p != nil && !slices.Equal(p.on, on) {
			p.on = on
			p.Bot.Bind(to)
		}
	}
	if !slices.Equal(at.on, on) {
		at.on = on
		bindThread(to)
	}
}

// End notes how long a bot thought in a match, and how much CPU time it used; negative if that is not known.
func (at *Pinning) End(bot string, thought, used time.Duration) {
	if at == nil || used < 0 {
		return
	}
	times, more := mostOfThought, besides
	if at.alone {
		times, more = mostOfThoughtAlone, besidesAlone
	}
	at.single.LoadOrStore(bot, used <= time.Duration(times*float64(thought))+more)
}

// needsMore reports whether one processor is not enough for a bot, or the bot has not played.
func (at *Pinning) needsMore(p *Player) bool { return p != nil && !at.isSingle(p.Entry.Name) }

// isSingle reports whether a bot has played, and one processor was enough for it.
func (at *Pinning) isSingle(bot string) bool {
	single, _ := at.single.Load(bot)
	return single == true
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
