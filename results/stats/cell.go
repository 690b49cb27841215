package stats

// cell is all games that one player began against another.
type cell struct {
	first, second int
	games, points float64 // points are those of first
}

// cells are the games counted by who moved first against whom, in order of their first game.
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

// firstScored says that first took points.
func (c cell) firstScored() bool { return c.points > 0 }

// secondScored says that second took points.
func (c cell) secondScored() bool { return c.points < c.games }
