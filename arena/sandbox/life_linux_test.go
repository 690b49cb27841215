package sandbox

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestInitEnds: an init that ends before its bot was executed is a failure of the runner, and the next start is not.
func TestInitEnds(t *testing.T) {
	t.Parallel()
	j := newTestSandbox(t, usual())
	ready := must2(j.Prepare(context.Background(), Command{Program: "/bin/sh", Args: []string{"sh"}, Dir: folder(t)}))
	i, err := ready.Process(nil)
	must(t, err)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err = i.Start()
	if err == nil {
		err = i.Command().Process.Kill()
	}
	must(t, err)
	if err := i.ConfirmStart(nil); !errors.Is(err, ErrEnded) {
		t.Errorf("the error is %v", err)
	}
	_ = i.Wait()
	i.Close()
	if l := j.live(t, sh("echo after")); l.out != "after\n" {
		t.Error(l)
	}
}

func TestFamily(t *testing.T) {
	t.Parallel()
	everyWay(t, usual(), func(t *testing.T, j *Sandbox) {
		need(t, j, j.Holds(Leftovers))
		t.Run("killed", func(t *testing.T) {
			i, in, out, _ := j.start(t, sh(daemonScript))
			defer in.Close()
			r := bufio.NewReader(out)
			if line, err := r.ReadString('\n'); line != "ready\n" {
				t.Fatal(line, err)
			}
			i.Kill()
			i.Kill()
			_ = out.SetReadDeadline(time.Now().Add(patience))
			if _, err := r.ReadByte(); err != io.EOF {
				t.Error(err)
			}
			_ = i.Wait()
			i.Close()
			i.Kill()
			if exit := i.Exit(); exit != "" {
				t.Error(exit)
			}
		})
		t.Run("gone", func(t *testing.T) {
			begun := time.Now()
			l := j.live(t, sh(strings.TrimSuffix(daemonScript, "sleep 600")+"exit 7"))
			if l.out != "ready\n" || l.exit != "exit status 7" || time.Since(begun) > patience {
				t.Error(l, time.Since(begun))
			}
		})
	})
}

func TestRunnerKilled(t *testing.T) {
	t.Parallel()
	j := newTestSandbox(t, usual())
	need(t, j, j.Holds(Leftovers))
	if line := killRunner(t, bot(t, "runner", folder(t))); line != "ready" {
		t.Fatal(line)
	}
}

// killRunner kills a runner when it has printed a line, which it returns, and checks
// that nothing holds its standard output then.
func killRunner(t *testing.T, c Command) string {
	t.Helper()
	out, theirs, err := os.Pipe()
	must(t, err)
	defer out.Close()
	base := folder(t) // what a killed runner leaves on disk
	must(t, os.Chmod(base, 0o777))
	cmd := &exec.Cmd{Path: c.Program, Args: c.Args, Stdout: theirs, Stderr: os.Stderr, Env: append(os.Environ(), "TMPDIR="+base)}
	err = cmd.Start()
	theirs.Close()
	must(t, err)
	r := bufio.NewReader(out)
	_ = out.SetReadDeadline(time.Now().Add(patience))
	line, err := r.ReadString('\n')
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if err != nil {
		t.Fatal(line, err)
	}
	_ = out.SetReadDeadline(time.Now().Add(patience))
	if _, err := r.ReadByte(); err != io.EOF {
		t.Error("the bot lives:", err)
	}
	return strings.TrimSpace(line)
}

func TestExit(t *testing.T) {
	t.Parallel()
	everyWay(t, usual(), func(t *testing.T, j *Sandbox) {
		for script, want := range map[string]string{
			"exit 0": "exit status 0", "exit 3": "exit status 3",
			"kill -SEGV $$": "signal: segmentation fault", "kill -TERM $$": "signal: terminated",
			"kill -KILL $$": "signal: killed", "kill -ABRT $$": "signal: aborted",
		} {
			if l := j.live(t, sh(script)); l.exit != want {
				t.Errorf("%s: %q, want %q; %s", script, l.exit, want, l.log)
			}
		}
	})
}

