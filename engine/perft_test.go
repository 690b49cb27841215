package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sembra/engine"
)

// perftTable is one position of a perft table.
type perftTable struct {
	position string
	rows     []perftRow
}

type perftRow struct {
	line  int
	depth int
	nodes uint64
}

// perftFile returns the file with the tables of a ruleset.
func perftFile(t testing.TB, ruleset string) string {
	name := ruleset
	if slices.ContainsFunc(switched(t), func(r engine.Ruleset) bool { return r.Info().Name == ruleset }) {
		name = "kalah-switches"
	}
	return filepath.Join("testdata", "perft", name+".txt")
}

// readPerft reads the tables of a ruleset.
func readPerft(t testing.TB, ruleset string) []perftTable {
	t.Helper()
	name := perftFile(t, ruleset)
	text := must2(os.ReadFile(name))
	var tables []perftTable
	of := ruleset
	for i, line := range strings.Split(string(text), "\n") {
		row := perftRow{line: i + 1}
		position, isPosition := strings.CutPrefix(line, "position ")
		if named, ok := strings.CutPrefix(line, "ruleset "); ok {
			of = named
			continue
		}
		switch {
		case line == "" || line[0] == '#' || of != ruleset:
		case isPosition:
			tables = append(tables, perftTable{position: position})
		case len(tables) == 0:
			t.Fatalf("%s:%d: a row without a position", name, i+1)
		default:
			if _, err := fmt.Sscanf(line, "%d %d", &row.depth, &row.nodes); err != nil {
				t.Fatalf("%s:%d: %v", name, i+1, err)
			}
			table := &tables[len(tables)-1]
			table.rows = append(table.rows, row)
		}
	}
	return tables
}

// TestPerft counts the rows of the tables, up to the deepest of the build.
func TestPerft(t *testing.T) {
	t.Parallel()
	checkPerft(t, func(r engine.Ruleset, position string, row perftRow) (nodes uint64, counted bool) {
		if row.depth > deepest {
			return 0, false
		}
		return engine.Perft(r, parse(t, r, position), row.depth), true
	})
}

// TestPerftSlow counts the smaller rows of the tables with the second implementation.
func TestPerftSlow(t *testing.T) {
	t.Parallel()
	checkPerft(t, func(r engine.Ruleset, position string, row perftRow) (nodes uint64, counted bool) {
		if row.nodes > 30_000 {
			return 0, false
		}
		return slowPerft(newSlowMatch(r, position), row.depth), true
	})
}

// checkPerft compares the tables of all rulesets with what the function counts.
func checkPerft(t *testing.T, count func(r engine.Ruleset, position string, row perftRow) (nodes uint64, counted bool)) {
	for _, r := range rulesets(t) {
		name := r.Info().Name
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, table := range readPerft(t, name) {
				for _, row := range table.rows {
					if got, counted := count(r, table.position, row); counted && got != row.nodes {
						t.Errorf("%s:%d: perft %d of %s is %d, the table says %d",
							perftFile(t, name), row.line, row.depth, table.position, got, row.nodes)
					}
				}
			}
		})
	}
}

func TestPerftEdges(t *testing.T) {
	t.Parallel()
	for _, r := range rulesets(t) {
		random := splitmix(1)
		b := must2(playBoth(r, engine.Text(r, r.Start()), random.choose))
		over := b.fast.Position()
		for _, c := range []struct {
			name     string
			position engine.Position
			depth    int
			nodes    uint64
			branches int
		}{
			{"depth 0", r.Start(), 0, 1, 0},
			{"depth -1", r.Start(), -1, 1, 0},
			{"over, depth 0", over, 0, 1, 0},
			{"over, depth 1", over, 1, 0, 0},
			{"over, depth 2", over, 2, 0, 0},
		} {
			equal(t, fmt.Sprintf("%s, %s", r.Info().Name, c.name), c.nodes, engine.Perft(r, c.position, c.depth))
			if got := slices.Collect(engine.Divide(r, c.position, c.depth)); len(got) != c.branches {
				t.Errorf("%s, %s: divided into %v", r.Info().Name, c.name, got)
			}
		}
	}
}

// TestDivide compares the sum of the branches with Perft, and the branches with the legal moves.
func TestDivide(t *testing.T) {
	t.Parallel()
	for _, r := range rulesets(t) {
		for _, table := range readPerft(t, r.Info().Name) {
			p := parse(t, r, table.position)
			for depth := 1; depth <= 3; depth++ {
				var sum uint64
				var moves []engine.Move
				for branch := range engine.Divide(r, p, depth) {
					sum += branch.Nodes
					moves = append(moves, branch.Move)
				}
				if want := engine.Perft(r, p, depth); sum != want {
					t.Errorf("%s, %s: divide %d adds up to %d, perft is %d",
						r.Info().Name, table.position, depth, sum, want)
				}
				equal(t, "branches of "+table.position, r.Legal(p, nil), moves)
			}
		}
	}
}

// TestPerftAllocates checks that only the stack of moves is allocated.
func TestPerftAllocates(t *testing.T) {
	for _, r := range rulesets(t) {
		if got := testing.AllocsPerRun(10, func() { engine.Perft(r, r.Start(), 4) }); got > 1 {
			t.Errorf("%s: perft allocates %v times", r.Info().Name, got)
		}
	}
}

