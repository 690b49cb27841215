package arena

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// processAttributes puts a bot in a process group of its own, so that Ctrl-C
// does not reach it and its children can be killed with it, and lets it die
// with the arena.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// pending returns how many bytes wait in a pipe.
func pending(f *os.File) (n int, err error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return 0, err
	}
	controlErr := conn.Control(func(fd uintptr) {
		n, err = unix.IoctlGetInt(int(fd), unix.TIOCINQ)
	})
	if controlErr != nil {
		return 0, controlErr
	}
	return n, err
}

// exited reports whether a process has exited. It does not wait for it.
func exited(cmd *exec.Cmd) bool {
	var info unix.Siginfo
	err := unix.Waitid(unix.P_PID, cmd.Process.Pid, &info, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
	return err != nil || info.Signo != 0
}

// cpuTimeOf returns the processor time of a process, without its children.
func cpuTimeOf(pid int) (time.Duration, bool) {
	var used unix.Timespec
	processClock := int32(^pid)<<3 | 2 // as clock_getcpuclockid(3) makes it
	if err := unix.ClockGettime(processClock, &used); err != nil {
		return 0, false
	}
	return time.Duration(used.Nano()), true
}

// othersInGroup counts the living processes of a group beside its leader.
func othersInGroup(leader int) (processes int, known bool) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		return 0, false
	}
	for _, path := range stats {
		stat, err := os.ReadFile(path)
		if err != nil {
			continue // it has just ended
		}
		// PID (NAME) STATE PARENT GROUP …, and the name may hold anything.
		after := stat[bytes.LastIndexByte(stat, ')')+1:]
		fields := strings.Fields(string(after))
		pid, _, _ := strings.Cut(string(stat), " ")
		if len(fields) > 2 && fields[0] != "Z" && fields[2] == strconv.Itoa(leader) && pid != fields[2] {
			processes++
		}
	}
	return processes, true
}

// read reads standard output. To go to sleep and be woken costs more than an
// instant bot needs for its answer: while a bot is instant, the processor is
// first offered to it a few times. Others are not waited for so, because a bot
// that thinks would keep the processor for the whole of its slice.
func (p *process) read(b []byte) (n int, err error) {
	conn, err := p.out.SyscallConn()
	if err != nil {
		return 0, err
	}
	offers := 0
	if p.instant {
		offers = 3
	}
	waitErr := conn.Read(func(fd uintptr) (done bool) {
		for {
			n, err = syscall.Read(int(fd), b)
			switch {
			case err == syscall.EINTR:
			case err == syscall.EAGAIN && offers > 0:
				offers--
				_, _, _ = syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0)
			default:
				return err != syscall.EAGAIN
			}
		}
	})
	switch {
	case waitErr != nil:
		return 0, waitErr
	case err != nil:
		return 0, os.NewSyscallError("read", err)
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}
