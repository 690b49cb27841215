package arena

import (
	"cmp"
	"time"
)

// effort is what a bot was doing when somebody had waited for it in vain.
type effort uint8

const (
	unknownEffort effort = iota
	idle                 // it used no processor time
	computing
)

// lookAt looks at a bot for a moment.
func lookAt(b Bot) effort {
	const moment = 50 * time.Millisecond
	before, known := b.CPU()
	if !known {
		return unknownEffort
	}
	busy := b.Busy()
	time.Sleep(moment)
	after, known := b.CPU()
	switch {
	case !known:
		return unknownEffort
	case busy, b.Busy(), after-before > moment/20: // a runtime may tidy up while its bot waits
		return computing
	}
	return idle
}

// String says what the bot was doing, as the end of a sentence; "" if that is not known.
func (e effort) String() string {
	switch e {
	case idle:
		return "; it used no processor time at the end: it waits for something, or its answer is in a buffer " +
			"(hint: flush standard output after every line)"
	case computing:
		return "; it was computing"
	}
	return ""
}

// instead says what the side to move did instead of answering in time.
func (r *referee) instead() string {
	return cmp.Or(missed(r.players[r.match.Position().Side()]), r.effort.String())
}
