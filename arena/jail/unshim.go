package jail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Unshim returns the program that a version manager's shim stands for. A shim is a
// script in a folder "shims" that asks its manager for the program at every start.
// Unshim asks the manager once, in the bot's folder, because the answer can depend
// on files there. name is the name in the bot's command. A program that is not a
// shim is returned unchanged. When the context is done, Unshim kills the manager,
// and the error is the cause.
func Unshim(ctx context.Context, program, name, dir string, env []string) (string, error) {
	folder := filepath.Dir(program)
	if filepath.Base(folder) != "shims" {
		return program, nil
	}
	begin, err := beginOf(program)
	if err != nil {
		return "", err
	}
	manager := managerOf(folder, begin)
	if manager == "" {
		return program, nil
	}
	path, err := managerPath(manager, filepath.Dir(folder), env)
	if err != nil {
		return "", fmt.Errorf("%s is a shim of %s: %w", program, manager, err)
	}
	question := manager + " which " + filepath.Base(name)
	found, err := ask(ctx, dir, managerEnv(env, manager, filepath.Dir(folder)), path, "which", filepath.Base(name))
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil:
		return "", fmt.Errorf("%s is a shim, and %q %w", program, question, err)
	}
	stat, err := os.Stat(found)
	if err != nil || !stat.Mode().IsRegular() || !filepath.IsAbs(found) || filepath.Dir(found) == folder {
		return "", fmt.Errorf("%s is a shim, and %q answered %q, which is not a program", program, question, found)
	}
	return found, nil
}

// managerPath finds a manager in its own folder, or else in PATH.
func managerPath(manager, root string, env []string) (string, error) {
	for _, place := range []string{"bin", "libexec"} {
		if path := filepath.Join(root, place, manager); executable(path) {
			return path, nil
		}
	}
	return lookPath(manager, env)
}

// ask returns what a program prints. The error is the end of a sentence that
// begins with the question.
func ask(ctx context.Context, dir string, env []string, program string, args ...string) (string, error) {
	const patience = 30 * time.Second // it usually takes a tenth of a second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	runtime.LockOSThread() // a process may die with the thread that started it
	defer runtime.UnlockOSThread()
	var out, said bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = dir, env, &out, &said, 200*time.Millisecond
	cmd.SysProcAttr = attributes()
	cmd.Cancel = func() error {
		kill(cmd.Process) // with all that it has started
		return nil
	}
	err := cmd.Run()
	if err == nil {
		return strings.TrimSpace(out.String()), nil
	}
	if ctx.Err() != nil {
		return "", fmt.Errorf("did not answer within %v", patience)
	}
	words := strings.TrimSpace(said.String())
	if words == "" {
		words = strings.TrimSpace(out.String())
	}
	if words != "" {
		words = ": " + words
	}
	return "", fmt.Errorf("failed: %w%s", err, words)
}

// managerEnv returns an environment in which a manager finds its files.
func managerEnv(env []string, manager, root string) []string {
	env = slices.Clone(env)
	variable := strings.ToUpper(manager) + "_ROOT"
	if manager == "asdf" || manager == "mise" {
		variable = strings.ToUpper(manager) + "_DATA_DIR"
	}
	if _, has := valueOf(env, variable); !has {
		env = append(env, variable+"="+root)
	}
	if _, has := valueOf(env, "HOME"); !has {
		if home, err := os.UserHomeDir(); err == nil {
			env = append(env, "HOME="+home)
		}
	}
	return env
}

// managerOf returns the name of the manager that a folder of shims belongs to, or "".
func managerOf(folder string, begin []byte) string {
	if !bytes.HasPrefix(begin, []byte("#!")) {
		return ""
	}
	for _, name := range []string{"pyenv", "rbenv", "nodenv", "goenv", "jenv", "asdf", "mise"} {
		if bytes.Contains(begin, []byte(name)) || strings.Contains(folder, name) {
			return name
		}
	}
	return ""
}

// beginOf returns the first bytes of a file.
func beginOf(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	begin := make([]byte, 4096)
	n, err := io.ReadFull(file, begin)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	return begin[:n], nil
}

// lookPath finds a program in the PATH of an environment.
func lookPath(name string, env []string) (string, error) {
	list, _ := valueOf(env, "PATH")
	for _, folder := range filepath.SplitList(list) {
		if path := filepath.Join(folder, name); filepath.IsAbs(path) && executable(path) {
			return path, nil
		}
	}
	return "", fmt.Errorf("%q is not in PATH", name)
}

func executable(path string) bool {
	stat, err := os.Stat(path)
	return err == nil && stat.Mode().IsRegular() && stat.Mode()&0o111 != 0
}

// valueOf returns the value of a variable of an environment.
func valueOf(env []string, name string) (value string, ok bool) {
	for _, entry := range env {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value, true
		}
	}
	return "", false
}
