package results

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"sembra/engine"
)

// Conditions are what a match is played under: all that refereeing it again needs.
type Conditions struct {
	Ruleset string      `json:"ruleset"` // name
	Rounds  int         `json:"rounds"`  // round limit of a match
	Time    TimeControl `json:"time"`

	// Adjudication ends matches before the rules do; nil: none.
	Adjudication *Adjudication `json:"adjudication,omitempty"`
}

// Rules returns the ruleset with the limit of rounds.
func (c Conditions) Rules() (engine.Ruleset, error) {
	rules, err := engine.Lookup(c.Ruleset)
	if err != nil {
		return nil, err
	}
	return engine.WithRounds(rules, c.Rounds)
}

// Begin begins a match at a position of the ruleset, which has the limit of rounds.
func (c Conditions) Begin(rules engine.Ruleset, start engine.Position) *Match {
	return &Match{
		Match: engine.NewMatch(rules, start), Start: start,
		clock: c.Time.Clock(), adjudicator: c.Adjudication.Begin(),
	}
}

// Match is a match under its conditions, up to its last ply. Only one goroutine at a time may use it, but the plies do
// not change any more, so that others may read those that they have got.
type Match struct {
	*engine.Match // what the rules know of it
	Start         engine.Position
	Plies         []Ply

	clock       Clock
	adjudicator *Adjudicator // nil: the match ends by the rules alone
	adjudicated Result       // 0: the adjudication has not ended the match
}

// Ply is one ply of a match, with what its record says about it.
type Ply struct {
	engine.Ply
	Token   string
	Asked   bool             // a player was asked for it; false: it was a forced pass
	Elapsed time.Duration    // how long the player thought
	Allowed time.Duration    // how long it might have thought, the margin included; 0: not known
	Score   *float64         // the score that the bot told, in seeds from the mover's side; nil: none
	Spent   [2]time.Duration // thinking time of South and of North so far
	Left    [2]time.Duration // of their base time, after the ply; 0 without one
	Round   int              // its index in the rounds of the match
}

// MustPass reports whether the side to move has nothing but a pass, for which nobody is asked.
func (m *Match) MustPass() bool {
	legal := m.Legal()
	return len(legal) == 1 && legal[0].Pass()
}

// Clock returns the clock as it is before the next answer.
func (m *Match) Clock() Clock { return m.clock }

// Allowed returns how long the next answer may take, the margin included; ok is false if that is not known. Play does
// not enforce it, because a person has no clock.
func (m *Match) Allowed() (most time.Duration, ok bool) { return m.clock.Allowed(m.Position().Side()) }

// Late returns how an answer that takes too long ends the match.
func (m *Match) Late() Ending {
	if m.clock.Clocked() {
		return EndTime
	}
	return EndHang
}

// Play plays the next ply: the token of a move, how long the answer took, and the score that the bot told (nil: none).
// The error says why it cannot follow; it is an [*engine.IllegalError] if the token is not legal.
func (m *Match) Play(token string, took time.Duration, score *float64) error {
	if m.Over() {
		v, _ := m.Verdict()
		return fmt.Errorf("%.200q comes after the end of the match (%v)", token, v.Ending)
	}
	move, err := m.Find(token)
	if err != nil {
		return err
	}
	before, asked, spent, round := m.Position(), !m.MustPass(), m.spent(), len(m.Rounds())
	switch {
	case !asked && took != 0:
		return fmt.Errorf("a forced pass takes no time, but it took %v", took)
	case !asked && score != nil:
		return errors.New("a forced pass has no score, but it has one")
	}
	seat := before.Side()
	allowed, _ := m.Allowed()
	m.Match.Play(move)
	after := m.Position()
	spent[seat] += took
	m.clock.Played(seat, took, m.Match.Over() || after.Side() != seat)
	m.Plies = append(m.Plies, Ply{
		engine.Ply{Before: before, Move: move, After: after},
		token, asked, took, allowed, score, spent, m.clock.Left, round,
	})
	if !m.Match.Over() {
		m.adjudicated, _ = m.adjudicator.Ply(seat, asked, score, after)
	}
	return nil
}

