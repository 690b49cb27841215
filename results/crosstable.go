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

// Cell returns the results of a bot against another one in the crosstable; all zero for bots that are not in it.
// Matches with a note count like others.
func (s Standings) Cell(bot, opponent string) Tally {
	row, ok := s.cross.place[bot]
	column, ok2 := s.cross.place[opponent]
	if !ok || !ok2 {
		return Tally{}
	}
	return *s.cross.cell(row, column)
}

// crosstable says how each bot did against each other bot.
type crosstable struct {
	place seats
	cells []Tally // a row for each bot, with a cell for each bot
}

func (c crosstable) cell(row, column int) *Tally { return &c.cells[row*len(c.place)+column] }
