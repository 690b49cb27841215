package arena

import (
	"sync"
	"time"

	"sembra/engine"
)

// Pause says whether a bot is stopped while it waits for its turn.
type Pause string

const (
	NeverPause     Pause = "false"     // also ""
	AlwaysPause    Pause = "true"      // with all that it has started
	AutomaticPause Pause = "automatic" // only a bot that has used processor time while it waited
)

// seating is the two bots of a match while they play, and whose turn it is. The
// referee tells it each turn. The watch of the run looks at it from another
// goroutine.
type seating struct {
	pause   Pause
	burners *burners
	place   *place

	mu      sync.Mutex // guards what follows, and the place
	players [2]*player // nil if none plays
	turn    engine.Seat
	begun   bool    // somebody has been asked
	burnt   [2]bool // who was found to burn in this match

	// What the watch has seen of the current turn.
	looks int
	next  int           // the look that is a sample
	first time.Time     // of the first sample
	used  time.Duration // by the bot that waits, since the first sample
	times sample        // of that bot
}

// A bot that waits for its turn burns if it uses more processor time than it may.
// Some time is allowed, because programs tidy up after an answer.
//
// The bot is looked at twice. Right after its answer, before anybody's clock runs,
// it must not be busy. The watch sees what begins later. Where a bot keeps every
// processor busy, the watch may come too late for a bot with little time: it has
// to wait for a processor itself.
const (
	mayBurn      = 10 * time.Millisecond // in one turn of the opponent
	mayBurnShare = 0.05                  // of one processor, in a long turn

	seeOften   = 50 * time.Millisecond // the time between two looks after an answer; it doubles
	seeRarely  = time.Second
	settleIn   = time.Millisecond      // about the time in which a bot may go to sleep after its answer
	trialTime  = 20 * time.Millisecond // in which a busy bot has to use less than it may
	mostTrials = 3                     // of a process: others only tidy up for long
	stopWithin = 2 * time.Second

	watchEvery = 10 * time.Millisecond
)

// sit brings the bots of the next match to their place. One may be nil.
func (s *seating) sit(players [2]*player) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.place.seat(players, time.Now())
}

// begin begins a match.
func (s *seating) begin(players [2]*player) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.players, s.begun, s.burnt = players, false, [2]bool{}
	for _, p := range players {
		p.burns = s.pause == AutomaticPause && s.burners.has(p.entry.Name)
		p.rests = p.burns || s.pause == AlwaysPause
	}
}

// ask says that a bot is asked now. It stops the opponent if that has to rest.
func (s *seating) ask(seat engine.Seat) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.players[seat] == nil || s.begun && s.turn == seat {
		return
	}
	s.turn, s.begun, s.looks, s.next, s.used, s.times = seat, true, 0, 2, 0, sample{}
	s.players[seat].resume()
	if s.see(seat.Other()); s.players[seat.Other()].rests {
		s.players[seat.Other()].stop()
	}
}

// see looks at a bot right after its turn, if that was not done lately. The next
// bot is not asked meanwhile.
func (s *seating) see(seat engine.Seat) {
	p, now := s.players[seat], time.Now()
	if s.pause != AutomaticPause || p.rests || p.trials >= mostTrials || now.Before(p.seeAgain) {
		return
	}
	p.seePause = min(max(seeOften, 2*p.seePause), seeRarely)
	p.seeAgain = now.Add(p.seePause)
	for wait := 50 * time.Microsecond; p.bot.Busy(); wait *= 2 { // it has written its answer and may go to sleep now
		if wait > settleIn {
			s.try(seat)
			return
		}
		time.Sleep(wait)
	}
}

// try finds out whether a busy bot burns.
func (s *seating) try(seat engine.Seat) {
	p := s.players[seat]
	p.trials++
	var times sample
	times.advance(p.bot, time.Now())
	time.Sleep(trialTime)
	if had, _ := times.advance(p.bot, time.Now()); had.Ran > mayBurn {
		s.burns(seat)
	}
}

// burns makes a bot rest from now on whenever it waits.
func (s *seating) burns(seat engine.Seat) {
	p := s.players[seat]
	p.rests, p.burns, s.burnt[seat] = true, true, true
	s.burners.add(p.entry.Name)
}

// end ends the match. Both bots run again.
func (s *seating) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.players {
		p.resume()
	}
	s.players = [2]*player{}
}

// stop stops a bot. A bot that burns can keep every processor so busy that this
// takes a while. So stop waits until the bot has stopped; but only once for a bot
// that finds a way to go on.
func (p *player) stop() {
	p.stopped = true
	p.bot.Pause()
	for begun := time.Now(); p.burns && !p.restless && p.bot.Busy(); p.bot.Pause() {
		p.restless = time.Since(begun) > stopWithin
		time.Sleep(settleIn)
	}
}

func (p *player) resume() {
	if p.stopped {
		p.bot.Resume()
		p.stopped = false
	}
}

// look looks at the bots if they play.
func (s *seating) look(now time.Time) {
	if !s.mu.TryLock() {
		return // the next look is soon enough
	}
	defer s.mu.Unlock()
	if s.players[engine.South] == nil {
		return
	}
	s.place.look(s.players, now)
	if s.pause == AutomaticPause && s.begun {
		s.lookForBurning(now)
	}
}

// lookForBurning stops the bot that waits if it burns. It looks for the first time
// when a turn has lasted for watchEvery, then every second time, and less often in
// a long turn. A short turn costs nothing.
func (s *seating) lookForBurning(now time.Time) {
	p := s.players[s.turn.Other()]
	if s.looks++; s.looks < s.next || p.stopped {
		return
	}
	s.next += 2 + s.looks/4
	had, since := s.times.advance(p.bot, now)
	if since == 0 {
		s.first = now
	}
	s.used += had.Ran
	if s.used > max(mayBurn, time.Duration(mayBurnShare*float64(now.Sub(s.first)))) {
		s.burns(s.turn.Other())
		p.stop()
	}
}

// burners are the names of the bots that have burnt in a run. They rest from then
// on whenever they wait. It is safe for concurrent use; the zero value has none.
type burners struct{ names sync.Map }

func (b *burners) add(name string) { b.names.Store(name, nil) }

func (b *burners) has(name string) bool {
	_, has := b.names.Load(name)
	return has
}

// watch looks at all tables of a run until quit is closed.
func watch(tables []*seating, quit <-chan struct{}) {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		select {
		case <-quit:
			return
		case now := <-ticker.C:
			for _, s := range tables {
				s.look(now)
			}
		}
	}
}
