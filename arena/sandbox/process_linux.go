package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"sembra/arena/sandbox/procfs"
)

// isolated keeps a process of a bot that its parent, an init, isolates.
type isolated struct {
	*Sandbox
	limits  Limits     // of the bot
	temp    string     // a folder of the sandbox, which the bot has until it has ended; "": none
	group   *group     // likewise; nil: none
	theirs  []*os.File // to be closed when the init has them
	init    *net.UnixConn
	reports *json.Decoder // reads from the init
	cmd     *exec.Cmd
	task    initTask
	own     time.Duration // the CPU time of the init, until it executed the bot
}

func (p *Prepared) isolated(processors []int) (*Process, error) {
	i := &isolated{Sandbox: p.sandbox, limits: p.limits}
	if err := i.prepare(p, processors); err != nil {
		i.close()
		return nil, err
	}
	return &Process{keeper: i, cmd: i.cmd}, nil
}

func (i *isolated) prepare(p *Prepared, processors []int) (err error) {
	i.task = initTask{
		Program: p.command.Program, Args: p.command.Args, Dir: p.command.Dir, Temp: "/tmp", Limits: i.limits,
		Processors: processors, Spaces: i.spaces, Landlock: i.landlock, Root: i.root(),
		Places: p.places, Hidden: p.hidden, Mapped: p.mapped,
	}
	if i.ownID {
		i.task.ID = i.newID()
	}
	if !i.spaces {
		if i.temp, err = os.MkdirTemp(i.base, "temp-"); err != nil {
			return err
		}
		if i.ownID {
			if err := os.Chown(i.temp, i.task.ID, i.task.ID); err != nil {
				return err
			}
		}
		i.task.Temp = i.temp
	}
	i.task.Env = setEnv(p.command.Env, i.task.Temp, "HOME", "TMPDIR")
	if i.groups != nil {
		if i.group, err = i.groups.create(i.limits.MemoryTotal); err != nil {
			return err
		}
	}
	if err := i.connect(); err != nil {
		return err
	}
	if p.mapped != "" {
		tree, err := openMapped(p.mapped, p.owner, i.task.ID)
		if err != nil {
			return err
		}
		i.theirs = append(i.theirs, tree)
	}
	i.cmd = initCommand(i.theirs, i.attributes())
	return nil
}

// connect makes the connection with the init.
func (i *isolated) connect() error {
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	i.theirs = append(i.theirs, os.NewFile(uintptr(ends[1]), ""))
	ours := os.NewFile(uintptr(ends[0]), "")
	defer ours.Close() // conn is a copy
	conn, err := net.FileConn(ours)
	if err != nil {
		return err
	}
	i.init, i.reports = conn.(*net.UnixConn), json.NewDecoder(conn)
	return nil
}

// send writes to the init. Reading notices if the init has ended.
func (i *isolated) send(what any) {
	const patience = 5 * time.Second // only a busy machine needs more than a moment
	_ = i.init.SetWriteDeadline(time.Now().Add(patience))
	_ = json.NewEncoder(i.init).Encode(what)
}

// initCommand returns a command that runs an init with these files. It has little to
// do, and no garbage worth collecting.
func initCommand(files []*os.File, attr *syscall.SysProcAttr) *exec.Cmd {
	return &exec.Cmd{
		Path: itself, Args: []string{os.Args[0], initWord}, Dir: "/", ExtraFiles: files, SysProcAttr: attr,
		Env: []string{
			"GOMAXPROCS=2", "GOGC=off", // one waits while the other starts the bot
			"GORACE=atexit_sleep_ms=0", // makes a build with the race detector exit immediately
		},
	}
}

