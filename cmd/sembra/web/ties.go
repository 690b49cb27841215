package web

import (
	"fmt"
	"strconv"

	"sembra/results"
	"sembra/results/report"
)

// stageView is the pairings of a stage of a Swiss tournament, or the ties of a stage of a knockout.
type stageView struct {
	Title string
	Ties  []tieView
}

// tieView is two bots that meet.
type tieView struct {
	Bots    [2]tieBot
	Matches string // the address of the matches; "": there are none
	Bye     bool   // there is only the first bot
	Note    string // how it ended, if the points do not tell
}

// tieBot is a bot of a tie.
type tieBot struct {
	link          // without a text if the bot is not known yet
	Points string // "" before the first match
	Won    bool
}

// swissStages returns the stages of a Swiss tournament.
func (r *reader) swissStages() []stageView {
	return r.stages(r.Schedule.Pairings(), func(number, _ int) string { return fmt.Sprintf("Stage %d", number) })
}

// bracket returns the stages of a knockout. Stages that have not begun have the bots that have reached them so far.
func (r *reader) bracket(ties []results.Tie) []stageView {
	views := r.stages(ties, knockoutTitle)
	if views == nil {
		return nil
	}
	begun := len(views)
	last := ties[len(ties)-len(views[begun-1].Ties):]
	for open := len(last) / 2; open > 0; open /= 2 {
		views = append(views, stageView{knockoutTitle(len(views)+1, open), make([]tieView, open)})
	}
	for i, tie := range last {
		if tie.Winner != "" && len(last) > 1 {
			views[begun].Ties[i/2].Bots[i%2].link = r.toBot(tie.Winner)
		}
	}
	return views
}

// knockoutTitle returns the usual name of a stage with a number of ties.
func knockoutTitle(number, ties int) string {
	switch ties {
	case 1:
		return "Final"
	case 2:
		return "Semi-finals"
	case 4:
		return "Quarter-finals"
	}
	return fmt.Sprintf("Stage %d", number)
}

// stages groups ties by their stages. title returns the title of a stage by its number and the number of its ties.
func (r *reader) stages(ties []results.Tie, title func(number, ties int) string) []stageView {
	var views []stageView
	for _, tie := range ties {
		if tie.Stage > len(views) {
			views = append(views, stageView{})
		}
		last := &views[len(views)-1]
		last.Ties = append(last.Ties, r.tie(tie))
	}
	for i := range views {
		views[i].Title = title(i+1, len(views[i].Ties))
	}
	return views
}

func (r *reader) tie(t results.Tie) tieView {
	v := tieView{Bye: t.Bots[1] == ""}
	for i, bot := range t.Bots {
		if bot == "" {
			continue
		}
		v.Bots[i].link = r.toBot(bot)
		v.Bots[i].Won = !v.Bye && bot == t.Winner
		if t.Pairs > 0 || t.Points != [2]float64{} {
			v.Bots[i].Points = report.Points(t.Points[i])
		}
	}
	if !v.Bye {
		v.Matches = r.toMatches(matchChoice{byBot: t.Bots[0], byOpponent: t.Bots[1], byStage: strconv.Itoa(t.Stage)})
	}
	if t.BySeed {
		v.Note = "level, so the better seed goes on"
	}
	return v
}
