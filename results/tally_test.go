package results

import (
	"fmt"
	"testing"
	"time"
)

func TestProfile(t *testing.T) {
	t.Parallel()
	_, all := handCounted()
	for i := range all {
		all[i].Times[0], all[i].Times[1] = time.Second, time.Minute
	}
	want := Profile{
		Bot: "b",
		Seats: [2]Tally{
			{Matches: 3, Points: 2, Wins: 1, Draws: 2},
			{Matches: 2, Losses: 1}, // one of them is void
		},
		Endings: map[Ending]Tally{
			EndEarly: {Matches: 1, Losses: 1}, EndNormal: {Matches: 1, Points: 0.5, Draws: 1},
			EndIllegal: {Matches: 1, Points: 1, Wins: 1}, EndStart: {Matches: 1}, EndCycle: {Matches: 1, Points: 0.5, Draws: 1},
		},
		Time: 3*time.Second + 2*time.Minute,
	}
	equal(t, "profile", want, NewProfile("b", all))
}

func TestLeaders(t *testing.T) {
	t.Parallel()
	l := spring(1, "a", "b", "c", "d").Leaders()
	for _, match := range []Summary{
		{Key: Key{"b", "a", 1}, Result: SouthWins},
		{Key: Key{"b", "c", 1}, Result: Draw},
		{Key: Key{"a", "x", 1}, Result: SouthWins},
		{Key: Key{"c", "b", 1}, Result: Void},
	} {
		l.Add(match)
	}
	for _, c := range []struct {
		n      int
		merits map[string]StageResult
		want   []Leader
	}{
		{5, nil, []Leader{{"b", 1.5}, {"a", 1}, {"c", 0.5}}},
		{2, nil, []Leader{{"b", 1.5}, {"a", 1}}},
		{9, map[string]StageResult{"d": {ByePoints: 2}, "a": {ByePoints: 0.5}}, []Leader{{"d", 2}, {"a", 1.5}, {"b", 1.5}, {"c", 0.5}}},
	} {
		equal(t, fmt.Sprintf("first %d", c.n), c.want, l.Top(c.n, c.merits))
	}
}
