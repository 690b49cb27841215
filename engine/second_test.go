package engine_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sembra/engine"
)

// slowMatch is a match of the second, slow implementation of the rules. Each ruleset has one. It follows the pages of
// rules and the texts behind them to the letter: it drops every seed by itself and looks at the holes one by one. It
// shares no code with the engine, so the two are unlikely to be wrong in the same way.
type slowMatch interface {
	legal() []string                          // the tokens of the legal moves in byte order; none if the match is over
	play(token string)                        // plays a legal token
	text() string                             // the position text
	outcome() (end, result string, over bool) // how the match ended
	rounds() []slowRound                      // the rounds that have ended
	forgetful() slowMatch                     // a deep copy that ignores repetition
	finer() map[string]int                    // how often each of the finer rules mattered
}

// slowRound is a round that has ended, in position texts.
type slowRound struct {
	start string // its first position, with the rows filled
	last  string // its last position, after the sweep
	end   string
}

// logbook is what a slow match writes down on its way. Every one embeds it.
type logbook struct {
	began string         // the first position of the round
	ended []slowRound    // the rounds that have ended
	end   string         // how the match ended, once it is over
	met   map[string]int // how often each of the finer rules mattered

	seen map[string]bool // the positions of this round; nil to ignore repetition
}

func (l *logbook) rounds() []slowRound { return l.ended }

func (l *logbook) finer() map[string]int { return l.met }

// forgotten returns a copy for another slow match.
func (l *logbook) forgotten() logbook {
	return logbook{began: l.began, ended: slices.Clone(l.ended), end: l.end, met: map[string]int{}}
}

// repeats reports whether a position of the round has come back, and notes it.
func (l *logbook) repeats(moment string) bool {
	if l.seen == nil || l.seen[moment] {
		return l.seen != nil
	}
	l.seen[moment] = true
	return false
}

// The holes of a board, counter-clockwise, by the length of its rows.
const (
	ring3 = "ABCabc"
	ring4 = "ABCDabcd"
	ring6 = "ABCDEFabcdef"
)

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

// numbers reads South's number and North's, as in 0-1.
func numbers(text string) [2]int {
	south, north, _ := strings.Cut(text, "-")
	return [2]int{number(south), number(north)}
}

// playerName returns South or North.
func playerName(player int) string {
	if player == 0 {
		return "South"
	}
	return "North"
}

// larger returns who has won if the player with the larger number wins.
func larger(of [2]int) string {
	switch {
	case of[0] > of[1]:
		return "south"
	case of[1] > of[0]:
		return "north"
	}
	return "draw"
}

// players writes down for which players something holds: -, S, N or SN.
func players(holds [2]bool) string {
	switch {
	case holds[0] && holds[1]:
		return "SN"
	case holds[0]:
		return "S"
	case holds[1]:
		return "N"
	}
	return "-"
}

// slowRules is the second implementation of a ruleset.
type slowRules struct {
	begin    func(ruleset, text string, limit int) slowMatch // begins at a legal position text
	anywhere func(ruleset string, random *splitmix) string   // the text of a random position
	finer    func(ruleset string) []string                   // the finer rules that random matches from anywhere meet
}

// slowRulesOf returns the second implementation of a ruleset.
func slowRulesOf(ruleset string) slowRules {
	switch ruleset {
	case "awale", "oware":
		return slowRules{newSlowAwale, anywhereAwale, finerAwale}
	case "bechi", "bechi-2x3":
		return slowRules{newSlowBechi, anywhereBechi, finerBechi}
	case "buqruru":
		return slowRules{newSlowBuqruru, anywhereBuqruru, finerBuqruru}
	case "buqruru-bellin", "buqruru-ludii":
		return slowRules{newSlowBellin, anywhereBellin, finerBellin}
	case "redu":
		return slowRules{newSlowRedu, anywhereRedu, finerRedu}
	}
	if strings.HasPrefix(ruleset, "kalah") {
		return slowRules{newSlowKalah, anywhereKalah, finerKalah}
	}
	panic("no second implementation of " + ruleset)
}

// newSlowMatch begins a slow match at a legal position text.
func newSlowMatch(r engine.Ruleset, text string) slowMatch {
	name := r.Info().Name
	return slowRulesOf(name).begin(name, text, r.Info().Rounds)
}

// slowPerft counts the legal sequences of moves of a slow match.
func slowPerft(t slowMatch, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	tokens := t.legal()
	if depth == 1 {
		return uint64(len(tokens))
	}
	var nodes uint64
	for _, token := range tokens {
		next := t.forgetful()
		next.play(token)
		nodes += slowPerft(next, depth-1)
	}
	return nodes
}

// splitmix is a splitmix64 generator, which chooses the moves of a random match. testdata/README.md describes how, so
// that other programs can play the same matches.
type splitmix uint64

