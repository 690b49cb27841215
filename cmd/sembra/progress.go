package main

import (
	"fmt"
	"io"
	"time"

	"sembra/arena"
	"sembra/engine/show"
	"sembra/results"
)

// progress tells how a run goes, by live lines on a terminal and by plain lines
// elsewhere. It also prints a line for every fault of a bot and every failure of
// Sembra.
type progress struct {
	played  int
	total   int
	atMost  bool // the run may end before total is reached, as a sequential test does
	out     io.Writer
	lines   io.Writer       // out, above the live lines
	live    *live           // nil without a terminal
	aside   string          // a text beside the numbers
	after   int             // this many faults in a row disqualify a bot
	faults  int             // matches that a bot lost by a fault
	failed  map[string]bool // bots that the user knows to lose all their matches
	whats   map[string]int  // how often the line of a fault told this of the bot
	leaders *results.Leaders
	led     time.Time // when the live lines were told who leads
	began   time.Time
	said    time.Time // when the last line was printed
	saidAt  int       // played at that time
	begunAt int       // played before this run
}

// The times between lines of progress: the first comes early, to show that the
// run has begun and how fast it is.
const (
	sayFirst = time.Second
	sayEvery = 5 * time.Second
)

// newProgress tells of a run of total matches, of which some are recorded.
func newProgress(w io.Writer, t results.Tournament, recorded []results.Slotted, total int) *progress {
	played := len(recorded)
	p := &progress{
		played: played, begunAt: played, total: total, out: w, lines: w, began: time.Now(),
		atMost: t.Format == results.Sequential, after: t.DisqualifyAfter, failed: make(map[string]bool),
		whats:   make(map[string]int),
		leaders: results.NewLeaders(t),
	}
	p.said = p.began
	for _, match := range recorded {
		p.count(match.Summary)
	}
	if _, ok := terminalOf(w); ok && played < total {
		p.live = newLive(w, liveState{
			name: t.Name, played: int64(played), total: int64(total), atMost: p.atMost,
			began: p.began, faults: p.faults,
		})
		p.lines = p.live.bars
	}
	return p
}

// count counts a recorded match.
func (p *progress) count(s results.Summary) {
	p.leaders.Add(s)
	if s.Fault != results.NoFault {
		p.faults++
	}
}

// matches says how many matches have been played.
func (p *progress) matches() string {
	return counter(int64(p.played), int64(p.total), p.atMost) + " matches"
}

// counter says how many of the matches have been played.
func counter(played, total int64, atMost bool) string {
	if atMost && played < total {
		return fmt.Sprintf("%d of at most %d", played, total)
	}
	return fmt.Sprintf("%d of %d", played, total)
}

// remark sets the text beside the numbers.
func (p *progress) remark(text string) {
	p.aside = text
	p.live.change(func(s *liveState) { s.aside = text })
}

// lead tells who leads. It asks for what bots have beside their matches only if the
// live lines are drawn again.
func (p *progress) lead(merits func() map[string]results.Merit) {
	if p.live == nil || time.Since(p.led) < redraw {
		return
	}
	const most = 10
	p.led = time.Now()
	top := p.leaders.Top(most, merits())
	p.live.change(func(s *liveState) { s.leaders = top })
}

// grow sets the number of all matches, which the later stages of a tournament
// raise.
func (p *progress) grow(total int) {
	p.total = total
	p.live.change(func(s *liveState) { s.total = int64(total) })
}

// follow tells of the matches in play from now on.
func (p *progress) follow(feed *arena.Feed) { p.live.follow(feed) }

// wait says what the run waits for until its first match begins: for workers if there are any.
func (p *progress) wait(away bool) {
	if away {
		p.live.change(func(s *liveState) { s.waits = sayWaitsForWorkers })
	}
}

// tell tells of an event of the run.
func (p *progress) tell(event arena.Event) {
	switch {
	case event.Isolated != nil && event.Isolated.Less:
		p.say("isolation: %s", event.Isolated.Line)
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
		p.say("match %d (%s) failed, %s: %s", e.Job.Slot, e.Job.Key, next, e.Reason)
	case event.MatchEnded != nil:
		p.played++
		p.count(event.MatchEnded.Record.Summary)
		p.sayFault(event.MatchEnded)
		forfeited := event.MatchEnded.Disqualified != [2]bool{}
		p.live.change(func(s *liveState) {
			s.played, s.faults = int64(p.played), p.faults
			if !forfeited {
				s.paced++
			}
		})
		if p.live == nil && p.due() {
			p.sayPlayed()
		}
	}
}

// sayFault says which bot was at fault, unless the user knows that it loses all
// its matches.
func (p *progress) sayFault(e *arena.MatchEnded) {
	r := e.Record
	for seat, bot := range [2]string{r.South, r.North} {
		if e.Disqualified[seat] && !p.failed[bot] {
			p.failed[bot] = true
			p.say("%s is disqualified after %s in a row and forfeits its other matches", bot, plural(p.after, "fault", "faults"))
		}
	}
	switch {
	case r.Fault == results.NoFault || r.Ending == results.EndStart && (p.failed[r.South] || p.failed[r.North]):
	case r.Fault == results.BothFault:
		p.say("match %d (%s): both bots are at fault (%s), so there is no result: %s", e.Slot, r.Key, r.Ending, e.What)
	default:
		p.say("match %d (%s): %s loses (%s): %s", e.Slot, r.Key, r.FaultName(), r.Ending, p.what(r.FaultName(), e.What))
	}
}

// what returns what a bot did, but not a third time in full.
func (p *progress) what(bot, did string) string {
	const most = 2
	key := bot + ": " + did
	if p.whats[key]++; p.whats[key] > most {
		return sayAgain
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
	line := fmt.Sprintf(format, args...)
	if p.live == nil {
		printLine(p.lines, line)
		return
	}
	for _, row := range show.Wrap(line, max(1, terminalColumns(p.out)), "", "") {
		printLine(p.lines, "\r"+row) // the terminal may have printed ^C
	}
}

// end removes the live lines from the terminal, or else says how many matches have
// been played if that is wanted.
func (p *progress) end(last bool) {
	if p.live != nil {
		p.live.end(p.out)
		p.lines, p.live = p.out, nil
	} else if last && p.played > max(p.begunAt, p.saidAt) {
		p.sayPlayed()
	}
}
