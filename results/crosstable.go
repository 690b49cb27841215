package results

// Tally counts the results of some matches from the view of one player.
type Tally struct {
	Matches int     `json:"matches"`
	Points  float64 `json:"points"` // 1 for a win and 1/2 for a draw
	Wins    int     `json:"wins"`
	Draws   int     `json:"draws"`
	Losses  int     `json:"losses"`
}

// Void returns the number of matches in which both bots were at fault.
func (t Tally) Void() int { return t.Matches - t.Wins - t.Draws - t.Losses }

// add counts a match with its points. A match that is not decided has no points.
func (t *Tally) add(points float64, decided bool) {
	t.Matches++
	t.Points += points
	switch {
	case !decided:
	case points == 1:
		t.Wins++
	case points == 0:
		t.Losses++
	default:
		t.Draws++
	}
}

// Crosstable says how each bot did against each other bot. Matches with a note count like others.
type Crosstable struct {
	place seats
	cells []Tally // a row for each bot, with a cell for each bot
}

// Cell returns the results of bot against opponent; all zero for bots that are not in the table.
func (c Crosstable) Cell(bot, opponent string) Tally {
	row, ok := c.place[bot]
	column, ok2 := c.place[opponent]
	if !ok || !ok2 {
		return Tally{}
	}
	return *c.cell(row, column)
}

func (c Crosstable) cell(row, column int) *Tally { return &c.cells[row*len(c.place)+column] }