// attributes returns how the process of the init is made: in which namespaces, and in
// which control group. It has a process group of its own, so that Ctrl-C does not reach
// the bot, which is in it too. It gets no session of its own: the scheduler divides the
// processors among sessions, so two bots that answer each other would wait twice as long.
func (i *isolated) attributes() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if i.group != nil {
		attr.UseCgroupFD, attr.CgroupFD = true, int(i.group.folder.Fd())
	}
	if !i.spaces {
		return attr // the init must survive the runner to kill the bot
	}
	attr.Pdeathsig = unix.SIGKILL
	attr.Cloneflags = unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWNS
	if !i.limits.Network {
		attr.Cloneflags |= unix.CLONE_NEWNET
	}
	if user, group := os.Geteuid(), os.Getegid(); user != 0 {
		attr.Cloneflags |= unix.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: user, HostID: user, Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: group, HostID: group, Size: 1}}
		// The user is not root in the namespace either, so without these the init would lose what it needs.
		attr.AmbientCaps = []uintptr{
			unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP, unix.CAP_DAC_OVERRIDE, unix.CAP_KILL, unix.CAP_SYS_RESOURCE,
		}
	}
	return attr
}

func (i *isolated) executed(p *Process, err error) error {
	closeAll(i.theirs)
	i.theirs = nil
	if errors.Is(err, unix.ENOSPC) { // here it does not mean a full disk
		return errors.New("cannot start the sandbox's init: the system allows no more namespaces")
	}
	if err != nil {
		return fmt.Errorf("cannot start the sandbox's init: %w", err)
	}
	if err = i.await(); err != nil {
		i.end() // it may just have started the bot
		return err
	}
	if i.limits.MemoryTotal > 0 && !i.caps {
		go i.watch(p) // until the bot has ended
	}
	return nil
}

// await waits until the bot was executed.
func (i *isolated) await() error {
	const patience = 30 * time.Second // only a busy machine needs more than a moment
	_ = i.init.SetReadDeadline(time.Now().Add(patience))
	i.send(i.task)
	var r report
	if err := i.reports.Decode(&r); errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("the sandbox's init did not start the bot: %w", err)
	} else if err != nil {
		return ErrEnded
	}
	if r.Refused && !IsShortage(r.Errno) {
		return &ExecError{i.task.Program, r.Errno}
	}
	if r.Failed != "" {
		return fmt.Errorf("the sandbox's init failed: %w", r.failure)
	}
	i.own = r.Own
	return nil
}

// ended reads the last report of the init, which says how the bot has exited.
func (i *isolated) ended() (used time.Duration, how string) {
	const patience = time.Second // the report is there, or never comes
	_ = i.init.SetReadDeadline(time.Now().Add(patience))
	var last report
	if i.reports.Decode(&last) == nil {
		return last.CPU, describe(last.Status)
	}
	if i.group != nil && i.group.exceeded() {
		return 0, fmt.Sprintf(tooMuch, i.limits.MemoryTotal>>20)
	}
	return 0, ""
}

// tooMuch says why a bot was killed.
const tooMuch = "killed: its processes together took more memory than memory_total, %d MiB"

// describe says how a process exited, in the words of [os.ProcessState].
func describe(status syscall.WaitStatus) string {
	if status.Signaled() {
		return "signal: " + status.Signal().String()
	}
	return "exit status " + strconv.Itoa(status.ExitStatus())
}

// used returns what the bot's control group used, less the init, or all processes below the
// init.
func (i *isolated) used(waited bool) (time.Duration, bool) {
	if i.group != nil {
		used, known := i.group.used()
		return used - i.own, known
	}
	if waited {
		return 0, false
	}
	return procfs.CPU(i.cmd.Process.Pid, false)
}

// stop stops the bot by its control group, which stops the init too, or by a signal to all
// descendants of the init. With namespaces the init sends it, to all in one call. But an init can wait long
// for a processor behind a bot that works. So those in its process group get the signal first.
func (i *isolated) stop(stop bool) {
	if i.group != nil {
		i.group.freeze(stop)
		return
	}
	pid, signal := i.cmd.Process.Pid, unix.SIGCONT
	if stop {
		signal = unix.SIGSTOP
	}
	_ = unix.Kill(-pid, signal) // it may have ended
	_ = unix.Kill(pid, unix.SIGCONT)
	if i.spaces {
		i.send(signal)
	} else {
		signalBelow(pid, signal)
	}
	if stop {
		stopThreads(pid, false)
	}
}

