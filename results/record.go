package results

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"sembra/engine"
)

// maxName is the longest name of a bot or a tournament, in bytes.
const maxName = 255

// Key names one match of a tournament: which bot has which seat, and the number of their pair. It depends on
// nothing else in the schedule, so an added bot changes no key.
type Key struct {
	South string `json:"south"` // name of the bot
	North string `json:"north"`
	Pair  int    `json:"pair"` // from 1
}

// String names the match in messages: "greedy - random, pair 3".
func (k Key) String() string { return fmt.Sprintf("%s - %s, pair %d", k.South, k.North, k.Pair) }

// Check returns what is wrong with the key: a bad name, a bot that meets itself, or a pair out of range.
func (k Key) Check() error {
	for _, name := range []string{k.South, k.North} {
		if err := checkName("bot", name); err != nil {
			return err
		}
	}
	if k.South == k.North {
		return fmt.Errorf("bot %q cannot play against itself", k.South)
	}
	if k.Pair < 1 || int64(k.Pair) > math.MaxUint32 {
		return fmt.Errorf("pair %d is out of range (1 to %d)", k.Pair, uint32(math.MaxUint32))
	}
	return nil
}

// checkName refuses names that a key cannot hold.
func checkName(what, name string) error {
	switch {
	case name == "":
		return fmt.Errorf("the name of a %s is empty", what)
	case len(name) > maxName:
		return fmt.Errorf("the name of a %s has %d bytes (at most %d)", what, len(name), maxName)
	case strings.ContainsRune(name, 0) || !utf8.ValidString(name):
		return fmt.Errorf("the name %q of a %s contains NUL or is not UTF-8", name, what)
	}
	return nil
}

// Summary is the part of a record that tables, ratings and filters need. Arrays are by seat.
type Summary struct {
	Key
	Result  Result
	Ending  Ending
	Fault   Fault
	Forfeit Forfeit          `json:"-"` // no worker decides that
	Stores  [2]int           // seeds at the end
	Donkeys [2]int           // owed to the player at the end; 0 in games without donkeys
	Rounds  int              // rounds that were begun
	Plies   int              // tokens after the opening, with passes
	Times   [2]time.Duration // sum of the charged thinking time
	CPU     [2]time.Duration // CPU time of its processes in the match; negative: not known
	Hash    [16]byte         // see MatchHash
	Worker  string           // who played it: "alpha on host"; "": the machine of the run
}

// UnknownCPU stands for a CPU time that is not known.
const UnknownCPU time.Duration = -1

// Numbered is a summary with the number of its match in the schedule.
type Numbered struct {
	Number int // from 1
	Summary
}

// FaultName returns the name of the bot at fault, "both", or "" if neither is.
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

// Points returns the points by seat: 1 for a win, 1/2 for a draw, and otherwise 0. If both bots were at fault, each
// has 0.
func (s *Summary) Points() (points [2]float64) {
	switch s.Result {
	case SouthWins:
		points[engine.South] = 1
	case NorthWins:
		points[engine.North] = 1
	case Draw:
		return [2]float64{0.5, 0.5}
	}
	return points
}

// Round is one play of the board inside a match.
type Round struct {
	Start    string `json:"start"`       // text of its first position, with the rows filled
	Plies    int    `json:"plies"`       // tokens that were played in it, with those that filled the rows
	Position string `json:"position"`    // text of its last position
	Reason   string `json:"reason"`      // normal, cycle or early; the ending of the match if that ended the round
	South    int    `json:"south_store"` // seeds at its end
	North    int    `json:"north_store"`
}

// Body is the part of a record that tables and ratings do not need.
type Body struct {
	Opening string          `json:"opening"` // text of the position that the match began with
	Moves   []string        `json:"moves"`   // all tokens after the opening
	Elapsed []time.Duration `json:"elapsed"` // the time of each token; 0 for a pass
	Rounds  []Round         `json:"rounds"`
	// Scores has the score that the bot told for each token, in seeds from the side of the mover; nil: none. It is
	// empty if no bot told any.
	Scores []*float64 `json:"scores,omitempty"`
	Seeds  [2]uint64  `json:"seeds"` // the random seeds that the bots were told, by seat

	// Files names by seat the files of each bot that a worker got, by the SHA-256 of their content in hexadecimal
	// digits; "": the machine of the run played, or the bot has no files.
	Files [2]string `json:"files,omitzero"`
}

// score returns the score that a bot told for a move, counted from 0; nil: none.
func (b Body) score(move int) *float64 {
	if len(b.Scores) == 0 {
		return nil
	}
	return b.Scores[move]
}

