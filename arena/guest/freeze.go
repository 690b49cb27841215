package guest

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Pause says whether a bot is frozen while it is not to move.
type Pause = string

const (
	NeverPause     Pause = "false"     // also ""
	AlwaysPause    Pause = "true"      // with all that it has started
	AutomaticPause Pause = "automatic" // only a bot that has used CPU time while it was not to move
)

// A bot that is not to move works if it uses more CPU time in one phase than it may: while its opponent thinks,
// starts or gets ready. Some time is allowed, because programs tidy up after an answer. Phases that are too short to
// judge are taken together.
const (
	mayUse      = 10 * time.Millisecond
	mayUseShare = 0.05 // of one processor, in a long phase
	longPhase   = time.Duration(float64(mayUse) / mayUseShare)
	settleIn    = time.Millisecond // about the time in which a bot goes to sleep after its answer

	readEvery  = 10 * time.Millisecond // the least time between two readings of a bot's clock
	readRarely = time.Second           // the most while it waits
)

// Freezer freezes the bots of a run that work while they are not to move: from then on, whenever they wait. It is safe
// for concurrent use.
type Freezer struct {
	pause Pause

	mu      sync.Mutex // guards the fields below
	players map[*Player]bool
	freezes map[string]*atomic.Bool // by the name of a bot: whether its processes are frozen whenever they wait
}

// waiting is what a freezer knows of one bot.
type waiting struct {
	freezes *atomic.Bool // see [Freezer]; nil: no freezer looks after the bot

	mu      sync.Mutex // guards the fields below
	waits   bool       // it is not to move
	since   time.Time  // the begin of the phase
	frozen  bool
	resists bool // it has worked while it was frozen
	found   bool // it was found to work, and no record says so yet

	starting bool // its program may not have read its first line; then it is no news that it works

	meter   meter         // its time known only if it was read in this phase, or shortly before it
	own     time.Duration // CPU time since the last reading that may belong to its own turn
	whole   time.Time     // from then on, all that it uses is used while it waits
	used    time.Duration // CPU time in this phase, and in short ones before it
	watched time.Duration // the time in which it used that

	evaded   int           // number of phases in a row in which it worked although it was frozen
	evadedBy time.Duration // CPU time that it used in the last of them
}

// meter measures what a bot uses from one reading of its clock to the next.
type meter struct {
	clock  time.Duration // the bot's CPU time, as read last
	newest int64         // its newest process then
	at     time.Time     // when
	known  bool          // whether it was read
}

// read returns the CPU time since the last reading. If it is more than enough, which is 0 for any time, that may be only
// a part of it. The clock may miss processes that have begun and ended since. So if there is a new one, read takes it
// that processes have run all the time, unless the last reading was before a time since.
func (m *meter) read(b Bot, enough time.Duration, since, now time.Time) (used time.Duration) {
	limit := time.Duration(math.MaxInt64)
	if m.known && enough > 0 {
		limit = m.clock + enough
	}
	clock, newest, known := b.Used(limit)
	newest = max(newest, m.newest)
	if known && m.known {
		if used = clock - m.clock; newest > m.newest && !m.at.Before(since) {
			used = max(used, now.Sub(m.at))
		}
	}
	*m = meter{clock, newest, now, known}
	return used
}

// NewFreezer returns a freezer without bots.
func NewFreezer(pause Pause) *Freezer {
	return &Freezer{pause: pause, players: make(map[*Player]bool), freezes: make(map[string]*atomic.Bool)}
}

// Add looks after a bot from now on.
func (f *Freezer) Add(p *Player) {
	f.mu.Lock()
	defer f.mu.Unlock()
	freezes := f.freezes[p.Entry.Name]
	if freezes == nil {
		freezes = new(atomic.Bool)
		f.freezes[p.Entry.Name] = freezes
	}
	if f.pause == AlwaysPause {
		freezes.Store(true)
	}
	f.players[p], p.freezer, p.waiting.freezes = true, f, freezes
}

// remove forgets a bot that is sent away, and lets it run, so that it can exit.
func (f *Freezer) remove(p *Player) {
	f.mu.Lock()
	delete(f.players, p)
	f.mu.Unlock()
	f.wake(p, time.Now())
}

// Turn says that one of two bots is to move now, or has to get ready. One may be nil, and so may the freezer.
func (f *Freezer) Turn(players [2]*Player, seat int) {
	if f == nil {
		return
	}
	now := time.Now()
	if p := players[1-seat]; p != nil {
		f.Rest(p, now)
	}
	if p := players[seat]; p != nil {
		f.wake(p, now)
	}
}

// Rest says that a bot is not to move from now on.
func (f *Freezer) Rest(p *Player, now time.Time) {
	if f.pause != NeverPause && f.pause != "" {
		f.rest(p, now, false)
	}
}

// rest says that a bot is not to move from now on, and freezes it if it works or must be frozen.
func (f *Freezer) rest(p *Player, now time.Time, must bool) {
	w := &p.waiting
	w.mu.Lock()
	defer w.mu.Unlock()
	must = must || w.freezes.Load()
	if !w.waits {
		w.waits, w.since = true, now
		turn := now.Sub(w.meter.at)
		if must || turn >= readEvery {
			w.meter.known, turn = false, 0
		}
		if !must && !w.meter.known {
			w.measure(p.Bot, now)
			turn = 0
		}
		w.whole, w.own = now, settleIn+turn*time.Duration(runtime.NumCPU())
	}
	if must && !w.frozen {
		w.freeze(p.Bot, w.resists || f.pause == AutomaticPause && w.freezes.Load())
	}
}

