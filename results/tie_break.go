package results

import (
	"cmp"
	"fmt"
	"slices"

	"sembra/engine"
)

// The tie-breaks of FIDE (Handbook C.07, Tie-Break Regulations), with every match counted by itself.
const (
	directEncounter = "direct-encounter" // points against the tied bots
	mostWins        = "wins"             // won matches
	sonnebornBerger = "sonneborn-berger" // sum over the matches: own points in the match times all points of the opponent
	koya            = "koya"             // points against opponents with at least half of their possible points
)

// TieBreaks returns the tie-breaks in their usual order.
func TieBreaks() []string {
	return []string{directEncounter, mostWins, sonnebornBerger, koya}
}

// CheckTieBreaks returns an error for a name that is unknown or appears twice.
func CheckTieBreaks(names []string) error {
	for i, name := range names {
		if !slices.Contains(TieBreaks(), name) {
			return &engine.UnknownError{Kind: "tie-break", Name: name, Known: TieBreaks()}
		}
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("tie-break %q appears twice", name)
		}
	}
	return nil
}

// tieBreaks returns the tie-breaks of the tournament, in the order in which they are applied.
func (t Tournament) tieBreaks() []string {
	if t.TieBreaks == nil {
		return TieBreaks()
	}
	return t.TieBreaks
}

type tieBreaker struct {
	lines  []Standing // in configured order, completely counted
	cross  crosstable // with the same indexes
	breaks []string   // in the order in which they are applied
	used   []string   // the tie-breaks that separated any bots
}

// count sets the tie-break values of each line. Tied bots are those with equal points, and the points of an
// opponent include those for byes, as in published tables.
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

// order returns the indexes of the lines, the best first, in groups that share a rank. The stage that a bot reached
// in a knockout decides alone, because points would only show which meetings were longer. In other formats points
// decide, and then one tie-break after another.
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

// separate puts tied bots in order. If a direct encounter separates some of them, it is applied again to those who
// are still tied. After any other tie-break the next one follows.
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
	if breaks[0] != directEncounter {
		breaks = breaks[1:]
	}
	var ranks [][]int
	for _, group := range groups {
		ranks = append(ranks, b.separate(group, breaks)...)
	}
	return ranks
}

// value returns a function for the value of a tie-break for each of the tied bots.
func (b *tieBreaker) value(name string, tied []int) func(i int) float64 {
	switch name {
	case directEncounter:
		return b.encounters(tied)
	case mostWins:
		return func(i int) float64 { return float64(b.lines[i].Wins) }
	case sonnebornBerger:
		return func(i int) float64 { return b.lines[i].SonnebornBerger }
	}
	return func(i int) float64 { return b.lines[i].Koya }
}

// encounters returns a function for the points of each bot against the tied bots. If not all of these have met, the
// value is 0 for all.
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

// split sorts by value, the highest first, and groups equal values. Within a group the order stays.
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
