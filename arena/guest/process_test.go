package guest

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestProgram finds programs with a slash from the bot's folder, others in PATH.
func TestProgram(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"here", "bin/found"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", filepath.Join(dir, "bin"))
	for _, test := range []struct{ name, want string }{
		{"./here", "here"},
		{"bin/found", "bin/found"},
		{"bin/../here", "here"},
		{"found", "bin/found"},
		{filepath.Join(dir, "here"), "here"},
	} {
		got, err := Command{Args: []string{test.name}, Dir: dir}.Program()
		if want := filepath.Join(dir, test.want); err != nil || got != want {
			t.Errorf("%s: %s (%v), want %s", test.name, got, err, want)
		}
	}
}

func TestCleanEnvironment(t *testing.T) {
	t.Setenv("SEMBRA_SECRET", "x")
	t.Setenv("LANG", "C.UTF-8")
	env := CleanEnvironment()
	if !slices.Contains(env, "LANG=C.UTF-8") {
		t.Errorf("LANG is missing in %q", env)
	}
	for _, variable := range env {
		name, _, _ := strings.Cut(variable, "=")
		if !slices.Contains([]string{"PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "SystemRoot"}, name) {
			t.Errorf("%s is in it", variable)
		}
	}
}

// TestStandardError keeps the end of what a bot logs.
func TestStandardError(t *testing.T) {
	t.Parallel()
	var small, large standardError
	var all []byte
	for i := range 5000 {
		line := strconv.AppendInt(nil, int64(i), 10)
		all = append(all, line...)
		small.add(time.Time{}, line)
	}
	large.add(time.Time{}, []byte("before"))
	large.add(time.Time{}, all)
	want := string(all[len(all)-keptBytes:])
	if diff := cmp.Diff(want, string(small.kept)); diff != "" {
		t.Errorf("in small pieces (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(want, string(large.kept)); diff != "" {
		t.Errorf("in one piece (-want +got)\n%s", diff)
	}
	large.add(time.Time{}, []byte("end"))
	if got := string(large.kept); len(got) != keptBytes || !strings.HasSuffix(got, "end") {
		t.Errorf("%d bytes, ending in %q", len(got), got[len(got)-10:])
	}
}
