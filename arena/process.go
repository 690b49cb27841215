package arena

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Command starts a bot as a process.
type Command struct {
	Args []string // the program and its arguments; a program without a slash is looked for in PATH
	Dir  string   // where it runs, and where a relative program with a slash is
	Env  []string // its whole environment, NAME=value
}

// Program returns the absolute path of the program, or an error that says why
// there is none to be executed.
func (c Command) Program() (string, error) {
	name := c.Args[0]
	if !strings.ContainsRune(name, '/') {
		path, err := exec.LookPath(name)
		if err == nil {
			return filepath.Abs(path)
		}
		if _, statErr := os.Stat(filepath.Join(c.Dir, name)); statErr == nil {
			return "", fmt.Errorf("%q is not in PATH (for the file in %s write %q)", name, c.Dir, "./"+name)
		}
		return "", fmt.Errorf("%q is not in PATH", name)
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(c.Dir, name)
	}
	path, err := exec.LookPath(name)
	switch {
	case err == nil:
		return filepath.Abs(path)
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no file %s", name)
	case errors.Is(err, fs.ErrPermission):
		return "", fmt.Errorf("%s is not an executable file (hint: chmod +x, or name its interpreter first)", name)
	}
	return "", fmt.Errorf("cannot execute %s: %w", name, err)
}

// CleanEnvironment returns what every bot finds in its environment: what is
// needed to find programs and files and to write text, and nothing else of the
// user's.
func CleanEnvironment() []string {
	var env []string
	for _, name := range []string{"PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "SystemRoot"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// RunnerError is a failure of the runner's own, not of a bot.
type RunnerError struct{ Err error }

func (e *RunnerError) Error() string { return "the runner failed: " + e.Err.Error() }

func (e *RunnerError) Unwrap() error { return e.Err }

// Launch starts the process in a process group of its own. It fails with a
// [*RunnerError] where the system has no process or file handle left.
func (c Command) Launch(n *Nursery) (Bot, error) {
	program, err := c.Program()
	if err != nil {
		return nil, err
	}
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, &RunnerError{err}
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		childIn.Close()
		in.Close()
		return nil, &RunnerError{err}
	}

	p := &process{in: in, out: out}
	p.cmd = &exec.Cmd{
		Path: program, Args: c.Args, Dir: c.Dir, Env: c.Env,
		Stdin: childIn, Stdout: childOut, Stderr: &p.log,
		SysProcAttr: processAttributes(),
		// A grandchild can hold standard error open after the bot is gone.
		WaitDelay: 200 * time.Millisecond,
	}
	err = n.start(p.cmd)
	childIn.Close()
	childOut.Close()
	if err != nil {
		in.Close()
		out.Close()
		for _, short := range []error{syscall.EAGAIN, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE} {
			if errors.Is(err, short) {
				return nil, &RunnerError{err}
			}
		}
		if stat, statErr := os.Stat(c.Dir); c.Dir != "" && (statErr != nil || !stat.IsDir()) {
			return nil, fmt.Errorf("there is no folder %s", c.Dir) // the system's error names the program
		}
		return nil, fmt.Errorf("cannot execute %s: %w", program, err)
	}
	return p, nil
}

// process is a bot that runs as a process.
type process struct {
	cmd     *exec.Cmd
	in, out *os.File // our ends; never call Fd on them: it would end their deadlines
	log     tail
	arrived time.Time
	instant bool // the last bytes came instantly
	stop    sync.Once
}

func (p *process) Read(b []byte) (int, error) {
	begun := time.Now()
	n, err := p.read(b)
	p.arrived = time.Now()
	p.instant = p.arrived.Sub(begun) < instantly
	return n, err
}

// instantly is how fast an answer has to be for the arena to look for the next
// one of the same bot a few times before it goes to sleep.
const instantly = 100 * time.Microsecond

func (p *process) Write(b []byte) (int, error) { return p.in.Write(b) }

func (p *process) Arrived() time.Time { return p.arrived }

func (p *process) SetDeadline(t time.Time) error {
	return errors.Join(p.in.SetWriteDeadline(t), p.out.SetReadDeadline(t))
}

func (p *process) Pending() (int, error) { return pending(p.out) }

func (p *process) Log() []byte { return p.log.bytes() }

// Stop waits with the grace until standard output is closed and the process
// has exited. The process is only waited for at the end, so that the number of
// its group cannot have been given to another when the group is killed.
func (p *process) Stop(grace time.Duration) {
	p.stop.Do(func() {
		p.in.Close()
		if grace > 0 {
			deadline := time.Now().Add(grace)
			p.out.SetReadDeadline(deadline)
			_, _ = io.Copy(io.Discard, p.out)
			for !exited(p.cmd) && time.Now().Before(deadline) {
				time.Sleep(5 * time.Millisecond)
			}
		}
		killGroup(p.cmd)
		p.out.Close()
		_ = p.cmd.Wait() // what it returns is asked for in Exit
	})
}

func (p *process) Exit() string {
	// A bot that was killed was most likely killed by Stop.
	if state := p.cmd.ProcessState; state != nil && state.String() != killed {
		return state.String()
	}
	return ""
}

// killed is the state of a process that was ended by SIGKILL.
const killed = "signal: killed"

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

// tailSize is how many bytes of a bot's standard error are kept.
const tailSize = 8 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	if n > tailSize {
		b = b[n-tailSize:]
	}
	if over := len(t.kept) + len(b) - tailSize; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	t.kept = append(t.kept, b...)
	return n, nil
}

func (t *tail) bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]byte(nil), t.kept...)
}
