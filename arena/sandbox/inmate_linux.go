package sandbox

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"sembra/arena/sandbox/procfs"
	"sembra/arena/sandbox/sandboxinit"
)

// boxed is a process of a bot that its parent, an init, isolates.
type boxed struct {
	spec
	cmd     *exec.Cmd
	folder  string     // to be removed
	theirs  []*os.File // to be closed when the init has them
	request []byte     // the task
	means   []string   // what an error of a step of the task means
	to      *os.File   // never call Fd on to or from: afterwards deadlines have no effect
	from    *os.File
	talking sync.Mutex // held during a conversation with the init; it guards the fields below
	over    bool       // the init has ended
	asked   uint64
	cpu     time.Duration
	own     time.Duration // of the init
	lost    bool          // it was killed when its processor time was not known
	exit    string

	running atomic.Bool // the bot was executed
	stopped atomic.Bool // a signal, which may be on its way, stops the bot

	mu     sync.Mutex // guards the fields below
	killed bool
	closed bool
	init   *os.Process
	greedy string        // why the bot was killed for its memory
	done   chan struct{} // closed at the end of a bot whose memory is watched
}

func (c *Cell) prepare() (Inmate, error) {
	i := &boxed{spec: spec{Jail: c.jail, command: c.command, view: c.view, owner: c.owner, temp: "/tmp"}}
	if err := i.prepare(c); err != nil {
		i.Close()
		return nil, err
	}
	return i, nil
}

