package store

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"sembra/results"
	"sembra/results/schedule"
)

// inTime fails with all stacks if work does not end. The limit only tells a slow machine from a loop that
// never ends.
func inTime(t *testing.T, what string, work func()) {
	t.Helper()
	watchdog := time.AfterFunc(5*time.Minute, func() {
		stacks := make([]byte, 1<<16)
		panic(fmt.Sprintf("%s does not end\n%s", what, stacks[:runtime.Stack(stacks, true)]))
	})
	defer watchdog.Stop()
	work()
}

// readAll reads all that there is of a tournament. Its errors must name the file.
func readAll(t *testing.T, path string, tournament results.Tournament) (errs []error) {
	t.Helper()
	store, err := OpenRead(path)
	if err != nil {
		return []error{err}
	}
	defer store.Close()
	errs = readBook(store.newBook(tournament))
	for _, err := range errs {
		if err != nil && !strings.Contains(err.Error(), "database "+path+": ") {
			t.Errorf("an error does not name the file: %v", err)
		}
	}
	return slices.DeleteFunc(errs, func(err error) bool { return err == nil })
}

// A byte in every page flips, in the part with its structure and in the rest. Verify finds whatever readers
// find, or does not get that far. Nothing is written, and everything ends.
func TestDamageInEveryPage(t *testing.T) {
	t.Parallel()
	path := cupFile(t)
	whole := readFile(t, path)
	m := must2(readMeta(bytes.NewReader(whole)))
	c := cup(t, "awale", 3)
	random := rand.New(rand.NewPCG(7, 8))
	step := rounds(7, 1)
	for page := 0; page < int(m.limit); page += step {
		size := int(m.pageSize)
		for _, in := range []int{random.IntN(pageHeaderSize), pageHeaderSize + random.IntN(4*elementSize), random.IntN(size), random.IntN(size)} {
			at := page*size + in
			content := bytes.Clone(whole)
			content[at] ^= 1 << random.IntN(8)
			writeFile(t, path, content)
			inTime(t, fmt.Sprintf("reading with byte %d flipped", at), func() {
				errs := readAll(t, path, c)
				lines, _, err := verifyFile(t, path)
				if len(errs) > 0 && len(lines) == 0 && err == nil {
					t.Errorf("byte %d: readers find %v, Verify nothing", at, errs)
				}
			})
			if !bytes.Equal(readFile(t, path), content) {
				t.Fatalf("byte %d: the file was changed", at)
			}
			inTime(t, fmt.Sprintf("opening with byte %d flipped", at), func() {
				if store, err := Open(path); err != nil && !strings.Contains(err.Error(), path) {
					t.Errorf("byte %d: %v", at, err)
				} else if err == nil {
					must(t, store.Close())
				}
			})
		}
	}
}

// Values of an unknown version are left alone, and the error says so.
func TestNewerRecords(t *testing.T) {
	t.Parallel()
	c := cup(t, "awale", 3)
	order := schedule.New(c)
	slot4 := appendKey(nil, order.Key(4))
	whole, path := fileOf(t, c), filepath.Join(t.TempDir(), "cup.db")
	void := append(appendKey(nil, order.Key(1)), 0, 0, 0, 1)
	for bucket, key := range map[string][]byte{
		bucketSummaries: slot4, bucketBodies: slot4, bucketVoids: void,
		bucketTournaments: []byte(c.Name), bucketRatings: []byte(c.Name),
	} {
		writeFile(t, path, whole)
		edit(t, path, func(tx *bolt.Tx) {
			part := tx.Bucket([]byte(bucket))
			if inner := part.Bucket([]byte(c.Name)); inner != nil {
				part = inner
			}
			value := bytes.Clone(part.Get(key))
			value[0] = 99
			must(t, part.Put(key, seal(key, value[:len(value)-checksumSize])))
		})
		before := readFile(t, path)
		errs := readAll(t, path, c)
		if len(errs) == 0 || !strings.Contains(errs[0].Error(), "it has version 99, and this sembra knows version ") {
			t.Errorf("%s: %v", bucket, errs)
		}
		lines, _, err := verifyFile(t, path)
		if err != nil || len(lines) == 0 || !strings.Contains(lines[0], "it has version 99, and this sembra knows version ") {
			t.Errorf("%s: %q, %v", bucket, lines, err)
		}
		if !bytes.Equal(readFile(t, path), before) {
			t.Errorf("%s: the file was changed", bucket)
		}
	}
}
