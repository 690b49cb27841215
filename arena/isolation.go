package arena

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"sembra/arena/jail"
)

// IsolationMode is how much of what keeps bots from the rest of the machine has
// to be there.
type IsolationMode string

const (
	NoIsolation     IsolationMode = "none"   // bots run with the user's rights; also the empty mode
	AutoIsolation   IsolationMode = "auto"   // whatever the machine can give, and said what that is
	StrictIsolation IsolationMode = "strict" // everything, or nothing is played
)

// IsolationModes returns all modes.
func IsolationModes() []IsolationMode {
	return []IsolationMode{AutoIsolation, StrictIsolation, NoIsolation}
}

// Isolation is what the bots of a tournament are kept from. In a jail nothing
// that they start outlives them; without one a daemon that leaves its process
// group does.
type Isolation struct {
	Mode IsolationMode
	jail.Limits
}

// IsolationError is a machine that cannot give what strict isolation asks for.
type IsolationError struct {
	Missing []string // layers, with the reason
}

func (e *IsolationError) Error() string {
	return fmt.Sprintf("isolation is strict, and this machine cannot give all of it; missing: %s (hint: mode = \"auto\" plays with the rest)",
		strings.Join(e.Missing, ", "))
}

// jail finds out what the machine gives, and says it. The jail is nil where
// there is to be none; else the caller closes it.
func (i Isolation) jail(ctx context.Context) (*jail.Jail, Isolated, error) {
	if i.Mode == NoIsolation || i.Mode == "" {
		return nil, Isolated{}, nil
	}
	j, err := jail.New(ctx, i.Limits)
	if ctx.Err() != nil {
		if j != nil {
			_ = j.Close() // nothing was done in it
		}
		return nil, Isolated{}, context.Cause(ctx)
	}
	if err != nil {
		return nil, Isolated{}, fmt.Errorf("bots cannot be isolated: %w (hint: [isolation] with mode = \"none\" plays without)", err)
	}
	missing := j.Missing()
	if i.Mode == StrictIsolation && len(missing) > 0 {
		_ = j.Close() // nothing was done in it
		return nil, Isolated{}, &IsolationError{missing}
	}
	return j, Isolated{Line: j.String(), Less: len(missing) > 0}, nil
}

// secluded returns the entries of the tournament, each kept from what belongs to
// the others: the files that their commands name and the folders that they run
// in, where these lie in its own folder or in what all may read, and the logs.
func (t *Tournament) secluded() []Entry {
	entries := slices.Clone(t.Entries)
	for i := range entries {
		own, ok := entries[i].Launcher.(Command)
		if !ok {
			continue
		}
		var others []string
		if t.LogFolder != "" {
			others = append(others, t.LogFolder)
		}
		for j, other := range t.Entries {
			if command, ok := other.Launcher.(Command); ok && j != i {
				others = append(others, command.belongings()...)
			}
		}
		needs := own.belongings()
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

// belongings are the files that a command names, and its folder.
func (c Command) belongings() []string {
	all := []string{filepath.Clean(c.Dir)}
	for _, path := range c.named() {
		all = append(all, filepath.Clean(path))
	}
	return all
}

// within tells whether a path is a folder or lies in it.
func within(path, folder string) bool {
	rest, err := filepath.Rel(folder, path)
	return err == nil && rest != ".." && !strings.HasPrefix(rest, ".."+string(filepath.Separator))
}