func (i *boxed) prepare(c *Cell) (err error) {
	if len(i.limits.Hidden) > 0 && !i.mounts {
		if i.view, err = i.see(c); err != nil {
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
	if !i.mounts {
		if i.folder, err = os.MkdirTemp(i.base, "temp-"); err != nil {
			return err
		}
		i.temp = i.folder
		if i.ownID {
			if err := os.Chown(i.temp, int(i.id), int(i.id)); err != nil {
				return err
			}
		}
	}
	if i.control != nil { // the init has to be able to end what is frozen
		if i.group, err = i.control.Take(); err != nil {
			return err
		}
	}
	i.command.Env = setEnv(i.command.Env, i.temp, "HOME", "TMPDIR")

	fromRunner, to, err := os.Pipe()
	if err != nil {
		return err
	}
	i.to, i.theirs = to, []*os.File{fromRunner}
	from, toRunner, err := os.Pipe()
	if err != nil {
		return err
	}
	i.from, i.theirs = from, append(i.theirs, toRunner)
	task, err := i.task()
	if err != nil {
		return err
	}
	i.request, i.means = task.Encode(), meanings(task)
	var folder *os.File
	if i.group != nil && i.group.Folder() != "" {
		if folder, err = os.Open(i.group.Folder()); err != nil {
			return err
		}
		i.theirs = append(i.theirs, folder)
	}
	i.cmd = &exec.Cmd{
		Path: i.self, Args: []string{os.Args[0], sandboxinit.Word}, Dir: "/", Env: initEnv(),
		ExtraFiles: []*os.File{fromRunner, toRunner}, SysProcAttr: i.attributes(folder),
	}
	if i.noNet != nil {
		i.cmd.ExtraFiles = append(i.cmd.ExtraFiles, i.noNet)
	}
	if i.owner != nil {
		users, err := i.usersOf(*i.owner, i.id)
		if err != nil {
			return err
		}
		i.theirs = append(i.theirs, users)
		i.cmd.ExtraFiles = append(i.cmd.ExtraFiles, users)
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

func (i *boxed) Command() *exec.Cmd { return i.cmd }

func (i *boxed) Start() error { return i.cmd.Start() }

func (i *boxed) Wait() error { return i.cmd.Wait() }

func (i *boxed) Started(err error) error {
	for _, f := range i.theirs {
		f.Close()
	}
	i.theirs = nil
	if errors.Is(err, unix.ENOSPC) { // here it does not mean a full disk
		return errors.New("cannot start the jail's init: the system allows no more namespaces")
	}
	if err != nil {
		return fmt.Errorf("cannot start the jail's init: %w", err)
	}
	i.mu.Lock()
	i.init = i.cmd.Process
	killed := i.killed
	i.mu.Unlock()
	if killed {
		i.end()
	}
	if err = i.await(); err != nil {
		i.Kill()
		return err
	}
	if i.limits.FamilyMemory > 0 {
		i.done = make(chan struct{})
		go i.watch()
	}
	return nil
}

// await waits until the bot was executed.
func (i *boxed) await() error {
	i.talking.Lock()
	defer i.talking.Unlock()
	const patience = 30 * time.Second // only a busy machine needs more than a moment
	deadline := time.Now().Add(patience)
	if err := i.to.SetWriteDeadline(deadline); err == nil {
		_, _ = i.to.Write(i.request) // hear notices if the init has ended
		i.request = nil
	}
	said, err := i.hear(deadline)
	if i.over {
		return ErrEnded
	}
	if err != nil {
		return fmt.Errorf("the jail's init did not start the bot: %w", err)
	}
	switch errno := syscall.Errno(said[2]); said[0] {
	case sandboxinit.Failed:
		return fmt.Errorf("the jail's init failed: %s: %w", i.means[said[1]], errno)
	case sandboxinit.Refused:
		errno = syscall.Errno(said[1])
		if shortage(errno) {
			return fmt.Errorf("the jail's init failed: cannot execute the program: %w", errno)
		}
		return &ExecError{i.command.Program, errno}
	}
	i.own = time.Duration(said[1])
	i.running.Store(true)
	return nil
}

// hear returns the next message of the init, see [sandboxinit.Started].
func (i *boxed) hear(deadline time.Time) (said [4]uint64, err error) {
	if i.over {
		return said, ErrEnded
	}
	if err := i.from.SetReadDeadline(deadline); err != nil {
		return said, err
	}
	buf := make([]byte, 8*len(said))
	if _, err := io.ReadFull(i.from, buf); err != nil { // a pipe does not split so short a message
		i.over = !errors.Is(err, os.ErrDeadlineExceeded)
		return said, err
	}
	for n := range said {
		said[n] = binary.LittleEndian.Uint64(buf[8*n:])
	}
	if said[0] == sandboxinit.Exited { // kept for later
		i.cpu = max(i.cpu, time.Duration(said[2]))
		i.own = time.Duration(said[3])
		i.exit = describe(syscall.WaitStatus(said[1]))
	}
	return said, nil
}

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

// CPU reads the processes below the init. If a process ignores SIGCHLD, the times
// of its dead children are lost.
func (i *boxed) CPU() (time.Duration, bool) {
	i.talking.Lock()
	defer i.talking.Unlock()
	if !i.running.Load() {
		return 0, false
	}
	if i.over {
		return i.cpu, !i.lost
	}
	used, known := procfs.Family(i.init.Pid)
	i.cpu = max(i.cpu, used)
	return i.cpu, known
}

func (i *boxed) Memory() (bytes int64, known bool) { return procfs.Memory(i.cmd.Process.Pid, false) }

// Pause freezes the bot. Without a control group, it stops the bot by a signal.
func (i *boxed) Pause() {
	if i.freeze() {
		return
	}
	i.stopped.Store(true)
	i.signal(unix.SIGSTOP)
}

// freeze freezes a bot that has a group. It does not freeze a bot that was killed:
// in version 1, that would keep the bot from dying.
func (i *boxed) freeze() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.killed || i.group != nil && i.group.Freezes() && i.group.Freeze() == nil
}

func (i *boxed) Resume() {
	if i.group != nil && i.group.Freezes() {
		_ = i.group.Thaw() // it fails if the group is gone, and the bot with it
	}
	if i.stopped.Swap(false) {
		i.signal(unix.SIGCONT)
	}
}

// watch kills the bot when its processes together hold more memory than they may.
// Where a control group limits the memory, the kernel has then killed one of them.
func (i *boxed) watch() {
	tick := time.NewTicker(familyCheck)
	defer tick.Stop()
	for {
		select {
		case <-i.done:
			return
		case <-tick.C:
			if i.exceeds() {
				i.Kill()
				return
			}
		}
	}
}

// familyCheck is the time between two looks at the memory of a bot's family.
const familyCheck = 100 * time.Millisecond

// exceeds reports whether the processes of the bot have taken more memory than
// they may, and notes it.
func (i *boxed) exceeds() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.closed || i.limits.FamilyMemory <= 0 {
		return false
	}
	const text = "killed: its processes together took more memory than family_memory, %d MiB"
	allowed := i.limits.FamilyMemory
	if i.group != nil && i.control.Limits() > 0 {
		if i.group.Exceeded() {
			i.greedy = fmt.Sprintf(text, allowed>>20)
		}
	} else if held := procfs.Held(i.init.Pid, allowed); held > allowed && !i.killed {
		i.greedy = fmt.Sprintf(text+": they held %d MiB", allowed>>20, held>>20)
	}
	return i.greedy != ""
}

// Bind leaves the init where it is: it has to answer even if the bot keeps its
// processors busy.
func (i *boxed) Bind(processors []int) { bind(i.cmd.Process.Pid, false, processors) }

// signal sends a signal to all descendants of the init. It reports whether it knows
// that this is done.
func (i *boxed) signal(signal syscall.Signal) (done bool) {
	i.talking.Lock()
	defer i.talking.Unlock()
	switch {
	case !i.running.Load() || i.over:
		return false
	case i.spaces:
		return i.ask(signal)
	}
	all, _ := procfs.All() // without /proc, there is none to be signalled
	for _, b := range procfs.Below(i.init.Pid, all) {
		_ = unix.Kill(b.PID, signal) // it may have died
	}
	return true
}

// ask asks the init to send a signal, and waits for the answer: up to half a second
// on a busy machine. It reports whether the answer came.
func (i *boxed) ask(signal syscall.Signal) (answered bool) {
	const patience = 500 * time.Millisecond
	deadline := time.Now().Add(patience)
	i.asked++
	if err := i.to.SetWriteDeadline(deadline); err == nil {
		text := binary.LittleEndian.AppendUint64(nil, uint64(signal))
		_, _ = i.to.Write(binary.LittleEndian.AppendUint64(text, i.asked)) // hear notices if the init has ended
	}
	for !i.over {
		said, err := i.hear(deadline)
		if err == nil && said[0] == sandboxinit.Answered && said[1] == i.asked {
			return true
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return false
		}
	}
	return false
}

// Left counts nothing, because all that the bot started ends with it.
func (i *boxed) Left() (processes int, known bool) { return 0, false }

func (i *boxed) Exit() string {
	i.talking.Lock()
	defer i.talking.Unlock()
	i.drain()
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.greedy != "" {
		return i.greedy
	}
	return i.exit
}

// drain reads the last messages of an init, up to the end of the pipe, which comes
// with the end of the init. The deadline is generous: on a busy machine even the
// first read can come late, and a read after its deadline returns nothing.
func (i *boxed) drain() {
	const patience = time.Second
	deadline := time.Now().Add(patience)
	for i.running.Load() && !i.over {
		if _, err := i.hear(deadline); errors.Is(err, os.ErrDeadlineExceeded) {
			return
		}
	}
}

func (i *boxed) Kill() {
	i.mu.Lock()
	first := !i.killed && i.init != nil && !i.closed
	i.killed = true
	i.mu.Unlock()
	if first {
		i.tally()
		i.end()
	}
}

// tally notes the processor time of a bot that runs, before it is killed. When the init
// of a namespace is killed, the kernel ends the other processes without adding their
// times to those of the init.
func (i *boxed) tally() {
	if !i.spaces || !i.running.Load() { // a bot that was not executed has used none, and its start holds the lock
		return
	}
	_, known := i.CPU()
	i.talking.Lock()
	defer i.talking.Unlock()
	i.lost = !known && i.exit == ""
}

// end ends an init that was started.
func (i *boxed) end() {
	if i.spaces {
		_ = i.init.Kill() // it may have ended; all processes of its namespace end with it
		i.mu.Lock()
		defer i.mu.Unlock()
		if i.group != nil && i.group.Freezes() && !i.closed {
			_ = i.group.Thaw() // in version 1, what is frozen does not die
		}
		return
	}
	i.to.Close() // then the init kills the others, and ends
	const patience = 5 * time.Second
	init := i.init
	time.AfterFunc(patience, func() { _ = init.Kill() }) // usually it has ended by then
}

func (i *boxed) Close() {
	if i.group != nil && i.control.Limits() > 0 {
		i.exceeds() // for the last time: another bot may get the group
	}
	i.mu.Lock()
	closed := i.closed
	i.closed = true
	i.mu.Unlock()
	if closed {
		return
	}
	if i.done != nil {
		close(i.done)
	}
	i.talking.Lock()
	defer i.talking.Unlock()
	if i.from != nil {
		i.drain()
	}
	i.over = true
	if i.running.Load() && i.cmd.ProcessState != nil {
		state := i.cmd.ProcessState // of the init, including all that it reaped
		i.cpu = max(i.cpu, state.UserTime()+state.SystemTime()-i.own)
	}
	for _, f := range append(i.theirs, i.to, i.from) {
		if f != nil {
			f.Close()
		}
	}
	if i.group != nil {
		i.control.Give(i.group)
	}
	if i.folder != "" {
		_ = os.RemoveAll(i.folder) // Jail.Close removes what is left
	}
	if i.id != 0 {
		i.ids <- i.id
	}
}
