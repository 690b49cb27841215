package page

import (
	"fmt"
	"math"
	"strings"
	"time"

	"sembra/engine"
	"sembra/results"
	"sembra/results/report"
)

// curvesView shows how a number of both players went during a match. Its picture has a unit of width for each ply,
// and curvesHeight units of height.
type curvesView struct {
	Title     string
	Low, High string // the numbers at the bottom and at the top
	Zero      string // the height of zero, if it is between them
	Plies     int
	Curves    []curve
}

// curvesHeight is the height of the picture of curves.
const curvesHeight = 200

// curve is the line of one player.
type curve struct {
	Seat   engine.Seat
	Bot    string
	Last   string // its last number
	Points string // as SVG reads them
}

// sample is a number of a seat after some plies.
type sample struct {
	ply    int
	number float64
}

// matchCurves returns the seeds in the stores, the clocks and the scores of a match. left is what
// the clocks showed, see Tournament.TimeLeft; without it, there is the time spent instead.
func matchCurves(replay results.Replay, left [][2]time.Duration) []curvesView {
	plies := len(replay.Plies)
	if plies < 2 {
		return nil
	}
	var stores, times, scores [2][]sample
	for _, seat := range []engine.Seat{engine.South, engine.North} {
		stores[seat] = []sample{{0, float64(replay.Start.Store(seat))}}
		times[seat] = []sample{{0, 0}}
		for i, ply := range replay.Plies {
			stores[seat] = append(stores[seat], sample{i + 1, float64(ply.After.Store(seat))})
			times[seat] = append(times[seat], sample{i + 1, ply.Spent[seat].Seconds()})
		}
	}
	clocks := "Thinking time so far"
	if left != nil {
		clocks, times = "Time left", [2][]sample{}
		for i, now := range left {
			for seat := range now {
				times[seat] = append(times[seat], sample{i, now[seat].Seconds()})
			}
		}
	}
	for i, ply := range replay.Plies {
		if ply.Score == nil {
			continue
		}
		mover, score := ply.Before.Side(), *ply.Score
		if mover == engine.North {
			score = -score
		}
		scores[mover] = append(scores[mover], sample{i + 1, score})
	}
	seeds := float64(replay.Rules.Info().Total())
	signed := func(number float64) string {
		if number == 0 {
			return "0"
		}
		return fmt.Sprintf("%+.3g", number)
	}
	seconds := func(number float64) string { return report.ShortTime(time.Duration(number * float64(time.Second))) }

	views := []curvesView{
		newCurves("Seeds in the stores", replay, stores, 0, seeds, whole().write),
		newCurves(clocks, replay, times, 0, math.Inf(1), seconds),
	}
	if len(scores[engine.South])+len(scores[engine.North]) > 0 {
		views = append(views, newCurves("Scores that the bots reported, in seeds, as South sees them", replay, scores, -seeds, seeds, signed))
	}
	return views
}

// newCurves draws the samples of both seats. Numbers beyond low and high are drawn at the edge.
func newCurves(
	title string, replay results.Replay, samples [2][]sample, low, high float64, write func(float64) string,
) curvesView {
	least, most := 0.0, 0.0
	for _, of := range samples {
		for _, s := range of {
			least, most = min(least, max(s.number, low)), max(most, min(s.number, high))
		}
	}
	if least == most {
		most = least + 1
	}
	height := func(number float64) int {
		return int(math.Round(curvesHeight * (most - min(max(number, least), most)) / (most - least)))
	}
	v := curvesView{Title: title, Low: write(least), High: write(most), Plies: len(replay.Plies)}
	if least < 0 && most > 0 {
		v.Zero = fmt.Sprint(height(0))
	}
	bots := [2]string{replay.Record.South, replay.Record.North}
	for seat, of := range samples {
		if len(of) == 0 {
			continue
		}
		var points strings.Builder
		for i, s := range of {
			level := 0 < i && i < len(of)-1 && of[i-1].number == s.number && s.number == of[i+1].number
			if !level {
				fmt.Fprintf(&points, "%d,%d ", s.ply, height(s.number))
			}
		}
		v.Curves = append(v.Curves, curve{
			engine.Seat(seat), bots[seat], write(of[len(of)-1].number), strings.TrimSpace(points.String()),
		})
	}
	return v
}
