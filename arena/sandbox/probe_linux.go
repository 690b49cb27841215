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
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// probe is what the probing bot tries.
type probe struct {
	Inside  string // a file that it must be able to read
	Own     string // its folder
	Canary  string // a file that it may not read
	Outside string // a folder in which it may not write
	TCP     string // an address on which the runner listens
	Runner  int    // the number of the runner's process
	Spaces  bool   // it has namespaces
}

// findings are the layers that do not hold, each with the reason. If the probing bot
// cannot go on, failed says why.
type findings map[string]string

const (
	// The limits of the probing bot.
	probeMemory    = 512 << 20
	probeProcesses = 24
	probeTemp      = 1 << 20
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
	p := probe{
		Inside: filepath.Join(own, "inside"), Own: own, Canary: filepath.Join(folder, "canary"), Outside: folder,
		TCP: "127.0.0.1:9", Runner: os.Getpid(), Spaces: s.spaces,
	}
	// The permissions allow everything to everybody, so only the sandbox can keep the bot out.
	program := ""
	err = errors.Join(os.Mkdir(own, 0o700), os.Chmod(own, 0o777), os.Chmod(folder, 0o777), open(p.Inside), open(p.Canary))
	if err == nil {
		program, err = s.probeProgram(own)
	}
	if err != nil {
		return nil, err
	}
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
		Network: s.limits.Network, FamilyMemory: s.limits.FamilyMemory,
	}
	command, err := small.Prepare(ctx, Command{
		Program: program, Args: []string{program, probeWord, string(text)}, Dir: own, Env: []string{"PATH=/usr/bin:/bin"},
	})
	if err != nil {
		return nil, err
	}
	found, err := command.observe(ctx)
	// While the probing bot has all the processes that it may have, Go may want a thread for something else, and then the
	// bot dies. That is rare.
	for again := 0; again < 2 && errors.Is(err, errSilent) && ctx.Err() == nil; again++ {
		found, err = command.observe(ctx)
	}
	if err != nil {
		return nil, err
	}
	s.judge(p, found)
	return found, nil
}

// judge adds to the findings what the runner sees itself, and what holds by design.
func (s *Sandbox) judge(p probe, found findings) {
	for _, path := range []string{p.Canary, p.Inside} {
		if text, err := os.ReadFile(path); err != nil || string(text) != untouched {
			found["files"] = "a file of the user could be written"
		}
		if _, err := os.Lstat(filepath.Join(filepath.Dir(path), "new")); !errors.Is(err, fs.ErrNotExist) {
			found["files"] = "a file could be made in a folder of the user"
		}
	}
	if s.ownID || s.spaces {
		// A bot cannot end its init, and the kernel ends all processes of a namespace, or of a user, at once.
	} else {
		found["family"] = "a process that starts others fast enough may outlive its bot"
	}
	if found["processes"] != "" && !s.ownID {
		found["processes"] = "the kernel counts all processes of the user"
		if os.Geteuid() == 0 {
			found["processes"] = "the limit does not hold for root"
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
	bot, err := p.Process()
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
	err = bot.Started(bot.Start())
	if err != nil {
		if cmd.Process != nil {
			_ = bot.Wait() // it was killed
		}
		return nil, err
	}
	stop := context.AfterFunc(ctx, bot.Kill)
	defer stop()
	_ = bot.Wait() // Exit tells more
	found := make(findings)
	if json.Unmarshal(out.Bytes(), &found) != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(log.String()), "\n")
		return nil, fmt.Errorf("%w: %s (%s)", errSilent, bot.Exit(), first)
	}
	if why := found["failed"]; why != "" {
		return nil, errors.New("a test bot failed: " + why)
	}
	return found, nil
}

// attempt makes the attempts of the probing bot, and tells what succeeded.
func attempt(task string) int {
	var p probe
	if err := json.Unmarshal([]byte(task), &p); err != nil {
		return 1
	}
	found := make(findings)
	p.files(found)
	p.network(found)
	memory(found)
	if p.Spaces { // no other process has a number in the namespace
		disk(found)
	} else {
		p.signals(found)
		found["disk"] = "a folder has no limit of its own"
	}
	processes(found)
	text, err := json.Marshal(found)
	if err == nil {
		_, err = os.Stdout.Write(text)
	}
	if err != nil {
		return 1
	}
	return 0
}

func (p *probe) files(found findings) {
	if _, err := os.ReadFile(p.Inside); err != nil {
		found["failed"] = "it could not read its own folder: " + err.Error()
	}
	if err := os.WriteFile(filepath.Join(os.Getenv("TMPDIR"), "own"), []byte("x"), 0o600); err != nil {
		found["failed"] = "it could not write to its temporary folder: " + err.Error()
	}
	if _, err := os.ReadFile(p.Canary); err == nil {
		found["files"] = "a file of the user could be read"
	}
	// The runner checks later whether this has changed the user's files, or only the bot's view of them.
	for _, path := range []string{p.Canary, p.Inside, filepath.Join(p.Outside, "new"), filepath.Join(p.Own, "new")} {
		_ = os.WriteFile(path, []byte("written"), 0o600)
	}
}

func (p *probe) network(found findings) {
	conn, err := net.Dial("tcp4", p.TCP)
	if err == nil {
		conn.Close()
	}
	for _, kept := range []error{unix.EACCES, unix.EPERM, unix.ENETUNREACH, unix.EAFNOSUPPORT} {
		if errors.Is(err, kept) {
			return
		}
	}
	found["network"] = "the runner was reached" // also by a connection that is refused
}

func memory(found findings) {
	taken := func(what string, size, flags int) {
		b, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, flags)
		if err == nil {
			found["memory"] = what
			_ = unix.Munmap(b) // it was mapped
		}
	}
	const piece = 32 << 20
	taken("more memory was given than is allowed", probeMemory+1, unix.MAP_PRIVATE|unix.MAP_ANON)
	// The limit does not count the following kinds of memory.
	taken("shared memory was given", piece, unix.MAP_SHARED|unix.MAP_ANON)
	taken("memory of a stack was given", piece, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_GROWSDOWN)
	if fd, err := unix.MemfdCreate("probe", 0); err == nil {
		found["memory"] = "a file in memory was given"
		unix.Close(fd)
	}
}

func (p *probe) signals(found findings) {
	if err := unix.Kill(p.Runner, 0); err == nil {
		found["signals"] = "the runner could be signalled"
	}
	if err := unix.PtraceSeize(p.Runner); err == nil {
		found["signals"] = "the runner could be traced"
	}
}

func disk(found findings) {
	piece := make([]byte, 128<<10)
	for sum := 0; sum <= 2*probeTemp; sum += len(piece) {
		path := filepath.Join(os.Getenv("TMPDIR"), fmt.Sprint("fill", sum))
		if err := os.WriteFile(path, piece, 0o600); err != nil {
			return
		}
	}
	found["disk"] = "more was written than is allowed"
}

// processes starts children that exit at once: a dead process counts until it is waited
// for. A child may only make raw system calls.
func processes(found findings) {
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
	if begun > probeProcesses {
		found["processes"] = fmt.Sprintf("%d were started where %d are allowed", begun, probeProcesses)
	}
	for {
		if _, err := unix.Wait4(-1, nil, 0, nil); err != nil && !errors.Is(err, unix.EINTR) {
			return
		}
	}
}
