package sandbox

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// python returns a real Python 3, as it is behind a shim.
func python(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	real, err := unshim(context.Background(), path, "python3", folder(t), os.Environ())
	if err != nil {
		t.Skip(err)
	}
	return real
}

func TestLanguages(t *testing.T) {
	t.Parallel()
	everyWay(t, usual(), func(t *testing.T, j *Sandbox) {
		dir := folder(t)
		put(t, dir+"/bot.py", "import sys, json, subprocess, tempfile\nfor line in sys.stdin: print('py', line.strip(), flush=True)\n", 0o644)
		put(t, dir+"/bot.js", "const {execSync} = require('child_process'); console.log('js', execSync('echo sub').toString().trim())\n", 0o644)
		put(t, dir+"/Bot.java", `public class Bot { public static void main(String[] a) { System.out.println("java " + Runtime.version().feature()); } }`, 0o644)
		run := func(want string, name string, args ...string) {
			t.Run(want, func(t *testing.T) {
				path, err := exec.LookPath(name)
				if err != nil {
					t.Skip(err)
				}
				if path, err = unshim(context.Background(), path, name, dir, os.Environ()); err != nil {
					t.Skip(err)
				}
				if j.ownID && !j.spaces && !ofSystem(path) {
					t.Skip("not for others: " + path)
				}
				l := j.live(t, Command{Program: path, Args: append([]string{name}, args...), Dir: dir})
				if !strings.HasPrefix(l.out, want) || l.exit != "exit status 0" {
					t.Errorf("%q %s %s", l.out, l.exit, l.log)
				}
			})
		}
		run("", "python3", "bot.py")
		run("js sub", "node", "bot.js")
		if j.way == ways()[0] {
			run("java ", "java", "Bot.java")
		}
		if l := j.live(t, bot(t, "echo")); l.exit != "exit status 0" {
			t.Error(l)
		}
	})
}

func TestScripts(t *testing.T) {
	t.Parallel()
	python(t)
	j := newTestSandbox(t, usual())
	dir := folder(t)
	put(t, dir+"/real/bot", "#!/usr/bin/env python3\nimport json; print('ran')\n", 0o755)
	put(t, dir+"/real/direct", "#!"+python(t)+"\nimport json; print('ran')\n", 0o755)
	if err := os.MkdirAll(dir+"/own", 0o755); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"bot": "../real/bot", "direct": dir + "/real/direct", "python": python(t)} {
		if err := os.Symlink(target, filepath.Join(dir, "own", link)); err != nil {
			t.Fatal(err)
		}
	}
	for name, args := range map[string][]string{"bot": nil, "direct": nil, "python": {"-c", "import json; print('ran')"}} {
		program := filepath.Join(dir, "own", name)
		l := j.live(t, Command{Program: program, Args: append([]string{program}, args...), Dir: dir + "/own"})
		if l.out != "ran\n" {
			t.Errorf("%s: %q %s", name, l.out, l.log)
		}
	}
}

func TestUnshim(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	put(t, dir+"/real/python3", "", 0o755)
	put(t, dir+"/.pyenv/bin/pyenv", "#!/bin/sh\n[ \"$1 $2\" = 'which python3' ] && [ -e .python-version ] || { echo 'not here' >&2; exit 1; }\necho "+dir+"/real/python3\n", 0o755)
	put(t, dir+"/.pyenv/shims/python3", "#!/bin/sh\nexec \""+dir+"/bin/pyenv\" exec \"python3\" \"$@\"\n", 0o755)
	put(t, dir+"/bot/.python-version", "3\n", 0o644)
	env := []string{"PATH=/usr/bin:/bin"}
	got, err := unshim(context.Background(), dir+"/.pyenv/shims/python3", "python3", dir+"/bot", env)
	if got != dir+"/real/python3" || err != nil {
		t.Error(got, err)
	}
	if got, err := unshim(context.Background(), dir+"/.pyenv/shims/python3", "python3", dir, env); err == nil || !strings.Contains(err.Error(), "not here") {
		t.Error(got, err)
	}
	if got, err := unshim(context.Background(), "/bin/sh", "sh", dir, env); got != "/bin/sh" || err != nil {
		t.Error(got, err)
	}
}

// TestUnshimIsInterrupted: nobody waits for a manager when a run is stopped.
func TestUnshimIsInterrupted(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	put(t, dir+"/.pyenv/bin/pyenv", "#!/bin/sh\nexec sleep 600\n", 0o755)
	put(t, dir+"/.pyenv/shims/python3", "#!/bin/sh\nexec pyenv exec python3\n", 0o755)
	enough := errors.New("enough")
	ctx, cancel := context.WithTimeoutCause(context.Background(), 50*time.Millisecond, enough)
	defer cancel()
	begun := time.Now()
	env := []string{"PATH=/usr/bin:/bin"}
	if got, err := unshim(ctx, dir+"/.pyenv/shims/python3", "python3", dir, env); !errors.Is(err, enough) {
		t.Error(got, err)
	}
	if took := time.Since(begun); took > patience {
		t.Errorf("it took %v", took)
	}
}
