package arena

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"sembra/arena/guest"
)

// TestBotFiles: what travels of a bot, and what does not.
func TestBotFiles(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the commands have slashes")
	}
	top := t.TempDir()
	lay(t, top, 0o755, "#!/bin/sh\n",
		"cup.toml", "cup.db", "cup.db.lock", "shared.py", "helper.py", "own/bot.py", "own/lib/data", "own/.git/config", "own/secret.db",
		"own/__pycache__/x.pyc", "own/inner/other.py", "own/inner/part.py", "out/file", "linked/bot.py", "leak/deep/key",
	)
	for link, to := range map[string]string{
		"own/same": "bot.py", "own/spy": "inner/part.py", "own/lib/base": "../secret.db", "linked/away": "../out/file", "linked2": "own",
		"leak/more": "deep/key", "tale": "cup.db",
	} {
		must(t, os.Symlink(to, filepath.Join(top, link)))
	}
	sh := "/bin/sh"
	for _, test := range []struct {
		name   string
		folder string // as the tournament file says
		args   []string
		want   []string // the files
		to     []string // the command there; nil: as here
		err    string
	}{
		{"own folder", "own", []string{"sh", "bot.py"}, []string{"bot.py", "lib/data", "same"}, nil, ""},
		{"own program", "own", []string{"./bot.py"}, []string{"bot.py", "lib/data", "same"}, nil, ""},
		{
			"absolute paths in the folder", "own",
			[]string{sh, filepath.Join(top, "own/bot.py")},
			[]string{"bot.py", "lib/data", "same"},
			[]string{sh, "./bot.py"},
			"",
		},
		{"beside the tournament file", "", []string{"sh", "shared.py"}, []string{"shared.py"}, nil, ""},
		{"dir is the folder of the tournament file", ".", []string{"sh", "shared.py"}, []string{"shared.py"}, nil, ""},
		{"a program of the system alone", "", []string{"sh"}, nil, nil, ""},
		{"dir is another bot's", "own/inner", []string{"sh"}, nil, nil, ""},
		{"a link to the folder of another bot", "linked2/inner", []string{"sh"}, nil, nil, ""},
		{"an interpreter in the folder of the tournament file", ".", []string{"sh"}, nil, nil, ""},
		{"the tournament file in the command", "", []string{"sh", "shared.py", "cup.toml"}, []string{"shared.py"}, nil, ""},
		{"another program of the system", "", []string{"cat", "-u"}, nil, nil, ""},
		{"outside", "own", []string{"sh", "../shared.py"}, nil, nil, "outside of the bot's folder"},
		{"a link that leads away", "linked", []string{"sh", "bot.py"}, nil, nil, "is a link to"},
		{"a link to a hidden file", "leak", []string{"sh"}, nil, nil, ""},
		{"a command that names a link to the database", "", []string{"sh", "tale"}, nil, nil, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := filepath.Join(top, test.folder)
			tour := new(Run)
			tour.Hidden = []string{filepath.Join(top, "cup.db"), filepath.Join(top, "cup.toml"), filepath.Join(top, "leak/deep/key")}
			secret := []string{filepath.Join(top, "own/secret.db")}
			tour.Entries = []guest.Entry{
				{Name: "a", Folder: test.folder, Launcher: guest.Command{Args: test.args, Dir: dir, Hidden: secret}},
				{Name: "b", Folder: "own/inner", Launcher: guest.Command{Args: []string{"sh", "other.py"}, Dir: filepath.Join(top, "own/inner")}},
				{Name: "c", Builtin: "random", Launcher: guest.Command{Args: []string{"sembra", "bot", "random"}, Dir: dir}},
			}
			all, err := tour.BotFiles()
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) || !strings.HasPrefix(err.Error(), "bot a: ") {
					t.Errorf("error %v, want %q", err, test.err)
				}
				return
			}
			must(t, err)
			var paths []string
			for _, f := range all[0].Files {
				paths = append(paths, f.Path)
				if !f.Executable || f.Size != 10 {
					t.Errorf("%+v", f)
				}
			}
			if test.to == nil {
				test.to = test.args
			}
			equal(t, "files", test.want, paths)
			equal(t, "command", test.to, all[0].Args)
			if test.folder == "own" && len(all[1].Files) != 2 { // a folder in that of another bot
				t.Errorf("of bot b travel %+v", all[1].Files)
			}
			if len(all[2].Files) != 0 {
				t.Errorf("of a built-in bot %+v travels", all[2])
			}
		})
	}
}

// TestSharedFolder: of a folder that two bots share, only the files travel that a command names.
func TestSharedFolder(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	lay(t, top, 0o644, "", "a.py", "b.py", "more")
	tour := new(Run)
	for _, name := range []string{"a", "b"} {
		tour.Entries = append(tour.Entries, guest.Entry{Name: name, Folder: "bots", Launcher: guest.Command{Args: []string{"sh", name + ".py"}, Dir: top}})
	}
	all := must2(tour.BotFiles())
	for i, b := range all {
		if len(b.Files) != 1 || b.Files[0].Path != tour.Entries[i].Name+".py" {
			t.Errorf("of %s travel %+v", tour.Entries[i].Name, b.Files)
		}
	}
	must(t, tour.Stage(t.TempDir()))
	for _, e := range tour.Entries {
		command := e.Launcher.(guest.Command)
		there, err := os.ReadDir(command.Dir)
		if err != nil || len(there) != 1 || there[0].Name() != e.Name+".py" {
			t.Errorf("%s plays in %s with %v, %v", e.Name, command.Dir, there, err)
		}
	}
}
