package arena

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sembra/arena/protocol"
	"sembra/results"
)

// varied is a bot whose moves, and the times for them, depend only on the seed.
func varied() fake {
	return fake{answer: func(q *question) string {
		time.Sleep(time.Duration(q.seed%7) * ms)
		return q.any()
	}}
}

// faulty is varied with a fault now and then, which also depends on the seed.
func faulty() fake {
	f := varied()
	f.answer = func(q *question) string {
		if q.seed%3 == 0 && q.ply == 4 {
			return "bestmove Q"
		}
		return q.any()
	}
	return f
}

// cup is a tournament with openings whose bots vary, for tests of what must not
// vary.
func cup(t *testing.T) *Tournament {
	t.Helper()
	tour := tournament(t, 3, unclocked(), varied(), faulty(), varied(), memory(func(io.Reader, io.Writer) {}), varied())
	openings, err := RandomOpenings(tour.Rules, tour.Seed, 3, tour.Pairs)
	if err != nil {
		t.Fatal(err)
	}
	tour.Openings = openings
	tour.Entries[2].Restart = true
	return tour
}

// undisturbed returns the records of a whole run.
func undisturbed(t *testing.T, tour *Tournament) []results.Record {
	t.Helper()
	kept, _ := tableRun(t, tour)
	return kept.timeless(t, tour.Schedule())
}

func TestSameRecords(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tour := cup(t)
		want := undisturbed(t, tour)
		endings := make(map[results.Ending]bool)
		hashes := make(map[[16]byte]bool)
		for _, rec := range want {
			endings[rec.Ending] = true
			hashes[rec.Hash] = true
		}
		if len(endings) < 3 || len(hashes) < len(want) {
			t.Errorf("the cup is too plain: endings %v, %d different of %d matches", endings, len(hashes), len(want))
		}
		for _, concurrency := range []int{1, 2, 8, 100} {
			tour.Concurrency = concurrency
			if diff := cmp.Diff(want, undisturbed(t, tour)); diff != "" {
				t.Errorf("concurrency %d (-at 1 +now)\n%s", concurrency, diff)
			}
		}
		tour.Seed++
		if cmp.Equal(want, undisturbed(t, tour)) {
			t.Error("another seed makes no difference")
		}
	})
}

// TestSameRecordsOfProcesses is the same with processes, whose times vary.
func TestSameRecordsOfProcesses(t *testing.T) {
	t.Parallel()
	tour := tournament(t, 2, unclocked(), testBot("varied"), testBot("first"), testBot("varied"))
	want := undisturbed(t, tour)
	for _, concurrency := range []int{2, 8} {
		tour.Concurrency = concurrency
		if diff := cmp.Diff(want, undisturbed(t, tour)); diff != "" {
			t.Errorf("concurrency %d (-at 1 +now)\n%s", concurrency, diff)
		}
	}
}

// TestResumed stops a run at random moments and continues it, again and again.
func TestResumed(t *testing.T) {
	t.Parallel()
	for _, concurrency := range []int{1, 2, 8} {
		t.Run(fmt.Sprint(concurrency), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tour := cup(t)
				want := undisturbed(t, tour)
				tour.Concurrency = concurrency
				kept, stops := stopped(t, tour, 100*ms)
				if diff := cmp.Diff(want, kept.timeless(t, tour.Schedule())); diff != "" {
					t.Errorf("stopped %d times (-undisturbed +resumed)\n%s", stops, diff)
				}
				if len(kept.voids) > 0 {
					t.Errorf("void: %v", kept.voids)
				}
			})
		})
	}
}

// TestResumedFrom plays the rest of a tournament after any set of records.
func TestResumedFrom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tour := cup(t)
		want := undisturbed(t, tour)
		schedule := tour.Schedule()
		random := rand.New(rand.NewPCG(2, 2))
		for range 5 {
			var done []results.Slotted
			isDone := make([]bool, schedule.Len())
			for slot := range isDone {
				if random.IntN(2) == 0 {
					done, isDone[slot] = append(done, slotted(schedule, slot+1, results.NoFault)), true
				}
			}
			kept := new(log)
			var told events
			if err := tour.Run(t.Context(), done, kept, told.tell); err != nil {
				t.Fatal(err)
			}
			var slots []int
			for _, e := range of[MatchEnded](told) {
				slots = append(slots, e.Slot)
			}
			var open []int
			for slot, recorded := range isDone {
				if !recorded {
					open = append(open, slot+1)
					if diff := cmp.Diff(want[slot].Hash, kept.records[schedule.Key(slot+1)].Hash); diff != "" {
						t.Errorf("slot %d is another match", slot+1)
					}
				}
			}
			if !slices.Equal(slots, open) {
				t.Errorf("slots %v were played, want %v in this order", slots, open)
			}
		}
		settle()
	})
}

