package arena

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

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

// TestOneDoesNotStart: the other bot wins against one that never gets ready.
func TestOneDoesNotStart(t *testing.T) {
	t.Parallel()
	silent := func(_ *question, _ string) bool { return true }
	for seat, fault := range []results.Fault{results.SouthFault, results.NorthFault} {
		t.Run(engine.Seat(seat).String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var heard transcript
				bots := [2]Launcher{fake{heard: &heard}, fake{heard: &heard}}
				bots[seat] = fake{line: silent}
				rec, what := bout{south: bots[0], north: bots[1]}.play(t)
				want := results.Summary{
					Key:    results.Key{South: "a", North: "b", Pair: 1},
					Result: wonBy(engine.Seat(seat).Other()), Ending: results.EndStart, Fault: fault, Rounds: 1,
					Hash: results.MatchHash("awale", "a", "b", startText, nil), SouthCPU: -1, NorthCPU: -1,
				}
				if diff := cmp.Diff(want, rec.Summary); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
				if diff := cmp.Diff([]results.Round{{Start: startText, Position: startText, Reason: "start"}}, rec.Body.Rounds); diff != "" {
					t.Errorf("rounds (-want +got)\n%s", diff)
				}
				name := string(rune('a' + seat))
				if !strings.HasPrefix(what, "bot "+name+" did not start: nothing at all came from it") {
					t.Errorf("said of it: %q", what)
				}
				if diff := cmp.Diff([]string{"endmatch win 0-0 start"}, heard.of("endmatch", "error", "go")); diff != "" {
					t.Errorf("the other was told (-want +got)\n%s", diff)
				}
			})
		})
	}
}

// TestNeitherStarts plays the only kind of match that has no result.
func TestNeitherStarts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dead := memory(func(io.Reader, io.Writer) {})
		rec, what := bout{opening: "4,4,4,4,4,4/4,4,4,4,4,4 0-0 N sow 1 3", south: dead, north: dead}.play(t)
		if rec.Result != results.Void || rec.Fault != results.BothFault || rec.Ending != results.EndStart || rec.FaultName() != "both" {
			t.Errorf("%v, fault %q, ending %v; want void, both, start", rec.Result, rec.FaultName(), rec.Ending)
		}
		const reason = " did not start: it exited or closed its standard input or output"
		if want := "bot a" + reason + "; bot b" + reason; what != want {
			t.Errorf("said of it: %q, want %q", what, want)
		}
		if south, north := rec.Points(); south != 0 || north != 0 {
			t.Errorf("it gave %v and %v points", south, north)
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

// tableRun plays all matches of a tournament at one table.
func tableRun(t *testing.T, tour *Tournament) (*log, events) {
	t.Helper()
	kept := new(log)
	var told events
	err := tour.Run(t.Context(), nil, kept, told.tell)
	if err != nil {
		t.Error(err)
	}
	return kept, told
}

// TestReplaced: a bot at fault gets a new process for its next match, and the other
// bot keeps its process.
func TestReplaced(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"bestmove Q", "bestmove", "", "exit"} {
		t.Run(fault, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				bad := &counted{}
				bad.Launcher = fake{answer: func(q *question) string {
					if bad.starts.Load() > 2 { // the first only tries, the second plays
						return q.first()
					}
					if fault == "exit" {
						return closesOutput(q)
					}
					return fault
				}}
				good := &counted{Launcher: fake{}}
				kept, _ := tableRun(t, tournament(t, 2, unclocked(), bad, good))
				var faults []results.Fault
				for _, r := range kept.timeless(t, allPlayAll([]string{"a", "b"}, 2)) {
					faults = append(faults, r.Fault)
				}
				if want := []results.Fault{results.SouthFault, 0, 0, 0}; !slices.Equal(faults, want) {
					t.Errorf("faults %v, want %v", faults, want)
				}
				if bad.starts.Load() != 3 || good.starts.Load() != 2 {
					t.Errorf("%d and %d starts, want 3 and 2", bad.starts.Load(), good.starts.Load())
				}
			})
		})
	}
}

// TestReuse counts starts: one to try the bot and one to play, or one for each match
// if the entry says so.
func TestReuse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		bots, pairs int
		restart     bool
		want        []int32
	}{
		{2, 3, false, []int32{1 + 1, 1 + 1}},
		{2, 3, true, []int32{1 + 6, 1 + 1}},
		{3, 1, false, []int32{1 + 1, 1 + 1, 1 + 1}},
		{3, 2, false, []int32{1 + 1, 1 + 1, 1 + 1}},
		{3, 1, true, []int32{1 + 4, 1 + 1, 1 + 1}},
	} {
		t.Run(fmt.Sprintf("bots=%d,pairs=%d,restart=%v", test.bots, test.pairs, test.restart), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var bots []*counted
				var launchers []Launcher
				matches := 0 // of a's process
				for range test.bots {
					bots = append(bots, &counted{Launcher: fake{}})
					launchers = append(launchers, bots[len(bots)-1])
				}
				bots[0].Launcher = fake{answer: func(q *question) string {
					matches = max(matches, q.match)
					return q.first()
				}}
				tour := tournament(t, test.pairs, unclocked(), launchers...)
				tour.Entries[0].Restart = test.restart
				tableRun(t, tour)
				var got []int32
				for _, b := range bots {
					got = append(got, b.starts.Load())
				}
				if !slices.Equal(got, test.want) {
					t.Errorf("starts %v, want %v", got, test.want)
				}
				if test.restart && matches != 1 {
					t.Errorf("one process played %d matches", matches)
				}
			})
		})
	}
}

