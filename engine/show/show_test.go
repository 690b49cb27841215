package show_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"sembra/engine"
	"sembra/engine/expect"
	"sembra/engine/show"
)

var must, equal = expect.NoError, expect.Equal

// shown is a case of testdata: moves, and what is shown of them.
type shown struct {
	name string
	keys map[string]string
	want string
}

// readShown reads the cases of a file, whose head says how it is written.
func readShown(t *testing.T, file string) []shown {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	must(t, err)
	var cases []shown
	for _, block := range strings.Split(string(text), "\n== ")[1:] {
		head, want, _ := strings.Cut(strings.TrimSuffix(block, "\n"), "\n\n")
		name, keys, _ := strings.Cut(head, "\n")
		c := shown{name, map[string]string{}, want + "\n"}
		for line := range strings.SplitSeq(keys, "\n") {
			key, value, _ := strings.Cut(line, " ")
			if !slices.Contains([]string{"ruleset", "rounds", "start", "moves", "style"}, key) {
				t.Fatalf("%s: %s: unknown key %q", file, name, key)
			}
			c.keys[key] = value
		}
		cases = append(cases, c)
	}
	return cases
}

// plies plays the moves of a case and returns its ruleset, its first position and the plies.
func (c shown) plies(t *testing.T) (r engine.Ruleset, start engine.Position, plies []engine.Ply) {
	t.Helper()
	r, err := engine.Lookup(c.keys["ruleset"])
	must(t, err)
	if text := c.keys["rounds"]; text != "" {
		rounds, err := strconv.Atoi(text)
		must(t, err)
		if r, err = engine.WithRounds(r, rounds); err != nil {
			t.Fatal(err)
		}
	}
	if start, err = engine.ParsePosition(r, c.keys["start"]); err != nil {
		t.Fatal(err)
	}
	m := engine.NewMatch(r, start)
	for token := range strings.FieldsSeq(c.keys["moves"]) {
		move, err := m.Find(token)
		must(t, err)
		ply := engine.Ply{Before: m.Position(), Move: move}
		m.Play(move)
		ply.After = m.Position()
		plies = append(plies, ply)
	}
	return r, start, plies
}

// TestBoard draws the boards of testdata/boards.txt.
func TestBoard(t *testing.T) {
	t.Parallel()
	styles := map[string]show.Style{"": show.ASCII, "ascii": show.ASCII, "lines": show.Unicode}
	for _, c := range readShown(t, "boards.txt") {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			style, known := styles[c.keys["style"]]
			if !known {
				t.Fatalf("unknown style %q", c.keys["style"])
			}
			r, start, plies := c.plies(t)
			got := show.Board(r, start, style).String()
			if len(plies) > 0 {
				got = show.BoardAfter(r, plies[len(plies)-1], style).String()
			}
			equal(t, "board", c.want, got)
		})
	}
}

// TestDescribe describes the moves of testdata/sentences.txt.
func TestDescribe(t *testing.T) {
	t.Parallel()
	for _, c := range readShown(t, "sentences.txt") {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, _, plies := c.plies(t)
			equal(t, "sentences", c.want, show.Describe(r, plies[len(plies)-1])+"\n")
		})
	}
}

// TestRandomMatches plays random matches. In every position it checks that the board
// fits, and that the sentences say what the move did.
func TestRandomMatches(t *testing.T) {
	t.Parallel()
	large, err := engine.Lookup("kalah-12x10")
	must(t, err)
	switched, err := engine.Lookup("kalah-7x7-empty-capture-full-stuck-swap")
	must(t, err)
	for _, r := range append(engine.Rulesets(), large, switched) {
		t.Run(r.Info().Name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(1, 2))
			for range 4 {
				checkMatch(t, r, random)
			}
		})
	}
}

// checkMatch plays and checks one random match.
func checkMatch(t *testing.T, r engine.Ruleset, random *rand.Rand) {
	m := engine.NewMatch(r, r.Start())
	checkFits(t, show.Board(r, m.Position(), show.ASCII).String())
	for !m.Over() {
		legal := m.Legal()
		ply := engine.Ply{Before: m.Position(), Move: legal[random.IntN(len(legal))]}
		rounds := len(m.Rounds())
		m.Play(ply.Move)
		ply.After = m.Position()
		last := ply.After
		if len(m.Rounds()) > rounds {
			last = m.Rounds()[rounds].Position
		}
		checkFits(t, show.BoardAfter(r, ply, show.ASCII).String())
		checkDescription(t, r, ply, last)
		if t.Failed() {
			t.Fatalf("%s after %s:\n%s", ply.Move.Token(ply.Before.Side()),
				engine.Text(r, ply.Before), show.BoardAfter(r, ply, show.ASCII))
		}
	}
}

// checkFits checks that a board fits in a terminal.
func checkFits(t *testing.T, board string) {
	t.Helper()
	if rows := strings.Count(board, "\n"); rows > 22 {
		t.Errorf("%d rows are more than a terminal shows", rows)
	}
	for line := range strings.Lines(board) {
		text, ended := strings.CutSuffix(line, "\n")
		if !ended || len(text) > 79 || len(text) != utf8.RuneCountInString(text) || text != strings.TrimRight(text, " ") {
			t.Errorf("bad line %q", line)
		}
	}
}

