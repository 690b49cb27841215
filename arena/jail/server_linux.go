package jail

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"sembra/arena/jail/jailinit"
)

// server starts inits. It runs a fork server (see package jailinit), and starts
// another one if that dies.
type server struct {
	self  string // the program that is executed to be the fork server
	mu    sync.Mutex
	conn  *net.UnixConn // nil: no fork server is running
	said  *firstWords   // what the fork server wrote to standard error
	ended context.Context
	end   context.CancelFunc
}

func newServer(self string) *server {
	s := &server{self: self}
	s.ended, s.end = context.WithCancel(context.Background())
	return s
}

// fork starts an init for a task. The files are those of the init, in the order of
// their numbers. An error is a failure of the runner; see [ErrEnded].
func (s *server) fork(task []byte, files []*os.File) (*os.Process, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		if err := s.open(); err != nil {
			return nil, fmt.Errorf("cannot start the jail's fork server: %w", err)
		}
	}
	pid, errno, err := s.ask(task, files)
	if err != nil {
		s.conn.Close()
		s.conn = nil
		return nil, fmt.Errorf("%w: %w%s", ErrEnded, err, lastWords(s.said.text()))
	}
	if pid == 0 && errno == syscall.ENOSPC { // here it does not mean a full disk
		return nil, errors.New("cannot start the jail's init: the system allows no more namespaces")
	}
	if pid == 0 {
		return nil, fmt.Errorf("cannot start the jail's init: %w", errno)
	}
	return os.FindProcess(pid)
}

// ask sends a task to the fork server and returns its answer.
func (s *server) ask(task []byte, files []*os.File) (pid int, errno syscall.Errno, err error) {
	const patience = 30 * time.Second // only a busy machine needs more than a moment
	if err := s.conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return 0, 0, err
	}
	numbers := make([]int, len(files))
	for n, f := range files {
		numbers[n] = int(f.Fd())
	}
	const number = 8 // bytes
	_, _, err = s.conn.WriteMsgUnix(task[:number], unix.UnixRights(numbers...), nil)
	runtime.KeepAlive(files)
	if err == nil {
		_, err = s.conn.Write(task[number:])
	}
	var answer [jailinit.AnswerSize]byte
	if err == nil {
		_, err = io.ReadFull(s.conn, answer[:])
	}
	read := binary.LittleEndian.Uint64
	return int(read(answer[:])), syscall.Errno(read(answer[number:])), err
}

// open starts a fork server. The thread that starts it lives until Close, because
// it is the parent of all inits, and an init dies with it.
func (s *server) open() error {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "fork server"), os.NewFile(uintptr(pair[1]), "runner")
	defer ours.Close()
	defer theirs.Close()
	conn, err := net.FileConn(ours)
	if err != nil {
		return err
	}
	s.said = new(firstWords)
	cmd := &exec.Cmd{
		Path: s.self, Args: []string{os.Args[0], jailinit.Word}, Dir: "/", Env: serverEnv(),
		ExtraFiles: []*os.File{theirs}, Stderr: s.said,
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL},
	}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // it ends when its socket is closed
			<-s.ended.Done()
		}
	}()
	if err := <-started; err != nil {
		conn.Close()
		return err
	}
	s.conn = conn.(*net.UnixConn)
	return nil
}

// close ends the fork server. No init may be running. It may be called again.
func (s *server) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		s.conn.Close()
		s.conn = nil
	}
	s.end()
}

// serverEnv returns the environment of a fork server. It forks with one processor
// and without a garbage collector: no other thread changes what its inits get.
func serverEnv() []string {
	return []string{
		"GOMAXPROCS=1", "GOGC=off",
		"GORACE=atexit_sleep_ms=0", // makes a build with the race detector exit at once
	}
}

// firstWords keeps the beginning of what is written to it.
type firstWords struct {
	mu   sync.Mutex
	kept bytes.Buffer
}

func (w *firstWords) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	const most = 4 << 10
	w.kept.Write(b[:min(len(b), max(0, most-w.kept.Len()))])
	return len(b), nil
}

func (w *firstWords) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.kept.String()
}
