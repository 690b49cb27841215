package results

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sembra/results/stats"
)

// sequential is a tournament of new against old, with an opening for every pair.
func sequential(pairs int, model stats.Model) Tournament {
	t := spring(pairs, "new", "old")
	t.Format = Sequential
	t.Test = &stats.Test{Elo0: 0, Elo1: 100, Alpha: 0.05, Beta: 0.05, Model: model}
	return t
}

// withoutOpenings is a trial in which all pairs begin alike, so that matches can be repeated.
func withoutOpenings(t Tournament) Tournament {
	t.Openings = slices.Repeat([]string{"opening"}, len(t.Openings))
	return t
}

// pairsOf makes the matches of a trial, by number less one, from two letters a pair, as new sees its match
// as South and then as North: W won, L lost, D drawn; w lost by a fault of old, l by one of new, B by one
// of both. A digit behind them makes all pairs with that digit and those letters the same matches.
func pairsOf(text string) []Summary {
	var matches []Summary
	for i, pair := range strings.Fields(text) {
		for seat := range min(2, len(pair)) {
			m := Summary{Key: Key{"new", "old", i + 1}, Ending: EndNormal, Result: SouthWins}
			win, lose, mine, its := SouthWins, NorthWins, SouthFault, NorthFault
			if seat == 1 {
				m.South, m.North = m.North, m.South
				win, lose, mine, its = NorthWins, SouthWins, NorthFault, SouthFault
			}
			switch pair[seat] {
			case 'W':
				m.Result = win
			case 'L':
				m.Result = lose
			case 'D':
				m.Result = Draw
			case 'w':
				m.Result, m.Ending, m.Fault = win, EndCrash, its
			case 'l':
				m.Result, m.Ending, m.Fault = lose, EndTime, mine
			case 'B':
				m.Result, m.Ending, m.Fault = Void, EndStart, BothFault
			}
			moves := fmt.Sprint("pair ", i+1)
			if len(pair) > 2 {
				moves = pair[2:]
			}
			m.Hash = MatchHash("awale", m.South, m.North, "opening", []string{moves})
			matches = append(matches, m)
		}
	}
	return matches
}

// numberedOf is the matches, numbered from 1.
func numberedOf(matches []Summary) []Numbered {
	var all []Numbered
	for i, m := range matches {
		all = append(all, Numbered{Number: i + 1, Summary: m})
	}
	return all
}

// fold is a test of all matches, in order.
func fold(t Tournament, matches []Summary) *SequentialTest {
	s := NewSequentialTest(t)
	for i, m := range matches {
		s.Add(i+1, m)
	}
	return s
}

func TestSequentialCounts(t *testing.T) {
	t.Parallel()
	repeated := func(pair string, n int) string { return strings.TrimSpace(strings.Repeat(pair+" ", n)) }
	for name, c := range map[string]struct {
		pairs     string
		want      pairCounts
		stoppedAt int
		over      bool
	}{
		"nothing": {},
		"half a pair": {
			pairs: "WW LD W", want: pairCounts{Pairs: stats.Pentanomial{0, 1, 0, 0, 1}},
		},
		"each kind once": {
			pairs: "LL LD DL WL LW DD WD DW WW",
			want:  pairCounts{Pairs: stats.Pentanomial{1, 2, 3, 2, 1}, Split: 2},
		},
		"faults": {
			pairs: "wl lL Dw ww",
			want:  pairCounts{Pairs: stats.Pentanomial{1, 0, 1, 1, 1}, Split: 1, Faults: [2]int{2, 4}},
		},
		"both at fault": {
			pairs: "WB BL BB WW lB", want: pairCounts{Pairs: stats.Pentanomial{4: 1}, Void: 4},
		},
		"repeats": {
			pairs: "WL1 WW WL1 WL1 WL2 WD2 LD", // the matches of WL2 and WD2 are the same where new is South
			want:  pairCounts{Pairs: stats.Pentanomial{0, 1, 2, 0, 1}, Split: 2, Repeated: 3},
		},
		"faults of both that nobody played": {
			pairs: "WB1 LB1 WW", want: pairCounts{Pairs: stats.Pentanomial{4: 1}, Void: 2},
		},
		"one match for ever": {
			pairs: repeated("WL1", 40), stoppedAt: 42, over: true,
			want: pairCounts{Pairs: stats.Pentanomial{2: 1}, Split: 1, Repeated: 20},
		},
		"a row is broken": {
			pairs: "WD WL1 " + repeated("WL1", 19) + " LD " + repeated("WL1", 19) + " LL",
			want:  pairCounts{Pairs: stats.Pentanomial{1, 1, 1, 1, 0}, Split: 1, Repeated: 38},
		},
		"nobody starts": {
			pairs: repeated("BB", 30), stoppedAt: 40, over: true,
			want: pairCounts{Void: 20},
		},
	} {
		t.Run(name, func(t *testing.T) {
			matches := pairsOf(c.pairs)
			s := fold(withoutOpenings(sequential(100, stats.Normalized)), matches)
			equal(t, "counts", c.want, s.Counts)
			anyOrder := NewSequentialTest(s.tournament)
			for i, m := range slices.Backward(matches) {
				anyOrder.Add(i+1, m)
				anyOrder.Add(i+1, matches[0]) // twice told
			}
			if diff := cmp.Diff(c.want, anyOrder.Counts); diff != "" || anyOrder.StoppedAt != s.StoppedAt || anyOrder.PlayedPast != s.PlayedPast {
				t.Errorf("the other way round it stopped at %d: %s", anyOrder.StoppedAt, diff)
			}
			if s.StoppedAt != c.stoppedAt || s.Over() != c.over || s.Decision != stats.Undecided {
				t.Errorf("stopped at %d, over %t, %v", s.StoppedAt, s.Over(), s.Decision)
			}
			if past := max(0, len(matches)-c.stoppedAt); c.over && s.PlayedPast != past {
				t.Errorf("%d matches are past the stop, want %d", s.PlayedPast, past)
			}
		})
	}
}

