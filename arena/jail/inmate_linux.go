package jail

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Inmate is one process of a bot. Its methods may be called from any
// goroutine, but Started and Close once, in this order.
type Inmate struct {
	// Cmd is to be given standard input, output and error and a WaitDelay,
	// and to be started by the caller, on a thread that lives as long as the
	// bot may, who tells [Inmate.Started] the result.
	Cmd *exec.Cmd

	jail    *Jail
	spec    spec
	id      uint32
	temp    string // a folder to be removed
	theirs  []*os.File
	to      *os.File // never call Fd on our ends: it would end their deadlines
	from    *os.File
	talking sync.Mutex // held while the init is spoken with; it guards what follows
	rest    []byte     // a line that has not come to its end
	over    bool       // the init has ended
	running bool       // the bot was executed
	asked   int
	cpu     time.Duration
	own     time.Duration // of the init
	exit    string

	mu     sync.Mutex // guards what follows
	killed bool
	closed bool
	init   *os.Process
}

// Prepare makes what one process of the bot needs. An error is the runner's
// own, and leaves nothing behind.
func (c *Cell) Prepare() (*Inmate, error) {
	j := c.jail
	i := &Inmate{jail: j, spec: spec{
		way:     j.way,
		Program: c.command.Program, Args: c.command.Args, Dir: c.command.Dir,
		Places: c.places, Hidden: c.hidden, Exact: c.exact, Root: j.root(), Temp: "/tmp", TempSize: j.tempSize,
		Memory: j.limits.Memory, Processes: j.limits.Processes, Network: j.limits.Network, Landlock: j.landlock,
	}}
	if err := i.prepare(c); err != nil {
		i.Close()
		return nil, err
	}
	return i, nil
}

func (i *Inmate) prepare(c *Cell) error {
	j, s := i.jail, &i.spec
	if len(j.limits.Hidden) > 0 && !s.Mounts {
		v, err := j.see(c)
		if err != nil {
			return err
		}
		s.Places = v.places
	}
	if s.OwnID {
		id, err := j.ids.take()
		if err != nil {
			return err
		}
		i.id, s.ID = id, id
	}
	if !s.Mounts {
		temp, err := os.MkdirTemp(j.base, "temp-")
		if err != nil {
			return err
		}
		i.temp, s.Temp = temp, temp
		if s.OwnID {
			if err := os.Chown(temp, int(s.ID), int(s.ID)); err != nil {
				return err
			}
		}
	}
	s.Env = setEnv(c.command.Env, s.Temp, "HOME", "TMPDIR")

	theirIn, to, err := os.Pipe()
	if err != nil {
		return err
	}
	i.theirs, i.to = append(i.theirs, theirIn), to
	from, theirOut, err := os.Pipe()
	if err != nil {
		return err
	}
	i.theirs, i.from = append(i.theirs, theirOut), from

	attr := &syscall.SysProcAttr{Setpgid: true}
	if s.Spaces {
		attr.Pdeathsig = syscall.SIGKILL // without, it has to live to kill the others
		attr.Cloneflags = syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS
		if !s.Network && j.noNet == nil {
			attr.Cloneflags |= syscall.CLONE_NEWNET
		}
	}
	if s.Mounts {
		attr.Cloneflags |= syscall.CLONE_NEWNS
	}
	if s.User {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
		attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP} // to mount, and to give all of them up
	}
	i.Cmd = &exec.Cmd{
		Path: j.self, Args: []string{os.Args[0], Word}, Dir: "/",
		// It makes little garbage; and a build with the race detector is not to linger before it exits.
		Env:         []string{"GOMAXPROCS=2", "GOGC=off", "GORACE=atexit_sleep_ms=0"},
		ExtraFiles:  i.theirs,
		SysProcAttr: attr,
	}
	if j.noNet != nil {
		s.NoNet = true
		i.Cmd.ExtraFiles = append(slices.Clone(i.theirs), j.noNet)
	}
	return nil
}

// Started is told what [exec.Cmd.Start] returned, right after it, and returns
// whether the bot was executed: an [*ExecError] if its program cannot be, or
// another error, which is the runner's own. After an error nothing is left
// running; a command that was started is still to be waited for.
func (i *Inmate) Started(err error) error {
	for _, f := range i.theirs {
		f.Close()
	}
	i.theirs = nil
	if err != nil {
		return err
	}
	i.mu.Lock()
	i.init = i.Cmd.Process
	killed := i.killed
	i.mu.Unlock()
	if killed {
		i.end()
	}
	if err = i.await(); err != nil {
		i.Kill()
	}
	return err
}

// await sends the spec and waits until the bot was executed.
func (i *Inmate) await() error {
	i.talking.Lock()
	defer i.talking.Unlock()
	const patience = 10 * time.Second
	deadline := time.Now().Add(patience)
	text, err := json.Marshal(i.spec)
	if err != nil {
		return err
	}
	if err := i.to.SetWriteDeadline(deadline); err != nil {
		return fmt.Errorf("cannot speak with the jail's init: %w", err)
	}
	if _, err := i.to.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("cannot speak with the jail's init: %w", err)
	}
	for {
		what, rest, err := i.hear(deadline)
		switch {
		case err != nil:
			return fmt.Errorf("the jail's init did not start the bot: %w", err)
		case what == saidStarted:
			i.running = true
			i.own = nanoseconds(rest)
			return nil
		case what == saidRefused:
			errno, _ := strconv.Atoi(rest) // the init writes a number
			return &ExecError{i.spec.Program, syscall.Errno(errno)}
		case what == saidFailed:
			return errors.New("the jail's init failed: " + rest)
		}
	}
}

