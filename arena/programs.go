package arena

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"sembra/arena/guest"
	"sembra/results"
)

// Programs returns what each bot that has not withdrawn is started from, for the plan of a tournament. It reads the
// files that the commands name.
func Programs(entries []guest.Entry) (map[string]results.Program, error) {
	programs := make(map[string]results.Program, len(entries))
	sums := make(map[string]string) // by path: several bots may have the same large program
	for _, e := range entries {
		if e.Withdrawn {
			continue
		}
		program, err := programOf(e, sums)
		if err != nil {
			return nil, err
		}
		programs[e.Name] = program
	}
	return programs, nil
}

// programOf returns what a bot is started from, with the files that its command names. It passes over names of files
// that do not exist: starting the bot shows whether it needs them.
func programOf(e guest.Entry, sums map[string]string) (results.Program, error) {
	p := results.Program{
		Builtin: e.Builtin, Environment: e.Environment, EnvFrom: e.EnvFrom, Protocol: e.Dialect.String(), Restart: e.Restart,
		Network: e.Allowance.Network, Memory: results.Size(e.Allowance.Memory),
	}
	for _, o := range e.Options {
		p.Options = append(p.Options, o.Name+"="+o.Value)
	}
	command, ok := e.Launcher.(guest.Command)
	if !ok || e.Builtin != "" {
		return p, nil
	}
	p.Command, p.Folder, p.Files = command.Args, e.Folder, make(map[string]string)
	for i, arg := range command.Args {
		path, ok := command.File(i)
		if !ok {
			continue
		}
		if sums[path] == "" {
			sum, err := contentSum(path)
			if err != nil {
				return p, guest.AsRunnerError(fmt.Errorf("bot %s: %w", e.Name, err))
			}
			sums[path] = sum
		}
		p.Files[arg] = cmp.Or(p.Files[arg], sums[path])
	}
	return p, nil
}

// contentSum returns a hash of the content of a file.
func contentSum(path string) (sum string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return "", err
	}
	return "sha256:" + hex.EncodeToString(hash.Sum(nil)[:8]), nil
}
