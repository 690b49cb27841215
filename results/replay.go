package results

import (
	"fmt"

	"sembra/engine"
)

// Replay is a recorded match that was played again.
type Replay struct {
	*Match
	Record Record
}

// Replay plays a recorded match again. The ruleset must have the limit of rounds of the match. The error names the
// match and, if a ply cannot follow, its number.
func (c Conditions) Replay(rules engine.Ruleset, record Record) (Replay, error) {
	match, err := c.replay(rules, record)
	if err != nil {
		return Replay{}, fmt.Errorf("record of %v: %w", record.Key, err)
	}
	return Replay{match, record}, nil
}

func (c Conditions) replay(rules engine.Ruleset, r Record) (*Match, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	start, err := engine.ParsePosition(rules, r.Opening)
	if err != nil {
		return nil, fmt.Errorf("the opening %.200q: %w", r.Opening, err)
	}
	match := c.Begin(rules, start)
	match.Plies = make([]Ply, 0, len(r.Moves))
	for i, token := range r.Moves {
		if err := match.Play(token, r.Elapsed[i], r.score(i)); err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	rounds := len(match.Rounds())
	if !match.Match.Over() {
		rounds++
	}
	if rounds != len(r.Body.Rounds) {
		return nil, fmt.Errorf("its moves make %d rounds, it has %d", rounds, len(r.Body.Rounds))
	}
	return match, nil
}
