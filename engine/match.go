package engine

import (
	"fmt"
	"slices"
	"strings"
)

// Match is one contest from its first position to its end: the position, the
// history that repetition needs, and the rounds that were played. Only one
// goroutine at a time may use it.
type Match struct {
	rules  Ruleset
	pos    Position
	seen   []Position // the positions of this round since its last capture, without the quiet count
	legal  []Move     // the legal moves of pos, valid while fresh
	fresh  bool
	begun  Position // the first position of this round, with the rows filled
	plies  int      // the plies of this round
	rounds []Round
}

// Ply is one move of a match, with the positions before and after it as the
// match has them: if the move ended a round, the position after it is the first
// of the next round.
type Ply struct {
	Before Position
	Move   Move
	After  Position
}

// Round is how one round of a match ended.
type Round struct {
	Start    Position // its first position, with the rows filled
	Plies    int      // the moves that were played in it, including its filling
	Position Position // its last position, after the sweep; in PhaseOver even if another round followed
	End      End
}

// Outcome is how a match ended.
type Outcome struct {
	Result       Result
	South, North int // the stores
	End          End
}

// IllegalError is the error for a token that no legal move has.
type IllegalError struct {
	Token string
	Legal []string // the legal tokens, at most the first 200
	More  int      // how many more there are
}

// mostListed is the number of legal tokens that an error lists. Few positions have
// more.
const mostListed = 200

func (e *IllegalError) Error() string {
	quoted := quote(e.Token)
	if len(e.Legal) == 0 {
		return fmt.Sprintf("illegal move %s (there is no legal move)", quoted)
	}
	legal := strings.Join(e.Legal, " ")
	if e.More > 0 {
		legal += fmt.Sprintf(" and %d more", e.More)
	}
	for _, token := range e.Legal {
		if strings.EqualFold(token, e.Token) {
			return fmt.Sprintf("illegal move %s (only the case is wrong: write %s; legal: %s)", quoted, token, legal)
		}
	}
	return fmt.Sprintf("illegal move %s (legal: %s)", quoted, legal)
}

// NewMatch begins a match and its history at a position of the ruleset. The limit
// of rounds is the ruleset's.
func NewMatch(r Ruleset, start Position) *Match {
	return &Match{rules: r, pos: start, begun: start, seen: []Position{start.unquiet()}}
}

// Rules returns the ruleset.
func (m *Match) Rules() Ruleset { return m.rules }

// Position returns the current position.
func (m *Match) Position() Position { return m.pos }

// Over reports whether the match is over.
func (m *Match) Over() bool { return m.pos.Phase() == PhaseOver }

// Legal returns the legal moves, none if the match is over. The match owns the
// slice, which is valid until the next move is played.
func (m *Match) Legal() []Move {
	if !m.fresh {
		m.legal = m.rules.Legal(m.pos, m.legal[:0])
		m.fresh = true
	}
	return m.legal
}

// Find returns the legal move with that token, or an [*IllegalError].
func (m *Match) Find(token string) (Move, error) {
	side := m.pos.Side()
	var buffer [64]byte
	for _, move := range m.Legal() {
		if string(move.AppendToken(buffer[:0], side)) == token {
			return move, nil
		}
	}
	illegal := &IllegalError{Token: token, More: max(0, len(m.Legal())-mostListed)}
	for _, move := range m.Legal()[:len(m.Legal())-illegal.More] {
		illegal.Legal = append(illegal.Legal, move.Token(side))
	}
	return Move{}, illegal
}

// Play plays a legal move.
func (m *Match) Play(move Move) {
	before := m.pos
	m.plies++
	after, end := m.rules.Play(before, move)
	if before.Store(South) != after.Store(South) || before.Store(North) != after.Store(North) {
		m.seen = m.seen[:0]
	}
	if end == Going && slices.Contains(m.seen, after.unquiet()) {
		after, end = m.rules.Sweep(after), Cycle
	}
	switch {
	case end != Going:
		m.rounds = append(m.rounds, Round{Start: m.begun, Plies: m.plies, Position: after.over(), End: end})
		m.seen = m.seen[:0] // a position of this round cannot come back in the next
		after = afterRound(m.rules, after)
		m.begun, m.plies = after, 0
	case before.Phase() == PhaseFill:
		m.begun = after
	}
	m.seen = append(m.seen, after.unquiet())
	m.pos, m.fresh = after, false
}

// PlayTokens plays moves by their tokens. It stops at the first token that is not
// legal, with an error that names it and wraps an [*IllegalError].
func (m *Match) PlayTokens(tokens []string) error {
	for i, token := range tokens {
		move, err := m.Find(token)
		if err != nil {
			return fmt.Errorf("move %d of %d: %w", i+1, len(tokens), err)
		}
		m.Play(move)
	}
	return nil
}

// RoundPlies returns the number of moves played in the current round.
func (m *Match) RoundPlies() int { return m.plies }

// Rounds returns the rounds that have ended, in their order. The match owns the
// slice.
func (m *Match) Rounds() []Round { return m.rounds }

// RoundStart returns the first position of the current round. Its rows are filled,
// unless a player has yet to choose a filling.
func (m *Match) RoundStart() Position { return m.begun }

// Outcome returns how the match ended; ok is false if it is not over.
//
// A match may have begun at a position that is over, whose text does not tell how
// it ended. It ended early if seeds are left in the holes, and by the limit of
// rounds if it has many rounds and nobody is out. Otherwise Outcome reports a
// normal end.
func (m *Match) Outcome() (outcome Outcome, ok bool) {
	if !m.Over() {
		return Outcome{}, false
	}
	o := Outcome{
		Result: m.rules.Winner(m.pos),
		South:  m.pos.Store(South), North: m.pos.Store(North),
		End: Normal,
	}
	if len(m.rounds) > 0 {
		o.End = m.rounds[len(m.rounds)-1].End
	} else if m.pos.inRow(South)+m.pos.inRow(North) > 0 {
		o.End = Early
	}
	if _, nobodyOut := m.rules.Next(m.pos); nobodyOut {
		o.End = Limit
	}
	return o, true
}
