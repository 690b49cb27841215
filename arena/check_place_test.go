package arena

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// resting is a launcher of bots that use no processor time.
type resting struct{ Launcher }

func (r resting) Launch(ctx context.Context, n *Nursery) (Bot, error) {
	b, err := r.Launcher.Launch(ctx, n)
	return rested{b}, err
}

type rested struct{ Bot }

func (rested) CPU() (time.Duration, bool) { return 0, true }

// TestCheckAll: many bots that hang are waited for at the same time, but bots that work
// are examined one after another, as far as there are processors.
func TestCheckAll(t *testing.T) {
	t.Parallel()
	silent := fake{line: stuckAt("mbi 1")}
	bots := 1 + runtime.GOMAXPROCS(0)
	for _, test := range []struct {
		name     string
		launcher Launcher
		together bool
	}{
		{"rest", resting{silent}, true},
		{"work", pondering{silent}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := newCheck(t, silent)
				tour := Tournament{Rules: c.Rules, Time: TimeControl{Startup: c.Startup, Watchdog: c.Watchdog}}
				for i := range bots {
					tour.Entries = append(tour.Entries, Entry{Name: fmt.Sprintf("bot%d", i), Launcher: test.launcher})
				}
				begun := time.Now()
				all, _, err := tour.CheckAll(t.Context(), func(int) {})
				if err != nil {
					t.Fatal(err)
				}
				took := time.Since(begun)
				settle()
				for _, one := range all {
					if got := findings(one.Points).of("handshake", Failed); !strings.HasPrefix(got, "nothing at all") {
						t.Errorf("%s: %q", one.Bot, got)
					}
				}
				one := c.Startup
				if together := took < 2*one; together != test.together {
					t.Errorf("%d bots took %v, of which each takes at least %v", bots, took, one)
				}
			})
		})
	}
}
