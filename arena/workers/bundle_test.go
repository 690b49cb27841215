package workers

import (
	"archive/zip"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"sembra/arena"
)

// carried writes files and returns them as they travel.
func carried(t *testing.T, files map[string]string) (all []arena.BotFile) {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, []byte(text), 0o600))
		all = append(all, arena.BotFile{Path: name, From: path, Size: int64(len(text)), Executable: strings.HasSuffix(name, ".sh")})
	}
	return all
}

// TestBundle: files come back with their content and nothing else, and nobody can change them.
func TestBundle(t *testing.T) {
	t.Parallel()
	var archive bytes.Buffer
	files := carried(t, map[string]string{"bot.sh": "#!/bin/sh\n"})
	files = append(files, carried(t, map[string]string{"lib/deep/data": "42"})...)
	name, size, err := pack(&archive, files)
	if err != nil || size != int64(archive.Len()) {
		t.Fatal(name, size, archive.Len(), err)
	}
	var again bytes.Buffer
	if other, _, err := pack(&again, files); err != nil || other != name {
		t.Errorf("packed twice: %s and %s, %v", name, other, err)
	}
	c := cache{filepath.Join(t.TempDir(), "cache")}
	must(t, c.prepare())
	for range 2 { // two workers with one cache
		must(t, c.add(name, size, bytes.NewReader(archive.Bytes())))
	}
	t.Cleanup(func() { _ = removeAll(c.folder) })
	for path, want := range map[string]string{"bot.sh": "#!/bin/sh\n", "lib/deep/data": "42"} {
		file := filepath.Join(c.folderOf(name), filepath.FromSlash(path))
		got, err := os.ReadFile(file)
		if err != nil || string(got) != want {
			t.Errorf("%s has %q, %v", path, got, err)
		}
		stat := must2(os.Stat(file))
		if executable := stat.Mode()&0o100 != 0; runtime.GOOS != "windows" && (executable != strings.HasSuffix(path, ".sh") || stat.Mode()&0o222 != 0) {
			t.Errorf("%s has the mode %v", path, stat.Mode())
		}
	}
	if left, _ := os.ReadDir(c.folder); len(left) != 2 { // with the empty folder
		t.Errorf("the cache has %v", left)
	}
}

// TestHostileBundle: nothing is unpacked of an archive that could harm the worker.
func TestHostileBundle(t *testing.T) {
	t.Parallel()
	file := func(name string) zip.FileHeader { return zip.FileHeader{Name: name} }
	special := func(mode fs.FileMode) zip.FileHeader {
		h := file("a")
		h.SetMode(mode)
		return h
	}
	for _, test := range []struct {
		name    string
		entries []zip.FileHeader
		err     string
	}{
		{"above", []zip.FileHeader{file("../evil")}, "not inside of the folder"},
		{"above in the midst", []zip.FileHeader{file("a/../../evil")}, "not inside of the folder"},
		{"absolute", []zip.FileHeader{file("/tmp/evil")}, "not inside of the folder"},
		{"not clean", []zip.FileHeader{file("a//b")}, "not inside of the folder"},
		{"the folder", []zip.FileHeader{file(".")}, "not inside of the folder"},
		{"Windows", []zip.FileHeader{file(`..\evil`)}, "not inside of the folder"},
		{"drive", []zip.FileHeader{file("C:evil")}, "not inside of the folder"},
		{"long", []zip.FileHeader{file(strings.Repeat("a/", 600) + "b")}, "not inside of the folder"},
		{"link", []zip.FileHeader{special(fs.ModeSymlink)}, "not a regular file"},
		{"device", []zip.FileHeader{special(fs.ModeDevice)}, "not a regular file"},
		{"pipe", []zip.FileHeader{special(fs.ModeNamedPipe)}, "not a regular file"},
		{"folder", []zip.FileHeader{file("a/")}, "not a regular file"},
		{"twice", []zip.FileHeader{file("a"), file("a")}, "duplicate"},
		{"file as folder", []zip.FileHeader{file("a"), file("a/b")}, "a"},
		{"bomb", []zip.FileHeader{{Name: "a", UncompressedSize64: mostBundle + 1}}, "more than"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var archive bytes.Buffer
			w := zip.NewWriter(&archive)
			for _, header := range test.entries {
				must2(w.CreateRaw(&header))
			}
			must(t, w.Close())
			top := t.TempDir()
			c := cache{filepath.Join(top, "a", "b", "cache")}
			must(t, c.prepare())
			name := hashOf(archive.Bytes())
			err := c.add(name, mostBundle, bytes.NewReader(archive.Bytes()))
			if err == nil || !strings.Contains(err.Error(), test.err) || c.has(name) {
				t.Errorf("error %v, want %q", err, test.err)
			}
			if left, _ := filepath.Glob(filepath.Join(top, "*", "*")); len(left) != 1 {
				t.Errorf("there is %v", left)
			}
			if left, _ := os.ReadDir(c.folder); len(left) != 1 { // the empty folder
				t.Errorf("the cache has %v", left)
			}
		})
	}
}

