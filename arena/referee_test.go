package arena

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"sembra/engine"
	"sembra/results"
)

const startText = "4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0"

// TestEndings plays a match to each ending. It compares the record and what the
// bots are told.
func TestEndings(t *testing.T) {
	t.Parallel()
	const (
		legal     = "(legal: A B C D E F)"
		caseWrong = `illegal move "a" (only the case is wrong: write A; legal: A B C D E F)`
	)
	for _, test := range []struct {
		name         string
		opening      string
		control      TimeControl
		south, north func(*question) string
		want         results.Record // without key, hash and times
		what         string
		told         [2][]string // after the last go
	}{
		{
			name: "normal", opening: "0,0,0,0,0,1/0,0,0,0,0,0 23-24 S sow 1 7",
			want: results.Record{
				Summary: results.Summary{
					Result: results.NorthWins, Ending: results.EndNormal, SouthStore: 23, NorthStore: 25, Rounds: 1, Plies: 1,
				},
				Body: results.Body{Moves: []string{"F"}, Rounds: []results.Round{
					{Position: "0,0,0,0,0,0/0,0,0,0,0,0 23-25 N over 1 8", Reason: "normal", South: 23, North: 25},
				}},
			},
			told: [2][]string{{"endmatch loss 23-25 normal"}, {"endmatch win 23-25 normal"}},
		},
		{
			name: "cycle", opening: "4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 99",
			want: results.Record{
				Summary: results.Summary{
					Result: results.Draw, Ending: results.EndCycle, SouthStore: 24, NorthStore: 24, Rounds: 1, Plies: 1,
				},
				Body: results.Body{Moves: []string{"A"}, Rounds: []results.Round{
					{Position: "0,0,0,0,0,0/0,0,0,0,0,0 24-24 N over 1 100", Reason: "cycle", South: 24, North: 24},
				}},
			},
			told: [2][]string{{"endmatch draw 24-24 cycle"}, {"endmatch draw 24-24 cycle"}},
		},
		{
			name: "early", opening: "0,0,0,0,0,1/1,0,0,0,0,3 24-19 S sow 1 0",
			want: results.Record{
				Summary: results.Summary{
					Result: results.SouthWins, Ending: results.EndEarly, SouthStore: 26, NorthStore: 19, Rounds: 1, Plies: 1,
				},
				Body: results.Body{Moves: []string{"F"}, Rounds: []results.Round{
					{Position: "0,0,0,0,0,0/0,0,0,0,0,3 26-19 N over 1 0", Reason: "early", South: 26, North: 19},
				}},
			},
			told: [2][]string{{"endmatch win 26-19 early"}, {"endmatch loss 26-19 early"}},
		},
		{
			name: "resign", south: at(2, says("bestmove resign")),
			want: results.Record{
				Summary: results.Summary{Result: results.NorthWins, Ending: results.EndResign, Rounds: 1, Plies: 2},
				Body: results.Body{Moves: []string{"A", "a"}, Rounds: []results.Round{
					{Position: "0,5,5,5,5,4/0,5,5,5,5,4 0-0 S sow 1 2", Reason: "resign"},
				}},
			},
			told: [2][]string{{"endmatch loss 0-0 resign"}, {"endmatch win 0-0 resign"}},
		},
		{
			name: "time", control: perMove(), north: says(""),
			want: results.Record{
				Summary: results.Summary{
					Result: results.SouthWins, Ending: results.EndTime, Fault: results.NorthFault, Rounds: 1, Plies: 1,
				},
				Body: results.Body{Moves: []string{"A"}, Rounds: []results.Round{
					{Position: "0,5,5,5,5,4/4,4,4,4,4,4 0-0 N sow 1 1", Reason: "time"},
				}},
			},
			what: "no answer within 150ms, the margin included",
			told: [2][]string{{"endmatch win 0-0 time"}, {"error no answer within 150ms, the margin included", "endmatch loss 0-0 time"}},
		},
		{
			name: "hang", north: says(""),
			want: results.Record{
				Summary: results.Summary{
					Result: results.SouthWins, Ending: results.EndHang, Fault: results.NorthFault, Rounds: 1, Plies: 1,
				},
				Body: results.Body{Moves: []string{"A"}, Rounds: []results.Round{
					{Position: "0,5,5,5,5,4/4,4,4,4,4,4 0-0 N sow 1 1", Reason: "hang"},
				}},
			},
			what: "no answer within 1m0s",
			told: [2][]string{{"endmatch win 0-0 hang"}, {"error no answer within 1m0s", "endmatch loss 0-0 hang"}},
		},
		{
			name: "illegal", south: says("bestmove Q"),
			want: illegalRecord(),
			what: `illegal move "Q" ` + legal,
			told: [2][]string{
				{`error illegal move "Q" ` + legal, "endmatch loss 0-0 illegal"},
				{"endmatch win 0-0 illegal"},
			},
		},
		{
			name: "illegal, the wrong case", south: says("bestmove a"),
			want: illegalRecord(),
			what: caseWrong,
			told: [2][]string{
				{"error " + caseWrong, "endmatch loss 0-0 illegal"},
				{"endmatch win 0-0 illegal"},
			},
		},
		{
			name: "illegal, an empty hole", opening: "0,5,5,5,5,4/4,4,4,4,4,4 0-0 S sow 1 1", south: says("bestmove A"),
			want: results.Record{
				Summary: results.Summary{Result: results.NorthWins, Ending: results.EndIllegal, Fault: results.SouthFault, Rounds: 1},
				Body: results.Body{Rounds: []results.Round{
					{Position: "0,5,5,5,5,4/4,4,4,4,4,4 0-0 S sow 1 1", Reason: "illegal"},
				}},
			},
			what: `illegal move "A" (legal: B C D E F)`,
			told: [2][]string{
				{`error illegal move "A" (legal: B C D E F)`, "endmatch loss 0-0 illegal"},
				{"endmatch win 0-0 illegal"},
			},
		},
		{
			name: "illegal, control characters", south: says("bestmove \x1b[2J\xff"),
			want: illegalRecord(),
			what: `illegal move "\x1b[2J\xff" ` + legal,
			told: [2][]string{
				{`error illegal move "\x1b[2J\xff" ` + legal, "endmatch loss 0-0 illegal"},
				{"endmatch win 0-0 illegal"},
			},
		},
		{
			name: "crash", south: closesOutput,
			want: results.Record{
				Summary: results.Summary{Result: results.NorthWins, Ending: results.EndCrash, Fault: results.SouthFault, Rounds: 1},
				Body:    results.Body{Rounds: []results.Round{{Position: startText, Reason: "crash"}}},
			},
			what: "the bot exited or closed its standard input or output",
			told: [2][]string{
				{"error the bot exited or closed its standard input or output", "endmatch loss 0-0 crash"}, // it could still listen
				{"endmatch win 0-0 crash"},
			},
		},
		{
			name: "protocol", south: says("bestmove"),
			want: results.Record{
				Summary: results.Summary{Result: results.NorthWins, Ending: results.EndProtocol, Fault: results.SouthFault, Rounds: 1},
				Body:    results.Body{Rounds: []results.Round{{Position: startText, Reason: "protocol"}}},
			},
			what: "a bestmove without a move",
			told: [2][]string{
				{"error a bestmove without a move", "endmatch loss 0-0 protocol"},
				{"endmatch win 0-0 protocol"},
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var heard [2]transcript
				rec, what := bout{
					opening: test.opening, control: test.control,
					south: fake{heard: &heard[engine.South], answer: test.south},
					north: fake{heard: &heard[engine.North], answer: test.north},
				}.play(t)

				want := test.want
				want.Key = results.Key{South: "a", North: "b", Pair: 1}
				if want.Opening = test.opening; want.Opening == "" {
					want.Opening = startText
				}
				want.Body.Rounds[0].Start, want.Body.Rounds[0].Plies = want.Opening, len(want.Moves)
				want.Hash = results.MatchHash("awale", "a", "b", want.Opening, want.Moves)
				want.Seeds = [2]uint64{matchSeed(1, want.Key, engine.South), matchSeed(1, want.Key, engine.North)}
				rec.SouthTime, rec.NorthTime, rec.SouthCPU, rec.NorthCPU, rec.Elapsed, rec.Evidence = 0, 0, 0, 0, nil, nil
				if diff := cmp.Diff(want, rec); diff != "" {
					t.Errorf("record (-want +got)\n%s", diff)
				}
				if what != test.what {
					t.Errorf("said of it: %q, want %q", what, test.what)
				}
				for seat := range heard {
					told := heard[seat].of("endmatch", "error")
					if diff := cmp.Diff(test.told[seat], told); diff != "" {
						t.Errorf("%v was told (-want +got)\n%s", engine.Seat(seat), diff)
					}
				}
			})
		})
	}
}

