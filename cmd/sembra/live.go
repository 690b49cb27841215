package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/clipperhouse/displaywidth"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"sembra/arena"
	"sembra/results"
	"sembra/results/safe"
)

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

// redraw is the time between two pictures of the lines.
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

// share writes how much is done.
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
