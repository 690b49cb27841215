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

// Balance measures a game by matches that are played for nothing else: who has the better seat, how
// long it lasts, what there is to choose, and how it ends. It is handed the records as they come, in
// any order, and keeps none.
//
// Matches that did not end by the rules are counted by their ending and measured no further.
type Balance struct {
	setup     BalanceSetup
	sums      [Figures]sum
	open      map[int]*tally // of pairs with one match so far, by their number
	pairs     int            // pairs with a match that is measured, half ones too
	matches   int            // that are measured
	leftOut   map[Ending]int // that are not
	different map[[16]byte]bool
	rounds    [EndKinds]int // how they ended
	ends      [EndKinds]int // how the matches ended
}

// BalanceSetup is what was played.
type BalanceSetup struct {
	Rules        engine.Ruleset
	Bots         [2]string // the same name twice for a bot against itself, else as in the records
	Seed         uint64
	OpeningPlies int // random plies before the bots are asked
	Total        int // matches that were asked for
}

// OneBot says that a bot played against itself.
func (s BalanceSetup) OneBot() bool { return s.Bots[0] == s.Bots[1] }

// NewBalance returns the balance of matches of which none has been played.
func NewBalance(setup BalanceSetup) *Balance {
	return &Balance{
		setup:   setup,
		open:    make(map[int]*tally),
		leftOut: make(map[Ending]int), different: make(map[[16]byte]bool),
	}
}

// Repeats returns how many matches were the same as another. Bots that choose nothing by chance play the
// same match again; misleading says that the figures then say less than their errors claim.
func (b *Balance) Repeats() (matches int, misleading bool) {
	expected := b.matches
	if b.setup.OneBot() {
		expected = b.pairs // without chance it plays both matches of a pair alike
	}
	return b.matches - len(b.different), len(b.different) < expected
}

// Put measures the matches of records. The error names a record that the rules do not agree with.
func (b *Balance) Put(records []Record) error {
	for _, r := range records {
		if err := b.put(r); err != nil {
			return fmt.Errorf("record of %v: %w", r.Key, err)
		}
	}
	return nil
}

// PutVoid takes a match that came to nothing by the runner's own fault: there is nothing to measure.
func (b *Balance) PutVoid(Key, string) error { return nil }

func (b *Balance) put(r Record) error {
	if !r.Ending.byRules() {
		b.leftOut[r.Ending]++
		return nil
	}
	p, err := b.replay(r)
	if err != nil {
		return err
	}
	b.matches++
	b.different[MatchHash(b.setup.Rules.Info().Name, "", "", r.Opening, r.Moves)] = true // whoever played it
	for kind, n := range p.rounds {
		b.rounds[kind] += n
	}
	b.ends[p.end]++
	b.addToPair(r.Pair, &p.tally)
	return nil
}

// byRules says that the game itself ended the match, and neither a bot nor anybody else.
func (e Ending) byRules() bool { return EndNormal <= e && e <= EndEarly }

// addToPair adds a match to its pair, and the pair to the sums once it is whole.
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

// Figure is one of the measures of a game.
type Figure int

// The figures, each with what is observed.
const (
	FirstScore   Figure = iota // points of the seat that moves first, a match
	BotScore                   // points of the first bot, a match; where the bots are two
	FirstLead                  // seeds that the seat that moves first is ahead after that round
	Draws                      // 1 for a match that is drawn, else 0
	WonByOut                   // 1 for a match that ended because a player was out, else 0; matches of several rounds
	RoundsPlayed               // rounds of a match
	MatchPlies                 // plies of a match
	RoundPlies                 // plies of a round
	ShortRounds                // 1 for a round of at most ShortRound plies, else 0
	LegalMoves                 // legal moves of a position in which a bot is asked
	Forced                     // 1 for such a position with one legal move, else 0
	Passes                     // 1 for a ply that is a pass, else 0
	QuietSowings               // 1 for a sowing that captures nothing, else 0
	QuietRun                   // the highest quiet count of a round
	Figures                    // their number
)

// ShortRound is the number of plies up to which a round counts as short: hardly more than each player's
// first few.
const ShortRound = 10

// EndKind is how a round or a match ended, with the two kinds of cycle told apart.
type EndKind int

// The ends.
const (
	NormalEnd     EndKind = iota
	EarlyEnd              // a store holds more than half
	RepetitionEnd         // a cycle: a position came back
	QuietEnd              // a cycle: engine.QuietLimit sowings captured nothing
	LimitEnd              // of a match: the limit of rounds, and nobody is out
	EndKinds              // their number
)

// String is the name of the kind in reports.
func (k EndKind) String() string {
	return [EndKinds]string{"normal", "early", "repetition", "quiet", "rounds"}[k]
}

