package report

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sembra/engine"
	"sembra/engine/show"
	"sembra/results"
)

// playedRecord is the record of a match from the start of a ruleset, of at most so many plies, in which
// always the legal move in the middle was played.
func playedRecord(rules engine.Ruleset, most int) results.Record {
	match := results.Conditions{}.Begin(rules, rules.Start())
	for !match.Over() && len(match.Plies) < most {
		legal := match.Legal()
		elapsed := time.Duration(len(match.Plies)+1) * time.Microsecond
		if match.MustPass() {
			elapsed = 0
		}
		if err := match.Play(legal[len(legal)/2].Token(match.Position().Side()), elapsed, nil); err != nil {
			panic(err)
		}
	}
	verdict, over := match.Verdict()
	if !over {
		verdict = results.Verdict{Result: results.SouthWins, Ending: results.EndTime, Fault: results.NorthFault}
	}
	r := match.Record(results.Key{South: "greedy", North: "random", Pair: 1}, verdict)
	r.CPU = [2]time.Duration{1500 * time.Microsecond, results.UnknownCPU}
	return r
}

// manyPlies is more plies than a match has.
const manyPlies = 100_000

// TestMatchBoards: a match of two rounds, one that was cut off, and one that never began, as they are printed.
func TestMatchBoards(t *testing.T) {
	t.Parallel()
	rules := must2(engine.Lookup("bechi-2x3"))
	rules = must2(engine.WithRounds(rules, 2))
	score := -1.5
	for _, test := range []struct {
		name  string
		style show.Style
		most  int
	}{{"whole", show.ASCII, manyPlies}, {"cut", show.Unicode, 3}, {"none", show.ASCII, 0}} {
		record, tournament := playedRecord(rules, test.most), spring(3, "greedy", "random")
		switch test.name {
		case "whole":
			record.Seeds = [2]uint64{1, 1<<64 - 1}
			tournament.Time.Base, tournament.Time.Increment = time.Minute, time.Second
		case "cut":
			record.Scores = []*float64{nil, &score, nil}
			record.Evidence = &results.Evidence{What: "no answer\nwithin 1s"}
			record.South, record.Donkeys[0] = "gr\x1b[31meedy", 2 // no bot is called so
		case "none":
			record.Result, record.Ending, record.Fault = results.Void, results.EndStart, results.BothFault
		}
		replay := must2(results.Conditions{}.Replay(rules, record))
		report := Match{Tournament: tournament, Number: 1, Matches: 6, Record: record}
		var out strings.Builder
		must(t, report.WriteBoards(&out, replay, test.style))
		golden(t, "replay_"+test.name+".txt", fmt.Sprintf("%s\n%s\n\n%s", report.Title(), report.Outcome(), out.String()))
	}
}

func TestMatchOutcomes(t *testing.T) {
	t.Parallel()
	rule := &results.Adjudication{WinScore: 20, WinPlies: 8}
	for _, test := range []struct {
		result results.Result
		ending results.Ending
		fault  results.Fault
		rule   *results.Adjudication
		want   string
	}{
		{results.SouthWins, results.EndEarly, results.NoFault, nil, "a (South) has won, 26-22 (early)"},
		{
			results.NorthWins, results.EndIllegal, results.SouthFault, nil,
			"b (North) has won, stores 26-22 (illegal); at fault: a (South)",
		},
		{results.Draw, results.EndNormal, results.NoFault, nil, "a draw, 26-22 (normal)"},
		{results.Void, results.EndStart, results.BothFault, nil, "no result, stores 26-22 (start); at fault: both"},
		{results.NorthWins, results.EndAdjudicated, 0, rule, "b (North) has won, 26-22 (adjudicated: agreed win)"},
		{results.NorthWins, results.EndAdjudicated, 0, nil, "b (North) has won, 26-22 (adjudicated)"},
	} {
		r := record(results.Key{South: "a", North: "b", Pair: 1}, test.result)
		r.Ending, r.Fault = test.ending, test.fault
		match := Match{Tournament: results.Tournament{Plan: results.Plan{Conditions: results.Conditions{Adjudication: test.rule}}}, Record: r}
		if got := match.Outcome(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// TestMatchLog: the evidence as it is printed, whatever bytes are in it.
func TestMatchLog(t *testing.T) {
	t.Parallel()
	r := record(results.Key{South: "greedy", North: "random", Pair: 1}, results.SouthWins)
	r.Ending, r.Fault = results.EndIllegal, results.NorthFault
	evidence := results.Evidence{
		What: "illegal move \"Q\x1b[2J\" (legal: A B)",
		South: results.Talk{
			Lines: []results.TalkLine{
				{At: 1234567 * time.Microsecond, Text: []byte("position 4,4/4,4 0-0 S sow 1 0")},
				{At: 2 * time.Second, FromBot: true, Text: []byte("  bestmove A\r"), Left: 61},
				{At: 3 * time.Second, FromBot: true, Text: []byte("info string \x1b]0;mine\x07\xff\u202e"), Cut: 65000},
			},
			Left:   12,
			Stderr: []byte("Traceback:\r\n  File \"bot.py\"\n\n\x1b[31mError\n"), StderrLeft: 4096,
		},
		North: results.Talk{Stderr: []byte("\n")},
	}
	report := Match{Tournament: spring(3, "greedy", "random"), Number: 1, Matches: 6, Record: r}
	var out strings.Builder
	must(t, report.WriteLog(&out, evidence))
	golden(t, "replay_log.txt", out.String())
	if strings.ContainsFunc(out.String(), func(r rune) bool { return r < ' ' && r != '\n' || r == '\u202e' }) {
		t.Errorf("a control character is in %q", out.String())
	}
}

// TestMatchLogReason: what follows below is not said above.
func TestMatchLogReason(t *testing.T) {
	t.Parallel()
	stderr := results.Talk{Stderr: []byte("Traceback\nError\n")}
	for _, test := range []struct {
		evidence results.Evidence
		want     string
	}{
		{results.Evidence{What: "the bot exited: exit status 1; it wrote: Error", South: stderr}, "the bot exited: exit status 1"},
		{results.Evidence{What: "the bot exited: exit status 1; it wrote: Error"}, "the bot exited: exit status 1; it wrote: Error"},
		{results.Evidence{What: "no answer within 1s", South: stderr}, "no answer within 1s"},
	} {
		var out strings.Builder
		report := Match{Tournament: spring(3, "a", "b"), Record: record(results.Key{South: "a", North: "b", Pair: 1}, results.SouthWins)}
		must(t, report.WriteLog(&out, test.evidence))
		if lines := strings.Split(out.String(), "\n"); lines[2] != test.want || lines[3] != "" {
			t.Errorf("%q, want %q", lines[2], test.want)
		}
	}
}
