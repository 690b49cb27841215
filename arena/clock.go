package arena

import (
	"time"

	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/results"
)

// TimeControl is how long the bots of a match may think. At most one of Move
// and Base is set; with neither there is no clock, only the watchdog.
type TimeControl struct {
	Move      time.Duration // for each token
	Base      time.Duration // for the whole match, together with Increment
	Increment time.Duration // added when a turn is over
	Margin    time.Duration // overrun that is forgiven before a loss on time
	Watchdog  time.Duration // the longest an answer may take where there is no clock
	Startup   time.Duration // for each wait on the way to a match: mbiok, readyok
	Depth     int           // passed on to the bots; 0: not
	Nodes     uint64        // passed on to the bots; 0: not
	Pause     bool          // the process group of the bot that waits for its turn is stopped
}

// clock is the time of one match.
type clock struct {
	control TimeControl
	left    [2]time.Duration // of the base time
}

func newClock(c TimeControl) clock {
	return clock{control: c, left: [2]time.Duration{c.Base, c.Base}}
}

// limits returns what a bot is told when it is asked for a token.
func (c *clock) limits() protocol.Limits {
	l := protocol.Limits{Move: c.control.Move, Depth: c.control.Depth, Nodes: c.control.Nodes}
	if c.control.Base > 0 {
		l.Clock = true
		l.Left = c.left
		l.Increment = [2]time.Duration{c.control.Increment, c.control.Increment}
	}
	return l
}

// allowance returns how long the next answer may take, the margin included.
func (c *clock) allowance(s engine.Seat) time.Duration {
	switch {
	case c.control.Move > 0:
		return c.control.Move + c.control.Margin
	case c.control.Base > 0:
		return c.left[s] + c.control.Margin
	}
	return c.control.Watchdog
}

// charge takes the time of an answer from the seat's clock. An overrun within
// the margin costs the rest of the time, not the match; ok is false beyond it.
func (c *clock) charge(s engine.Seat, elapsed time.Duration) (ok bool) {
	ok = elapsed <= c.allowance(s)
	if c.control.Base > 0 {
		c.left[s] = max(0, c.left[s]-elapsed)
	}
	return ok
}

// turnOver adds the increment.
func (c *clock) turnOver(s engine.Seat) {
	if c.control.Base > 0 {
		c.left[s] += c.control.Increment
	}
}

// overrun is the ending of a match whose bot did not answer in its allowance.
func (c *clock) overrun() results.Ending {
	if c.control.Move > 0 || c.control.Base > 0 {
		return results.EndTime
	}
	return results.EndHang
}
