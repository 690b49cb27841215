package guest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"sembra/arena/sandbox"
)

// Command starts a bot as a process.
type Command struct {
	Args []string // the program and its arguments; a program without a slash is looked up in PATH
	Dir  string   // the folder in which it runs, and from which a relative program with a slash is found
	Env  []string // its whole environment, NAME=value

	// Hidden are files and folders that it may not read in a sandbox, even in its
	// own folder.
	Hidden []string

	sandbox.Allowance
}

// Program returns the absolute path of the program, or an error that says why it
// cannot be executed.
func (c Command) Program() (string, error) {
	name := c.Args[0]
	inPath := !strings.ContainsRune(name, '/')
	if !inPath && !filepath.IsAbs(name) {
		name = filepath.Join(c.Dir, name)
	}
	path, err := exec.LookPath(name)
	if err == nil {
		return filepath.Abs(path)
	}
	switch {
	case slices.Contains([]string{".c", ".cpp", ".rs", ".java", ".go"}, filepath.Ext(name)):
		return "", fmt.Errorf("%s is source text (hint: compile it first, and name the program)", name)
	case inPath:
		if _, err := os.Stat(filepath.Join(c.Dir, name)); err == nil {
			return "", fmt.Errorf("%q is not in PATH (for the file in %s write %q)", name, c.Dir, "./"+name)
		}
		return "", fmt.Errorf("%q is not in PATH%s", name, c.hint())
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no file %s%s", name, c.hint())
	case errors.Is(err, fs.ErrPermission):
		return "", fmt.Errorf("%s is not an executable file (hint: chmod +x, or name its interpreter first, as in python3 bot.py)", name)
	}
	return "", err
}

// File returns the path of the file that an argument names; ok is false if it names none.
func (c Command) File(i int) (path string, ok bool) {
	path = c.Args[i]
	if program, err := c.Program(); i == 0 && err == nil {
		path = program
	} else if !filepath.IsAbs(path) {
		path = filepath.Join(c.Dir, path)
	}
	stat, err := os.Stat(path)
	return filepath.Clean(path), err == nil && stat.Mode().IsRegular()
}

// CleanEnvironment returns the variables that every bot gets: those that a
// program needs to find files and to write text, and no others of the user.
func CleanEnvironment() []string {
	var env []string
	for _, name := range []string{"PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "SystemRoot"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// FullEnvironment returns the clean environment with the variables of the entry. The error names one of EnvFrom that
// this program does not have.
func (e Entry) FullEnvironment() ([]string, error) {
	added := slices.Clone(e.Environment)
	for _, name := range e.EnvFrom {
		value, set := os.LookupEnv(name)
		if !set {
			return nil, fmt.Errorf("env_from names %q, which is not set in the environment of sembra", name)
		}
		added = append(added, name+"="+value)
	}
	env := CleanEnvironment()
	for _, variable := range added {
		name, _, _ := strings.Cut(variable, "=")
		inherited := func(entry string) bool { return strings.HasPrefix(entry, name+"=") }
		env = append(slices.DeleteFunc(env, inherited), variable)
	}
	return env, nil
}

// RunnerError is a failure of the runner itself, not of a bot.
type RunnerError struct{ Err error }

func (e *RunnerError) Error() string { return "the runner failed: " + e.Err.Error() }

func (e *RunnerError) Unwrap() error { return e.Err }

// AsRunnerError returns the error as a [*RunnerError] if the machine was short of something,
// else as it is. It is for all that the runner does before a bot runs: to read the
// program of a bot, to look at its folder, to ask a version manager.
func AsRunnerError(err error) error {
	if sandbox.IsShortage(err) && !errors.As(err, new(*RunnerError)) {
		return &RunnerError{err}
	}
	return err
}

// Launch starts the process in a process group of its own, and in the sandbox of
// the spawner, if it has one. It fails with a [*RunnerError] where the system has no
// process or file handle left.
func (c Command) Launch(ctx context.Context, n *Spawner) (bot Bot, err error) {
	program, err := c.Program()
	if err != nil {
		return nil, err
	}
	if stat, err := os.Stat(c.Dir); c.Dir != "" && (err != nil || !stat.IsDir()) {
		// The system's error would name the program.
		return nil, &ConfigError{Key: "dir", Err: errors.New("there is no folder " + c.Dir)}
	}
	ready, err := n.prepare(ctx, c, program)
	if err != nil {
		return nil, err
	}
	var ours, theirs [3]*os.File // standard input, output and error
	defer func() {
		closeAll(theirs[:])
		if bot == nil {
			closeAll(ours[:])
		}
	}()
	for i := range ours[:2] {
		if ours[i], theirs[i], err = pipe(i == 0); err != nil {
			return nil, &RunnerError{err}
		}
	}
	if ours[2], theirs[2], err = os.Pipe(); err != nil {
		return nil, &RunnerError{err}
	}
	p := &process{
		in: ours[0], out: ours[1], standardError: standardError{pipe: ours[2], over: make(chan struct{})},
		command: c, prepared: ready, filesHidden: n.sandbox.Holds(sandbox.Files),
	}
	if p.Process, err = ready.Process(n.processors); err != nil {
		return nil, &RunnerError{err}
	}
	p.cmd = p.Command()
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = theirs[0], theirs[1], theirs[2]
	if err = p.start(n); err != nil {
		return nil, err
	}
	go p.keep() // until standard error ends, or Stop closes it
	if !n.sandbox.Isolates() {
		p.watched = make(chan struct{})
		go p.watchExit() // until the process has exited
	}
	return p, nil
}

// closeAll closes those of the files that are open.
func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close() // it fails for nil
	}
}

