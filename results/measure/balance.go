// Package measure computes the figures of games and bots that are shown beside their results.
//
//   - [Balance] measures a game by its matches: which seat is better, how long matches last and how they end.
//   - [Thinking] is how long a bot thought, by the number of the move.
//
// Its promise is that of package results: equal records give equal figures, in whatever order they came. It never
// starts a process, opens a file, reads a clock or prints.
package measure

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"strings"

	"sembra/engine"
	"sembra/results"
	"sembra/results/stats"
)

// Balance measures a game by the records of some matches: which seat is better, how long matches last, how much
// choice the bots have, and how matches end. Records may come in any order, and Balance keeps none.
//
// Matches that did not end by the rules are only counted.
type Balance struct {
	counts    Result // without Different and Estimates
	sums      map[string]sum
	open      map[int]observations // by pair: its first match, until the second comes
	pairs     int                  // pairs with at least one measured match
	different map[[16]byte]bool
}

// Setup says what was played.
type Setup struct {
	Rules        engine.Ruleset
	Bots         [2]string // names as in the records; twice the same if a bot played against itself
	Seed         uint64
	OpeningPlies int // random plies at the beginning of each match
	Total        int // number of matches that were planned
}

// OneBot reports whether a bot played against itself.
func (s Setup) OneBot() bool { return s.Bots[0] == s.Bots[1] }

// Result is the result of the measurement.
type Result struct {
	Setup
	Matches   int                    // measured
	Different int                    // measured matches with different openings or moves
	LeftOut   map[results.Ending]int // by ending: matches that are not measured, because they did not end by the rules
	Rounds    map[string]int         // by end: normal, early and, for the two kinds of cycle, repetition and quiet
	Ends      map[string]int         // matches by end: that of the last round or, at the limit of rounds, rounds
	Estimates map[string]Estimate    // by the names of figures in reports; figures without an observation are left out
}

// Estimate is the mean of a figure.
type Estimate struct {
	Mean        *float64 // nil without an observation
	Margin      *float64 // half of the 95% interval; nil with fewer than two pairs, and if all pairs are alike
	Least, Most int64    // observation; in half points for scores; 0 without one
}

// FirstScore is the figure of the side that begins a round: its score in half points, over all rounds. In a match of a
// single round it is the score of the match.
const FirstScore = "first_score"

// FirstScoreOf is [FirstScore] in the rounds of that number, from 1.
func FirstScoreOf(round int) string { return fmt.Sprintf("%s_round_%d", FirstScore, round) }

// ShortRound is the greatest number of plies of a short round.
const ShortRound = 10

// NewBalance returns a measurement without matches.
func NewBalance(setup Setup) *Balance {
	rounds := map[string]int{"normal": 0, "early": 0, "repetition": 0, "quiet": 0}
	ends := maps.Clone(rounds)
	ends["rounds"] = 0
	return &Balance{
		counts: Result{Setup: setup, LeftOut: make(map[results.Ending]int), Rounds: rounds, Ends: ends},
		sums:   make(map[string]sum), open: make(map[int]observations), different: make(map[[16]byte]bool),
	}
}

// Repeats returns the number of matches that equal an earlier one. Bots without chance repeat their matches.
// misleading says that there are so many repeats that the errors of the figures are too small.
func (b *Balance) Repeats() (matches int, misleading bool) {
	expected := b.counts.Matches
	if b.counts.OneBot() {
		expected = b.pairs // a bot without chance plays both matches of a pair alike
	}
	return b.counts.Matches - len(b.different), len(b.different) < expected
}

// Put measures the matches of some records. The error names a record that breaks the rules.
func (b *Balance) Put(records []results.Record) error {
	for _, r := range records {
		if err := b.put(r); err != nil {
			return fmt.Errorf("record of %v: %w", r.Key, err)
		}
	}
	return nil
}

// PutVoid ignores a void match.
func (b *Balance) PutVoid(results.Key, string) error { return nil }

