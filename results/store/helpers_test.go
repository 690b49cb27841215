package store

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sembra/engine/expect"
	"sembra/results"
	"sembra/results/example"
	"sembra/results/schedule"
)

var must, equal, spring = expect.NoError, expect.Equal, example.Spring

func must2[T any](value T, err error) T { return expect.Value(value, err) }

// TestMain lets the test binary also check or upgrade a database.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == upgradeArgument {
		upgradeChild(os.Args[2], os.Args[3])
		os.Exit(0)
	}
	if IsCheckChild(os.Args) {
		os.Exit(RunCheckChild(os.Args))
	}
	os.Exit(m.Run())
}

// record is a whole record of a match with some result.
func record(key results.Key, result results.Result) results.Record {
	return example.Record(key, fmt.Sprintf("opening %d", key.Pair), result)
}

// evidence is some evidence of a match.
func evidence() results.Evidence {
	return results.Evidence{
		What: "an illegal move: <Z>",
		South: results.Talk{
			Lines: []results.TalkLine{{At: 5 * time.Millisecond, Text: []byte("go")}, {At: 7, FromBot: true, Text: []byte("Z\xff\x00"), Cut: 9, Left: 3}},
			Left:  4, Stderr: []byte("panic\n"), StderrLeft: 1 << 40,
		},
		North: results.Talk{Lines: []results.TalkLine{}},
	}
}

// someRecords returns a record for every match, with results of all kinds. A worker played some of them.
func someRecords(order *schedule.Schedule) []results.Record {
	records := make([]results.Record, order.Known())
	for i := range records {
		result := []results.Result{results.SouthWins, results.NorthWins, results.SouthWins, results.Draw, results.SouthWins, results.Void, results.NorthWins}[i%7]
		records[i] = record(order.Key(i+1), result)
		if i%4 == 1 {
			records[i].Worker, records[i].Files[1] = "alpha on host", strings.Repeat("0123456789abcdef", 4)
		}
	}
	return records
}

// begin stores a tournament and returns its records.
func begin(t testing.TB, store *Store, tournament results.Tournament) *Records {
	t.Helper()
	must(t, createTournament(store, tournament))
	return store.newRecords(tournament)
}

// noteIsolation stores a line of isolation.
func noteIsolation(stored *Records, line string) error {
	stored.NoteIsolation(line)
	return stored.prepare()
}

// changeTo stores another plan of a tournament and returns the records that have it.
func changeTo(t testing.TB, stored *Records, plan results.Tournament) *Records {
	t.Helper()
	changed := stored.store.newRecords(plan)
	must(t, restore(changed))
	return changed
}

// restore stores the plan of a tournament again.
func restore(stored *Records) error {
	stored.changed = true
	return stored.prepare()
}

// createTournament stores a tournament without records.
func createTournament(store *Store, t results.Tournament) error {
	stored := store.newRecords(t)
	stored.isNew = true
	return stored.prepare()
}

// openRecords opens a stored tournament.
func openRecords(t testing.TB, store *Store, name string) *Records {
	t.Helper()
	return must2(store.Records(name))
}

// recordedNumbers returns the numbers of the recorded matches, in order.
func recordedNumbers(t testing.TB, stored *Records) []int {
	t.Helper()
	numbers := must2(stored.numbers())
	slices.Sort(numbers)
	return numbers
}

// storedRatings reads the stored ratings of a tournament.
func storedRatings(stored *Records) (ratings results.Ratings, err error) {
	err = stored.view(func(in buckets) error {
		ratings, err = in.readRatings()
		return err
	})
	return ratings, err
}

func numbered(order *schedule.Schedule, records []results.Record) []results.Numbered {
	var all []results.Numbered
	for _, r := range records {
		number, _ := order.Number(r.Key)
		all = append(all, results.Numbered{Number: number, Summary: r.Summary})
	}
	return all
}

// openNew opens a new store in a folder of the test's own.
func openNew(t testing.TB) *Store { return open(t, filepath.Join(t.TempDir(), "test.db")) }

func open(t testing.TB, path string) *Store {
	t.Helper()
	store := must2(Open(path))
	t.Cleanup(func() { must(t, store.Close()) })
	return store
}

func openRead(t testing.TB, path string) *Store {
	t.Helper()
	store := must2(OpenRead(path))
	t.Cleanup(func() { must(t, store.Close()) })
	return store
}

// rounds is how often a test repeats something: a few times, or many with the build tag long.
func rounds(few, many int) int {
	if long {
		return many
	}
	return few
}

// eloOf is the stored rating of a bot.
func eloOf(r results.Ratings, bot string) float64 { return r.Elo[slices.Index(r.Bots, bot)] }

func keyOf(south, north string, pair int) results.Key {
	return results.Key{South: south, North: north, Pair: pair}
}
