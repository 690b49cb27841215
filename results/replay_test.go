package results

import (
	"strings"
	"testing"
	"time"

	"sembra/engine"
)

// playedRecord is the record of a match from the start of a ruleset, of at most so many plies, in which
// always the legal move in the middle was played.
func playedRecord(rules engine.Ruleset, most int) Record {
	match := Conditions{}.Begin(rules, rules.Start())
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
		verdict = Verdict{Result: SouthWins, Ending: EndTime, Fault: NorthFault}
	}
	r := match.Record(Key{South: "greedy", North: "random", Pair: 1}, verdict)
	r.CPU = [2]time.Duration{1500 * time.Microsecond, UnknownCPU}
	return r
}

// manyPlies is more plies than a match has.
const manyPlies = 100_000

// TestReplay: a match of each ruleset comes out as it was played.
func TestReplay(t *testing.T) {
	t.Parallel()
	for _, rules := range engine.Rulesets() {
		name := rules.Info().Name
		record := playedRecord(rules, manyPlies)
		replay := must2(Conditions{}.Replay(rules, record))
		match := engine.NewMatch(rules, rules.Start())
		must(t, match.PlayTokens(record.Moves))
		last := replay.Plies[len(replay.Plies)-1]
		if last.After != match.Position() || last.Spent != record.Times ||
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
	}
}

func TestReplayRefuses(t *testing.T) {
	t.Parallel()
	rules := must2(engine.Lookup("bechi"))
	for _, test := range []struct {
		what   string
		change func(*Record)
		want   string
	}{
		{"an illegal token", func(r *Record) { r.Moves[2] = "Q\x1b" }, `record of greedy - random, pair 1: move 3: illegal move "Q\x1b" (legal: `},
		{"no position", func(r *Record) { r.Opening = "opening" }, `record of greedy - random, pair 1: the opening "opening": `},
		{"a round too many", func(r *Record) {
			r.Body.Rounds, r.Summary.Rounds = append(r.Body.Rounds, Round{}), 2
		}, "record of greedy - random, pair 1: its moves make 1 rounds, it has 2"},
		{"a time too few", func(r *Record) { r.Elapsed = r.Elapsed[1:] }, "record of greedy - random, pair 1: 3 times but 4 plies"},
	} {
		record := playedRecord(rules, 4)
		test.change(&record)
		if _, err := (Conditions{}).Replay(rules, record); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.what, err, test.want)
		}
	}
}
