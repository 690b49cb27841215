package arena

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"sembra/arena/guest"
	"sembra/arena/sandbox"
	"sembra/results"
)

// The modes of isolation.
const (
	NoIsolation     = "none"   // bots run with the rights of the user
	AutoIsolation   = "auto"   // what the machine can isolate; a line says what it cannot
	StrictIsolation = "strict" // everything, else nothing is played
)

// IsolationModes returns all modes.
func IsolationModes() []string { return []string{AutoIsolation, StrictIsolation, NoIsolation} }

// IsolationError says that a machine cannot isolate bots as strict isolation
// demands.
type IsolationError struct {
	Missing []string // layers, each with the reason
}

func (e *IsolationError) Error() string {
	return "isolation is strict, but this machine lacks a part of it; missing: " + strings.Join(e.Missing, ", ") +
		" (hint: the mode auto plays without that)"
}

// Isolate opens a spawner whose bots are isolated in that way and may not read the hidden paths, which are absolute. It
// says what it isolates, and which of the bots may use more; the empty line is not to be told. The caller closes the
// spawner. In a sandbox nothing that bots start outlives them. Without one a daemon that leaves its process group can
// live on.
func Isolate(
	ctx context.Context, i results.Isolation, hidden []string, bots ...guest.Entry,
) (*guest.Spawner, IsolationFound, error) {
	switch i.Mode {
	case "": // only of callers that trust their bots
		return guest.NewSpawner(nil), IsolationFound{}, nil
	case NoIsolation:
		none := sandbox.None().String()
		return guest.NewSpawner(nil), IsolationFound{Line: none, Brief: none, Less: true}, nil
	}
	s, err := sandbox.New(ctx, Limits(i, hidden))
	switch {
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case sandbox.IsShortage(err):
		err = &guest.RunnerError{Err: err}
	case err != nil:
		err = fmt.Errorf("bots cannot be isolated: %w (hint: the mode none plays without isolation)", err)
	case i.Mode == StrictIsolation && len(s.Missing()) > 0:
		err = &IsolationError{s.Missing()}
	}
	if err != nil {
		if s != nil {
			_ = s.Close() // nothing was done in it
		}
		return nil, IsolationFound{}, err
	}
	full, more := len(s.Missing()) == 0, ""
	if s.Isolates() {
		more = allowed(bots)
	}
	brief := "whole"
	if !full {
		brief = "in part, without " + strings.Join(s.Missing(), ", ") + " (see arena/ISOLATION.md)"
	}
	return guest.NewSpawner(s), IsolationFound{
		Line: s.String() + more, Brief: brief + more, More: more, Less: !full || s.LacksCgroups() || more != "", Strict: full,
		Shields: s.Holds(sandbox.Files) && (s.Holds(sandbox.Network) || i.Network),
	}, nil
}

// allowed says what some bots may use beside what all may, behind what a sandbox holds; "": nothing.
func allowed(bots []guest.Entry) string {
	line := ""
	for _, e := range bots {
		var all []string
		if e.Allowance.Network {
			all = append(all, "the network")
		}
		if e.Allowance.Memory > 0 {
			all = append(all, results.Size(e.Allowance.Memory).String()+" of memory")
		}
		if len(all) > 0 {
			line += fmt.Sprintf("; %s may use %s", e.Name, strings.Join(all, " and "))
		}
	}
	return line
}

// Limits returns what a sandbox has to know.
func Limits(i results.Isolation, hidden []string) sandbox.Limits {
	return sandbox.Limits{
		Memory: int64(i.Memory), MemoryTotal: int64(i.MemoryTotal), Processes: i.Processes, Temp: int64(i.Temp),
		Network: i.Network, Read: i.Read, Hidden: hidden,
	}
}

// HideFromEachOther returns the bots of a tournament, each kept from the logs and from what belongs to the others: the
// files that their commands name and the folders in which they run. Only paths in its own folder, or in what all may
// read, have to be hidden for that. Without logs, their folder is "".
func HideFromEachOther(all []guest.Entry, readable []string, logFolder string) []guest.Entry {
	entries := slices.Clone(all)
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
		for j, paths := range belongings {
			if j != i {
				others = append(others, paths...)
			}
		}
		if logFolder != "" {
			others = append(others, logFolder)
		}
		needs := belongings[i]
		own.Hidden = slices.Clone(own.Hidden)
		for _, path := range others {
			above := func(need string) bool { return within(need, path) }
			holds := func(folder string) bool { return within(path, folder) }
			seen := slices.ContainsFunc(append([]string{own.Dir}, readable...), holds)
			if seen && !slices.ContainsFunc(needs, above) {
				own.Hidden = append(own.Hidden, path)
			}
		}
		entries[i].Launcher = own
	}
	return entries
}

// entriesApart returns the entries, hidden from each other.
func (r *Run) entriesApart() []guest.Entry {
	return HideFromEachOther(r.Entries, r.Isolation.Read, r.LogFolder)
}

// belongingsOf returns the files that a command names, and its folder.
func belongingsOf(c guest.Command) []string {
	all := []string{filepath.Clean(c.Dir)}
	for i := range c.Args {
		if path, ok := c.File(i); ok {
			all = append(all, path)
		}
	}
	return all
}

// within says whether a path is a folder or lies in it.
func within(path, folder string) bool {
	rest, err := filepath.Rel(folder, path)
	return err == nil && rest != ".." && !strings.HasPrefix(rest, ".."+string(filepath.Separator))
}
