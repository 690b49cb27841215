package store

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"sembra/engine"
	"sembra/results"
	"sembra/results/schedule"
)

func verification(tell func(Difference)) Verification {
	return Verification{Report: tell}
}

// verifyFile verifies a file, and returns each difference as a line.
func verifyFile(t testing.TB, path string) ([]string, Verified, error) {
	t.Helper()
	store, err := OpenRead(path)
	if err != nil {
		return nil, Verified{}, err
	}
	defer store.Close()
	var lines []string
	verified, err := store.Verify(verification(func(d Difference) { lines = append(lines, d.String()) }))
	if verified.Differences != len(lines) {
		t.Errorf("%d differences are told, and %d are counted", len(lines), verified.Differences)
	}
	return lines, verified, err
}

// TestVerifyTellsOnceOfUnplaced: the schedule follows from the records that can be read. The matches of stages
// that a damaged record leaves undecided are one difference.
func TestVerifyTellsOnceOfUnplaced(t *testing.T) {
	t.Parallel()
	c := planOf(t, "awale", 1)
	c.Format, c.Stages = results.Swiss, 2
	path := filepath.Join(t.TempDir(), "swiss.db")
	must(t, os.WriteFile(path, fileOf(t, c), 0o644))
	lines, verified, err := verifyFile(t, path)
	must(t, err)
	if len(lines) > 0 || verified.Matches != 4 {
		t.Fatalf("%d matches, %q", verified.Matches, lines)
	}
	first := schedule.New(c).Key(1)
	edit(t, path, func(tx *bolt.Tx) {
		summaries := tx.Bucket([]byte(bucketSummaries)).Bucket([]byte(c.Name))
		value := bytes.Clone(summaries.Get(appendKey(nil, first)))
		value[5] ^= 1
		must(t, summaries.Put(appendKey(nil, first), value))
	})
	lines, verified, err = verifyFile(t, path)
	must(t, err)
	want := `awale: recorded matches are not in the schedule of tournament "awale" (2: `
	if n := strings.Count(strings.Join(lines, "\n"), want); n != 1 || verified.Matches != 2 {
		t.Errorf("%d matches verified: %q", verified.Matches, lines)
	}
}

func TestVerifyFindsNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cups.db")
	store := must2(Open(path))
	pairs, total := rounds(3, 15), 0
	for _, rules := range engine.Rulesets() {
		c := planOf(t, rules.Info().Name, pairs)
		fill(t, store, c, 6)
		total += 2*3*pairs - 1
	}
	for range 2 { // beside a writer, and alone
		var progress int
		v := verification(func(d Difference) { t.Error(d) })
		v.Progress = func(done, of int) {
			if of != total || done <= progress {
				t.Errorf("%d of %d matches after %d, %d in all", done, of, progress, total)
			}
			progress = done
		}
		verified := must2(store.Verify(v))
		if want := (Verified{Tournaments: len(engine.Rulesets()), Matches: total}); verified != want || progress != total {
			t.Errorf("%+v, not %+v; progress %d", verified, want, progress)
		}
		must(t, store.Close())
		store = must2(OpenRead(path))
		defer store.Close()
	}
	v := verification(func(d Difference) { t.Error(d) })
	v.Tournament = "redu"
	if verified, err := store.Verify(v); err != nil || verified.Matches != 6*pairs-1 || verified.Tournaments != 1 {
		t.Errorf("one: %+v, %v", verified, err)
	}
	v.Tournament = "winter"
	if _, err := store.Verify(v); err == nil || !strings.Contains(err.Error(), `unknown tournament "winter" (known: awale, `) {
		t.Errorf("unknown: %v", err)
	}
}

// edit changes the file behind the store's back.
func edit(t testing.TB, path string, change func(tx *bolt.Tx)) {
	t.Helper()
	db := must2(bolt.Open(path, 0o644, nil))
	must(t, db.Update(func(tx *bolt.Tx) error {
		change(tx)
		return nil
	}))
	must(t, db.Close())
}

