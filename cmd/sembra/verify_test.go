package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestVerifyBrokenPages: if the pages of a file do not fit together, verify does not
// say how many matches it has checked.
func TestVerifyBrokenPages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	faultyMatch(t, dir, nil)
	file := filepath.Join(dir, "cup.db")
	whole, err := os.ReadFile(file)
	mustBe(t, err)
	const flags = 9 // of a page: a byte of what kind it is of
	found := 0
	for at := flags; at < len(whole); at += os.Getpagesize() {
		whole[at] ^= 0xff
		mustBe(t, os.WriteFile(file, whole, 0o644))
		whole[at] ^= 0xff
		stdout, stderr, status := sembra(t, dir, "verify", "--db", "cup.db")
		if !strings.HasPrefix(stdout, "damaged: ") {
			continue // it is not opened, or nothing is there
		}
		found++
		if want := "sembra: database cup.db: 1 difference found, and no match could be checked\n"; stderr != want || status != exitWrong {
			t.Errorf("byte %d: exit status %d, %q, want %q", at, status, stderr, want)
		}
	}
	if found == 0 {
		t.Error("no page was found to be damaged")
	}
}
