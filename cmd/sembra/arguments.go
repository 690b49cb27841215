package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"sembra/configs"
)

// flagsFirst puts the flags of a command line before its arguments, because the
// library stops reading flags at the first argument. It refuses unknown commands
// and flags, and lists the known ones.
func flagsFirst(app *cli.App, args []string) ([]string, error) {
	if len(args) < 2 || args[len(args)-1] == "--generate-bash-completion" {
		return args, nil
	}
	if args[1] == "help" { // as in git and go
		args = append([]string{args[0]}, append(args[2:len(args):len(args)], "--help")...)
	}
	name := args[1]
	if strings.HasPrefix(name, "-") {
		if !slices.Contains([]string{"-h", "--help", "-v", "--version"}, name) {
			known := configs.Known(name, []string{"--help", "--version"})
			return nil, usage("unknown flag %s before a command %s", name, known)
		}
		return []string{args[0], name}, nil
	}
	command := app.Command(name)
	switch {
	case name == "crosstable":
		return nil, usage("the command crosstable is now standings --crosstable")
	case name == "sprt":
		return nil, usage("the command sprt is now run, which plays the test of a file with [sprt]")
	case command == nil:
		names := commandNames(app)
		return nil, usage("unknown command %q (%sknown: %s)", name,
			configs.Meant(name, append(names, "--version", "help")), strings.Join(names, ", "))
	}

	flags, rest := []string{args[0], name}, []string(nil)
	for i := 2; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			rest = append(rest, args[i+1:]...)
			app.Metadata = map[string]any{dashes: true}
			break
		}
		if !strings.HasPrefix(arg, "-") || arg == "-" {
			rest = append(rest, arg)
			continue
		}
		flags = append(flags, arg)
		flagName, value, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if flagName == "help" || flagName == "h" {
			return append([]string{args[0], name, "--help"}, rest...), nil // whatever else is missing or wrong
		}
		flag := findFlag(command, flagName)
		if flag == nil {
			return nil, usage("unknown flag %s of %s %s", arg, name, configs.Known("--"+flagName, flagNames(command)))
		}
		_, isSwitch := flag.(*cli.BoolFlag)
		if _, err := strconv.ParseBool(value); isSwitch && hasValue && err != nil {
			return nil, usage("--%s must be true or false, not %q", flagName, value)
		}
		if isSwitch || hasValue {
			continue
		}
		if i+1 == len(args) {
			return nil, usage("flag %s of %s needs a value", arg, name)
		}
		i++
		flags = append(flags, args[i])
	}
	return slices.Concat(flags, []string{"--"}, rest), nil
}

// dashes is the name under which the app notes that the command line has "--".
const dashes = "--"

// afterDashes reports whether the command line has "--", after which everything is an
// argument.
func afterDashes(c *cli.Context) bool { return c.App.Metadata[dashes] == true }

func commandNames(app *cli.App) []string {
	var names []string
	for _, c := range app.Commands {
		names = append(names, c.Name)
	}
	return names
}

func findFlag(command *cli.Command, name string) cli.Flag {
	for _, flag := range command.Flags {
		if slices.Contains(flag.Names(), name) {
			return flag
		}
	}
	return nil
}

func flagNames(command *cli.Command) []string {
	var names []string
	for _, flag := range command.Flags {
		names = append(names, "--"+flag.Names()[0])
	}
	return append(names, "--help")
}

// arguments returns the arguments of a command, which takes from least to most
// of them. With most -1 there is no limit.
func arguments(c *cli.Context, least, most int) ([]string, error) {
	args := c.Args().Slice()
	switch {
	case len(args) < least:
		needs := plural(least, "argument", "arguments")
		if most < 0 {
			needs = "at least " + needs
		}
		return nil, usage("%s needs %s (usage: %s)", c.Command.Name, needs, usageOf(c.Command))
	case most >= 0 && len(args) > most:
		return nil, usage("%s takes %s: %q is too many (usage: %s)",
			c.Command.Name, plural(most, "argument", "arguments"), args[most], usageOf(c.Command))
	}
	return args, nil
}

// usageOf returns how to write a command, without its flags.
func usageOf(c *cli.Command) string {
	return strings.TrimSpace("sembra " + c.Name + " " + c.ArgsUsage)
}
