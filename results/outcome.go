package results

import (
	"fmt"
	"slices"
	"strings"

	"sembra/engine"
)

// Result is who won a match. The zero value is no result and not valid.
type Result uint8

// The results. Void as the result of a record says that both bots were at fault: no result, 0 points
// for each, and the match is not rated.
const (
	SouthWins Result = iota + 1
	NorthWins
	Draw
	Void
)

// String is the name of r in records and tables: south, north, draw or void.
func (r Result) String() string { return nameOf(resultNames(), uint8(r), "result") }

// ParseResult reads a name as String writes it; the error lists the known ones.
func ParseResult(name string) (Result, error) {
	value, err := valueOf(resultNames(), name, "result")
	return Result(value), err
}

// Valid says that r is one of the results.
func (r Result) Valid() bool { return SouthWins <= r && r <= Void }

func resultNames() []string { return []string{"south", "north", "draw", "void"} }

// Ending is how a match came to its end. The zero value is no ending and not valid.
type Ending uint8

// The endings, with the names that the wire, records and tables have for them.
const (
	EndNormal      Ending = iota + 1 // normal: by the rules, also a player out of the match
	EndCycle                         // cycle: in a round that ended in a cycle
	EndRounds                        // rounds: the limit of rounds was reached
	EndEarly                         // early: one side has more than half
	EndResign                        // resign
	EndTime                          // time: the clock ran out
	EndIllegal                       // illegal: a move that is not legal
	EndCrash                         // crash: the process ended or closed its output
	EndHang                          // hang: no answer within the watchdog
	EndProtocol                      // protocol: a violation of the protocol
	EndStart                         // start: the bot never got ready
	EndAdjudicated                   // adjudicated
)

// EndingOf is the ending of a match that ended by the rules.
func EndingOf(end engine.End) Ending {
	switch end {
	case engine.Cycle:
		return EndCycle
	case engine.Early:
		return EndEarly
	case engine.Limit:
		return EndRounds
	}
	return EndNormal
}

// String is the name of e in records and tables.
func (e Ending) String() string { return nameOf(endingNames(), uint8(e), "ending") }

// ParseEnding reads a name as String writes it; the error lists the known ones.
func ParseEnding(name string) (Ending, error) {
	value, err := valueOf(endingNames(), name, "ending")
	return Ending(value), err
}

// Valid says that e is one of the endings.
func (e Ending) Valid() bool { return EndNormal <= e && e <= EndAdjudicated }

// blames says that a match never ends so without a bot at fault.
func (e Ending) blames() bool { return EndTime <= e && e <= EndStart }

func endingNames() []string {
	return []string{
		"normal", "cycle", "rounds", "early", "resign", "time",
		"illegal", "crash", "hang", "protocol", "start", "adjudicated",
	}
}

// Fault is which side broke the match. The zero value says neither.
type Fault uint8

// The faults. The bot at fault loses; where both are, the match has no result (Void).
const (
	NoFault Fault = iota
	SouthFault
	NorthFault
	BothFault
)

// Valid says that f is one of the faults.
func (f Fault) Valid() bool { return f <= BothFault }

// Blames tells whether the bot of a seat was at fault.
func (f Fault) Blames(seat engine.Seat) bool {
	return f == BothFault || f == SouthFault && seat == engine.South || f == NorthFault && seat == engine.North
}

// nameOf gives the name of a value that counts from 1.
func nameOf(names []string, value uint8, what string) string {
	if value < 1 || int(value) > len(names) {
		return fmt.Sprintf("%s(%d)", what, value)
	}
	return names[value-1]
}

// valueOf gives the value, from 1, of a name.
func valueOf(names []string, name, what string) (uint8, error) {
	at := slices.Index(names, name)
	if at < 0 {
		return 0, fmt.Errorf("unknown %s %q (known: %s)", what, name, strings.Join(names, ", "))
	}
	return uint8(at + 1), nil
}
