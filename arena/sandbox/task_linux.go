package sandbox

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"

	"sembra/arena/sandbox/cgroup"
	"sembra/arena/sandbox/sandboxinit"
)

// spec describes one process of a bot.
type spec struct {
	*Jail
	command Command // with the environment of this process
	view
	id    uint32 // the bot's own user and group id, if the way has one
	owner *owner // as whom the bot sees the files that only their owner may use; nil: there are none
	temp  string // the bot's temporary folder, as the bot sees it

	group *cgroup.Group // nil: none
}

// task returns how the bot is started.
func (s *spec) task() (*sandboxinit.Task, error) {
	t := &sandboxinit.Task{
		Program: s.command.Program, Args: s.command.Args, Env: s.command.Env, User: uint64(s.id), Alone: s.spaces,
	}
	var init steps
	s.ready(&init)
	s.openGroup(t, &init)
	if s.mounts {
		s.mount(&init)
	}
	init.do("cannot enter the bot's folder", unix.SYS_CHDIR, s.command.Dir)
	// Nobody but root may look into the init.
	init.do("cannot close itself to others", unix.SYS_PRCTL, unix.PR_SET_DUMPABLE, 0)
	bot, err := s.restrict(t)
	if err != nil {
		return nil, err
	}
	t.Init, t.Bot = init, bot
	return t, nil
}

// attributes returns how the process of the init is made: in which namespaces, and
// in which control group of version 2. It has a process group of its own, so that
// Ctrl-C does not reach the bot, which is in it too. It gets no session of its own:
// the scheduler divides the processors among sessions, so two bots that answer each
// other would wait twice as long.
func (s *spec) attributes(group *os.File) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true, Cloneflags: s.namespaces()}
	if s.user {
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
		// The user is not root in the namespace either, so without these the init would lose what it needs for its steps.
		attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP, unix.CAP_DAC_OVERRIDE, unix.CAP_KILL, unix.CAP_SYS_RESOURCE}
	}
	if s.diesWithRunner() { // otherwise, the init must survive the runner to kill the bot
		attr.Pdeathsig = unix.SIGKILL
	}
	if group != nil {
		attr.UseCgroupFD, attr.CgroupFD = true, int(group.Fd())
	}
	return attr
}

// usersFile returns the number of the init's file that maps the owner of files to the bot.
func (s *spec) usersFile() int {
	if s.noNet != nil {
		return sandboxinit.EmptyNet + 1
	}
	return sandboxinit.EmptyNet
}

// namespaces returns the flags of clone(2) for the namespaces of the init.
func (s *spec) namespaces() (flags uintptr) {
	if s.spaces {
		flags |= unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS
		if !s.limits.Network && s.noNet == nil {
			flags |= unix.CLONE_NEWNET
		}
	}
	if s.mounts {
		flags |= unix.CLONE_NEWNS
	}
	if s.user {
		flags |= unix.CLONE_NEWUSER
	}
	return flags
}

// ready prepares the init itself.
func (s *spec) ready(p *steps) {
	const umask = 0o022
	if !s.spaces {
		p.do("cannot adopt orphans", unix.SYS_PRCTL, unix.PR_SET_CHILD_SUBREAPER, 1)
	}
	p.do("", unix.SYS_UMASK, umask)
	// If the machine runs out of memory, the kernel should end a bot first. The jail
	// also holds if this fails.
	begin := len(*p)
	p.write("", "/proc/self/oom_score_adj", "1000")
	for n := begin; n < len(*p); n++ {
		acceptAny(&(*p)[n], 0)
	}
}

// diesWithRunner reports whether the kernel kills the init when the runner dies.
// Otherwise the init notices that the runner is gone, and kills the bot. It does so
// without a namespace for processes, and if it has to thaw the bot.
func (s *spec) diesWithRunner() bool { return s.spaces && (s.group == nil || s.group.Thaws() == "") }

// The places of the files of control groups.
const (
	groupTasks = sandboxinit.Last     // of version 1; the place before it, too
	groupThaws = sandboxinit.Last - 2 // of version 1
)

// openGroup opens the files of the bot's control groups of version 1 while the init sees them.
func (s *spec) openGroup(t *sandboxinit.Task, p *steps) {
	if s.group == nil {
		return
	}
	for n, path := range s.group.Tasks() {
		p.open("cannot open "+path, path, unix.O_WRONLY, groupTasks-uint64(n))
	}
	if path := s.group.Thaws(); path != "" {
		p.open("cannot open "+path, path, unix.O_WRONLY, groupThaws)
		var gone steps
		gone.do("", unix.SYS_WRITE, kept(groupThaws), cgroup.Thawed, len(cgroup.Thawed))
		t.Gone = gone
	}
}

