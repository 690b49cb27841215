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
	match := engine.NewMatch(rules, rules.Start())
	r := Record{Summary: Summary{Key: Key{South: "greedy", North: "random", Pair: 1}, CPU: [2]time.Duration{1500 * time.Microsecond, UnknownCPU}}}
	r.Opening = engine.Text(rules, match.Position())
	for !match.Over() && len(r.Moves) < most {
		side, legal := match.Position().Side(), match.Legal()
		move := legal[len(legal)/2]
		r.Moves = append(r.Moves, move.Token(side))
		elapsed := time.Duration(len(r.Moves)) * time.Microsecond
		if move.Pass() {
			elapsed = 0
		}
		r.Elapsed = append(r.Elapsed, elapsed)
		r.Times[side] += elapsed
		match.Play(move)
	}
	rounds := match.Rounds()
	if !match.Over() {
		rounds = append(rounds, engine.Round{Start: match.RoundStart(), Plies: match.RoundPlies(), Position: match.Position()})
	}
	for _, round := range rounds {
		r.Body.Rounds = append(r.Body.Rounds, Round{
			Start: engine.Text(rules, round.Start), Plies: round.Plies, Position: engine.Text(rules, round.Position),
			Reason: round.End.String(), South: round.Position.Store(engine.South), North: round.Position.Store(engine.North),
		})
	}
	last := match.Position()
	r.Plies, r.Summary.Rounds = len(r.Moves), len(rounds)
	r.Stores[0], r.Stores[1] = last.Store(engine.South), last.Store(engine.North)
	r.Donkeys[0], r.Donkeys[1] = last.Donkeys(engine.South), last.Donkeys(engine.North)
	r.Result, r.Ending = []Result{Draw, SouthWins, NorthWins}[rules.Winner(last)], EndNormal
	if !match.Over() {
		r.Result, r.Ending, r.Fault = SouthWins, EndTime, NorthFault
		r.Body.Rounds[len(rounds)-1].Reason = EndTime.String()
	}
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
		replay := must2(NewReplay(rules, record))
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
