package check

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"

	"sembra/arena"
	"sembra/arena/guest"
)

// Checked is what a check saw of one bot of a tournament.
type Checked struct {
	Bot    string
	Points []Point // in their order; without what is [Told]
}

// All examines all bots of a tournament as [Check] does, with the tournament's ruleset, limits and isolation. A bot
// that the tournament would refuse has failed. So that no bot loses time to another, fewer of them are examined at the
// same time than there are processors. All returns the bots in the order of the tournament, and what they are isolated
// from ("" without isolation). It calls done with the number of bots that are over, one call after the other.
func All(ctx context.Context, t *arena.Tournament, done func(int)) (all []Checked, isolation string, err error) {
	entries := t.Playing()
	if t.Isolation.Mode != arena.NoIsolation && t.Isolation.Mode != "" {
		entries = slices.DeleteFunc(t.Secluded(), func(e guest.Entry) bool { return e.Withdrawn })
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	all = make([]Checked, len(entries))
	slots := make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1))
	var mu sync.Mutex // guards isolation and over
	over := 0
	var checks sync.WaitGroup
	for i, entry := range entries {
		checks.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if ctx.Err() != nil {
				return
			}
			all[i].Bot = entry.Name
			check := Check{
				Entry: entry, Rules: t.Rules, Rounds: t.Rules.Info().Rounds,
				Startup: t.Time.Startup, Watchdog: t.Time.Watchdog, Isolation: t.Isolation,
			}
			told := ""
			err := check.Run(ctx, func(p Point) {
				if p.State == Told {
					told = p.What
				} else {
					all[i].Points = append(all[i].Points, p)
				}
			})
			if wrong := new(guest.ConfigError); errors.As(err, &wrong) {
				all[i].Points = append(all[i].Points, Point{Name: "tournament", State: Failed, What: wrong.Err.Error()})
			} else if err != nil {
				cancel(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			isolation = max(isolation, told)
			over++
			done(over)
		})
	}
	checks.Wait()
	return all, isolation, context.Cause(ctx)
}
