// Package friendly holds what the terminal and the page share of a match between a person and a bot: what the person
// can choose before it, how it ended, and its record as a file. The match itself is an [arena.FriendlyMatch], and package
// show asks what the person decides in it. The package draws nothing and reads no input.
package friendly

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"time"

	"sembra/arena"
	"sembra/arena/guest"
	"sembra/bots"
	"sembra/configs"
	"sembra/engine"
	"sembra/results"
	"sembra/results/report"
)

// The defaults of a person's match.
const (
	DefaultRuleset = "awale"
	DefaultBot     = "level3"
	DefaultName    = "person"
	DefaultTime    = time.Second // for a move of the bot
)

// EitherSeat is the choice of one of the two seats at random.
const EitherSeat = "either"

// hintTime is how long the program looks for a hint.
const hintTime = time.Second

// Choices is what a person chooses for a match beside the bot, as text.
type Choices struct {
	Ruleset  string
	Seat     string // south, north or [EitherSeat]
	Rounds   string // the most rounds; "" is the limit of the ruleset
	Position string // with which the match begins; "" is the start position
	Name     string // of the person in the record
	Time     string // for a move of the bot, such as 1s
}

// Match returns the match that a person has chosen, which tells the bot a random seed. The bot may not read the hidden
// paths, which are absolute. The error is a sentence about
// the choice.
func (c Choices) Match(bot guest.Entry, isolation results.Isolation, hidden []string) (f arena.Friendly, err error) {
	f = arena.Friendly{
		Person: c.Name, Bot: bot, Opening: c.Position, Isolation: isolation, Hidden: hidden,
		Seed: uint64(rand.Int32()),
	}
	if f.Rules, err = engine.Lookup(c.Ruleset); err != nil {
		return f, err
	}
	if c.Rounds != "" {
		rounds, err := strconv.Atoi(c.Rounds)
		if err != nil {
			return f, fmt.Errorf("the number of rounds must be 1 to %d, not %q", engine.MaxRounds, c.Rounds)
		}
		if f.Rules, err = engine.WithRounds(f.Rules, rounds); err != nil {
			return f, err
		}
	}
	if c.Position != "" {
		start, err := engine.ParsePosition(f.Rules, c.Position)
		if err == nil && len(engine.NewMatch(f.Rules, start).Legal()) == 0 {
			err = errors.New("the position is decided: there is no legal move")
		}
		if err != nil {
			return f, err
		}
	}
	switch c.Seat {
	case engine.South.String():
	case engine.North.String():
		f.Seat = engine.North
	case EitherSeat:
		f.Seat = engine.Seat(rand.IntN(2))
	default:
		return f, fmt.Errorf("unknown seat %q %s", c.Seat, configs.ListKnown(c.Seat, []string{"south", "north", EitherSeat}))
	}
	if f.Move, err = time.ParseDuration(c.Time); err != nil {
		return f, fmt.Errorf("the time for a move must be a time such as 1s, not %q", c.Time)
	}
	if c.Name == bot.Name {
		return f, fmt.Errorf("you and the bot both have the name %q; choose another one for yourself", c.Name)
	}
	names := make(configs.Names)
	for _, name := range []string{bot.Name, c.Name} { // as in a tournament
		if err := names.Add(name); err != nil {
			return f, fmt.Errorf("your name: %w", err)
		}
	}
	return f, nil
}

// Hint returns the token of a move that the person may want to play. It takes a second. The error is
// [arena.ErrNotYourTurn].
func Hint(m *arena.FriendlyMatch, state arena.FriendlyState) (token string, err error) {
	if state.Turn != arena.PersonsTurn {
		return "", arena.ErrNotYourTurn
	}
	start := state.Position
	if len(state.Plies) > 0 {
		start = state.Plies[0].Before
	}
	match := engine.NewMatch(m.Rules(), start)
	for _, ply := range state.Plies {
		match.Play(ply.Move)
	}
	return bots.Advise(match, hintTime).Token(m.Seat()), nil
}

// Outcome says how a match has ended: who has won, and why it ended. There are no lines while it lasts. What a bot at
// fault did is in the state.
func Outcome(m *arena.FriendlyMatch, state arena.FriendlyState) (lines []string) {
	if state.Record == nil {
		return nil
	}
	match := report.Match{Tournament: m.Tournament(), Number: 1, Matches: 1, Record: *state.Record}
	lines = []string{match.Outcome() + "."}
	if replay, err := m.Tournament().Replay(m.Rules(), *state.Record); err == nil {
		if why := match.Explain(replay); why != "" {
			lines = append(lines, why)
		}
	}
	return lines
}

// ErrNoRecord says that a match continues, and so has no record yet.
var ErrNoRecord = errors.New("the match has no record before it has ended")

// WriteRecord writes a match that has ended as a JSON line. The error is [ErrNoRecord] or that of w.
func WriteRecord(w io.Writer, m *arena.FriendlyMatch, state arena.FriendlyState) error {
	if state.Record == nil {
		return ErrNoRecord
	}
	return report.Match{Tournament: m.Tournament(), Number: 1, Record: *state.Record}.WriteJSON(w)
}