func TestStopped(t *testing.T) {
	t.Parallel()
	limits := usual()
	limits.MemoryTotal = 0 // on a busy machine, who counts that stops and resumes the bot
	everyWay(t, limits, func(t *testing.T, j *Sandbox) {
		i, in, out, _ := j.start(t, sh("echo ready; kill -STOP $$; echo on"))
		defer in.Close()
		r := bufio.NewReader(out)
		if line, err := r.ReadString('\n'); line != "ready\n" {
			t.Fatal(line, err)
		}
		_ = out.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
		if line, err := r.ReadString('\n'); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Error("it was not stopped:", line, err)
		}
		i.Kill()
		_ = i.Wait()
		i.Close()
	})
}

func TestOrphans(t *testing.T) {
	t.Parallel()
	limits := usual()
	limits.Processes = 30
	j := newTestSandbox(t, limits)
	need(t, j, j.Holds(Processes))
	// Dead that nobody waits for would count. The shell continues when an orphan has died, because the living count too.
	l := j.live(t, sh(`n=0; while [ $n -lt 100 ]; do x=$( (true & ) ) || exit 1; n=$((n+1)); [ $((n%5)) = 0 ] && sleep 0.01; done; echo done`))
	if l.out != "done\n" || l.log != "" {
		t.Error(l)
	}
}

func TestNotExecuted(t *testing.T) {
	t.Parallel()
	everyWay(t, usual(), func(t *testing.T, j *Sandbox) {
		dir := folder(t)
		put(t, dir+"/garbage", "\x00\x01 no program", 0o755)
		put(t, dir+"/late", "#!/bin/sh\n", 0o755)
		for name, want := range map[string]error{"garbage": unix.ENOEXEC, "late": unix.ENOENT} {
			ready, err := j.Prepare(context.Background(), Command{Program: filepath.Join(dir, name), Args: []string{name}, Dir: dir})
			must(t, err)
			if name == "late" {
				put(t, dir+"/late", "#!"+dir+"/interpreter\n", 0o755)
			}
			runtime.LockOSThread()
			i, err := ready.Process(nil)
			must(t, err)
			err = i.ConfirmStart(i.Start())
			var refused *ExecError
			if !errors.As(err, &refused) || !errors.Is(err, want) {
				t.Error(name, err)
			}
			_ = i.Wait()
			i.Close()
			runtime.UnlockOSThread()
		}
		put(t, dir+"/bad", "#!"+dir+"/nothing\n", 0o755)
		if _, err := j.Prepare(context.Background(), Command{Program: dir + "/bad", Args: []string{"bad"}, Dir: dir}); err == nil {
			t.Error("a missing interpreter was not noticed")
		} else {
			t.Log(err)
		}
	})
}

func TestNothingIsLeft(t *testing.T) {
	count := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip(err)
		}
		return len(entries)
	}
	everyWay(t, usual(), func(t *testing.T, j *Sandbox) {
		j.live(t, sh("true"))
		before := count()
		for range 5 {
			j.live(t, sh("mkdir $TMPDIR/x; echo x > $TMPDIR/x/y"))
		}
		// One that is never started.
		ready, err := j.Prepare(context.Background(), Command{Program: "/bin/sh", Args: []string{"sh"}, Dir: folder(t)})
		must(t, err)
		i := must2(ready.Process(nil))
		i.Close()
		if after := count(); after > before {
			t.Errorf("%d files were open, %d are", before, after)
		}
		entries, err := os.ReadDir(j.base)
		if err != nil || len(entries) != 1 {
			t.Error(entries, err)
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(j.base); err == nil {
			t.Error("the sandbox's folder is left")
		}
	})
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	j := newTestSandbox(t, usual())
	ready, err := j.Prepare(context.Background(), Command{Program: "/bin/sh", Args: []string{"sh", "-c", "sleep 600"}, Dir: folder(t)})
	must(t, err)
	var all sync.WaitGroup
	for n := range 24 {
		all.Go(func() {
			runtime.LockOSThread() // and never unlocked, as a thread that starts bots
			i, err := ready.Process(nil)
			if err != nil {
				t.Error(err)
				return
			}
			killed := make(chan struct{})
			go func() {
				defer close(killed)
				time.Sleep(time.Duration(n) * time.Millisecond)
				i.CPU()
				i.Kill()
				i.Kill()
			}()
			_ = i.ConfirmStart(i.Start()) // it may be killed before
			i.CPU()
			<-killed
			_ = i.Wait()
			i.Close()
			i.Close()
			if i.Exit() != "" {
				t.Error("it has exited by itself")
			}
		})
	}
	all.Wait()
}
