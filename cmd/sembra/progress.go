package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/urfave/cli/v2"
	"github.com/vbauerster/mpb/v8"

	"sembra/arena"
	"sembra/engine"
	"sembra/engine/show"
	"sembra/results"
	"sembra/results/safe"
)

// progress shows how a run goes, by live lines on a terminal and by plain lines elsewhere. It also prints a line for
// every fault of a bot and every failure of Sembra. One goroutine reports to it what happens; any may say a line.
type progress struct {
	out     io.Writer
	after   int             // this many faults in a row disqualify a bot
	failed  map[string]bool // bots that the user knows to lose all their matches
	whats   map[string]int  // how often the line of a fault said this of the bot
	ranking *results.Leaders
	led     time.Time // when the live lines last learned who leads
	said    time.Time // when the last line was printed
	saidAt  int       // played at that time
	begunAt int       // played before this run

	mu sync.Mutex // guards what follows: the goroutine of the terminal draws it
	liveState
	feed *arena.Feed   // of the matches in play; nil: nobody follows them
	bars *mpb.Progress // the live lines; nil: there are none
	bar  *mpb.Bar
}

// The times between lines of progress: the first comes early, to show that the
// run has begun and how fast it is.
const (
	sayFirst = time.Second
	sayEvery = 5 * time.Second
)

// newProgress shows a run of total matches, of which some are recorded.
func newProgress(w io.Writer, t results.Tournament, recorded []results.Numbered, total int) *progress {
	now := time.Now()
	p := &progress{
		out: w, after: t.DisqualifyAfter, failed: make(map[string]bool), whats: make(map[string]int),
		ranking: t.Leaders(), said: now, begunAt: len(recorded),
		liveState: liveState{name: t.Name, total: total, atMost: t.Format == results.Sequential, began: now},
	}
	for _, match := range recorded {
		p.count(match.Summary)
	}
	if _, ok := terminalOf(w); ok && p.played < total {
		p.draw()
	}
	return p
}

// change changes what the live lines show.
func (p *progress) change(how func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	how()
}

// count counts a recorded match.
func (p *progress) count(s results.Summary) {
	p.ranking.Add(s)
	p.change(func() {
		p.played++
		if s.Fault != results.NoFault {
			p.faults++
		}
	})
}

// matches says how many matches have been played.
func (p *progress) matches() string { return counter(p.played, p.total, p.atMost) + " matches" }

// counter says how many of the matches have been played.
func counter(played, total int, atMost bool) string {
	if atMost && played < total {
		return fmt.Sprintf("%d of at most %d", played, total)
	}
	return fmt.Sprintf("%d of %d", played, total)
}

// stand sets the number of all matches, which the later stages of a tournament raise, and the text beside the numbers. It
// asks for what bots have beside their matches, and who leads, only if the live lines are drawn again.
func (p *progress) stand(total int, aside string, merits func() map[string]results.Merit) {
	top := p.leaders
	if p.bars != nil && time.Since(p.led) >= redraw {
		const most = 10
		p.led, top = time.Now(), p.ranking.Top(most, merits())
	}
	p.change(func() { p.total, p.aside, p.leaders = total, aside, top })
}

// follow shows the matches in play from now on, and before the first one what the run waits for.
func (p *progress) follow(feed *arena.Feed) {
	p.change(func() { p.feed, p.plays, p.waits = feed, true, sayStarts })
}

// tell reports an event of the run.
func (p *progress) tell(event arena.Event) {
	switch {
	case event.Isolated != nil && event.Isolated.Less:
		p.say("isolation: %s", event.Isolated.Line)
	case event.Unbound != nil:
		p.say("bots are not bound to processors: %v", event.Unbound.Why)
	case event.BotFailed != nil:
		p.failed[event.BotFailed.Bot] = true
		if event.BotFailed.Forfeits {
			p.say("warning: %s; it loses its matches", event.BotFailed.What)
		} else {
			p.say("%s", event.BotFailed.What)
		}
	case event.MatchVoid != nil:
		e, next := event.MatchVoid, "so the run ends"
		if e.Again {
			next = "and Sembra plays it again"
		}
		p.say("match %d (%s) failed, %s: %s", e.Job.Number, e.Job.Key, next, e.Reason)
	case event.MatchEnded != nil:
		p.count(event.MatchEnded.Record.Summary)
		if event.MatchEnded.Record.Forfeit == 0 {
			p.change(func() { p.paced++ })
		}
		p.sayFault(event.MatchEnded)
		if p.bars == nil && p.due() {
			p.sayPlayed()
		}
	}
}