// pausing is a launcher that is told when its bots are stopped and run again.
type pausing struct {
	Launcher
	runs func(again int) // 1 or -1
}

func (p pausing) Launch(ctx context.Context, n *Nursery) (Bot, error) {
	b, err := p.Launcher.Launch(ctx, n)
	return pausingBot{b, p.runs}, err
}

type pausingBot struct {
	Bot
	runs func(again int)
}

func (b pausingBot) Pause() { b.runs(-1) }

func (b pausingBot) Resume() { b.runs(1) }

// TestTwoAtATable: only the two bots of the match run. The others are stopped.
func TestTwoAtATable(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		running := make(map[string]int)
		var mu sync.Mutex
		most := 0
		bot := func(name string) Launcher {
			add := func(n int) {
				mu.Lock()
				defer mu.Unlock()
				running[name] += n
			}
			return pausing{memory(func(in io.Reader, out io.Writer) {
				add(1)
				defer add(-1)
				fake{answer: func(q *question) string {
					time.Sleep(ms) // until those that were sent away have gone
					mu.Lock()
					defer mu.Unlock()
					sum := 0
					for _, n := range running {
						sum += n
					}
					most = max(most, sum)
					if running[name] != 1 {
						t.Errorf("%s runs %d times", name, running[name])
					}
					return q.first()
				}}.run(in, out)
			}), add}
		}
		tour := tournament(t, 2, unclocked(), bot("a"), bot("b"), bot("c"), bot("d"), bot("e"))
		tableRun(t, tour)
		if most != 2 {
			t.Errorf("%d bots ran at once, want 2", most)
		}
		for name, n := range running {
			if n != 0 {
				t.Errorf("%s runs after the tournament", name)
			}
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

// TestItWrote picks the most telling line.
func TestItWrote(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ stderr, want string }{
		{"", ""},
		{"\n \n", ""},
		{"loading\nready\n", "; it wrote: ready"},
		{"Traceback (most recent call last):\n  File \"b.py\", line 3\n    raise ValueError\nValueError: no\x1b move\n", "; it wrote: ValueError: no␛ move"},
		{"/bot.js:7\n  legl[0]\n  ^\n\nReferenceError: legl is not defined\n    at Socket.ondata (node:1)\n    at Error (x)\n\nNode.js v20\n", "; it wrote: ReferenceError: legl is not defined"},
		{"Exception in thread \"main\" java.lang.NullPointerException\n\tat Bot.main(Bot.java:9)\n", "; it wrote: Exception in thread \"main\" java.lang.NullPointerException"},
		{"panic: out of seeds\n\ngoroutine 1 [running]:\nmain.main()\n\t/x.go:3\nexit status 2\n", "; it wrote: panic: out of seeds"},
		{strings.Repeat("x", 1000), "; it wrote: " + strings.Repeat("x", 200)},
	} {
		if got := itWrote(new(memoryBot), []byte(test.stderr)); got != test.want {
			t.Errorf("%q: %q, want %q", test.stderr, got, test.want)
		}
	}
}

// sulky is a bot that never answers, and complains when it is stopped.
type sulky struct {
	*memoryBot
	stopped atomic.Bool
}

func (b *sulky) Stop(grace time.Duration) {
	b.stopped.Store(true)
	b.memoryBot.Stop(grace)
}

func (b *sulky) Log() (end []byte, left int64) {
	if b.stopped.Load() {
		return []byte("reading the book\nBrokenPipeError: [Errno 32] Broken pipe\n"), 0
	}
	return []byte("reading the book\n"), 0
}

// Launch starts the bot.
func (b *sulky) Launch(ctx context.Context, n *Nursery) (Bot, error) {
	bot, err := memory(func(in io.Reader, _ io.Writer) { _, _ = io.Copy(io.Discard, in) }).Launch(ctx, n)
	b.memoryBot, _ = bot.(*memoryBot)
	return b, err
}

// TestSlowStartQuotes: the reason of a start that took too long quotes what the bot
// wrote until then, and not what it wrote because it was stopped. The record has both.
func TestSlowStartQuotes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := NewNursery(nil)
		defer n.Close()
		_, err := startPlayer(t.Context(), &Entry{Name: "b", Launcher: new(sulky)}, "", time.Second, n, session{})
		start := new(StartError)
		if !errors.As(err, &start) || !strings.HasSuffix(start.Reason, "; it wrote: reading the book") {
			t.Fatalf("it did not start: %v", err)
		}
		if !strings.Contains(string(start.talk.Stderr), "BrokenPipeError") {
			t.Errorf("the record has %q", start.talk.Stderr)
		}
	})
}