// watch kills the bot when its processes together hold more memory than they may. While it counts those of many
// processes, they could take ever more, and the processors that it needs. So it stops them if counting takes a while. A
// bot that is paused takes no more, so watch looks at it less often.
func (i *isolated) watch(p *Process) {
	const often, paused = 20 * time.Millisecond, 10 // every so many times
	pid, most := i.cmd.Process.Pid, i.limits.MemoryTotal
	for alive, times := true, 0; alive; times++ {
		time.Sleep(often)
		skip := false
		alive = p.alive(func() { skip = p.paused && times%paused != 0 })
		if skip {
			continue
		}
		stopped := false
		held, _ := procfs.Memory(pid, false, most, func() {
			stopped = p.alive(func() { i.stop(true) })
		})
		alive = p.alive(func() {
			if held > most {
				p.exit = fmt.Sprintf(tooMuch+": they held at least %d MiB", most>>20, held>>20)
				p.kill()
			} else if stopped && !p.paused {
				i.stop(false)
			}
		})
	}
}

// end ends the init of a bot that runs. With namespaces, all processes end with it.
func (i *isolated) end() {
	if i.spaces {
		// At once, too: the init ends them only when it gets a processor, which they may keep busy.
		if i.cmd.Process.Kill() == nil { // else it has ended
			_ = unix.Kill(-i.cmd.Process.Pid, unix.SIGKILL)
		}
		return
	}
	_ = i.init.CloseWrite() // then the init kills the others, and ends
	const patience = 5 * time.Second
	time.AfterFunc(patience, func() { _ = i.cmd.Process.Kill() }) // usually it has ended by then
}

func (i *isolated) close() {
	closeAll(i.theirs)
	if i.init != nil {
		i.init.Close()
	}
	if i.group != nil {
		i.group.remove()
	}
	if i.temp != "" {
		_ = os.RemoveAll(i.temp) // Sandbox.Close removes what is left
	}
}

// closeAll closes those of the files that are open.
func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close() // it fails for nil
	}
}

// dieWithThread lets a process die with the thread that starts it.
func dieWithThread(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// bind lets all threads of some processes run only on some processors: of a
// process and its descendants, or of the descendants alone. What they start later
// inherits that.
func bind(pid int, itself bool, processors []int) {
	set := setOf(processors)
	each(pid, itself, func(_ procfs.Process, thread int) {
		_ = unix.SchedSetaffinity(thread, &set) // it may have ended, or belong to another user
	})
}

func setOf(processors []int) unix.CPUSet {
	var set unix.CPUSet
	for _, n := range processors {
		set.Set(n)
	}
	return set
}

// signalBelow sends a signal to all descendants of a process.
func signalBelow(pid int, signal syscall.Signal) {
	each(pid, false, func(p procfs.Process, thread int) {
		if thread == p.PID {
			_ = unix.Kill(p.PID, signal) // it may have ended
		}
	})
}

// stopThreads stops each thread of a process group, or of the descendants of an init. Those of a process that has been
// told to stop start no others.
func stopThreads(pid int, itself bool) {
	procfs.Walk(pid, itself, func(p procfs.Process, threads []int) {
		if itself && p.Group != pid || !itself && p.PID == pid {
			return
		}
		for _, thread := range threads {
			_ = unix.Tgkill(p.PID, thread, unix.SIGSTOP) // it may have ended
		}
	})
}

// each calls a function once for every thread of a process and its descendants, or of
// the descendants alone. It looks again until there are no new ones: a thread may start
// another before the function has been called for it.
func each(pid int, itself bool, do func(p procfs.Process, thread int)) {
	done := make(map[int]bool)
	const most = 10 // times, as a bot can start threads without end
	for more, n := true, 0; more && n < most; n++ {
		more = false
		procfs.Walk(pid, itself, func(p procfs.Process, threads []int) {
			for _, thread := range threads {
				if (itself || p.PID != pid) && !done[thread] {
					done[thread], more = true, true
					do(p, thread)
				}
			}
		})
	}
}
