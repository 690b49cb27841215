package results

import (
	"slices"

	"sembra/engine"
	"sembra/results/stats"
)

// PoolTest is how two revisions of a bot stand against the same opponents: the two challengers of a gauntlet, the new one
// first. One opening is one observation, because its matches are not independent. It counts when all its matches are
// recorded and all openings before it count.
type PoolTest struct {
	stats.PoolFigures
	Opponents []PoolOpponent // in the order of the plan
	Faults    [2]int         // matches of the counted openings that each revision lost by a fault
}

// PoolOpponent is an opponent of both revisions.
type PoolOpponent struct {
	Bot     string
	Matches int        // of each revision, in the counted openings
	Points  [2]float64 // of the revisions in them
}

// PoolTest returns how the test of a tournament stands after some matches.
func (t Tournament) PoolTest(test stats.PoolTest, summaries []Numbered) (p PoolTest) {
	for _, bot := range t.Bots {
		if !slices.Contains(t.Challengers, bot) {
			p.Opponents = append(p.Opponents, PoolOpponent{Bot: bot})
		}
	}
	matches, gained := make([]int, t.Pairs+1), make([]float64, t.Pairs+1) // by pair: the advantage in points
	for _, m := range summaries {
		if _, which, points := t.ofRevision(m.Summary); m.Pair <= t.Pairs {
			matches[m.Pair]++
			gained[m.Pair] += points * float64(1-2*which)
		}
	}
	var differences []float64
	for pair := 1; pair <= t.Pairs && matches[pair] == 4*len(p.Opponents); pair++ {
		differences = append(differences, gained[pair]/float64(2*len(p.Opponents)))
	}
	p.PoolFigures = test.Figures(differences)
	for _, m := range summaries {
		if m.Pair > p.Openings {
			continue
		}
		opponent, which, points := t.ofRevision(m.Summary)
		i := slices.IndexFunc(p.Opponents, func(o PoolOpponent) bool { return o.Bot == opponent })
		p.Opponents[i].Points[which] += points
		if which == 0 {
			p.Opponents[i].Matches++
		}
		if m.FaultName() == t.Challengers[which] {
			p.Faults[which]++
		}
	}
	return p
}

// ofRevision returns which of the challengers played a match, its opponent and its points.
func (t Tournament) ofRevision(m Summary) (opponent string, which int, points float64) {
	opponent, seat := m.North, engine.South
	which = slices.Index(t.Challengers, m.South)
	if which < 0 {
		opponent, seat = m.South, engine.North
		which = slices.Index(t.Challengers, m.North)
	}
	return opponent, which, m.Points()[seat]
}

// Broken returns the first match that a bot lost by a fault, other than on time; ok is false if there is none.
func Broken(bot string, summaries []Numbered) (first Numbered, ok bool) {
	i := slices.IndexFunc(summaries, func(m Numbered) bool {
		return m.Ending != EndTime && (m.FaultName() == bot || m.Fault == BothFault)
	})
	if i < 0 {
		return Numbered{}, false
	}
	return summaries[i], true
}

// FaultLosses counts the matches that a bot lost by a fault, and those of them that it lost on time.
func FaultLosses(bot string, summaries []Numbered) (all, late int) {
	for _, m := range summaries {
		if m.FaultName() == bot {
			all++
			if m.Ending == EndTime {
				late++
			}
		}
	}
	return all, late
}

// alikePairs is the number of pairs after which two bots that play alike are taken to be one.
const alikePairs = 20

// PlayAlike reports whether two bots seem to be one: in each of their first pairs, the second match repeats the first with
// the seats swapped.
func PlayAlike(summaries []Numbered) bool {
	const matches = 2 * alikePairs
	if len(summaries) < matches || summaries[matches-1].Number != matches {
		return false
	}
	for i := 0; i < matches; i += 2 {
		a, b := summaries[i], summaries[i+1]
		if a.Result != b.Result || a.Ending != b.Ending || a.Stores != b.Stores || a.Plies != b.Plies || a.Fault != NoFault {
			return false
		}
	}
	return true
}
