package guest

import (
	"slices"
	"sync"
	"time"

	"sembra/arena/sandbox"
)

// AutoProcessors, as [Tournament.Processors], is one processor for the bots of a
// match, as long as that does not slow them down.
const AutoProcessors = -1

// Pinning is the processors on which the bots of one table run. A nil pinning leaves that to the system.
//
// The bots of a match take turns. So one processor serves both of them, and a bot wakes up sooner on the processor on
// which its opponent has just gone to sleep. But bots may have several threads, and other programs may want the
// processor. Therefore an automatic pinning looks at its bots from time to time. If they wait for their processor, the
// system decides where they run.
//
// No two tables have the same processor, not even in different runs, because each claims its processors.
type Pinning struct {
	auto    bool
	share   int   // how many processors it claims
	allowed []int // those of the whole run
	claim   func(processor int) (release func(), ok bool)

	mu      sync.Mutex // guards the fields below
	players [2]*Player // that play now; one may be nil
	on      []int      // the processors; none: the system decides
	release []func()
	retry   time.Time // when it may claim processors again
	looked  time.Time
}

// How an automatic pinning decides. configs/README.md tells this to users.
const (
	lookEvery  = 100 * time.Millisecond
	mostWaited = 0.2                    // of the time: the sum over all threads of both bots
	shortWait  = 100 * time.Microsecond // in the mean; the wait for the runner is shorter
	nearlyAll  = 0.8                    // of the time of the processor: then nobody else has it
	tryAgain   = 30 * time.Second       // after it has let go of its processors
)

// NewPinning returns the pinning of one of several tables; nil if there are too few processors for all of them, or
// there is nothing to choose. A single table has no automatic pinning: its bots would wait for the runner on another
// processor, and the system does better.
func NewPinning(processors, tables int) *Pinning {
	at := &Pinning{auto: processors == AutoProcessors, share: processors, allowed: AllowedProcessors(), claim: claimProcessor}
	if at.auto {
		at.share = 1
	}
	if at.share == 0 || at.share*tables > len(at.allowed) || len(at.allowed) == 1 || at.auto && tables == 1 {
		return nil
	}
	return at
}

// Begin binds the bots of the next match.
func (at *Pinning) Begin(players [2]*Player, now time.Time) {
	if at != nil {
		at.mu.Lock()
		defer at.mu.Unlock()
		at.players = players
		at.bindAll(now)
	}
}

// End ends a match. Nobody looks at its bots any more.
func (at *Pinning) End() {
	if at != nil {
		at.mu.Lock()
		defer at.mu.Unlock()
		at.players = [2]*Player{}
	}
}

// Leave ends the pinning and gives back all processors.
func (at *Pinning) Leave() {
	if at != nil {
		at.mu.Lock()
		defer at.mu.Unlock()
		at.players = [2]*Player{}
		at.free()
	}
}

// bindAll binds the bots to the processors of the table, if none of them has threads that run at once.
func (at *Pinning) bindAll(now time.Time) {
	parallel := func(p *Player) bool { return p != nil && p.parallel }
	if at.auto && slices.ContainsFunc(at.players[:], parallel) {
		at.free()
	} else if len(at.on) == 0 && !now.Before(at.retry) {
		at.take(now)
	}
	for _, p := range at.players {
		if p != nil && !slices.Equal(p.on, at.on) {
			p.on, p.times = slices.Clone(at.on), sample{}
			at.bind(p)
		}
	}
}

// bind lets a bot run on the processors.
func (at *Pinning) bind(p *Player) {
	if len(at.on) > 0 {
		p.Bot.Bind(at.on)
	} else {
		p.Bot.Bind(at.allowed)
	}
}

// take claims as many processors as the table wants. If they are taken by others, the system decides for a while.
func (at *Pinning) take(now time.Time) {
	for _, n := range at.allowed {
		if release, ok := at.claim(n); ok {
			at.on, at.release = append(at.on, n), append(at.release, release)
		}
		if len(at.on) == at.share {
			return
		}
	}
	at.free()
	at.retry = now.Add(tryAgain)
}

// free gives back all processors.
func (at *Pinning) free() {
	for _, release := range at.release {
		release()
	}
	at.on, at.release = nil, nil
}

// look finds out whether the bots of a match wait for their processor. A bot that works while it waits stays there,
// where it hurts nobody at another table.
func (at *Pinning) look(now time.Time) {
	if at == nil || !at.mu.TryLock() {
		return // the next look is soon enough
	}
	defer at.mu.Unlock()
	if at.players[0] == nil || at.players[1] == nil || now.Sub(at.looked) < lookEvery {
		return
	}
	at.looked = now
	if len(at.on) > 0 {
		for _, p := range at.players {
			at.bind(p) // a thread that began during the last call may have escaped it
		}
		if at.auto && !at.players[0].Works() && !at.players[1].Works() {
			at.judge(now)
		}
	}
	at.bindAll(now)
}

// judge decides whether the bots wait too much for their processor, and why. If they run nearly all of the time, one of
// them has several threads that run at once. Otherwise another program has the processor. Many short waits are no
// reason: then the bots wait for the runner, which passes a line on.
func (at *Pinning) judge(now time.Time) {
	south, north := at.players[0], at.players[1]
	ofSouth, since := south.times.advance(south.Bot, now)
	ofNorth, known := north.times.advance(north.Bot, now)
	if since == 0 || known == 0 {
		return // one of them has just come
	}
	waited := ofSouth.Waited + ofNorth.Waited
	turns := max(1, ofSouth.Turns+ofNorth.Turns)
	switch {
	case waited < time.Duration(mostWaited*float64(since)) || waited/time.Duration(turns) < shortWait:
	case ofSouth.Ran+ofNorth.Ran > time.Duration(nearlyAll*float64(since)):
		south.parallel = south.parallel || ofSouth.Waited >= ofNorth.Waited
		north.parallel = north.parallel || ofNorth.Waited > ofSouth.Waited
	default:
		at.free()
		at.retry = now.Add(tryAgain)
	}
}

// sample is what the threads of a bot had had of the processors at a moment.
type sample struct {
	at      time.Time
	threads map[int]sandbox.Thread
}

// advance takes the next sample of a bot. It returns what all threads together
// have had since the last one, and how long ago that was; 0 if there was none.
func (s *sample) advance(b Bot, now time.Time) (had sandbox.Thread, since time.Duration) {
	before := *s
	s.at, s.threads = now, b.Threads()
	if before.threads == nil {
		return had, 0
	}
	for number, thread := range s.threads {
		old := before.threads[number]
		had.Ran += thread.Ran - old.Ran
		had.Waited += thread.Waited - old.Waited
		had.Turns += thread.Turns - old.Turns
	}
	return had, now.Sub(before.at)
}
