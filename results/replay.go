package results

import (
	"fmt"
	"slices"
	"time"

	"sembra/engine"
)

// Replay is a recorded match with all its positions.
type Replay struct {
	Rules  engine.Ruleset
	Record Record
	Start  engine.Position // the first position of the match
	Plies  []ReplayPly     // one for each token

	match *engine.Match // after the last ply
}

// ReplayPly is one ply of a match, with what its record says about it.
type ReplayPly struct {
	engine.Ply
	Token   string
	Elapsed time.Duration    // 0 for a pass
	Score   *float64         // the score that the bot told, in seeds from the mover's side; nil: none
	Spent   [2]time.Duration // thinking time of South and of North so far
	Round   int              // its index in the rounds of the record
}

// NewReplay plays a match again. The ruleset must have the limit of rounds of the match. The error names the match
// and, if a token is not legal, the token and its number.
func NewReplay(rules engine.Ruleset, record Record) (Replay, error) {
	if err := record.Check(); err != nil {
		return Replay{}, err
	}
	replay, err := BeginReplay(rules, record)
	if err == nil {
		err = replay.play()
	}
	if err != nil {
		return Replay{}, fmt.Errorf("record of %v: %w", record.Key, err)
	}
	return replay, nil
}

// BeginReplay returns a match before its first ply. The record may have nothing but its key and the opening, for a
// match that is still in play; see [Replay.Add].
func BeginReplay(rules engine.Ruleset, record Record) (Replay, error) {
	start, err := engine.ParsePosition(rules, record.Body.Opening)
	if err != nil {
		return Replay{}, fmt.Errorf("its opening: %w", err)
	}
	return Replay{Rules: rules, Record: record, Start: start, match: engine.NewMatch(rules, start)}, nil
}

// play plays the moves of the record.
func (r *Replay) play() error {
	body := r.Record.Body
	for i, token := range body.Moves {
		if err := r.Add(token, body.Elapsed[i], body.score(i)); err != nil {
			return fmt.Errorf("move %d of %d: %w", i+1, len(body.Moves), err)
		}
	}
	rounds := len(r.match.Rounds())
	if !r.match.Over() {
		rounds++
	}
	if rounds != len(body.Rounds) {
		return fmt.Errorf("its moves make %d rounds, it has %d", rounds, len(body.Rounds))
	}
	return nil
}

// Add plays the next ply. If it ends a round that the record does not have yet, the record gets that round.
func (r *Replay) Add(token string, elapsed time.Duration, score *float64) error {
	move, err := r.match.Find(token)
	if err != nil {
		return err
	}
	ply := ReplayPly{Token: token, Elapsed: elapsed, Score: score, Round: len(r.match.Rounds())}
	ply.Before, ply.Move = r.match.Position(), move
	r.match.Play(move)
	ply.After = r.match.Position()
	if n := len(r.Plies); n > 0 {
		ply.Spent = r.Plies[n-1].Spent
	}
	ply.Spent[ply.Before.Side()] += elapsed
	r.Plies = append(r.Plies, ply)
	if over, kept := r.match.Rounds(), r.Record.Body.Rounds; len(over) > len(kept) {
		last := over[len(over)-1]
		r.Record.Body.Rounds = append(slices.Clip(kept), roundOf(r.Rules, last, last.End.String()))
	}
	return nil
}

// Over reports whether the rules have ended the match.
func (r *Replay) Over() bool { return r.match.Over() }
