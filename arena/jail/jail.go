// Package jail runs a stranger's program so that it can harm nobody: not the
// user's files, not the network, not the machine's memory, not the processes
// of others, and so that nothing of it stays behind.
//
// A jail is entered by executing the own program again: main begins with
//
//	if jail.Entered(os.Args) {
//		os.Exit(jail.Enter())
//	}
//
// What is executed so is a small init. It takes away from itself what the bot
// may not have, starts the bot below itself, in its own process group, and ends
// with it. What a machine can give differs; [New] finds it out by trying, and
// [Jail.Layers] promises nothing that was not seen to hold.
//
// Most of what a start costs is that the own program is executed. It is slower
// by a fifth where the program is linked with libc, as with package net unless
// it is built with CGO_ENABLED=0, and by what its packages do before main.
package jail

import (
	"fmt"
	"strings"
)

// Limits is what a bot may have.
type Limits struct {
	Memory    int64    // bytes of private memory of a process; 0: as many as there are
	Processes int      // processes and threads of a bot; 0: as many as it wants
	Network   bool     // may it use the network
	Read      []string // absolute paths that may be read beside the system, its program and its folder
	// Hidden are absolute paths of files that may not be read wherever they
	// lie, nor their locks: the same with .lock at the end.
	Hidden []string
}

// Layers is what a jail keeps from a bot.
type Layers struct {
	Files     bool // it reads and writes nothing of the user's but its folder, its program and a temporary folder
	Network   bool // it has no network
	Memory    bool // the private memory of each of its processes is limited
	Processes bool // the number of its processes and threads is limited
	Family    bool // all that it started dies with it, and with the runner
	Signals   bool // it cannot signal or trace anybody outside
	Disk      bool // what it writes is limited in sum
}

// layer is one of the layers with its name.
type layer struct {
	name string
	has  bool
}

// each returns the layers in their order.
func (l Layers) each() []layer {
	return []layer{
		{"files", l.Files},
		{"network", l.Network},
		{"memory", l.Memory},
		{"processes", l.Processes},
		{"family", l.Family},
		{"signals", l.Signals},
		{"disk", l.Disk},
	}
}

// asked reports whether the limits ask for a layer at all.
func (l Limits) asked(layer string) bool {
	switch layer {
	case "network":
		return !l.Network
	case "memory":
		return l.Memory > 0
	case "processes":
		return l.Processes > 0
	}
	return true
}

// Command is the bot that is run in a jail.
type Command struct {
	Program string   // its absolute path
	Args    []string // its arguments, the first is its own name
	Dir     string   // the absolute path of its folder
	Env     []string // its whole environment, NAME=value; HOME and TMPDIR become a folder that is its own
	Hidden  []string // absolute paths of more files and folders that it may not read, just these
}

// ExecError says that the program of a bot cannot be executed.
type ExecError struct {
	Program string
	Err     error
}

func (e *ExecError) Error() string { return fmt.Sprintf("cannot execute %s: %v", e.Program, e.Err) }

// Unwrap returns the system's error.
func (e *ExecError) Unwrap() error { return e.Err }

// Layers returns what was seen to hold on this machine.
func (j *Jail) Layers() Layers { return j.layers }

// Missing names the layers that were asked for and did not hold, each with
// the reason, like "processes (all 40 of 16 were started)". It is nil if all
// held. What the limits leave to the bot is not missing.
func (j *Jail) Missing() []string {
	if j.nothing != "" {
		return []string{j.nothing}
	}
	var missing []string
	for _, l := range j.layers.each() {
		if !l.has && j.limits.asked(l.name) {
			missing = append(missing, fmt.Sprintf("%s (%s)", l.name, j.reasons[l.name]))
		}
	}
	return missing
}

// String tells in one line what holds and what does not.
func (j *Jail) String() string {
	if j.nothing != "" {
		return j.nothing
	}
	var has []string
	for _, l := range j.layers.each() {
		if l.has {
			has = append(has, l.name)
		}
	}
	text := "nothing"
	if len(has) > 0 {
		text = listed(has)
	}
	// Many layers can be missing for one reason.
	var reasons []string
	missing := make(map[string][]string)
	for _, l := range j.layers.each() {
		if l.has || !j.limits.asked(l.name) {
			continue
		}
		reason := j.reasons[l.name]
		if missing[reason] == nil {
			reasons = append(reasons, reason)
		}
		missing[reason] = append(missing[reason], l.name)
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

// Word is the first argument of a program that is executed to be a jail's init.
const Word = "__jail"

// Entered reports whether the program with these arguments was executed to be
// a jail's init.
func Entered(args []string) bool { return len(args) > 1 && args[1] == Word }

// setEnv returns an environment in which the names have the value.
func setEnv(env []string, value string, names ...string) []string {
	var set []string
	for _, entry := range env {
		keep := true
		for _, name := range names {
			keep = keep && !strings.HasPrefix(entry, name+"=")
		}
		if keep {
			set = append(set, entry)
		}
	}
	for _, name := range names {
		set = append(set, name+"="+value)
	}
	return set
}
