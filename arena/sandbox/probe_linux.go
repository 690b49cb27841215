package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// probe is what the probing bot has to know.
type probe struct {
	TCP    string // an address on which the runner listens
	Runner int    // the number of the runner's process
	Spaces bool   // the bot has namespaces
}

// findings are the layers that do not hold, each with the reason. If the probing bot
// cannot continue, failed says why.
type findings map[Layer]string

const failedProbe Layer = "failed"

const (
	// The limits of the probing bot.
	probeMemory    = 512 << 20
	probeProcesses = 24
	probeTemp      = 1 << 20

	// The files that it knows, as it names them in its folder.
	insideFile = "inside"    // one that it must be able to read
	canary     = "../canary" // one that it may not read
	newFile    = "new"       // one that it may not make
)

// errSilent says that a probing bot has said nothing.
var errSilent = errors.New("a test bot did not answer")

// try runs the probing bot.
func (s *Sandbox) try(ctx context.Context) (findings, error) {
	folder, err := os.MkdirTemp(s.base, "probe-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	own := filepath.Join(folder, "own")
	// The permissions allow everything to everybody, so only the sandbox can keep the bot out.
	program := ""
	err = errors.Join(os.Mkdir(own, 0o700), os.Chmod(own, 0o777), os.Chmod(folder, 0o777),
		open(filepath.Join(own, insideFile)), open(filepath.Join(own, canary)))
	if err == nil {
		program, err = s.probeProgram(own)
	}
	if err != nil {
		return nil, err
	}
	p := probe{TCP: "127.0.0.1:9", Runner: os.Getpid(), Spaces: s.spaces}
	if l, err := net.Listen("tcp4", "127.0.0.1:0"); err == nil {
		defer l.Close()
		p.TCP = l.Addr().String()
	}
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	small := *s // with small limits
	small.limits = Limits{
		Memory: probeMemory, Processes: probeProcesses, Temp: probeTemp,
		Network: s.limits.Network, MemoryTotal: s.limits.MemoryTotal,
	}
	command, err := small.Prepare(ctx, Command{
		Program: program, Args: []string{program, probeWord, string(text)}, Dir: own,
	})
	if err != nil {
		return nil, err
	}
	found, err := command.observe(ctx)
	// While the probing bot has all the processes that it may have, Go may want a thread for
	// something else, and then the bot dies. That is rare.
	for again := 0; again < 2 && errors.Is(err, errSilent) && ctx.Err() == nil; again++ {
		found, err = command.observe(ctx)
	}
	if err == nil {
		s.judge(own, found)
	}
	return found, err
}

// judge adds to the findings what the runner sees itself, and what holds by design.
func (s *Sandbox) judge(own string, found findings) {
	for _, name := range []string{canary, insideFile} {
		if text, err := os.ReadFile(filepath.Join(own, name)); err != nil || string(text) != untouched {
			found[Files] = "a file of the user could be written"
		}
	}
	if _, err := os.Lstat(filepath.Join(own, newFile)); !errors.Is(err, fs.ErrNotExist) {
		found[Files] = "a file could be made in a folder of the user"
	}
	// A bot cannot end its init, and the kernel ends all processes of a namespace, or of a user, together.
	found[Leftovers] = ""
	if !s.ownID && !s.spaces {
		found[Leftovers] = "a process that starts others fast enough may outlive its bot"
	}
	if s.spaces {
		found[Signals] = "" // no other process has a number there
	} else {
		found[Disk] = "a folder has no limit of its own"
	}
	if found[Processes] != "" && !s.ownID {
		found[Processes] = "the kernel counts all processes of the user"
		if os.Geteuid() == 0 {
			found[Processes] = "the limit does not hold for root"
		}
	}
}

// untouched is the text of a file of the user.
const untouched = "untouched"

// open makes a file that everybody may read and write.
func open(path string) error {
	return errors.Join(os.WriteFile(path, []byte(untouched), 0o600), os.Chmod(path, 0o666))
}

// probeProgram returns the path of the program itself, or of a copy in a folder if a bot
// with a user id of its own could not execute it where it is, or if it was replaced.
func (s *Sandbox) probeProgram(folder string) (string, error) {
	program, err := os.Executable()
	if err == nil {
		program, err = filepath.EvalSymlinks(program)
	}
	if err == nil && (!s.ownID || s.closed(program, mayEnter|mayRead) == nil) {
		return program, nil
	}
	text, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "program")
	return path, errors.Join(os.WriteFile(path, text, 0o755), os.Chmod(path, 0o755))
}

