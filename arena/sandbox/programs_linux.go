package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// follow finds the programs that the kernel executes for the command: the program
// and, if that is a script, its interpreter, and so on. It replaces shims of
// version managers in the command: it puts the folder of the real program before
// the folder of the shim in PATH.
func (p *Prepared) follow(ctx context.Context) (err error) {
	c := &p.command
	name := c.Args[0]
	if c.Program, err = unshim(ctx, c.Program, name, c.Dir, c.Env); err != nil {
		return err
	}
	if found, err := lookPath(name, c.Env); !strings.ContainsRune(name, '/') && (err != nil || found != c.Program) {
		// Some programs find their files by the path in their first argument.
		c.Args = append([]string{c.Program}, c.Args[1:]...)
		c.Env = prependPath(c.Env, filepath.Dir(c.Program))
	}
	const deep = 4
	for path := c.Program; path != "" && len(p.programs) < deep; {
		p.programs = append(p.programs, path)
		words, err := firstLine(path)
		if err != nil {
			return err
		}
		if len(words) == 0 || !filepath.IsAbs(words[0]) {
			return nil // no script, or one that the kernel refuses
		}
		line := strings.Join(words, " ")
		path = words[0]
		if filepath.Base(path) != "env" {
			continue
		}
		p.programs = append(p.programs, path)
		path = ofEnv(words[1:])
		if path == "" || filepath.IsAbs(path) {
			continue
		}
		found, err := lookPath(path, c.Env)
		if err != nil {
			return fmt.Errorf("%s begins with %q: %w", c.Program, "#!"+line, err)
		}
		if path, err = unshim(ctx, found, path, c.Dir, c.Env); err != nil {
			return err
		}
		if path != found {
			c.Env = prependPath(c.Env, filepath.Dir(path))
		}
	}
	return nil
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

// firstLine returns the words after #! of a script, and none of another program.
func firstLine(path string) (words []string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	begin := make([]byte, 4096)
	n, err := file.Read(begin)
	if err != nil && !errors.Is(err, io.EOF) { // the file may be empty
		return nil, err
	}
	line, _, _ := strings.Cut(string(begin[:n]), "\n")
	if line, ok := strings.CutPrefix(line, "#!"); ok {
		words = strings.Fields(line)
	}
	return words, nil
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

// setEnv returns an environment in which the names have the value.
func setEnv(env []string, value string, names ...string) []string {
	set := slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(names, name)
	})
	for _, name := range names {
		set = append(set, name+"="+value)
	}
	return set
}
