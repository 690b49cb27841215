package sandbox

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestFiles(t *testing.T) {
	t.Parallel()
	everyWay(t, usual(), func(t *testing.T, j *Sandbox) {
		need(t, j, j.Holds(Files))
		dir := folder(t)
		put(t, dir+"/secret", "a secret", 0o644)
		put(t, dir+"/given", "a gift", 0o644)
		put(t, dir+"/own/inside", "of its own", 0o644)
		c := sh(`cat inside; cat ../secret; cat `+dir+`/given; echo; ls /root /home /var; cat /proc/1/environ; `+
			`echo x > new; echo x > ../new; echo x > inside; echo x > /etc/new; rm inside; `+
			`echo x > $TMPDIR/a && mv $TMPDIR/a $HOME/b && cat $HOME/b; echo x > /dev/null && echo null`,
			"sh", dir+"/given").in(dir + "/own")
		if os.Getuid() == 0 {
			must(t, os.Chmod(c.Dir, 0o777))
		}
		l := j.live(t, c)
		if want := "of its owna gift\nx\nnull\n"; l.out != want {
			t.Errorf("%q, want %q; %s", l.out, want, l.log)
		}
		if text, err := os.ReadFile(dir + "/own/inside"); string(text) != "of its own" {
			t.Error(string(text), err)
		}
	})
}

func TestHidden(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	l := usual()
	l.Hidden = []string{dir + "/bots/results.db"}
	everyWay(t, l, func(t *testing.T, j *Sandbox) {
		need(t, j, j.Holds(Files))
		put(t, dir+"/bots/results.db", "standings", 0o644)
		put(t, dir+"/bots/results.db.lock", "lock", 0o644)
		put(t, dir+"/bots/book", "openings\n", 0o644)
		put(t, dir+"/bots/deep/book", "deep\n", 0o644)
		for _, own := range []string{dir + "/bots", dir} {
			c := sh("cd " + dir + "/bots; cat results.db; cat results.db.lock; cat book deep/book")
			if l := j.live(t, c.in(own)); l.out != "openings\ndeep\n" {
				t.Errorf("in %s: %q %s", own, l.out, l.log)
			}
		}
		if l := j.live(t, sh("cat results.db", dir+"/bots/results.db").in(dir+"/bots")); l.out != "" {
			t.Errorf("named by an argument: %q", l.out)
		}
	})
}

// TestNamedFiles: a bot sees a file outside of its folder that an argument names.
func TestNamedFiles(t *testing.T) {
	t.Parallel()
	everyWay(t, usual(), func(t *testing.T, j *Sandbox) {
		need(t, j, j.Holds(Files))
		dir := folder(t)
		put(t, dir+"/given", "a gift\n", 0o644)
		put(t, dir+"/beside", "a secret\n", 0o644)
		put(t, dir+"/deep/own/inside", "of its own\n", 0o644)
		must(t, os.Symlink(dir+"/deep/own", dir+"/link"))
		for _, own := range []string{dir + "/deep/own", dir + "/link"} {
			c := sh(`cat inside "$1"; cat ../../beside`, "sh", "../../given").in(own)
			if l := j.live(t, c); l.out != "of its own\na gift\n" {
				t.Errorf("in %s: %q %s", own, l.out, l.log)
			}
		}
	})
}

// TestHiddenFolders: nothing is seen of files and folders that a command may
// not read, wherever they lie and by whatever path they are named.
func TestHiddenFolders(t *testing.T) {
	t.Parallel()
	everyWay(t, usual(), func(t *testing.T, j *Sandbox) {
		need(t, j, j.Holds(Files))
		dir := folder(t)
		put(t, dir+"/own/bot", "mine\n", 0o644)
		put(t, dir+"/own/rival/weights", "secret\n", 0o644)
		put(t, dir+"/own/rival/deep/weights", "secret\n", 0o644)
		put(t, dir+"/own/rival2/weights", "open\n", 0o644)
		put(t, dir+"/own/rival.py", "secret\n", 0o600)
		put(t, dir+"/own/rival.py.txt", "open\n", 0o644)
		put(t, dir+"/own/logs/match", "secret\n", 0o644)
		for link, target := range map[string]string{
			"link": dir + "/own", "own/file": "rival.py", "own/folder": "rival", "own/absolute": dir + "/own/rival/weights",
		} {
			must(t, os.Symlink(target, filepath.Join(dir, link)))
		}
		for _, own := range []string{dir + "/own", dir + "/link", dir} {
			c := sh("cd "+dir+"/own; cat bot rival2/weights rival.py.txt; "+
				"cat rival/weights rival/deep/weights rival.py logs/match file folder/weights absolute; "+
				"ls rival/ folder/ logs/; cd rival && pwd; find . -name 'weights'; chmod 777 rival rival.py; rm rival.py; mv rival2 rival",
				"sh", dir+"/own/rival.py").in(own)
			// By a path with a link, one that is not clean, one that is not there, and what the command names itself.
			c.Hidden = []string{dir + "/link/rival", dir + "/own/rival/deep/weights", dir + "/own/./rival.py", dir + "/own/logs", dir + "/own/nothing", dir + "/none/such"}
			if l := j.live(t, c); strings.Contains(l.out, "secret") || !strings.HasPrefix(l.out, "mine\nopen\nopen\n") {
				t.Errorf("in %s: %q %s", own, l.out, l.log)
			} else if rest := strings.TrimPrefix(l.out, "mine\nopen\nopen\n"); strings.Contains(rest, "match") || strings.Contains(rest, "deep") {
				t.Errorf("in %s names are seen: %q", own, rest)
			}
		}
	})
}