func (s *splitmix) next() uint64 {
	*s += 0x9E3779B97F4A7C15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

func (s *splitmix) below(n int) int { return int(s.next() % uint64(n)) }

func (s *splitmix) choose(sorted []string) string { return sorted[s.below(len(sorted))] }

// tokens returns the legal tokens of a match in byte order.
func tokens(m *engine.Match) []string {
	side := m.Position().Side()
	found := make([]string, 0, 6)
	for _, move := range m.Legal() {
		found = append(found, move.Token(side))
	}
	slices.Sort(found)
	return found
}

// compare compares a match with its slow match at one ply.
func compare(m *engine.Match, slow slowMatch) error {
	if got, want := engine.Text(m.Rules(), m.Position()), slow.text(); got != want {
		return fmt.Errorf("position %q, want %q", got, want)
	}
	if got, want := tokens(m), slow.legal(); !slices.Equal(got, want) {
		return fmt.Errorf("legal %v, want %v", got, want)
	}
	if got, want := engine.Perft(m.Rules(), m.Position(), 1), len(m.Legal()); got != uint64(want) {
		return fmt.Errorf("perft 1 is %d, %d moves are legal", got, want)
	}
	if got, want := fastOutcome(m), slowOutcome(slow); got != want {
		return fmt.Errorf("outcome %q, want %q", got, want)
	}
	rounds := slow.rounds()
	if len(m.Rounds()) != len(rounds) {
		return fmt.Errorf("%d rounds, want %d", len(m.Rounds()), len(rounds))
	}
	if len(rounds) == 0 {
		return nil
	}
	last := m.Rounds()[len(rounds)-1]
	got := slowRound{engine.Text(m.Rules(), last.Start), engine.Text(m.Rules(), last.Position), last.End.String()}
	want := rounds[len(rounds)-1]
	fields := strings.Fields(want.last) // slow matches leave the phase as it was
	fields[3] = "over"
	want.last = strings.Join(fields, " ")
	for _, text := range []string{got.start, got.last} {
		if _, err := engine.ParsePosition(m.Rules(), text); err != nil {
			return fmt.Errorf("%q of a round: %w", text, err)
		}
	}
	if got != want {
		return fmt.Errorf("round %+v, want %+v", got, want)
	}
	return nil
}

// slowOutcome returns how a slow match ended, or "going".
func slowOutcome(slow slowMatch) string {
	end, result, over := slow.outcome()
	if !over {
		return "going"
	}
	return result + " " + end
}

// fastOutcome returns how a match ended, or "going".
func fastOutcome(m *engine.Match) string {
	o, over := m.Outcome()
	if over != m.Over() {
		return "over or not"
	}
	if !over {
		return "going"
	}
	return o.Result.String() + " " + o.End.String()
}

// both is a match of the engine and the slow match, played side by side.
type both struct {
	fast  *engine.Match
	slow  slowMatch
	moves []string
}

// playBoth plays a match of both implementations side by side and compares them at
// every ply, until the match is over or stuck.
func playBoth(r engine.Ruleset, start string, choose func(sorted []string) string) (both, error) {
	p, err := engine.ParsePosition(r, start)
	if err != nil {
		return both{}, fmt.Errorf("%s: %q: %w", r.Info().Name, start, err)
	}
	b := both{fast: engine.NewMatch(r, p), slow: newSlowMatch(r, start)}
	for {
		if err := compare(b.fast, b.slow); err != nil {
			return b, fmt.Errorf("%s of %d rounds from %q after %v: %w", r.Info().Name, r.Info().Rounds, start, b.moves, err)
		}
		legal := tokens(b.fast)
		if len(legal) == 0 {
			return b, nil
		}
		token := choose(legal)
		move, err := b.fast.Find(token)
		if err != nil {
			return b, err
		}
		b.fast.Play(move)
		b.slow.play(token)
		b.moves = append(b.moves, token)
	}
}

// TestSecondImplementation compares whole random matches of the engine with the second implementation,
// ply by ply. A tenth of the matches begin at the start position. The others begin
// at random positions, where the endings and the finer rules matter more often.
func TestSecondImplementation(t *testing.T) {
	t.Parallel()
	whole, matches := randomMatches/10, randomMatches-randomMatches/10
	for _, r := range rulesets(t) {
		name := r.Info().Name
		t.Run(name+"/start", func(t *testing.T) {
			t.Parallel()
			start := engine.Text(r, r.Start())
			for seed := 1; seed <= whole; seed++ {
				random := splitmix(seed)
				if _, err := playBoth(limited(t, r, start, &random), start, random.choose); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
		})
		t.Run(name+"/anywhere", func(t *testing.T) {
			t.Parallel()
			met := map[string]int{}
			for seed := 1; seed <= matches; seed++ {
				random := splitmix(seed)
				start := slowRulesOf(name).anywhere(name, &random)
				b, err := playBoth(limited(t, r, start, &random), start, random.choose)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				for rule := range b.slow.finer() {
					met[rule]++
				}
				if o, ok := b.fast.Outcome(); ok {
					met[o.End.String()]++
					met[o.Result.String()]++
				}
			}
			// The comparison proves nothing about a rule that it never meets.
			for _, what := range append(endingsOf(r), slowRulesOf(name).finer(name)...) {
				if met[what] < matches/200 {
					t.Errorf("only %d of %d matches: %s", met[what], matches, what)
				}
			}
		})
	}
}

// limited returns the rules with a random limit of rounds, mostly a low one, that allows the round of the start.
func limited(t *testing.T, r engine.Ruleset, start string, random *splitmix) engine.Ruleset {
	info := r.Info()
	if info.Single {
		return r
	}
	rounds := parse(t, withRounds(t, r, engine.MaxRounds), start).Round() + random.below(3)
	if random.below(8) == 0 {
		rounds = max(rounds, info.Rounds)
	}
	return withRounds(t, r, rounds)
}

// endingsOf returns the endings and results that random matches must meet.
func endingsOf(r engine.Ruleset) []string {
	info := r.Info()
	switch {
	case info.Full:
		return []string{"normal", "south", "north", "draw"}
	case info.IntoStore:
		return []string{"normal", "early", "south", "north", "draw"} // cycles are rare
	case info.Single:
		return []string{"normal", "cycle", "early", "south", "north", "draw"}
	}
	return []string{"normal", "rounds", "south", "north"}
}