// hear returns the next line of the init: its first word, and the rest.
func (i *Inmate) hear(deadline time.Time) (what, rest string, err error) {
	for {
		if line, after, ok := strings.Cut(string(i.rest), "\n"); ok {
			i.rest = []byte(after)
			what, rest, _ = strings.Cut(line, " ")
			i.note(what, rest)
			return what, rest, nil
		}
		if i.over {
			return "", "", errors.New("it has ended")
		}
		if err := i.from.SetReadDeadline(deadline); err != nil {
			return "", "", err
		}
		buf := make([]byte, 512)
		n, err := i.from.Read(buf)
		i.rest = append(i.rest, buf[:n]...)
		if n == 0 && err != nil {
			if !errors.Is(err, os.ErrDeadlineExceeded) {
				i.over = true
			}
			return "", "", err
		}
	}
}

// note keeps what a line of the init says for later.
func (i *Inmate) note(what, rest string) {
	words := strings.Fields(rest)
	if len(words) != 3 || what != saidCPU && what != saidExit {
		return
	}
	i.cpu = max(i.cpu, nanoseconds(words[1]))
	i.own = max(i.own, nanoseconds(words[2]))
	if what == saidExit {
		status, _ := strconv.ParseUint(words[0], 10, 32) // the init writes a number
		i.exit = describe(syscall.WaitStatus(status))
	}
}

func nanoseconds(text string) time.Duration {
	n, _ := strconv.ParseInt(text, 10, 64) // the init writes a number
	return time.Duration(n)
}

// describe says how a process exited, in the words of [os.ProcessState].
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

// CPU returns the processor time that the bot and all that it started have
// taken so far. While the bot runs its init is asked, which on a busy machine may take half a second; it
// is not known if there is no answer. After Close it is the sum of all.
//
// A process whose parent does not want to know of its end takes the knowledge
// of its processor time with it, unless it lives when it is asked for.
func (i *Inmate) CPU() (time.Duration, bool) {
	i.talking.Lock()
	defer i.talking.Unlock()
	if !i.running {
		return 0, false
	}
	answered := i.ask(askCPU)
	return i.cpu, answered
}

// Pause stops the bot and all that it started until Resume, also what has left
// its process group.
func (i *Inmate) Pause() { i.order(askPause) }

// Resume lets the bot and all that it started go on.
func (i *Inmate) Resume() { i.order(askResume) }

// order asks the init to do something, and waits until it is done.
func (i *Inmate) order(question string) {
	i.talking.Lock()
	defer i.talking.Unlock()
	if i.running && !i.over {
		i.ask(question)
	}
}

// ask asks the init, and waits for its answer. One that is over has answered
// everything.
func (i *Inmate) ask(question string) (answered bool) {
	const patience = 500 * time.Millisecond
	deadline := time.Now().Add(patience)
	if !i.over {
		i.asked++
		if err := i.to.SetWriteDeadline(deadline); err == nil {
			_, _ = i.to.WriteString(question + " " + strconv.Itoa(i.asked) + "\n") // an init that is gone says so below
		}
	}
	for !i.over {
		what, rest, err := i.hear(deadline)
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			return false
		case err == nil && (what == saidCPU || what == saidDone) && strings.HasPrefix(rest, strconv.Itoa(i.asked)+" "):
			return true
		}
	}
	return true
}

// Exit returns how the bot's own process exited, in the words of
// [os.ProcessState]. It is known after the command was waited for, unless the
// bot was killed before it exited.
func (i *Inmate) Exit() (state string, ok bool) {
	i.talking.Lock()
	defer i.talking.Unlock()
	i.drain()
	return i.exit, i.exit != ""
}

// drain hears what an init has said before its end.
func (i *Inmate) drain() {
	const patience = 20 * time.Millisecond
	deadline := time.Now().Add(patience)
	for i.running && !i.over {
		if _, _, err := i.hear(deadline); errors.Is(err, os.ErrDeadlineExceeded) {
			return
		}
	}
}

// Kill ends the bot, its init and all that they started. It does not wait, may
// be called from any goroutine, and more than once.
func (i *Inmate) Kill() {
	i.mu.Lock()
	first := !i.killed && i.init != nil && !i.closed
	i.killed = true
	i.mu.Unlock()
	if first {
		i.end()
	}
}

// end ends an init that was started.
func (i *Inmate) end() {
	if i.spec.Spaces {
		_ = i.init.Kill() // it may have ended; all of its namespace end with it
		return
	}
	i.to.Close() // and it kills the others, and ends
	const patience = 5 * time.Second
	init := i.init
	time.AfterFunc(patience, func() { _ = init.Kill() }) // it will have ended
}

// Close releases what is left. It is called after [exec.Cmd.Wait], or if the
// command could not be started or never was.
func (i *Inmate) Close() {
	i.mu.Lock()
	closed := i.closed
	i.closed = true
	i.mu.Unlock()
	if closed {
		return
	}
	i.talking.Lock()
	defer i.talking.Unlock()
	if i.from != nil {
		i.drain()
	}
	i.over = true
	if i.running && i.Cmd.ProcessState != nil {
		state := i.Cmd.ProcessState // of the init, with all that was reaped below it
		i.cpu = max(i.cpu, state.UserTime()+state.SystemTime()-i.own)
	}
	for _, f := range append(i.theirs, i.to, i.from) {
		if f != nil {
			f.Close()
		}
	}
	if i.temp != "" {
		_ = os.RemoveAll(i.temp) // what is left goes with the jail
	}
	if i.id != 0 {
		i.jail.ids.giveBack(i.id)
	}
}