// checkDescription moves seeds from the position before a ply as the sentences say, and compares the outcome with last: the
// position after the ply, before any next round is set up.
func checkDescription(t *testing.T, r engine.Ruleset, ply engine.Ply, last engine.Position) {
	t.Helper()
	text := show.Describe(r, ply)
	b := describedBoard{holes: map[byte]int{}, stores: map[string]int{}}
	b.read(r, ply.Before)
	b.play(ply, text)
	want := describedBoard{holes: map[byte]int{}, stores: map[string]int{}}
	want.read(r, last)
	equal(t, text, want.holes, b.holes)
	equal(t, text, want.stores, b.stores)
	again := r.Info().IntoStore && ply.After.Phase() == engine.PhaseSow && ply.After.Side() == ply.Before.Side()
	equal(t, text, again, strings.Contains(text, " moves again."))
}

// describedBoard is a board that sentences are played on: its seeds by the names of the holes and the players.
type describedBoard struct {
	holes  map[byte]int
	stores map[string]int
}

const (
	southLetters = "ABCDEFGHIJKL"
	northLetters = "abcdefghijkl"
)

func (b describedBoard) read(r engine.Ruleset, p engine.Position) {
	for hole := range r.Info().Holes {
		b.holes[southLetters[hole]] = p.Seeds(engine.South, hole)
		b.holes[northLetters[hole]] = p.Seeds(engine.North, hole)
	}
	b.stores["South"], b.stores["North"] = p.Store(engine.South), p.Store(engine.North)
}

// play moves the seeds as the sentences say.
func (b describedBoard) play(ply engine.Ply, text string) {
	first, rest, _ := strings.Cut(text, "\n")
	first = strings.TrimSuffix(strings.TrimSuffix(first, " South moves again."), " North moves again.")
	who, what, _ := strings.Cut(strings.TrimSuffix(first, "."), " ")
	sowed, takings, _ := strings.Cut(what, "; ")
	number := func(text string) int {
		n, _ := strconv.Atoi(text)
		return n
	}
	if m := regexp.MustCompile(`^sowed (\w)(?: and (\w))?: (\d+) seeds?,? (.*)$`).FindStringSubmatch(sowed); m != nil {
		b.holes[m[1][0]] = 0
		if m[2] != "" {
			b.holes[m[2][0]] = 0
		}
		b.drop(who, m[4], number(m[3]))
	}
	if m := regexp.MustCompile(`^filled its row: (.*)$`).FindStringSubmatch(sowed); m != nil {
		b.stores[who] -= b.drop(who, m[1], 0)
	}
	if name, ok := strings.CutPrefix(strings.TrimSuffix(sowed, " as its whole turn"), "took the seed in "); ok {
		b.take(who, name)
	}
	if _, names, ok := strings.Cut(sowed, "took 2 from "); ok {
		b.take(who, names)
	}
	if _, names, ok := strings.Cut(sowed, "took 3 from "); ok {
		b.take(who, names)
	}
	for taking := range strings.SplitSeq(takings, "; ") {
		m := regexp.MustCompile(`^(?:(\w+) )?took (\d+) from (.*)$`).FindStringSubmatch(taking)
		if m == nil {
			continue
		}
		taker := who
		if m[1] != "" {
			taker = m[1]
		}
		before := b.stores[taker]
		b.take(taker, m[3])
		if b.stores[taker] != before+number(m[2]) {
			b.stores["wrong number taken"]++
		}
	}
	if m := regexp.MustCompile(`(\w+) swept (\d+) from its row(?:, North (\d+))?`).FindStringSubmatch(rest); m != nil {
		b.sweep(m[1], number(m[2]))
		b.sweep("North", number(m[3]))
	}
}

// drop adds seeds as the text says: "2 each to C D, 1 to E", or "to C D E and the store"
// where each place gets an equal part of the seeds. It returns how many it added.
func (b describedBoard) drop(who, text string, seeds int) (dropped int) {
	groups := regexp.MustCompile(`(?:(\d+) (?:each )?)?to ((?:[A-La-l]\b ?)*)(?:and )?(the store)?`)
	for _, m := range groups.FindAllStringSubmatch(text, -1) {
		names := strings.Fields(m[2])
		if m[3] != "" {
			names = append(names, m[3])
		}
		each, err := strconv.Atoi(m[1])
		if err != nil {
			each = seeds / len(names)
		}
		for _, name := range names {
			dropped += each
			if name == m[3] {
				b.stores[who] += each
				continue
			}
			b.holes[name[0]] += each
		}
	}
	if seeds > 0 && dropped != seeds {
		b.stores["wrong number sown"]++
	}
	return dropped
}

func (b describedBoard) take(who, names string) {
	for _, name := range strings.Fields(names) {
		b.stores[who] += b.holes[name[0]]
		b.holes[name[0]] = 0
	}
}

func (b describedBoard) sweep(who string, seeds int) {
	if seeds == 0 {
		return
	}
	letters := southLetters
	if who == "North" {
		letters = northLetters
	}
	before := b.stores[who]
	for hole := range b.holes {
		if strings.IndexByte(letters, hole) >= 0 {
			b.take(who, string(hole))
		}
	}
	if b.stores[who] != before+seeds {
		b.stores["wrong number swept"]++
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, first, rest, want string }{
		{"", "-", "", ""},
		{"one two three", "", "", "one two|three"},
		{"a longer-than-eight b", "", "", "a|longer-than-eight|b"},
		{"häß  üöä ñ", "", "", "häß üöä|ñ"},
		{"一二 三 四", "", "  ", "一二 三|  四"},
		{"one two three four", "- ", "  ", "- one|  two|  three|  four"},
	} {
		if got := strings.Join(show.Wrap(test.text, 8, test.first, test.rest), "|"); got != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}
