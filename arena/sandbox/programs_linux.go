package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// follow finds the programs that the kernel executes for the command: the program
// and, if that is a script, its interpreter, and so on. It replaces shims of
// version managers in the command: it puts the folder of the real program before
// the folder of the shim in PATH.
func (c *Cell) follow(ctx context.Context) error {
	command := &c.command
	name := command.Args[0]
	program, err := Unshim(ctx, command.Program, name, command.Dir, command.Env)
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
	c.programs, command.Env, err = followScripts(ctx, *command)
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
		real, err = Unshim(ctx, found, name, c.Dir, env)
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