// TestNothingLeft: no bot is started if nothing is left to play.
func TestNothingLeft(t *testing.T) {
	t.Parallel()
	bot := &counted{Launcher: fake{}}
	tour := tournament(t, 1, unclocked(), bot, bot)
	schedule := tour.Schedule()
	err := tour.Run(t.Context(), []results.Slotted{slotted(schedule, 1, results.NoFault), slotted(schedule, 2, results.SouthFault)}, nil, nil)
	if err != nil || bot.starts.Load() != 0 {
		t.Errorf("error %v after %d starts", err, bot.starts.Load())
	}
}

// TestStoppedBefore: a run that is stopped before its start plays nothing.
func TestStoppedBefore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		kept := new(log)
		var told events
		err := tournament(t, 1, unclocked(), fake{}, fake{}).Run(ctx, nil, kept, told.tell)
		settle()
		if !errors.Is(err, context.Canceled) || len(kept.records) > 0 || len(told) > 0 {
			t.Errorf("error %v, records %v, events %v", err, kept.records, told)
		}
	})
}

// TestStoppedByAnEvent: a run that is stopped in an event loses no match that it
// has told.
func TestStoppedByAnEvent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tour := cup(t)
		tour.Concurrency = 3
		ctx, cancel := context.WithCancel(t.Context())
		kept := new(log)
		var told events
		err := tour.Run(ctx, nil, kept, func(e Event) {
			told.tell(e)
			if len(of[MatchEnded](told)) == 5 {
				cancel()
			}
		})
		settle()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want a cancelled context", err)
		}
		sameAsTold(t, kept, told)
	})
}

// sameAsTold checks that exactly the kept matches were told as ended.
func sameAsTold(t *testing.T, kept *log, told events) {
	t.Helper()
	records := make(map[results.Key]results.Record)
	for _, e := range of[MatchEnded](told) {
		if _, twice := records[e.Record.Key]; twice {
			t.Errorf("%v was told twice", e.Record.Key)
		}
		records[e.Record.Key] = e.Record
	}
	if diff := cmp.Diff(kept.records, records); diff != "" {
		t.Errorf("(-kept +told)\n%s", diff)
	}
}

func TestRecorderFails(t *testing.T) {
	t.Parallel()
	full := errors.New("no space left on device")
	for _, concurrency := range []int{1, 8} {
		for _, failing := range []int{1, 4} {
			t.Run(fmt.Sprintf("concurrency=%d,put=%d", concurrency, failing), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					tour := cup(t)
					tour.Concurrency = concurrency
					kept := &log{fail: func(put int) error {
						if put >= failing {
							return full
						}
						return nil
					}}
					var told events
					err := tour.Run(t.Context(), nil, kept, told.tell)
					settle()
					if !errors.Is(err, full) {
						t.Errorf("error is %v, want %v", err, full)
					}
					if kept.puts != failing {
						t.Errorf("%d puts, want %d: nothing is kept after the one that failed", kept.puts, failing)
					}
					if failing > 1 && len(kept.records) == 0 {
						t.Error("nothing was kept before it")
					}
					if kept.records == nil {
						kept.records = make(map[results.Key]results.Record)
					}
					sameAsTold(t, kept, told)
				})
			})
		}
	}
}

// TestNothingKeptAfterAFailure: after a failure later matches are not kept either.
func TestNothingKeptAfterAFailure(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		full := errors.New("no space left on device")
		kept := &log{fail: func(put int) error {
			if put == 1 {
				return full
			}
			return nil
		}}
		unstored := newBacklog()
		go func() {
			defer unstored.close()
			for pair := 1; pair <= 3; pair++ {
				unstored.add(ending{job: Job{Key: results.Key{South: "a", North: "b", Pair: pair}}})
				synctest.Wait() // until it is dealt with
			}
		}()
		var told events
		var cause error
		err := unstored.record(kept, told.tell, func(err error) { cause = err })
		if !errors.Is(err, full) || !errors.Is(cause, full) || kept.puts != 1 || len(told) != 0 {
			t.Errorf("error %v, cause %v, %d puts, told %v", err, cause, kept.puts, told)
		}
	})
}

