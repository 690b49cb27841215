package report

import "sembra/results"

// unitCount is what the units of one player, inside its group, have in common.
type unitCount struct {
	units, games int
	points       float64 // of the first of them
	alike        bool    // all others have as many games and points
}

// add counts a unit with so many games and points.
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

// noun is what the units are called.
func (c unitCount) noun() string {
	switch c.games {
	case c.units:
		return "game"
	case 2 * c.units:
		return "pair"
	}
	return "result"
}

// level says that each unit is.
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

// errorNotes says why ratings have no error. That of the anchor needs none.
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

// noError says why the units of a player give no error; "" where they do, as far as they alone can say.
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