// A test stops with the first pair whose counts, taken from nothing, decide it; what is there behind it
// changes nothing.
func TestSequentialStops(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want stats.Decision
	}{
		"H1": {strings.Repeat("WW LD WD ", 60), stats.AcceptH1},
		"H0": {strings.Repeat("LL WL DW LD ", 60), stats.AcceptH0},
	} {
		for _, model := range stats.Models() {
			t.Run(name+" "+string(model), func(t *testing.T) {
				tournament := sequential(240, model)
				matches := pairsOf(c.text)
				counts, stop := stats.Pentanomial{}, 0
				for pair := 1; stop == 0; pair++ {
					letters := strings.Fields(c.text)[pair-1]
					counts[map[string]int{"LL": 0, "LD": 1, "WL": 2, "DW": 3, "WD": 3, "WW": 4}[letters]]++
					if tournament.Test.Decide(tournament.Test.LLRPairs(counts)) == c.want {
						stop = 2 * pair
					}
				}
				s := fold(tournament, matches)
				if s.StoppedAt != stop || s.Decision != c.want || s.Counts.Pairs != counts || !s.Over() || s.LLR != tournament.Test.LLRPairs(counts) {
					t.Errorf("stopped at %d with %v by %v, want %d with %v by %v", s.StoppedAt, s.Decision, s.Counts.Pairs, stop, c.want, counts)
				}
				if s.Past(stop) || !s.Past(stop+1) || s.PlayedPast != len(matches)-stop {
					t.Errorf("of %d matches %d are past the stop", len(matches), s.PlayedPast)
				}
			})
		}
	}
}

// All pairs are there, and nothing is decided; with more of them it continues where it was.
func TestSequentialAtItsEnd(t *testing.T) {
	t.Parallel()
	matches := pairsOf("WW WL LD")
	s := fold(sequential(3, stats.Logistic), matches)
	if !s.Over() || s.StoppedAt != 0 || s.Decision != stats.Undecided || s.Past(7) {
		t.Errorf("over %t, stopped at %d, %v", s.Over(), s.StoppedAt, s.Decision)
	}
	more := fold(sequential(4, stats.Logistic), matches)
	if more.Over() || more.LLR != s.LLR || more.Counts.Pairs != s.Counts.Pairs {
		t.Errorf("with more pairs: over %t, LLR %v, %v", more.Over(), more.LLR, more.Counts.Pairs)
	}
	for _, m := range []int{7, 8} {
		s.Add(m, matches[0])
	}
	if s.Counts.Pairs != more.Counts.Pairs || s.PlayedPast != 0 {
		t.Errorf("matches that are not in the schedule count: %v", s.Counts.Pairs)
	}
}

// What is both is a repeat: it would not count before the stop either.
func TestNotesOfTest(t *testing.T) {
	t.Parallel()
	tournament := withoutOpenings(sequential(50, stats.Normalized))
	text := "WW1 WW1 " + strings.Repeat("LD WW WW ", 20) + "WW1 WW"
	all := numberedOf(pairsOf(text))
	stopped := fold(tournament, pairsOf(text)).StoppedAt
	if stopped < 8 || stopped > 122 {
		t.Fatalf("it stopped at %d", stopped)
	}
	notes := make(map[int]string)
	for match, err := range tournament.WithNotes(inMemory(all)) {
		must(t, err)
		notes[match.Number] = match.Note
	}
	for number, want := range map[int]string{1: "", 2: "", 3: repeatNote, 4: repeatNote, stopped: "", stopped + 1: pastNote, 125: repeatNote, 126: repeatNote, 127: pastNote} {
		if notes[number] != want {
			t.Errorf("match %d has the note %q, not %q", number, notes[number], want)
		}
	}
}

func TestSequentialTestRefuses(t *testing.T) {
	t.Parallel()
	strangers := pairsOf("WW")
	strangers[1].South = "other"
	bad := sequential(2, stats.Normalized)
	bad.Test.Alpha = 2
	three := sequential(2, stats.Normalized)
	three.Bots = append(three.Bots, "third")
	for _, c := range []struct {
		tournament Tournament
		matches    []Summary
		want       string
	}{
		{spring(2, "new", "old"), nil, `tournament "spring" is not a sequential test: its format is round-robin`},
		{three, nil, `tournament "spring" is not a sequential test`},
		{bad, nil, `tournament "spring": alpha`},
		{sequential(2, stats.Normalized), strangers, "match other - new, pair 1: not both are bots of this tournament"},
	} {
		if _, err := c.tournament.SequentialTest(numberedOf(c.matches)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("error is %v, want %s", err, c.want)
		}
	}
}

func TestTestPath(t *testing.T) {
	t.Parallel()
	if _, err := spring(1, "a", "b").TestPath(nil, 5); err == nil {
		t.Error("a tournament without a test is no error")
	}
	tournament := sequential(8, stats.Normalized)
	all := numberedOf(pairsOf("WW WL WW DD"))
	path, test := must2(tournament.TestPath(all, 100)), must2(tournament.SequentialTest(all))
	if n := len(path); n != 5 || path[0] != (testPoint{}) || path[4].Pairs != 4 || math.Abs(path[4].LLR-test.LLR) > 1e-12 {
		t.Errorf("path %v, LLR %v at the end", path, test.LLR)
	}
	if path := must2(tournament.TestPath(all, 2)); len(path) != 3 || path[2].Pairs != 4 {
		t.Errorf("path %v in two steps", path)
	}
}
