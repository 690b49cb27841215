package results

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"sembra/engine"
)

// Summary is what tables, ratings and filters know of a match.
type Summary struct {
	Key
	Result                     Result
	Ending                     Ending
	Fault                      Fault
	SouthStore, NorthStore     int           // seeds, as they stood at the end
	SouthDonkeys, NorthDonkeys int           // owed to the player, as they stood; 0 in games without
	Rounds                     int           // rounds begun
	Plies                      int           // tokens after the opening, passes too
	SouthTime, NorthTime       time.Duration // thinking time charged, in sum
	SouthCPU, NorthCPU         time.Duration // processor time that the bot's processes used from the announcement of the match to its end; negative: not known
	Hash                       [16]byte      // see MatchHash
}

// UnknownCPU is the processor time of a bot in a match where it is not known.
const UnknownCPU time.Duration = -1

// Slotted is a summary with the place of its match in the schedule.
type Slotted struct {
	Slot int // from 1
	Summary
}

// FaultName is the name of the bot at fault, "both", or "" if neither is.
func (s Summary) FaultName() string {
	switch s.Fault {
	case SouthFault:
		return s.South
	case NorthFault:
		return s.North
	case BothFault:
		return "both"
	}
	return ""
}

// Points is what the match gave to South and to North: 1 for a win, 1/2 for a draw, else 0; where
// both bots were at fault, 0 for each.
func (s Summary) Points() (south, north float64) {
	switch s.Result {
	case SouthWins:
		return 1, 0
	case NorthWins:
		return 0, 1
	case Draw:
		return 0.5, 0.5
	}
	return 0, 0
}

// Round is one play of the board inside a match.
type Round struct {
	Start    string `json:"start"`    // text of the position that it began with, the rows filled
	Plies    int    `json:"plies"`    // tokens played in it, its filling too
	Position string `json:"position"` // text of the position at its end
	Reason   string `json:"reason"`   // normal, cycle or early; the match's ending where that cut the round off
	South    int    `json:"south"`    // seeds in the stores at its end
	North    int    `json:"north"`
}

// RoundOf is what is kept of a round that ended for the given reason.
func RoundOf(rules engine.Ruleset, round engine.Round, reason string) Round {
	end := round.Position
	return Round{
		Start: engine.Text(rules, round.Start), Plies: round.Plies, Position: engine.Text(rules, end), Reason: reason,
		South: end.Store(engine.South), North: end.Store(engine.North),
	}
}

// Body is what only those need who look into a match.
type Body struct {
	Opening string          `json:"opening"` // position text that the match began with
	Moves   []string        `json:"moves"`   // all tokens after the opening
	Elapsed []time.Duration `json:"elapsed"` // one a token; 0 for a pass
	Rounds  []Round         `json:"rounds"`
	Scores  []*float64      `json:"scores,omitempty"` // what the bots said of their moves, in seeds from the mover's side, one a token; nil: nothing. Empty if neither said any
	Seeds   [2]uint64       `json:"seeds"`            // that South and North were told
}

// score is what was said of a move, counted from 0; nil: nothing.
func (b Body) score(move int) *float64 {
	if len(b.Scores) == 0 {
		return nil
	}
	return b.Scores[move]
}

// Record is all that is kept of a match.
type Record struct {
	Summary
	Body
	Evidence *Evidence // of a match that a bot lost by a fault, where there is any; kept apart
}

// SlottedRecord is a record with the place of its match in the schedule.
type SlottedRecord struct {
	Slot int // from 1
	Record
}

// VoidMatch is a match that came to nothing by a failure of the runner's own. It is played again.
type VoidMatch struct {
	Key
	Number int    // from 1, of the voids of this key
	Reason string // what failed
}

// SlottedVoid is a void match with its place in the schedule.
type SlottedVoid struct {
	Slot int
	VoidMatch
}

