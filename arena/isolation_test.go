package arena

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sembra/arena/guest"
)

// TestHideFromEachOther: of what lies in its folder a bot is kept from what belongs to
// the others, and from nothing that it needs itself.
func TestHideFromEachOther(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lay(t, dir, 0o700, "#!/bin/sh\n", "a.py", "b.py", "both.txt", "sub/c", "sub/c2", "run")
	at := func(names ...string) (paths []string) {
		for _, name := range names {
			paths = append(paths, filepath.Join(dir, name))
		}
		return paths
	}
	tour := &Run{Machine: Machine{LogFolder: filepath.Join(dir, "logs")}}
	for _, c := range []guest.Command{
		{Args: []string{"sh", "a.py", "both.txt"}, Dir: dir},
		{Args: []string{"sh", "b.py", "both.txt", "nowhere"}, Dir: dir},
		{Args: []string{"./c"}, Dir: filepath.Join(dir, "sub")},
		{Args: []string{"./c2", filepath.Join(dir, "run")}, Dir: filepath.Join(dir, "sub")},
		{Args: []string{filepath.Join(dir, "sub/c")}, Dir: filepath.Join(dir, "..")},
	} {
		tour.Entries = append(tour.Entries, guest.Entry{Launcher: c})
	}
	tour.Entries = append(tour.Entries, guest.Entry{Launcher: scripted{}})
	for i, want := range [][]string{
		at("b.py", "logs", "run", "sub", "sub/c", "sub/c2"),
		at("a.py", "logs", "run", "sub", "sub/c", "sub/c2"),
		at("sub/c2"),
		at("sub/c"),
		at("", "a.py", "b.py", "both.txt", "logs", "run", "sub/c2"),
	} {
		got := tour.entriesApart()[i].Launcher.(guest.Command).Hidden
		slices.Sort(got)
		got = slices.Compact(got)
		if i == 4 { // the folder of the others holds its own program
			want = want[1:]
		}
		if !slices.Equal(got, want) {
			t.Errorf("bot %d: hidden %q, want %q", i, got, want)
		}
	}
	tour.Isolation.Read = []string{dir}
	if got := tour.entriesApart()[2].Launcher.(guest.Command).Hidden; !slices.Contains(got, filepath.Join(dir, "a.py")) {
		t.Errorf("in what all may read, hidden %q", got)
	}
	if own := tour.Entries[0].Launcher.(guest.Command); own.Hidden != nil {
		t.Error("the tournament itself has changed")
	}
}

// TestStoppedWhileProbing: a run that is stopped while the machine is probed was stopped, and nothing else.
func TestStoppedWhileProbing(t *testing.T) {
	t.Parallel()
	enough := errors.New("enough")
	for _, after := range []time.Duration{0, 2 * ms, 10 * ms} {
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(after, func() { cancel(enough) })
		tour := tournament(t, 1000, unclocked(), inFolder(t, "first"), inFolder(t, "first"))
		tour.Isolation = isolation(AutoIsolation)
		if err := tour.Play(ctx, nil, new(log), func(Event) {}); !errors.Is(err, enough) {
			t.Errorf("after %v: error is %v, want %v", after, err, enough)
		}
		cancel(nil)
	}
}