// enterGroup moves the thread that starts the bot into the bot's control groups of version 1. The bot is born there.
func (s *spec) enterGroup(t *steps) {
	if s.group == nil {
		return
	}
	const myself = "0"
	for n, path := range s.group.Tasks() {
		t.do("cannot write to "+path, unix.SYS_WRITE, kept(groupTasks-uint64(n)), myself, len(myself))
	}
}

// restrict takes the rights that the bot may not have away from the thread that
// starts it. The filter comes last: it refuses some of the other steps.
func (s *spec) restrict(task *sandboxinit.Task) (steps, error) {
	var t steps
	s.enterGroup(&t)
	if s.noNet != nil {
		t.do("cannot leave the network", unix.SYS_SETNS, sandboxinit.EmptyNet, unix.CLONE_NEWNET)
	}
	t.do("cannot give up new privileges", unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1)
	restrictFiles(s, &t)
	const lastCapability = 63 // the kernel has room for 64
	for c := range lastCapability + 1 {
		acceptAny(t.do("", unix.SYS_PRCTL, unix.PR_CAPBSET_DROP, c), uint64(lastCapability-c))
	}
	// Before Linux 4.3 there are no ambient capabilities.
	acceptAny(t.do("", unix.SYS_PRCTL, unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL), 0)
	if err := s.limit(&t, task); err != nil {
		return nil, err
	}
	if id := int(s.id); s.ownID { // all capabilities are lost with the change of the user
		t.do("cannot leave the groups", unix.SYS_SETGROUPS, 0, 0)
		t.do("cannot change the group", unix.SYS_SETRESGID, id, id, id)
		t.do("cannot change the user", unix.SYS_SETRESUID, id, id, id)
	} else {
		header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
		var none [2]unix.CapUserData
		t.do("cannot give up capabilities", unix.SYS_CAPSET, bytesOf(&header), bytesOf(&none))
	}
	const setMask, size = 2, 8 // SIG_SETMASK, and the bytes of a mask
	t.do("cannot receive signals", unix.SYS_RT_SIGPROCMASK, setMask, make([]byte, size), 0, size)
	restrictCalls(s, &t)
	return t, nil
}

// limit sets the limits of the bot. They cannot exceed the runner's limits, which
// its process inherits. The init has most of them too. It could not live with those
// of memory and processes, so the task tells it to set them for the bot alone.
func (s *spec) limit(p *steps, t *sandboxinit.Task) error {
	// The kernel holds some memory for each open file that no limit counts: a pair of
	// sockets takes 440 KiB. Java, Node, Python and Go need about 30 files.
	const files = 256
	// The stack is not counted as memory.
	const stack, highestStack = 8 << 20, 64 << 20
	type limit struct {
		resource   int
		name       string
		soft, hard uint64
	}
	limits := []limit{
		{unix.RLIMIT_CORE, "cores", 1, 1}, // at 0, a program that collects cores would still get them
		{unix.RLIMIT_FSIZE, "file sizes", uint64(s.tempSize), uint64(s.tempSize)},
		{unix.RLIMIT_NOFILE, "open files", files, files},
		{unix.RLIMIT_STACK, "stacks", stack, highestStack},
		{unix.RLIMIT_MSGQUEUE, "message queues", 0, 0},
		{unix.RLIMIT_MEMLOCK, "locked memory", 64 << 10, 64 << 10},
	}
	if most := uint64(max(0, s.limits.Memory)); most > 0 {
		t.Limits = append(t.Limits, sandboxinit.Limit{Resource: unix.RLIMIT_DATA, Most: most})
	}
	if most := uint64(max(0, s.limits.Processes)); most > 0 && (s.ownID || s.user) {
		// Without a user of the bot's own, the init belongs to the same user.
		t.Limits = append(t.Limits, sandboxinit.Limit{Resource: unix.RLIMIT_NPROC, Most: most, Threads: !s.ownID})
	}
	for _, l := range limits {
		var old unix.Rlimit
		if err := unix.Getrlimit(l.resource, &old); err != nil {
			return fmt.Errorf("cannot read the limit of %s: %w", l.name, err)
		}
		hard := min(l.hard, old.Max)
		p.do("cannot limit "+l.name, unix.SYS_PRLIMIT64, 0, l.resource,
			bytesOf(&unix.Rlimit{Cur: min(l.soft, hard), Max: hard}), 0)
	}
	return nil
}

// meanings returns what an error of each step of a task means.
func meanings(t *sandboxinit.Task) (means []string) {
	for _, step := range slices.Concat(t.Init, t.Bot) {
		means = append(means, cmp.Or(step.Means, "a system call failed"))
	}
	return means
}