// TestDamagedBundle: a bundle that is not what its name says leaves nothing.
func TestDamagedBundle(t *testing.T) {
	t.Parallel()
	var archive bytes.Buffer
	name, _, err := pack(&archive, carried(t, map[string]string{"bot": "text"}))
	must(t, err)
	good := archive.Bytes()
	changed := bytes.Replace(good, []byte("text"), []byte("tent"), 1)
	for _, test := range []struct {
		what, name string
		size       int64
		content    []byte
	}{
		{"changed", name, mostBundle, changed},
		{"cut off", name, mostBundle, good[:len(good)-6]},
		{"empty", name, mostBundle, nil},
		{"no archive", name, mostBundle, bytes.Repeat([]byte("x"), 2048)},
		{"with more after it", name, mostBundle, append(bytes.Clone(good), 0)},
		{"larger than the plan says", name, int64(len(good)) - 1, good},
		{"another name", hashOf([]byte("other")), mostBundle, good},
		{"a path as its name", "../evil", mostBundle, good},
		{"no name", "", mostBundle, good},
	} {
		c := cache{t.TempDir()}
		if err := c.add(test.name, test.size, bytes.NewReader(test.content)); err == nil {
			t.Errorf("%s: no error", test.what)
		}
		if left, _ := os.ReadDir(c.folder); len(left) != 0 {
			t.Errorf("%s: the cache has %v", test.what, left)
		}
	}
}

// TestChangedWhilePacked: a file that becomes shorter is an error.
func TestChangedWhilePacked(t *testing.T) {
	t.Parallel()
	files := carried(t, map[string]string{"bot": "text"})
	files[0].Size++
	if _, _, err := pack(new(bytes.Buffer), files); err == nil || !strings.Contains(err.Error(), "has changed") {
		t.Error(err)
	}
}

// TestNameThatCannotTravel: the runner refuses a name that workers would refuse.
func TestNameThatCannotTravel(t *testing.T) {
	t.Parallel()
	files := carried(t, map[string]string{"bot": "text"})
	for _, name := range []string{"C:bot", `lib\bot`, strings.Repeat("long/", 300) + "bot"} {
		files[0].Path = name
		if _, _, err := pack(new(bytes.Buffer), files); err == nil || !strings.Contains(err.Error(), "has a name") {
			t.Errorf("%.20q: error %v", name, err)
		}
	}
}

// TestTidyCache: old bundles and what killed workers left are removed, and bundles in use are not.
func TestTidyCache(t *testing.T) {
	t.Parallel()
	c := cache{t.TempDir()}
	must(t, c.prepare())
	now := time.Now()
	for _, test := range []struct {
		name string
		age  time.Duration
		left bool
	}{
		{hashOf([]byte("in use")), time.Hour, true},
		{hashOf([]byte("young")), longestAge / 2, true},
		{hashOf([]byte("old")), longestAge + time.Hour, false},
		{"empty", longestAge + time.Hour, true},
		{"other", longestAge + time.Hour, true},
		{"new-1", time.Hour, true},
		{"new-2", 2 * longestAge, false},
		{"new-old-" + hashOf([]byte("killed")), 2 * longestAge, false},
	} {
		folder := filepath.Join(c.folder, test.name)
		if err := errors.Join(os.MkdirAll(filepath.Join(folder, "lib"), 0o755), os.Chmod(filepath.Join(folder, "lib"), 0o555),
			os.Chtimes(folder, now, now.Add(-test.age))); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if _, err := os.Stat(folder); (err == nil) != test.left {
				t.Errorf("%s is left: %t, want %t", test.name, err == nil, test.left)
			}
			_ = removeAll(folder)
		}()
	}
	must(t, c.prepare())
}
