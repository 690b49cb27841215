package store

import (
	"bytes"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sembra/engine"
	"sembra/results"
	"sembra/results/schedule"
)

func TestStoreKeepsTournaments(t *testing.T) {
	t.Parallel()
	store := openNew(t)
	if _, err := store.Records(""); err == nil || !strings.Contains(err.Error(), "no tournament in it yet") {
		t.Errorf("newest of none: %v", err)
	}
	first := spring(2, "a", "b", "c")
	second := spring(1, "a", "b")
	second.Name, second.DisqualifyAfter = "spring-2", 3
	other := spring(1, "x", "y")
	other.Name, other.Family = "autumn", "autumn"
	for _, tournament := range []results.Tournament{first, second, other} {
		must(t, createTournament(store, tournament))
	}
	if err := createTournament(store, first); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("created twice: %v", err)
	}
	all := must2(store.Tournaments())
	equal(t, "tournaments", []results.Tournament{first, second, other}, all)
	newest := must2(store.Records("")).Tournament
	if newest.Name != "autumn" {
		t.Errorf("newest is %q", newest.Name)
	}
	newest, ok := newestOf(all, "spring")
	if !ok || newest.Name != "spring-2" {
		t.Errorf("newest spring is %q, %v", newest.Name, ok)
	}
	stored := must2(store.Newest("spring"))
	if stored.Tournament.Name != "spring-2" {
		t.Errorf("newest stored of spring is %q", stored.Tournament.Name)
	}
	if _, err := store.Newest("winter"); err == nil || !strings.Contains(err.Error(), `unknown tournament "winter" (known: spring,`) {
		t.Errorf("newest stored of winter: %v", err)
	}
	if name, other := freshName(all, "spring"), freshName(all, "winter"); name != "spring-3" || other != "winter" {
		t.Errorf("fresh names %q and %q", name, other)
	}
	var unknown *engine.UnknownError
	if _, err := store.Records("winter"); !errors.As(err, &unknown) || !strings.Contains(err.Error(), "known: spring, spring-2, autumn") {
		t.Errorf("unknown: %v", err)
	}
	if _, err := store.Records("winter"); !errors.As(err, &unknown) {
		t.Errorf("stored of unknown: %v", err)
	}
	winter := first
	winter.Name = "winter"
	if err := store.newRecords(winter).Put(nil); !errors.As(err, &unknown) {
		t.Errorf("put into unknown: %v", err)
	}
}

// A file is a database by its content, also while it is open for writing.
func TestIsDatabase(t *testing.T) {
	t.Parallel()
	store := openNew(t)
	dir := t.TempDir()
	letter, empty := filepath.Join(dir, "letter.db"), filepath.Join(dir, "empty.db")
	must(t, os.WriteFile(letter, bytes.Repeat([]byte("Dear Sembra, "), 10_000), 0o644))
	must(t, os.WriteFile(empty, nil, 0o644))
	for path, want := range map[string]bool{
		store.Path(): true, letter: false, empty: false, dir: false, filepath.Join(dir, "nothing"): false,
	} {
		if IsDatabase(path) != want {
			t.Errorf("%s: it is a database: %v", path, !want)
		}
	}
	want := []string{store.Path(), store.Path() + ".run", store.Path() + ".lock"}
	if found := append(Databases(dir), Databases(filepath.Dir(store.Path()))...); !slices.Equal(found, want) {
		t.Errorf("databases %v, want %v", found, want)
	}
}

func TestStoreRefusesBadTournaments(t *testing.T) {
	t.Parallel()
	store := openNew(t)
	for name, spoil := range map[string]func(*results.Tournament){
		"no name":          func(t *results.Tournament) { t.Name = "" },
		"no family":        func(t *results.Tournament) { t.Family = "" },
		"NUL in a bot":     func(t *results.Tournament) { t.Bots[0] = "a\x00b" },
		"long name":        func(t *results.Tournament) { t.Name = strings.Repeat("x", 256) },
		"one bot":          func(t *results.Tournament) { t.Bots = t.Bots[:1] },
		"bot twice":        func(t *results.Tournament) { t.Bots[1] = t.Bots[0] },
		"no pairs":         func(t *results.Tournament) { t.Pairs = 0 },
		"disqualification": func(t *results.Tournament) { t.DisqualifyAfter = -1 },
		"negative time":    func(t *results.Tournament) { t.Time.Startup = -1 },
	} {
		tournament := spring(1, "a", "b")
		spoil(&tournament)
		if createTournament(store, tournament) == nil {
			t.Errorf("%s: created", name)
		}
	}
}

