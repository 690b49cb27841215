// Package jail runs a stranger's program so that it can harm nobody: it keeps
// the program from the user's files, from the network, from the memory of the
// machine and from the processes of others, and nothing of it stays behind.
//
// The runner executes its own program again as a small init, see package
// jailinit. The init takes away from itself what the bot may not have, starts
// the bot below itself, in its own process group, and ends with it. Machines
// differ in what they can isolate: [New] finds it out by trying, and
// [Jail.Layers] promises nothing that was not seen to hold. The bot that tries
// is the own program as well, so main begins with
//
//	if jail.Entered(os.Args) {
//		os.Exit(jail.Enter())
//	}
//
// A program that is linked with libc starts slower, and an init is started with
// every bot: build with CGO_ENABLED=0.
package jail

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Jail is what this machine can give. It is safe for concurrent use.
type Jail struct {
	limits  Limits
	reasons map[string]string // why layers do not hold, by their names; no other layer is in it
	nothing string            // in place of all reasons, where there is no isolation at all
	base    string            // a folder of the jail's own; "": none
	box
}

// None returns a jail that isolates nothing: bots run with the user's rights.
// It keeps nothing on disk and need not be closed.
func None() *Jail { return &Jail{nothing: "no isolation: bots run with your rights"} }

// Cell is what the processes of a bot have in common. It is safe for concurrent
// use.
type Cell struct {
	jail    *Jail
	command Command // without the shims of version managers
	known
}

// Cell prepares what the processes of a bot have in common. The error is one
// that the user can act on, or that of the context. The program may be a shim
// of a version manager: it is asked once, and the real program is run.
//
// A bot sees files at the paths where they are: the system, its folder, its
// program, and with a program PREFIX/bin/NAME what belongs to it in PREFIX;
// an interpreter counts as a program; and the files that its arguments name by
// absolute paths. Of what is hidden it sees nothing, whatever else it needs.
//
// With mounts of its own a bot finds something empty that it cannot open where
// a hidden file or folder was when its process was started. A file that is put
// there later, or takes its place, is seen. Without mounts of its own, a folder
// in which something hidden lies is opened entry by entry as it is found when a
// process is prepared. That process does not see what is put into it later.
func (j *Jail) Cell(ctx context.Context, c Command) (*Cell, error) {
	cell := &Cell{jail: j, command: c}
	if j.base == "" {
		return cell, nil
	}
	return cell, cell.furnish(ctx)
}

// Prepare makes what one process of the bot needs. An error is the runner's
// own, and leaves nothing behind.
func (c *Cell) Prepare() (Inmate, error) {
	if c.jail.base == "" {
		return c.unboxed()
	}
	return c.prepare()
}

// Limits is what a bot may have.
type Limits struct {
	Memory    int64    // bytes of private memory of each process; 0: no limit
	Processes int      // processes and threads of a bot; 0: no limit
	Network   bool     // whether it may use the network
	Read      []string // absolute paths that it may read beside the system, its program and its folder
	// Hidden are absolute paths of files that it may not read, wherever they lie.
	// The same paths with .lock at the end are hidden too.
	Hidden []string
}

// Layers is what a jail keeps from a bot.
type Layers struct {
	Files     bool // it reads its own folder and program alone of the user's files, and writes to a temporary folder alone
	Network   bool // it has no network
	Memory    bool // the private memory of each of its processes is limited
	Processes bool // the number of its processes and threads is limited
	Family    bool // all that it started dies with it, and with the runner
	Signals   bool // it cannot signal or trace a process outside the jail
	Disk      bool // the sum of what it writes is limited
}

// asked returns the names of the layers that the limits ask for.
func (l Limits) asked() []string {
	return slices.DeleteFunc([]string{"files", "network", "memory", "processes", "family", "signals", "disk"},
		func(layer string) bool {
			return layer == "network" && l.Network || layer == "memory" && l.Memory <= 0 ||
				layer == "processes" && l.Processes <= 0
		})
}

// Command is a bot to be run.
type Command struct {
	Program string   // its absolute path
	Args    []string // its arguments; the first is its own name
	Dir     string   // the absolute path of its folder
	Env     []string // its whole environment, NAME=value; the jail sets HOME and TMPDIR to a folder of the bot's own
	Hidden  []string // absolute paths of more files and folders that it may not read, without their locks
}

// ExecError says that the system cannot execute the program of a bot.
type ExecError struct {
	Program string
	Err     error
}

func (e *ExecError) Error() string { return fmt.Sprintf("cannot execute %s: %v", e.Program, e.Err) }

// Unwrap returns the system's error.
func (e *ExecError) Unwrap() error { return e.Err }

// Layers returns what was seen to hold on this machine.
func (j *Jail) Layers() Layers {
	asked := j.limits.asked()
	holds := func(layer string) bool {
		return j.nothing == "" && j.reasons[layer] == "" && slices.Contains(asked, layer)
	}
	return Layers{
		Files: holds("files"), Network: holds("network"), Memory: holds("memory"), Processes: holds("processes"),
		Family: holds("family"), Signals: holds("signals"), Disk: holds("disk"),
	}
}

// Missing names the layers that the limits ask for and that did not hold, each
// with the reason, like "processes (40 were started where 16 are allowed)". It
// is nil if all held.
func (j *Jail) Missing() []string {
	if j.nothing != "" {
		return []string{j.nothing}
	}
	var missing []string
	for _, layer := range j.limits.asked() {
		if reason := j.reasons[layer]; reason != "" {
			missing = append(missing, fmt.Sprintf("%s (%s)", layer, reason))
		}
	}
	return missing
}

// String tells in one line what holds and what does not.
func (j *Jail) String() string {
	if j.nothing != "" {
		return j.nothing
	}
	var has, reasons []string
	missing := make(map[string][]string) // layers by their reason: many can have the same
	for _, layer := range j.limits.asked() {
		reason := j.reasons[layer]
		if reason == "" {
			has = append(has, layer)
			continue
		}
		if missing[reason] == nil {
			reasons = append(reasons, reason)
		}
		missing[reason] = append(missing[reason], layer)
	}
	text := "nothing"
	if len(has) > 0 {
		text = listed(has)
	}
	for _, reason := range reasons {
		text += fmt.Sprintf("; without %s (%s)", listed(missing[reason]), reason)
	}
	return text
}

// listed writes names one after another.
func listed(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// setEnv returns an environment in which the names have the value.
func setEnv(env []string, value string, names ...string) []string {
	set := slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(names, name)
	})
	for _, name := range names {
		set = append(set, name+"="+value)
	}
	return set
}