func illegalRecord() results.Record {
	return results.Record{
		Summary: results.Summary{Result: results.NorthWins, Ending: results.EndIllegal, Fault: results.SouthFault, Rounds: 1},
		Body:    results.Body{Rounds: []results.Round{{Position: startText, Reason: "illegal"}}},
	}
}

// closesOutput is an answer that ends the bot's output.
func closesOutput(q *question) string {
	q.out.(*stream).close()
	return ""
}

// TestWire compares everything that two bots are told in a short match with the
// protocol.
func TestWire(t *testing.T) {
	t.Parallel()
	const (
		opening = "0,0,0,0,1,1/1,0,0,0,0,3 24-18 S sow 1 3"
		after   = "0,0,0,0,0,2/1,0,0,0,0,3 24-18 N sow 1 4"
	)
	for _, test := range []struct {
		hello   string
		opening string
		played  []string // both seats' moves
		want    [2][]string
	}{
		{
			"id name Plain", opening,
			[]string{"E", "a", "F"},
			[2][]string{
				{"position fen " + opening, "go", "position fen " + opening + " moves E a", "go", "endmatch win 26-18 early"},
				{"position fen " + opening + " moves E", "go", "endmatch loss 26-18 early"},
			},
		},
		{
			"wants legal position", opening,
			[]string{"E", "a", "F"},
			[2][]string{
				{
					"position fen " + opening, "legal E F", "go",
					"position fen 0,0,0,0,0,2/0,1,0,0,0,3 24-18 S sow 1 5", "legal F", "go", "endmatch win 26-18 early",
				},
				{"position fen " + after, "legal a f", "go", "endmatch loss 26-18 early"},
			},
		},
		{
			"id name Plain", "",
			[]string{"C", "b", "resign"},
			[2][]string{
				{"position startpos", "go", "position startpos moves C b", "go", "endmatch loss 0-0 resign"},
				{"position startpos moves C", "go", "endmatch win 0-0 resign"},
			},
		},
	} {
		t.Run(test.hello, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var heard [2]transcript
				bot := func(seat engine.Seat) fake {
					return fake{hello: test.hello, heard: &heard[seat], answer: func(q *question) string {
						return "bestmove " + test.played[2*(q.ply-1)+int(seat)] + " ponder A"
					}}
				}
				rec, what := bout{opening: test.opening, south: bot(engine.South), north: bot(engine.North)}.play(t)
				moves := slices.DeleteFunc(slices.Clone(test.played), func(token string) bool { return token == "resign" })
				if !slices.Equal(rec.Moves, moves) {
					t.Errorf("moves %v (%s), want %v", rec.Moves, what, moves)
				}
				for seat, lines := range test.want {
					seed := matchSeed(1, results.Key{South: "a", North: "b", Pair: 1}, engine.Seat(seat))
					want := []string{"mbi 1", "isready", fmt.Sprintf("newmatch awale %v seed %d", engine.Seat(seat), seed), "isready"}
					want = append(append(want, lines...), "quit")
					if diff := cmp.Diff(want, heard[seat].all()); diff != "" {
						t.Errorf("%v was told (-want +got)\n%s", engine.Seat(seat), diff)
					}
				}
			})
		})
	}
}

