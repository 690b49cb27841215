package arena

import (
	"time"

	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/results"
)

// TimeControl limits how long the bots of a match may think. At most one of Move
// and Base is set. Without either there is no clock, only the watchdog.
type TimeControl = results.TimeControl

// clock is the time of one match.
type clock struct {
	control TimeControl
	left    [2]time.Duration // of the base time, by seat
}

func newClock(c TimeControl) clock {
	return clock{control: c, left: [2]time.Duration{c.Base, c.Base}}
}

// limits returns what a bot is told when it is asked for a token.
func (c *clock) limits() protocol.Limits {
	l := protocol.Limits{Move: c.control.Move, Depth: c.control.Depth, Nodes: c.control.Nodes}
	if c.control.Base > 0 {
		l.Clock, l.Left, l.Increment = true, c.left, [2]time.Duration{c.control.Increment, c.control.Increment}
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

// charge takes the time of an answer from the seat's clock. ok is false if the
// answer exceeds the margin. An overrun within the margin only uses up the clock.
func (c *clock) charge(s engine.Seat, elapsed time.Duration) (ok bool) {
	ok = elapsed <= c.allowance(s)
	c.left[s] = max(0, c.left[s]-elapsed)
	return ok
}

// turnOver adds the increment at the end of a turn.
func (c *clock) turnOver(s engine.Seat) { c.left[s] += c.control.Increment }

// overrun returns the ending of a match whose bot did not answer in time.
func (c *clock) overrun() results.Ending {
	if c.control.Move > 0 || c.control.Base > 0 {
		return results.EndTime
	}
	return results.EndHang
}
