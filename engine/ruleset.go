package engine

import (
	"fmt"
	"regexp"
	"strings"
)

// Ruleset is the rules of one game, as pure functions of a position. Many
// goroutines may call its methods concurrently.
type Ruleset interface {
	// Info describes the game.
	Info() Info

	// Start returns the position that a match begins with.
	Start() Position

	// Legal appends the legal moves of the side to move and returns the extended
	// slice. Sowings are in the order of the holes from that side's left. A match
	// that is over has no legal moves.
	Legal(p Position, moves []Move) []Move

	// Play returns the position after a legal move, and how the round ended with
	// it. If the round ended, the position is its last one, after the sweep.
	// Play knows every ending except repetition, which needs the history. For a
	// move that is not legal the result means nothing.
	Play(p Position, m Move) (Position, End)

	// Sweep returns the last position of a round that ends at p because a
	// position repeated: each player took the seeds in their own row.
	Sweep(p Position) Position

	// Next returns the first position of the round after the one whose last
	// position is p. If a player is out, or a match has a single round, there
	// is none and ok is false. Next ignores the limit of rounds.
	Next(p Position) (next Position, ok bool)

	// Winner returns the result of a match whose last position is p.
	Winner(p Position) Result

	// sown returns the steps of a legal sowing.
	sown(p Position, m Move) sown

	// shared returns what the ruleset shares with others.
	shared() *game
}

// Step returns the position after a legal move. If the move ended a round, that is
// the first position of the next round; if it ended the match, the position is
// over. A search plays with Step.
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
	Name      string // as commands, configurations and the protocol write it
	Holes     int    // holes in a row
	Seeds     int    // seeds in a hole at the start, and in a full hole of a later round
	Rounds    int    // limit of rounds in a match
	Single    bool   // whether a match is always a single round
	Full      bool   // whether a match of a single round is played out, although a store decides it
	Closed    string // what a hole is that is out of play for a round: "closed", "erased", or "" where none ever is
	Donkeys   bool   // whether players owe donkeys
	IntoStore bool   // whether a sowing also drops a seed in the mover's store
	Summary   string // one line that describes it
	Intro     string // a few sentences for people who do not know the games
	Source    string // author, title and publication of the text it comes from
}

// Total returns the number of seeds in the game.
func (i Info) Total() int { return 2 * i.Holes * i.Seeds }

// DecidedEarly reports whether a store holds more than half of all seeds, which ends
// a match of a single round. It is always false in a match that is played out, as one of
// many rounds is.
func (i Info) DecidedEarly(p Position) bool {
	return i.Single && !i.Full && p.tally.storeAbove(uint8(i.Holes*i.Seeds))
}

// MaxRounds is the highest limit of rounds that a match can have.
const MaxRounds = 100

// WithRounds returns the same rules with another limit of rounds, 1 to
// [MaxRounds]. A match that is always a single round can only have 1.
func WithRounds(r Ruleset, rounds int) (Ruleset, error) {
	info := r.Info()
	switch {
	case info.Single && rounds != 1:
		return nil, fmt.Errorf("%d rounds asked for, but a match of %s is a single round", rounds, info.Name)
	case rounds < 1 || rounds > MaxRounds:
		return nil, fmt.Errorf("%d rounds asked for; there can be 1 to %d", rounds, MaxRounds)
	}
	limited, err := Lookup(info.Name)
	if err != nil {
		return nil, err
	}
	limited.shared().info.Rounds = rounds
	return limited, nil
}

// End is how a round or a match ended. A match in which a player is out ended as its
// last round did.
type End uint8

// The ways in which a round or a match can end. Only a match can end by Limit.
const (
	Going  End = iota // it has not ended
	Normal            // by the ruleset's own end
	Cycle             // a position repeated, or QuietLimit sowings in a row captured nothing
	Early             // a store holds more than half of all seeds
	Limit             // the last round of the match has ended, in whatever way, and nobody is out
)

// String returns the ending's name: "normal", "cycle", "early" or "rounds".
func (e End) String() string { return word(e, "going", "normal", "cycle", "early", "rounds") }

// Result is who has won a match.
type Result uint8

// The results of a match.
const (
	Draw Result = iota
	SouthWins
	NorthWins
)

// String returns "draw", "south" or "north".
func (r Result) String() string { return word(r, "draw", South.String(), North.String()) }

// more returns the result of a match that the player with more wins.
func more(south, north int) Result {
	if south > north {
		return SouthWins
	}
	if north > south {
		return NorthWins
	}
	return Draw
}

// largerStore returns the result of a match that the player with the larger store
// wins.
func largerStore(p Position) Result { return more(p.Store(South), p.Store(North)) }

// RulesetNames returns the names of all rulesets, in the order in which they are shown. Of those that
// differ only in the size of the board and in switches, it has the first.
func RulesetNames() []string {
	return []string{
		"awale", "oware", "bechi", "bechi-2x3", "buqruru", "buqruru-bellin", "buqruru-ludii", "redu", "kalah",
	}
}

// newRuleset makes the ruleset of a name with its tables, or returns nil.
func newRuleset(name string) Ruleset {
	switch name {
	case "awale":
		return newAwale()
	case "oware":
		return newOware()
	case "bechi":
		return newBechi()
	case "bechi-2x3":
		return newBechi2x3()
	case "buqruru":
		return newBuqruru()
	case "buqruru-bellin":
		return newBellin()
	case "buqruru-ludii":
		return newLudii()
	case "redu":
		return newRedu()
	}
	if v, ok := kalahNamed(name); ok {
		return newKalah(v)
	}
	return nil
}

// Rulesets returns the rulesets of [RulesetNames].
func Rulesets() []Ruleset {
	var all []Ruleset
	for _, name := range RulesetNames() {
		all = append(all, newRuleset(name))
	}
	return all
}

// RulesetList returns the names of all rulesets as one text for a person, with how those of other sizes are written.
func RulesetList() string { return strings.Join(RulesetNames(), ", ") + ", kalah-HxS" }

// Lookup returns the ruleset of that name, or an [*UnknownError]. A ruleset that a second name finds
// has only the first one: kalah-6x4 is kalah, and kalah-6x4-swap is kalah-swap.
func Lookup(name string) (Ruleset, error) {
	if r := newRuleset(name); r != nil {
		return r, nil
	}
	unknown := &UnknownError{Kind: "ruleset", Name: name, Known: RulesetNames(), Listed: "known: " + RulesetList()}
	if why := whyNoKalah(name); why != "" {
		unknown.Listed = why
	}
	numbers := regexp.MustCompile(`[1-9][0-9]*`).FindAllString(name, 3)
	if len(numbers) == 2 {
		similar := "kalah-" + numbers[0] + "x" + numbers[1]
		if _, ok := kalahNamed(similar); ok {
			unknown.Known = append(unknown.Known, similar)
		}
	}
	return nil, unknown
}

// UnknownError is the error for a name that nothing has.
type UnknownError struct {
	Kind, Name string
	Known      []string // if Listed describes more, only some
	Listed     string   // says which names there are; "": the known ones
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("unknown %s %s (%s)", e.Kind, quote(e.Name), e.List())
}

// List says which names there are.
func (e *UnknownError) List() string {
	if e.Listed != "" {
		return e.Listed
	}
	return "known: " + strings.Join(e.Known, ", ")
}
