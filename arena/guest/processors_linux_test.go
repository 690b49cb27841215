package guest

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"
)

// TestClaims: two runs take different processors, and give them back.
func TestClaims(t *testing.T) {
	t.Parallel()
	prefix := fmt.Sprintf("@sembra-test-%d-", os.Getpid())
	run := func() *Pinning {
		return &Pinning{auto: true, share: 1, allowed: []int{0, 1}, claim: func(n int) (func(), bool) {
			return claimName(fmt.Sprint(prefix, n))
		}}
	}
	now := time.Now()
	seat := func(at *Pinning) []int {
		_, players := pair()
		at.Begin(players, now)
		return at.on
	}
	first, second, third := run(), run(), run()
	if got := [][]int{seat(first), seat(second), seat(third)}; fmt.Sprint(got) != "[[0] [1] []]" {
		t.Errorf("three runs have the processors %v", got)
	}
	first.Leave()
	if seat(third); len(third.on) > 0 {
		t.Errorf("a run tries again at once and has %v", third.on)
	}
	now = now.Add(tryAgain)
	if seat(third); !slices.Equal(third.on, []int{0}) {
		t.Errorf("when a run has ended, another one has %v", third.on)
	}
	third.Leave()

	second.Leave()
}