// TestVoid: the runner fails to start a process, once or twice in a row.
func TestVoid(t *testing.T) {
	t.Parallel()
	const reason = "the runner failed: fork: resource temporarily unavailable"
	for _, test := range []struct {
		name  string
		fails []int // starts of b; the first is the try
		voids int
		err   string
	}{
		{"once", []int{2}, 1, ""},
		{"for two matches", []int{2, 4}, 2, ""},
		{"for a match and the next but one", []int{2, 5}, 2, ""},
		{"twice in a row", []int{2, 3}, 2, "match 1 (a - b, pair 1) failed twice in a row: " + reason},
		{"at the try", []int{1}, 0, reason},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var heard transcript
				b := &counted{Launcher: fake{}, fail: func(start int) bool { return slices.Contains(test.fails, start) }}
				tour := tournament(t, 2, unclocked(), fake{heard: &heard}, b)
				tour.Entries[1].Restart = true // so that each match starts it
				kept := new(log)
				var told events
				err := tour.Run(t.Context(), nil, kept, told.tell)
				settle()
				if text := fmt.Sprint(err); test.err == "" && err != nil || test.err != "" && text != test.err {
					t.Errorf("error is %v, want %q", err, test.err)
				}
				if test.err != "" && !errors.Is(err, syscall.EAGAIN) {
					t.Errorf("error %v is not that of the system", err)
				}
				voids := of[MatchVoid](told)
				if len(voids) != test.voids || len(kept.voids) != test.voids {
					t.Errorf("void: told %v, kept %v; want %d", voids, kept.voids, test.voids)
				}
				for i, void := range voids {
					if last := i == len(voids)-1 && test.err != ""; void.Again == last {
						t.Errorf("void %d is played again: %v", i+1, void.Again)
					}
					if want := void.Job.Key.String() + ": " + reason; kept.voids[i] != want {
						t.Errorf("kept of the void: %q, want %q", kept.voids[i], want)
					}
				}
				want := 4
				if test.err != "" {
					want = 0
				}
				if len(kept.records) != want {
					t.Errorf("%d records, want %d", len(kept.records), want)
				}
				for key, rec := range kept.records {
					if rec.Fault != results.NoFault {
						t.Errorf("%v: fault %q", key, rec.FaultName())
					}
				}
				// Nobody is told of the end of a match that was never announced.
				if ends := heard.of("endmatch"); len(ends) != want {
					t.Errorf("the other was told %q, want %d ends", ends, want)
				}
			})
		})
	}
}

// TestNobodyStarts: a match without a result, because neither bot starts, has a
// record like any other.
func TestNobodyStarts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dead := &counted{Launcher: memory(func(io.Reader, io.Writer) {})}
		tour := tournament(t, 3, unclocked(), dead, fake{}, dead)
		kept, told := tableRun(t, tour)
		settle()
		warned := of[BotFailed](told)
		if len(warned) != 2 || warned[0].Bot != "a" || warned[1].Bot != "c" {
			t.Errorf("warned of %v, want a and c", warned)
		}
		for _, event := range told[:2] {
			if event.BotFailed == nil {
				t.Errorf("%v comes before the warnings", event)
			}
		}
		if told[2].RunBegun == nil {
			t.Errorf("%v comes before the run begins", told[2])
		}
		if dead.starts.Load() != 4 {
			t.Errorf("%d starts of those that do not start, want two each", dead.starts.Load())
		}
		for _, rec := range kept.timeless(t, tour.Schedule()) {
			want := "both"
			if rec.South == "b" {
				want = rec.North
			} else if rec.North == "b" {
				want = rec.South
			}
			if rec.Ending != results.EndStart || rec.FaultName() != want {
				t.Errorf("%v: ending %v, fault %q; want start, %s", rec.Key, rec.Ending, rec.FaultName(), want)
			}
		}
	})
}

// TestNobodyWinsWithoutStarting: bots that never start win nothing when one of them
// is withdrawn before the others. What they said is evidence in all their matches.
func TestNobodyWinsWithoutStarting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dead := memory(func(_ io.Reader, w io.Writer) { fmt.Fprintln(w, "id name dead") })
		tour := tournament(t, 4, unclocked(), dead, dead, dead, fake{})
		tour.WithdrawAfter = 3
		kept, _ := tableRun(t, tour)
		settle()
		for _, rec := range kept.records {
			if rec.South != "d" && rec.North != "d" && (rec.Result != results.Void || rec.Fault != results.BothFault) {
				t.Errorf("%v: result %v, fault %q", rec.Key, rec.Result, rec.FaultName())
			}
			if rec.Fault == results.NoFault || rec.Evidence == nil {
				t.Errorf("%v: fault %q, evidence %v", rec.Key, rec.FaultName(), rec.Evidence)
				continue
			}
			said := len(rec.Evidence.South.Lines) + len(rec.Evidence.North.Lines)
			if strings.Contains(rec.Evidence.What, "did not start") && said == 0 {
				t.Errorf("%v: %q without what the bot said", rec.Key, rec.Evidence.What)
			}
		}
	})
}