// start starts the process and waits until the bot is executed. It fails with a
// [*sandbox.ExecError] if the program cannot be, else with a [*RunnerError].
func (p *process) start(n *Spawner) error {
	failed := n.start(p.Process)
	err := p.ConfirmStart(failed)
	if err == nil {
		return nil
	}
	if failed == nil {
		p.Kill()
		_ = p.Wait() // no bot has run
	}
	p.Close()
	if refused := new(sandbox.ExecError); errors.As(err, &refused) {
		return plainer(refused)
	}
	return &RunnerError{err}
}

// plainer returns the error without the program's name in its cause. It says what to
// do about a script without an interpreter.
func plainer(e *sandbox.ExecError) error {
	cause := e.Err
	if inner := new(fs.PathError); errors.As(cause, &inner) {
		cause = inner.Err
	}
	if wrong := badFirstLine(e.Program); wrong != "" {
		cause = fmt.Errorf("%w; %s", cause, wrong)
	} else if errors.Is(cause, syscall.ENOEXEC) {
		cause = fmt.Errorf("%w (hint: the command of a script begins with its interpreter, as in python3 bot.py)", cause)
	}
	return &sandbox.ExecError{Program: e.Program, Err: cause}
}

// process is a bot that runs as a process.
type process struct {
	*sandbox.Process
	standardError
	cmd     *exec.Cmd
	in, out *os.File // our ends
	stop    sync.Once
	stopped atomic.Bool   // Stop has been called
	ended   atomic.Bool   // its standard input or output is closed
	alone   bool          // it is known to have exited before Stop killed its processes
	watched chan struct{} // closed after watchExit; nil: it does not run

	deadline, arrived time.Time // of Read and Write, and when the last Read ended
	meanwhile         func()    // see [Bot.DuringRead]; nil: nothing is left to be done
	meanwhileAt       time.Time

	command     Command
	prepared    *sandbox.Prepared
	filesHidden bool // it sees no files but those that it was prepared for
}

// watchExit waits until the process has exited, and then kills what is left of its group: a process that the bot
// started could hold its standard output open and play on. A sandbox ends all of them at that time.
func (p *process) watchExit() {
	defer close(p.watched)
	if exited(p.cmd, true) {
		p.Kill()
	}
}

// Read reads nothing more if the last bytes arrived after the deadline: a bot that never stops to write gets no more
// time than others.
func (p *process) Read(b []byte) (n int, err error) {
	if !p.deadline.IsZero() && p.arrived.After(p.deadline) {
		return 0, os.ErrDeadlineExceeded
	}
	until := p.deadline
	if p.meanwhile != nil && p.meanwhileAt.Before(p.deadline) {
		until = p.meanwhileAt
	}
	n, err = p.read(b, until)
	if until != p.deadline && errors.Is(err, os.ErrDeadlineExceeded) {
		p.meanwhile()
		p.meanwhile = nil
		n, err = p.read(b, p.deadline)
	}
	p.arrived = time.Now()
	if err == io.EOF {
		p.ended.Store(true)
	}
	return n, err
}

func (p *process) Write(b []byte) (int, error) {
	n, err := p.write(b, p.deadline)
	if errors.Is(err, syscall.EPIPE) {
		p.ended.Store(true)
	}
	return n, err
}

