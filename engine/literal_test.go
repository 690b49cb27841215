package engine_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sembra/engine"
)

// A telling is awale or oware told a second time, slowly and to the letter:
// every seed is dropped by itself, every move is tried out before it is called
// legal. It is written from RULES.md and the texts behind it and shares nothing
// with the package but strings, so that the two are unlikely to be wrong in the
// same way.
type telling struct {
	oware bool

	holes [12]int // A … F, then a … f: the way the seeds go
	store [2]int  // South's and North's
	mover int     // 0 is South, 1 North
	quiet int
	over  bool
	end   string // how it ended, once it is over

	seen map[moment]bool // of this match; nil: nobody looks for repetition
	met  map[string]int  // how often some of the finer rules spoke
}

// moment is what has to come back for a position to be repeated.
type moment struct {
	holes [12]int
	store [2]int
	mover int
}

const ring = "ABCDEFabcdef"

// tell begins a telling at a position text that has nothing wrong in it.
func tell(ruleset, text string) *telling {
	t := &telling{oware: ruleset == "oware"}
	fields := strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" ,/-", c) })
	for i := range t.holes {
		t.holes[i] = number(fields[i])
	}
	t.store = [2]int{number(fields[12]), number(fields[13])}
	if fields[14] == "N" {
		t.mover = 1
	}
	t.over = fields[15] == "over"
	t.quiet = number(fields[17])
	t.seen = map[moment]bool{t.now(): true}
	t.met = map[string]int{}
	return t
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

func (t *telling) now() moment { return moment{t.holes, t.store, t.mover} }

// owner returns whose hole it is.
func owner(hole int) int {
	if hole < 6 {
		return 0
	}
	return 1
}

// inRow counts the seeds in a player's row.
func (t *telling) inRow(player int) int {
	sum := 0
	for hole, seeds := range t.holes {
		if owner(hole) == player {
			sum += seeds
		}
	}
	return sum
}

// sow drops the seeds of a hole one by one and returns where the last one fell.
func (t *telling) sow(hole int) int {
	hand := t.holes[hole]
	t.holes[hole] = 0
	at := hole
	for hand > 0 {
		at++
		if at == 12 {
			at = 0
		}
		if at == hole {
			continue
		}
		t.holes[at]++
		hand--
	}
	return at
}

// take takes what a sowing that ended there captures, without asking whether it
// may, and returns how much that is.
func (t *telling) take(last int) int {
	taken := 0
	for hole := last; hole >= 0 && owner(hole) != t.mover; hole-- {
		if t.holes[hole] != 2 && t.holes[hole] != 3 {
			break
		}
		taken += t.holes[hole]
		t.holes[hole] = 0
	}
	return taken
}

// legal returns the tokens of the legal moves.
func (t *telling) legal() []string {
	var tokens []string
	if t.over {
		return nil
	}
	for hole, seeds := range t.holes {
		if owner(hole) != t.mover || seeds == 0 {
			continue
		}
		tried := *t
		last := tried.sow(hole)
		if tried.inRow(1-t.mover) == 0 {
			t.met["feeding"]++
			continue
		}
		tried.take(last)
		if tried.inRow(1-t.mover) == 0 && !t.oware {
			t.met["grand slam"]++
			continue
		}
		tokens = append(tokens, ring[hole:hole+1])
	}
	return tokens
}

// play plays a legal token.
func (t *telling) play(token string) {
	hole := strings.Index(ring, token)
	if t.holes[hole] >= 12 {
		t.met["lap"]++
	}
	last := t.sow(hole)
	sown := t.holes
	taken := t.take(last)
	if t.inRow(1-t.mover) == 0 { // in oware
		t.met["grand slam"]++
		t.holes = sown
		taken = 0
	}
	t.store[t.mover] += taken
	t.quiet++
	if taken > 0 {
		t.quiet = 0
	}
	t.mover = 1 - t.mover

	switch {
	case t.store[0] > 24 || t.store[1] > 24:
		t.over, t.end = true, "early"
	case len(t.legal()) == 0:
		t.sweep("normal")
	case t.quiet == 100:
		t.sweep("cycle")
	case t.seen[t.now()]:
		t.sweep("cycle")
	case t.seen != nil:
		t.seen[t.now()] = true
	}
}

// sweep gives each player the own row.
func (t *telling) sweep(end string) {
	for player := range t.store {
		t.store[player] += t.inRow(player)
	}
	t.holes = [12]int{}
	t.over, t.end = true, end
}

// result returns who won.
func (t *telling) result() string {
	switch {
	case t.store[0] > t.store[1]:
		return "south"
	case t.store[1] > t.store[0]:
		return "north"
	}
	return "draw"
}

