package arena

import (
	"time"

	"sembra/arena/protocol"
	"sembra/results"
)

// TimeControl limits how long the bots of a match may think. At most one of Move
// and Base is set. Without either there is no clock, only the watchdog.
type TimeControl = results.TimeControl

// limits returns what a bot is told when it is asked for a token.
func limits(c results.Clock) protocol.Limits {
	l := protocol.Limits{Move: c.Move, Depth: c.Depth, Nodes: c.Nodes}
	if c.Base > 0 {
		l.Clock, l.Left, l.Increment = true, c.Left, [2]time.Duration{c.Increment, c.Increment}
	}
	return l
}

// overrun returns the ending of a match whose bot did not answer in time.
func overrun(c results.Clock) results.Ending {
	if c.Clocked() {
		return results.EndTime
	}
	return results.EndHang
}