// Record is everything that is kept of a match. Its parts have names in JSON, because both have rounds.
type Record struct {
	Summary  `json:"summary"`
	Body     `json:"body"`
	Evidence *Evidence `json:"evidence,omitempty"` // nil if no bot lost by a fault
}

// Evidence shows a fault: it is the end of what the arena and the bots said to each other. Its size is bounded.
// What comes from a bot in it is kept byte by byte, so print it with package safe.
type Evidence struct {
	What  string `json:"what"` // a sentence that says what the bot at fault did
	South Talk   `json:"south"`
	North Talk   `json:"north"`
}

// Talk is the end of the conversation with one bot.
type Talk struct {
	Lines      []TalkLine `json:"lines"`       // the last lines, in order
	Left       int        `json:"left"`        // number of lines before those
	Stderr     []byte     `json:"stderr"`      // the end of the standard error of the bot's process
	StderrLeft int64      `json:"stderr_left"` // bytes before that

	// What says what this bot did, if both bots were at fault; otherwise it is "".
	What string `json:"what,omitempty"`
}

// TalkLine is one line on the wire.
type TalkLine struct {
	At      time.Duration `json:"at"`   // since the table began the match, before it called its bots
	FromBot bool          `json:"said"` // the bot wrote the line; false: the arena did
	Text    []byte        `json:"text"` // the line without its end, or its beginning
	Cut     int           `json:"cut"`  // bytes of the line after Text

	Left int `json:"left,omitempty"` // lines that are not kept between the line before and this one
}

// VoidMatch is a match without a result, because the runner failed. It is played again.
type VoidMatch struct {
	Number int // in the schedule, from 1; 0: not known
	Key
	Attempt int    // from 1, among the void matches of this key
	Reason  string // what failed
}

// Check returns the first contradiction in a record: a bad key, an unknown result, ending or fault, a negative
// number, a fault beside the wrong result, or a body whose moves, times or rounds do not match the summary. The
// error names the match.
func (r Record) Check() error {
	if err := r.check(); err != nil {
		return fmt.Errorf("record of %v: %w", r.Key, err)
	}
	return nil
}

func (r Record) check() error {
	if err := r.checkSummary(); err != nil {
		return err
	}
	return r.checkBody()
}

func (r Record) checkSummary() error {
	if err := r.Key.Check(); err != nil {
		return err
	}
	switch {
	case !r.Result.Valid() || !r.Ending.Valid() || !r.Fault.Valid():
		return fmt.Errorf("unknown result, ending or fault (%d, %d, %d)", r.Result, r.Ending, r.Fault)
	case min(r.Stores[0], r.Stores[1], r.Donkeys[0], r.Donkeys[1]) < 0:
		return fmt.Errorf("a number of seeds or donkeys is negative (stores %d-%d, donkeys %d-%d)",
			r.Stores[0], r.Stores[1], r.Donkeys[0], r.Donkeys[1])
	case min(r.Times[0], r.Times[1]) < 0:
		return fmt.Errorf("a time is negative (%v and %v)", r.Times[0], r.Times[1])
	}
	return r.checkFault()
}

// checkFault checks that a bot at fault has lost, and that the ending and the forfeit agree with the fault.
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
	case r.Forfeit != 0 && (r.Ending != EndStart || r.Plies > 0 || r.Forfeit.beyond(r.Fault)):
		return fmt.Errorf("ending %q after %d plies with fault %q in a match that nobody played (%d)",
			r.Ending, r.Plies, r.FaultName(), r.Forfeit)
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
	}
	for i, move := range r.Moves {
		if move == "" || r.Elapsed[i] < 0 {
			return fmt.Errorf("move %d is %q and took %v", i+1, move, r.Elapsed[i])
		}
	}
	return nil
}

// MatchHash returns a hash that identifies a match by its ruleset, bots, seats, opening and moves. It is the
// first 16 bytes of SHA-256 (FIPS 180-4) over these fields in this order. Before each field comes its length in
// eight bytes, big-endian.
func MatchHash(ruleset, south, north, opening string, moves []string) [16]byte {
	fields := make([]byte, 0, 2048) // one hash of all is faster than a write for each
	for _, texts := range [][]string{{ruleset, south, north, opening}, moves} {
		for _, text := range texts {
			fields = binary.BigEndian.AppendUint64(fields, uint64(len(text)))
			fields = append(fields, text...)
		}
	}
	sum := sha256.Sum256(fields)
	return [16]byte(sum[:])
}