func TestStoreKeepsRecords(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "test.db")
	store := open(t, path)
	tournament := spring(2, "a", "b", "c")
	order := schedule.New(tournament)
	records := someRecords(order)
	records[4].Result, records[4].Ending, records[4].Fault = results.SouthWins, results.EndIllegal, results.NorthFault
	records[4].Evidence = new(evidence())
	stored := begin(t, store, tournament)
	must(t, stored.Put(records[3:6]))
	must(t, stored.Put(records[:1]))
	again := record(records[3].Key, results.NorthWins) // the first one stands
	must(t, stored.Put([]results.Record{again, records[4], records[4]}))
	must(t, store.Close())
	must(t, store.Close())
	if err := stored.Put(records); err == nil {
		t.Error("put into a closed store")
	}

	store = must2(OpenRead(path))
	defer store.Close()
	stored = openRecords(t, store, "spring")
	equal(t, "numbers", []int{1, 4, 5, 6}, recordedNumbers(t, stored))
	want := numbered(order, []results.Record{records[0], records[3], records[4], records[5]})
	got := must2(stored.Recorded())
	equal(t, "stored", want, got)
	one, found, err := stored.Record(5)
	must(t, err)
	if diff := cmp.Diff(records[4], one); diff != "" || !found {
		t.Errorf("found %v\n%s", found, diff)
	}
	if one, found, err := stored.Record(8); found || err != nil {
		t.Errorf("a match that is not played: %+v, %v, %v", one, found, err)
	}
	if err := stored.Put(records); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("put while reading: %v", err)
	}
}

