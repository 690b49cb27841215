package jail

import (
	"fmt"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"

	"sembra/arena/jail/cgroup"
	"sembra/arena/jail/jailinit"
)

// spec describes one process of a bot.
type spec struct {
	*Jail
	command Command // with the environment of this process
	view
	id   uint32 // the bot's own user and group id, if the way has one
	temp string // the bot's temporary folder, as the bot sees it

	group *cgroup.Group // nil: none
}

// task returns what the init has to do.
func (s *spec) task() (*jailinit.Task, error) {
	var process, leave, limit, lift, gone steps
	s.ready(&process)
	s.openGroup(&process, &gone)
	if s.mounts {
		s.mount(&process)
		leave.do("cannot leave the old root", unix.SYS_UMOUNT2, outside, unix.MNT_DETACH)
	}
	process.do("cannot enter the bot's folder", unix.SYS_CHDIR, s.command.Dir)
	if err := s.limit(&process); err != nil {
		return nil, err
	}
	// Nobody but root may look into the init.
	process.do("cannot close itself to others", unix.SYS_PRCTL, unix.PR_SET_DUMPABLE, 0)
	if err := s.passing(&limit, &lift); err != nil {
		return nil, err
	}
	return &jailinit.Task{
		Process: process, Leave: leave, Thread: s.restrict(), Limit: limit, Lift: lift, Gone: gone,
		Program: s.command.Program, Args: s.command.Args, Env: s.command.Env,
		User: uint64(s.id), Alone: s.spaces,
	}, nil
}

// ready prepares the init itself.
func (s *spec) ready(p *steps) {
	const umask = 0o022
	p.do("", unix.SYS_UMASK, umask)
	if s.diesWithRunner() {
		p.do("cannot ask to die with the runner", unix.SYS_PRCTL, unix.PR_SET_PDEATHSIG, int(unix.SIGKILL))
	}
	if !s.spaces {
		p.do("cannot adopt orphans", unix.SYS_PRCTL, unix.PR_SET_CHILD_SUBREAPER, 1)
	}
	// If the machine runs out of memory, the kernel should end a bot first. The jail
	// also holds if this fails.
	const file, score = jailinit.First, "1000"
	acceptAny(p.open("", "/proc/self/oom_score_adj", unix.O_WRONLY, file), 2)
	acceptAny(p.do("", unix.SYS_WRITE, kept(file), score, len(score)), 0)
	p.do("", unix.SYS_CLOSE, kept(file))
}

// diesWithRunner reports whether the kernel kills the init when the runner dies.
// Otherwise the init notices that the runner is gone, and ends the bot. It does so
// without a namespace for processes, and if it has to thaw the bot.
func (s *spec) diesWithRunner() bool { return s.spaces && (s.group == nil || s.group.Thaws() == "") }

// The places of the files of control groups. The last place is the first of them.
const groupFile = jailinit.Last

// openGroup opens the files of control groups of version 1 while the init sees
// them. In version 2, the init itself is born in the bot's group.
func (s *spec) openGroup(p, gone *steps) {
	if s.group == nil {
		return
	}
	for n, path := range s.group.Tasks() {
		p.open("cannot open "+path, path, unix.O_WRONLY, groupFile-uint64(n))
	}
	if path := s.group.Thaws(); path != "" {
		file := groupFile - uint64(len(s.group.Tasks()))
		p.open("cannot open "+path, path, unix.O_WRONLY, file)
		gone.do("", unix.SYS_WRITE, kept(file), cgroup.Thawed, len(cgroup.Thawed))
	}
}

// enterGroup moves the thread that starts the bot into the bot's control groups of
// version 1. The thread ends when the bot has started.
func (s *spec) enterGroup(t *steps) {
	if s.group == nil {
		return
	}
	const myself = "0"
	for n, path := range s.group.Tasks() {
		t.do("cannot write to "+path, unix.SYS_WRITE, kept(groupFile-uint64(n)), myself, len(myself))
	}
}