// BenchmarkPerft counts from the start position, to a depth with some ten thousand to a few million sequences.
func BenchmarkPerft(b *testing.B) {
	for _, r := range engine.Rulesets() {
		depth := map[string]int{
			"awale": 9, "oware": 9, "bechi": 11, "bechi-2x3": 12, "redu": 5, "kalah": 8,
		}[r.Info().Name]
		if depth == 0 {
			depth = 10
		}
		b.Run(r.Info().Name, func(b *testing.B) {
			b.ReportAllocs()
			var nodes uint64
			for b.Loop() {
				nodes += engine.Perft(r, r.Start(), depth)
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
		})
	}
}

// TestKalahValues compares by how much South wins Kalahs that are played out, with perfect play, with published values: the
// table of Irving, Donkers and Uiterwijk, who take a last seed with nothing opposite too, and for kalah-full what Mark
// Rawlings computed in 2015.
func TestKalahValues(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		ruleset string
		want    int
	}{
		{"kalah-6x1-empty-capture-full", 2},
		{"kalah-6x2-empty-capture-full", 10},
		{"kalah-6x3-empty-capture-full", 2},
		{"kalah-empty-capture-full", 10},
		{"kalah-full", 8},
	} {
		r := lookup(t, test.ruleset)
		if r.Info().Seeds > mostSolved {
			continue // it takes too long
		}
		s := solver{rules: r, known: make([]solvedBoard, 1<<(6*r.Info().Seeds))}
		equal(t, test.ruleset+": South wins by more", true, s.gains(r.Start(), test.want-1))
		equal(t, test.ruleset+": South wins by still more", false, s.gains(r.Start(), test.want))
	}
}

// solver asks how much more one player can take than the other, by alpha-beta search on boards of six holes.
type solver struct {
	rules engine.Ruleset
	known []solvedBoard // a new board takes the place of an old one
}

// solvedBoard is what is known of a board: how much more the mover takes from there on than the other, from low to high.
type solvedBoard struct {
	rows      [12]uint8 // the mover's and the other's
	low, high int8
}

// at returns the place of a position, which knows nothing yet or has what is known of it.
func (s *solver) at(p engine.Position) *solvedBoard {
	var rows [12]uint8
	hash, seeds := uint64(0), int8(0)
	for i := range 12 {
		rows[i] = uint8(p.Seeds(p.Side()^engine.Seat(i/6), i%6))
		hash = (hash ^ uint64(rows[i])) * 0x9E3779B97F4A7C15
		hash ^= hash >> 29
		seeds += int8(rows[i])
	}
	board := &s.known[hash%uint64(len(s.known))]
	if board.rows != rows {
		*board = solvedBoard{rows, -seeds, seeds}
	}
	return board
}

// gains reports whether the mover can take more than a number of seeds more than the other from a position on.
func (s *solver) gains(p engine.Position, number int) bool {
	switch board := s.at(p); {
	case number < int(board.low):
		return true
	case number >= int(board.high):
		return false
	}
	side := p.Side()
	lead := func(p engine.Position) int { return p.Store(side) - p.Store(side.Other()) }
	type child struct {
		engine.Position
		number, order int
	}
	var moves [6]engine.Move
	var children [6]child
	count := 0
	for _, m := range s.rules.Legal(p, moves[:0]) {
		c := child{Position: engine.Step(s.rules, p, m)}
		c.number = number - lead(c.Position) + lead(p)
		c.order = 2*count - 4*c.number // many seeds, and the holes next to the store
		if c.Side() == side {
			c.order += 1000
		}
		children[count] = c
		count++
	}
	slices.SortFunc(children[:count], func(a, b child) int { return b.order - a.order })
	gains := false
	for _, c := range children[:count] {
		switch {
		case c.Phase() == engine.PhaseOver:
			gains = c.number < 0
		case c.Side() == side:
			gains = s.gains(c.Position, c.number)
		default:
			gains = !s.gains(c.Position, -c.number-1)
		}
		if gains {
			break
		}
	}
	board := s.at(p)
	if gains {
		board.low = max(board.low, int8(number+1))
	} else {
		board.high = min(board.high, int8(number))
	}
	return gains
}

// TestSolvedKalah compares the result of perfect play on small boards with the table of Irving, Donkers and
// Uiterwijk. Their captures with nothing opposite change no result of these boards.
func TestSolvedKalah(t *testing.T) {
	t.Parallel()
	for holes, want := range []string{
		1: "draw north south north south draw", 2: "south north north north south south", 3: "draw south south south",
	} {
		var got []string
		for seeds := range len(strings.Fields(want)) {
			r := lookup(t, fmt.Sprintf("kalah-%dx%d", holes, seeds+1))
			got = append(got, solved(r, r.Start(), map[engine.Position]engine.Result{}).String())
		}
		equal(t, fmt.Sprintf("%d holes", holes), want, strings.Join(got, " "))
	}
}

// solved returns the result of perfect play from a position.
func solved(r engine.Ruleset, p engine.Position, known map[engine.Position]engine.Result) engine.Result {
	if p.Phase() == engine.PhaseOver {
		return r.Winner(p)
	}
	best, found := known[p]
	if found {
		return best
	}
	rank := map[engine.Result]int{engine.SouthWins: 1, engine.NorthWins: -1}
	if p.Side() == engine.North {
		rank = map[engine.Result]int{engine.SouthWins: -1, engine.NorthWins: 1}
	}
	for i, m := range r.Legal(p, nil) {
		if result := solved(r, engine.Step(r, p, m), known); i == 0 || rank[result] > rank[best] {
			best = result
		}
	}
	known[p] = best
	return best
}
