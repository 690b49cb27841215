package stats

// cell is all games between two players in which the same one moved first.
type cell struct {
	first, second int
	games, points float64 // the points are those of first
}

// cells counts games by first and second player. The cells are in the order of their first games.
func cells(games []Game, players int) []cell {
	var all []cell
	place := make(map[int]int)
	for _, g := range games {
		key := g.First*players + g.Second
		i, ok := place[key]
		if !ok {
			i = len(all)
			place[key] = i
			all = append(all, cell{first: g.First, second: g.Second})
		}
		all[i].games++
		all[i].points += g.Score
	}
	return all
}

// firstScored reports whether first took points.
func (c cell) firstScored() bool { return c.points > 0 }

// secondScored reports whether second took points.
func (c cell) secondScored() bool { return c.points < c.games }
