package store

import (
	"bytes"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"sembra/results"
)

// readAll reads all that there is of a tournament. Its errors must name the file.
func readAll(t *testing.T, path string, tournament results.Tournament) (errs []error) {
	t.Helper()
	store, err := OpenRead(path)
	if err != nil {
		return []error{err}
	}
	defer store.Close()
	errs = readStored(store.newRecords(tournament))
	for _, err := range errs {
		if err != nil && !strings.Contains(err.Error(), "database "+path+": ") {
			t.Errorf("an error does not name the file: %v", err)
		}
	}
	return slices.DeleteFunc(errs, func(err error) bool { return err == nil })
}

// A byte in every page flips, in the part with its structure and in the rest. Verify finds whatever readers find, or
// does not get that far. Where Verify finds something, no tournament of the file resumes and none begins beside it.
// Nothing is written, and everything ends.
func TestDamageInEveryPage(t *testing.T) {
	t.Parallel()
	path := cupFile(t)
	whole := must2(os.ReadFile(path))
	c := planOf(t, "awale", 3)
	random := rand.New(rand.NewPCG(7, 8))
	damaged := 0
	const header, element = 16, 16 // bytes
	size := os.Getpagesize()
	for page := range usedPages(t, path) {
		for _, in := range []int{random.IntN(header), header + random.IntN(4*element), random.IntN(size), random.IntN(size)} {
			at := page*size + in
			content := bytes.Clone(whole)
			content[at] ^= 1 << random.IntN(8)
			must(t, os.WriteFile(path, content, 0o644))
			errs := readAll(t, path, c)
			lines, _, err := verifyFile(t, path)
			if len(lines) > 0 || err != nil {
				damaged++
				for i, ruleset := range []string{"awale", "redu", "oware", "awale"} {
					store, err := Open(path)
					if err == nil {
						_, err = store.Begin(planOf(t, ruleset, 3).Plan, i == 3)
						must(t, store.Close())
					}
					if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), path) {
						t.Errorf("byte %d, %s: the error is %v; verify says %q", at, ruleset, err, lines)
					}
				}
			} else if len(errs) > 0 {
				t.Errorf("byte %d: readers find %v, Verify nothing", at, errs)
			}
			if !bytes.Equal(must2(os.ReadFile(path)), content) {
				t.Fatalf("byte %d: the file was changed", at)
			}
		}
	}
	if damaged < 10 {
		t.Errorf("only %d files were damaged", damaged)
	}
}

// usedPages is the number of pages of a file, which may have grown beyond them.
func usedPages(t *testing.T, path string) (pages int) {
	t.Helper()
	db := must2(bolt.Open(path, 0, &bolt.Options{ReadOnly: true}))
	must(t, db.View(func(tx *bolt.Tx) error {
		pages = int(tx.Size()) / os.Getpagesize()
		return nil
	}))
	must(t, db.Close())
	return pages
}