func TestFolders(t *testing.T) {
	t.Parallel()
	j := newTestSandbox(t, usual())
	need(t, j, j.spaces)
	shut, err := os.MkdirTemp("", "shut-") // 0700
	must(t, err)
	defer os.RemoveAll(shut)
	put(t, shut+"/bots/x", "here\n", 0o644)
	must(t, os.Symlink(shut+"/bots", shut+"/link"))
	for _, dir := range []string{shut + "/bots", shut + "/link"} {
		if l := j.live(t, sh("cat x; pwd -P; cd "+dir+"; cat x").in(dir)); l.out != "here\n"+shut+"/bots\nhere\n" {
			t.Errorf("%q %s", l.out, l.log)
		}
	}
	for _, dir := range []string{"/", "/tmp", shut + "/none", "bots"} {
		if _, err := j.Prepare(context.Background(), sh("true").in(dir)); err == nil {
			t.Errorf("a bot could be prepared in %q", dir)
		} else {
			t.Log(err)
		}
	}
}

func TestDisk(t *testing.T) {
	t.Parallel()
	j := newTestSandbox(t, usual())
	need(t, j, j.Holds(Disk))
	l := j.live(t, sh(`for n in 1 2 3 4 5 6 7 8; do head -c 16000000 /dev/zero > $TMPDIR/$n || break; done; du -sk $TMPDIR | cut -f1; `+
		`n=0; while [ $n -lt 20000 ] && true > $TMPDIR/f$n; do n=$((n+1)); done; echo $n`))
	fields := strings.Fields(l.out)
	if len(fields) != 2 || fields[1] == "20000" {
		t.Fatal(l)
	}
	if kib, err := strconv.Atoi(fields[0]); err != nil || kib < 40<<10 || kib > 65<<10 {
		t.Error(l)
	}
}

// TestSecrets: what only root may read a bot may not either, whoever it is, and
// it does not see the processes of others.
func TestSecrets(t *testing.T) {
	t.Parallel()
	everyWay(t, usual(), func(t *testing.T, j *Sandbox) {
		need(t, j, j.spaces)
		groups := "/root"
		if j.groups != nil {
			groups = j.groups.folder.Name()
		}
		l := j.live(t, sh("cat /etc/shadow /etc/gshadow; ls -A /.outside; ls /.nothing/folder; ls "+groups+
			"; cat /proc/1/environ; ls /proc/1/root; for fd in /proc/1/fd/*; do readlink $fd; cat < $fd; done"))
		if l.out != "" {
			t.Errorf("%q", l.out)
		}
		if l := j.live(t, sh("[ -e /proc/1/cmdline ] && echo seen")); j.ownID && l.out != "" {
			t.Errorf("%q", l.out)
		}
	})
}

func TestReading(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	put(t, dir+"/book/openings", "book\n", 0o644)
	limits := usual()
	limits.Read = []string{dir + "/book"}
	j := newTestSandbox(t, limits)
	if l := j.live(t, sh("cat "+dir+"/book/openings")); l.out != "book\n" {
		t.Error(l)
	}
}

func TestFolderOfKilledRunner(t *testing.T) {
	t.Parallel()
	in := t.TempDir()
	old := filepath.Join(in, "sembra-sandbox-1")
	put(t, old+"/root/x", "", 0o644)
	for range 2 {
		own := must2(MakeLockedFolder(in, "sembra-sandbox-"))
		defer own.Close()
		defer func() {
			if _, err := os.Stat(own.Name()); err != nil {
				t.Error(err)
			}
		}()
	}
	if _, err := os.Stat(old); err == nil {
		t.Error("it is left")
	}
}
