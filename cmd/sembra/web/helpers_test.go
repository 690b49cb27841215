package web

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sembra/engine"
	"sembra/engine/expect"
	"sembra/results"
	"sembra/results/store"
)

// TestMain lets the test binary also check a database.
func TestMain(m *testing.M) {
	if store.IsCheckChild(os.Args) {
		os.Exit(store.RunCheckChild(os.Args))
	}
	os.Exit(m.Run())
}

var must, equal = expect.NoError, expect.Equal

func must2[T any](value T, err error) T { return expect.Value(value, err) }

// planOf returns the plan of a round-robin.
func planOf(name, ruleset string, pairs int, bots ...string) results.Tournament {
	rules, err := engine.Lookup(ruleset)
	if err != nil {
		panic(err)
	}
	plan := results.Tournament{Plan: results.Plan{
		Conditions: results.Conditions{Ruleset: ruleset, Rounds: rules.Info().Rounds},
		Name:       name, Format: results.RoundRobin,
		Pairs: pairs, Bots: bots, Rating: results.Rating{Start: 1500, K: 16},
	}, Family: name}
	plan.Openings = slices.Repeat([]string{engine.Text(rules, rules.Start())}, pairs)
	return plan
}

// botNames returns the names of some bots.
func botNames(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("bot-%02d", i+1)
	}
	return names
}

// storeTournament plays a tournament and stores the matches up to one; 0: all of them.
func storeTournament(t testing.TB, path string, plan results.Tournament, last int) {
	t.Helper()
	db := must2(store.Open(path))
	defer db.Close()
	b := must2(db.Begin(plan.Plan, false))
	b.NoteIsolation("everything is isolated")
	strength := make(map[string]int, len(plan.Bots))
	for i, bot := range plan.Bots {
		strength[bot] = len(plan.Bots) - i
	}
	var records []results.Record
	recorded := must2(b.Recorded())
	for number := len(recorded) + 1; number <= b.Schedule.Known() && !b.Schedule.Over() && (last == 0 || number <= last); number++ {
		key := b.Schedule.Key(number)
		records = append(records, playedRecord(t, plan, key, number, strength))
		if len(records) == 1000 || number == b.Schedule.Known() || number == last {
			must(t, b.Put(records))
			records = nil
		}
	}
	must(t, db.Close())
}

// playedRecord is the record of a match. The stronger a bot, the more often it takes what it can instead of
// playing at random. Some matches end by a fault.
func playedRecord(
	t testing.TB, plan results.Tournament, key results.Key, number int, strength map[string]int,
) results.Record {
	t.Helper()
	rules := must2(plan.Rules())
	random := rand.New(rand.NewPCG(uint64(number), 3))
	match := plan.Begin(rules, rules.Start())
	fault := number%97 == 5 || key.South == plan.Bots[len(plan.Bots)-1] && number%7 == 3
	for !match.Over() && !(fault && len(match.Plies) > 20 && !match.MustPass()) {
		side := match.Position().Side()
		bot := []string{key.South, key.North}[side]
		move := match.Legal()[random.IntN(len(match.Legal()))]
		if random.IntN(len(strength)+2) < strength[bot] {
			move = greediest(rules, match.Match)
		}
		var elapsed time.Duration
		var score *float64
		if !match.MustPass() {
			elapsed = time.Duration(random.IntN(5e7))
			score = new(float64(match.Position().Store(side)-match.Position().Store(side.Other())) + float64(random.IntN(9))/8)
		}
		must(t, match.Play(move.Token(side), elapsed, score))
	}
	verdict, over := match.Verdict()
	if side := match.Position().Side(); !over {
		verdict = results.Lost(side, []results.Ending{results.EndIllegal, results.EndTime}[side])
	}
	r := match.Record(key, verdict)
	r.CPU = [2]time.Duration{1e6, 2e6}
	if r.Fault != results.NoFault {
		r.Evidence = &results.Evidence{What: `it answered "Z", which is not a legal move`}
	}
	return r
}

// greediest returns the legal move after which the mover's store is largest.
func greediest(rules engine.Ruleset, match *engine.Match) engine.Move {
	p := match.Position()
	best, most := match.Legal()[0], -1
	for _, move := range match.Legal() {
		after, _ := rules.Play(p, move)
		if n := after.Store(p.Side()); n > most {
			best, most = move, n
		}
	}
	return best
}

// quickLibrary returns the library of a small tournament called spring.
func quickLibrary(t testing.TB) *Library {
	t.Helper()
	path := filepath.Join(t.TempDir(), "spring.db")
	storeTournament(t, path, planOf("spring", "awale", 1, "ann", "ben", "cat"), 0)
	return must2(OpenLibrary(path))
}
