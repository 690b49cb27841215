package notation

import (
	"fmt"
	"time"

	"sembra/engine"
	"sembra/results"
)

// Referee referees claims by the rules. Only one goroutine at a time may use it.
type Referee struct {
	tables map[terms]*table
}

// terms are what a match is played by.
type terms struct {
	ruleset string
	rounds  int // limit; 0: that of the ruleset
}

// table referees the matches of the same terms.
type table struct {
	rules engine.Ruleset
	judge *results.Judge
}

// NewReferee returns a referee.
func NewReferee() *Referee { return &Referee{tables: make(map[terms]*table)} }

// Check plays the moves of a claim and returns the game with all that the file leaves out: the opening, the numbers of
// rounds, stores, donkeys and plies, the ending by the rules, the hash, and the charged times as the sums of the times
// of the moves. Only an unknown pair stays 0.
//
// The problems are the mistakes in the file: an unknown ruleset, an illegal move, a result, an ending or stores that
// do not follow from the moves, and so on, as [results.Judge.Referee] finds them. A claimed fault, adjudication or
// resignation is taken for true if it fits the moves. If there are problems, the game is not complete.
func (f *Referee) Check(c Claim) (Game, []*Error) {
	table, err := f.table(terms{c.Ruleset, c.Rounds})
	if err != nil {
		return c.Game, []*Error{c.problem(c.Line, "%v", err)}
	}
	match, spent, problem := c.play(table.rules)
	if problem != nil {
		return c.Game, []*Error{problem}
	}
	game := c.complete(match, spent)
	if game.Record.Ending == 0 {
		return game, []*Error{c.problem(c.lineOf(len(c.Record.Moves)-1),
			"the rules do not end the match after its last move, so the record needs an ending, such as resign")}
	}
	record := game.Record
	if record.Pair == 0 {
		record.Pair = 1
	}
	var problems []*Error
	for _, what := range table.judge.Referee(record) {
		problems = append(problems, c.problem(c.Line, "%s", what))
	}
	return game, problems
}

// table returns the table for some terms.
func (f *Referee) table(at terms) (*table, error) {
	if known := f.tables[at]; known != nil {
		return known, nil
	}
	rules, err := engine.Lookup(at.ruleset)
	if err == nil && at.rounds != 0 {
		rules, err = engine.WithRounds(rules, at.rounds)
	}
	if err != nil {
		return nil, err
	}
	judge, _ := results.NewJudge(results.Tournament{ // it has no plan in which the judge could find a problem
		Ruleset: at.ruleset, Rounds: rules.Info().Rounds,
	})
	f.tables[at] = &table{rules, judge}
	return f.tables[at], nil
}

// play plays the moves of the claim. It returns the sums of their times, for South and for North.
func (c *Claim) play(rules engine.Ruleset) (match *engine.Match, spent [2]time.Duration, problem *Error) {
	start := rules.Start()
	if c.Record.Opening != "" {
		var err error
		if start, err = engine.ParsePosition(rules, c.Record.Opening); err != nil {
			return nil, spent, c.problem(c.Line, "the opening %q: %v", clip(c.Record.Opening), err)
		}
	}
	match = engine.NewMatch(rules, start)
	for i, token := range c.Record.Moves {
		if match.Over() {
			return nil, spent, c.problem(c.lineOf(i), "move %d %q comes after the end of the match", i+1, clip(token))
		}
		move, err := match.Find(token)
		if err != nil {
			return nil, spent, c.problem(c.lineOf(i), "move %d: %v", i+1, err)
		}
		side := match.Position().Side()
		if spent[side] += c.Record.Elapsed[i]; spent[side] < 0 {
			return nil, spent, c.problem(c.lineOf(i), "move %d: the times of %s add up to more than 290 years", i+1, side)
		}
		match.Play(move)
	}
	return match, spent, nil
}

// complete returns the game of the claim with what follows from its moves, where the file does not tell it.
func (c *Claim) complete(match *engine.Match, spent [2]time.Duration) Game {
	game, rules, pos := c.Game, match.Rules(), match.Position()
	r := &game.Record
	game.Rounds = rules.Info().Rounds
	if r.Opening == "" {
		r.Opening = engine.Text(rules, rules.Start())
	}
	if o, over := match.Outcome(); over && r.Ending == 0 {
		r.Ending = results.EndingOf(o.End)
	}
	if !c.gives.stores {
		r.SouthStore, r.NorthStore = pos.Store(engine.South), pos.Store(engine.North)
	}
	if !c.gives.donkeys {
		r.SouthDonkeys, r.NorthDonkeys = pos.Donkeys(engine.South), pos.Donkeys(engine.North)
	}
	if !c.gives.plies {
		r.Plies = len(r.Moves)
	}
	if !c.gives.rounds {
		r.Body.Rounds = results.RoundsOf(match, r.Ending)
		r.Summary.Rounds = len(r.Body.Rounds)
	}
	if !c.gives.southTime {
		r.SouthTime = spent[engine.South]
	}
	if !c.gives.northTime {
		r.NorthTime = spent[engine.North]
	}
	r.Hash = results.MatchHash(game.Ruleset, r.South, r.North, r.Opening, r.Moves)
	return game
}

// problem returns what is wrong with the match, at a line of its file.
func (c *Claim) problem(line int, format string, args ...any) *Error {
	key := c.Record.Key
	match := clip(key.South) + " - " + clip(key.North)
	if key.Pair > 0 {
		match += fmt.Sprintf(", pair %d", key.Pair)
	}
	return &Error{Name: c.Name, Line: line, What: results.VisibleAll(match + ": " + fmt.Sprintf(format, args...))}
}
