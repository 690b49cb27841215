package store

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestDamageIsNotWrittenTo flips single bytes all over a file. Where Verify finds something, no tournament of the
// file goes on and none begins beside it, and the file stays as it is.
func TestDamageIsNotWrittenTo(t *testing.T) {
	t.Parallel()
	path := cupFile(t)
	whole := readFile(t, path)
	random := rand.New(rand.NewPCG(3, 4))
	damaged := 0
	for at := 0; at < len(whole); at += 1 + random.IntN(rounds(1500, 40)) {
		content := bytes.Clone(whole)
		content[at] ^= 1 << random.IntN(8)
		writeFile(t, path, content)
		lines, _, err := verifyFile(t, path)
		if len(lines) == 0 && err == nil {
			continue
		}
		damaged++
		for _, c := range []struct {
			ruleset string
			fresh   bool
		}{{"awale", false}, {"redu", false}, {"oware", false}, {"awale", true}} {
			store, err := Open(path)
			if err == nil {
				_, err = store.Begin(cup(t, c.ruleset, 3), c.fresh)
				must(t, store.Close())
			}
			if err == nil || strings.Contains(err.Error(), "\n") || strings.Count(err.Error(), path) == 0 {
				t.Errorf("byte %d, %+v: the error is %v; verify says %q, %v", at, c, err, lines, err)
			}
			if !bytes.Equal(readFile(t, path), content) {
				t.Fatalf("byte %d, %+v: the file was changed", at, c)
			}
		}
	}
	t.Logf("%d damaged files", damaged)
	if damaged < 10 {
		t.Errorf("only %d files were damaged", damaged)
	}
}