// Check says where a record does not agree with itself: a bad key, an unknown result, ending or
// fault, numbers that cannot be, a fault beside the wrong result, a body with more or fewer moves,
// times or rounds than the summary says. The error names the match.
func (r Record) Check() error {
	err := r.checkSummary()
	if err == nil {
		err = r.checkBody()
	}
	if err != nil {
		return fmt.Errorf("record of %v: %w", r.Key, err)
	}
	return nil
}

func (r Record) checkSummary() error {
	if err := r.Key.Check(); err != nil {
		return err
	}
	switch {
	case !r.Result.Valid():
		return fmt.Errorf("%d is no result", r.Result)
	case !r.Ending.Valid():
		return fmt.Errorf("%d is no ending", r.Ending)
	case !r.Fault.Valid():
		return fmt.Errorf("%d is no fault", r.Fault)
	case r.SouthStore < 0 || r.NorthStore < 0:
		return fmt.Errorf("a store is negative (%d-%d)", r.SouthStore, r.NorthStore)
	case r.SouthDonkeys < 0 || r.NorthDonkeys < 0:
		return fmt.Errorf("a number of donkeys is negative (%d-%d)", r.SouthDonkeys, r.NorthDonkeys)
	case r.SouthTime < 0 || r.NorthTime < 0:
		return fmt.Errorf("a time is negative (%v and %v)", r.SouthTime, r.NorthTime)
	}
	return r.checkFault()
}

// checkFault sees that a bot at fault has lost, and that there is one where the ending says so.
func (r Record) checkFault() error {
	result := r.Result
	switch {
	case r.Fault == SouthFault && result != NorthWins,
		r.Fault == NorthFault && result != SouthWins,
		(r.Fault == BothFault) != (result == Void):
		return fmt.Errorf("result %q does not go with fault %q", result, r.FaultName())
	case r.Ending.blames() && r.Fault == NoFault:
		return fmt.Errorf("ending %q without a bot at fault", r.Ending)
	case !r.Ending.blames() && r.Ending != EndResign && r.Fault != NoFault:
		return fmt.Errorf("ending %q with fault %q", r.Ending, r.FaultName())
	}
	return nil
}

func (r Record) checkBody() error {
	rounds := r.Body.Rounds
	switch {
	case len(r.Moves) != r.Plies:
		return fmt.Errorf("%d moves but %d plies", len(r.Moves), r.Plies)
	case len(r.Elapsed) != r.Plies:
		return fmt.Errorf("%d times but %d plies", len(r.Elapsed), r.Plies)
	case len(r.Scores) != 0 && len(r.Scores) != r.Plies:
		return fmt.Errorf("%d scores but %d plies", len(r.Scores), r.Plies)
	case len(rounds) != r.Summary.Rounds:
		return fmt.Errorf("%d rounds in the body but %d in the summary", len(rounds), r.Summary.Rounds)
	case !utf8.ValidString(r.Opening):
		return errors.New("the opening is not text")
	}
	for i, move := range r.Moves {
		if move == "" || !utf8.ValidString(move) {
			return fmt.Errorf("move %d is %q", i+1, move)
		}
		if r.Elapsed[i] < 0 {
			return fmt.Errorf("move %d took %v", i+1, r.Elapsed[i])
		}
	}
	for i, round := range rounds {
		if !utf8.ValidString(round.Start) || !utf8.ValidString(round.Position) || !utf8.ValidString(round.Reason) {
			return fmt.Errorf("round %d has a position or a reason that is not text", i+1)
		}
	}
	return nil
}

// MatchHash is the same for equal matches and for no others: equal ruleset, bots, seats, opening and
// moves. It is SHA-256 (FIPS 180-4) cut to its first 16 bytes, over these fields in this order, each
// led by its length in eight bytes, big end first.
func MatchHash(ruleset, south, north, opening string, moves []string) [16]byte {
	hash := sha256.New()
	field := func(text string) {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(text)))
		hash.Write(length[:])
		_, _ = io.WriteString(hash, text) // a hash takes everything
	}
	for _, text := range []string{ruleset, south, north, opening} {
		field(text)
	}
	for _, move := range moves {
		field(move)
	}
	return [16]byte(hash.Sum(nil))
}
