package results

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sembra/engine"
	"sembra/engine/show"
)

// playedRecord is the record of a match from the start of a ruleset, of at most so many plies, in which
// always the legal move in the middle was played.
func playedRecord(rules engine.Ruleset, most int) Record {
	match := engine.NewMatch(rules, rules.Start())
	r := Record{Summary: Summary{Key: Key{South: "greedy", North: "random", Pair: 1}, SouthCPU: 1500 * time.Microsecond, NorthCPU: UnknownCPU}}
	r.Opening = engine.Text(rules, match.Position())
	spent := [2]*time.Duration{&r.SouthTime, &r.NorthTime}
	for !match.Over() && len(r.Moves) < most {
		side, legal := match.Position().Side(), match.Legal()
		move := legal[len(legal)/2]
		r.Moves = append(r.Moves, move.Token(side))
		elapsed := time.Duration(len(r.Moves)) * time.Microsecond
		if move.Pass() {
			elapsed = 0
		}
		r.Elapsed = append(r.Elapsed, elapsed)
		*spent[side] += elapsed
		match.Play(move)
	}
	rounds := match.Rounds()
	if !match.Over() {
		rounds = append(rounds, engine.Round{Start: match.Begun(), Plies: match.Plies(), Position: match.Position()})
	}
	for _, round := range rounds {
		r.Body.Rounds = append(r.Body.Rounds, Round{
			Start: engine.Text(rules, round.Start), Plies: round.Plies, Position: engine.Text(rules, round.Position),
			Reason: round.End.String(), South: round.Position.Store(engine.South), North: round.Position.Store(engine.North),
		})
	}
	last := match.Position()
	r.Plies, r.Summary.Rounds = len(r.Moves), len(rounds)
	r.SouthStore, r.NorthStore = last.Store(engine.South), last.Store(engine.North)
	r.SouthDonkeys, r.NorthDonkeys = last.Donkeys(engine.South), last.Donkeys(engine.North)
	r.Result, r.Ending = []Result{Draw, SouthWins, NorthWins}[rules.Winner(last)], EndNormal
	if !match.Over() {
		r.Result, r.Ending, r.Fault = SouthWins, EndTime, NorthFault
		r.Body.Rounds[len(rounds)-1].Reason = EndTime.String()
	}
	return r
}

// manyPlies is more plies than a match has.
const manyPlies = 100_000

// TestReplay: a match of each ruleset comes out as it was played, and the parts of its boards are all
// that the engine draws.
func TestReplay(t *testing.T) {
	for _, rules := range engine.Rulesets() {
		name := rules.Info().Name
		record := playedRecord(rules, manyPlies)
		replay, err := NewReplay(rules, record)
		must(t, err)
		match := engine.NewMatch(rules, rules.Start())
		must(t, match.PlayTokens(record.Moves))
		last := replay.Plies[len(replay.Plies)-1]
		if last.After != match.Position() || last.Spent != [2]time.Duration{record.SouthTime, record.NorthTime} ||
			last.Round != len(record.Body.Rounds)-1 {
			t.Errorf("%s: the last ply is %+v", name, last)
		}
		plies := make([]int, len(record.Body.Rounds))
		for i, ply := range replay.Plies {
			plies[ply.Round]++
			if i > 0 && ply.Before != replay.Plies[i-1].After {
				t.Errorf("%s: ply %d does not begin where the one before ended", name, i+1)
			}
			if ply.Token != record.Moves[i] || ply.Elapsed != record.Elapsed[i] {
				t.Errorf("%s: ply %d is %+v", name, i+1, ply)
			}
		}
		for i, round := range record.Body.Rounds {
			if plies[i] != round.Plies {
				t.Errorf("%s: round %d has %d plies, not %d", name, i+1, plies[i], round.Plies)
			}
		}
		for number := range len(replay.Plies) + 1 {
			checkDrawing(t, replay, number)
		}
	}
}

func checkDrawing(t *testing.T, replay Replay, number int) {
	t.Helper()
	want := show.Board(replay.Rules, replay.Start, show.ASCII)
	if number > 0 {
		want = show.After(replay.Rules, replay.Plies[number-1].Ply, show.ASCII)
	}
	d := replay.Draw(number, show.ASCII)
	var parts []string
	for _, part := range []string{d.Title, d.Told, d.Board, d.Status, d.Legend} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if got := strings.Join(parts, "\n\n") + "\n"; got != want {
		t.Fatalf("the parts after %d plies are\n%s\nand not\n%s", number, got, want)
	}
	if !strings.HasPrefix(d.Title, "  "+replay.Rules.Info().Name) || !strings.Contains(d.Board, "+-----+") ||
		(d.Told == "") != (number == 0) || d.Status == "" || strings.Contains(d.Status, "+--") || strings.Contains(d.Legend, ".") {
		t.Errorf("the parts after %d plies are wrong: %+v", number, d)
	}
}

func TestReplayRefuses(t *testing.T) {
	rules, err := engine.Lookup("bechi")
	must(t, err)
	for _, test := range []struct {
		what   string
		change func(*Record)
		want   string
	}{
		{"an illegal token", func(r *Record) { r.Moves[2] = "Q\x1b" }, `record of greedy - random, pair 1: move 3 of 4: illegal move "Q\x1b" (legal: `},
		{"no position", func(r *Record) { r.Opening = "opening" }, "record of greedy - random, pair 1: its opening: "},
		{"a round too many", func(r *Record) {
			r.Body.Rounds, r.Summary.Rounds = append(r.Body.Rounds, Round{}), 2
		}, "record of greedy - random, pair 1: its moves make 1 rounds, it has 2"},
		{"a time too few", func(r *Record) { r.Elapsed = r.Elapsed[1:] }, "record of greedy - random, pair 1: 3 times but 4 plies"},
	} {
		record := playedRecord(rules, 4)
		test.change(&record)
		if _, err := NewReplay(rules, record); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.what, err, test.want)
		}
	}
}

