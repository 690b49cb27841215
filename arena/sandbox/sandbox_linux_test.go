package sandbox

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestWhole: whoever may make namespaces gets all layers.
func TestWhole(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("/proc/self/exe", "-test.run=^$")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWNS | unix.CLONE_NEWPID}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= unix.CLONE_NEWUSER
	}
	if err := cmd.Run(); err != nil {
		t.Skip(err)
	}
	if missing := newTestSandbox(t, usual()).Missing(); missing != nil {
		t.Error(missing)
	}
}

// TestNames: a bot without a network cannot be found by others, nor find them
// with a socket that is not made by socket(2).
func TestNames(t *testing.T) {
	t.Parallel()
	const name = "@sembra-sandbox-test"
	l, err := net.ListenPacket("unixgram", name)
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	everyWay(t, usual(), func(t *testing.T, j *Sandbox) {
		need(t, j, j.Holds(Network))
		if !j.spaces && landlockVersion() < scopes {
			t.Skip("not on this machine")
		}
		if l := j.live(t, bot(t, "names", name)); l.out != "" {
			t.Error(l)
		}
	})
}

// TestWithoutLandlock is what a kernel before Linux 5.13 gives.
func TestWithoutLandlock(t *testing.T) {
	t.Parallel()
	best := newTestSandbox(t, usual())
	for n, w := range ways() {
		j, err := newSandbox(context.Background(), usual(), []way{w}, 0)
		if err != nil {
			t.Log(err)
			continue
		}
		defer j.Close()
		if n == 0 && best.way == w && !slices.Equal(j.Missing(), best.Missing()) {
			t.Errorf("%s, want %s", j, best)
		}
		if !w.spaces && j.Holds(Files) {
			t.Error("nothing can keep files from a bot, and yet:", j)
		}
		if missing := j.Missing(); len(missing) > 0 && !strings.Contains(j.String(), missing[0]) {
			t.Error(j, missing)
		}
	}
}

func TestNewIsInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if j, err := New(ctx, usual()); !errors.Is(err, context.Canceled) {
		t.Error(j, err)
	}
}

func TestInheritedFiles(t *testing.T) {
	t.Parallel()
	j := newTestSandbox(t, usual())
	r, w, err := os.Pipe()
	must(t, err)
	defer r.Close()
	defer w.Close()
	// As if whoever started the runner had left it open.
	const least = 77
	inherited := must2(unix.FcntlInt(r.Fd(), unix.F_DUPFD, least))
	defer unix.Close(inherited)
	l := j.live(t, sh("for fd in /proc/self/fd/*; do echo ${fd##*/}; done"))
	if slices.Contains(strings.Fields(l.out), strconv.Itoa(inherited)) {
		t.Error(l)
	}
}

// TestUntriedLayers: a layer holds only if the probing bot, or the design of the sandbox, says so.
func TestUntriedLayers(t *testing.T) {
	s := Sandbox{limits: Limits{Memory: 1, Processes: 1}}
	s.report(findings{Files: "", Network: "the runner was reached"}, nil, nil)
	if !s.Holds(Files) || s.Holds(Network) || s.Holds(Leftovers) || len(s.Missing()) != 6 {
		t.Errorf("holds %v, missing %v", s.holds, s.Missing())
	}
}
