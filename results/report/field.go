package report

import (
	"fmt"

	"sembra/results"
	"sembra/results/stats"
)

// fieldNotes returns in words which ratings and errors are not known, and how much moving first is worth.
func fieldNotes(f results.RatedField) []string {
	switch {
	case f.Groups == 0 && len(f.Games) == 0:
		return []string{"nobody can be rated: there is no game that counts"}
	case f.Groups == 0:
		return []string{"nobody can be rated: ratings need players who took points from each other, " +
			"directly or through other players"}
	}
	lines := append(groupNotes(f), unratedNotes(f)...)
	lines = append(lines, errorNotes(f)...)
	return append(lines, firstMoverNote(f.FirstMover))
}

// groupNotes lists the groups if there are several.
func groupNotes(f results.RatedField) []string {
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

// unratedNotes returns why players have no rating.
func unratedNotes(f results.RatedField) []string {
	played := make([]bool, len(f.Players))
	for _, game := range f.Games {
		played[game.First], played[game.Second] = true, true
	}
	var why reasons
	for i, player := range f.Players {
		switch {
		case player.Rating != nil:
		case player.Low != nil:
			why.add(0, "won all points against rated players, so only a lower bound of the rating is known", f.Names[i])
		case player.High != nil:
			why.add(1, "won no points against rated players, so only an upper bound of the rating is known", f.Names[i])
		case played[i]:
			why.add(2, "no rating, because the results do not connect them with the rated players", f.Names[i])
		default:
			why.add(3, "no rating, because no game counts", f.Names[i])
		}
	}
	return why.lines()
}

// reasons are sentences about players, by their order in the notes.
type reasons [5]struct {
	what  string
	names []string
}

func (r *reasons) add(place int, what, name string) {
	r[place].what = what
	r[place].names = append(r[place].names, name)
}

// lines leaves out a sentence without players.
func (r *reasons) lines() []string {
	var lines []string
	for _, reason := range r {
		if len(reason.names) > 0 {
			lines = append(lines, listNames(reason.names)+": "+reason.what)
		}
	}
	return lines
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

// unitCount counts the units of one player inside its group.
type unitCount struct {
	units, games int
	points       float64 // of the first unit
	alike        bool    // all units have as many games and points as the first
}

// add counts a unit.
func (c *unitCount) add(games int, points float64) {
	switch {
	case c.units == 0:
		c.points, c.alike = points, true
	case games*c.units != c.games || points != c.points:
		c.alike = false
	}
	c.units++
	c.games += games
}

// noun returns a word for one unit.
func (c unitCount) noun() string {
	switch c.games {
	case c.units:
		return "game"
	case 2 * c.units:
		return "pair"
	}
	return "result"
}

// level reports whether every unit is level.
func (c unitCount) level() bool { return c.alike && 2*c.points*float64(c.units) == float64(c.games) }

// unitCounts counts the units of each player.
func unitCounts(f results.RatedField) []unitCount {
	counts := make([]unitCount, len(f.Players))
	for i := 0; i < len(f.Games); {
		first, second := f.Games[i].First, f.Games[i].Second
		games, points, unit := 0, 0.0, f.Games[i].Unit
		for ; i < len(f.Games) && f.Games[i].Unit == unit; i++ {
			games++
			if f.Games[i].First == first {
				points += f.Games[i].Score
			} else {
				points += 1 - f.Games[i].Score
			}
		}
		a, b := f.Players[first], f.Players[second]
		if a.Rating != nil && b.Rating != nil && a.Group == b.Group {
			counts[first].add(games, points)
			counts[second].add(games, float64(games)-points)
		}
	}
	return counts
}

// errorNotes returns why ratings have no error. The rating of the anchor needs none.
func errorNotes(f results.RatedField) []string {
	counts := unitCounts(f)
	var why reasons
	for i, player := range f.Players {
		if player.Rating == nil || player.Error != nil || i == f.Anchor {
			continue
		}
		place, what := counts[i].noError()
		if what == "" && f.Anchor >= 0 && f.Players[f.Anchor].Rating != nil && f.Players[f.Anchor].Group == player.Group {
			if _, anchors := counts[f.Anchor].noError(); anchors != "" {
				name := f.Names[f.Anchor]
				place, what = 3, "the error against "+name+" is not known, because the results of "+name+" give none"
			}
		}
		if what == "" {
			place = 4
			what = "the error is not known, because there are too few results, or they are exactly as the ratings predict"
		}
		why.add(place, what, f.Names[i])
	}
	return why.lines()
}

// noError returns why the units of a player give no error; "" if there is no reason in these units alone.
func (c unitCount) noError() (place int, what string) {
	switch {
	case c.units == 1:
		return 0, "the error is not known, because there is only one " + c.noun()
	case c.level():
		return 1, "the error is not known, because every " + c.noun() + " is level"
	case c.alike:
		return 2, "the error is not known, because all " + c.noun() + "s have the same result"
	}
	return 0, ""
}
