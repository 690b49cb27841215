package results

import (
	"fmt"
	"time"

	"sembra/engine"
)

// Replay is a recorded match with all its positions.
type Replay struct {
	Rules  engine.Ruleset
	Record Record
	Start  engine.Position // the first position of the match
	Plies  []ReplayPly     // one for each token
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
	replay := Replay{Rules: rules, Record: record}
	if err := record.Check(); err != nil {
		return Replay{}, err
	}
	if err := replay.play(); err != nil {
		return Replay{}, fmt.Errorf("record of %v: %w", record.Key, err)
	}
	return replay, nil
}

// play finds the plies.
func (r *Replay) play() (err error) {
	body := r.Record.Body
	if r.Start, err = engine.ParsePosition(r.Rules, body.Opening); err != nil {
		return fmt.Errorf("its opening: %w", err)
	}
	match := engine.NewMatch(r.Rules, r.Start)
	var spent [2]time.Duration
	for i, token := range body.Moves {
		move, err := match.Find(token)
		if err != nil {
			return fmt.Errorf("move %d of %d: %w", i+1, len(body.Moves), err)
		}
		ply := ReplayPly{Token: token, Elapsed: body.Elapsed[i], Score: body.score(i), Round: len(match.Rounds())}
		ply.Before, ply.Move = match.Position(), move
		match.Play(move)
		ply.After = match.Position()
		spent[ply.Before.Side()] += ply.Elapsed
		ply.Spent = spent
		r.Plies = append(r.Plies, ply)
	}
	rounds := len(match.Rounds())
	if !match.Over() {
		rounds++
	}
	if rounds != len(body.Rounds) {
		return fmt.Errorf("its moves make %d rounds, it has %d", rounds, len(body.Rounds))
	}
	return nil
}
