//go:build !linux

package jail

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// Jail is what this machine can give. It is safe for concurrent use.
type Jail struct {
	limits  Limits
	layers  Layers
	reasons map[string]string // why a layer does not hold
	nothing string            // instead of all reasons
	base    string
}

// New finds out what this machine can give to bots with these limits.
// It fails only where the runner itself does.
func New(_ context.Context, l Limits) (*Jail, error) {
	base, err := os.MkdirTemp("", "sembra-jail-")
	if err != nil {
		return nil, err
	}
	return &Jail{limits: l, base: base, nothing: "no isolation on " + runtime.GOOS + ": bots run with your rights"}, nil
}

// Close removes what the jail keeps on disk.
func (j *Jail) Close() error { return os.RemoveAll(j.base) }

// Cell is what is prepared once for a bot. It is safe for concurrent use.
type Cell struct {
	jail    *Jail
	command Command
}

// Cell prepares what the processes of a bot have in common. The error is one
// that the user can act on.
func (j *Jail) Cell(c Command) (*Cell, error) {
	if !filepath.IsAbs(c.Program) || !filepath.IsAbs(c.Dir) {
		return nil, fmt.Errorf("program %q and folder %q of a bot have to be absolute paths", c.Program, c.Dir)
	}
	return &Cell{j, c}, nil
}

// Inmate is one process of a bot.
type Inmate struct {
	// Cmd is to be given standard input, output and error and a WaitDelay,
	// and to be started by the caller, who tells [Inmate.Started] the result.
	Cmd *exec.Cmd

	temp    string
	mu      sync.Mutex
	started bool
	killed  bool
	closed  bool
	exit    string
}

// Prepare makes what one process of the bot needs. An error is the runner's own.
func (c *Cell) Prepare() (*Inmate, error) {
	temp, err := os.MkdirTemp(c.jail.base, "temp-")
	if err != nil {
		return nil, err
	}
	env := setEnv(c.command.Env, temp, tempVariables()...)
	return &Inmate{temp: temp, Cmd: &exec.Cmd{
		Path: c.command.Program, Args: c.command.Args, Dir: c.command.Dir, Env: env,
		SysProcAttr: attributes(),
	}}, nil
}

// Started is told what [exec.Cmd.Start] returned, right after it, and returns
// whether the bot was executed: an [*ExecError] if its program cannot be, or
// another error, which is the runner's own.
func (i *Inmate) Started(err error) error {
	if err != nil {
		return err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.started = true
	if i.killed {
		kill(i.Cmd.Process)
	}
	return nil
}

// CPU returns the processor time that the bot and all that it started have
// taken so far. It is not known on this system.
func (i *Inmate) CPU() (time.Duration, bool) { return 0, false }

// Pause stops the bot's process group until Resume, where the system can.
func (i *Inmate) Pause() { i.stir(pause) }

// Resume lets the bot's process group go on.
func (i *Inmate) Resume() { i.stir(resume) }

// stir does something to a process group that lives.
func (i *Inmate) stir(do func(*os.Process)) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.started && !i.killed && !i.closed {
		do(i.Cmd.Process)
	}
}

// Exit returns how the bot's own process exited, in the words of
// [os.ProcessState]. It is known after Close, unless the bot was killed.
func (i *Inmate) Exit() (state string, ok bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.exit, i.exit != ""
}

// Kill ends the bot and its process group. It does not wait, may be called from any
// goroutine, and more than once.
func (i *Inmate) Kill() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.killed = true
	if i.started && !i.closed {
		kill(i.Cmd.Process)
	}
}

// Close releases what is left. It is called after [exec.Cmd.Wait], or if the
// process could not be started.
func (i *Inmate) Close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.closed {
		return
	}
	i.closed = true
	if state := i.Cmd.ProcessState; state != nil && !i.killed {
		i.exit = state.String()
	}
	_ = os.RemoveAll(i.temp) // what is left goes with the jail
}

// Enter says that there is no init on this system.
func Enter() int {
	fmt.Fprintln(os.Stderr, "there is no jail on "+runtime.GOOS)
	return 1
}