// Verify finds and names a flipped byte of any value, and reports nothing else.
func TestVerifyFindsFlippedBytes(t *testing.T) {
	t.Parallel()
	path := cupFile(t)
	step := rounds(101, 13)
	awale := schedule.New(planOf(t, "awale", 3))
	slot5 := appendKey(nil, awale.Key(5)) // ends by the rules
	slot4 := appendKey(nil, awale.Key(4)) // does not
	void := appendKey(nil, awale.Key(1))
	void = append(void, 0, 0, 0, 2)
	named := func(number int) string { return fmt.Sprintf("awale: match %d (%s): its ", number, awale.Key(number)) }
	for _, c := range []struct {
		bucket string
		key    []byte
		says   string
	}{
		{bucketSummaries, slot5, named(5) + "summary is damaged: "},
		{bucketBodies, slot5, named(5) + "body is damaged: "},
		{bucketSummaries, slot4, named(4) + "summary is damaged: "},
		{bucketBodies, slot4, named(4) + "body is damaged: "},
		{bucketVoids, void, fmt.Sprintf("awale: the note of a void match, %v, is damaged: ", awale.Key(1))},
		{bucketTournaments, []byte("awale"), `awale: the manifest of tournament "awale" is damaged: `},
		{bucketRatings, []byte("awale"), `awale: the ratings of tournament "awale" are damaged: `},
	} {
		var whole []byte
		put := func(value []byte) {
			edit(t, path, func(tx *bolt.Tx) {
				bucket := tx.Bucket([]byte(c.bucket))
				if c.bucket != bucketTournaments && c.bucket != bucketRatings {
					bucket = bucket.Bucket([]byte("awale"))
				}
				if whole == nil {
					whole = bytes.Clone(bucket.Get(c.key))
				}
				must(t, bucket.Put(c.key, value))
			})
		}
		put([]byte("?"))
		if len(whole) == 0 {
			t.Fatalf("%s: there is no %q", c.bucket, c.key)
		}
		for at := 0; at < len(whole); at += 1 + step*len(whole)/400 {
			value := bytes.Clone(whole)
			value[at] ^= 1 << (at % 8)
			put(value)
			lines, verified, err := verifyFile(t, path)
			must(t, err)
			if len(lines) == 0 || !strings.HasPrefix(lines[0], c.says) || len(lines) > 2 {
				t.Errorf("%s, byte %d: %q", c.bucket, at, lines)
			}
			noPlan := c.bucket == bucketTournaments
			if got := verified.Matches + verified.Tournaments; got != 18+10+2 && !(noPlan && got == 10+1) {
				t.Errorf("%s, byte %d: it stopped at %+v", c.bucket, at, verified)
			}
		}
		put(whole)
	}
	if lines, _, err := verifyFile(t, path); err != nil || len(lines) > 0 {
		t.Errorf("whole again: %q, %v", lines, err)
	}
}

