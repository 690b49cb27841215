package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sembra/engine"
	"sembra/results"
	"sembra/results/report"
	"sembra/results/stats"
	"sembra/results/store"
)

// TestExport: a file that export has written keeps every match of a tournament of any format, with its times, scores
// and faults.
func TestExport(t *testing.T) {
	t.Parallel()
	test := stats.Test{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05, Model: "logistic"}
	for _, plan := range []results.Tournament{
		{Format: results.RoundRobin, Ruleset: "oware", Rounds: 1, Pairs: 3, Bots: []string{"a", "b", "c", "d"}, DisqualifyAfter: 1},
		{Format: results.Gauntlet, Ruleset: "bechi", Rounds: 2, Pairs: 2, Bots: []string{"a", "b", "c"}, Challengers: []string{"b"}},
		{Format: results.Swiss, Ruleset: "redu", Rounds: 1, Pairs: 2, Bots: []string{"a", "b", "c", "d", "e"}, Stages: 3},
		{Format: results.Knockout, Ruleset: "awale", Rounds: 1, Pairs: 2, Bots: []string{"a", "b", "c", "d", "e"}, ExtraPairs: 1},
		{Format: results.Sequential, Ruleset: "buqruru-bellin", Rounds: 3, Pairs: 6, Bots: []string{"a", "b"}, Test: &test},
	} {
		t.Run(plan.Format, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			want := played(t, filepath.Join(dir, "played.db"), plan)
			file := filepath.Join(dir, "games.jsonl")
			mustRun(t, dir, "export", "--db", filepath.Join(dir, "played.db"), "--format", "jsonl", "--output", file)
			mustRun(t, dir, "verify", file)
			if diff := cmp.Diff(want, claimed(t, file)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// claimed returns the records of a file, with what follows from their moves.
func claimed(t *testing.T, path string) (records []results.Record) {
	t.Helper()
	file, err := os.Open(path)
	mustBe(t, err)
	defer file.Close()
	for claim, err := range report.ReadMatches(file, path) {
		mustBe(t, err)
		game, problems := report.NewReferee().Check(claim)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		if len(game.Record.Moves) == 0 {
			game.Record.Moves, game.Record.Elapsed = nil, nil
		}
		records = append(records, game.Record)
	}
	return records
}

// played stores a tournament whose matches are random, some with faults, and one of them replaced.
func played(t *testing.T, path string, plan results.Tournament) []results.Record {
	t.Helper()
	rules, err := engine.Lookup(plan.Ruleset)
	mustBe(t, err)
	plan.Name, plan.Family, plan.Rating = "spring", "spring", results.Rating{Start: 1500, K: 16}
	plan.Programs = map[string]results.Program{"a": {Builtin: "old"}}
	for range plan.MostPairs() {
		plan.Openings = append(plan.Openings, engine.Text(rules, rules.Start()))
	}
	db, err := store.Open(path)
	mustBe(t, err)
	defer db.Close()
	b, err := db.Begin(plan, false)
	mustBe(t, err)
	if plan.Format == results.RoundRobin {
		mustBe(t, b.Put([]results.Record{randomRecord(t, plan, b.Schedule.Key(2), 99)}))
		mustBe(t, b.PutVoid(b.Schedule.Key(1), "no process"))
		plan.Programs = map[string]results.Program{"a": {Builtin: "new"}}
		b, err = db.Begin(plan, false, "a")
		mustBe(t, err)
	}
	for slot := 1; slot <= b.Schedule.Len() && !b.Schedule.Over(); slot++ {
		mustBe(t, b.Put([]results.Record{randomRecord(t, plan, b.Schedule.Key(slot), slot)}))
	}
	mustBe(t, db.Close())
	return read(t, path)
}

// randomRecord is the record of a match of random moves. In some slots it ends by a fault or a resignation.
func randomRecord(t *testing.T, plan results.Tournament, key results.Key, slot int) results.Record {
	t.Helper()
	rules, err := plan.Rules()
	mustBe(t, err)
	random := rand.New(rand.NewPCG(uint64(slot), 3))
	match := engine.NewMatch(rules, rules.Start())
	g := report.Match{Tournament: plan, Record: results.Record{Summary: results.Summary{Key: key}}}
	r := &g.Record
	endings := []results.Ending{0, 0, results.EndCrash, results.EndResign, 0, results.EndTime, results.EndIllegal, results.EndStart}
	ending := endings[slot%len(endings)]
	cut := random.IntN(20)
	if ending == results.EndStart {
		cut = 0
	}
	for ; !match.Over() && (ending == 0 || cut > 0 || match.Legal()[0].Pass()); cut-- {
		side, move := match.Position().Side(), match.Legal()[random.IntN(len(match.Legal()))]
		r.Moves, r.Elapsed, r.Scores = append(r.Moves, move.Token(side)), append(r.Elapsed, 0), append(r.Scores, nil)
		if !move.Pass() {
			r.Elapsed[len(r.Elapsed)-1] = time.Duration(random.IntN(1e9))
			score := float64(random.IntN(9)) / 8
			r.Scores[len(r.Scores)-1] = &score
		}
		match.Play(move)
	}
	switch o, over := match.Outcome(); {
	case over:
		r.Result = results.ResultOf(o.Result)
	case ending == results.EndStart:
		r.Result, r.Ending, r.Fault = results.Void, ending, results.BothFault
	case match.Position().Side() == engine.South:
		r.Result, r.Ending, r.Fault = results.NorthWins, ending, results.SouthFault
	default:
		r.Result, r.Ending, r.Fault = results.SouthWins, ending, results.NorthFault
	}
	if r.Ending == results.EndResign {
		r.Fault = results.NoFault
	}
	if r.Fault != results.NoFault {
		r.Evidence = &results.Evidence{What: "it did that"}
	}
	if len(r.Moves) == 0 {
		r.Moves, r.Elapsed, r.Scores = []string{}, []time.Duration{}, nil
	}
	r.SouthCPU, r.NorthCPU, r.NorthBurnt = results.UnknownCPU, time.Duration(random.IntN(1e9)), slot == 4
	r.Seeds = [2]uint64{random.Uint64(), random.Uint64()}
	done, problems := report.NewReferee().Check(report.Claim{Match: g})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if r = &done.Record; r.Ending == results.EndResign { // the time of the last answer, which was no move
		*[]*time.Duration{&r.SouthTime, &r.NorthTime}[match.Position().Side()] += 7
	}
	return *r
}

// read reads the records of the newest tournament of a database.
func read(t *testing.T, path string) (records []results.Record) {
	t.Helper()
	db, err := store.OpenRead(path)
	mustBe(t, err)
	defer db.Close()
	b, err := db.Book("")
	mustBe(t, err)
	for slot := 1; slot <= b.Schedule.Len(); slot++ {
		record, found, err := b.Record(slot)
		mustBe(t, err)
		if found {
			records = append(records, record)
		}
	}
	return records
}