// BalanceResult is what is known of a game after some matches.
type BalanceResult struct {
	BalanceSetup
	Matches   int            // that are measured
	Different int            // of these, by opening and moves
	LeftOut   map[Ending]int // matches that are not measured, as they did not end by the rules
	Rounds    [EndKinds]int  // how the rounds ended
	Ends      [EndKinds]int  // how the matches ended
	Estimates [Figures]Estimate
}

// Estimate is the mean of a figure.
type Estimate struct {
	Mean        *float64 // of all observations; nil without one
	Margin      *float64 // half of its 95 % interval; nil with fewer than two pairs, and where all pairs are alike
	Least, Most int64    // of one observation, of scores in half points; 0 without one
}

// Result computes the figures of the records that have been put in so far. A pair of which one match is
// missing, which a run that was stopped leaves, counts with the match that is there.
func (b *Balance) Result() BalanceResult {
	r := BalanceResult{
		BalanceSetup: b.setup, Matches: b.matches, Different: len(b.different), LeftOut: maps.Clone(b.leftOut),
		Rounds: b.rounds, Ends: b.ends,
	}
	sums := b.sums
	for _, half := range b.open {
		for f := range half {
			sums[f].add(half[f])
		}
	}
	for f, s := range sums {
		scale := 1.0
		if Figure(f) == FirstScore || Figure(f) == BotScore {
			scale = 0.5 // they are counted in half points
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

// tally is what a match or a pair of matches adds to every figure.
type tally [Figures]part

// part is a number of observations of a figure.
type part struct {
	sum, count  int64
	least, most int64 // of one observation, if there is any
}

// note adds one observation.
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

// replayed is what a match is found to be when it is played again.
type replayed struct {
	tally  tally
	rounds [EndKinds]int
	end    EndKind
}

// replay plays a match again by the rules and notes every figure.
func (b *Balance) replay(r Record) (*replayed, error) {
	start, err := engine.ParsePosition(b.setup.Rules, r.Opening)
	if err != nil {
		return nil, err
	}
	p := new(replayed)
	m := engine.NewMatch(b.setup.Rules, start)
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
		p.notePly(move.Pass(), legal)
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
	p.noteMatch(b.setup, r, start.Side(), m.Rounds(), outcome)
	return p, nil
}

// roundSoFar is the round that is being played again.
type roundSoFar struct {
	plies int
	quiet int // the highest quiet count so far
}

// notePly notes what there was to choose from. The referee itself plays passes.
func (p *replayed) notePly(pass bool, legal int) {
	p.tally[Passes].note(one(pass))
	if !pass {
		p.tally[LegalMoves].note(legal)
		p.tally[Forced].note(one(legal == 1))
	}
}

func (p *replayed) noteRound(round engine.Round, now roundSoFar) {
	p.rounds[roundEnd(round)]++
	p.tally[RoundPlies].note(now.plies)
	p.tally[ShortRounds].note(one(now.plies <= ShortRound))
	p.tally[QuietRun].note(now.quiet)
}

// noteMatch notes what is known of a match when it is over. The seat that moves first is the one to
// move after the opening.
func (p *replayed) noteMatch(setup BalanceSetup, r Record, first engine.Seat, rounds []engine.Round, outcome engine.Outcome) {
	p.end = roundEnd(rounds[len(rounds)-1])
	if outcome.End == engine.Limit {
		p.end = LimitEnd
	}
	p.tally[FirstScore].note(wonBy(first, outcome.Result))
	switch {
	case setup.OneBot():
	case r.South == setup.Bots[0]:
		p.tally[BotScore].note(wonBy(engine.South, outcome.Result))
	default:
		p.tally[BotScore].note(wonBy(engine.North, outcome.Result))
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

// roundEnd tells how a round ended.
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
	switch result {
	case engine.Draw:
		return 1
	case engine.SouthWins:
		return 2 * one(seat == engine.South)
	}
	return 2 * one(seat == engine.North)
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// sum is a figure over all pairs. All its numbers are whole, so that it does not matter in which order
// the pairs ended.
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

// mean returns the mean of an observation; ok is false if there is none.
func (s *sum) mean() (mean float64, ok bool) {
	return float64(s.part.sum) / float64(s.count), s.count > 0
}

// margin returns half the width of the mean's 95 % interval; ok is false with fewer than two pairs, and
// where all are alike, which tells nothing of how far the mean may be off.
//
// With y the sum and m the number of the observations in each of n pairs, the mean is p = Σy / Σm and
// its variance n/(n−1) · Σ(y − pm)² / (Σm)², by the normal approximation (W. G. Cochran, Sampling
// Techniques, 3rd edition, 1977, chapter 6: ratio estimators). Where m is the same in all pairs, as in
// scores, that is the sample variance of the pairs' means, divided by n. Pairs and not matches are
// counted, because the two matches of a pair share their opening, and each bot has both seats in them.
func (s *sum) margin() (half float64, ok bool) {
	if s.pairs < 2 || s.count == 0 {
		return 0, false
	}
	// Whole numbers, so that no spread is no error: Σ(y − pm)² is squares / (Σm)².
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