// TestRepetition ends a match by a position that comes back: two seeds go round
// the board.
func TestRepetition(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const opening = "1,0,0,0,0,0/1,0,0,0,0,0 23-23 S sow 1 0"
		rec, _ := bout{opening: opening, south: fake{}, north: fake{}}.play(t)
		if rec.Ending != results.EndCycle || rec.Result != results.Draw || rec.SouthStore != 24 || rec.Plies != 12 {
			t.Errorf("%v, ending %v, %d-%d after %d plies; want a draw by cycle, 24-24 after 12",
				rec.Result, rec.Ending, rec.SouthStore, rec.NorthStore, rec.Plies)
		}
	})
}

// TestLongToken: a bot cannot fill the screen with a token.
func TestLongToken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var heard transcript
		long := fake{heard: &heard, answer: says("bestmove " + strings.Repeat("\x01", 60_000))}
		rec, what := bout{south: long, north: fake{}}.play(t)
		if rec.Ending != results.EndIllegal || len(what) > 600 || !strings.HasSuffix(what, "(legal: A B C D E F)") {
			t.Errorf("ending %v, said of it in %d bytes: %.700q", rec.Ending, len(what), what)
		}
		if diff := cmp.Diff([]string{"error " + what, "endmatch loss 0-0 illegal"}, heard.of("error", "endmatch")); diff != "" {
			t.Errorf("it was told (-want +got)\n%s", diff)
		}
	})
}

// TestScores: the record keeps the last score before each move, from the side of
// the mover. It has no scores if neither bot says any.
func TestScores(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		south := fake{answer: func(q *question) string {
			q.say("info score 9\ninfo depth 2 score cp -150 pv A")
			return q.first()
		}}
		rec, _ := bout{south: south, north: fake{}}.play(t)
		if len(rec.Scores) != rec.Plies || rec.Plies == 0 {
			t.Fatalf("%d scores for %d plies", len(rec.Scores), rec.Plies)
		}
		for i, score := range rec.Scores {
			told := i%2 == 0
			if told != (score != nil) || told && *score != -1.5 {
				t.Errorf("score %d is %v", i+1, score)
			}
		}
		if rec, _ := (bout{south: fake{}, north: fake{}}).play(t); rec.Scores != nil {
			t.Errorf("scores that nobody told: %v", rec.Scores)
		}
	})
}