// TestMissingIsRefused: unless they forfeit, nothing is played if bots do not start.
// The log of a bot has what it said.
func TestMissingIsRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dead := memory(func(_ io.Reader, w io.Writer) { fmt.Fprintln(w, "id name dead") })
		for _, test := range []struct {
			bots []Launcher
			want string
			told int
		}{
			{[]Launcher{fake{}, dead}, "bot b did not start: it exited or closed its standard input or output; it said «id name dead»; expected mbiok (hint: ", 0},
			{[]Launcher{dead, fake{}, dead}, "2 bots did not start, so nothing is played: a, c (hint: ", 2},
		} {
			tour := tournament(t, 1, unclocked(), test.bots...)
			tour.Missing, tour.LogFolder = "", t.TempDir()
			var told events
			err := tour.Run(t.Context(), nil, new(log), told.tell)
			if missing := new(MissingError); !errors.As(err, &missing) || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("error %v, want %s", err, test.want)
			}
			if len(told) != test.told || len(of[BotFailed](told)) != test.told {
				t.Errorf("%d events, want %d of bots that failed", len(told), test.told)
			}
			logs, _ := filepath.Glob(filepath.Join(tour.LogFolder, "*"))
			for _, log := range logs {
				text, err := os.ReadFile(log)
				if err != nil || !strings.Contains(string(text), "< id name dead\n") {
					t.Errorf("%s: %q, %v", log, text, err)
				}
			}
			if len(logs) != max(1, test.told) {
				t.Errorf("logs: %q", logs)
			}
		}
	})
}

// TestSecondTry: a bot that does not get ready beside others has a second try alone.
func TestSecondTry(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := &crowded{Launcher: fake{}}
		tour := tournament(t, 1, unclocked(), slow, fake{}, slow)
		tour.Missing = RefuseMissing
		kept, told := tableRun(t, tour)
		settle()
		if len(kept.records) != 6 || len(of[BotFailed](told)) != 0 {
			t.Errorf("%d records, %v", len(kept.records), of[BotFailed](told))
		}
	})
}

// crowded starts two bots that are never ready, and then others.
type crowded struct {
	Launcher
	tries atomic.Int32
}

func (c *crowded) Launch(ctx context.Context, n *Nursery) (Bot, error) {
	if c.tries.Add(1) <= 2 {
		return memory(func(r io.Reader, _ io.Writer) { _, _ = io.Copy(io.Discard, r) }).Launch(ctx, n)
	}
	return c.Launcher.Launch(ctx, n)
}

