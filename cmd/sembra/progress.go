package main

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"sembra/arena"
	"sembra/results"
)

// progress tells how a run goes, by a bar on a terminal and by lines elsewhere. It
// also prints a line for every fault of a bot and every failure of Sembra.
type progress struct {
	name    string
	played  int
	total   int
	atMost  bool // the run may end before total is reached, as a sequential test does
	lines   io.Writer
	width   int           // of the terminal, in characters
	bars    *mpb.Progress // nil without a terminal
	bar     *mpb.Bar
	after   int             // this many faults in a row withdraw a bot
	failed  map[string]bool // bots that the user knows to lose all their matches
	began   time.Time
	said    time.Time               // when the last line was printed
	saidAt  int                     // played at that time
	begunAt int                     // played before this run
	aside   *atomic.Pointer[string] // a text beside the numbers; the goroutine of the bar reads it
}

// The times between lines of progress: the first comes early, to show that the
// run has begun and how fast it is.
const (
	sayFirst = time.Second
	sayEvery = 5 * time.Second
)

func newProgress(w io.Writer, t results.Tournament, played, total int) *progress {
	name := t.Name
	p := &progress{
		name: name, played: played, begunAt: played, total: total, lines: w, began: time.Now(),
		atMost: t.Format == results.Sequential, after: t.WithdrawAfter, failed: make(map[string]bool),
		aside: new(atomic.Pointer[string]),
	}
	p.remark("")
	p.said = p.began
	if _, ok := terminalOf(w); ok && played < total {
		p.bars = mpb.New(mpb.WithOutput(w), mpb.WithWidth(40))
		p.lines, p.width = p.bars, terminalColumns(w)
		p.bar = p.bars.AddBar(int64(total),
			mpb.PrependDecorators(decor.Name(name+" "),
				decor.Any(func(s decor.Statistics) string { return counter(s.Current, s.Total, p.atMost) + " " })),
			mpb.AppendDecorators(decor.NewPercentage("%d"), decor.Name("  "), decor.Elapsed(decor.ET_STYLE_GO),
				decor.Any(func(decor.Statistics) string { return *p.aside.Load() })),
			mpb.BarRemoveOnComplete(),
		)
		p.bar.SetCurrent(int64(played))
	}
	return p
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
	if text != "" {
		text = ", " + text
	}
	p.aside.Store(&text)
}

// grow sets the number of all matches, which the later stages of a tournament
// raise.
func (p *progress) grow(total int) {
	if total == p.total {
		return
	}
	p.total = total
	if p.bar != nil {
		p.bar.SetTotal(int64(total), false)
	}
}

// tell tells of an event of the run.
func (p *progress) tell(event arena.Event) {
	switch {
	case event.Isolated != nil && event.Isolated.Less:
		p.say("isolation: %s", event.Isolated.Line)
	case event.BotFailed != nil:
		p.failed[event.BotFailed.Bot] = true
		p.say("warning: %s; it loses its matches", event.BotFailed.What)
	case event.MatchVoid != nil:
		e, next := event.MatchVoid, "so the run ends"
		if e.Again {
			next = "and Sembra plays it again"
		}
		p.say("match %d (%s) failed, %s: %s", e.Job.Slot, e.Job.Key, next, e.Reason)
	case event.MatchEnded != nil:
		p.played++
		p.sayFault(event.MatchEnded)
		if p.bar != nil {
			p.bar.SetCurrent(int64(p.played))
		} else if p.due() {
			p.sayPlayed()
		}
	}
}

// sayFault says which bot was at fault, unless the user knows that it loses all
// its matches.
func (p *progress) sayFault(e *arena.MatchEnded) {
	r := e.Record
	for seat, bot := range [2]string{r.South, r.North} {
		if e.Withdrawn[seat] && !p.failed[bot] {
			p.failed[bot] = true
			p.say("%s is withdrawn after %s in a row and forfeits its other matches", bot, plural(p.after, "fault", "faults"))
		}
	}
	switch {
	case r.Fault == results.NoFault || r.Ending == results.EndStart && (p.failed[r.South] || p.failed[r.North]):
	case r.Fault == results.BothFault:
		p.say("match %d (%s): both bots are at fault (%s), so there is no result: %s", e.Slot, r.Key, r.Ending, e.What)
	default:
		p.say("match %d (%s): %s loses (%s): %s", e.Slot, r.Key, r.FaultName(), r.Ending, e.What)
	}
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
	p.say("%s played, %v%s", p.matches(), time.Since(p.began).Round(time.Second), *p.aside.Load())
}

// say prints a line. On a terminal it breaks the line into rows, so that the bar
// below stays in its place.
func (p *progress) say(format string, args ...any) {
	line := []rune(fmt.Sprintf(format, args...))
	for ; p.width > 0 && len(line) > p.width; line = line[p.width:] {
		printLine(p.lines, string(line[:p.width]))
	}
	printLine(p.lines, string(line))
}

// end removes the bar from the terminal.
func (p *progress) end() {
	if p.bar != nil {
		p.bar.Abort(true)
		p.bars.Wait()
	} else if p.played > max(p.begunAt, p.saidAt) {
		p.sayPlayed()
	}
}
