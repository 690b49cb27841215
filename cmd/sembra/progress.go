package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/clipperhouse/displaywidth"
	"github.com/urfave/cli/v2"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"sembra/arena"
	"sembra/engine"
	"sembra/results"
	"sembra/results/safe"
)

// progress shows how a run goes, by live lines on a terminal and by plain lines elsewhere. It also prints a line for
// every fault of a bot and every failure of Sembra. One goroutine reports to it what happens; any may say a line.
type progress struct {
	out     io.Writer
	after   int             // this many faults in a row disqualify a bot
	failed  map[string]bool // bots that the user knows to lose all their matches
	causes  map[string]int  // how often a line about a fault gave this cause, by the bot and the cause
	ranking *results.Leaders
	led     time.Time // when the live lines last learned who leads
	printed time.Time // when the last line was printed
	counted int       // played at that time
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
		out: w, after: t.DisqualifyAfter, failed: make(map[string]bool), causes: make(map[string]int),
		ranking: t.Leaders(), printed: now, begunAt: len(recorded),
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

func (p *progress) count(s results.Summary) {
	p.ranking.Add(s)
	p.change(func() {
		p.played++
		if s.Fault != results.NoFault {
			p.faults++
		}
	})
}

func (p *progress) matches() string { return counter(p.played, p.total, p.atMost) + " matches" }

func counter(played, total int, atMost bool) string {
	if atMost && played < total {
		return fmt.Sprintf("%d of at most %d", played, total)
	}
	return fmt.Sprintf("%d of %d", played, total)
}

// update sets the number of all matches, which the later stages of a tournament raise, and the text beside the numbers.
// It asks for what bots have beside their matches, and who leads, only if the live lines are drawn again.
func (p *progress) update(total int, aside string, merits func() map[string]results.StageResult) {
	p.change(func() { p.total, p.aside = total, aside })
	if p.bars == nil || time.Since(p.led) < redraw {
		return
	}
	const most = 10
	p.led = time.Now()
	top := p.ranking.Top(most, merits())
	p.change(func() { p.leaders = top })
}

// follow shows the matches in play from now on, and before the first one what the run waits for.
func (p *progress) follow(feed *arena.Feed) {
	p.change(func() { p.feed, p.plays, p.waits = feed, true, sayStarts })
}

func (p *progress) print(event arena.Event) {
	switch {
	case event.Isolated != nil && event.Isolated.Less:
		p.say("isolation: %s", event.Isolated.Brief)
	case event.Unbound != nil:
		p.say("bots are not bound to processors: %v", event.Unbound.Why)
	case event.BotFailed != nil:
		p.failed[event.BotFailed.Bot] = true
		if event.BotFailed.Forfeits {
			what, below := cutStderr(event.BotFailed.What, event.BotFailed.Stderr)
			p.say("%s", strings.TrimSpace("warning: "+what+"; it loses its matches\n"+below))
		} else {
			p.say("%s", withStderr(event.BotFailed.What, event.BotFailed.Stderr))
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
		what = withStderr(r.Evidence.What, stderrOf(r))
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
		p.say("match %d (%s): %s loses (%s): %s", e.Number, r.Key, r.FaultName(), r.Ending, p.cause(r.FaultName(), what))
	}
}

// stderrOf returns the standard error of the bot at fault.
func stderrOf(r results.Record) []byte {
	switch {
	case r.Evidence == nil:
		return nil
	case r.Fault == results.SouthFault:
		return r.Evidence.South.Stderr
	}
	return r.Evidence.North.Stderr
}

// cause returns what a bot did, but not a third time in full.
func (p *progress) cause(bot, did string) string {
	const most = 2
	key := bot + ": " + did
	p.causes[key]++
	if p.causes[key] > most {
		return "the same as before"
	}
	return did
}

func (p *progress) due() bool {
	if p.printed.Equal(p.began) {
		return time.Since(p.printed) >= sayFirst
	}
	return time.Since(p.printed) >= sayEvery
}

func (p *progress) sayPlayed() {
	p.printed, p.counted = time.Now(), p.played
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
	for row := range strings.SplitSeq(folded(line, terminalColumns(p.out)), "\n") {
		printLine(bars, "\r"+row) // the terminal may have printed ^C
	}
}

// end removes the live lines from the terminal, or else says how many matches have been played if that is wanted.
func (p *progress) end(last bool) {
	if p.bars == nil {
		if last && p.played > max(p.begunAt, p.counted) {
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

// liveState is what the lines at the bottom of a terminal show of a run.
type liveState struct {
	name          string
	played, total int
	atMost        bool // the run may end before total is reached, as a sequential test does
	paced         int  // matches that were played in this run
	began         time.Time
	plays         bool      // it plays matches, after the bots have started
	playing       time.Time // when the first of its matches began; zero: none has
	waits         string    // what it waits for before that
	aside         string    // a text beside the numbers, such as how a sequential test stands
	leaders       []results.Leader
	faults        int               // matches that a bot lost by a fault
	longest       *arena.MatchBegun // of the matches in play; nil: none is known
}

// sayStarts is what a run waits for before its first match.
const sayStarts = "starting all bots once, before the first match"

const redraw = 250 * time.Millisecond

// draw draws the lines on a terminal until Abort is called.
func (p *progress) draw() {
	p.bars = mpb.New(mpb.WithOutput(p.out), mpb.WithRefreshRate(redraw))
	rows := func(part func([]string) string) mpb.BarFillerFunc {
		return func(w io.Writer, stat decor.Statistics) error {
			p.mu.Lock()
			if p.feed != nil {
				now, _ := p.feed.InPlay()
				p.longest, p.playing = now.Longest, now.First
			}
			all := p.rows(stat.AvailableWidth, time.Now())
			p.mu.Unlock()
			_, err := io.WriteString(w, part(all))
			return err
		}
	}
	first := rows(func(all []string) string { return all[0] })
	others := rows(func(all []string) string { return strings.Join(append(all[1:], ""), "\n") })
	p.bar = p.bars.MustAdd(0, first, mpb.BarFillerTrim(), mpb.BarExtender(others, false))
}

// rows writes the lines. Each has fewer columns than the width, because some
// terminals break a line that fills it.
func (s liveState) rows(width int, now time.Time) []string {
	rows := []string{s.progressRow(width-1, now)}
	for _, row := range []string{s.aside, s.standingRow(width - 1), s.longestRow(now)} {
		if row != "" {
			rows = append(rows, row)
		}
	}
	for i, row := range rows {
		rows[i] = "\r" + displaywidth.TruncateString(safe.Line(row), max(1, width-1), "…")
	}
	return rows
}

// progressRow shows how many matches are played, and how long it takes.
func (s liveState) progressRow(width int, now time.Time) string {
	const narrowest, widest = 10, 40
	took := now.Sub(s.began)
	parts := []string{s.name, counter(s.played, s.total, s.atMost) + " matches", share(s.played, s.total), inWords(took)}
	if left, ok := s.left(now); ok {
		about := "about "
		if s.atMost {
			about = "at most "
		}
		parts[3] += ", " + about + inWords(left) + " left"
	}
	text := strings.Join(parts, "  ")
	room := min(width-displaywidth.String(text)-len("  []"), widest)
	if room < narrowest {
		return text
	}
	done := 0
	if s.total > 0 {
		done = room * s.played / s.total
	}
	bar := "[" + strings.Repeat("#", done) + strings.Repeat(".", room-done) + "]"
	return strings.Join([]string{parts[0], parts[1], bar, parts[2], parts[3]}, "  ")
}

// left returns how long the rest takes at the pace of this run so far, without the
// time in which the bots started. It is not known before a second has passed.
func (s liveState) left(now time.Time) (left time.Duration, ok bool) {
	took := now.Sub(s.began)
	if !s.playing.IsZero() {
		took = now.Sub(s.playing)
	}
	if s.paced == 0 || took < time.Second || s.played >= s.total {
		return 0, false
	}
	return time.Duration(float64(took) / float64(s.paced) * float64(s.total-s.played)), true
}

// standingRow shows how many faults there were and who leads, with as many bots as
// fit.
func (s liveState) standingRow(width int) string {
	row := ""
	if s.faults > 0 {
		row = fmt.Sprintf("faults %d  ", s.faults)
	}
	for i, leader := range s.leaders {
		text := leader.Bot + " " + strconv.FormatFloat(leader.Points, 'f', -1, 64)
		if i == 0 {
			row += "points  " + text
			continue
		}
		text = ", " + text
		if displaywidth.String(row+text) > width {
			break
		}
		row += text
	}
	return strings.TrimRight(row, " ")
}

// longestRow shows which match is played for the longest time, or what the run
// waits for before the first one.
func (s liveState) longestRow(now time.Time) string {
	switch {
	case s.plays && s.playing.IsZero() && s.paced == 0: // matches of workers are not in the feed
		return s.waits
	case s.longest == nil:
		return ""
	}
	return fmt.Sprintf("longest  %s  match %d (%s)", inWords(now.Sub(s.longest.At)), s.longest.Number, s.longest.Key)
}

func share(done, total int) string {
	if total == 0 {
		return "0%"
	}
	return fmt.Sprintf("%d%%", 100*done/total)
}

// inWords writes a time to the second, and to the minute from an hour on.
func inWords(d time.Duration) string {
	if d < time.Hour {
		return d.Round(time.Second).String()
	}
	return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
}
