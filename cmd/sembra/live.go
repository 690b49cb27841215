package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/clipperhouse/displaywidth"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"sembra/arena"
	"sembra/results"
)

// live is the lines at the bottom of a terminal that tell how a run goes. The
// goroutine of the run changes what they tell, and that of the terminal draws them.
type live struct {
	bars *mpb.Progress
	bar  *mpb.Bar

	mu    sync.Mutex // guards what follows
	state liveState
	feed  *arena.Feed // of the matches in play; nil: nobody tells of them
}

// liveState is what the lines tell.
type liveState struct {
	name          string
	played, total int64
	atMost        bool // the run may end before total is reached
	paced         int  // matches that were played in this run
	began         time.Time
	plays         bool      // it plays matches, after the bots have started
	playing       time.Time // when the first of its matches began; zero: none has
	waits         string    // what it waits for before that
	aside         string    // how a sequential test stands; "": there is none
	leaders       []results.Leader
	faults        int
	longest       *arena.MatchBegun // of the matches in play; nil: none is known
}

// redraw is the time between two pictures of the lines.
const redraw = 250 * time.Millisecond

// newLive draws lines on a terminal until end is called.
func newLive(terminal io.Writer, state liveState) *live {
	l := &live{state: state}
	l.bars = mpb.New(mpb.WithOutput(terminal), mpb.WithRefreshRate(redraw))
	draw := func(w io.Writer, stat decor.Statistics, rows func([]string) string) error {
		_, err := io.WriteString(w, rows(l.rows(stat.AvailableWidth)))
		return err
	}
	first := mpb.BarFillerFunc(func(w io.Writer, stat decor.Statistics) error {
		return draw(w, stat, func(rows []string) string { return rows[0] })
	})
	others := mpb.BarFillerFunc(func(w io.Writer, stat decor.Statistics) error {
		return draw(w, stat, func(rows []string) string {
			return strings.Join(append(rows[1:], ""), "\n")
		})
	})
	l.bar = l.bars.MustAdd(0, first, mpb.BarFillerTrim(), mpb.BarExtender(others, false))
	return l
}

// rows draws the lines for a terminal.
func (l *live) rows(width int) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.feed != nil {
		l.state.longest, l.state.playing = l.feed.Longest()
	}
	return l.state.rows(width, time.Now())
}

// change changes what the lines tell.
func (l *live) change(how func(*liveState)) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	how(&l.state)
}

// follow tells of the matches in play from now on.
func (l *live) follow(feed *arena.Feed) {
	if l == nil || feed == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.feed, l.state.plays, l.state.waits = feed, true, sayStarts
}

// end removes the lines from the terminal. What the terminal itself has printed
// there, such as ^C, may have moved the cursor from the left edge.
func (l *live) end(terminal io.Writer) {
	l.bar.Abort(true)
	l.bars.Wait()
	_, _ = io.WriteString(terminal, "\r\x1b[J")
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
		rows[i] = "\r" + displaywidth.TruncateString(results.VisibleAll(row), max(1, width-1), "…")
	}
	return rows
}

// progressRow tells how many matches are played, and how long it takes.
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
		done = int(int64(room) * s.played / s.total)
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

// standingRow tells how many faults there were and who leads, with as many bots as
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

// longestRow tells which match is played for the longest time, or what the run
// waits for before the first one.
func (s liveState) longestRow(now time.Time) string {
	switch {
	case s.plays && s.playing.IsZero() && s.paced == 0: // matches of workers are not in the feed
		return s.waits
	case s.longest == nil:
		return ""
	}
	return fmt.Sprintf("longest  %s  match %d (%s)", inWords(now.Sub(s.longest.At)), s.longest.Slot, s.longest.Key)
}

// share writes how much is done.
func share(done, total int64) string {
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
