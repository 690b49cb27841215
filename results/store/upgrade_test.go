package store

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"sembra/results"
)

// nextSteps are the steps of a made-up version whose schema is the next one: it writes the summaries anew.
func nextSteps() []step { return append(steps(), rewriteSummaries) }

// rewriteSummaries gives a worker to every match.
func rewriteSummaries(tx *bolt.Tx) error {
	return manifestsIn(tx, func(in buckets) error {
		all := make(map[string][]byte)
		err := in.summaries.ForEach(func(raw, value []byte) error {
			var s results.Summary
			err := decodeSummary(raw, value, &s)
			s.Worker = "somebody"
			all[string(raw)] = encodeSummary(raw, s)
			return err
		})
		for raw, value := range all {
			err = errors.Join(err, in.summaries.Put([]byte(raw), value))
		}
		return err
	})
}

func manifestsIn(tx *bolt.Tx, work func(buckets) error) error {
	all, err := manifests(tx)
	for _, t := range all {
		err = errors.Join(err, inBuckets(tx, t.Name, work))
	}
	return err
}

// storedRecords reads all records of a store.
func storedRecords(t testing.TB, store *Store) (all []results.Record) {
	t.Helper()
	for _, tournament := range must2(store.Tournaments()) {
		for match, err := range wholeMatches(openRecords(t, store, tournament.Name)) {
			must(t, err)
			all = append(all, results.Record{Summary: match.Summary, Body: match.Body, Evidence: match.Evidence})
		}
	}
	return all
}

// rewritten are records as rewriteSummaries leaves them.
func rewritten(records []results.Record) []results.Record {
	records = slices.Clone(records)
	for i := range records {
		records[i].Worker = "somebody"
	}
	return records
}

// olderFile makes a file of a schema, and returns its records.
func olderFile(t *testing.T, path, schema string) []results.Record {
	t.Helper()
	must(t, os.WriteFile(path, must2(os.ReadFile(cupFile(t))), 0o644))
	records := storedRecords(t, openRead(t, path))
	editFile(t, path, bucketOurs, schema)
	return records
}

// filesIn returns the names of the files of a folder.
func filesIn(t *testing.T, folder string) (names []string) {
	t.Helper()
	for _, entry := range must2(os.ReadDir(folder)) {
		names = append(names, entry.Name())
	}
	return names
}

// newTemp makes a folder for temporary files, on any system.
func newTemp(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, folder)
	}
	return folder
}