func TestStoreRefusesRecords(t *testing.T) {
	t.Parallel()
	store := openNew(t)
	tournament := spring(1, "a", "b")
	order := schedule.New(tournament)
	stored := begin(t, store, tournament)
	good := record(order.Key(1), results.SouthWins)
	for name, spoil := range map[string]func(*results.Record){
		"stranger":          func(r *results.Record) { r.North = "x" },
		"pair":              func(r *results.Record) { r.Pair = 2 },
		"itself":            func(r *results.Record) { r.North = r.South },
		"plies":             func(r *results.Record) { r.Plies++ },
		"times":             func(r *results.Record) { r.Elapsed = r.Elapsed[1:] },
		"rounds":            func(r *results.Record) { r.Body.Rounds = nil },
		"no result":         func(r *results.Record) { r.Result = 0 },
		"no ending":         func(r *results.Record) { r.Ending = 0 },
		"fault that won":    func(r *results.Record) { r.Ending, r.Fault = results.EndTime, results.SouthFault },
		"fault of none":     func(r *results.Record) { r.Ending = results.EndCrash },
		"fault by rules":    func(r *results.Record) { r.Fault = results.NorthFault },
		"void without both": func(r *results.Record) { r.Result = results.Void },
		"empty move":        func(r *results.Record) { r.Moves = []string{"A", "", "C"} },
		"negative store":    func(r *results.Record) { r.Stores[1] = -1 },
		"negative time":     func(r *results.Record) { r.Times[0] = -1 },
	} {
		bad := good
		spoil(&bad)
		other := record(order.Key(2), results.Draw)
		if err := stored.Put([]results.Record{other, bad}); err == nil || !strings.Contains(err.Error(), "record of ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if numbers := recordedNumbers(t, stored); len(numbers) > 0 {
		t.Errorf("something was stored: %v", numbers)
	}
}

// wholeMatches yields the recorded matches with their bodies.
func wholeMatches(stored *Records) iter.Seq2[results.Noted, error] {
	return stored.Bodies(stored.Tournament.WithNotes(stored.Matches()))
}

// While the matches are read, other things can be written: no transaction waits for the caller.
func TestStoreStreamsRecords(t *testing.T) {
	t.Parallel()
	store := openNew(t)
	stored := begin(t, store, spring(200, "a", "b", "c"))
	records := someRecords(stored.Schedule)
	must(t, stored.Put(slices.DeleteFunc(slices.Clone(records), func(r results.Record) bool { return r.Pair == 7 })))
	at := 0
	for got, err := range wholeMatches(stored) {
		must(t, err)
		if records[at].Pair == 7 {
			at += 6
		}
		want := results.Noted{Numbered: results.Numbered{Number: at + 1, Summary: records[at].Summary}, Body: records[at].Body}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
		at++
		if at%100 == 0 {
			must(t, stored.PutVoid(got.Key, "in the midst of reading"))
		}
	}
	if at != len(records) {
		t.Errorf("it ended after %d matches", at)
	}
	summaries := must2(stored.Recorded())
	var streamed []results.Numbered
	for match, err := range stored.Matches() {
		must(t, err)
		streamed = append(streamed, match)
	}
	equal(t, "streamed", summaries, streamed)
}

// The matches before a damaged or missing one can be read, and the error names it.
func TestStoreStreamsUpToDamage(t *testing.T) {
	t.Parallel()
	store := openNew(t)
	stored := begin(t, store, spring(200, "a", "b"))
	must(t, stored.Put(someRecords(stored.Schedule)))
	const damaged = 300
	raw := appendKey(nil, stored.Schedule.Key(damaged))
	read := func(matches iter.Seq2[results.Noted, error]) (found int, err error) {
		for _, err := range matches {
			if err != nil {
				return found, err
			}
			found++
		}
		return found, nil
	}
	must(t, stored.update(func(in buckets) error { return in.bodies.Delete(raw) }))
	want := "there is no record of b - a, pair 150"
	if found, err := read(wholeMatches(stored)); found != damaged-1 || err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("without its body: %v after %d matches", err, found)
	}
	must(t, stored.update(func(in buckets) error { return in.summaries.Put(raw, []byte("?")) }))
	want = "the summary of b - a, pair 150 is damaged"
	if found, err := read(wholeMatches(stored)); found != damaged-1 || err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("with a damaged summary: %v after %d matches", err, found)
	}
}

// A record says which worker played it, also if it is read with others, and the standings count its matches.
func TestStoreKeepsWorkers(t *testing.T) {
	t.Parallel()
	store := open(t, filepath.Join(t.TempDir(), "test.db"))
	stored := begin(t, store, spring(2, "a", "b"))
	records := someRecords(stored.Schedule)
	records[2].Worker = "beta on host"
	records[3].Result, records[3].Ending, records[3].Fault = results.NorthWins, results.EndStart, results.SouthFault // nobody played it
	must(t, stored.Put(records[:1]))
	standings := must2(stored.Standings())
	if standings.Workers != nil {
		t.Errorf("before a worker has played: %v", standings.Workers)
	}
	must(t, stored.Put(records))
	want := []string{"", "alpha on host", "beta on host", ""}
	var got, together []string
	for number := range records {
		record, _, err := stored.Record(number + 1)
		must(t, err)
		got = append(got, record.Worker)
	}
	for match, err := range stored.Bodies(stored.Select(results.Filter{})) {
		must(t, err)
		together = append(together, match.Worker)
	}
	equal(t, "records", want, got)
	equal(t, "records together", want, together)
	standings = must2(stored.Standings())
	count := func(name string, matches int) results.WorkerMatches {
		return results.WorkerMatches{Worker: name, Matches: matches}
	}
	counts := []results.WorkerMatches{count("", 1), count("alpha on host", 1), count("beta on host", 1)}
	equal(t, "workers", counts, standings.Workers)
}