func (b *Balance) put(r results.Record) error {
	if !r.Ending.ByRules() {
		b.counts.LeftOut[r.Ending]++
		return nil
	}
	start, err := engine.ParsePosition(b.counts.Rules, r.Opening)
	if err != nil {
		return err
	}
	match, found := results.Conditions{}.Begin(b.counts.Rules, start), make(observations)
	if err := found.replay(match, r.Moves); err != nil {
		return err
	}
	outcome, over := match.Outcome()
	if !over {
		return fmt.Errorf("the match is not over after its %d moves, but its ending is %q", len(r.Moves), r.Ending)
	}
	b.counts.Matches++
	b.different[results.MatchHash(b.counts.Rules.Info().Name, "", "", r.Opening, r.Moves)] = true // the bots do not matter
	end := ""
	for i, round := range match.Rounds() {
		end = roundEnd(round)
		b.counts.Rounds[end]++
		score := b.firstScore(i, round, outcome.Result)
		found.note(FirstScore, score)
		if !b.counts.Rules.Info().Single {
			found.note(FirstScoreOf(i+1), score)
		}
	}
	if outcome.End == engine.Limit {
		end = "rounds"
	}
	b.counts.Ends[end]++

	first := start.Side() // the seat that moves first after the opening
	if !b.counts.OneBot() {
		seat := engine.South
		if r.South != b.counts.Bots[0] {
			seat = engine.North
		}
		found.note("bot_score", wonBy(seat, outcome.Result))
	}
	after := match.Rounds()[0].Position
	found.note("first_lead", after.Store(first)-after.Store(first.Other()))
	found.note("draws", one(outcome.Result == engine.Draw))
	if !b.counts.Rules.Info().Single {
		found.note("won_by_out", one(outcome.End != engine.Limit))
	}
	found.note("rounds", len(match.Rounds()))
	found.note("match_plies", len(r.Moves))
	b.addToPair(r.Pair, found)
	return nil
}

// addToPair keeps the first match of a pair, and adds the pair to the sums with the second.
func (b *Balance) addToPair(pair int, match observations) {
	first, half := b.open[pair]
	if !half {
		b.open[pair] = match
		b.pairs++
		return
	}
	delete(b.open, pair)
	for figure, part := range first {
		match.join(figure, part)
	}
	addPair(b.sums, match)
}

// Result returns the figures of the records so far. A pair with one match, which a stopped run can leave, counts
// with that match.
func (b *Balance) Result() Result {
	r := b.counts
	r.Different, r.LeftOut = len(b.different), maps.Clone(r.LeftOut)
	r.Rounds, r.Ends, r.Estimates = maps.Clone(r.Rounds), maps.Clone(r.Ends), make(map[string]Estimate)
	sums := maps.Clone(b.sums)
	for _, half := range b.open {
		addPair(sums, half)
	}
	for figure, s := range sums {
		scale := 1.0
		if strings.HasPrefix(figure, FirstScore) || figure == "bot_score" {
			scale = 0.5 // scores are counted in half points
		}
		estimate := Estimate{Mean: new(scale * float64(s.sum) / float64(s.count)), Least: s.least, Most: s.most}
		if margin, ok := s.margin(b.pairs); ok {
			estimate.Margin = new(scale * margin)
		}
		r.Estimates[figure] = estimate
	}
	return r
}

// observations is the observations of one match or pair, by figure.
type observations map[string]observation

// observation is at least one observation of a figure.
type observation struct {
	sum, count  int64
	least, most int64
}

func (t observations) note(figure string, value int) {
	n := int64(value)
	t.join(figure, observation{sum: n, count: 1, least: n, most: n})
}

func (t observations) join(figure string, other observation) {
	if p, known := t[figure]; known {
		other = p.with(other)
	}
	t[figure] = other
}

func (p observation) with(other observation) observation {
	return observation{p.sum + other.sum, p.count + other.count, min(p.least, other.least), max(p.most, other.most)}
}

