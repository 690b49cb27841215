package main

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/cwriter"
	"github.com/vbauerster/mpb/v8/decor"

	"sembra/arena"
	"sembra/results"
)

// progress tells how a run goes: a bar on a terminal, else plain lines. What a
// person should know of a match, a fault or a failure, is a line of its own.
type progress struct {
	name    string
	played  int
	total   int
	atMost  bool // the run may end before total is reached, as a test does that is decided
	lines   io.Writer
	width   int           // of the terminal, in characters
	bars    *mpb.Progress // nil without a terminal
	bar     *mpb.Bar
	after   int             // faults in a row, after which a bot is withdrawn
	failed  map[string]bool // bots that were said to lose their matches
	began   time.Time
	said    time.Time               // when the last plain line was
	saidAt  int                     // played then
	begunAt int                     // played before this run
	aside   *atomic.Pointer[string] // what is said beside the numbers; the bar reads it from a goroutine of its own
}

// sayEvery is the time between plain lines of progress.
const sayEvery = 5 * time.Second

func newProgress(w io.Writer, t results.Tournament, played, total int) *progress {
	name := t.Name
	p := &progress{
		name: name, played: played, begunAt: played, total: total, lines: w, began: time.Now(),
		atMost: t.Format == results.Sequential, after: t.WithdrawAfter, failed: make(map[string]bool), aside: new(atomic.Pointer[string]),
	}
	p.remark("")
	p.said = p.began
	if played > 0 && played < total {
		printLine(w, fmt.Sprintf("tournament %q goes on: %s are played", name, p.matches()))
	}
	if f, ok := w.(*os.File); ok && isatty.IsTerminal(f.Fd()) && played < total {
		p.bars = mpb.New(mpb.WithOutput(w), mpb.WithWidth(40))
		p.lines = p.bars
		if width, _, err := cwriter.New(w).GetTermSize(); err == nil {
			p.width = width
		}
		p.bar = p.bars.AddBar(int64(total),
			mpb.PrependDecorators(decor.Name(name+" "), decor.Any(func(s decor.Statistics) string { return counter(s.Current, s.Total, p.atMost) + " " })),
			mpb.AppendDecorators(decor.NewPercentage("%d"), decor.Name("  "), decor.Elapsed(decor.ET_STYLE_GO),
				decor.Any(func(decor.Statistics) string { return *p.aside.Load() })),
			mpb.BarRemoveOnComplete(),
		)
		p.bar.SetCurrent(int64(played))
	}
	return p
}

// matches says how many matches are played.
func (p *progress) matches() string {
	return counter(int64(p.played), int64(p.total), p.atMost) + " matches"
}

// counter says how many of how many there are.
func counter(played, total int64, atMost bool) string {
	if atMost && played < total {
		return fmt.Sprintf("%d of at most %d", played, total)
	}
	return fmt.Sprintf("%d of %d", played, total)
}

// remark sets what is said beside the numbers.
func (p *progress) remark(text string) {
	if text != "" {
		text = ", " + text
	}
	p.aside.Store(&text)
}

// grow changes how many matches there are to be played in all.
func (p *progress) grow(total int) {
	if total == p.total {
		return
	}
	p.total = total
	if p.bar != nil {
		p.bar.SetTotal(int64(total), false)
	}
}

// tell takes an event of the run.
func (p *progress) tell(event arena.Event) {
	switch {
	case event.Isolated != nil && event.Isolated.Less:
		p.say("isolation: %s", event.Isolated.Line)
	case event.BotFailed != nil:
		p.failed[event.BotFailed.Bot] = true
		p.say("warning: %s; it loses its matches", event.BotFailed.What)
	case event.MatchVoid != nil:
		e, next := event.MatchVoid, "the run ends"
		if e.Again {
			next = "it is played again"
		}
		p.say("match %d (%s) came to nothing, %s: %s", e.Job.Slot, e.Job.Key, next, e.Reason)
	case event.MatchEnded != nil:
		p.played++
		p.sayFault(event.MatchEnded)
		if p.bar != nil {
			p.bar.SetCurrent(int64(p.played))
		} else if time.Since(p.said) >= sayEvery {
			p.sayPlayed()
		}
	}
}

// sayFault says which bot was at fault, unless that was said of all its
// matches.
func (p *progress) sayFault(e *arena.MatchEnded) {
	r := e.Record
	for seat, bot := range [2]string{r.South, r.North} {
		if e.Withdrawn[seat] && !p.failed[bot] {
			p.failed[bot] = true
			p.say("%s is withdrawn after %s in a row: it forfeits the rest", bot, plural(p.after, "fault", "faults"))
		}
	}
	switch {
	case r.Fault == results.NoFault || r.Ending == results.EndStart && (p.failed[r.South] || p.failed[r.North]):
	case r.Fault == results.BothFault:
		p.say("match %d (%s): no result by %s of both: %s", e.Slot, r.Key, r.Ending, e.What)
	default:
		p.say("match %d (%s): %s loses by %s: %s", e.Slot, r.Key, r.FaultName(), r.Ending, e.What)
	}
}

func (p *progress) sayPlayed() {
	p.said, p.saidAt = time.Now(), p.played
	p.say("%s played, %v%s", p.matches(), time.Since(p.began).Round(time.Second), *p.aside.Load())
}

// say prints a line. On a terminal it is broken into rows, so that the bar
// below it stays in its place.
func (p *progress) say(format string, args ...any) {
	line := []rune(fmt.Sprintf(format, args...))
	for ; p.width > 0 && len(line) > p.width; line = line[p.width:] {
		printLine(p.lines, string(line[:p.width]))
	}
	printLine(p.lines, string(line))
}

// end takes the bar off the terminal.
func (p *progress) end() {
	if p.bar != nil {
		p.bar.Abort(true)
		p.bars.Wait()
	} else if p.played > max(p.begunAt, p.saidAt) {
		p.sayPlayed()
	}
}
