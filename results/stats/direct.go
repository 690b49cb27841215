package stats

import "math"

// Direct is the results of two players against each other, from the view of the first.
type Direct struct {
	Pairs   Pentanomial // units of two games or more
	Singles Trinomial   // units of one game
}

// Figures returns the figures of the pairs, or of the single games if there is no pair. paired says which.
func (d Direct) Figures() (figures Figures, paired bool) {
	if pairs := d.Pairs.Figures(); pairs.Units > 0 {
		return pairs, true
	}
	return d.Singles.Figures(), false
}

// Swap returns the same results from the view of the second player.
func (d Direct) Swap() Direct { return Direct{d.Pairs.Swap(), d.Singles.Swap()} }

// DirectResults counts the units of each two players who met, by their indexes, the lesser one first. The games of
// a unit are adjacent. A unit of more than two games counts as a pair with its mean score, rounded towards level.
func DirectResults(games []Game) map[[2]int]Direct {
	all := make(map[[2]int]Direct)
	for unit := range units(games) {
		players := playersOf(unit)
		direct := all[players]
		direct.add(unit)
		all[players] = direct
	}
	return all
}

// playersOf returns the two players of a unit, the lesser one first.
func playersOf(unit []Game) [2]int {
	return [2]int{min(unit[0].First, unit[0].Second), max(unit[0].First, unit[0].Second)}
}

// add counts a unit, from the view of the lesser player.
func (d *Direct) add(unit []Game) {
	games, points := len(unit), 0.0
	for _, g := range unit {
		if g.First < g.Second {
			points += g.Score
		} else {
			points += 1 - g.Score
		}
	}
	if games == 1 {
		d.Singles.Add(points)
		return
	}
	beyond := 4*points/float64(games) - 2 // of a level unit, from -2 to 2
	d.Pairs[2+int(math.Trunc(beyond))]++
}

// Difference is how much stronger one player is than another, in Elo. Values that are not known are nil.
type Difference struct {
	Elo         *float64
	Error       *float64 // half of the 95% interval
	Low, High   *float64 // its ends
	Superiority *float64 // the probability that the first player is the stronger one, 0 to 1
}

// Difference compares the ratings of two players. Nothing is known about players of different groups.
func (field Field) Difference(a, b int) Difference {
	x, y := field.Players[a], field.Players[b]
	if a == b || x.Rating == nil || y.Rating == nil || x.Group != y.Group {
		return Difference{}
	}
	if duel, ok := field.duels[x.Group-1]; ok {
		if a < b {
			return duel
		}
		return duel.swap()
	}
	elo := *x.Rating - *y.Rating
	half, superiority := field.spread.difference(a, b, elo)
	d := around(elo, half)
	d.Superiority = superiority
	return d
}

// around returns a difference with half of its interval, which may be nil.
func around(elo float64, half *float64) Difference {
	d := Difference{Elo: number(elo), Error: half}
	if half != nil {
		d.Low, d.High = number(elo-*half), number(elo+*half)
	}
	return d
}

// halved returns half of the difference of a duel.
func (d Difference) halved() Difference {
	return Difference{number(*d.Elo / 2), number(*d.Error / 2), number(*d.Low / 2), number(*d.High / 2), d.Superiority}
}

// swap returns the difference from the view of the other player. A duel has all values.
func (d Difference) swap() Difference {
	return Difference{number(-*d.Elo), d.Error, number(-*d.High), number(-*d.Low), number(1 - *d.Superiority)}
}

// duels compares the players of every group of two, as a match between the two: with the score interval of their
// units. A group is left out if its units are not all pairs or all single games, or if moving first has an
// advantage and one of the players moved first more often.
func (f *fit) duels(games []Game) map[int]Difference {
	duels := make(map[int]Difference)
	for n, members := range f.groups {
		if len(members) != 2 {
			continue
		}
		var own Direct
		balance := 0 // games in which the first member moved first, less the others
		shortest, longest := len(games), 0
		for unit := range units(games) {
			if playersOf(unit) != [2]int(members) {
				continue
			}
			own.add(unit)
			shortest, longest = min(shortest, len(unit)), max(longest, len(unit))
			for _, g := range unit {
				if g.First == members[0] {
					balance++
				} else {
					balance--
				}
			}
		}
		advantage := f.advantage(f.x)
		if shortest != longest || longest > 2 || advantage != 0 && balance != 0 {
			continue
		}
		figures, _ := own.Figures()
		low, high := ofBalanced(*figures.ScoreLow, advantage), ofBalanced(*figures.ScoreHigh, advantage)
		duels[n] = Difference{
			Elo:   number((f.x[f.place[members[0]]] - f.x[f.place[members[1]]]) / logit),
			Error: number((high - low) / 2), Low: number(low), High: number(high),
			Superiority: figures.Superiority,
		}
	}
	return duels
}

// ofBalanced returns the difference in Elo at which a player is expected to score, if it moves first in half of the
// games. The advantage of moving first is on the natural scale. Both players scored, so the score is neither 0 nor 1.
func ofBalanced(score, advantage float64) float64 {
	centre, reach := math.Log(score)-math.Log1p(-score), math.Abs(advantage)+1
	return root(func(x float64) (y, slope float64) {
		first, second := logistic(x+advantage), logistic(x-advantage)
		return score - (first+second)/2, -(first*(1-first) + second*(1-second)) / 2
	}, centre-reach, centre+reach) / logit
}