// sayFault says which bot was at fault, unless the user knows that it loses all
// its matches.
func (p *progress) sayFault(e *arena.MatchEnded) {
	r, what := e.Record, ""
	if r.Evidence != nil {
		what = r.Evidence.What
	}
	for seat, bot := range [2]string{r.South, r.North} {
		if r.Forfeit.Disqualified(engine.Seat(seat)) && !p.failed[bot] {
			p.failed[bot] = true
			p.say("%s is disqualified after %s in a row and forfeits its other matches", bot, plural(p.after, "fault", "faults"))
		}
	}
	switch {
	case r.Fault == results.NoFault || r.Ending == results.EndStart && (p.failed[r.South] || p.failed[r.North]):
	case r.Fault == results.BothFault:
		p.say("match %d (%s): both bots are at fault (%s), so there is no result: %s", e.Number, r.Key, r.Ending, what)
	default:
		p.say("match %d (%s): %s loses (%s): %s", e.Number, r.Key, r.FaultName(), r.Ending, p.what(r.FaultName(), what))
	}
}

// what returns what a bot did, but not a third time in full.
func (p *progress) what(bot, did string) string {
	const most = 2
	key := bot + ": " + did
	if p.whats[key]++; p.whats[key] > most {
		return "the same as before"
	}
	return did
}

// due reports whether it is time for a line of progress.
func (p *progress) due() bool {
	if p.said.Equal(p.began) {
		return time.Since(p.said) >= sayFirst
	}
	return time.Since(p.said) >= sayEvery
}

func (p *progress) sayPlayed() {
	p.said, p.saidAt = time.Now(), p.played
	aside := ""
	if p.aside != "" {
		aside = ", " + p.aside
	}
	p.say("%s played, %v%s", p.matches(), time.Since(p.began).Round(time.Second), aside)
}

// say prints a line. On a terminal it breaks the line between words.
func (p *progress) say(format string, args ...any) {
	p.mu.Lock()
	bars := p.bars
	p.mu.Unlock()
	line := safe.Lines(fmt.Sprintf(format, args...))
	if bars == nil {
		printLine(p.out, line)
		return
	}
	for _, row := range show.Wrap(line, max(1, terminalColumns(p.out)), "", "") {
		printLine(bars, "\r"+row) // the terminal may have printed ^C
	}
}

// end removes the live lines from the terminal, or else says how many matches have been played if that is wanted.
func (p *progress) end(last bool) {
	if p.bars == nil {
		if last && p.played > max(p.begunAt, p.saidAt) {
			p.sayPlayed()
		}
		return
	}
	p.bar.Abort(true)
	p.bars.Wait()
	// What the terminal itself has printed, such as ^C, may have moved the cursor from the left edge.
	_, _ = io.WriteString(p.out, "\r\x1b[J")
	p.change(func() { p.bars = nil })
}

// watch returns a function that reports from time to time how many things a command has done. A total of 0 is unknown.
func watch(c *cli.Context, did string) func(done, total int) {
	began := time.Now()
	next := began.Add(sayFirst)
	return func(done, total int) {
		now := time.Now()
		if now.Before(next) {
			return
		}
		next = now.Add(sayEvery)
		of := ""
		if total > 0 {
			of = fmt.Sprintf(" of %d", total)
		}
		say(c.App.ErrWriter, "%d%s %s, %v", done, of, did, now.Sub(began).Round(time.Second))
	}
}
