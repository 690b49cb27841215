package results

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// The tie-breaks, as FIDE has them (Handbook C.07, Tie-Break Regulations), each match by itself.
const (
	DirectEncounter = "direct-encounter" // points against those who are tied
	MostWins        = "wins"             // matches won
	SonnebornBerger = "sonneborn-berger" // sum of the own points in each match, each times the opponent's points in all
	Koya            = "koya"             // points against opponents with at least half of the points that they could have
)

// TieBreaks lists the tie-breaks in their usual order.
func TieBreaks() []string {
	return []string{DirectEncounter, MostWins, SonnebornBerger, Koya}
}

// CheckTieBreaks says which name is no tie-break, or is there twice.
func CheckTieBreaks(names []string) error {
	for i, name := range names {
		if !slices.Contains(TieBreaks(), name) {
			return fmt.Errorf("unknown tie-break %q (known: %s)", name, strings.Join(TieBreaks(), ", "))
		}
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("tie-break %q is there twice", name)
		}
	}
	return nil
}

// tieBreaks has those of the tournament, in the order in which they are applied.
func (t Tournament) tieBreaks() []string {
	if t.TieBreaks == nil {
		return TieBreaks()
	}
	return t.TieBreaks
}

// tieBreaker puts bots in order.
type tieBreaker struct {
	lines  []Standing // in configured order, with all that is counted
	cross  Crosstable // of the same indexes
	breaks []string   // in the order in which they are applied
	used   []string   // those that separated any
}

// count fills in the tie-breaks of each line as published tables have them, by points alone. An
// opponent's points are with those for byes, as it has them in the table.
func (b *tieBreaker) count() {
	for i := range b.lines {
		line := &b.lines[i]
		for j, opponent := range b.lines {
			cell := b.cross.cell(i, j)
			if opponent.Points == line.Points {
				line.DirectEncounter += cell.Points
			}
			line.SonnebornBerger += cell.Points * opponent.Points
			if score, ok := opponent.Score(); ok && score >= 0.5 {
				line.Koya += cell.Points
			}
		}
	}
}

// order gives the indexes of the lines, best first, in groups that share a rank: by the stage that they
// reached, and of bots that reached none, as outside of a knockout, by points and by the tie-breaks one after
// another. Who went out in one stage of a knockout came equally far: points would say who had the longer ties.
func (b *tieBreaker) order() [][]int {
	all := make([]int, len(b.lines))
	for i := range all {
		all[i] = i
	}
	var ranks [][]int
	for _, stage := range split(all, func(i int) float64 { return float64(b.lines[i].Reached) }) {
		if b.lines[stage[0]].Reached > 0 {
			ranks = append(ranks, stage)
			continue
		}
		for _, tied := range split(stage, func(i int) float64 { return b.lines[i].Points }) {
			ranks = append(ranks, b.separate(tied, b.breaks)...)
		}
	}
	return ranks
}

// separate puts tied bots in order. A direct encounter that separates some is looked at again among
// those that it leaves tied; the others go on with the next tie-break.
func (b *tieBreaker) separate(tied []int, breaks []string) [][]int {
	if len(tied) < 2 || len(breaks) == 0 {
		return [][]int{tied}
	}
	groups := split(tied, b.value(breaks[0], tied))
	if len(groups) == 1 {
		return b.separate(tied, breaks[1:])
	}
	if !slices.Contains(b.used, breaks[0]) {
		b.used = append(b.used, breaks[0])
	}
	if breaks[0] != DirectEncounter {
		breaks = breaks[1:]
	}
	var ranks [][]int
	for _, group := range groups {
		ranks = append(ranks, b.separate(group, breaks)...)
	}
	return ranks
}

// value is what a tie-break says of each of the tied bots.
func (b *tieBreaker) value(name string, tied []int) func(i int) float64 {
	switch name {
	case DirectEncounter:
		return b.encounters(tied)
	case MostWins:
		return func(i int) float64 { return float64(b.lines[i].Wins) }
	case SonnebornBerger:
		return func(i int) float64 { return b.lines[i].SonnebornBerger }
	}
	return func(i int) float64 { return b.lines[i].Koya }
}

// encounters is the points of each bot against the tied ones. They say something only if all of these
// have met: else it is the same for all.
func (b *tieBreaker) encounters(tied []int) func(i int) float64 {
	for at, i := range tied {
		for _, j := range tied[at+1:] {
			if b.cross.cell(i, j).Matches == 0 {
				return func(int) float64 { return 0 }
			}
		}
	}
	return func(i int) float64 {
		sum := 0.0
		for _, j := range tied {
			sum += b.cross.cell(i, j).Points
		}
		return sum
	}
}

// split sorts by value, highest first, and takes apart where it changes. Equal ones keep their order.
func split(all []int, value func(i int) float64) [][]int {
	values := make(map[int]float64, len(all))
	for _, i := range all {
		values[i] = value(i)
	}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(i, j int) int { return cmp.Compare(values[j], values[i]) })
	var groups [][]int
	for at, i := range sorted {
		if at == 0 || values[i] != values[sorted[at-1]] {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], i)
	}
	return groups
}
