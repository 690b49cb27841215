package results

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
func (f ratedField) unitCounts() []unitCount {
	counts := make([]unitCount, len(f.Players))
	for i := 0; i < len(f.games); {
		first, second := f.games[i].First, f.games[i].Second
		games, points, unit := 0, 0.0, f.games[i].Unit
		for ; i < len(f.games) && f.games[i].Unit == unit; i++ {
			games++
			if f.games[i].First == first {
				points += f.games[i].Score
			} else {
				points += 1 - f.games[i].Score
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

// errorWords says why ratings have no error. That of the anchor needs none.
func (f ratedField) errorWords() []string {
	counts := f.unitCounts()
	var why reasons
	for i, player := range f.Players {
		if player.Rating == nil || player.Error != nil || i == f.anchor {
			continue
		}
		place, what := counts[i].noError()
		if what == "" && f.anchor >= 0 && f.Players[f.anchor].Rating != nil && f.Players[f.anchor].Group == player.Group {
			if _, anchors := counts[f.anchor].noError(); anchors != "" {
				place, what = 3, "no error against "+f.name(f.anchor)+" can be told, as its results do not tell one"
			}
		}
		if what == "" {
			place, what = 4, "no error can be told, as there are too few results, or they go as the ratings expect"
		}
		why.add(place, what, f.name(i))
	}
	return why.lines()
}

// noError says why the units of a player tell no error; "" where they do, for all that is known of them.
func (c unitCount) noError() (place int, what string) {
	switch {
	case c.units == 1:
		return 0, "no error can be told from one " + c.noun()
	case c.level():
		return 1, "no error can be told, as each " + c.noun() + " is level"
	case c.alike:
		return 2, "no error can be told, as all their " + c.noun() + "s went alike"
	}
	return 0, ""
}
