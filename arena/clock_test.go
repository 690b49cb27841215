package arena

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sembra/arena/protocol"
	"sembra/results"
)

const (
	ms     = time.Millisecond
	margin = 50 * ms
)

// perMove, perMatch and noClock are the time controls of these tests.
func perMove() TimeControl {
	return TimeControl{Move: 100 * ms, Margin: margin, Watchdog: time.Minute, Startup: 10 * time.Second}
}

func perMatch() TimeControl {
	return TimeControl{Base: time.Second, Increment: 100 * ms, Margin: margin, Watchdog: time.Minute, Startup: 10 * time.Second}
}

func noClock() TimeControl {
	return TimeControl{Margin: margin, Watchdog: 10 * time.Second, Startup: 10 * time.Second}
}

// verdict is the part of a record that these tests compare.
type verdict struct {
	Ending results.Ending
	Fault  results.Fault
	What   string
}

// TestAnswerTimes plays matches in which South takes some times for its answers and then resigns.
func TestAnswerTimes(t *testing.T) {
	t.Parallel()
	const one = "; 1 answer of this match came in time; the answer came after "
	late := verdict{results.EndTime, results.SouthFault, "no answer within 150ms, the margin included" + one + "151ms"}
	spent := verdict{results.EndTime, results.SouthFault, "no answer within 120ms, the margin included" + one + "121ms"}
	hung := verdict{results.EndHang, results.SouthFault, "no answer within 10s" + one + "10.001s"}
	fine := verdict{Ending: results.EndResign}
	searching := TimeControl{Depth: 6, Nodes: 1 << 40, Watchdog: time.Second, Startup: time.Second}
	for _, test := range []struct {
		name    string
		control TimeControl
		times   []time.Duration
		want    verdict
		gos     string // South's, in short; 1: movetime 1; 1/2: stime 1 ntime 2
	}{
		{"per move, within the margin", perMove(), []time.Duration{149 * ms, 149 * ms}, fine, "100 100 100"},
		{"per move, beyond the margin", perMove(), []time.Duration{149 * ms, 151 * ms}, late, "100 100"},
		{"base and increment", perMatch(), []time.Duration{300 * ms, 0, 900 * ms}, fine, "1000/1000 800/1100 900/1200 100/1300"},
		{"an overrun costs the rest", perMatch(), []time.Duration{1030 * ms, 119 * ms}, fine, "1000/1000 100/1100 100/1200"},
		{"base, beyond the margin later", perMatch(), []time.Duration{1000 * ms, 151 * ms}, late, "1000/1000 100/1100"},
		{"the margin is for the match", perMatch(), []time.Duration{1030 * ms, 121 * ms}, spent, "1000/1000 100/1100"},
		{"rounded down", perMatch(), []time.Duration{1, 1500 * time.Microsecond}, fine, "1000/1000 1099/1100 1198/1200"},
		{"no clock, beyond the watchdog", noClock(), []time.Duration{0, 10_001 * ms}, hung, "= ="},
		{"depth and nodes", searching, nil, fine, "depth=6,nodes=1099511627776"},
	} {
		inBubble(t, test.name, func(t *testing.T) {
			heard := new(transcript)
			south := scripted{Heard: heard, Answer: func(q *question) string {
				if q.Ply > len(test.times) {
					return "bestmove resign"
				}
				return thinks(test.times...)(q)
			}}
			rec, what := bout{control: test.control, south: south, north: scripted{}}.play(t)
			what, _, _ = strings.Cut(what, "; a bestmove came ")
			equal(t, "verdict", test.want, verdict{rec.Ending, rec.Fault, what})
			var gos []string
			for _, short := range strings.Fields(test.gos) {
				if south, north, clocked := strings.Cut(short, "/"); clocked {
					short = "stime=" + south + ",ntime=" + north + ",sinc=100,ninc=100"
				} else if !strings.Contains(short, "=") {
					short = "movetime=" + short
				}
				gos = append(gos, strings.TrimSpace("go "+strings.NewReplacer("=", " ", ",", " ").Replace(short)))
			}
			equal(t, "South was asked", gos, heard.Of("go"))
			wantTimes := test.times
			if rec.Ending != results.EndResign {
				wantTimes = wantTimes[:len(wantTimes)-1] // the last is no move of the match
			}
			var sum time.Duration
			if len(rec.Elapsed) < 2*len(wantTimes)-1 {
				t.Fatalf("times are %v, want those of %d answers", rec.Elapsed, len(wantTimes))
			}
			for i, want := range wantTimes {
				equal(t, fmt.Sprintf("answer %d", i+1), want, rec.Elapsed[2*i])
				sum += want
			}
			if rec.Times[0] < sum || rec.Times[1] != 0 {
				t.Errorf("times are %v and %v, want %v and 0s", rec.Times[0], rec.Times[1], sum)
			}
		})
	}
}

