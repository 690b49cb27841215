package report

import (
	"fmt"
	"slices"

	"sembra/engine/show"
	"sembra/results"
	"sembra/results/stats"
)

// fieldNotes returns in words which ratings and errors are not known, and how much moving first is worth. The text
// calls those who are rated by the word in who, "bots" or "players". prior is the command or the flag that gives a field a
// prior; "" if there is none.
func fieldNotes(f results.RatedPlayers, who, prior string) []string {
	switch {
	case f.Groups == 0 && len(f.Games) == 0:
		return []string{"nobody can be rated: there is no game that counts"}
	case f.Groups == 0:
		return orderNotes(f, who, prior)
	}
	lines := append(groupNotes(f), unratedNotes(f, who)...)
	lines = append(lines, errorNotes(f)...)
	if f.Prior > 0 {
		lines = append(lines, fmt.Sprintf("each of the %s has %s virtual draws with its opponents, which bring ratings "+
			"closer together; the errors are those of the model", who, exact(f.Prior)))
	}
	return append(lines, firstMoverNote(f.FirstMover))
}

// orderNotes returns the order of a field in which nobody can be rated, with bounds between neighbours who met.
func orderNotes(f results.RatedPlayers, who, prior string) []string {
	const most = 20
	hint := ""
	if prior != "" {
		hint = fmt.Sprintf(" (hint: %s rates such a field)", prior)
	}
	order := f.Order()
	if len(f.Players) == 2 && len(order) == 2 { // the table shows the order
		note := fmt.Sprintf("the results give no ratings, because %s took all points", shortName(f.Names[order[0][0]]))
		if d := f.Differences([]int{order[0][0], order[1][0]})[0]; d.Low != nil && *d.Low > 0 {
			note += fmt.Sprintf(": a lead of more than %s Elo (95 %%)", signedWhole(*d.Low))
		}
		return []string{note + hint}
	}
	notes := []string{fmt.Sprintf("the results give no ratings, because no two %s took points from each other, directly "+
		"or through others; they give this order, in which nobody lost to anybody below%s:", who, hint)}
	for i, players := range order {
		if i == most {
			return append(notes, fmt.Sprintf("  and %s more", show.Count(len(order)-i, "line", "lines")))
		}
		var names []string
		for _, player := range players {
			names = append(names, f.Names[player])
		}
		note := fmt.Sprintf("  %d. %s", i+1, listNames(names))
		if i+1 < len(order) && len(players) == 1 && len(order[i+1]) == 1 {
			if d := f.Differences([]int{players[0], order[i+1][0]})[0]; d.Low != nil && *d.Low > 0 {
				note += fmt.Sprintf(", with a lead of more than %s Elo over %s (95 %%)", signedWhole(*d.Low), shortName(d.Opponent))
			}
		}
		notes = append(notes, note)
	}
	return notes
}

// groupNotes lists the groups if there are several.
func groupNotes(f results.RatedPlayers) []string {
	if f.Groups < 2 {
		return nil
	}
	members := make([][]string, f.Groups)
	for i, player := range f.Players {
		if player.Rating != nil {
			members[player.Group-1] = append(members[player.Group-1], f.Names[i])
		}
	}
	lines := []string{fmt.Sprintf("%d groups are rated separately, because the results do not connect them in both "+
		"directions; ratings of different groups cannot be compared:", f.Groups)}
	for i, names := range members {
		lines = append(lines, fmt.Sprintf("  group %d: %s", i+1, listNames(names)))
	}
	return lines
}

// unratedNotes returns why bots or players have no rating.
func unratedNotes(f results.RatedPlayers, who string) []string {
	played := make([]bool, len(f.Players))
	for _, game := range f.Games {
		played[game.First], played[game.Second] = true, true
	}
	var won, lost, apart, idle []string
	for i, player := range f.Players {
		switch name := f.Names[i]; {
		case player.Rating != nil:
		case player.Low != nil:
			won = append(won, name)
		case player.High != nil:
			lost = append(lost, name)
		case played[i]:
			apart = append(apart, name)
		default:
			idle = append(idle, name)
		}
	}
	return slices.Concat(
		noteOf(won, "won all points against rated "+who+", so only a lower bound of the rating is known"),
		noteOf(lost, "won no points against rated "+who+", so only an upper bound of the rating is known"),
		noteOf(apart, "no rating, because the results do not connect them with the rated "+who),
		noteOf(idle, "no rating, because no game counts"),
	)
}

// noteOf returns a note about some names; nil if there are none.
func noteOf(names []string, what string) []string {
	if names == nil {
		return nil
	}
	return []string{listNames(names) + ": " + what}
}

// firstMoverNote returns how much moving first is worth.
func firstMoverNote(f stats.FirstMover) string {
	switch {
	case !f.Fitted:
		return "the results do not show whether moving first helps, so it counts as 0 Elo"
	case f.Error == nil:
		return fmt.Sprintf("moving first is worth %s Elo; the error is not known", signedWhole(f.Elo))
	}
	return fmt.Sprintf("moving first is worth %s %s Elo", signedWhole(f.Elo), marginCell(f.Error))
}

// errorNotes returns which ratings have no error. The rating of the anchor needs none.
func errorNotes(f results.RatedPlayers) []string {
	var unknown []string
	for i, player := range f.Players {
		if player.Rating != nil && player.Error == nil && i != f.Anchor {
			unknown = append(unknown, f.Names[i])
		}
	}
	return noteOf(unknown,
		"the error is not known, because there are too few results, or they are exactly as the ratings predict")
}
