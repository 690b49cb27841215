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
	c := results.Tournament{
		Name: ruleset, Family: ruleset, Ruleset: ruleset, Format: "round-robin",
		Rounds: min(rules.Info().Rounds, 3), Pairs: pairs, Bots: []string{"a", "b", "c"},
		Rating: results.Rating{Start: 1500, K: 16},
		Time:   results.TimeControl{Base: time.Minute, Increment: 10 * time.Millisecond, Margin: 20 * time.Millisecond, Watchdog: 30 * time.Second},
	}
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
	rules := must2(engine.Lookup(c.Ruleset))
	rules = must2(engine.WithRounds(rules, c.Rounds))
	start := must2(engine.ParsePosition(rules, c.Opening(key.Pair)))
	random := rand.New(rand.NewPCG(uint64(number), 2))
	match := engine.NewMatch(rules, start)
	r := results.Record{Summary: results.Summary{Key: key}, Body: results.Body{Opening: engine.Text(rules, start)}}
	var spent [2]time.Duration
	cut := 10000
	if number%4 == 0 {
		cut = random.IntN(20)
	}
	for !match.Over() {
		legal := match.Legal()
		if len(r.Moves) >= cut && !legal[0].Pass() {
			break
		}
		seat, move := match.Position().Side(), legal[random.IntN(len(legal))]
		elapsed := time.Duration(random.IntN(1000)) * time.Microsecond
		if move.Pass() {
			elapsed = 0
		}
		r.Moves, r.Elapsed = append(r.Moves, move.Token(seat)), append(r.Elapsed, elapsed)
		spent[seat] += elapsed
		match.Play(move)
	}
	side, pos := match.Position().Side(), match.Position()
	if o, over := match.Outcome(); over {
		r.Result, r.Ending = results.EndOf(o)
	} else {
		r.Ending = []results.Ending{results.EndProtocol, results.EndIllegal, results.EndResign, results.EndTime, results.EndCrash}[number/4%5]
		r.Result, r.Fault = results.NorthWins, results.SouthFault
		if side == engine.North {
			r.Result, r.Fault = results.SouthWins, results.NorthFault
		}
		switch r.Ending {
		case results.EndResign:
			r.Fault = results.NoFault
			spent[side] += 7
		case results.EndIllegal:
			spent[side] += time.Millisecond
		}
		if r.Fault != results.NoFault {
			r.Evidence = &results.Evidence{What: "it did <that>", South: results.Talk{Lines: []results.TalkLine{{Text: []byte("go")}}}}
		}
	}
	r.Body.Rounds = results.RoundsOf(match, r.Ending)
	r.Stores[0], r.Stores[1] = pos.Store(engine.South), pos.Store(engine.North)
	r.Donkeys[0], r.Donkeys[1] = pos.Donkeys(engine.South), pos.Donkeys(engine.North)
	r.Plies, r.Summary.Rounds = len(r.Moves), len(r.Body.Rounds)
	r.Times[0], r.Times[1] = spent[engine.South], spent[engine.North]
	r.Hash = results.MatchHash(c.Ruleset, key.South, key.North, r.Opening, r.Moves)
	return r
}

// fill stores a tournament with records of all its matches, except for those in left.
func fill(t testing.TB, store *Store, c results.Tournament, left ...int) {
	t.Helper()
	stored := begin(t, store, c)
	order := schedule.New(c)
	var records []results.Record
	for number := 1; number <= order.Len(); number++ {
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
