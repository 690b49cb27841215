// Package revision copies revisions of a Git repository into a cache and builds them there. It asks git, and leaves the
// repository as it is, byte for byte.
package revision

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Error is what is wrong with a repository, a revision or a build, in one sentence.
type Error struct {
	Problem string
	Output  string // the last lines of a build that failed
}

func (e *Error) Error() string { return strings.TrimRight(e.Problem+"\n"+e.Output, "\n") }

func wrong(format string, args ...any) error { return &Error{Problem: fmt.Sprintf(format, args...)} }

// Repository is a Git repository with a working tree.
type Repository struct {
	Root string // the folder of the working tree
}

// Open finds the repository of a folder.
func Open(ctx context.Context, folder string) (Repository, error) {
	r := Repository{folder}
	bare, stderr, err := r.git(ctx, "", "rev-parse", "--is-bare-repository")
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return r, wrong("git is not installed, and sembra test needs it")
	case strings.Contains(stderr, "not a git repository"):
		return r, wrong("%s is not in a Git repository, so there are no revisions to test", folder)
	case err != nil:
		return r, err
	case strings.TrimSpace(bare) == "true":
		return r, wrong("%s is a bare Git repository (hint: run sembra test in a clone with a working tree)", folder)
	}
	root, _, err := r.git(ctx, "", "rev-parse", "--show-toplevel")
	r.Root = strings.TrimSuffix(root, "\n")
	return r, err
}

// resolve returns the commit that a name stands for.
func (r Repository) resolve(ctx context.Context, name string) (commit string, err error) {
	out, stderr, err := r.git(ctx, "", "rev-parse", "--verify", "--end-of-options", name+"^{commit}")
	switch {
	case strings.Contains(stderr, "is ambiguous"):
		return "", wrong("the revision %q is ambiguous: several commits or names match it "+
			"(hint: write refs/heads/NAME, refs/tags/NAME or a longer hash)", name)
	case ctx.Err() != nil:
		return "", err
	case err != nil:
		return "", wrong("unknown revision %q: %s has no such branch, tag or commit "+
			"(hint: a shallow clone, as in CI, lacks most of them)", name, r.Root)
	}
	commit = strings.TrimSpace(out)
	return commit[strings.LastIndexByte(commit, '\n')+1:], nil
}

// git runs git in the repository, with an index file of its own if one is given. It reads nothing that git would have
// to write for, starts no daemon, and downloads no large files.
func (r Repository) git(ctx context.Context, index string, args ...string) (stdout, stderr string, err error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", r.Root, "-c", "core.fsmonitor=false"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "GIT_LFS_SKIP_SMUDGE=1", "LC_ALL=C")
	if index != "" {
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+index)
	}
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err = cmd.Run(); ctx.Err() != nil {
		err = context.Cause(ctx)
	} else if err != nil {
		err = fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(said.String()))
	}
	return out.String(), said.String(), err
}

// list returns the paths that git ls-files prints.
func (r Repository) list(ctx context.Context, index string, flags ...string) ([]string, error) {
	out, _, err := r.git(ctx, index, append([]string{"ls-files", "-z"}, flags...)...)
	return strings.FieldsFunc(out, func(c rune) bool { return c == 0 }), err
}

// checkOut writes the files of a commit into a new folder.
func (r Repository) checkOut(ctx context.Context, commit, folder string) (notes []string, err error) {
	index := folder + ".index"
	defer os.Remove(index)
	if _, _, err := r.git(ctx, index, "read-tree", "--no-sparse-checkout", commit); err != nil {
		return nil, err
	}
	if _, _, err := r.git(ctx, index, "checkout-index", "--all", "--prefix="+folder+string(filepath.Separator)); err != nil {
		return nil, err
	}
	return r.submodules(ctx, index)
}

// copyTree copies the files of the working tree that git does not ignore into a new folder, with their times.
func (r Repository) copyTree(ctx context.Context, folder string) (notes []string, err error) {
	tracked, err := r.list(ctx, "", "--cached", "--deduplicate")
	if err != nil {
		return nil, err
	}
	untracked, err := r.list(ctx, "", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	notes, err = r.submodules(ctx, "")
	switch n := len(untracked); {
	case n == 1:
		notes = append(notes, "1 untracked file is part of it: "+untracked[0])
	case n > 1:
		notes = append(notes, fmt.Sprintf("%d untracked files are part of it, such as %s", n, untracked[0]))
	}
	var links []string
	for _, name := range append(tracked, untracked...) {
		from, to := filepath.Join(r.Root, name), filepath.Join(folder, name)
		info, statErr := os.Lstat(from)
		switch {
		case err != nil:
			return nil, err
		case statErr != nil: // deleted
		case info.Mode()&os.ModeSymlink != 0:
			links = append(links, name)
		case info.Mode().IsRegular():
			err = copyFile(from, to, info)
		}
	}
	for _, name := range links { // last, so that no file is written through a link
		target, linkErr := os.Readlink(filepath.Join(r.Root, name))
		to := filepath.Join(folder, name)
		err = errors.Join(err, linkErr, os.MkdirAll(filepath.Dir(to), 0o755), os.Symlink(target, to))
	}
	return notes, err
}

func copyFile(from, to string, info os.FileInfo) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(to, content, 0o644|info.Mode().Perm()&0o111); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

// submodules says which submodules an index has: their files are not in a copy.
func (r Repository) submodules(ctx context.Context, index string) (notes []string, err error) {
	entries, err := r.list(ctx, index, "--stage")
	for _, entry := range entries {
		if _, name, found := strings.Cut(entry, "\t"); found && strings.HasPrefix(entry, "160000 ") {
			notes = append(notes, fmt.Sprintf("its submodule %s is absent (hint: --build can fetch it)", name))
		}
	}
	return notes, err
}