// replay plays the moves of a match, and notes the figures of its plies and rounds.
func (t observations) replay(m *results.Match, moves []string) error {
	quiet, plies := 0, 0 // of the current round: its highest quiet count, and its plies
	for i, token := range moves {
		legal := len(m.Legal())
		if err := m.Play(token, 0, nil); err != nil {
			return fmt.Errorf("move %d of %d: %w", i+1, len(moves), err)
		}
		ply := m.Plies[i]
		after, over := ply.After, len(m.Rounds()) > ply.Round
		if over {
			after = m.Rounds()[ply.Round].Position
		}
		t.note("passes", one(!ply.Asked))
		if ply.Asked {
			t.note("legal_moves", legal)
			t.note("forced", one(legal == 1))
		}
		if ply.Move.Sowing() {
			t.note("quiet_sowings", one(after.Quiet() > ply.Before.Quiet()))
		}
		plies++
		quiet = max(quiet, after.Quiet())
		if over {
			t.note("round_plies", plies)
			t.note("short_rounds", one(plies <= ShortRound))
			t.note("quiet_run", quiet)
			quiet, plies = 0, 0
		}
	}
	if len(moves) == 0 {
		return errors.New("the match has no move")
	}
	return nil
}

// roundEnd returns how a round ended. It distinguishes two kinds of cycle: a position was repeated, or many sowings
// captured nothing.
func roundEnd(round engine.Round) string {
	switch {
	case round.End == engine.Early:
		return "early"
	case round.End == engine.Cycle && round.Position.Quiet() >= engine.QuietLimit:
		return "quiet"
	case round.End == engine.Cycle:
		return "repetition"
	}
	return "normal"
}

// firstScore returns the half points of the side that begins a round, counted from 0. Where a match has many rounds, the
// side that takes more of the seeds that are on the board wins the round. (Its lead does not count: it comes from earlier
// rounds, and in buqruru it decides who begins.)
func (b *Balance) firstScore(number int, round engine.Round, result engine.Result) int {
	begins := round.Start.Side()
	if b.counts.Rules.Info().Single {
		return wonBy(begins, result)
	}
	taken := func(s engine.Seat) int {
		if number == 0 {
			return round.Position.Store(s) // an opening has taken the others
		}
		return round.Position.Store(s) - round.Start.Store(s)
	}
	return 1 + cmp.Compare(taken(begins), taken(begins.Other()))
}

// wonBy returns the half points of a seat.
func wonBy(seat engine.Seat, result engine.Result) int {
	if result == engine.Draw {
		return 1
	}
	if seat == engine.South {
		return 2 * one(result == engine.SouthWins)
	}
	return 2 * one(result == engine.NorthWins)
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// sum is a figure over all pairs. All its numbers are integers, so the order in which the pairs ended does not
// matter.
type sum struct {
	observation
	sumSquares, sumTimesCount, countSquare int64 // over the pairs
}

func addPair(sums map[string]sum, pair observations) {
	for figure, p := range pair {
		s, known := sums[figure]
		if !known {
			s.observation = p
		} else {
			s.observation = s.with(p)
		}
		s.sumSquares += p.sum * p.sum
		s.sumTimesCount += p.sum * p.count
		s.countSquare += p.count * p.count
		sums[figure] = s
	}
}

// margin returns half of the 95% interval of the mean over all pairs, also those without an observation; ok is false
// with fewer than two, and if all are alike, because they do not show an error.
//
// Let y be the sum and m the number of the observations in each of n pairs. By the normal approximation, the mean
// is p = Σy / Σm and its variance is n/(n−1) · Σ(y − pm)² / (Σm)² (W. G. Cochran, Sampling Techniques, 3rd
// edition, 1977, chapter 6: ratio estimators). If m is the same in all pairs, as in scores, this is the sample
// variance of the pairs' means, divided by n. It counts pairs and not matches, because the two matches of a pair
// have the same opening, and each bot has both seats in them.
func (s *sum) margin(pairs int) (half float64, ok bool) {
	if pairs < 2 {
		return 0, false
	}
	n, m := float64(pairs), float64(s.count)
	p := float64(s.sum) / m
	// The conversions of products keep them apart from the sum, which some machines would round in one step with them.
	squares := float64(s.sumSquares) - float64(2*p*float64(s.sumTimesCount)) + float64(p*p*float64(s.countSquare))
	if squares <= 1e-12*float64(s.sumSquares) { // what is left of pairs that are alike is rounding
		return 0, false
	}
	return stats.Z95 * math.Sqrt(n/(n-1)*squares) / m, true
}
