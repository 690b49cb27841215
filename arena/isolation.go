package arena

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"sembra/arena/guest"
	"sembra/arena/sandbox"
)

// IsolationMode says how much isolation of bots a tournament demands.
type IsolationMode string

const (
	NoIsolation     IsolationMode = "none"   // bots run with the rights of the user
	AutoIsolation   IsolationMode = "auto"   // what the machine can isolate; a line says what it cannot
	StrictIsolation IsolationMode = "strict" // everything, else nothing is played
)

// IsolationModes returns all modes.
func IsolationModes() []IsolationMode {
	return []IsolationMode{AutoIsolation, StrictIsolation, NoIsolation}
}

// Isolation is how the bots of a tournament are isolated. In a sandbox nothing that
// they start outlives them. Without one a daemon that leaves its process group
// can live on.
type Isolation struct {
	Mode IsolationMode
	sandbox.Limits
}

// IsolationError says that a machine cannot isolate bots as strict isolation
// demands.
type IsolationError struct {
	Missing []string // layers, each with the reason
}

func (e *IsolationError) Error() string {
	return "isolation is strict, but this machine lacks a part of it; missing: " + strings.Join(e.Missing, ", ") +
		" (hint: the mode auto plays without that)"
}

// Open opens a spawner whose bots are isolated in that way, and says what it isolates; the empty line is not to be
// told. The caller closes the spawner.
func (i Isolation) Open(ctx context.Context) (*guest.Spawner, Isolated, error) {
	switch i.Mode {
	case "": // only of callers that trust their bots
		return guest.NewSpawner(nil), Isolated{}, nil
	case NoIsolation:
		return guest.NewSpawner(nil), Isolated{Line: sandbox.None().String(), Less: true}, nil
	}
	j, err := sandbox.New(ctx, i.Limits)
	if err == nil && i.Mode == StrictIsolation && len(j.Missing()) > 0 {
		err = &IsolationError{j.Missing()}
	}
	if j != nil && (err != nil || ctx.Err() != nil) {
		_ = j.Close() // nothing was done in it
	}
	strict := new(IsolationError)
	switch {
	case ctx.Err() != nil:
		return nil, Isolated{}, context.Cause(ctx)
	case sandbox.Shortage(err):
		return nil, Isolated{}, &guest.RunnerError{Err: err}
	case errors.As(err, &strict):
		return nil, Isolated{}, err
	case err != nil:
		return nil, Isolated{}, fmt.Errorf("bots cannot be isolated: %w (hint: the mode none plays without isolation)", err)
	}
	if !j.Isolates() {
		return guest.NewSpawner(nil), Isolated{Line: j.String(), Less: true}, j.Close()
	}
	holds, full := j.Layers(), len(j.Missing()) == 0
	return guest.NewSpawner(j), Isolated{
		Line: j.String(), Less: !full || j.Weaker(), Strict: full,
		Shields: holds.Files && (holds.Network || i.Network),
	}, nil
}

// Secluded returns the entries of the tournament. Each may not read the logs and
// what belongs to the others: the files that their commands name and the folders
// in which they run. Only paths in its own folder, or in what all may read, have
// to be hidden for that.
func (t *Tournament) Secluded() []guest.Entry {
	entries := slices.Clone(t.Entries)
	belongings := make([][]string, len(entries))
	for i, e := range entries {
		if command, ok := e.Launcher.(guest.Command); ok {
			belongings[i] = belongingsOf(command)
		}
	}
	for i := range entries {
		own, ok := entries[i].Launcher.(guest.Command)
		if !ok {
			continue
		}
		var others []string
		if t.LogFolder != "" {
			others = append(others, t.LogFolder)
		}
		for j := range entries {
			if j != i {
				others = append(others, belongings[j]...)
			}
		}
		needs := belongings[i]
		own.Hidden = slices.Clone(own.Hidden)
		for _, path := range others {
			above := func(need string) bool { return within(need, path) }
			holds := func(folder string) bool { return within(path, folder) }
			seen := slices.ContainsFunc(append([]string{own.Dir}, t.Isolation.Read...), holds)
			if seen && !slices.ContainsFunc(needs, above) {
				own.Hidden = append(own.Hidden, path)
			}
		}
		entries[i].Launcher = own
	}
	return entries
}

// belongingsOf returns the files that a command names, and its folder.
func belongingsOf(c guest.Command) []string {
	all := []string{filepath.Clean(c.Dir)}
	for _, path := range c.Named() {
		all = append(all, filepath.Clean(path))
	}
	return all
}

// within tells whether a path is a folder or lies in it.
func within(path, folder string) bool {
	rest, err := filepath.Rel(folder, path)
	return err == nil && rest != ".." && !strings.HasPrefix(rest, ".."+string(filepath.Separator))
}
