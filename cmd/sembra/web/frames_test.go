package web

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"sembra/engine"
	"sembra/results"
)

// TestFramesEndInTheEnginesPositions moves the seeds as the steps of each frame say, in matches of every ruleset. The
// seeds that lie on the board then are those of the frame's position, and the positions are those of the engine.
func TestFramesEndInTheEnginesPositions(t *testing.T) {
	t.Parallel()
	for _, rules := range engine.Rulesets() {
		t.Run(rules.Info().Name, func(t *testing.T) {
			t.Parallel()
			const matches = 4
			plan := planOf("frames", rules.Info().Name, matches, "ann", "ben")
			for number := 1; number <= matches; number++ {
				key := results.Key{South: "ann", North: "ben", Pair: number}
				replay := must2(results.Conditions{}.Replay(rules, playedRecord(t, plan, key, number, map[string]int{"ann": 2})))
				frames := boardFrames(replay)
				if len(frames) != len(replay.Plies)+1 {
					t.Fatalf("%d frames of %d plies", len(frames), len(replay.Plies))
				}
				for i, frame := range frames[1:] {
					if want := engine.Text(rules, replay.Plies[i].After); frame.Position != want {
						t.Fatalf("ply %d: position %s, want %s", i+1, frame.Position, want)
					}
					board := newTestBoard(t, rules, frames[i].Position)
					must(t, board.move(frame))
					if want := newTestBoard(t, rules, frame.Position); fmt.Sprint(board) != fmt.Sprint(want) {
						t.Fatalf("ply %d, %s from %s by %s: the seeds are %v, want %v",
							i+1, frame.Token, frames[i].Position, frame.Steps, board, want)
					}
				}
			}
		})
	}
}

// testBoard is the seeds by hole, in the stores (S and N) and in the hand.
type testBoard map[string]int

func newTestBoard(t *testing.T, rules engine.Ruleset, text string) testBoard {
	t.Helper()
	p := must2(engine.ParsePosition(rules, text))
	b := testBoard{"S": p.Store(engine.South), "N": p.Store(engine.North), "hand": 0}
	for _, seat := range []engine.Seat{engine.South, engine.North} {
		for hole := range rules.Info().Holes {
			b[seat.HoleName(hole)] = p.Seeds(seat, hole)
		}
	}
	return b
}

// move moves the seeds as a script does.
func (b testBoard) move(frame boardFrame) error {
	for word := range strings.FieldsSeq(frame.Steps) {
		holes := strings.TrimLeft(word[1:], "0123456789")
		given := 1
		if number := strings.TrimSuffix(word[1:], holes); number != "" {
			_, _ = fmt.Sscan(number, &given)
		}
		for _, letter := range holes {
			hole, owner := string(letter), "S"
			if unicode.IsLower(letter) {
				owner = "N"
			}
			other := map[string]string{"S": "N", "N": "S"}[frame.Mover]
			from, to, seeds := hole, "hand", b[hole]
			switch word[0] {
			case '-':
			case '+':
				from, to, seeds = "hand", hole, given
			case '>':
				to = frame.Mover
			case '<':
				to = other
			case '=':
				to = owner
			case '~':
				from, to, seeds = owner, hole, given
			default:
				return fmt.Errorf("unknown step %q", word)
			}
			b[from] -= seeds
			b[to] += seeds
			if seeds < 1 || b[from] < 0 {
				return fmt.Errorf("step %q of %s moves %d seeds and leaves %d", word, frame.Steps, seeds, b[from])
			}
		}
	}
	return nil
}