// TestReplayBoards: a match of two rounds, one that was cut off, and one that never began, as they are
// printed.
func TestReplayBoards(t *testing.T) {
	rules, err := engine.Lookup("bechi-2x3")
	must(t, err)
	rules, err = engine.WithRounds(rules, 2)
	must(t, err)
	score := -1.5
	for _, test := range []struct {
		name  string
		style show.Style
		most  int
	}{{"whole", show.ASCII, manyPlies}, {"cut", show.Lines, 3}, {"none", show.ASCII, 0}} {
		record := playedRecord(rules, test.most)
		switch test.name {
		case "cut":
			record.Scores = []*float64{nil, &score, nil}
			record.Evidence = &Evidence{What: "no answer\nwithin 1s"}
			record.South, record.SouthDonkeys = "gr\x1b[31meedy", 2 // no bot is called so
		case "none":
			record.Result, record.Ending, record.Fault = Void, EndStart, BothFault
		}
		replay, err := NewReplay(rules, record)
		must(t, err)
		report := ReplayReport{Tournament: spring(3, "greedy", "random"), Slot: 1, Matches: 6, Record: record}
		var out strings.Builder
		must(t, report.WriteBoards(&out, replay, test.style))
		golden(t, "replay_"+test.name+".txt", fmt.Sprintf("%s\n%s\n\n%s", report.Title(), report.Outcome(), out.String()))
	}
}

func TestReplayOutcomes(t *testing.T) {
	for _, test := range []struct {
		result Result
		ending Ending
		fault  Fault
		want   string
	}{
		{SouthWins, EndEarly, NoFault, "a (South) has won, 26-22 (early)"},
		{NorthWins, EndIllegal, SouthFault, "b (North) has won, 26-22 (illegal); at fault: a (South)"},
		{Draw, EndNormal, NoFault, "a draw, 26-22 (normal)"},
		{Void, EndStart, BothFault, "no result, 26-22 (start); at fault: both"},
	} {
		r := record(Key{South: "a", North: "b", Pair: 1}, test.result)
		r.Ending, r.Fault = test.ending, test.fault
		if got := (ReplayReport{Record: r}).Outcome(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// TestReplayLog: the evidence as it is printed, whatever bytes are in it.
func TestReplayLog(t *testing.T) {
	r := record(Key{South: "greedy", North: "random", Pair: 1}, SouthWins)
	r.Ending, r.Fault = EndIllegal, NorthFault
	evidence := Evidence{
		What: "illegal move \"Q\x1b[2J\" (legal: A B)",
		South: Talk{
			Lines: []TalkLine{
				{At: 1234567 * time.Microsecond, Text: []byte("position 4,4/4,4 0-0 S sow 1 0")},
				{At: 2 * time.Second, Said: true, Text: []byte("  bestmove A\r"), Left: 61},
				{At: 3 * time.Second, Said: true, Text: []byte("info string \x1b]0;mine\x07\xff\u202e"), Cut: 65000},
			},
			Left:   12,
			Stderr: []byte("Traceback:\r\n  File \"bot.py\"\n\n\x1b[31mError\n"), StderrLeft: 4096,
		},
		North: Talk{Stderr: []byte("\n")},
	}
	report := ReplayReport{Tournament: spring(3, "greedy", "random"), Slot: 1, Matches: 6, Record: r}
	var out strings.Builder
	must(t, report.WriteLog(&out, evidence))
	golden(t, "replay_log.txt", out.String())
	if strings.ContainsFunc(out.String(), func(r rune) bool { return r < ' ' && r != '\n' || r == '\u202e' }) {
		t.Errorf("a control character is in %q", out.String())
	}
}

// TestReplayLogReason: what follows below is not said above.
func TestReplayLogReason(t *testing.T) {
	stderr := Talk{Stderr: []byte("Traceback\nError\n")}
	for _, test := range []struct {
		evidence Evidence
		want     string
	}{
		{Evidence{What: "the bot exited: exit status 1; the end of its standard error: Traceback⏎Error", North: stderr}, "the bot exited: exit status 1"},
		{Evidence{What: "the bot exited: exit status 1; it wrote: Error", South: stderr}, "the bot exited: exit status 1"},
		{Evidence{What: "the bot exited: exit status 1; it wrote: Error"}, "the bot exited: exit status 1; it wrote: Error"},
		{Evidence{What: "no answer within 1s", South: stderr}, "no answer within 1s"},
	} {
		var out strings.Builder
		report := ReplayReport{Tournament: spring(3, "a", "b"), Record: record(Key{South: "a", North: "b", Pair: 1}, SouthWins)}
		must(t, report.WriteLog(&out, test.evidence))
		if lines := strings.Split(out.String(), "\n"); lines[2] != test.want || lines[3] != "" {
			t.Errorf("%q, want %q", lines[2], test.want)
		}
	}
}

func TestTournamentRules(t *testing.T) {
	tournament := Tournament{Name: "spring", Ruleset: "bechi", Rounds: 3}
	rules, err := tournament.Rules()
	if must(t, err); rules.Info().Name != "bechi" || rules.Info().Rounds != 3 {
		t.Errorf("%+v", rules.Info())
	}
	for ruleset, want := range map[string]string{"chess": `tournament "spring": unknown ruleset "chess" `, "awale": `tournament "spring": 3 rounds asked for`} {
		tournament.Ruleset = ruleset
		if _, err := tournament.Rules(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