func verdictOf(rec results.Record, what string) verdict { return verdict{rec.Ending, rec.Fault, what} }

// timed returns a bot and the time from now until it is told of the end of a match.
func timed(heard *transcript) (bot scripted, took func() time.Duration) {
	begun := time.Now()
	var ended time.Time
	bot = scripted{Heard: heard, Line: func(_ *question, line string) bool {
		if strings.HasPrefix(line, "endmatch") {
			ended = time.Now()
		}
		return false
	}}
	return bot, func() time.Duration { return ended.Sub(begun) }
}

// TestNoAnswer plays against bots that never answer but may write other text. Output does not move the deadline.
func TestNoAnswer(t *testing.T) {
	t.Parallel()
	every := func(text string) func(*question) string {
		return func(q *question) string {
			for {
				if _, err := io.WriteString(q.Out, text); err != nil {
					return ""
				}
				time.Sleep(70 * ms)
			}
		}
	}
	const expected = "; expected bestmove"
	drips := func(within time.Duration) string {
		return "; it said «" + strings.Repeat("i", int((within-1)/(70*ms))+1) + "» without a line end" + expected
	}
	bots := map[string]struct {
		answer func(*question) string
		said   string // in what is said of it; "drips": the letters that have come
	}{
		"another word":          {says("info depth 1\n\nmove B"), "; it said «move B»" + expected},
		"two lines":             {says("think\x1b\nBestmove B"), "; it said «think␛, Bestmove B»" + expected},
		"many lines":            {says("one\ntwo\nthree\nB"), "; it said «one, …, B»" + expected},
		"is silent":             {says(""), ""},
		"chatters":              {every("info depth 3 score 1\n"), ""},
		"chatters without info": {every("thinking\n"), "; it said «thinking»" + expected},
		"drips":                 {every("i"), "drips"},
		"drips empty lines":     {every("\n"), ""},
	}
	for _, test := range []struct {
		control TimeControl
		ending  results.Ending
		within  time.Duration
	}{
		{perMove(), results.EndTime, 150 * ms},
		{perMatch(), results.EndTime, 1050 * ms},
		{noClock(), results.EndHang, 10 * time.Second},
	} {
		for name, bot := range bots {
			inBubble(t, fmt.Sprintf("%v, %s", test.ending, name), func(t *testing.T) {
				north, took := timed(nil)
				rec, what := bout{control: test.control, south: scripted{Answer: bot.answer}, north: north}.play(t)
				want := verdict{test.ending, results.SouthFault, fmt.Sprintf("no answer within %v", test.within)}
				if test.ending == results.EndTime {
					want.What += ", the margin included"
				}
				if want.What += bot.said; bot.said == "drips" {
					want.What = strings.TrimSuffix(want.What, bot.said) + drips(test.within)
				}
				equal(t, "verdict", want, verdictOf(rec, what))
				if took := took(); took != test.within && (bot.said != "" || took > test.within+250*ms) {
					t.Errorf("the match took %v, want %v", took, test.within)
				}
			})
		}
	}
}

