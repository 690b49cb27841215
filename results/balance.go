package results

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"

	"sembra/engine"
	"sembra/results/stats"
)

// Balance measures a game by the records of some matches: which seat is better, how long matches last, how much
// choice the bots have, and how matches end. Records may come in any order, and Balance keeps none.
//
// Matches that did not end by the rules are only counted.
type Balance struct {
	counts    BalanceResult // without Different and Estimates
	sums      [Figures]sum
	open      map[int]*tally // by pair: its first match, until the second comes
	pairs     int            // pairs with at least one measured match
	different map[[16]byte]bool
}

// BalanceSetup says what was played.
type BalanceSetup struct {
	Rules        engine.Ruleset
	Bots         [2]string // names as in the records; twice the same if a bot played against itself
	Seed         uint64
	OpeningPlies int // random plies at the beginning of each match
	Total        int // number of matches that were planned
}

// OneBot reports whether a bot played against itself.
func (s BalanceSetup) OneBot() bool { return s.Bots[0] == s.Bots[1] }

// NewBalance returns a measurement without matches.
func NewBalance(setup BalanceSetup) *Balance {
	return &Balance{
		counts: BalanceResult{BalanceSetup: setup, LeftOut: make(map[Ending]int)},
		open:   make(map[int]*tally), different: make(map[[16]byte]bool),
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
func (b *Balance) Put(records []Record) error {
	for _, r := range records {
		if err := b.put(r); err != nil {
			return fmt.Errorf("record of %v: %w", r.Key, err)
		}
	}
	return nil
}

// PutVoid ignores a void match.
func (b *Balance) PutVoid(Key, string) error { return nil }

func (b *Balance) put(r Record) error {
	if !r.Ending.byRules() {
		b.counts.LeftOut[r.Ending]++
		return nil
	}
	p, err := b.replay(r)
	if err != nil {
		return err
	}
	b.counts.Matches++
	b.different[MatchHash(b.counts.Rules.Info().Name, "", "", r.Opening, r.Moves)] = true // the bots do not matter
	for kind, n := range p.rounds {
		b.counts.Rounds[kind] += n
	}
	b.counts.Ends[p.end]++
	b.addToPair(r.Pair, &p.tally)
	return nil
}

// addToPair keeps the first match of a pair, and adds the pair to the sums with the second.
func (b *Balance) addToPair(pair int, match *tally) {
	first, half := b.open[pair]
	if !half {
		b.open[pair] = match
		b.pairs++
		return
	}
	delete(b.open, pair)
	for f := range match {
		match[f].join(first[f])
		b.sums[f].add(match[f])
	}
}

// Figure is a measure of a game.
type Figure int

// The figures, each with one observation of it.
const (
	FirstScore   Figure = iota // points of the seat that moves first in a match
	BotScore                   // points of the first of two bots in a match
	FirstLead                  // lead of the seat that moves first after the first round, in seeds
	Draws                      // 1 for a drawn match, otherwise 0
	WonByOut                   // 1 for a match of several rounds that ended because a player was out, otherwise 0
	RoundsPlayed               // rounds of a match
	MatchPlies                 // plies of a match
	RoundPlies                 // plies of a round
	ShortRounds                // 1 for a round of at most ShortRound plies, otherwise 0
	LegalMoves                 // legal moves of a position in which a bot is asked
	Forced                     // 1 for such a position with one legal move, otherwise 0
	Passes                     // 1 for a pass, 0 for another ply
	QuietSowings               // 1 for a sowing that captures nothing, otherwise 0
	QuietRun                   // the highest quiet count of a round
	Figures                    // number of figures
)

// ShortRound is the greatest number of plies of a short round.
const ShortRound = 10

// EndKind is how a round or a match ended. It distinguishes two kinds of cycle.
type EndKind int

// The ends.
const (
	NormalEnd     EndKind = iota
	EarlyEnd              // a store holds more than half
	RepetitionEnd         // a cycle: a position was repeated
	QuietEnd              // a cycle: engine.QuietLimit sowings captured nothing
	LimitEnd              // of a match: the limit of rounds, and no player is out
	EndKinds              // number of ends
)

// String returns the name of the kind in reports.
func (k EndKind) String() string {
	return [EndKinds]string{"normal", "early", "repetition", "quiet", "rounds"}[k]
}

// BalanceResult is the result of the measurement.
type BalanceResult struct {
	BalanceSetup
	Matches   int            // measured
	Different int            // measured matches with different openings or moves
	LeftOut   map[Ending]int // by ending: matches that are not measured, because they did not end by the rules
	Rounds    [EndKinds]int  // by end
	Ends      [EndKinds]int  // matches by end
	Estimates [Figures]Estimate
}

// Estimate is the mean of a figure.
type Estimate struct {
	Mean        *float64 // nil without an observation
	Margin      *float64 // half of the 95 % interval; nil with fewer than two pairs, and if all pairs are alike
	Least, Most int64    // observation; in half points for scores; 0 without one
}

// Result returns the figures of the records so far. A pair with one match, which a stopped run can leave, counts
// with that match.
func (b *Balance) Result() BalanceResult {
	r := b.counts
	r.Different, r.LeftOut = len(b.different), maps.Clone(r.LeftOut)
	sums := b.sums
	for _, half := range b.open {
		for f := range half {
			sums[f].add(half[f])
		}
	}
	for f, s := range sums {
		scale := 1.0
		if Figure(f) == FirstScore || Figure(f) == BotScore {
			scale = 0.5 // scores are counted in half points
		}
		r.Estimates[f] = Estimate{Least: s.least, Most: s.most}
		if mean, ok := s.mean(); ok {
			r.Estimates[f].Mean = new(scale * mean)
		}
		if margin, ok := s.margin(); ok {
			r.Estimates[f].Margin = new(scale * margin)
		}
	}
	return r
}

// tally is the observations of one match or pair, by figure.
type tally [Figures]part

// part is some observations of a figure.
type part struct {
	sum, count  int64
	least, most int64 // observation, if there is one
}

// note adds an observation.
func (p *part) note(value int) {
	n := int64(value)
	p.join(part{sum: n, count: 1, least: n, most: n})
}

func (p *part) join(other part) {
	switch {
	case other.count == 0:
		return
	case p.count == 0:
		*p = other
		return
	}
	p.sum += other.sum
	p.count += other.count
	p.least, p.most = min(p.least, other.least), max(p.most, other.most)
}

// replayed is what a replay of a match shows.
type replayed struct {
	tally  tally
	rounds [EndKinds]int
	end    EndKind
}

// replay plays a match again and notes every figure.
func (b *Balance) replay(r Record) (*replayed, error) {
	start, err := engine.ParsePosition(b.counts.Rules, r.Opening)
	if err != nil {
		return nil, err
	}
	p := new(replayed)
	m := engine.NewMatch(b.counts.Rules, start)
	var now roundSoFar
	for i, token := range r.Moves {
		move, err := m.Find(token)
		if err != nil {
			return nil, fmt.Errorf("move %d of %d: %w", i+1, len(r.Moves), err)
		}
		before, legal, ended := m.Position(), len(m.Legal()), len(m.Rounds())
		m.Play(move)
		after := m.Position()
		over := len(m.Rounds()) > ended
		if over {
			after = m.Rounds()[ended].Position
		}
		now.plies++
		p.tally[Passes].note(one(move.Pass()))
		if !move.Pass() { // passes are played without a bot
			p.tally[LegalMoves].note(legal)
			p.tally[Forced].note(one(legal == 1))
		}
		now.quiet = max(now.quiet, after.Quiet())
		if move.Sowing() {
			p.tally[QuietSowings].note(one(after.Quiet() > before.Quiet()))
		}
		if over {
			p.noteRound(m.Rounds()[ended], now)
			now = roundSoFar{}
		}
	}
	outcome, over := m.Outcome()
	switch {
	case len(r.Moves) == 0:
		return nil, errors.New("the match has no move")
	case !over:
		return nil, fmt.Errorf("the match is not over after its %d moves, but its ending is %q", len(r.Moves), r.Ending)
	}
	p.noteMatch(b.counts.BalanceSetup, r, start.Side(), m.Rounds(), outcome)
	return p, nil
}

// roundSoFar is the current round of the replay.
type roundSoFar struct {
	plies int
	quiet int // its highest quiet count
}

func (p *replayed) noteRound(round engine.Round, now roundSoFar) {
	p.rounds[roundEnd(round)]++
	p.tally[RoundPlies].note(now.plies)
	p.tally[ShortRounds].note(one(now.plies <= ShortRound))
	p.tally[QuietRun].note(now.quiet)
}

// noteMatch notes the figures of the whole match. first is the seat that moves first after the opening.
func (p *replayed) noteMatch(
	setup BalanceSetup, r Record, first engine.Seat, rounds []engine.Round, outcome engine.Outcome,
) {
	p.end = roundEnd(rounds[len(rounds)-1])
	if outcome.End == engine.Limit {
		p.end = LimitEnd
	}
	p.tally[FirstScore].note(wonBy(first, outcome.Result))
	if !setup.OneBot() {
		seat := engine.South
		if r.South != setup.Bots[0] {
			seat = engine.North
		}
		p.tally[BotScore].note(wonBy(seat, outcome.Result))
	}
	after := rounds[0].Position
	p.tally[FirstLead].note(after.Store(first) - after.Store(first.Other()))
	p.tally[Draws].note(one(outcome.Result == engine.Draw))
	if !setup.Rules.Info().Single {
		p.tally[WonByOut].note(one(p.end != LimitEnd))
	}
	p.tally[RoundsPlayed].note(len(rounds))
	p.tally[MatchPlies].note(len(r.Moves))
}

// roundEnd returns how a round ended.
func roundEnd(round engine.Round) EndKind {
	switch {
	case round.End == engine.Early:
		return EarlyEnd
	case round.End == engine.Cycle && round.Position.Quiet() >= engine.QuietLimit:
		return QuietEnd
	case round.End == engine.Cycle:
		return RepetitionEnd
	}
	return NormalEnd
}

// wonBy returns the half points of a seat.
func wonBy(seat engine.Seat, result engine.Result) int {
	if result == engine.Draw {
		return 1
	}
	return 2 * one((seat == engine.South) == (result == engine.SouthWins))
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
	part
	pairs                                  int64
	sumSquares, sumTimesCount, countSquare int64 // over the pairs
}

// add adds a pair.
func (s *sum) add(pair part) {
	s.join(pair)
	s.pairs++
	s.sumSquares += pair.sum * pair.sum
	s.sumTimesCount += pair.sum * pair.count
	s.countSquare += pair.count * pair.count
}

// mean returns the mean of the observations; ok is false if there is none.
func (s *sum) mean() (mean float64, ok bool) {
	return float64(s.part.sum) / float64(s.count), s.count > 0
}

// margin returns half of the 95 % interval of the mean; ok is false with fewer than two pairs, and if all pairs are
// alike, because they do not show an error.
//
// Let y be the sum and m the number of the observations in each of n pairs. By the normal approximation, the mean
// is p = Σy / Σm and its variance is n/(n−1) · Σ(y − pm)² / (Σm)² (W. G. Cochran, Sampling Techniques, 3rd
// edition, 1977, chapter 6: ratio estimators). If m is the same in all pairs, as in scores, this is the sample
// variance of the pairs' means, divided by n. It counts pairs and not matches, because the two matches of a pair
// have the same opening, and each bot has both seats in them.
func (s *sum) margin() (half float64, ok bool) {
	if s.pairs < 2 || s.count == 0 {
		return 0, false
	}
	// With integers, pairs that are alike give exactly 0. Σ(y − pm)² is squares / (Σm)².
	squares := product(s.count, s.count, s.sumSquares)
	squares.Sub(squares, product(2, s.part.sum, s.count, s.sumTimesCount))
	squares.Add(squares, product(s.part.sum, s.part.sum, s.countSquare))
	if squares.Sign() == 0 {
		return 0, false
	}
	spread, _ := new(big.Float).SetInt(squares).Float64()
	n, m := float64(s.pairs), float64(s.count)
	return stats.Z95 * math.Sqrt(n/(n-1)*spread) / (m * m), true
}

func product(factors ...int64) *big.Int {
	all := big.NewInt(1)
	for _, f := range factors {
		all.Mul(all, big.NewInt(f))
	}
	return all
}
