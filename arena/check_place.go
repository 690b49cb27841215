package arena

import (
	"context"
	"sync"
	"time"
)

// checkPlace is the place of one check among those that may use a processor at the
// same time. A check gives its place up while its bot waits, and takes a place before
// it asks the bot something new. A check with a nil checkPlace is alone and never waits.
type checkPlace struct {
	free chan struct{} // holds one element for each free place
	ctx  context.Context

	mu    sync.Mutex // guards what follows
	held  bool
	bot   Bot           // that runs; nil: none
	since time.Time     // when the bot last worked or was asked
	used  time.Duration // the bot's processor time at that time
}

const (
	// restsFor is how long a bot uses no processor time before its check gives the
	// place up. This is long for a bot that works, and short beside the seconds that a
	// check waits for a bot that hangs.
	restsFor = 500 * time.Millisecond

	// restLook is the time between two looks at a bot.
	restLook = 100 * time.Millisecond

	// restUse is the processor time that a bot may use in restsFor and still rests.
	// It leaves room for a loop that sleeps.
	restUse = restsFor / 50
)

// newCheckPlace returns a place that is not taken yet. Until the context is done, the
// place is given up whenever the bot rests.
func newCheckPlace(ctx context.Context, free chan struct{}) *checkPlace {
	p := &checkPlace{free: free, ctx: ctx}
	go func() {
		tick := time.NewTicker(restLook)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case now := <-tick.C:
				p.look(now)
			}
		}
	}()
	return p
}

// take waits for a free place, unless the check has one already or the context is done.
func (p *checkPlace) take() {
	if p == nil {
		return
	}
	p.mu.Lock()
	held := p.held
	p.since = time.Now()
	p.mu.Unlock()
	if held {
		return
	}
	select {
	case <-p.free:
	case <-p.ctx.Done():
		return
	}
	p.mu.Lock()
	p.held, p.since = true, time.Now()
	p.mu.Unlock()
}

// give gives the place up.
func (p *checkPlace) give() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held {
		p.held = false
		p.free <- struct{}{}
	}
}

// look gives the place up if the bot rests. A bot whose processor time is not known
// never rests.
func (p *checkPlace) look(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.held || p.bot == nil {
		return
	}
	used, known := p.bot.CPU()
	if !known || used > p.used+restUse || p.bot.Busy() {
		p.since, p.used = now, used
		return
	}
	if now.Sub(p.since) >= restsFor {
		p.held = false
		p.free <- struct{}{}
	}
}

// watch notes which bot runs; nil: none.
func (p *checkPlace) watch(b Bot) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bot, p.since, p.used = b, time.Now(), 0
}

// watched is a launcher that tells a place of each bot.
type watched struct {
	Launcher
	place *checkPlace
}

// Launch starts a bot and lets the place watch it.
func (w watched) Launch(ctx context.Context, n *Nursery) (Bot, error) {
	b, err := w.Launcher.Launch(ctx, n)
	if err == nil {
		w.place.watch(b)
	}
	return b, err
}