// text returns the position text.
func (t *telling) text() string {
	var b []byte
	for hole, seeds := range t.holes {
		b = strconv.AppendInt(b, int64(seeds), 10)
		b = append(b, ",,,,,/,,,,, "[hole])
	}
	b = strconv.AppendInt(b, int64(t.store[0]), 10)
	b = append(b, '-')
	b = strconv.AppendInt(b, int64(t.store[1]), 10)
	b = append(b, ' ', "SN"[t.mover])
	if t.over {
		b = append(b, " over 1 "...)
	} else {
		b = append(b, " sow 1 "...)
	}
	return string(strconv.AppendInt(b, int64(t.quiet), 10))
}

// perft counts the legal sequences of moves. Repetition is not looked for.
func (t *telling) perft(depth int) uint64 {
	if depth == 0 {
		return 1
	}
	tokens := t.legal()
	if depth == 1 {
		return uint64(len(tokens))
	}
	var nodes uint64
	for _, token := range tokens {
		next := *t
		next.seen = nil
		next.met = map[string]int{}
		next.play(token)
		nodes += next.perft(depth - 1)
	}
	return nodes
}

// splitmix is a splitmix64 generator. A random match is chosen by one whose
// state begins as the match's seed: number "next mod count" of the legal tokens
// in byte order is played, forced ones too. So other programs can play the same
// matches.
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

// compare holds a match against its telling at one ply.
func compare(m *engine.Match, slow *telling) error {
	if got, want := engine.Text(m.Rules(), m.Position()), slow.text(); got != want {
		return fmt.Errorf("position %q, told %q", got, want)
	}
	if got, want := tokens(m), slow.legal(); !slices.Equal(got, want) {
		return fmt.Errorf("legal %v, told %v", got, want)
	}
	if m.Over() != slow.over {
		return fmt.Errorf("over: %v, told %v", m.Over(), slow.over)
	}
	outcome, ended := m.Outcome()
	if ended != (slow.end != "") {
		return fmt.Errorf("an outcome: %v, told %q", ended, slow.end)
	}
	if ended && (outcome.End.String() != slow.end || outcome.Result.String() != slow.result() ||
		[2]int{outcome.South, outcome.North} != slow.store) {
		return fmt.Errorf("outcome %+v, told %s %s %v", outcome, slow.end, slow.result(), slow.store)
	}
	return nil
}

// both is a match and its telling, played side by side.
type both struct {
	fast  *engine.Match
	slow  *telling
	moves []string
}

// playBoth plays a match and its telling side by side and compares them at
// every ply, until the match is over or stuck.
func playBoth(r engine.Ruleset, start string, choose func(sorted []string) string) (both, error) {
	p, err := engine.ParsePosition(r, start)
	if err != nil {
		return both{}, err
	}
	b := both{fast: engine.NewMatch(r, p), slow: tell(r.Info().Name, start)}
	for {
		if err := compare(b.fast, b.slow); err != nil {
			return b, fmt.Errorf("%s from %q after %v: %w", r.Info().Name, start, b.moves, err)
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

// TestTelling compares whole random matches of the engine with the slow
// telling, ply by ply: matches from the start position, then as many from
// positions with few seeds, where the endings and the finer rules are.
func TestTelling(t *testing.T) {
	matches := 10_000
	if testing.Short() {
		matches = 1_000
	}
	for _, r := range engine.Rulesets() {
		name := r.Info().Name
		t.Run(name+"/start", func(t *testing.T) {
			t.Parallel()
			start := engine.Text(r, r.Start())
			for seed := 1; seed <= matches; seed++ {
				random := splitmix(seed)
				if _, err := playBoth(r, start, random.choose); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
		})
		t.Run(name+"/anywhere", func(t *testing.T) {
			t.Parallel()
			met := map[string]int{}
			for seed := 1; seed <= matches; seed++ {
				random := splitmix(seed)
				b, err := playBoth(r, anywhere(&random), random.choose)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				for rule := range b.slow.met {
					met[rule]++
				}
				if o, ok := b.fast.Outcome(); ok {
					met[o.End.String()]++
					met[o.Result.String()]++
				}
			}
			// A comparison proves nothing about what it never meets.
			for _, what := range []string{
				"normal", "cycle", "early", "south", "north", "draw", "lap", "feeding", "grand slam",
			} {
				if met[what] < matches/100 {
					t.Errorf("only %d of %d matches: %s", met[what], matches, what)
				}
			}
		})
	}
}

// anywhere returns the text of a random position that has yet to be played.
func anywhere(random *splitmix) string {
	var holes [12]int
	seeds := 1 + random.below(24)
	heavy := random.below(12)
	for range seeds {
		hole := random.below(12)
		if random.below(3) == 0 {
			hole = heavy
		}
		holes[hole]++
	}
	south := 24 - random.below(1+seeds)
	t := telling{holes: holes, store: [2]int{south, 48 - seeds - south}, mover: random.below(2)}
	if random.below(4) == 0 {
		t.quiet = 80 + random.below(20)
	}
	return t.text()
}
