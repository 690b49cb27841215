package arena

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sembra/engine"
	"sembra/results"
)

const startText = "4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0"

// TestEndings plays a match to each ending. It compares the record and what the bots are told.
func TestEndings(t *testing.T) {
	t.Parallel()
	const (
		one  = "0,5,5,5,5,4/4,4,4,4,4,4 0-0 N sow 1 1"
		late = "no answer within 150ms, the margin included"
		gone = "the bot exited or closed its standard input or output"
	)
	for _, test := range []struct {
		name, opening string // "": the start position
		control       TimeControl
		south, north  func(*question) string
		ending        results.Ending
		result        results.Result
		fault         results.Fault
		stores        [2]int
		moves         []string
		last          string // position
		what          string // the bot at fault did
	}{
		{
			name: "normal", opening: "0,0,0,0,0,1/0,0,0,0,0,0 23-24 S sow 1 7", ending: results.EndNormal, result: results.NorthWins,
			stores: [2]int{23, 25}, moves: []string{"F"}, last: "0,0,0,0,0,0/0,0,0,0,0,0 23-25 N over 1 8",
		},
		{
			name: "cycle", opening: "4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 99", ending: results.EndCycle, result: results.Draw,
			stores: [2]int{24, 24}, moves: []string{"A"}, last: "0,0,0,0,0,0/0,0,0,0,0,0 24-24 N over 1 100",
		},
		{
			name: "early", opening: "0,0,0,0,0,1/1,0,0,0,0,3 24-19 S sow 1 0", ending: results.EndEarly, result: results.SouthWins,
			stores: [2]int{26, 19}, moves: []string{"F"}, last: "0,0,0,0,0,0/0,0,0,0,0,3 26-19 N over 1 0",
		},
		{
			name: "resign", south: at(2, says("bestmove resign")), ending: results.EndResign, result: results.NorthWins,
			moves: []string{"A", "a"}, last: "0,5,5,5,5,4/0,5,5,5,5,4 0-0 S sow 1 2",
		},
		{
			name: "time", control: perMove(), north: says(""), ending: results.EndTime, result: results.SouthWins,
			fault: results.NorthFault, moves: []string{"A"}, last: one, what: late,
		},
		{name: "illegal", south: says("bestmove Q"), ending: results.EndIllegal, what: `illegal move "Q" (legal: A B C D E F)`},
		{
			name: "illegal, control characters", south: says("bestmove \x1b[2J\xff"), ending: results.EndIllegal,
			what: `illegal move "\x1b[2J\xff" (legal: A B C D E F)`,
		},
		{name: "crash", south: closesOutput, ending: results.EndCrash, what: gone}, // it could still listen
		{name: "protocol", south: says("bestmove"), ending: results.EndProtocol, what: "a bestmove without a move"},
	} {
		inBubble(t, test.name, func(t *testing.T) {
			var heard [2]transcript
			rec, what := bout{
				opening: test.opening, control: test.control,
				south: scripted{Heard: &heard[engine.South], Answer: test.south},
				north: scripted{Heard: &heard[engine.North], Answer: test.north},
			}.play(t)

			if test.what != "" && test.fault == results.NoFault {
				test.fault, test.result = results.SouthFault, results.NorthWins
			}
			opening, key := cmp.Or(test.opening, startText), results.Key{South: "a", North: "b", Pair: 1}
			want := results.Record{
				Summary: results.Summary{
					Key: key, Result: test.result, Ending: test.ending, Fault: test.fault,
					Stores: test.stores, Rounds: 1, Plies: len(test.moves),
					Hash: results.MatchHash("awale", "a", "b", opening, test.moves),
				},
				Body: results.Body{
					Opening: opening, Moves: test.moves,
					Rounds: []results.Round{{
						Start: opening, Position: cmp.Or(test.last, startText), Reason: test.ending.String(), Plies: len(test.moves),
						South: test.stores[0], North: test.stores[1],
					}},
					Seeds: [2]uint64{matchSeed(1, key, engine.South), matchSeed(1, key, engine.North)},
				},
			}
			rec.Times, rec.CPU, rec.Elapsed, rec.Evidence = [2]time.Duration{}, [2]time.Duration{}, nil, nil
			equal(t, "record", want, rec)
			if what != test.what {
				t.Errorf("said of it: %q, want %q", what, test.what)
			}
			for seat := range heard {
				var told []string
				if test.fault.Blames(engine.Seat(seat)) {
					told = append(told, "error "+test.what)
				}
				result := "loss"
				switch test.result {
				case results.Draw:
					result = "draw"
				case results.WinOf(engine.Seat(seat)):
					result = "win"
				}
				told = append(told, fmt.Sprintf("endmatch %s %d-%d %v", result, test.stores[0], test.stores[1], test.ending))
				equal(t, fmt.Sprintf("%v was told", engine.Seat(seat)), told, heard[seat].Of("endmatch", "error"))
			}
		})
	}
}

// closesOutput is an answer that ends the bot's output.
func closesOutput(q *question) string {
	q.Out.(io.Closer).Close()
	return ""
}

// TestLongToken: a bot cannot fill the screen with a token.
func TestLongToken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var heard transcript
		long := scripted{Heard: &heard, Answer: says("bestmove " + strings.Repeat("\x01", 60_000))}
		rec, what := bout{south: long, north: scripted{}}.play(t)
		if rec.Ending != results.EndIllegal || len(what) > 600 || !strings.HasSuffix(what, "(legal: A B C D E F)") {
			t.Errorf("ending %v, said of it in %d bytes: %.700q", rec.Ending, len(what), what)
		}
		equal(t, "it was told", []string{"error " + what, "endmatch loss 0-0 illegal"}, heard.Of("error", "endmatch"))
	})
}
