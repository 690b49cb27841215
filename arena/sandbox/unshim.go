package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Unshim returns the program that a version manager's shim stands for. A shim is a
// script in a folder "shims" that asks its manager for the program at every start.
// Unshim asks the manager once, in the bot's folder, because the answer can depend
// on files there. name is the name in the bot's command. A program that is not a
// shim is returned unchanged. When the context is done, the error is its cause.
func Unshim(ctx context.Context, program, name, dir string, env []string) (string, error) {
	folder := filepath.Dir(program)
	if filepath.Base(folder) != "shims" {
		return program, nil
	}
	begin, err := beginOf(program)
	if err != nil {
		return "", err
	}
	manager := managerOf(string(begin))
	if manager == "" {
		return program, nil
	}
	name = filepath.Base(name)
	found, err := ask(ctx, manager, name, folder, dir, env)
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err == nil && (!filepath.IsAbs(found) || !executable(found) || filepath.Dir(found) == folder):
		err = fmt.Errorf("the answer %q is not a program", found)
	}
	if err != nil {
		const sentence = "%s is a shim of a version manager, and %q failed: %w (hint: name the program itself in command)"
		return "", fmt.Errorf(sentence, program, filepath.Base(manager)+" which "+name, err)
	}
	return found, nil
}

// managerOf returns the manager that a shim runs, a name or a path, or "". The
// shim says: exec "MANAGER" exec "PROGRAM".
func managerOf(shim string) string {
	if !strings.HasPrefix(shim, "#!") {
		return ""
	}
	for line := range strings.Lines(shim) {
		command, runs := strings.CutPrefix(line, "exec ")
		if manager, _, ok := strings.Cut(command, " exec "); runs && ok {
			return strings.Trim(manager, `"'`)
		}
	}
	return ""
}

// ask returns what a manager prints when it is asked where a program is.
func ask(ctx context.Context, manager, name, folder, dir string, env []string) (string, error) {
	path := manager
	if !filepath.IsAbs(path) {
		var err error
		if path, err = lookPath(manager, env); err != nil {
			return "", err
		}
	}
	const patience = 30 * time.Second // it usually takes a tenth of a second
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("no answer within %v", patience))
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "which", name)
	// The manager finds its files by one of these variables, unless the bot's environment has another value.
	variable, root := strings.ToUpper(filepath.Base(manager)), filepath.Dir(folder)
	cmd.Env = append([]string{variable + "_ROOT=" + root, variable + "_DATA_DIR=" + root}, env...)
	cmd.Dir, cmd.WaitDelay = dir, 200*time.Millisecond
	out, err := cmd.Output()
	var exit *exec.ExitError
	switch {
	case err != nil && ctx.Err() != nil:
		err = context.Cause(ctx)
	case errors.As(err, &exit) && len(exit.Stderr) > 0:
		err = fmt.Errorf("%w: %s", err, strings.TrimSpace(string(exit.Stderr)))
	}
	return strings.TrimSpace(string(out)), err
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
