package web

import (
	"cmp"
	"fmt"
	"strconv"

	"sembra/results"
	"sembra/results/report"
)

// stageView is the pairings of a stage of a Swiss tournament or a knockout.
type stageView struct {
	Title    string
	Pairings []pairingView
}

// pairingView is two bots that meet.
type pairingView struct {
	Bots    [2]pairedBot
	Matches string // the address of the matches; "": there are none
	Bye     bool   // there is only the first bot
	Note    string // how it ended, if the points do not tell
}

// pairedBot is a bot of a pairing.
type pairedBot struct {
	hyperlink        // without a text if the bot is not known yet
	Points    string // "" before the first match
	Won       bool
}

// swissStages returns the stages of a Swiss tournament.
func (r *reader) swissStages() []stageView {
	return r.stages(r.Schedule.Pairings(), func(number, _ int) string { return fmt.Sprintf("Stage %d", number) })
}

// bracket returns the stages of a knockout. Stages that have not begun have the bots that have reached them so far.
func (r *reader) bracket(pairings []results.Pairing) []stageView {
	views := r.stages(pairings, knockoutTitle)
	if views == nil {
		return nil
	}
	begun := len(views)
	last := pairings[len(pairings)-len(views[begun-1].Pairings):]
	for open := len(last) / 2; open > 0; open /= 2 {
		views = append(views, stageView{knockoutTitle(len(views)+1, open), make([]pairingView, open)})
	}
	for i, two := range last {
		if two.Winner != "" && len(last) > 1 {
			views[begun].Pairings[i/2].Bots[i%2].hyperlink = r.toBot(two.Winner)
		}
	}
	return views
}

// knockoutTitle returns the usual name of a stage with a number of pairings.
func knockoutTitle(number, pairings int) string {
	names := map[int]string{1: "Final", 2: "Semi-finals", 4: "Quarter-finals"}
	return cmp.Or(names[pairings], fmt.Sprintf("Stage %d", number))
}

// stages groups pairings by their stages. title returns the title of a stage by its number and the number of pairings.
func (r *reader) stages(pairings []results.Pairing, title func(number, pairings int) string) []stageView {
	var views []stageView
	for _, two := range pairings {
		if two.Stage > len(views) {
			views = append(views, stageView{})
		}
		last := &views[len(views)-1]
		last.Pairings = append(last.Pairings, r.pairing(two))
	}
	for i := range views {
		views[i].Title = title(i+1, len(views[i].Pairings))
	}
	return views
}

func (r *reader) pairing(t results.Pairing) pairingView {
	v := pairingView{Bye: t.Bots[1] == ""}
	for i, bot := range t.Bots {
		if bot == "" {
			continue
		}
		v.Bots[i].hyperlink = r.toBot(bot)
		v.Bots[i].Won = !v.Bye && bot == t.Winner
		if t.Pairs > 0 || t.Points != [2]float64{} {
			v.Bots[i].Points = report.Points(t.Points[i])
		}
	}
	if !v.Bye {
		v.Matches = r.toMatches(matchChoice{byBot: t.Bots[0], byOpponent: t.Bots[1], byStage: strconv.Itoa(t.Stage)})
	}
	if t.BySeed {
		v.Note = "level: the higher-seeded bot advances"
	}
	return v
}
