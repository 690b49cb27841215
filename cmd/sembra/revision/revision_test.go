//go:build linux || darwin

package revision

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sembra/engine/expect"
)

var must, equal = expect.NoError, expect.Equal

func must2[T any](value T, err error) T { return expect.Value(value, err) }

// shell runs a script in a folder.
func shell(t *testing.T, folder, script string) string {
	t.Helper()
	cmd := exec.Command("sh", "-ec", script)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a",
		"GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v: %s", script, err, out)
	}
	return strings.TrimSpace(string(out))
}

// newRepository returns a repository with two commits, and a working tree that differs from both.
func newRepository(t *testing.T) Repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	folder := must2(filepath.EvalSymlinks(t.TempDir()))
	shell(t, folder, `git init -q -b main
		mkdir src; echo one > src/a; echo bot > .gitignore; ln -s src/a link; printf '#!/bin/sh\n' > run; chmod +x run
		git add -A; git commit -qm one; git tag v1
		echo two > src/a; git commit -qam two
		echo three > src/a; touch -d 2020-01-02T03:04:05 src/a 2> /dev/null || touch -t 202001020304.05 src/a
		rm run; echo new > new; echo old > bot`)
	return must2(Open(t.Context(), filepath.Join(folder, "src")))
}

func openCache(t *testing.T, folder string) *Cache {
	t.Helper()
	c := must2(OpenCache(t.Context(), folder, func() {}))
	t.Cleanup(c.Close)
	return c
}

// files returns the paths and contents of the files in a folder, those in .git apart.
func files(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	must(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && entry.Name() == ".git" {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() {
			return err
		}
		all[must2(filepath.Rel(folder, path))] = string(must2(os.ReadFile(path)))
		return nil
	}))
	return all
}

// snapshot lists all of a repository with times, sizes and sums.
func snapshot(t *testing.T, r Repository) string {
	return shell(t, r.Root, `find . -printf '%p %m %s %T@\n' | sort; find . -type f -exec cksum {} + | sort`)
}

func TestCopies(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	before := snapshot(t, r)
	c := openCache(t, t.TempDir())
	first := must2(c.Copy(t.Context(), r, "v1"))
	equal(t, "a commit", map[string]string{
		".gitignore": "bot\n", "link": "one\n", "run": "#!/bin/sh\n", "src/a": "one\n",
	}, files(t, first.Folder))
	equal(t, "its name", "v1 ("+shell(t, r.Root, "git rev-parse --short=10 v1")+")", first.Name)
	tree := must2(c.Copy(t.Context(), r, ""))
	equal(t, "the working tree", map[string]string{
		".gitignore": "bot\n", "link": "three\n", "new": "new\n", "src/a": "three\n",
	}, files(t, tree.Folder))
	equal(t, "its notes", []string{"1 untracked file is part of it: new"}, tree.Notes)
	info := must2(os.Stat(filepath.Join(tree.Folder, "src/a")))
	equal(t, "the year of a file", 2020, info.ModTime().Year())
	if must2(c.Copy(t.Context(), r, "HEAD~1")).Hash != first.Hash || first.Hash == tree.Hash {
		t.Error("the hash is not that of the content")
	}
	equal(t, "the repository", before, snapshot(t, r))
}

func TestRevisions(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	shell(t, r.Root, "git branch v1 HEAD")
	c := openCache(t, t.TempDir())
	for name, want := range map[string]string{
		"v9":   `unknown revision "v9": ` + r.Root + ` has no such branch, tag or commit`,
		"-all": `unknown revision "-all"`,
		"v1":   `the revision "v1" is ambiguous`,
	} {
		_, err := c.Copy(t.Context(), r, name)
		if !errors.As(err, new(*Error)) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
	bare := t.TempDir()
	shell(t, bare, "git init -q --bare")
	for folder, want := range map[string]string{bare: "is a bare Git repository", t.TempDir(): "is not in a Git repository"} {
		_, err := Open(t.Context(), folder)
		if !errors.As(err, new(*Error)) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestAbsentFiles(t *testing.T) {
	t.Parallel()
	r, other := newRepository(t), newRepository(t)
	shell(t, r.Root, `git -c protocol.file.allow=always submodule --quiet add `+other.Root+` sub
		printf 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 5\n' > net
		git add net; git commit -qm three`)
	c := openCache(t, t.TempDir())
	for _, name := range []string{"", "main"} {
		notes := strings.Join(must2(c.Copy(t.Context(), r, name)).Notes, "\n")
		for _, want := range []string{"its submodule sub is absent", "files that are only pointers of Git LFS: 1"} {
			if !strings.Contains(notes, want) {
				t.Errorf("%q: got %s, want %s", name, notes, want)
			}
		}
	}
}

func TestBuild(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	folder := t.TempDir()
	c := openCache(t, folder)
	build := func(command string) (*Copy, error) {
		copied := must2(c.Copy(t.Context(), r, "v1"))
		t.Cleanup(copied.Close)
		return copied, copied.Build(t.Context(), command, func(folder string) error {
			return os.Remove(filepath.Join(folder, "run"))
		})
	}
	made, err := build("test ! -e run; cat; echo x > built")
	must(t, err)
	equal(t, "what was built", "x\n", files(t, made.Folder)["built"])
	again, err := build("test ! -e run; cat; echo x > built")
	must(t, err)
	equal(t, "the folder of the same build", made.Folder, again.Folder)

	_, err = build("seq 100; exit 7")
	failed := new(Error)
	if !errors.As(err, &failed) || !strings.Contains(failed.Problem, "exit status 7") ||
		!strings.HasSuffix(failed.Output, "\n99\n100") {
		t.Errorf("a build that fails: %v", err)
	}
	left := must2(filepath.Glob(filepath.Join(folder, "*", "built")))
	equal(t, "copies after a failure", 1, len(left))

	removed, used, err := c.Clean()
	must(t, err)
	equal(t, "copies in use", [2]int{0, 1}, [2]int{removed, used})
	made.Close()
	again.Close()
	removed, used, err = c.Clean()
	must(t, err)
	equal(t, "copies no longer in use", [2]int{1, 0}, [2]int{removed, used})
}

// A build ends with all its processes when its context does.
func TestBuildEnds(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	c := openCache(t, t.TempDir())
	copied := must2(c.Copy(t.Context(), r, "v1"))
	ctx, cancel := context.WithCancel(t.Context())
	mark := filepath.Join(t.TempDir(), "alive")
	go func() {
		for _, err := os.Stat(mark); err != nil; _, err = os.Stat(mark) {
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	}()
	err := copied.Build(ctx, "(while :; do date > "+mark+"; sleep 0.01; done) & wait", func(string) error { return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	must(t, os.Remove(mark))
	time.Sleep(100 * time.Millisecond)
	if _, err := os.Stat(mark); err == nil {
		t.Error("a process of the build is left")
	}
}
