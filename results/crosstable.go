package results

// Cell is what one bot has made of its matches against one other.
type Cell struct {
	Matches             int
	Points              float64
	Wins, Draws, Losses int
}

// Crosstable is who did what against whom. Repeats count like other matches.
type Crosstable struct {
	place map[string]int
	cells []Cell // a row of all bots a bot
}

// newCrosstable is empty. place has the index of each bot.
func newCrosstable(place map[string]int) Crosstable {
	return Crosstable{place: place, cells: make([]Cell, len(place)*len(place))}
}

// add counts a match between two bots, given by their indexes.
func (c Crosstable) add(south, north int, s Summary) {
	pointsSouth, pointsNorth := s.Points()
	c.cell(south, north).add(s.Result, SouthWins, pointsSouth)
	c.cell(north, south).add(s.Result, NorthWins, pointsNorth)
}

func (c *Cell) add(result, win Result, points float64) {
	c.Matches++
	c.Points += points
	switch result {
	case win:
		c.Wins++
	case Draw:
		c.Draws++
	case SouthWins, NorthWins:
		c.Losses++
	}
}

// Cell is what bot has made of its matches against opponent; all zero for bots that are not there.
func (c Crosstable) Cell(bot, opponent string) Cell {
	row, ok := c.place[bot]
	column, ok2 := c.place[opponent]
	if !ok || !ok2 {
		return Cell{}
	}
	return *c.cell(row, column)
}

func (c Crosstable) cell(row, column int) *Cell { return &c.cells[row*len(c.place)+column] }