// observe runs the probing bot, and returns what it has found.
func (p *Prepared) observe(ctx context.Context) (findings, error) {
	bot, err := p.Process(nil)
	if err != nil {
		return nil, err
	}
	defer bot.Close()
	const patience = 30 * time.Second // long enough for a busy machine
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var out, log bytes.Buffer
	cmd := bot.Command()
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &log, patience
	err = bot.ConfirmStart(bot.Start())
	if err != nil {
		if cmd.Process != nil {
			_ = bot.Wait() // it was killed
		}
		return nil, err
	}
	stop := context.AfterFunc(ctx, bot.Kill)
	defer stop()
	_ = bot.Wait() // Exit says more
	found := make(findings)
	if json.Unmarshal(out.Bytes(), &found) != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(log.String()), "\n")
		return nil, fmt.Errorf("%w: %s (%s)", errSilent, bot.Exit(), first)
	}
	if why := found[failedProbe]; why != "" {
		return nil, errors.New("a test bot failed: " + why)
	}
	return found, nil
}

// attempt makes the attempts of the probing bot, and reports what succeeded.
func attempt(task string) int {
	var p probe
	if err := json.Unmarshal([]byte(task), &p); err != nil {
		return 1
	}
	found := make(findings)
	if _, err := os.ReadFile(insideFile); err != nil {
		found[failedProbe] = "it could not read its own folder: " + err.Error()
	}
	if err := os.WriteFile(filepath.Join(os.Getenv("TMPDIR"), "own"), []byte("x"), 0o600); err != nil {
		found[failedProbe] = "it could not write to its temporary folder: " + err.Error()
	}
	for _, a := range p.attempts() {
		found[a.layer] += "" // it was tried
		if a.succeeds() {
			found[a.layer] = a.what
		}
	}
	// The runner checks later whether this has changed the user's files, or only the bot's view of them.
	for _, path := range []string{newFile, canary, insideFile} {
		_ = os.WriteFile(path, []byte("written"), 0o600)
	}
	if json.NewEncoder(os.Stdout).Encode(found) != nil {
		return 1
	}
	return 0
}

// escape is something that a layer has to keep a bot from.
type escape struct {
	layer    Layer
	what     string // happened if it succeeds
	succeeds func() bool
}

// attempts returns what the probing bot tries.
func (p *probe) attempts() []escape {
	all := []escape{
		{Files, "a file of the user could be read", func() bool { _, err := os.ReadFile(canary); return err == nil }},
		{Network, "the runner was reached", p.reaches},
		{Memory, "more memory was given than is allowed", takes(probeMemory+1, unix.MAP_PRIVATE)},
		{Memory, "shared memory was given", takes(32<<20, unix.MAP_SHARED)}, // which the limit does not count
	}
	if p.Spaces {
		all = append(all, escape{Disk, "more was written than is allowed", fills})
	} else {
		all = append(all,
			escape{Signals, "the runner could be signalled", func() bool { return unix.Kill(p.Runner, 0) == nil }},
			escape{Signals, "the runner could be traced", func() bool { return unix.PtraceSeize(p.Runner) == nil }})
	}
	return append(all, escape{Processes, "more were started than are allowed", multiplies})
}

// reaches reports whether the bot reaches the runner, even if that refuses the connection.
func (p *probe) reaches() bool {
	conn, err := net.Dial("tcp4", p.TCP)
	if err == nil {
		conn.Close()
	}
	kept := []error{unix.EACCES, unix.EPERM, unix.ENETUNREACH, unix.EAFNOSUPPORT}
	return !slices.ContainsFunc(kept, func(e error) bool { return errors.Is(err, e) })
}

// takes maps memory, and reports whether it could.
func takes(size, flags int) func() bool {
	return func() bool {
		b, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, flags|unix.MAP_ANON)
		return err == nil && unix.Munmap(b) == nil
	}
}

// fills reports whether the bot can write more than its temporary folder may hold.
func fills() bool {
	piece := make([]byte, 128<<10)
	for sum := 0; sum <= 2*probeTemp; sum += len(piece) {
		path := filepath.Join(os.Getenv("TMPDIR"), fmt.Sprint("fill", sum))
		if err := os.WriteFile(path, piece, 0o600); err != nil {
			return false
		}
	}
	return true
}

// multiplies starts children that exit immediately: a dead process counts until it is waited
// for. It reports whether there were more than are allowed. A child may only make raw
// system calls.
func multiplies() bool {
	begun := 0
	for ; begun <= probeProcesses; begun++ {
		pid, _, errno := syscall.RawSyscall6(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0, 0, 0, 0)
		if pid == 0 && errno == 0 {
			_, _, _ = syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0)
		}
		if errno != 0 {
			break
		}
	}
	for {
		if _, err := unix.Wait4(-1, nil, 0, nil); err != nil && !errors.Is(err, unix.EINTR) {
			return begun > probeProcesses
		}
	}
}
