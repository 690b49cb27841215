package engine

import "fmt"

// Ruleset is the rules of one game, as pure functions of a position. Its
// methods may be called by many goroutines at once.
type Ruleset interface {
	// Info describes the game.
	Info() Info

	// Start returns the position that a match begins with.
	Start() Position

	// Legal appends the legal moves of the side to move and returns the
	// extended slice; sowings are in the order of its holes from its left. A
	// match that is over has none.
	Legal(p Position, moves []Move) []Move

	// Play returns the position after a legal move, and how the round ended
	// with it; the position is then the last of the round, after its sweep. It
	// knows every ending except repetition, which needs history. For a move
	// that is not legal the result means nothing.
	Play(p Position, m Move) (Position, End)

	// Sweep returns the last position of a round that ends at p because
	// positions repeat: each player took the seeds in the own row.
	Sweep(p Position) Position

	// Next returns the first position of the round after the one whose last
	// position is p; ok is false if there is none, because a player is out or
	// a match has a single round. The limit of rounds is not its concern.
	Next(p Position) (next Position, ok bool)

	// Winner returns who has won a match whose last position is p.
	Winner(p Position) Result

	// sown returns a legal sowing step by step.
	sown(p Position, m Move) sown

	// limited returns the same rules with that limit of rounds.
	limited(rounds int) Ruleset

	// layout says how the ruleset's position texts are written.
	layout() *layout
}

// Step returns the position after a legal move: on into the next round if the
// move ended one, and over if it ended the match. It is how a search plays.
func Step(r Ruleset, p Position, m Move) Position {
	after, end := r.Play(p, m)
	if end != Going {
		after = afterRound(r, after)
	}
	return after
}

// afterRound returns what follows the last position of a round: the next
// round, or the end of the match.
func afterRound(r Ruleset, last Position) Position {
	if last.Round() < r.Info().Rounds {
		if next, ok := r.Next(last); ok {
			return next
		}
	}
	return last.over()
}

// Info describes a game to people and to programs.
type Info struct {
	Name    string // as commands, configurations and the protocol write it
	Holes   int    // holes in a row
	Seeds   int    // seeds in a hole at the start, and in a full hole of a later round
	Rounds  int    // limit of rounds in a match
	Single  bool   // whether a match is always a single round
	Closed  string // what a hole is that is out of play for a round: "closed", "erased", or "" where none ever is
	Donkeys bool   // whether players owe donkeys
	Summary string // one line of what it is
	Source  string // author, title and publication of the text it comes from
}

// Total returns the number of seeds in the game.
func (i Info) Total() int { return 2 * i.Holes * i.Seeds }

// Decided reports whether a store holds more than half of all seeds in a match
// of a single round. Where rounds follow, nothing is decided so.
func (i Info) Decided(p Position) bool {
	return i.Single && max(p.Store(South), p.Store(North)) > i.Total()/2
}

// MostRounds is the highest limit of rounds that a match can have.
const MostRounds = 100

// CheckRounds reports whether a match may have that limit of rounds.
func (i Info) CheckRounds(rounds int) error {
	switch {
	case i.Single && rounds != 1:
		return fmt.Errorf("%d rounds asked for, but a match of %s is a single round", rounds, i.Name)
	case rounds < 1 || rounds > MostRounds:
		return fmt.Errorf("%d rounds asked for, 1 to %d expected", rounds, MostRounds)
	}
	return nil
}

// WithRounds returns the same rules with another limit of rounds, or the error
// of [Info.CheckRounds].
func WithRounds(r Ruleset, rounds int) (Ruleset, error) {
	if err := r.Info().CheckRounds(rounds); err != nil {
		return nil, err
	}
	return r.limited(rounds), nil
}

// End is how a round or a match ended.
type End uint8

// The ways in which a round can end, and Limit, with which a match of many
// rounds can.
const (
	Going  End = iota // it did not
	Normal            // by the ruleset's own end; a match also if a player is out after a round that ended so
	Cycle             // a position came back, or QuietLimit sowings captured nothing
	Early             // a store holds more than half of all seeds
	Limit             // the match has had its last round, however that ended, and nobody is out
)

// String returns the ending's name: "normal", "cycle", "early" or "rounds".
func (e End) String() string {
	switch e {
	case Going:
		return "going"
	case Normal:
		return "normal"
	case Cycle:
		return "cycle"
	case Early:
		return "early"
	case Limit:
		return "rounds"
	}
	return "unknown"
}

// Result is who won a match.
type Result uint8

// The results of a match.
const (
	Draw Result = iota
	SouthWins
	NorthWins
)

// String returns "draw", "south" or "north".
func (r Result) String() string {
	switch r {
	case SouthWins:
		return South.String()
	case NorthWins:
		return North.String()
	}
	return "draw"
}

// more returns the result of a match that is won by who has more.
func more(south, north int) Result {
	switch {
	case south > north:
		return SouthWins
	case north > south:
		return NorthWins
	}
	return Draw
}

// largerStore returns the result of a match that is won by the larger store.
func largerStore(p Position) Result { return more(p.Store(South), p.Store(North)) }
