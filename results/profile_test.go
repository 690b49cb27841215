package results

import (
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
