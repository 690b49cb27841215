package results

import (
	"testing"

	"sembra/results/stats"
)

// same is a match between two bots from some opening, with some moves.
func same(south, north string, pair int, opening, moves string, result Result) Summary {
	return Summary{
		Key: Key{south, north, pair}, Result: result, Ending: EndNormal,
		Hash: MatchHash("awale", south, north, opening, []string{moves}),
	}
}

func TestRepeats(t *testing.T) {
	t.Parallel()
	crash := same("a", "b", 8, "o", "A", SouthWins)
	crash.Ending, crash.Fault = EndCrash, NorthFault
	resigned := same("a", "b", 9, "o", "A", SouthWins)
	resigned.Ending = EndResign
	blamed := resigned
	blamed.Fault = NorthFault
	var got []bool
	repeats := make(repeats)
	for _, s := range []Summary{
		same("a", "b", 1, "o", "A", SouthWins),
		same("b", "a", 1, "o", "A", SouthWins), // other seats
		same("a", "b", 2, "o", "A", SouthWins), // again
		same("a", "b", 3, "p", "A", SouthWins), // another opening
		same("a", "b", 4, "o", "B", SouthWins), // other moves
		same("a", "c", 1, "o", "A", SouthWins), // another bot
		same("a", "b", 5, "o", "A", NorthWins), // another result
		crash, resigned, blamed,                // other ends
		same("a", "b", 10, "o", "A", SouthWins), same("b", "a", 2, "o", "A", SouthWins), crash, // again
	} {
		got = append(got, repeats.again(s))
	}
	want := []bool{false, false, true, false, false, false, false, false, false, false, true, true, true}
	equal(t, "repeats", want, got)
}

// TestRepeatNotes: in every format, a match that repeats an earlier one has a note.
func TestRepeatNotes(t *testing.T) {
	t.Parallel()
	for _, format := range []string{RoundRobin, Gauntlet, Knockout, Sequential, Swiss} {
		plan := Tournament{Plan: Plan{
			Format: format, Bots: []string{"a", "b"}, Pairs: 3, Openings: []string{"o", "p", "o"},
			Test: &stats.Test{Elo1: 30, Alpha: 0.05, Beta: 0.05, Model: stats.Normalized},
		}}
		fold := newNoteFold(plan)
		var got []string
		for pair := 1; pair <= 6; pair++ { // in a Swiss, the bots meet again
			m := same("a", "b", pair, []string{"o", "p", "o"}[(pair-1)%3], "A", Draw)
			got = append(got, fold.note(Numbered{Number: 2*pair - 1, Summary: m}))
		}
		want := []string{"", "", repeatNote, repeatNote, repeatNote, repeatNote}
		if format != Swiss {
			want = want[:3]
		}
		equal(t, format, want, got[:len(want)])
	}
}