// Refereeing finds changes that have a right checksum. The tests of results change each field of a record.
func TestVerifyFindsChanges(t *testing.T) {
	t.Parallel()
	rules := must2(engine.Lookup("awale"))
	c := planOf(t, "awale", 3)
	order := schedule.New(c)
	rehash := func(r *results.Record) { r.Hash = results.MatchHash(c.Ruleset, r.South, r.North, r.Opening, r.Moves) }
	cases := []struct {
		name   string
		number int
		change func(r *results.Record)
		says   string // the first line, after the match
	}{
		{"a move", 5, func(r *results.Record) { r.Moves[3] = "Q" }, `move 4: illegal move "Q" (legal: `},
		{"a move with the hash", 5, func(r *results.Record) { r.Moves[3] = "Q"; rehash(r) }, `move 4: illegal move "Q" (legal: `},
		{"a legal move", 5, func(r *results.Record) {
			m := engine.NewMatch(rules, must2(engine.ParsePosition(rules, r.Opening)))
			must(t, m.PlayTokens(r.Moves[:3]))
			for _, legal := range m.Legal() {
				if token := legal.Token(m.Position().Side()); token != r.Moves[3] {
					r.Moves[3] = token
				}
			}
			rehash(r)
		}, ""},
		{"a move more", 5, func(r *results.Record) {
			r.Moves, r.Elapsed = append(r.Moves, "A"), append(r.Elapsed, 0)
			r.Plies++
			rehash(r)
		}, "move "},
		{"a move less", 5, func(r *results.Record) {
			r.Moves, r.Elapsed = r.Moves[:r.Plies-1], r.Elapsed[:r.Plies-1]
			r.Plies--
			rehash(r)
		}, "it ended by "},
		{"a store", 5, func(r *results.Record) { r.Stores[1]++ }, "its stores are "},
		{"a result", 5, func(r *results.Record) { r.Result = r.Result%2 + 1 }, "its result is "},
		{"no winner", 4, func(r *results.Record) { r.Result, r.Fault = 3-r.Result, 3-r.Fault }, "it ended by illegal, with result "},
		{"no fault", 4, func(r *results.Record) { r.Ending, r.Fault = results.EndResign, results.NoFault }, "it has evidence of a fault, but no bot was at fault"},
		{"no start", 4, func(r *results.Record) { r.Ending = results.EndStart }, "it ended by start, but it has moves"},
		{"no normal end", 4, func(r *results.Record) { r.Ending, r.Fault = results.EndNormal, results.NoFault }, "it has evidence"},
		{"hanging by the clock", 4, func(r *results.Record) { r.Ending = results.EndHang }, "it ended by hang, but in its tournament a late answer ends a match by time"},
		{"a resigning fault", 8, func(r *results.Record) { r.Ending, r.Fault = results.EndResign, results.Fault(3-r.Result) }, ""},
		{"an opening", 5, func(r *results.Record) { r.Opening = c.Openings[2]; rehash(r) }, "it begins with "},
		{"a bad opening", 5, func(r *results.Record) { r.Opening = "4,4"; rehash(r) }, `it begins with "4,4", but the opening of its pair is `},
		{"a round's plies", 5, func(r *results.Record) { r.Body.Rounds[0].Plies++ }, "round 1: plies is "},
		{"a round more", 5, func(r *results.Record) {
			r.Body.Rounds = append(r.Body.Rounds, r.Body.Rounds[0])
			r.Summary.Rounds++
		}, "its moves make 1 rounds, it has 2"},
	}
	whole, path := fileOf(t, c), filepath.Join(t.TempDir(), "cup.db")
	for _, test := range cases {
		must(t, os.WriteFile(path, whole, 0o644))
		record := playedMatch(t, c, test.number, order.Key(test.number))
		before := record.Result
		test.change(&record)
		edit(t, path, func(tx *bolt.Tx) {
			in := must2(bucketsIn(tx, c.Name))
			raw := appendKey(nil, record.Key)
			must(t, in.summaries.Delete(raw))
			must(t, in.putRecord(record))
		})
		lines, verified, err := verifyFile(t, path)
		must(t, err)
		prefix := fmt.Sprintf("awale: match %d (%s): ", test.number, record.Key)
		if len(lines) == 0 || !strings.HasPrefix(lines[0], prefix) || !strings.Contains(lines[0], test.says) {
			t.Errorf("%s: %q", test.name, lines)
		}
		for _, line := range lines { // ratings follow results
			if !strings.HasPrefix(line, prefix) && !(record.Result != before && strings.Contains(line, "the stored rating")) {
				t.Errorf("%s: also %q", test.name, line)
			}
		}
		if verified.Matches != order.Known() {
			t.Errorf("%s: it stopped after %d matches", test.name, verified.Matches)
		}
	}
}

