package store

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sembra/engine"
	"sembra/results"
	"sembra/results/schedule"
)

// planOf is a tournament with three bots, a clock and an opening for each pair.
func planOf(t testing.TB, ruleset string, pairs int) results.Tournament {
	t.Helper()
	rules := must2(engine.Lookup(ruleset))
	c := results.Tournament{Plan: results.Plan{
		Conditions: results.Conditions{
			Ruleset: ruleset, Rounds: min(rules.Info().Rounds, 3),
			Time: results.TimeControl{
				Base: time.Minute, Increment: 10 * time.Millisecond, Margin: 20 * time.Millisecond, Watchdog: 30 * time.Second,
			},
		},
		Name: ruleset, Format: "round-robin", Pairs: pairs, Bots: []string{"a", "b", "c"},
		Rating: results.Rating{Start: 1500, K: 16},
	}, Family: ruleset}
	openings := make([]string, pairs)
	for pair := range pairs {
		match := engine.NewMatch(rules, rules.Start())
		random := rand.New(rand.NewPCG(uint64(pair), 1))
		for range 4 {
			match.Play(match.Legal()[random.IntN(len(match.Legal()))])
		}
		openings[pair] = engine.Text(rules, match.Position())
	}
	c.Openings = openings
	return c
}

// playedMatch is the record of a match of random moves. Some of them end by a fault or a resignation.
func playedMatch(t testing.TB, c results.Tournament, number int, key results.Key) results.Record {
	t.Helper()
	rules := must2(c.Rules())
	random := rand.New(rand.NewPCG(uint64(number), 2))
	match := c.Begin(rules, must2(engine.ParsePosition(rules, c.Opening(key.Pair))))
	cut := 10000
	if number%4 == 0 {
		cut = random.IntN(20)
	}
	for !match.Over() && (len(match.Plies) < cut || match.MustPass()) {
		token := match.Legal()[random.IntN(len(match.Legal()))].Token(match.Position().Side())
		elapsed := time.Duration(random.IntN(1000)) * time.Microsecond
		if match.MustPass() {
			elapsed = 0
		}
		must(t, match.Play(token, elapsed, nil))
	}
	verdict, over := match.Verdict()
	if !over {
		verdict = results.Lost(match.Position().Side(), []results.Ending{
			results.EndProtocol, results.EndIllegal, results.EndResign, results.EndTime, results.EndCrash,
		}[number/4%5])
		switch verdict.Ending {
		case results.EndResign:
			verdict.Last = 7
		case results.EndIllegal:
			verdict.Last = time.Millisecond
		}
	}
	r := match.Record(key, verdict)
	if r.Fault != results.NoFault {
		r.Evidence = &results.Evidence{What: "it did <that>", South: results.Talk{Lines: []results.TalkLine{{Text: []byte("go")}}}}
	}
	return r
}

// fill stores a tournament with records of all its matches, except for those in left.
func fill(t testing.TB, store *Store, c results.Tournament, left ...int) {
	t.Helper()
	stored := begin(t, store, c)
	order := schedule.New(c)
	var records []results.Record
	for number := 1; number <= order.Known(); number++ {
		if slices.Contains(left, number) {
			continue
		}
		r := playedMatch(t, c, number, order.Key(number))
		records = append(records, r)
		order.Add(r.Summary)
	}
	must(t, stored.Put(records))
	must(t, stored.PutVoid(order.Key(1), "no process"))
	must(t, stored.PutVoid(order.Key(1), "no process again"))
	must(t, noteIsolation(stored, "none"))
}

// fileOf makes a file with a tournament, all of whose matches are played, and returns its content.
func fileOf(t testing.TB, c results.Tournament) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cup.db")
	store := must2(Open(path))
	fill(t, store, c)
	must(t, store.Close())
	return must2(os.ReadFile(path))
}

// cupFile makes a file with two tournaments, and returns its path.
func cupFile(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cups.db")
	store := must2(Open(path))
	fill(t, store, planOf(t, "awale", 3))
	fill(t, store, planOf(t, "redu", 2), 7, 9)
	must(t, store.Close())
	return path
}
