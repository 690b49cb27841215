package arena

import (
	"cmp"
	"fmt"
	"sync"
	"time"
)

// effort is the processor time that a bot uses in the second half of a wait for it.
// A bot that answers earlier costs nothing but a timer.
type effort struct {
	bot   Bot
	wait  time.Duration
	timer *time.Timer // of the first look

	mu     sync.Mutex // guards what follows
	over   bool
	first  time.Time // when the first look was; zero: there was none
	before time.Duration
	lasted time.Duration // from then to the end of the wait
	used   time.Duration // meanwhile
	busy   bool          // at the end of the wait
}

// measure begins to measure the effort of a bot for which somebody waits that long.
func measure(b Bot, wait time.Duration) *effort {
	e := &effort{bot: b, wait: wait}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.timer = time.AfterFunc(wait/2, e.look)
	return e
}

// look is the first look.
func (e *effort) look() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if used, known := e.bot.CPU(); known && !e.over {
		e.first, e.before = time.Now(), used
	}
}

// end ends the wait, in vain or not. Later nobody looks at the bot, which may be gone.
func (e *effort) end(vain bool) {
	if e.timer.Stop() {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.over = true
	if !vain || e.first.IsZero() {
		return
	}
	if used, known := e.bot.CPU(); known {
		e.lasted, e.used, e.busy = time.Since(e.first), used-e.before, e.bot.Busy()
	}
}

// computes reports whether the bot was computing when the wait ended.
func (e *effort) computes() bool { return e != nil && (e.busy || e.used > e.lasted/idlePart) }

// idlePart is the part of the time that a bot may use a processor and yet only waits.
const idlePart = 20

// say says what the bot did while it did not answer; "" if that is not known.
func (e *effort) say() string {
	switch {
	case e == nil, e.lasted < e.wait/4: // a busy machine has delayed the first look
		return ""
	case e.computes():
		return fmt.Sprintf("; it was computing: in the last %s it used %s of processor time", about(e.lasted), about(e.used))
	}
	return fmt.Sprintf("; it used no processor time in the last %s: it waits for something, or its answer is in a buffer "+
		"(hint: flush standard output after every line)", about(e.lasted))
}

// instead says what the side to move did instead of answering in time.
func (r *referee) instead() string {
	return cmp.Or(missed(r.players[r.match.Position().Side()]), r.effort.say())
}
