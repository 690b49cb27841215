package schedule

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"testing"

	"sembra/engine/expect"
	"sembra/results"
)

var must, equal = expect.NoError, expect.Equal

// named returns the bots 1 to n.
func named(n int) []string {
	var names []string
	for i := range n {
		names = append(names, strconv.Itoa(i+1))
	}
	return names
}

// allPlayAll is the schedule of a round-robin.
func allPlayAll(bots []string, pairs int) *Schedule {
	return New(results.Tournament{Plan: results.Plan{Format: results.RoundRobin, Bots: bots, Pairs: pairs}})
}

// game is one game of a published table.
type game struct {
	Stage         int
	First, Second string
}

// bergerTables returns the published tables by their number of players.
func bergerTables(t *testing.T) map[int][]game {
	t.Helper()
	f, err := os.Open("testdata/berger-tables.csv")
	must(t, err)
	defer f.Close()
	reader := csv.NewReader(f)
	reader.Comment = '#'
	rows, err := reader.ReadAll()
	must(t, err)
	tables := make(map[int][]game)
	for _, row := range rows[1:] {
		var n [3]int // players, stage, board
		for i := range n {
			if n[i], err = strconv.Atoi(row[i]); err != nil {
				t.Fatal(err)
			}
		}
		if board := len(tables[n[0]])%(n[0]/2) + 1; board != n[2] {
			t.Fatalf("row %v: board %d expected", row, board)
		}
		tables[n[0]] = append(tables[n[0]], game{n[1], row[3], row[4]})
	}
	return tables
}

// tableRound returns the round of the Berger table that a pairing of n bots belongs to, both from 1.
func tableRound(n, pairing int) int { return (pairing-1)/(n/2) + 1 }

func TestScheduleIsBerger(t *testing.T) {
	t.Parallel()
	tables := bergerTables(t)
	for _, even := range []int{4, 6, 8, 10, 12} {
		table := tables[even]
		if len(table) != even*(even-1)/2 {
			t.Fatalf("the table of %d players has %d games", even, len(table))
		}
		for _, n := range []int{even, even - 1} {
			var want []game
			for _, g := range table {
				if last := strconv.Itoa(even); n == even || g.First != last && g.Second != last {
					want = append(want, g)
				}
			}
			s := allPlayAll(named(n), 1)
			var got []game
			for number := 1; number <= s.Known(); number += 2 {
				key := s.Key(number)
				got = append(got, game{tableRound(n, s.Pairing(number)), key.South, key.North})
			}
			equal(t, fmt.Sprintf("%d bots", n), want, got)
		}
	}
}

// TestSchedulePairings: the pairs of a round-robin of three, in which y has the place of 2 in the table of four, and
// those of a gauntlet.
func TestSchedulePairings(t *testing.T) {
	t.Parallel()
	gauntlet := results.Tournament{Plan: results.Plan{
		Format: results.Gauntlet, Bots: []string{"x", "a", "y", "b"}, Challengers: []string{"y", "x"}, Pairs: 2,
	}}
	for name, test := range map[string]struct {
		s    *Schedule
		want []string
	}{
		"round-robin": {allPlayAll([]string{"x", "y", "z"}, 2), []string{
			"1: y - z, pair 1", "1: z - y, pair 1", "2: x - y, pair 1", "2: y - x, pair 1", "3: z - x, pair 1", "3: x - z, pair 1",
			"1: y - z, pair 2", "1: z - y, pair 2", "2: x - y, pair 2", "2: y - x, pair 2", "3: z - x, pair 2", "3: x - z, pair 2",
		}},
		"gauntlet": {New(gauntlet), []string{
			"1: y - a, pair 1", "1: a - y, pair 1", "2: x - a, pair 1", "2: a - x, pair 1",
			"3: y - b, pair 1", "3: b - y, pair 1", "4: x - b, pair 1", "4: b - x, pair 1",
			"1: y - a, pair 2", "1: a - y, pair 2", "2: x - a, pair 2", "2: a - x, pair 2",
			"3: y - b, pair 2", "3: b - y, pair 2", "4: x - b, pair 2", "4: b - x, pair 2",
		}},
	} {
		var got []string
		for number := 1; number <= test.s.Known(); number++ {
			got = append(got, fmt.Sprintf("%d: %v", test.s.Pairing(number), test.s.Key(number)))
		}
		equal(t, name, test.want, got)
	}
}

func TestNotInSchedule(t *testing.T) {
	t.Parallel()
	s := allPlayAll([]string{"x", "y", "z"}, 2)
	for _, key := range []results.Key{
		{},
		{South: "x", North: "x", Pair: 1},
		{South: "x", North: "w", Pair: 1},
		{South: "w", North: "x", Pair: 1},
		{South: "x", North: "y", Pair: 0},
		{South: "x", North: "y", Pair: -1},
		{South: "x", North: "y", Pair: 3},
	} {
		if number, ok := s.Number(key); ok {
			t.Errorf("%v is match %d", key, number)
		}
	}
}
