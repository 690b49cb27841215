package web

import (
	"fmt"
	"math"
	"time"

	"sembra/engine"
	"sembra/results"
	"sembra/results/report"
)

// curvesView shows how a number of both players went during a match.
type curvesView struct {
	Title     string
	Low, High string // the numbers at the bottom and at the top
	Zero      string // where zero is, from the top in percent; "": at the bottom
	Plies     int
	Lines     []chartLine
}

// matchCurves returns the seeds in the stores, the clocks and the scores of a match. left is what the clocks showed,
// see [results.Match.TimeLeft]; without it, there is the time spent instead.
func matchCurves(replay results.Replay, left [][2]time.Duration) []curvesView {
	if len(replay.Plies) < 2 {
		return nil
	}
	var stores, times, scores [2][]chartPoint
	clocks, isSpent := "Time left", left == nil
	if isSpent {
		clocks, left = "Thinking time so far", make([][2]time.Duration, 1)
	}
	for seat := range stores {
		stores[seat] = []chartPoint{{0, float64(replay.Start.Store(engine.Seat(seat)))}}
	}
	for i, ply := range replay.Plies {
		x := float64(i + 1)
		for seat := range stores {
			stores[seat] = append(stores[seat], chartPoint{x, float64(ply.After.Store(engine.Seat(seat)))})
		}
		if isSpent {
			left = append(left, ply.Spent)
		}
		if mover := ply.Before.Side(); ply.Score != nil {
			scores[mover] = append(scores[mover], chartPoint{x, *ply.Score * [2]float64{1, -1}[mover]})
		}
	}
	for i, now := range left {
		for seat := range now {
			times[seat] = append(times[seat], chartPoint{float64(i), now[seat].Seconds()})
		}
	}
	seeds := float64(replay.Rules().Info().Total())
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
		const title = "Scores that the bots reported, in seeds, as South sees them"
		views = append(views, newCurves(title, replay, scores, -seeds, seeds, signed))
	}
	return views
}

// newCurves draws the points of both seats. Numbers beyond low and high are drawn at the edge.
func newCurves(
	title string, replay results.Replay, points [2][]chartPoint, low, high float64, write func(float64) string,
) curvesView {
	least, most := 0.0, 0.0
	for _, of := range points {
		for _, at := range of {
			least, most = min(least, max(at.y, low)), max(most, min(at.y, high))
		}
	}
	if least == most {
		most = least + 1
	}
	v := curvesView{Title: title, Low: write(least), High: write(most), Plies: len(replay.Plies)}
	f := frame{axis{low: 0, high: float64(v.Plies)}, axis{low: least, high: most}}
	if least < 0 && most > 0 {
		v.Zero = percent(1 - f.y.share(0))
	}
	bots := [2]string{replay.Record.South, replay.Record.North}
	for seat, of := range points {
		if len(of) > 0 {
			v.Lines = append(v.Lines, chartLine{
				Name: bots[seat], Class: engine.Seat(seat).String(), Last: write(of[len(of)-1].y), Points: f.path(of),
			})
		}
	}
	return v
}