func TestUpgrade(t *testing.T) {
	for _, from := range []string{"10", "11"} {
		temp, folder := newTemp(t), t.TempDir()
		path := filepath.Join(folder, "cups.db")
		records := olderFile(t, path, from)
		before := must2(os.ReadFile(path))
		must(t, os.Chmod(path, 0o600))
		victim, part := filepath.Join(temp, "victim"), filepath.Join(folder, "cups-before-schema-12.db.new")
		must(t, os.WriteFile(victim, []byte("not mine"), 0o644))
		if os.Symlink(victim, part) != nil { // Windows
			must(t, os.WriteFile(part, bytes.Repeat([]byte("killed"), 1<<20), 0o644))
		}
		must(t, os.WriteFile(filepath.Join(folder, "cups-before-schema-12-2.db"), nil, 0o644))

		cleaned := must2(openToRead(path, nextSteps()))
		must(t, os.Remove(cleaned.temp))
		if _, current := cleaned.Transaction(); current {
			t.Errorf("%s: a copy that somebody removed counts", from)
		}
		must(t, cleaned.Close())
		reader := must2(openToRead(path, nextSteps()))
		equal(t, from+": records of the temporary copy", rewritten(records), storedRecords(t, reader))
		if len(filesIn(t, temp)) != 2 || !reader.ReadsCopy() || reader.Path() != path {
			t.Errorf("%s: temporary files %q, reading %q", from, filesIn(t, temp), reader.Path())
		}
		if _, current := reader.Transaction(); !current || reader.Running() || !bytes.Equal(before, must2(os.ReadFile(path))) {
			t.Errorf("%s: reading has changed the file", from)
		}

		for _, copied := range []string{"cups-before-schema-12.db", "cups-before-schema-12-3.db"} {
			old := must2(OpenRead(path)) // by the version before
			store := must2(openToWrite(path, nextSteps()))
			if _, err := old.Tournaments(); from == "11" && !errors.As(err, new(*SchemaError)) {
				t.Errorf("%s: the version before reads on: %v", from, err)
			}
			must(t, old.Close())
			equal(t, from+": records", rewritten(records), storedRecords(t, store))
			if _, current := reader.Transaction(); current {
				t.Errorf("%s: the temporary copy is as the file", from)
			}
			must(t, store.Close())
			must(t, store.Close()) // as a command does
			if info := must2(os.Lstat(store.Copied())); info.Mode() != must2(os.Stat(path)).Mode() {
				t.Errorf("%s: the mode of the copy is %v", from, info.Mode())
			}
			if store.Copied() != filepath.Join(folder, copied) || !bytes.Equal(before, must2(os.ReadFile(store.Copied()))) {
				t.Errorf("%s: the file from before is not in %q", from, store.Copied())
			}
			store = must2(openToWrite(path, nextSteps()))
			if store.Copied() != "" {
				t.Errorf("%s: it was upgraded twice", from)
			}
			must(t, store.Close())
			for _, opener := range []func(string) (*Store, error){Open, OpenRead} {
				refused := new(SchemaError)
				if _, err := opener(path); !errors.As(err, &refused) || !strings.Contains(err.Error(), `newer sembra wrote it: it has schema "12"`) {
					t.Errorf("%s: the version before opens it: %v", from, err)
				}
			}
			must(t, os.WriteFile(path, before, 0o644))
		}
		must(t, reader.Close())
		equal(t, from+": another file", "not mine", string(must2(os.ReadFile(victim))))
		if left := filesIn(t, temp); len(left) > 1 {
			t.Errorf("%s: temporary files are left: %q", from, left)
		}
	}
}

// TestUpgradeRefused: what cannot be upgraded stays as it is, and nothing is left beside it.
func TestUpgradeRefused(t *testing.T) {
	temp := newTemp(t)
	as := func(change step) []step { return append(nextSteps(), change) }
	nothing := func(*bolt.Tx) error { return nil }
	spoil := func(key string) func(*bolt.Tx) {
		return func(tx *bolt.Tx) { must(t, tx.Bucket([]byte(bucketTournaments)).Put([]byte(key), []byte("?"))) }
	}
	for name, c := range map[string]struct {
		spoil func(*bolt.Tx)
		steps []step
		says  string
		reads bool // whoever only reads does not find it
	}{
		"a step that fails":   {nil, as(func(*bolt.Tx) error { return io.ErrUnexpectedEOF }), "it cannot be brought to schema 13: unexpected EOF", false},
		"a step that panics":  {nil, as(func(*bolt.Tx) error { panic("what?") }), "damaged: reading it failed (what?)", false},
		"a step that removes": {nil, as(func(tx *bolt.Tx) error { return tx.DeleteBucket([]byte(bucketVoids)) }), "damaged: a part of it is missing", false},
		"a part is missing":   {func(tx *bolt.Tx) { must(t, tx.DeleteBucket([]byte(bucketRatings))) }, as(nothing), "damaged: ", false},
		"a damaged manifest":  {spoil("awale"), as(nothing), "is damaged: ", false},
		"a body is damaged": {func(tx *bolt.Tx) {
			bodies := tx.Bucket([]byte(bucketBodies)).Bucket([]byte("awale"))
			key, _ := bodies.Cursor().First()
			must(t, bodies.Put(bytes.Clone(key), []byte("damaged")))
		}, as(nothing), "so nothing is written to it (hint: sembra verify --db ", true},
	} {
		folder := t.TempDir()
		path := filepath.Join(folder, "cups.db")
		olderFile(t, path, "11")
		if c.spoil != nil {
			edit(t, path, c.spoil)
		}
		before := must2(os.ReadFile(path))
		store, err := openToWrite(path, c.steps)
		if err == nil || !strings.HasPrefix(err.Error(), "database "+path+": ") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, %v", name, store, err)
		}
		store, err = openToRead(path, c.steps)
		if (err == nil) != c.reads {
			t.Errorf("%s: reading: %v", name, err)
		}
		if err == nil {
			must(t, store.Close())
		}
		if !bytes.Equal(before, must2(os.ReadFile(path))) || len(filesIn(t, folder)) != 1 || len(filesIn(t, temp)) > 0 {
			t.Errorf("%s: it was changed, or something is left: %q, %q", name, filesIn(t, folder), filesIn(t, temp))
		}
	}
}