func TestStoreKeepsVoids(t *testing.T) {
	t.Parallel()
	store := openNew(t)
	stored := begin(t, store, spring(300, "a", "b", "c"))
	first, second := keyOf("a", "b", 1), keyOf("a", "b", 256)
	must(t, stored.PutVoid(second, "no process"))
	must(t, stored.PutVoid(first, "no file handle"))
	must(t, stored.PutVoid(first, "again"))
	must(t, stored.PutVoid(keyOf("a", "x", 1), "not in the schedule"))
	got, err := stored.SelectVoids(results.Filter{Void: true})
	must(t, err)
	number := func(key results.Key) int { number, _ := stored.Schedule.Number(key); return number }
	want := []results.VoidMatch{
		{Number: number(first), Key: first, Attempt: 1, Reason: "no file handle"},
		{Number: number(first), Key: first, Attempt: 2, Reason: "again"},
		{Number: number(second), Key: second, Attempt: 1, Reason: "no process"},
	}
	equal(t, "stored", want, got)
	got, err = stored.SelectVoids(results.Filter{Numbers: map[int]bool{number(second): true}, Void: true})
	must(t, err)
	equal(t, "selected", want[2:], got)
	if err := stored.PutVoid(keyOf("a", "b", 0), ""); err == nil {
		t.Error("pair 0 was taken")
	}
}

// checkRatings compares the stored ratings with a fold of the records that are done, by number less 1.
func checkRatings(t *testing.T, stored *Records, records []results.Record, done []bool) {
	t.Helper()
	tournament := stored.Tournament
	fold := tournament.RatingFold()
	for done[fold.Covered()] {
		must(t, fold.Add(records[fold.Covered()].Summary))
	}
	want := fold.Ratings()
	got := must2(storedRatings(stored))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
}

func TestReplaceFoldsAgain(t *testing.T) {
	t.Parallel()
	store := openNew(t)
	old := spring(2, "a", "b")
	stored := begin(t, store, old)
	must(t, stored.Put(someRecords(stored.Schedule)))
	longer := must2(old.Continue(spring(3, "a", "b").Plan))
	ratings := must2(storedRatings(changeTo(t, stored, longer)))
	if ratings.Covered != 4 || len(ratings.Elo) != 2 || eloOf(ratings, "a") == 1500 {
		t.Errorf("with more pairs: %+v", ratings)
	}
	merged := must2(longer.Continue(spring(3, "a", "b", "c").Plan))
	grown := changeTo(t, stored, merged)
	ratings = must2(storedRatings(grown))
	if ratings.Covered != 4 || len(ratings.Elo) != 3 || eloOf(ratings, "a") == 1500 { // c's matches come last
		t.Errorf("with another bot: %+v", ratings)
	}
	must(t, grown.Put(someRecords(grown.Schedule)))
	summaries := must2(grown.Recorded())
	if len(summaries) != grown.Schedule.Known() {
		t.Errorf("%d summaries of %d", len(summaries), grown.Schedule.Known())
	}
	if _, err := stored.Recorded(); err == nil || !strings.Contains(err.Error(), "a - b, pair 3") || !strings.Contains(err.Error(), "(14: ") {
		t.Errorf("strangers: %v", err)
	}
	if err := restore(stored); err == nil {
		t.Error("replaced by a schedule without recorded matches")
	}
	if got, err := store.Records("spring"); err != nil || got.Tournament.Pairs != 3 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestStoreKeepsIsolation(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "test.db")
	store := open(t, path)
	old := spring(1, "a", "b")
	stored := begin(t, store, old)
	second := spring(1, "a", "b")
	second.Name = "spring-2"
	other := begin(t, store, second)
	check := func(stored *Records, want ...string) {
		t.Helper()
		got := must2(stored.Isolation())
		equal(t, "stored", want, got)
	}
	check(stored)
	for _, line := range []string{"none", "none", "sand\xffbox <1>", "sand\xffbox <1>", "none"} {
		must(t, noteIsolation(stored, line))
	}
	must(t, noteIsolation(other, "none"))

	merged := must2(old.Continue(spring(2, "a", "b", "c").Plan))
	stored = changeTo(t, stored, merged)
	must(t, stored.Put(someRecords(stored.Schedule)))
	check(stored, "none", "sand\uFFFDbox <1>", "none")
	check(other, "none")
	if got, err := store.Records("spring"); err != nil || got.Tournament.Pairs != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}
