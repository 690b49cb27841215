package sandbox

import (
	"bufio"
	"context"
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
// and, if that is a script, its interpreter, and so on. It names the real program
// instead of a shim.
func (p *Prepared) follow(ctx context.Context) error {
	c := &p.command
	const deep = 4
	for path := c.Program; path != "" && len(p.programs) < deep; {
		real, err := p.unshim(ctx, path)
		if err != nil {
			return err
		}
		if path == c.Program && real != path { // programs find their files by the path in their first argument
			c.Program, c.Args = real, append([]string{real}, c.Args[1:]...)
		}
		p.programs = append(p.programs, real)
		words, err := firstLine(real)
		if err != nil {
			return err
		}
		if len(words) == 0 || !filepath.IsAbs(words[0]) {
			return nil // no script, or one that the kernel refuses
		}
		path = words[0]
		if filepath.Base(path) != "env" {
			continue
		}
		p.programs = append(p.programs, path)
		path = ""
		for _, word := range words[1:] {
			if path == "" && !strings.HasPrefix(word, "-") && !strings.Contains(word, "=") {
				path = word
			}
		}
		if path == "" || filepath.IsAbs(path) {
			continue
		}
		if path, err = lookPath(path, c.Env); err != nil {
			return fmt.Errorf("%s begins with %q: %w", real, "#!"+strings.Join(words, " "), err)
		}
	}
	return nil
}

// unshim returns the program that a shim stands for, and puts its folder first in the
// bot's PATH. A shim is a script in a folder MANAGER/shims, such as ~/.pyenv/shims, that
// asks its manager for the program at every start. The manager is asked once, in the
// bot's folder, because the answer can depend on files there.
func (p *Prepared) unshim(ctx context.Context, program string) (string, error) {
	c := &p.command
	folder, name := filepath.Dir(program), filepath.Base(program)
	root := filepath.Dir(folder)
	manager := strings.TrimPrefix(filepath.Base(root), ".")
	managers := []string{"asdf", "goenv", "jenv", "mise", "nodenv", "pyenv", "rbenv"}
	if filepath.Base(folder) != "shims" || !slices.Contains(managers, manager) {
		return program, nil
	}
	asked, err := lookPath(manager, prependPath(c.Env, filepath.Join(root, "bin")))
	if err != nil {
		return program, nil // a folder of that name by chance
	}
	cmd := exec.CommandContext(ctx, asked, "which", name)
	cmd.Env = append([]string{strings.ToUpper(manager) + "_ROOT=" + root}, c.Env...)
	cmd.Dir, cmd.WaitDelay = c.Dir, 200*time.Millisecond
	out, err := cmd.Output()
	real := strings.TrimSpace(string(out))
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	} else if err == nil && (!filepath.IsAbs(real) || !executable(real)) {
		err = fmt.Errorf("it says %q", real)
	}
	if err != nil {
		return "", fmt.Errorf("%s is a shim: name what %q says (%w)", program, manager+" which "+name, err)
	}
	c.Env = prependPath(c.Env, filepath.Dir(real))
	return real, nil
}

// prependPath returns an environment in which a folder is the first of PATH.
func prependPath(env []string, folder string) []string {
	list, _ := valueOf(env, "PATH")
	return setEnv(env, strings.TrimSuffix(folder+":"+list, ":"), "PATH")
}

// firstLine returns the words after #! of a script, and none of another program.
func firstLine(path string) (words []string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	line, err := bufio.NewReader(io.LimitReader(file, 4096)).ReadString('\n')
	if err != nil && err != io.EOF { // the file may be empty
		return nil, err
	}
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
	var set []string
	for _, entry := range env {
		if name, _, _ := strings.Cut(entry, "="); !slices.Contains(names, name) {
			set = append(set, entry)
		}
	}
	for _, name := range names {
		set = append(set, name+"="+value)
	}
	return set
}