// TestTimeOfAnAnswer: the time of an answer ends with its newline. Output before it changes nothing.
func TestTimeOfAnAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		south := scripted{Answer: at(1, func(q *question) string {
			time.Sleep(30 * ms)
			q.Say("info depth 1 score 2")
			time.Sleep(30 * ms)
			io.WriteString(q.Out, "bestmove "+q.Legal[0])
			time.Sleep(30 * ms)
			return " ponder a"
		})}
		north := scripted{Answer: at(1, says("bestmove resign"))}
		rec, what := bout{control: perMove(), south: south, north: north}.play(t)
		if rec.Ending != results.EndResign || !slices.Equal(rec.Elapsed, []time.Duration{90 * ms}) || rec.Times[0] != 90*ms {
			t.Errorf("ending %v (%s) after %v, South took %v; want resign and 90ms", rec.Ending, what, rec.Elapsed, rec.Times[0])
		}
	})
}

// TestLateAnswers: an answer is late if its second half comes after the deadline, and so is a resignation.
func TestLateAnswers(t *testing.T) {
	t.Parallel()
	for _, answer := range [][2]string{{"bestmove A", "\n"}, {"", "bestmove resign\n"}} {
		synctest.Test(t, func(t *testing.T) {
			south := scripted{Answer: func(q *question) string {
				time.Sleep(149 * ms)
				io.WriteString(q.Out, answer[0])
				time.Sleep(2 * ms)
				io.WriteString(q.Out, answer[1])
				return ""
			}}
			rec, _ := bout{control: perMove(), south: south, north: scripted{}}.play(t)
			if rec.Ending != results.EndTime || rec.Fault != results.SouthFault {
				t.Errorf("ending %v, fault %v; want time, South", rec.Ending, rec.Fault)
			}
		})
	}
}

// TestStartup: a South that does not get ready in time loses the match, and is told of no moves.
func TestStartup(t *testing.T) {
	t.Parallel()
	const startup = 2 * time.Second
	stuck := func(word string, first int) func(*question, string) bool {
		return func(_ *question, line string) bool {
			if line == word {
				first--
			}
			return line == word && first <= 0
		}
	}
	const (
		notStarted = "bot a did not start: "
		notReady   = "it was not ready within 2s; expected readyok"
		hint       = " (does it flush its standard output after every line?)"
	)
	for _, test := range []struct {
		name string
		bot  scripted
		took time.Duration
		what string
	}{
		{"nothing comes", scripted{Line: stuck("mbi 1", 1)}, startup, notStarted + "nothing at all came from it within 2s" + hint},
		{"late mbiok, then no readyok", scripted{Line: func(q *question, line string) bool {
			time.Sleep(1900 * ms)
			return line == "isready"
		}}, 1900*ms + startup, notStarted + notReady},
		{"no readyok for the match", scripted{Line: stuck("isready", 2)}, startup, "after newmatch " + notReady},
		{"does not read", scripted{Hello: "option name Long type string", Line: func(q *question, line string) bool {
			if line != "mbi 1" {
				return false
			}
			q.Say("option name Long type string\nmbiok")
			time.Sleep(time.Minute)
			return true
		}}, startup, notStarted + notReady},
	} {
		inBubble(t, test.name, func(t *testing.T) {
			heard := new(transcript)
			test.bot.Heard = heard
			var options []protocol.OptionValue
			if strings.HasPrefix(test.bot.Hello, "option") { // more than a pipe holds
				options = append(options, protocol.OptionValue{Name: "Long", Value: strings.Repeat("x", 3*pipeSize)})
			}
			other := new(transcript)
			north, took := timed(other)
			control := TimeControl{Watchdog: time.Minute, Startup: startup}
			rec, what := bout{control: control, options: options, south: test.bot, north: north}.play(t)
			equal(t, "verdict", verdict{results.EndStart, results.SouthFault, test.what}, verdictOf(rec, what))
			equal(t, "the time", test.took, took())
			if gos := heard.Of("go"); len(gos) > 0 || rec.Result != results.NorthWins || rec.Plies != 0 {
				t.Errorf("South was asked %q: %v after %d plies", gos, rec.Result, rec.Plies)
			}
			equal(t, "North was told", []string{"endmatch win 0-0 start"}, other.Of("endmatch", "error", "go"))
		})
	}
}
