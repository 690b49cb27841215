package sandbox

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shutFolder makes a folder that only its owner may enter.
func shutFolder(t *testing.T) string {
	t.Helper()
	dir := folder(t) + "/shut"
	put(t, dir+"/data", "data\n", 0o600)
	put(t, dir+"/bot", "#!/bin/sh\ncat data deep/more link; echo x > new; echo x > data; echo x > bot; true\n", 0o700)
	put(t, dir+"/deep/more", "more\n", 0o600)
	put(t, dir+"/results.db", "standings\n", 0o600)
	put(t, dir+"/rival/weights", "secret\n", 0o600)
	put(t, dir+"/theirs", "of another user\n", 0o600)
	must(t, os.Symlink("data", dir+"/link"))
	for _, path := range []string{dir + "/deep", dir} {
		must(t, os.Chmod(path, 0o700))
	}
	return dir
}

// chown gives files to another user.
func chown(t *testing.T, id int, paths ...string) {
	t.Helper()
	for _, path := range paths {
		must(t, os.Lchown(path, id, id))
	}
}

const somebody = 12345 // a user

func asRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root runs bots under other users")
	}
}

// The rights that a folder's owner has in it are those of the bot.
func TestShutFolder(t *testing.T) {
	t.Parallel()
	asRoot(t)
	dir := shutFolder(t)
	chown(t, somebody, dir+"/theirs")
	l := usual()
	l.Hidden = []string{dir + "/results.db"}
	everyWay(t, l, func(t *testing.T, j *Sandbox) {
		const seen = "data\nmore\ndata\n"
		if j.ownID && !j.spaces {
			if _, err := j.Prepare(context.Background(), Command{Program: "/bin/sh", Args: []string{"sh"}, Dir: dir}); err == nil ||
				!strings.Contains(err.Error(), "hint: chmod o+rx") {
				t.Errorf("the error is %v", err)
			}
			return
		}
		for name, c := range map[string]Command{
			"program":   {Program: dir + "/bot", Args: []string{"bot"}, Dir: dir},
			"argument":  {Program: "/bin/sh", Args: []string{"sh", "bot"}, Dir: dir},
			"full path": {Program: "/bin/sh", Args: []string{"sh", dir + "/bot"}, Dir: dir},
		} {
			if l := j.live(t, c); l.out != seen {
				t.Errorf("%s: %q %s", name, l.out, l.log)
			}
		}
		if !j.ownID {
			return // the bot is root
		}
		c := sh("cat data; cat theirs; cat rival/*; cat results.db; cat " + dir + "/../secret")
		c.Dir, c.Hidden = dir, []string{dir + "/rival"}
		put(t, filepath.Dir(dir)+"/secret", "secret\n", 0o600)
		if l := j.live(t, c); l.out != "data\n" {
			t.Errorf("%q %s", l.out, l.log)
		}
	})
	if text, err := os.ReadFile(dir + "/data"); err != nil || string(text) != "data\n" {
		t.Errorf("the bot has changed its file: %q, %v", text, err)
	}
}

func TestShutPath(t *testing.T) {
	t.Parallel()
	asRoot(t)
	j := newTestSandbox(t, usual())
	need(t, j, j.spaces && j.ownID)
	dir := shutFolder(t)
	put(t, dir+"/open/x", "x\n", 0o644)
	if l := j.live(t, sh("pwd; cat x").in(dir+"/open")); l.out != dir+"/open\nx\n" {
		t.Errorf("a folder in it: %q %s", l.out, l.log)
	}
	if l := j.live(t, sh("pwd; cat data").in(dir)); l.out != dir+"\ndata\n" {
		t.Errorf("the folder: %q %s", l.out, l.log)
	}
}

// The author of a bot cannot make root show the files of somebody else.
func TestShutRefused(t *testing.T) {
	t.Parallel()
	asRoot(t)
	j := newTestSandbox(t, usual())
	need(t, j, j.spaces && j.ownID)
	dir := shutFolder(t)
	home := folder(t) // of somebody
	put(t, home+"/own/bot", "#!/bin/sh\n", 0o755)
	put(t, home+"/own/roots", "secret\n", 0o600)
	for link, target := range map[string]string{"/own/link": dir + "/data", "/folder": dir, "/own/inside": "roots"} {
		must(t, os.Symlink(target, home+link))
	}
	chown(t, somebody, home, home+"/own", home+"/own/bot", home+"/own/link", home+"/folder", home+"/own/inside")
	for name, test := range map[string]struct {
		c    Command
		want string
	}{
		"folder":     {Command{Dir: home + "/folder", Args: []string{"sh"}}, "the symbolic link " + home + "/folder on the way"},
		"link":       {Command{Dir: home + "/own", Args: []string{"sh", "link"}}, dir + "/data (hint: chmod o+r)"},
		"elsewhere":  {Command{Dir: dir + "/deep", Args: []string{"sh", dir + "/data"}}, dir + "/data (hint: chmod o+r)"},
		"hard link":  {Command{Dir: home + "/own", Args: []string{"sh", "roots"}}, "may not use " + home + "/own/roots (hint: chmod o+r)"},
		"inner link": {Command{Dir: home + "/own", Args: []string{"sh", "inside"}}, home + "/own/roots (hint: chmod o+r)"},
	} {
		test.c.Program = "/bin/sh"
		if _, err := j.Prepare(context.Background(), test.c); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