// TestRefusedBots: an option or a ruleset that a bot does not offer is refused
// before anything is played.
func TestRefusedBots(t *testing.T) {
	t.Parallel()
	const offers = "option name Depth type spin default 4 min 1 max 64\n" +
		"option name Book type check default true\n" +
		"option name Style type combo default calm var calm var very wild\n" +
		"option name Clear type button\noption name Path type string default x"
	for _, test := range []struct {
		hello       string
		name, value string
		want        string // "": it is fine
	}{
		{offers, "Depth", "6", ""},
		{offers, "Book", "false", ""},
		{offers, "Style", "very wild", ""},
		{offers, "Clear", "", ""},
		{offers, "Path", "/a b", ""},
		{offers, "depth", "6", `bot b: unknown option "depth" (the bot offers: Depth, Book, Style, Clear, Path)`},
		{"wants legal", "Depth", "6", `bot b: unknown option "Depth" (the bot offers none)`},
		{offers, "Depth", "65", `bot b: option Depth: "65" is not a whole number from 1 to 64`},
		{offers, "Depth", "six", `bot b: option Depth: "six" is not a whole number from 1 to 64`},
		{offers, "Book", "yes", `bot b: option Book: "yes" is neither true nor false`},
		{offers, "Style", "wild", `bot b: option Style: "wild" is none of calm, very wild`},
		{offers, "Clear", "now", `bot b: option Clear is a button and takes no value, not "now"`},
		{offers + "\nplays oware awale", "Depth", "6", ""},
		{offers + "\nplays oware kalah", "Depth", "6", "bot b: it does not play awale (it says that it plays: oware kalah)"},
		{"plays \x1b[31mred", "", "", "bot b: it does not play awale (it says that it plays: ␛[31mred)"},
		{"option name \x1b[31mred type check", "x", "y", `bot b: unknown option "x" (the bot offers: ␛[31mred)`},
	} {
		t.Run(test.name+"="+test.value, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var heard transcript
				a := &counted{Launcher: fake{}}
				tour := tournament(t, 1, unclocked(), a, fake{hello: "wants legal\n" + test.hello, heard: &heard})
				if test.name != "" {
					tour.Entries[1].Options = []protocol.OptionValue{{Name: test.name, Value: test.value}}
				}
				kept := new(log)
				var told events
				err := tour.Run(t.Context(), nil, kept, told.tell)
				settle()
				if test.want == "" {
					if err != nil || len(kept.records) != 2 {
						t.Errorf("error %v, %d records", err, len(kept.records))
					}
					want := "setoption name " + test.name
					if test.value != "" {
						want += " value " + test.value
					}
					if sent := heard.of("setoption"); !slices.Equal(sent, []string{want, want}) { // at the try and to play
						t.Errorf("it was sent %q, want %q twice", sent, want)
					}
					return
				}
				if asConfigError(t, err); err.Error() != test.want {
					t.Errorf("error is %q, want %q", err, test.want)
				}
				if len(kept.records) != 0 || len(told) != 0 || len(heard.of("newmatch", "setoption")) != 0 || a.starts.Load() > 1 {
					t.Errorf("something was played: records %v, events %v, b heard %q", kept.records, told, heard.all())
				}
			})
		})
	}
}

// TestConcurrency: as many matches run at once as allowed, and no more.
func TestConcurrency(t *testing.T) {
	t.Parallel()
	for _, concurrency := range []int{1, 3} {
		synctest.Test(t, func(t *testing.T) {
			var now, most atomic.Int32
			bot := fake{answer: func(q *question) string {
				if q.ply == 1 && q.seat == "south" {
					most.Store(max(most.Load(), now.Add(1)))
					time.Sleep(time.Second)
					now.Add(-1)
					return "bestmove resign"
				}
				return q.first()
			}}
			tour := tournament(t, 4, unclocked(), bot, bot, bot)
			tour.Concurrency = concurrency
			begun := time.Now()
			tableRun(t, tour)
			if took, want := time.Since(begun), 24*time.Second/time.Duration(concurrency); took != want {
				t.Errorf("it took %v at concurrency %d, want %v", took, concurrency, want)
			}
			if int(most.Load()) != concurrency {
				t.Errorf("%d matches at once, want %d", most.Load(), concurrency)
			}
		})
	}
}

// TestNoGoroutineLeft counts goroutines after a run with faults and after one that
// is stopped.
func TestNoGoroutineLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	mark := t.TempDir()
	env := testMarkVariable + "=" + mark
	tour := tournament(t, 2, unclocked(), testBot("first", env), testBot("exits", env), testBot("varied", env))
	tour.Concurrency = 2
	tableRun(t, tour)
	nobodyLeft(t, mark)
	ctx, cancel := context.WithCancel(t.Context())
	err := tour.Run(ctx, nil, new(log), func(e Event) {
		if e.MatchEnded != nil {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want a cancelled context", err)
	}
	nobodyLeft(t, mark)
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * ms)
	}
	stacks := make([]byte, 1<<16)
	stacks = stacks[:runtime.Stack(stacks, true)]
	t.Errorf("%d goroutines before, %d after\n%s", before, runtime.NumGoroutine(), strings.TrimSpace(string(stacks)))
}

// TestPairsStayAtATable: at any concurrency a bot is started at most once for the
// two matches of a pair.
func TestPairsStayAtATable(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const pairs = 4
		bots := [3]*counted{{Launcher: varied()}, {Launcher: varied()}, {Launcher: varied()}}
		tour := tournament(t, pairs, unclocked(), bots[0], bots[1], bots[2])
		tour.Concurrency = 3
		tableRun(t, tour)
		settle()
		for i, b := range bots {
			if most := int32(1 + 2*pairs); b.starts.Load() > most { // the try, and its pairs
				t.Errorf("bot %d was started %d times, at most %d expected", i+1, b.starts.Load(), most)
			}
		}
	})
}
