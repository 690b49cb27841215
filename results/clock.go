package results

import (
	"time"

	"sembra/engine"
)

// Clocked reports whether there is a clock.
func (c TimeControl) Clocked() bool { return c.Move > 0 || c.Base > 0 }

// Clock is the time of one match.
type Clock struct {
	TimeControl
	Left   [2]time.Duration // of the base time, by seat; 0 without one
	margin [2]time.Duration // what is left of it, by seat: with a base time it is for the whole match
}

// Clock returns the clock at the beginning of a match.
func (c TimeControl) Clock() Clock {
	return Clock{c, [2]time.Duration{c.Base, c.Base}, [2]time.Duration{c.Margin, c.Margin}}
}

// Allowed returns how long the next answer of a bot may take, the margin included; ok is false if that is not known.
func (c *Clock) Allowed(s engine.Seat) (most time.Duration, ok bool) {
	switch {
	case c.Move > 0:
		return c.Move + c.Margin, true
	case c.Base > 0:
		return c.Left[s] + c.margin[s], true
	}
	return c.Watchdog, c.Watchdog > 0
}

// Played takes the time of a move, which may use up the clock and then the margin, and adds the increment if the turn
// is over. Were the margin free on each move, a bot could play on nothing else.
func (c *Clock) Played(s engine.Seat, elapsed time.Duration, turnOver bool) {
	c.margin[s] = max(0, c.margin[s]-max(0, elapsed-c.Left[s]))
	c.Left[s] = max(0, c.Left[s]-elapsed)
	if turnOver {
		c.Left[s] += c.Increment
	}
}
