package main

import (
	"fmt"
	"io"
	"os"
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
	lines   io.Writer
	width   int           // of the terminal, in characters
	bars    *mpb.Progress // nil without a terminal
	bar     *mpb.Bar
	began   time.Time
	said    time.Time // when the last plain line was
	begunAt int       // played before this run
}

// sayEvery is the time between plain lines of progress.
const sayEvery = 5 * time.Second

func newProgress(w io.Writer, name string, played, total int) *progress {
	p := &progress{name: name, played: played, begunAt: played, total: total, lines: w, began: time.Now()}
	p.said = p.began
	if played > 0 && played < total {
		printLine(w, fmt.Sprintf("tournament %q goes on: %d of %d matches are played", name, played, total))
	}
	if f, ok := w.(*os.File); ok && isatty.IsTerminal(f.Fd()) && played < total {
		p.bars = mpb.New(mpb.WithOutput(w), mpb.WithWidth(40))
		p.lines = p.bars
		if width, _, err := cwriter.New(w).GetTermSize(); err == nil {
			p.width = width
		}
		p.bar = p.bars.AddBar(int64(total),
			mpb.PrependDecorators(decor.Name(name+" "), decor.CountersNoUnit("%d of %d ")),
			mpb.AppendDecorators(decor.NewPercentage("%d"), decor.Name("  "), decor.Elapsed(decor.ET_STYLE_GO)),
			mpb.BarRemoveOnComplete(),
		)
		p.bar.SetCurrent(int64(played))
	}
	return p
}

// tell takes an event of the run.
func (p *progress) tell(event arena.Event) {
	switch e := event.(type) {
	case arena.BotFailed:
		p.say("warning: %v; it loses its matches", e.Err)
	case arena.MatchVoid:
		p.say("match %d (%s) came to nothing and is played again: %s", e.Job.Slot, e.Job.Key, e.Reason)
	case arena.MatchEnded:
		p.played++
		if e.Record.Fault != results.NoFault && e.Record.Ending != results.EndStart {
			p.say("match %d (%s): %s loses by %s: %s", e.Slot, e.Record.Key, e.Record.FaultName(), e.Record.Ending, e.What)
		}
		if p.bar != nil {
			p.bar.SetCurrent(int64(p.played))
		} else if time.Since(p.said) >= sayEvery {
			p.sayPlayed()
		}
	}
}

func (p *progress) sayPlayed() {
	p.said = time.Now()
	p.say("%d of %d matches played, %v", p.played, p.total, time.Since(p.began).Round(time.Second))
}

// say prints a line. On a terminal it is cut to one row, so that the bar below
// it stays in its place.
func (p *progress) say(format string, args ...any) {
	line := []rune(fmt.Sprintf(format, args...))
	if p.width > 1 && len(line) > p.width {
		line = append(line[:p.width-1], '…')
	}
	printLine(p.lines, string(line))
}

// end takes the bar off the terminal.
func (p *progress) end() {
	if p.bar != nil {
		p.bar.Abort(true)
		p.bars.Wait()
	} else if p.played > p.begunAt {
		p.sayPlayed()
	}
}
