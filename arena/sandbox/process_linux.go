package sandbox

import (
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"sembra/arena/sandbox/procfs"
)

// isolated is a process of a bot that its parent, an init, isolates.
type isolated struct {
	*Sandbox
	task    task
	cmd     *exec.Cmd
	id      uint32     // the bot's own user and group id; 0: none
	temp    string     // a folder to be removed
	group   *group     // nil: none
	theirs  []*os.File // to be closed when the init has them
	to      *os.File   // never call Fd on to or from: afterwards deadlines have no effect
	from    *os.File
	reports *gob.Decoder // reads from

	mu      sync.Mutex // guards the fields below
	running bool       // the bot was executed
	killed  bool
	alone   bool          // the bot had exited before that
	waited  bool          // the number of the init may belong to another process
	closed  bool          // nothing of the process is left
	cpu     time.Duration // of the bot, as known last
	known   bool
	own     time.Duration // of the init, until it executed the bot
	exit    string
	done    chan struct{} // closed at the end of a bot whose memory is watched; nil: it is not
}

func (p *Prepared) isolated() (Process, error) {
	i := &isolated{Sandbox: p.sandbox}
	if err := i.prepare(p); err != nil {
		i.Close()
		return nil, err
	}
	return i, nil
}

func (i *isolated) prepare(p *Prepared) (err error) {
	view := p.view
	if len(i.limits.Hidden) > 0 && !i.spaces {
		if view, err = p.see(); err != nil {
			return err
		}
	}
	if i.ownID {
		select {
		case i.id = <-i.ids:
		default:
			return fmt.Errorf("no user id is free: %d bots are running", blockOfIDs)
		}
	}
	temp := "/tmp"
	if !i.spaces {
		if i.temp, err = os.MkdirTemp(i.base, "temp-"); err == nil && i.ownID {
			err = os.Chown(i.temp, int(i.id), int(i.id))
		}
		temp = i.temp
	}
	if err == nil && i.groups != nil {
		i.group, err = i.groups.create()
	}
	if err != nil {
		return err
	}
	fromRunner, to, err := os.Pipe()
	if err != nil {
		return err
	}
	i.to, i.theirs = to, []*os.File{fromRunner}
	from, toRunner, err := os.Pipe()
	if err != nil {
		return err
	}
	i.from, i.reports, i.theirs = from, gob.NewDecoder(from), append(i.theirs, toRunner)
	if p.owner != nil {
		users, err := i.usersOf(*p.owner, i.id)
		if err != nil {
			return err
		}
		i.theirs = append(i.theirs, users)
	}
	i.task = task{
		Program: p.command.Program, Args: p.command.Args, Env: setEnv(p.command.Env, temp, "HOME", "TMPDIR"),
		Dir: p.command.Dir, ID: int(i.id), Root: i.root(), Temp: temp, Limits: i.limits,
		Spaces: i.spaces, Landlock: i.landlock, Places: view.places, Hidden: view.hidden,
	}
	i.cmd = &exec.Cmd{
		Path: i.self, Args: []string{os.Args[0], initWord}, Dir: "/", Env: initEnv(),
		ExtraFiles: i.theirs, SysProcAttr: i.attributes(),
	}
	return nil
}

