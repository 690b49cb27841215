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

// found returns the path of a program of this machine, also if that is a shim.
func found(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skip(err)
	}
	return path
}

// behindShim returns the program that a sandbox would execute for another.
func behindShim(t testing.TB, path string) (string, error) {
	return (&Prepared{command: Command{Dir: folder(t), Env: os.Environ()}}).unshim(t.Context(), path)
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
				path := found(t, name)
				if real, err := behindShim(t, path); err != nil || j.ownID && !j.spaces && !ofSystem(real) {
					t.Skipf("not for others: %s %v", path, err)
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
	python, err := behindShim(t, found(t, "python3"))
	j := newTestSandbox(t, usual())
	if err != nil || j.ownID && !j.spaces && !ofSystem(python) {
		t.Skipf("not for others: %s %v", python, err)
	}
	dir := folder(t)
	put(t, dir+"/real/bot", "#!/usr/bin/env python3\nimport json; print('ran')\n", 0o755)
	put(t, dir+"/real/direct", "#!"+python+"\nimport json; print('ran')\n", 0o755)
	must(t, os.MkdirAll(dir+"/own", 0o755))
	for link, target := range map[string]string{"bot": "../real/bot", "direct": dir + "/real/direct", "python": python} {
		must(t, os.Symlink(target, filepath.Join(dir, "own", link)))
	}
	for name, args := range map[string][]string{"bot": nil, "direct": nil, "python": {"-c", "import json; print('ran')"}} {
		program := filepath.Join(dir, "own", name)
		l := j.live(t, Command{Program: program, Args: append([]string{program}, args...), Dir: dir + "/own"})
		if l.out != "ran\n" {
			t.Errorf("%s: %q %s", name, l.out, l.log)
		}
	}
}

func TestShims(t *testing.T) {
	t.Parallel()
	j := newTestSandbox(t, usual())
	dir := folder(t)
	put(t, dir+"/real/python3", "#!/bin/sh\necho $0\n", 0o755)
	put(t, dir+"/.pyenv/bin/pyenv", "#!/bin/sh\n[ \"$1 $2\" = 'which python3' ] && [ -e .python-version ] || { echo 'not here' >&2; exit 1; }\n"+
		"[ $PYENV_ROOT = "+dir+"/.pyenv ] && echo "+dir+"/real/python3\n", 0o755)
	put(t, dir+"/.pyenv/shims/python3", "#!/bin/sh\nexec \""+dir+"/bin/pyenv\" exec \"python3\" \"$@\"\n", 0o755)
	put(t, dir+"/bot/.python-version", "3\n", 0o644)
	put(t, dir+"/bot/script", "#!/usr/bin/env python3\n", 0o755)
	put(t, dir+"/shims/bot", "#!/bin/sh\necho bot\n", 0o755)
	shim := Command{Program: dir + "/.pyenv/shims/python3", Args: []string{"python3"}, Dir: dir + "/bot"}
	if l := j.live(t, shim); l.out != dir+"/real/python3\n" {
		t.Error(l)
	}
	env := []string{"PATH=" + dir + "/.pyenv/shims:/usr/bin:/bin"}
	if l := j.live(t, Command{Program: dir + "/bot/script", Args: []string{"script"}, Dir: dir + "/bot", Env: env}); l.out != dir+"/real/python3\n" {
		t.Error("of a script:", l)
	}
	if l := j.live(t, Command{Program: dir + "/shims/bot", Args: []string{"bot"}, Dir: dir + "/shims"}); l.out != "bot\n" {
		t.Error("in a folder of that name:", l)
	}
	shim.Dir = dir + "/real"
	if _, err := j.Prepare(t.Context(), shim); err == nil || !strings.Contains(err.Error(), `is a shim: name what "pyenv which python3" says`) {
		t.Error(err)
	}
	// Nobody waits for a manager when a run is stopped.
	put(t, dir+"/.pyenv/bin/pyenv", "#!/bin/sh\nexec sleep 600\n", 0o755)
	enough := errors.New("enough")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, enough)
	defer cancel()
	if _, err := j.Prepare(ctx, shim); !errors.Is(err, enough) {
		t.Error(err)
	}
}
