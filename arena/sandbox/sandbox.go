// Package sandbox runs an untrusted program so that it can do as little harm as the
// machine allows. It keeps the program from the user's files, the network and other processes, and
// limits its memory. When the program ends, nothing of it is left. It knows nothing of games.
//
// There are two ways, both on Linux only. With namespaces, for root and for users who
// may make them, a bot has a view of the file system, a network and process numbers of
// its own. Without them, Landlock keeps the files from it. In both ways a filter
// refuses system calls, the kernel limits what a bot uses, and it cannot gain rights.
// Every bot has an init above it, the runner's own program in another process, which
// ends when the bot ends.
//
// Machines differ in what they can isolate. [New] tries it out: it runs a bot that
// attempts to break out. [Sandbox.Holds] is true only of what has withstood these
// attempts, or what the kernel keeps whatever a bot does. That bot and the init are the runner's own program, so main begins with
//
//	if sandbox.IsChild(os.Args) {
//		os.Exit(sandbox.RunChild())
//	}
package sandbox

import (
	"context"
	"fmt"
	"slices"
)

// Sandbox isolates bots, as far as this machine can. It is safe for concurrent use.
type Sandbox struct {
	limits  Limits
	bare    bool     // there is no isolation at all
	holds   []string // what held against the bot that tried to break out
	missing []string // what did not, each with the reason
	line    string   // all of this in a line
	weaker  bool     // control groups do not freeze bots, or do not limit the memory of a process tree
	system
}

// None returns a sandbox that isolates nothing: bots run with the user's rights.
// It keeps nothing on disk and need not be closed.
func None() *Sandbox {
	s := new(Sandbox)
	s.isolateNothing("no isolation")
	return s
}

// isolateNothing lets bots run with the user's rights.
func (s *Sandbox) isolateNothing(line string) {
	s.bare = true
	s.line = line + ": a bot can do what you can, such as change your files, use the network and end your programs"
	s.missing = []string{s.line}
}

// Isolates reports whether the sandbox isolates anything.
func (s *Sandbox) Isolates() bool { return !s.bare }

// Prepared is a command that is ready to be run. All processes of a bot come from it,
// one after another or at the same time. It is safe for concurrent use.
type Prepared struct {
	sandbox *Sandbox
	command Command // without the shims of version managers
	limits  Limits
	known
}

// Prepare prepares the command of a bot. The error is one that the user can act on,
// or that of the context. If the program is a shim of a version manager, Prepare
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
// Root's bots get user ids of their own. If only the owner of such a bot's folder may
// read it, or a file in it that the bot needs, the bot sees the folder as if it were the
// owner. Where the kernel cannot do that, and without namespaces, this is an error. So is
// a file elsewhere that is closed to the bot.
//
// With namespaces, each file or folder that is hidden when the process of a bot starts
// is covered by an empty one that it cannot open. The bot sees a file that replaces
// the hidden one later. Without namespaces, a bot that sees a folder with a hidden
// file in it sees only the other entries that the folder has now, and no later ones.
func (s *Sandbox) Prepare(ctx context.Context, c Command) (*Prepared, error) {
	p := &Prepared{sandbox: s, command: c, limits: s.limits.with(c.Allowance)}
	if !s.Isolates() {
		return p, nil
	}
	return p, p.look(ctx)
}

// Program returns the path of the bot's program. In a sandbox it is never that of a shim.
func (p *Prepared) Program() string { return p.command.Program }

// Process returns a process of the bot, which is not started. In a sandbox the bot runs
// only on these processors, none are any; else where the thread runs that starts it. An
// error is a failure of the runner. After an error nothing is left behind.
func (p *Prepared) Process(processors []int) (*Process, error) {
	if !p.sandbox.Isolates() {
		return p.plain(), nil
	}
	return p.isolated(processors)
}

// Limits says what a bot may use.
type Limits struct {
	Memory      int64    // bytes of private memory of each process; 0: no limit
	MemoryTotal int64    // bytes of memory of all processes of a bot together; 0: no limit
	Processes   int      // processes and threads of a bot; 0: no limit
	Temp        int64    // bytes of a bot's temporary folder; 0: DefaultTemp
	Network     bool     // whether it may use the network
	Read        []string // absolute paths that it may read, beside what every bot sees (see [Sandbox.Prepare])
	// Hidden has the absolute paths of files that it may never read. The same
	// paths with .lock at the end are hidden too.
	Hidden []string
}

// Allowance is what one bot may use beside what all bots of its sandbox may.
type Allowance struct {
	Network bool  // it may use the network
	Memory  int64 // bytes, instead of Limits.Memory; all its processes together have at least twice that; 0: the same
}

func (l Limits) with(a Allowance) Limits {
	l.Network = l.Network || a.Network
	if a.Memory > 0 {
		l.Memory = a.Memory
		if l.MemoryTotal > 0 {
			l.MemoryTotal = max(l.MemoryTotal, 2*a.Memory)
		}
	}
	return l
}

// DefaultTemp is the usual size of a bot's temporary folder, in bytes.
const DefaultTemp = 64 << 20

// Layer is something that a sandbox keeps from a bot.
type Layer string

// The layers.
const (
	Files     Layer = "files"     // it reads of the user's files only its own, and writes only to a temporary folder
	Network   Layer = "network"   // it has no network
	Memory    Layer = "memory"    // the private memory of each of its processes is limited
	Processes Layer = "processes" // the number of its processes and threads is limited
	Leftovers Layer = "leftovers" // all processes that it started die with it, and with the runner
	Signals   Layer = "signals"   // it cannot signal or trace a process outside of it
	Disk      Layer = "disk"      // the size of all that it writes is limited
)

// Command is a bot to be run.
type Command struct {
	Program string   // its absolute path
	Args    []string // its arguments; the first is its own name
	Dir     string   // the absolute path of its folder
	Env     []string // its whole environment, NAME=value; the sandbox sets HOME and TMPDIR to a folder of the bot's own
	Hidden  []string // absolute paths of more files and folders that it may not read; it may read their .lock files
	Allowance
}

// ExecError says that the system cannot execute the program of a bot.
type ExecError struct {
	Program string
	Err     error
}

func (e *ExecError) Error() string { return fmt.Sprintf("cannot execute %s: %v", e.Program, e.Err) }

// Unwrap returns the system's error.
func (e *ExecError) Unwrap() error { return e.Err }

// Holds reports whether a layer held against the bot that tried to break out.
func (s *Sandbox) Holds(layer Layer) bool { return slices.Contains(s.holds, string(layer)) }

// Missing names the layers that are needed but did not hold. Each comes with the
// reason, such as "processes (the limit does not hold for root)". The last one may
// be what the better way needs. Missing returns nil if all held.
func (s *Sandbox) Missing() []string { return s.missing }

// String says in one line what holds and what does not.
func (s *Sandbox) String() string { return s.line }

// LacksCgroups reports whether this machine lacks the control groups that freeze bots
// and limit the memory of a process tree. Sembra then does both itself, less strictly.
func (s *Sandbox) LacksCgroups() bool { return s.weaker }