func (p *process) Arrived() time.Time { return p.arrived }

func (p *process) SetDeadline(t time.Time) { p.deadline, p.meanwhile = t, nil }

func (p *process) DuringRead(at time.Time, do func()) { p.meanwhileAt, p.meanwhile = at, do }

func (p *process) Pending() (int, error) { return pending(p.out) }

func (p *process) InputRead() bool {
	unread, err := pending(p.in)
	return err != nil || unread == 0 || exited(p.cmd, false)
}

// Stop waits until standard output is closed and the process has exited, as
// long as the grace. The system may give the number of a process to another as
// soon as the process was waited for; so Stop kills the group before that.
func (p *process) Stop(grace time.Duration) {
	p.stop.Do(func() {
		p.stopped.Store(true)
		p.in.Close()
		if p.ended.Load() {
			grace = max(grace, exitWithin)
		}
		p.exit(grace)
		p.alone = runtime.GOOS == "linux" && exited(p.cmd, false)
		p.Kill()
		p.out.Close()
		if p.watched != nil {
			<-p.watched // it looks at the process, whose number is free after Wait
		}
		_ = p.Wait() // Exit returns the result
		p.Close()
		p.end()
	})
}

// exitWithin is how long a bot has to exit after its input or output is closed,
// so that its exit status is known. On a busy machine, a bot that crashes has exited
// only after more than a second.
const exitWithin = 5 * time.Second

// What a bot that has to exit may still do until it is killed, unless all of it is exiting.
const (
	mayUseAtEnd = 20 * time.Millisecond // of CPU time
	mayRunOn    = 50 * time.Millisecond // after its input or output is closed
)

// exit waits until the process has exited, and takes what it writes until then. It does not wait for a bot that works
// instead, because its opponent may be playing its next match.
func (p *process) exit(grace time.Duration) {
	const often = time.Millisecond
	begun := time.Now()
	before, _ := p.CPU()
	var rest [4 << 10]byte
	for now := begun; now.Sub(begun) < grace; now = time.Now() {
		used, _ := p.CPU()
		if (used-before > mayUseAtEnd || p.ended.Load() && now.Sub(begun) > mayRunOn) && !p.Exiting() {
			return
		}
		var err error
		for err == nil && time.Since(now) < often {
			_, err = p.read(rest[:], now.Add(often))
		}
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) && exited(p.cmd, false) {
			return
		}
		time.Sleep(time.Until(now.Add(often))) // there may be no more to read
	}
}

func (p *process) CloseInput() { p.in.Close() }

func (p *process) Exit() string {
	how := p.Process.Exit()
	if how == "signal: killed" && !p.alone { // most likely by Stop
		return ""
	}
	return how
}

// standardError is our end of a bot's standard error. It keeps the last bytes.
type standardError struct {
	pipe *os.File
	over chan struct{} // closed when nothing more comes

	mu        sync.Mutex // guards the fields below
	buffer    [keptBytes]byte
	kept      []byte
	written   int64 // in all
	unwatched int64 // the bytes at the end that no watcher got
	watcher   func(time.Time, []byte)
}

// keptBytes is how many bytes of a bot's standard error are kept.
const keptBytes = 8 << 10

// add is called with the lock held.
func (e *standardError) add(at time.Time, b []byte) {
	e.written += int64(len(b))
	if e.watcher != nil {
		e.watcher(at, b)
	} else {
		e.unwatched += int64(len(b))
	}
	e.kept = append(e.kept, b...)
	if over := len(e.kept) - keptBytes; over > 0 {
		e.kept = append(e.kept[:0], e.kept[over:]...)
	}
}

func (e *standardError) Stderr() (end []byte, left int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.kept), e.written - int64(len(e.kept))
}

func (e *standardError) Watch(f func(time.Time, []byte)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.watcher = f; f == nil {
		return
	}
	if missed := e.kept[max(0, int64(len(e.kept))-e.unwatched):]; len(missed) > 0 {
		f(time.Now(), missed)
	}
	e.unwatched = 0
}

// end waits until nothing more comes. Another process can hold standard error open after the bot is gone.
func (e *standardError) end() {
	const patience = 200 * time.Millisecond
	stop := time.AfterFunc(patience, func() { e.pipe.Close() })
	<-e.over
	stop.Stop()
	e.pipe.Close()
}
