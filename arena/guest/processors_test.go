package guest

import (
	"slices"
	"testing"

	"sembra/engine/expect"
)

// TestShareProcessors: each table gets processors of its own, or no table gets any.
func TestShareProcessors(t *testing.T) {
	t.Parallel()
	allowed := []int{4, 5, 6, 7}
	for _, test := range []struct {
		name         string
		each, tables int
		others       []int // processors that another run has
		want         [][]int
		err          string
	}{
		{name: "one for each", each: 1, tables: 3, want: [][]int{{4}, {5}, {6}}},
		{name: "two for each", each: 2, tables: 2, want: [][]int{{4, 5}, {6, 7}}},
		{name: "beside another run", each: 1, tables: 2, others: []int{4, 6}, want: [][]int{{5}, {7}}},
		{name: "none", each: 0, tables: 2, want: [][]int{nil, nil}},
		{
			name: "too few", each: 1, tables: 5, want: make([][]int, 5),
			err: "5 are needed, and 4 are free",
		},
		{
			name: "other runs have too many", each: 2, tables: 1, others: []int{4, 5, 6}, want: [][]int{nil},
			err: "2 are needed, and 1 is free",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			taken := slices.Clone(test.others)
			claim := func(n int) (release func(), ok bool) {
				if slices.Contains(taken, n) {
					return nil, false
				}
				taken = append(taken, n)
				return func() { taken = slices.DeleteFunc(taken, func(other int) bool { return other == n }) }, true
			}
			shares, release, err := shareProcessors(test.each, test.tables, allowed, claim)
			expect.Equal(t, "the shares", test.want, shares)
			why := ""
			if err != nil {
				why = err.Error()
			}
			expect.Equal(t, "why no table gets any", test.err, why)
			release()
			if !slices.Equal(taken, test.others) {
				t.Errorf("%v are taken afterwards", taken)
			}
		})
	}
}

// TestBind: a bot is bound once to processors on which it does not run.
func TestBind(t *testing.T) {
	t.Parallel()
	bots, players := pair()
	players[0].on = []int{1}
	players[0].Bind([]int{1})
	if bots[0].on != nil {
		t.Error("it is bound again")
	}
	players[0].Bind([]int{2})
	expect.Equal(t, "it is bound to", []int{2}, bots[0].on)
}
