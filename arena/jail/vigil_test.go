package jail

import (
	"testing"
	"time"
)

// TestUsedSince: what counts in a pause. Process 1 is the jail's init.
func TestUsedSince(t *testing.T) {
	t.Parallel()
	type times = map[int]time.Duration
	for name, test := range map[string]struct {
		before, now times
		want        time.Duration
	}{
		"nobody runs":                        {times{1: 5, 7: 100, 8: 20}, times{1: 5, 7: 100, 8: 20}, 0},
		"one runs":                           {times{1: 5, 7: 100, 8: 20}, times{1: 5, 7: 130, 8: 20}, 30},
		"a new process":                      {times{1: 5, 7: 100}, times{1: 5, 7: 100, 9: 12}, 12},
		"an orphan that was stopped dies":    {times{1: 5, 7: 100, 8: 20}, times{1: 25, 7: 100}, 0},
		"orphans begin, run and die":         {times{1: 5, 7: 100}, times{1: 65, 7: 100}, 60},
		"an orphan runs on and dies":         {times{1: 5, 7: 100, 8: 20}, times{1: 65, 7: 100}, 40},
		"a dead process hides no living one": {times{1: 5, 7: 100, 8: 900}, times{1: 5, 7: 130}, 30},
	} {
		if got := usedSince(test.before, test.now, 1); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
}