// Verify finds parts of a tournament that are missing, unknown or inconsistent.
func TestVerifyFindsParts(t *testing.T) {
	t.Parallel()
	c := planOf(t, "awale", 3)
	order := schedule.New(c)
	raw := func(number int) []byte { return appendKey(nil, order.Key(number)) }
	match := func(number int) string { return fmt.Sprintf("awale: match %d (%s): ", number, order.Key(number)) }
	plan := func(change func(c *results.Tournament)) func(in buckets) {
		changed := planOf(t, "awale", 3)
		change(&changed)
		return func(in buckets) {
			must(t, in.tournaments.Put([]byte(in.name), must2(encodeJSON([]byte(in.name), manifest{Plan: changed, Number: 1}, strings.Join(changed.Openings, betweenOpenings)))))
		}
	}
	ratings := func(change func(r *results.Ratings)) func(in buckets) {
		return func(in buckets) {
			stored := must2(in.readRatings())
			change(&stored)
			must(t, in.put(in.ratings, stored, ""))
		}
	}
	whole, path := fileOf(t, c), filepath.Join(t.TempDir(), "cup.db")
	for name, test := range map[string]struct {
		change func(buckets)
		says   []string // of a line each
	}{
		"summary": {
			func(in buckets) { must(t, in.summaries.Delete(raw(5))) },
			[]string{
				"awale: match c - a, pair 1: its summary is missing, but its body is stored",
				"awale: the stored ratings cover 18 matches, but match 5 is missing or damaged",
			},
		},
		"body": {
			func(in buckets) { must(t, in.bodies.Delete(raw(5))) },
			[]string{match(5) + "its body is missing, but its summary is stored"},
		},
		"record": {
			func(in buckets) { must(t, in.summaries.Delete(raw(5))); must(t, in.bodies.Delete(raw(5))) },
			[]string{"awale: the stored ratings cover 18 matches, but match 5 is missing or damaged"},
		},
		"swapped": {
			func(in buckets) {
				five, six := bytes.Clone(in.bodies.Get(raw(5))), bytes.Clone(in.bodies.Get(raw(6)))
				must(t, in.bodies.Put(raw(6), five))
				must(t, in.bodies.Put(raw(5), six))
			},
			[]string{match(5) + "its body is damaged: its checksum is wrong", match(6) + "its body is damaged: its checksum is wrong"},
		},
		"evidence without need": {
			func(in buckets) {
				record := playedMatch(t, c, 5, order.Key(5))
				record.Evidence = new(evidence())
				must(t, in.bodies.Put(raw(5), must2(encodeBody(raw(5), record))))
			},
			[]string{match(5) + "it has evidence of a fault, but no bot was at fault"},
		},
		"strangers": {
			func(in buckets) {
				other := playedMatch(t, c, 5, order.Key(5))
				other.South = "x\x1b[31m"
				must(t, in.putRecord(other))
			},
			[]string{
				`awale: recorded matches are not in the schedule of tournament "awale" (1: x␛[31m - a, pair 1)`,
			},
		},
		"bad key": {
			func(in buckets) { must(t, in.bodies.Put([]byte("key"), []byte("value"))) },
			[]string{`awale: the body of a match has a bad key: "key" is not the key of a match`},
		},
		"void": {
			func(in buckets) { must(t, in.voids.Delete(append(raw(1), 0, 0, 0, 1))) },
			[]string{"awale: the notes of void matches of b - c, pair 1: number 2 follows, but number 1 is missing"},
		},
		"part": {
			func(in buckets) { must(t, in.voids.Tx().Bucket([]byte(bucketVoids)).DeleteBucket([]byte(c.Name))) },
			[]string{"awale: a part of it is missing"},
		},
		"strange part": {
			func(in buckets) { must(t, in.ratings.Put([]byte("voix"), []byte("x"))) },
			[]string{`it has an unknown part: "voix"`},
		},
		"no manifest": {
			func(in buckets) { must(t, in.tournaments.Put([]byte(c.Name), nil)) },
			[]string{`awale: the manifest of tournament "awale" is damaged: it ends too soon`},
		},
		"bots": {plan(func(c *results.Tournament) { c.Bots[2] = "d" }), nil},
		"two bots of a name": {
			plan(func(c *results.Tournament) { c.Bots[2] = "b" }),
			[]string{`awale: the manifest: bot "b" appears twice`},
		},
		"ruleset": {plan(func(c *results.Tournament) { c.Ruleset = "chess" }), nil},
		"rounds": {
			plan(func(c *results.Tournament) { c.Rounds = 2 }),
			[]string{"awale: the manifest: 2 rounds asked for, but a match of awale is a single round"},
		},
		"clock": {
			plan(func(c *results.Tournament) { c.Time.Base = -1 }),
			[]string{`awale: the manifest: a time of its clock is -1ns (at least 0s)`},
		},
		"no clock": {plan(func(c *results.Tournament) { c.Time.Base = 0 }), nil}, // matches that ended on time
		"an opening less": {
			plan(func(c *results.Tournament) { c.Openings = []string{c.Opening(1), c.Opening(2)} }),
			[]string{"awale: the manifest: 2 openings for 3 pairs"},
		},
		"a bad opening": {plan(func(c *results.Tournament) { c.Openings = []string{c.Opening(1), c.Opening(2), "x"} }), nil},
		"K": {
			plan(func(c *results.Tournament) { c.Rating.K = 17 }),
			[]string{"awale: the stored ratings are not those that its matches give"},
		},
		"a rating": {ratings(func(r *results.Ratings) { r.Elo[1] += 1e-12 * 1500 }), nil},
		"ratings of fewer matches": {
			ratings(func(r *results.Ratings) { r.Covered-- }),
			[]string{"awale: the stored ratings are not those that its matches give"},
		},
		"rated bots": {
			ratings(func(r *results.Ratings) { r.Bots = []string{"a", "b", "x"} }),
			[]string{"awale: the stored ratings are not those that its matches give"},
		},
	} {
		must(t, os.WriteFile(path, whole, 0o644))
		edit(t, path, func(tx *bolt.Tx) {
			in := must2(bucketsIn(tx, c.Name))
			test.change(in)
		})
		lines, _, err := verifyFile(t, path)
		must(t, err)
		if len(lines) == 0 || test.says != nil && strings.Join(lines, "\n") != strings.Join(test.says, "\n") {
			t.Errorf("%s: %q", name, lines)
		}
	}
}
