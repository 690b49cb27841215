// Package sandbox runs a stranger's program so that it can harm nobody. It keeps
// the program from the user's files, the network and other processes, and
// limits its memory. When the program ends, nothing of it is left.
//
// Every bot has an init above it, which ends when the bot ends: the runner executes
// its own program once more (see package sandboxinit).
//
// Machines differ in what they can isolate. [New] tries it out: it runs a bot
// that attempts to break out. [Jail.Layers] names only what has withstood these
// attempts. That bot is the runner's own program too, so main begins with
//
//	if sandbox.Entered(os.Args) {
//		os.Exit(sandbox.Enter())
//	}
package sandbox

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// Jail isolates bots, as far as this machine can. It is safe for concurrent use.
type Jail struct {
	limits    Limits
	reasons   map[string]string // by the name of a layer that does not hold: why
	nothing   string            // why there is no isolation at all; "": there is some
	groupless string            // why bots have no control groups, if they have none and could
	base      string            // a folder of the jail's own; "": none
	box
}

// None returns a jail that isolates nothing: bots run with the user's rights.
// It keeps nothing on disk and need not be closed.
func None() *Jail { return &Jail{nothing: "no isolation" + yourRights} }

// yourRights says what a bot may do that is not isolated.
const yourRights = ": a bot can do what you can, such as change your files, use the network and end your programs"

// Cell is the jail of one bot. All processes of the bot run in it, one after
// another or at the same time. It is safe for concurrent use.
type Cell struct {
	jail    *Jail
	command Command // without the shims of version managers
	known
}

// Cell prepares the jail of one bot. The error is one that the user can act on,
// or that of the context. If the program is a shim of a version manager, Cell
// asks the manager for the real program once.
//
// A bot sees these files, at their usual paths:
//   - the system
//   - its folder
//   - its program, and the interpreter of a script
//   - for a program PREFIX/bin/NAME, the folders of PREFIX that belong to it
//   - the files that its arguments name, wherever they are
//
// It never sees hidden files, even if they are among these.
//
// If the bot gets a user id of its own, and only their owner may read its folder or
// its files, it sees them as if it were the owner of its folder. Where the kernel
// cannot do that, and without mounts of its own, such a folder is an error.
//
// If a bot has mounts of its own, each file or folder that is hidden when its
// process starts is covered by an empty one that it cannot open. The bot sees a
// file that replaces the hidden one later. Without mounts of its own, a bot that
// sees a folder with a hidden file in it sees only the other entries that the
// folder has when the process is prepared, and no later ones.
func (j *Jail) Cell(ctx context.Context, c Command) (*Cell, error) {
	cell := &Cell{jail: j, command: c}
	if j.base == "" {
		return cell, nil
	}
	return cell, cell.furnish(ctx)
}

// Program returns the path of the bot's program. In a jail it is never that of a shim.
func (c *Cell) Program() string { return c.command.Program }

// Prepare prepares one process of the bot. An error is a failure of the runner.
// After an error nothing is left behind.
func (c *Cell) Prepare() (Inmate, error) {
	if c.jail.base == "" {
		return c.unboxed()
	}
	return c.prepare()
}

// Limits says what a bot may use.
type Limits struct {
	Memory       int64    // bytes of private memory of each process; 0: no limit
	FamilyMemory int64    // bytes of memory of all processes of a bot together; 0: no limit
	Processes    int      // processes and threads of a bot; 0: no limit
	Temp         int64    // bytes of a bot's temporary folder; 0: DefaultTemp
	Network      bool     // whether it may use the network
	Read         []string // absolute paths that it may read, beside what every bot sees (see [Jail.Cell])
	// Hidden has the absolute paths of files that it may never read. The same
	// paths with .lock at the end are hidden too.
	Hidden []string
}

// DefaultTemp is the usual size of a bot's temporary folder, in bytes.
const DefaultTemp = 64 << 20

// TempSize returns the size of a bot's temporary folder, in bytes.
func (l Limits) TempSize() int64 { return cmp.Or(l.Temp, DefaultTemp) }

// Limits returns the limits that the jail was made with.
func (j *Jail) Limits() Limits { return j.limits }

// Layers says what a jail keeps from a bot.
type Layers struct {
	Files     bool // of the user's files it reads only its folder and its program; it writes only to a temporary folder
	Network   bool // it has no network
	Memory    bool // the private memory of each of its processes is limited
	Processes bool // the number of its processes and threads is limited
	Family    bool // all processes that it started die with it, and with the runner
	Signals   bool // it cannot signal or trace a process outside the jail
	Disk      bool // the size of all that it writes is limited
}

// asked returns the names of the layers that are needed for the limits.
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
	Hidden  []string // absolute paths of more files and folders that it may not read; it may read their .lock files
}

// ExecError says that the system cannot execute the program of a bot.
type ExecError struct {
	Program string
	Err     error
}

func (e *ExecError) Error() string { return fmt.Sprintf("cannot execute %s: %v", e.Program, e.Err) }

// Unwrap returns the system's error.
func (e *ExecError) Unwrap() error { return e.Err }

// Layers returns the layers that held against the bot that tried to break out.
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

// MemoryLimit returns how many bytes of private memory each process of a bot may
// have, or 0 if no limit holds.
func (j *Jail) MemoryLimit() int64 {
	if !j.Layers().Memory {
		return 0
	}
	return j.limits.Memory
}

// Missing names the layers that are needed but did not hold. Each comes with the
// reason, such as "processes (40 were started where 16 are allowed)". It returns
// nil if all held.
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
	missing := make(map[string][]string) // layers by their reason; several can have the same
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
	return text + j.means()
}

// means tells how bots are paused and how the memory of a family is limited.
func (j *Jail) means() (text string) {
	freezes, limits := j.versions()
	text = "; a pause stops bots by signals"
	if freezes > 0 {
		text = fmt.Sprintf("; a pause freezes bots (cgroup v%d)", freezes)
	}
	switch {
	case j.limits.FamilyMemory <= 0:
	case limits > 0:
		text += fmt.Sprintf("; the kernel limits family_memory (cgroup v%d)", limits)
	default:
		text += "; family_memory is watched"
	}
	if j.groupless != "" {
		text += " (" + j.groupless + ")"
	}
	return text
}

// Weaker reports whether this machine lacks the control groups that freeze bots
// and limit the memory of a family. Sembra then does both itself, less strictly.
func (j *Jail) Weaker() bool {
	freezes, limits := j.versions()
	return j.nothing == "" && (freezes == 0 || limits == 0 && j.limits.FamilyMemory > 0)
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
