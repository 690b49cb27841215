package guest

import (
	"slices"
	"testing"
	"time"
)

// claims gives each processor to one table at a time.
type claims map[int]bool

func (c claims) claim(n int) (release func(), ok bool) {
	if c[n] {
		return nil, false
	}
	c[n] = true
	return func() { c[n] = false }, true
}

// TestPinning: where the bots of a table run in their first match and in later ones.
func TestPinning(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name         string
		share        int
		alone        bool          // there is no other table
		used         time.Duration // CPU time of one of the bots for a second of thought
		others       []int         // processors that another run has
		first, later []int
	}{
		{name: "one thread", share: AutoProcessors, used: time.Second, later: []int{4}},
		{name: "several threads", share: AutoProcessors, used: 2 * time.Second},
		{name: "seldom several threads", share: AutoProcessors, used: 1200 * ms, later: []int{4}},
		{name: "seldom several threads, alone", share: AutoProcessors, alone: true, used: 1200 * ms},
		{name: "one thread, alone", share: AutoProcessors, alone: true, used: time.Second, later: []int{4}},
		{name: "unknown", share: AutoProcessors, used: -1},
		{name: "beside another run", share: AutoProcessors, used: time.Second, others: []int{4, 6}, later: []int{5}},
		{name: "other runs have all", share: AutoProcessors, used: time.Second, others: []int{4, 5, 6, 7}},
		{name: "a number", share: 2, used: 2 * time.Second, others: []int{5}, first: []int{4, 6}, later: []int{4, 6}},
		{name: "a number that is not free", share: 2, used: time.Second, others: []int{4, 5, 6}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			taken := make(claims)
			for _, n := range test.others {
				taken[n] = true
			}
			tables := 2
			if test.alone {
				tables = 1
			}
			all := newPinnings(test.share, tables, []int{4, 5, 6, 7}, taken.claim)
			at := all[0]
			bots, players := pair()
			for match, want := range [][]int{test.first, test.later, test.later} {
				at.Begin(players)
				for i, bot := range bots {
					if !slices.Equal(bot.on, want) {
						t.Errorf("match %d: bot %d is bound to %v, want %v", match, i, bot.on, want)
					}
				}
				at.End("0", time.Second, time.Second)
				at.End("1", time.Second, test.used)
			}
			_, others := pair()
			others[0].Entry.Name = "new"
			at.Begin([2]*Player{players[1], others[0]})
			if at.auto && bots[1].on != nil && !slices.Equal(bots[1].on, at.allowed) {
				t.Errorf("beside a bot that has not played, it is bound to %v", bots[1].on)
			}
			for _, at := range all {
				at.Leave()
			}
			for n := range taken {
				if taken[n] != slices.Contains(test.others, n) {
					t.Errorf("processor %d is taken afterwards: %v", n, taken[n])
				}
			}
		})
	}
}
