package results

import (
	"fmt"
	"slices"
	"time"

	"sembra/engine"
)

// Result is who won a match. The zero value is not valid.
type Result uint8

// The results. Void means that both bots were at fault. Then each gets 0 points, and the match is not rated.
const (
	SouthWins Result = iota + 1
	NorthWins
	Draw
	Void
)

// String returns the name of r in records and tables: south, north, draw or void.
func (r Result) String() string { return nameOf(resultNames(), uint8(r), "result") }

// ParseResult reads a name as String writes it; the error lists the known ones.
func ParseResult(name string) (Result, error) {
	value, err := valueOf(resultNames(), name, "result")
	return Result(value), err
}

// Valid reports whether r is one of the results.
func (r Result) Valid() bool { return SouthWins <= r && r <= Void }

func resultNames() []string { return []string{"south", "north", "draw", "void"} }

// WinOf returns the result if a seat wins.
func WinOf(seat engine.Seat) Result {
	if seat == engine.South {
		return SouthWins
	}
	return NorthWins
}

// Ending is how a match ended. The zero value is not valid.
type Ending uint8

// The endings, each with its name on the wire, in records and in tables.
const (
	EndNormal      Ending = iota + 1 // normal: by the rules; also if a player is out of the match
	EndCycle                         // cycle: the last round ended in a cycle
	EndRounds                        // rounds: the limit of rounds was reached
	EndEarly                         // early: one side has more than half of the seeds
	EndResign                        // resign
	EndTime                          // time: the clock ran out
	EndIllegal                       // illegal: an illegal move
	EndCrash                         // crash: the process ended or closed its output
	EndHang                          // hang: no answer before the watchdog's time
	EndProtocol                      // protocol: a violation of the protocol
	EndStart                         // start: the bot did not become ready
	EndAdjudicated                   // adjudicated
)

// endOf returns how a match ended by the rules.
func endOf(outcome engine.Outcome) (Result, Ending) {
	result, ending := Draw, EndNormal
	switch outcome.Result {
	case engine.SouthWins:
		result = SouthWins
	case engine.NorthWins:
		result = NorthWins
	}
	switch outcome.End {
	case engine.Cycle:
		ending = EndCycle
	case engine.Early:
		ending = EndEarly
	case engine.Limit:
		ending = EndRounds
	}
	return result, ending
}

// String returns the name of e in records and tables.
func (e Ending) String() string { return nameOf(endingNames(), uint8(e), "ending") }

// ParseEnding reads a name as String writes it; the error lists the known ones.
func ParseEnding(name string) (Ending, error) {
	value, err := valueOf(endingNames(), name, "ending")
	return Ending(value), err
}

// Valid reports whether e is one of the endings.
func (e Ending) Valid() bool { return EndNormal <= e && e <= EndAdjudicated }

// ByRules reports whether the game itself ended the match.
func (e Ending) ByRules() bool { return EndNormal <= e && e <= EndEarly }

// blames reports whether a match ends in this way only if a bot is at fault.
func (e Ending) blames() bool { return EndTime <= e && e <= EndStart }

// endingNames returns the names of all endings.
func endingNames() []string {
	return []string{
		"normal", "cycle", "rounds", "early", "resign", "time",
		"illegal", "crash", "hang", "protocol", "start", "adjudicated",
	}
}

// Fault says which bot broke the match. The zero value means neither.
type Fault uint8

// The faults. The bot at fault loses. If both are at fault, the result is Void.
const (
	NoFault Fault = iota
	SouthFault
	NorthFault
	BothFault
)

// Valid reports whether f is one of the faults.
func (f Fault) Valid() bool { return f <= BothFault }

// Blames reports whether the bot of a seat was at fault.
func (f Fault) Blames(seat engine.Seat) bool {
	return f == BothFault || f == SouthFault && seat == engine.South || f == NorthFault && seat == engine.North
}

// Forfeit says why nobody played a match. The zero value means that its bots were called.
type Forfeit uint8

// The reasons, which can come together.
const (
	NotStarted Forfeit = 1 << iota // a bot did not start before the first match of the run
	SouthDisqualified
	NorthDisqualified
)

// Disqualified reports whether the bot of a seat forfeited the match because it was disqualified.
func (f Forfeit) Disqualified(seat engine.Seat) bool {
	if seat == engine.South {
		return f&SouthDisqualified != 0
	}
	return f&NorthDisqualified != 0
}

// beyond reports whether f has a reason that is not known, or disqualifies a bot that was not at fault.
func (f Forfeit) beyond(fault Fault) bool {
	return f > NotStarted|SouthDisqualified|NorthDisqualified ||
		f.Disqualified(engine.South) && !fault.Blames(engine.South) ||
		f.Disqualified(engine.North) && !fault.Blames(engine.North)
}

// Verdict says how a match ended.
type Verdict struct {
	Result Result
	Ending Ending
	Fault  Fault
	Last   time.Duration // the time of a last answer that ended the match and so was not a move; 0 without one
}

// Lost returns the verdict of a match that one seat lost by a resignation or by a fault.
func Lost(seat engine.Seat, ending Ending) Verdict {
	v := Verdict{Result: WinOf(seat.Other()), Ending: ending}
	if ending.blames() {
		v.Fault = SouthFault + Fault(seat)
	}
	return v
}

// nameOf returns the name of a value; values count from 1.
func nameOf(names []string, value uint8, what string) string {
	if value < 1 || int(value) > len(names) {
		return fmt.Sprintf("%s(%d)", what, value)
	}
	return names[value-1]
}

// valueOf returns the value of a name; values count from 1.
func valueOf(names []string, name, what string) (uint8, error) {
	at := slices.Index(names, name)
	if at < 0 {
		return 0, &engine.UnknownError{Kind: what, Name: name, Known: names}
	}
	return uint8(at + 1), nil
}