// limit sets the limits that do not hurt the init. It cannot exceed the runner's
// limits, which the init inherits.
func (s *spec) limit(p *steps) error {
	// The kernel gives the buffers of sockets, about 220 KiB for each, beyond the limit
	// of memory. Interpreters and virtual machines open fewer than 60 files.
	const files = 256
	for _, l := range []struct {
		resource   int
		name       string
		soft, hard uint64
	}{
		{unix.RLIMIT_CORE, "cores", 1, 1}, // at 0, a program that collects cores would still get them
		{unix.RLIMIT_FSIZE, "file sizes", uint64(s.tempSize), uint64(s.tempSize)},
		{unix.RLIMIT_NOFILE, "open files", files, files},
		{unix.RLIMIT_MSGQUEUE, "message queues", 0, 0},
		{unix.RLIMIT_MEMLOCK, "locked memory", 64 << 10, 64 << 10},
	} {
		old, err := limitOf(l.resource, l.name)
		if err != nil {
			return err
		}
		hard := min(l.hard, old.Max)
		p.limit("cannot limit "+l.name, 0, l.resource, unix.Rlimit{Cur: min(l.soft, hard), Max: hard})
	}
	return nil
}

// limitOf returns a limit of the runner, which the init inherits.
func limitOf(resource int, name string) (limit unix.Rlimit, err error) {
	if err := unix.Getrlimit(resource, &limit); err != nil {
		return limit, fmt.Errorf("cannot read the limit of %s: %w", name, err)
	}
	return limit, nil
}

// restrict takes away from a thread the rights that the bot may not have.
func (s *spec) restrict() steps {
	var t steps
	s.enterGroup(&t)
	if s.noNet != nil {
		t.do("cannot leave the network", unix.SYS_SETNS, jailinit.EmptyNet, unix.CLONE_NEWNET)
	}
	t.do("cannot give up new privileges", unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1)
	restrictFiles(s, &t)
	const lastCapability = 63 // the kernel has room for 64
	for c := range lastCapability + 1 {
		acceptAny(t.do("", unix.SYS_PRCTL, unix.PR_CAPBSET_DROP, c), uint64(lastCapability-c))
	}
	// Before Linux 4.3 there are no ambient capabilities.
	acceptAny(t.do("", unix.SYS_PRCTL, unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL), 0)
	if !s.ownID { // otherwise they are lost with the change of the user
		header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
		var none [2]unix.CapUserData
		t.do("cannot give up capabilities", unix.SYS_CAPSET, bytesOf(&header), bytesOf(&none))
	}
	restrictCalls(s, &t)
	return t
}

// passing sets the limits that would hurt the init itself. They hold for the init
// only while it starts the bot. They are soft limits, but the filter does not let
// the bot raise them.
func (s *spec) passing(limit, lift *steps) error {
	add := func(resource int, name string, most, threads uint64) error {
		old, err := limitOf(resource, name)
		if err != nil {
			return err
		}
		highest := most
		if threads > 0 { // more than any init has
			const manyThreads = 16
			highest += manyThreads
		}
		if highest > old.Max {
			most, highest, threads = min(most, old.Max), old.Max, 0
		}
		// The first eight bytes are the soft limit.
		soft := jailinit.Arg{Data: bytesOf(&unix.Rlimit{Cur: most, Max: old.Max}), Add: threads}
		hard := jailinit.Arg{Data: bytesOf(&unix.Rlimit{Cur: most, Max: highest}), Add: threads}
		limit.do("cannot limit "+name, unix.SYS_PRLIMIT64, 0, resource, soft, 0)
		acceptAny(lift.limit("", 0, resource, old), 0)
		acceptAny(lift.do("", unix.SYS_PRLIMIT64, kept(jailinit.Bot), resource, hard, 0), 0) // if there are no filters
		return nil
	}
	if memory := s.limits.Memory; memory > 0 {
		if err := add(unix.RLIMIT_DATA, "memory", uint64(memory), 0); err != nil {
			return err
		}
	}
	switch processes := s.limits.Processes; {
	case processes <= 0:
	case s.ownID:
		return add(unix.RLIMIT_NPROC, "processes", uint64(processes), 0)
	case s.user: // the init belongs to the same user
		return add(unix.RLIMIT_NPROC, "processes", uint64(processes), jailinit.Threads)
	}
	return nil
}

// errorOf returns the error for a failed step of a task. It wraps the system's
// error.
func errorOf(t *jailinit.Task, step, errno uint64) error {
	what := "a system call failed"
	all := slices.Concat(t.Process, t.Leave, t.Thread, t.Limit, t.Lift)
	if step < uint64(len(all)) && all[step].Means != "" {
		what = all[step].Means
	}
	return fmt.Errorf("the jail's init failed: %s: %w", what, syscall.Errno(errno))
}
