package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/configs"
)

// isolationFlag returns the flag for the isolation of a command's bots.
func isolationFlag(bots string) cli.Flag {
	return &cli.StringFlag{
		Name: "isolation", Usage: "`MODE`: the isolation of " + bots + ", " + isolationModes(),
		Value: string(arena.AutoIsolation),
	}
}

func isolationModes() string {
	var modes []string
	for _, mode := range arena.IsolationModes() {
		modes = append(modes, string(mode))
	}
	return strings.Join(modes, ", ")
}

// readIsolation returns the isolation of that mode, with the default limits of a
// tournament.
func readIsolation(mode string) (arena.Isolation, error) {
	for _, known := range arena.IsolationModes() {
		if string(known) == mode {
			isolation := configs.DefaultIsolation()
			isolation.Mode = known
			return isolation, nil
		}
	}
	return arena.Isolation{}, usage("unknown isolation %q (known: %s)", mode, isolationModes())
}
