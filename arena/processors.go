package arena

import (
	"slices"
	"time"

	"sembra/arena/jail"
	"sembra/engine"
)

// AutoProcessors, as [Tournament.Processors], is one processor for the bots of a
// match, as long as that does not slow them down.
const AutoProcessors = -1

// place is where the bots of one table run. A nil place is anywhere.
//
// The bots of a match take turns. So one processor serves both of them, and a bot
// wakes up sooner on the processor on which its opponent has just gone to sleep.
// But bots may have several threads, and other programs may want the processor.
// Therefore an automatic place looks at its bots from time to time. If they wait
// for their processor, it takes more of them or lets the system decide.
//
// No two places have the same processor, not even in different runs, because a
// place claims each of its processors.
type place struct {
	auto    bool
	share   int   // the most processors that it may have
	allowed []int // those of the whole run
	claim   func(processor int) (release func(), ok bool)

	on      []int // its processors; none: the system decides
	release []func()
	retry   time.Time // when it may claim processors again
	looked  time.Time
}

// How an automatic place decides. configs/README.md tells this to users.
const (
	lookEvery  = 100 * time.Millisecond
	mostWaited = 0.2                    // of the time: the sum over all threads of both bots
	shortWait  = 100 * time.Microsecond // in the mean; the wait for the runner is shorter
	nearlyAll  = 0.8                    // of the time of its processors: then nobody else has them
	tryAgain   = 30 * time.Second       // after it has let go of its processors
)

// newPlace returns the place of one of several tables; nil if there are too few
// processors for all of them, or there is nothing to choose. A single table has no
// automatic place: its bots would wait for the runner on another processor, and
// the system does better.
func newPlace(processors, tables int, claim func(int) (func(), bool)) *place {
	allowed := AllowedProcessors()
	share := processors
	if processors == AutoProcessors {
		share = len(allowed) / tables
		if tables == 1 {
			return nil
		}
	}
	if share == 0 || share*tables > len(allowed) || len(allowed) == 1 {
		return nil
	}
	return &place{auto: processors == AutoProcessors, share: share, allowed: allowed, claim: claim}
}

// seat puts the bots of a match in their place.
func (at *place) seat(players [2]*player, now time.Time) {
	if at == nil {
		return
	}
	want := at.share
	if at.auto && !slices.ContainsFunc(players[:], func(p *player) bool { return p != nil && p.parallel }) {
		want = 1
	}
	at.take(want, now)
	for _, p := range players {
		if p != nil && !slices.Equal(p.on, at.on) {
			p.on, p.times = slices.Clone(at.on), sample{}
			at.bind(p)
		}
	}
}

// bind lets a bot run where its place is.
func (at *place) bind(p *player) {
	if len(at.on) > 0 {
		p.bot.Bind(at.on)
	} else {
		p.bot.Bind(at.allowed)
	}
}

// take claims processors until the place has as many as it wants, and gives back
// those beyond that. If all are taken by others, the system decides for a while.
func (at *place) take(want int, now time.Time) {
	if now.Before(at.retry) {
		return
	}
	for _, n := range at.allowed {
		if len(at.on) >= want {
			break
		}
		if release, ok := at.claim(n); ok {
			at.on, at.release = append(at.on, n), append(at.release, release)
		}
	}
	if len(at.on) == 0 || !at.auto && len(at.on) < want {
		at.leave()
		at.retry = now.Add(tryAgain)
		return
	}
	at.keep(min(want, len(at.on)))
}

// keep gives back all processors but the first n.
func (at *place) keep(n int) {
	for _, release := range at.release[n:] {
		release()
	}
	at.on, at.release = at.on[:n], at.release[:n]
}

// leave gives back all processors.
func (at *place) leave() {
	if at != nil {
		at.keep(0)
	}
}

// look finds out whether the bots of a match wait for their processors. A bot that
// burns stays on its processor, where it hurts nobody at another table.
func (at *place) look(players [2]*player, now time.Time) {
	if at == nil || now.Sub(at.looked) < lookEvery {
		return
	}
	at.looked = now
	if len(at.on) > 0 {
		for _, p := range players {
			at.bind(p) // a thread that began during the last call may have escaped it
		}
	}
	if at.auto && len(at.on) > 0 && !players[engine.South].burns && !players[engine.North].burns {
		at.judge(players, now)
	}
	at.seat(players, now)
}

// judge decides whether the bots wait too much for their processors, and why. If
// they run nearly all of the time, they have several threads that run at once.
// Otherwise another program has the processors. Many short waits are no reason:
// then the bots wait for the runner, which passes a line on.
func (at *place) judge(players [2]*player, now time.Time) {
	south, since := players[engine.South].times.advance(players[engine.South].bot, now)
	north, known := players[engine.North].times.advance(players[engine.North].bot, now)
	if since == 0 || known == 0 {
		return // one of them has just come
	}
	waited := south.Waited + north.Waited
	turns := max(1, south.Turns+north.Turns)
	switch {
	case waited < time.Duration(mostWaited*float64(since)) || waited/time.Duration(turns) < shortWait:
	case south.Ran+north.Ran > time.Duration(nearlyAll*float64(since)*float64(len(at.on))):
		players[engine.South].parallel = players[engine.South].parallel || south.Waited >= north.Waited
		players[engine.North].parallel = players[engine.North].parallel || north.Waited > south.Waited
	default:
		at.leave()
		at.retry = now.Add(tryAgain)
	}
}

// sample is what the threads of a bot had had of the processors at a moment.
type sample struct {
	at      time.Time
	threads map[int]jail.Thread
}

// advance takes the next sample of a bot. It returns what all threads together
// have had since the last one, and how long ago that was; 0 if there was none.
func (s *sample) advance(b Bot, now time.Time) (had jail.Thread, since time.Duration) {
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
