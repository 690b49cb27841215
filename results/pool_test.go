package results

import (
	"testing"

	"sembra/results/stats"
)

// poolOf is a gauntlet of head and base against p and q, and its matches. A text has four letters for each opponent of an
// opening: the results of head as South and as North, and then those of base, as in pairsOf.
func poolOf(openings ...string) (t Tournament, all []Numbered) {
	t = spring(len(openings), "head", "base", "p", "q")
	t.Format, t.Challengers = Gauntlet, []string{"head", "base"}
	for pair, text := range openings {
		for i, letter := range text {
			bot, opponent := t.Challengers[i/2%2], t.Bots[2+i/4]
			m := Summary{Key: Key{bot, opponent, pair + 1}, Result: SouthWins, Ending: EndNormal}
			won, lost, fault := SouthWins, NorthWins, SouthFault
			if i%2 == 1 {
				m.South, m.North = opponent, bot
				won, lost, fault = NorthWins, SouthWins, NorthFault
			}
			switch letter {
			case 'W':
				m.Result = won
			case 'L':
				m.Result = lost
			case 'D':
				m.Result = Draw
			case 'l':
				m.Result, m.Ending, m.Fault = lost, EndTime, fault
			case 'c':
				m.Result, m.Ending, m.Fault = lost, EndCrash, fault
			}
			all = append(all, Numbered{len(all) + 1, m})
		}
	}
	return t, all
}

func TestPoolTest(t *testing.T) {
	t.Parallel()
	// Of the last opening a match is missing.
	tournament, all := poolOf("WWWLDDLL", "WDLLLcLW", "WWLLWWLL", "WWLLWWL")
	got := tournament.PoolTest(stats.PoolTest{High: 0.04}, all)
	equal(t, "opponents", []PoolOpponent{{"p", 6, [2]float64{5.5, 1}}, {"q", 6, [2]float64{3, 1}}}, got.Opponents)
	equal(t, "openings", 3, got.Openings)
	equal(t, "faults", [2]int{1, 0}, got.Faults)
	// (1+1)/4, (1.5-1)/4, (2+2)/4
	if want := (0.5 + 0.125 + 1) / 3; got.Mean != want {
		t.Errorf("a mean of %v, want %v", got.Mean, want)
	}

	first, ok := Broken("head", all)
	equal(t, "what broke", [2]any{14, true}, [2]any{first.Number, ok})
	_, ok = Broken("base", all)
	equal(t, "nothing broke", false, ok)
}

func TestPlayAlike(t *testing.T) {
	t.Parallel()
	matches := func(last ...Summary) (all []Numbered) {
		for len(all) < 38 {
			all = append(all, Numbered{len(all) + 1, Summary{Result: SouthWins, Ending: EndNormal, Plies: 30}})
		}
		for _, m := range last {
			all = append(all, Numbered{len(all) + 1, m})
		}
		return all
	}
	won := Summary{Result: NorthWins, Ending: EndNormal, Plies: 31}
	longer := won
	longer.Plies++
	equal(t, "too few", false, PlayAlike(matches(won)))
	equal(t, "alike", true, PlayAlike(matches(won, won)))
	equal(t, "alike, and more", true, PlayAlike(matches(won, won, longer)))
	equal(t, "another", false, PlayAlike(matches(won, longer)))
	gap := matches(won, won)
	gap[39].Number++
	equal(t, "one is missing", false, PlayAlike(gap))
}
