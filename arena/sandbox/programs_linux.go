package sandbox

import (
	"bytes"
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

// follow finds the programs that the kernel executes for the command: the program
// and, if that is a script, its interpreter, and so on. It replaces shims of
// version managers in the command: it puts the folder of the real program before
// the folder of the shim in PATH.
func (p *Prepared) follow(ctx context.Context) error {
	command := &p.command
	name := command.Args[0]
	program, err := unshim(ctx, command.Program, name, command.Dir, command.Env)
	if err != nil {
		return err
	}
	command.Program = program
	if !strings.ContainsRune(name, '/') {
		if found, err := lookPath(name, command.Env); err != nil || found != program {
			// Some programs find their files by the path in their first argument.
			command.Args = append([]string{program}, command.Args[1:]...)
			command.Env = prependPath(command.Env, filepath.Dir(program))
		}
	}
	p.programs, command.Env, err = followScripts(ctx, *command)
	return err
}

// followScripts returns the programs and the environment in which they run.
func followScripts(ctx context.Context, c Command) (programs, env []string, err error) {
	const deep = 4
	env = c.Env
	for path := c.Program; len(programs) < deep; {
		programs = append(programs, path)
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return nil, nil, err
		}
		begin, err := beginOf(real)
		if err != nil {
			return nil, nil, err
		}
		line, ok := bytes.CutPrefix(begin, []byte("#!"))
		if !ok {
			break
		}
		line, _, _ = bytes.Cut(line, []byte("\n"))
		words := strings.Fields(string(line))
		if len(words) == 0 || !filepath.IsAbs(words[0]) {
			break // the kernel will refuse it
		}
		path = words[0]
		if filepath.Base(path) != "env" {
			continue
		}
		programs = append(programs, path)
		name := ofEnv(words[1:])
		if name == "" {
			break
		}
		if filepath.IsAbs(name) {
			path = name
			continue
		}
		found, err := lookPath(name, env)
		if err != nil {
			return nil, nil, fmt.Errorf("%s begins with %q: %w", c.Program, "#!"+string(line), err)
		}
		real, err = unshim(ctx, found, name, c.Dir, env)
		if err != nil {
			return nil, nil, err
		}
		if real != found {
			env = prependPath(env, filepath.Dir(real))
		}
		path = real
	}
	return programs, env, nil
}

// ofEnv returns the program among the arguments of the command env.
func ofEnv(args []string) string {
	for _, arg := range args {
		if !strings.HasPrefix(arg, "-") && !strings.Contains(arg, "=") {
			return arg
		}
	}
	return ""
}

// prependPath returns an environment in which a folder is the first of PATH.
func prependPath(env []string, folder string) []string {
	list, ok := valueOf(env, "PATH")
	if !ok {
		return env
	}
	return setEnv(env, folder+string(filepath.ListSeparator)+list, "PATH")
}

// homesOf returns the home folders of the user and of the environment.
func homesOf(env []string) []string {
	var homes []string
	if home, err := os.UserHomeDir(); err == nil {
		homes = append(homes, filepath.Clean(home))
	}
	if home, _ := valueOf(env, "HOME"); filepath.IsAbs(home) {
		homes = append(homes, filepath.Clean(home))
	}
	return homes
}

// unshim returns the program that a version manager's shim stands for. A shim is a
// script in a folder MANAGER/shims, such as ~/.pyenv/shims, that asks its manager for the
// program at every start. unshim asks it once, in the bot's folder, because the answer
// can depend on files there. A program that is not a shim is returned unchanged. When the
// context is done, the error is its cause.
func unshim(ctx context.Context, program, name, dir string, env []string) (string, error) {
	folder := filepath.Dir(program)
	root := filepath.Dir(folder)
	manager := strings.TrimPrefix(filepath.Base(root), ".")
	if filepath.Base(folder) != "shims" {
		return program, nil
	}
	path, err := lookPath(manager, prependPath(env, filepath.Join(root, "bin")))
	if err != nil {
		return program, nil
	}
	const patience = 30 * time.Second // it usually takes a tenth of a second
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("no answer within %v", patience))
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "which", filepath.Base(name))
	// The manager finds its files by this variable, unless the bot's environment has another value.
	cmd.Env = append([]string{strings.ToUpper(manager) + "_ROOT=" + root}, env...)
	cmd.Dir, cmd.WaitDelay = dir, 200*time.Millisecond
	out, err := cmd.Output()
	found := strings.TrimSpace(string(out))
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		err = fmt.Errorf("%w: %s", err, strings.TrimSpace(string(exit.Stderr)))
	} else if err == nil && (!filepath.IsAbs(found) || !executable(found) || filepath.Dir(found) == folder) {
		err = fmt.Errorf("the answer %q is not a program", found)
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		const sentence = "%s is a shim of a version manager, and %q failed: %w (hint: name the program itself in command)"
		return "", fmt.Errorf(sentence, program, manager+" which "+filepath.Base(name), err)
	}
	return found, nil
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