// initEnv returns the environment of an init. It has little to do, and no garbage
// worth collecting.
func initEnv() []string {
	return []string{
		"GOMAXPROCS=1", "GOGC=off",
		"GORACE=atexit_sleep_ms=0", // makes a build with the race detector exit at once
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

func (i *isolated) Command() *exec.Cmd { return i.cmd }

func (i *isolated) Start() error { return i.cmd.Start() }

func (i *isolated) Started(err error) error {
	for _, f := range i.theirs {
		f.Close()
	}
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
	i.mu.Lock()
	defer i.mu.Unlock()
	i.running = true
	if i.killed {
		i.end()
	}
	if _, limits := i.control(); i.limits.FamilyMemory > 0 && !limits {
		i.done = make(chan struct{})
		go i.watch()
	}
	return nil
}

// await waits until the bot was executed.
func (i *isolated) await() error {
	const patience = 30 * time.Second // only a busy machine needs more than a moment
	deadline := time.Now().Add(patience)
	err := errors.Join(i.to.SetWriteDeadline(deadline), i.from.SetReadDeadline(deadline))
	if err != nil {
		return err
	}
	_ = gob.NewEncoder(i.to).Encode(&i.task) // reading notices if the init has ended
	i.task = task{Program: i.task.Program}
	var r report
	switch err := i.reports.Decode(&r); {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("the sandbox's init did not start the bot: %w", err)
	case err != nil:
		return ErrEnded
	case r.Refused && !shortage(r.Errno):
		return &ExecError{i.task.Program, r.Errno}
	case r.Failed != "":
		return fmt.Errorf("the sandbox's init failed: %s: %w", r.Failed, r.Errno) // each failure is one of a system call
	}
	i.own = r.Own
	return nil
}

// Wait waits for the init, which reports last how the bot has exited.
func (i *isolated) Wait() error {
	err := i.cmd.Wait()
	i.mu.Lock()
	defer i.mu.Unlock()
	i.waited = true
	i.measure()
	const patience = time.Second // the report is there, or never comes
	for i.running && i.hear(patience) {
	}
	if i.exit == "" && i.group != nil && i.group.exceeded() {
		i.exit = fmt.Sprintf(tooMuch, i.limits.FamilyMemory>>20)
	}
	return err
}

// hear reads the next report of the init of a bot that runs, and tells whether another
// one may follow. Its lock is held.
func (i *isolated) hear(patience time.Duration) (more bool) {
	var r report
	_ = i.from.SetReadDeadline(time.Now().Add(patience))
	if i.reports.Decode(&r) != nil {
		return false
	}
	if !r.Exited {
		return true
	}
	i.cpu, i.known = max(i.cpu, r.CPU), true
	killed := i.killed && !i.alone && r.Status.Signaled() && r.Status.Signal() == unix.SIGKILL
	if i.exit == "" && !killed {
		i.exit = describe(r.Status)
	}
	return false
}

// tooMuch says why a bot was killed.
const tooMuch = "killed: its processes together took more memory than family_memory, %d MiB"

// describe tells how a process exited, in the words of [os.ProcessState].
func describe(status syscall.WaitStatus) string {
	text := ""
	switch {
	case status.Exited():
		return "exit status " + strconv.Itoa(status.ExitStatus())
	case status.Signaled():
		text = "signal: " + status.Signal().String()
	}
	if status.CoreDump() {
		text += " (core dumped)"
	}
	return text
}

func (i *isolated) CPU() (time.Duration, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.measure()
	return i.cpu, i.known
}

// measure reads the processor time of a bot that runs: that of its control group, less
// what the init used, or that of all processes below the init. Its lock is held.
func (i *isolated) measure() {
	used, known := time.Duration(0), false
	switch {
	case !i.running || i.closed:
		return
	case i.group != nil:
		used, known = i.group.used()
		used -= i.own
	case i.waited:
		return
	default:
		used, known = procfs.CPU(i.cmd.Process.Pid, false)
	}
	i.cpu, i.known = max(i.cpu, used), i.known || known
}

func (i *isolated) IgnoresChildren() bool {
	return i.group == nil && procfs.IgnoresChildren(i.cmd.Process.Pid)
}

func (i *isolated) Memory() (bytes int64, known bool) { return procfs.Memory(i.cmd.Process.Pid, false) }

func (i *isolated) Pause() { i.stop(true) }

func (i *isolated) Resume() { i.stop(false) }

// stop stops the bot or lets it go on: by its control group, which stops the init too,
// or by a signal to all descendants of the init.
func (i *isolated) stop(stop bool) {
	signal := map[bool]syscall.Signal{true: unix.SIGSTOP, false: unix.SIGCONT}[stop]
	switch {
	case i.group != nil:
		i.group.freeze(stop)
	case !i.spaces:
		signalBelow(i.cmd.Process.Pid, signal)
	default:
		i.ask(signal)
	}
}

// ask asks the init to send a signal to all processes of its namespace, and waits for
// the answer, which only a busy machine delays.
func (i *isolated) ask(signal syscall.Signal) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if !i.running || i.killed || i.exit != "" {
		return
	}
	const patience = 5 * time.Second
	_ = i.to.SetWriteDeadline(time.Now().Add(patience))
	if _, err := i.to.Write([]byte{byte(signal)}); err == nil {
		i.hear(patience)
	}
}

// watch kills the bot when its processes together hold more memory than they may.
func (i *isolated) watch() {
	const often = 100 * time.Millisecond
	tick := time.NewTicker(often)
	defer tick.Stop()
	for {
		select {
		case <-i.done:
			return
		case <-tick.C:
			i.mu.Lock()
			allowed := i.limits.FamilyMemory
			if i.waited || i.killed {
				i.mu.Unlock()
				return
			}
			held := procfs.Held(i.cmd.Process.Pid, allowed)
			if held > allowed {
				i.exit = fmt.Sprintf(tooMuch+": they held %d MiB", allowed>>20, held>>20)
				i.kill()
			}
			i.mu.Unlock()
		}
	}
}

// Bind leaves the init where it is: it has to notice the end of the bot even if the bot
// keeps its processors busy.
func (i *isolated) Bind(processors []int) { bind(i.cmd.Process.Pid, false, processors) }

func (i *isolated) Exit() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.exit
}

func (i *isolated) Kill() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.kill()
}

// kill ends a bot that runs, and keeps another from being started. Its lock is held.
func (i *isolated) kill() {
	if i.running && !i.killed && !i.waited {
		i.measure() // the kernel does not add the times of what it ends together with an init
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PID, i.cmd.Process.Pid, &info, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
		i.alone = err == nil && info.Signo != 0
		i.end()
	}
	i.killed = true
}

// end ends the init of a bot that runs. With namespaces, all processes end with it.
func (i *isolated) end() {
	if i.spaces {
		_ = i.cmd.Process.Kill() // it may have ended
		return
	}
	i.to.Close() // then the init kills the others, and ends
	const patience = 5 * time.Second
	time.AfterFunc(patience, func() { _ = i.cmd.Process.Kill() }) // usually it has ended by then
}

func (i *isolated) Close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.closed {
		return
	}
	i.measure()
	i.closed, i.waited = true, true
	if i.done != nil {
		close(i.done)
	}
	for _, f := range append(i.theirs, i.to, i.from) {
		f.Close() // it fails for nil
	}
	if i.group != nil {
		i.group.remove()
	}
	if i.temp != "" {
		_ = os.RemoveAll(i.temp) // Sandbox.Close removes what is left
	}
	if i.id != 0 {
		i.ids <- i.id
	}
}
