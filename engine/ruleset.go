package engine

import "fmt"

// Ruleset is the rules of one game, as pure functions of a position. Its
// methods may be called by many goroutines at once.
type Ruleset interface {
	// Info describes the game.
	Info() Info

	// Start returns the position that a match begins with.
	Start() Position

	// Legal appends the legal moves of the side to move, in the order of its
	// holes from its left, and returns the extended slice. A match that is
	// over has none.
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
	Seeds   int    // seeds in a hole at the start
	Rounds  int    // default limit of rounds in a match; 1: a single round, always
	Summary string // one line of what it is
	Source  string // author, title and publication of the text it comes from
}

// Total returns the number of seeds in the game.
func (i Info) Total() int { return 2 * i.Holes * i.Seeds }

// End is how a round ended.
type End uint8

// The ways in which a round can end.
const (
	Going  End = iota // it did not
	Normal            // by the ruleset's own end
	Cycle             // a position came back, or QuietLimit sowings captured nothing
	Early             // a store holds more than half of all seeds
)

// String returns the ending's name: "normal", "cycle" or "early".
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
	}
	return "unknown"
}

// CheckRounds reports whether a match may have that limit of rounds.
func (i Info) CheckRounds(rounds int) error {
	if i.Rounds == 1 && rounds != 1 {
		return fmt.Errorf("%d rounds asked for, but a match of %s is a single round", rounds, i.Name)
	}
	return nil
}