// TestDamagedOlderFile: pages that do not fit together are found before a step sees them.
func TestDamagedOlderFile(t *testing.T) {
	temp := newTemp(t)
	path := filepath.Join(t.TempDir(), "cups.db")
	olderFile(t, path, "10")
	whole := must2(os.ReadFile(path))
	refused := 0
	for page := range usedPages(t, path) {
		content := bytes.Clone(whole)
		content[page*os.Getpagesize()+8] ^= 4 // the kind of the page
		must(t, os.WriteFile(path, content, 0o644))
		store, err := Open(path)
		if err == nil {
			must(t, store.Close())
			must(t, os.Remove(store.Copied()))
			continue
		}
		refused++
		if !bytes.Equal(content, must2(os.ReadFile(path))) || len(filesIn(t, filepath.Dir(path))) != 1 || len(filesIn(t, temp)) > 0 {
			t.Errorf("page %d: something was written (%v)", page, err)
		}
	}
	if refused < 5 {
		t.Errorf("%d damaged files were refused", refused)
	}
}

// upgradeArgument is the first argument of a child that upgrades a file. The second one is the path of the file, the
// third one says when it kills itself.
const upgradeArgument = "--upgrade-database"

func upgradeChild(path, when string) {
	kill := func(moment string) {
		if moment == when {
			_ = must2(os.FindProcess(os.Getpid())).Kill()
			select {}
		}
	}
	calls := 0
	all := append(nextSteps(), func(*bolt.Tx) error {
		calls++
		kill([]string{"in the trial", "in the transaction"}[calls-1])
		return nil
	})
	_ = must2(openToWrite(path, all))
	kill("after the commit")
}

// TestUpgradeKilled: after a kill at any moment, the file can be upgraded, and no record is lost.
func TestUpgradeKilled(t *testing.T) {
	newTemp(t)
	whole := filepath.Join(t.TempDir(), "whole.db")
	must(t, os.WriteFile(whole, fileOf(t, planOf(t, "awale", 10)), 0o644))
	records := storedRecords(t, openRead(t, whole))
	content := must2(os.ReadFile(whole))
	folder := t.TempDir()
	path := filepath.Join(folder, "test.db")
	all := append(nextSteps(), func(*bolt.Tx) error { return nil })

	upgrade := func(when string, after time.Duration) (took time.Duration) {
		t.Helper()
		for _, name := range filesIn(t, folder) {
			must(t, os.Remove(filepath.Join(folder, name)))
		}
		must(t, os.WriteFile(path, content, 0o644))
		child := exec.Command(must2(os.Executable()), upgradeArgument, path, when)
		child.Stderr = os.Stderr
		began := time.Now()
		must(t, child.Start())
		if after > 0 {
			time.AfterFunc(after, func() { _ = child.Process.Kill() })
		}
		err := child.Wait()
		took = time.Since(began)
		if killed := when != ""; killed != (err != nil) && after == 0 {
			t.Errorf("%s: %v", when, err)
		}
		left := filesIn(t, folder)
		store := must2(openToWrite(path, all))
		equal(t, when+": records", rewritten(records), storedRecords(t, store))
		must(t, store.Close())
		copies := must2(filepath.Glob(copyStart(path) + "*.db"))
		for _, copied := range copies {
			equal(t, when+": records of "+copied, records, storedRecords(t, openRead(t, copied)))
		}
		if len(copies) == 0 {
			t.Errorf("%s: there is no copy", when)
		}
		t.Logf("%s after %v: %q", when, after, left)
		return took
	}
	took := upgrade("", 0)
	for _, when := range []string{"in the trial", "in the transaction", "after the commit"} {
		upgrade(when, 0)
	}
	moments := rounds(8, 60)
	for i := range moments {
		upgrade("at some moment", took*time.Duration(i+1)/time.Duration(moments))
	}
}