// wake says that a bot is to move, and lets it run.
func (f *Freezer) wake(p *Player, now time.Time) {
	w := &p.waiting
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.waits {
		return
	}
	w.waits = false
	inPhase := w.meter.known && !w.meter.at.Before(w.since)
	if inPhase && (!w.frozen || now.Sub(w.meter.at) >= readEvery) {
		w.measure(p.Bot, now)
	}
	if !w.frozen {
		f.judge(w)
		if w.watched >= longPhase || inPhase && now.Sub(w.whole) >= readEvery { // long enough to judge
			w.used, w.watched = 0, 0
		}
		return
	}
	if w.used > mayUse {
		w.evaded, w.evadedBy = w.evaded+1, w.used
	} else if w.watched > 0 { // long enough to judge
		w.evaded = 0
	}
	w.frozen, w.used, w.watched = false, 0, 0
	p.Bot.Resume()
}

// look looks at a bot, unless it is to move or was looked at a short while ago.
func (f *Freezer) look(p *Player, now time.Time) {
	w := &p.waiting
	w.mu.Lock()
	defer w.mu.Unlock()
	last := w.since
	if w.meter.known && w.meter.at.After(last) {
		last = w.meter.at
	}
	part := time.Duration(8) // of the phase
	if w.frozen {            // few bots let something wake them, and many may wait
		part = 2
	}
	if w.waits && now.Sub(last) >= min(max(readEvery, now.Sub(w.since)/part), readRarely) {
		f.inspect(p, now)
	}
}

// inspect measures a bot that waits, and freezes it if it works. It returns how much CPU time the bot has used since
// the last reading, without that of its own turn. The lock of what is known of the bot is held.
func (f *Freezer) inspect(p *Player, now time.Time) (used time.Duration) {
	w := &p.waiting
	used = w.measure(p.Bot, now)
	if w.frozen && used > 0 { // something has woken it
		w.resists = true
		p.Bot.Pause(true)
	} else if !w.frozen && f.judge(w) {
		w.freeze(p.Bot, true)
	}
	return used
}

// Settle looks at a bot that has waited until its opponent was ready, before the first question of a match. As long as
// it keeps a processor busy and nobody knows yet whether it works, Settle waits too, so that no bot's time runs: beside
// many threads the freezer itself has to wait for a processor, which can take longer than a move.
func (f *Freezer) Settle(p *Player) {
	const most = 10 // looks
	for range most {
		if !f.busy(p, time.Now()) {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// busy looks at a bot that waits for at least a moment. It reports whether the bot has kept a processor busy since the
// last reading and is not frozen yet.
func (f *Freezer) busy(p *Player, now time.Time) bool {
	w := &p.waiting
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.waits || w.frozen || now.Sub(w.since) < settleIn {
		return false
	}
	last := w.meter.at
	used := f.inspect(p, now)
	return !w.frozen && used > now.Sub(last)/2
}

// allowed returns the CPU time that a bot may use in a time in which it waits.
func allowed(watched time.Duration) time.Duration {
	return max(mayUse, time.Duration(mayUseShare*float64(watched)))
}

// judge reports whether a bot works while it waits, and notes that. Its lock is held.
func (f *Freezer) judge(w *waiting) bool {
	if f.pause != AutomaticPause || w.used <= allowed(w.watched) {
		return false
	}
	if !w.starting {
		w.found = true
		w.freezes.Store(true)
	}
	return true
}

// started says that the bot has read its first line.
func (w *waiting) started() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.starting = false
}

// measure reads the bot's clock. It returns how much CPU time the bot has used since the last reading, without what its
// own turn may have used.
func (w *waiting) measure(b Bot, now time.Time) (used time.Duration) {
	last, enough := w.meter, time.Duration(0)
	if !w.frozen { // of a bot that works, more is not asked
		enough = w.own + allowed(w.watched+now.Sub(last.at))
	}
	used = w.meter.read(b, enough, w.since, now)
	if w.meter.known && last.known {
		if !w.frozen {
			used = max(0, used-w.own)
		}
		if w.own > settleIn {
			w.whole = now
		}
		w.own = 0
		w.used += used
		w.watched += now.Sub(last.at)
	}
	return used
}

// freeze freezes a bot; if it works, with every thread.
func (w *waiting) freeze(b Bot, every bool) {
	b.Pause(every)
	w.frozen, w.meter.known, w.used, w.watched = true, false, 0, 0
}

// Evades returns the CPU time that a bot has used while it was frozen, if it has done so twice in a row; else 0.
func (p *Player) Evades() time.Duration {
	w := &p.waiting
	w.mu.Lock()
	defer w.mu.Unlock()
	const inARow = 2
	if w.evaded < inARow || !w.freezes.Load() {
		return 0
	}
	return w.evadedBy
}

// Works reports whether the bot was found to work while it was not to move, since Works was called last.
func (p *Player) Works() (found bool) {
	if p == nil {
		return false
	}
	p.waiting.mu.Lock()
	defer p.waiting.mu.Unlock()
	found, p.waiting.found = p.waiting.found, false
	return found
}

// Watch looks at all bots of a run until quit is closed.
func (f *Freezer) Watch(quit <-chan struct{}) {
	ticker := time.NewTicker(readEvery)
	defer ticker.Stop()
	for {
		select {
		case <-quit:
			return
		case now := <-ticker.C:
			f.mu.Lock()
			for p := range f.players {
				f.look(p, now)
			}
			f.mu.Unlock()
		}
	}
}
