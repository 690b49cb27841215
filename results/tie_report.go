package results

import (
	"strconv"

	"github.com/olekukonko/tablewriter/tw"
)

// tieTable has the ties of a knockout, in their order.
func tieTable(ties []Tie) *table {
	t := new(table)
	t.column("stage", tw.AlignRight)
	t.column("tie", tw.AlignLeft)
	t.column("points", tw.AlignRight)
	t.column("pairs", tw.AlignRight)
	t.column("winner", tw.AlignLeft)
	for _, tie := range ties {
		t.row(append([]string{strconv.Itoa(tie.Stage)}, tie.cells()...)...)
	}
	return t
}

// cells are tie, points, pairs and winner; "-" for a winner that is not known yet.
func (t Tie) cells() []string {
	if t.Bots[1] == "" {
		return []string{t.Bots[0] + "  bye", "", "", t.Bots[0]}
	}
	winner := t.Winner
	switch {
	case winner == "":
		winner = "-"
	case t.BySeed:
		winner += " by seeding"
	}
	return []string{
		t.Bots[0] + " - " + t.Bots[1], points(t.Points[0]) + "-" + points(t.Points[1]), strconv.Itoa(t.Pairs), winner,
	}
}
