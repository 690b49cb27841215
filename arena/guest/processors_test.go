package guest

import (
	"slices"
	"testing"
	"time"

	"sembra/arena/sandbox"
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

// TestPinning: where the bots of a table run, when they have got so much of their
// processors for some time.
func TestPinning(t *testing.T) {
	t.Parallel()
	all := []int{4, 5, 6, 7}
	percent := func(n int) time.Duration { return time.Duration(n) * lookEvery / 100 }
	for _, test := range []struct {
		name          string
		auto          bool
		share         int
		threads       int   // of South, which thinks; North waits
		ran, waited   int   // percent of the time of each thread
		turns         int64 // of each thread at every look
		works         bool
		others        []int // processors that another run has
		begin, soon   []int
		later, atLast []int // when tryAgain is over, with the same and with other bots
	}{
		{
			name: "one thread", auto: true, threads: 1, ran: 95, waited: 5, turns: 20,
			begin: []int{4}, soon: []int{4}, later: []int{4}, atLast: []int{4},
		},
		{
			name: "several threads", auto: true, threads: 3, ran: 33, waited: 66, turns: 9,
			begin: []int{4}, soon: all, later: all, atLast: []int{4},
		},
		{
			name: "another program", auto: true, threads: 1, ran: 50, waited: 50, turns: 20,
			begin: []int{4}, soon: all, later: []int{4}, atLast: []int{4},
		},
		{
			name: "another program and a bot that works while it waits", auto: true, threads: 1, ran: 50, waited: 50, turns: 20, works: true,
			begin: []int{4}, soon: []int{4}, later: []int{4}, atLast: []int{4},
		},
		{
			name: "many short waits for the runner", auto: true, threads: 1, ran: 30, waited: 40, turns: 5000,
			begin: []int{4}, soon: []int{4}, later: []int{4}, atLast: []int{4},
		},
		{
			name: "a number", share: 2, threads: 3, ran: 10, waited: 60, turns: 9, others: []int{5},
			begin: []int{4, 6}, soon: []int{4, 6}, later: []int{4, 6}, atLast: []int{4, 6},
		},
		{
			name: "a number that is not free", share: 2, threads: 1, ran: 95, turns: 20, others: []int{4, 5, 6},
		},
		{
			name: "other runs have all", auto: true, threads: 1, ran: 95, turns: 20, others: all,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			taken := make(claims)
			for _, n := range test.others {
				taken[n] = true
			}
			at := &Pinning{auto: test.auto, share: max(1, test.share), allowed: all, claim: taken.claim}
			now := time.Now()
			bots, players := pair()
			players[0].waiting.found = test.works
			see := func(when string, want []int) {
				t.Helper()
				for i, bot := range bots {
					if !slices.Equal(bot.on, want) {
						t.Errorf("%s: bot %d is bound to %v, want %v", when, i, bot.on, want)
					}
				}
			}
			look := func(times int) {
				for range times {
					now = now.Add(lookEvery)
					before := bots[0].threads
					bots[0].threads = make(map[int]sandbox.Thread)
					for n := range test.threads {
						had := before[n]
						had.Ran += percent(test.ran)
						had.Waited += percent(test.waited)
						had.Turns += test.turns
						bots[0].threads[n] = had
					}
					at.look(now)
				}
			}
			at.Begin(players, now)
			see("at first", test.begin)
			look(3)
			see("soon", test.soon)
			now = now.Add(tryAgain)
			look(1)
			see("later", test.later)
			bots, players = pair()
			at.Begin(players, now)
			see("with other bots", test.atLast)
			at.Leave()
			for _, n := range all {
				if taken[n] != slices.Contains(test.others, n) {
					t.Errorf("processor %d is taken afterwards: %v", n, taken[n])
				}
			}
		})
	}
}

// TestNewThreads: the times of threads that have just begun count, and those of
// threads that have ended do not.
func TestNewThreads(t *testing.T) {
	t.Parallel()
	bots, _ := pair()
	now := time.Now()
	var s sample
	bots[0].threads = map[int]sandbox.Thread{1: {Ran: time.Hour, Waited: time.Hour}, 2: {Ran: 5, Waited: 5, Turns: 5}}
	if _, since := s.advance(bots[0], now); since != 0 {
		t.Errorf("the first sample is %v after another", since)
	}
	bots[0].threads = map[int]sandbox.Thread{2: {Ran: 7, Waited: 6, Turns: 8}, 3: {Ran: 10, Waited: 20, Turns: 30}}
	had, since := s.advance(bots[0], now.Add(time.Second))
	if want := (sandbox.Thread{Ran: 12, Waited: 21, Turns: 33}); had != want || since != time.Second {
		t.Errorf("%+v in %v, want %+v", had, since, want)
	}
}