// Over reports whether the rules or the adjudication have ended the match.
func (m *Match) Over() bool { return m.adjudicated != 0 || m.Match.Over() }

// Verdict returns how the rules or the adjudication have ended the match; over is false if they have not.
func (m *Match) Verdict() (v Verdict, over bool) {
	if m.adjudicated != 0 {
		return Verdict{Result: m.adjudicated, Ending: EndAdjudicated}, true
	}
	o, over := m.Outcome()
	if over {
		v.Result, v.Ending = endOf(o)
	}
	return v, over
}

// spent returns the thinking time of South and of North so far.
func (m *Match) spent() [2]time.Duration {
	if n := len(m.Plies); n > 0 {
		return m.Plies[n-1].Spent
	}
	return [2]time.Duration{}
}

// TimeLeft returns what the clocks of South and of North showed at the beginning of the match and after each of its
// plies. It returns nil if there is no clock that runs over a whole match.
func (m *Match) TimeLeft() (left [][2]time.Duration) {
	if m.clock.Move > 0 || m.clock.Base == 0 {
		return nil
	}
	left = append(left, m.clock.TimeControl.Clock().Left)
	for _, ply := range m.Plies {
		left = append(left, ply.Left)
	}
	return left
}

// Record returns the record of the match with all that follows from its plies and the verdict.
func (m *Match) Record(key Key, v Verdict) Record {
	rules, pos := m.Rules(), m.Position()
	r := Record{
		Summary: Summary{
			Key: key, Result: v.Result, Ending: v.Ending, Fault: v.Fault,
			Stores:  [2]int{pos.Store(engine.South), pos.Store(engine.North)},
			Donkeys: [2]int{pos.Donkeys(engine.South), pos.Donkeys(engine.North)},
			Plies:   len(m.Plies), Times: m.spent(),
		},
		Body: Body{Opening: engine.Text(rules, m.Start), Rounds: roundsOf(m.Match, v.Ending)},
	}
	r.Times[pos.Side()] += v.Last
	r.Moves, r.Elapsed = slices.Grow(r.Moves, r.Plies), slices.Grow(r.Elapsed, r.Plies)
	for i, ply := range m.Plies {
		r.Moves, r.Elapsed = append(r.Moves, ply.Token), append(r.Elapsed, ply.Elapsed)
		if ply.Score != nil {
			if r.Scores == nil {
				r.Scores = make([]*float64, r.Plies)
			}
			r.Scores[i] = ply.Score
		}
	}
	r.Summary.Rounds = len(r.Body.Rounds)
	r.Hash = MatchHash(rules.Info().Name, key.South, key.North, r.Opening, r.Moves)
	return r
}

// roundsOf returns what a record keeps of the rounds of a match. If the match is not over by the rules, its last round
// was cut off by the ending.
func roundsOf(match *engine.Match, ending Ending) []Round {
	rules := match.Rules()
	rounds := make([]Round, 0, len(match.Rounds())+1)
	for _, round := range match.Rounds() {
		rounds = append(rounds, roundOf(rules, round, round.End.String()))
	}
	if !match.Over() {
		cut := engine.Round{Start: match.RoundStart(), Plies: match.RoundPlies(), Position: match.Position()}
		rounds = append(rounds, roundOf(rules, cut, ending.String()))
	}
	return rounds
}

// roundOf returns what a record keeps of a round that ended for a reason.
func roundOf(rules engine.Ruleset, round engine.Round, reason string) Round {
	end := round.Position
	return Round{
		Start: engine.Text(rules, round.Start), Plies: round.Plies, Position: engine.Text(rules, end), Reason: reason,
		South: end.Store(engine.South), North: end.Store(engine.North),
	}
}
