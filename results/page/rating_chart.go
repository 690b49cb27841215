package page

import (
	"fmt"
	"strconv"

	"sembra/results"
	"sembra/results/report"
)

// colouredLines is the number of lines of a chart that have a colour each. The others
// are grey.
const colouredLines = 10

// ratingPath returns the ratings that ratingChart draws.
func ratingPath(t results.Tournament, summaries []results.Slotted) ([]results.Ratings, error) {
	const mostNumbers, mostSteps, leastSteps = 6000, 200, 40 // of all lines, and of each line
	steps := min(mostSteps, max(leastSteps, mostNumbers/max(1, len(t.Bots))))
	return results.RatingPath(t, summaries, steps)
}

// ratingChart draws how the online ratings moved. The bots of the standings get a line
// each, the best ones in colour. It returns nil if no match is rated.
func ratingChart(b *reader, c cellLinks, s results.Standings, ratings []results.Ratings) *chartView {
	if len(ratings) < 2 {
		return nil
	}
	place := make(map[string]int, len(b.Tournament.Bots))
	for i, bot := range b.Tournament.Bots {
		place[bot] = i
	}
	lines := make([]chartLine, len(s.Lines))
	for i, standing := range s.Lines {
		line := chartLine{link: c.link(standing.Bot), Number: i + 1, Class: greyLine}
		if i < colouredLines {
			line.Class = "line" + strconv.Itoa(i)
		}
		for _, r := range ratings {
			line.points = append(line.points, point{float64(r.Slots), r.Elo[place[standing.Bot]]})
		}
		line.Last = whole().write(line.points[len(line.points)-1].y)
		lines[i] = line
	}
	last := ratings[len(ratings)-1].Slots
	const told = "The online Elo of each bot after each match, from %s before match 1 to match %d. At the end %s has %s."
	start, first := report.Points(b.Tournament.Rating.Start), results.VisibleAll(lines[0].Text)
	chart := &chartView{Title: "Elo after each match", Description: fmt.Sprintf(told, start, last, first, lines[0].Last)}
	f := newFrame(lines, nil, whole(), whole())
	f.draw(chart, lines)
	chart.Marks = stageMarks(b, f, last)
	return chart
}

// stageMarks marks where the stages begin after the first, up to a slot. Only the first mark
// has the word, because the marks of many stages are close to each other.
func stageMarks(b *reader, f frame, last int) []tick {
	if !b.Tournament.Staged() {
		return nil
	}
	var marks []tick
	for slot := 2; slot <= last; slot++ {
		if stage := b.Schedule.Stage(slot); stage != b.Schedule.Stage(slot-1) {
			mark := tick{At: f.x.percent(float64(slot - 1)), Text: strconv.Itoa(stage), End: "start"}
			if len(marks) == 0 {
				mark.Text = "stage " + mark.Text
			}
			if f.x.share(float64(slot-1)) > 0.8 {
				mark.End = "end" // the text would not fit
			}
			marks = append(marks, mark)
		}
	}
	return marks
}

// testChart draws the LLR of a sequential test against its bounds. It returns nil
// before the first pair.
func testChart(s results.Standings, summaries []results.Slotted) (*chartView, error) {
	const mostSteps = 400
	points, err := results.TestPath(s.Tournament, summaries, mostSteps)
	if err != nil || len(points) < 2 {
		return nil, err
	}
	line := chartLine{Number: 1, Class: "line0"}
	for _, p := range points {
		line.points = append(line.points, point{float64(p.Pairs), p.LLR})
	}
	lower, upper := s.Tournament.Test.Bounds()
	llr := func(number float64) string { return strconv.FormatFloat(number, 'f', 2, 64) }
	lines := []chartLine{line}
	chart := &chartView{
		Title: "LLR after each pair",
		Description: fmt.Sprintf("The LLR after %d pairs is %s. The test accepts H0 at %s and H1 at %s.",
			points[len(points)-1].Pairs, llr(s.Test.LLR()), llr(lower), llr(upper)),
	}
	f := newFrame(lines, []float64{lower, upper}, whole(), unit{llr, 0.01})
	f.draw(chart, lines)
	chart.Bounds = []tick{f.across(upper, "H1 accepted"), f.across(lower, "H0 accepted")}
	return chart, nil
}
