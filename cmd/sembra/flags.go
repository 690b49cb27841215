package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/arena/protocol"
	"sembra/configs"
	"sembra/engine"
	"sembra/engine/show"
	"sembra/results"
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
			known := configs.ListKnown(name, []string{"--help", "--version"})
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
			configs.DidYouMean(name, append(names, "--version", "help")), strings.Join(names, ", "))
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
			return nil, usage("unknown flag %s of %s %s", arg, name, configs.ListKnown("--"+flagName, flagNames(command)))
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

func textFlag(name, text, value string) cli.Flag {
	return &cli.StringFlag{Name: name, Usage: text, Value: value}
}

func protocolFlag(text string) cli.Flag {
	return textFlag("protocol", text+": "+strings.Join(configs.Protocols(), ", "), protocol.MBI.String())
}

func switchFlag(name, text string) cli.Flag { return &cli.BoolFlag{Name: name, Usage: text} }

// namingFlag returns a flag for a text that may not be empty. what says in an error what to give.
func namingFlag(name, text, value, what string) cli.Flag {
	return &cli.StringFlag{Name: name, Usage: text, Value: value, Action: func(_ *cli.Context, given string) error {
		if given == "" {
			return usage("--%s is empty: give %s", name, what)
		}
		return nil
	}}
}

// refuseFlags refuses flags that have no effect, and says why.
func refuseFlags(c *cli.Context, why string, flags ...string) error {
	for _, flag := range flags {
		if c.IsSet(flag) {
			return usage("--%s has no effect %s", flag, why)
		}
	}
	return nil
}

// checkedFlag returns a flag that refuses wrong values before its command begins. kind says what a value must be. The
// default may be empty.
func checkedFlag(name, text, value, kind string, right func(given string) bool) cli.Flag {
	return &cli.StringFlag{Name: name, Usage: text, Value: value, Action: func(_ *cli.Context, given string) error {
		if !right(given) {
			return usage("--%s must be %s, not %q", name, kind, given)
		}
		return nil
	}}
}

func wholeFlag(name, text, value string, least, most int) cli.Flag {
	kind := fmt.Sprintf("a whole number from %d to %d", least, most)
	return checkedFlag(name, text, value, kind, func(given string) bool {
		n, err := strconv.Atoi(given)
		return err == nil && least <= n && n <= most
	})
}

// whole returns the value of a wholeFlag. Without a value it returns otherwise.
func whole(c *cli.Context, name string, otherwise int) int {
	if n, err := strconv.Atoi(c.String(name)); err == nil {
		return n
	}
	return otherwise
}

func wholeNumber(what, text string, least, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, usage("%s must be a whole number from %d to %d, not %q", what, least, most, text)
	}
	return n, nil
}

func roundsFlag(value string) cli.Flag {
	return wholeFlag("rounds", "play at most `N` rounds in a match (games of several rounds)", value, 1, engine.MaxRounds)
}

func seedFlag() cli.Flag {
	return wholeFlag("seed", "`N`: seed for everything random", "1", 0, math.MaxInt)
}

func concurrencyFlag(otherwise string) cli.Flag {
	return wholeFlag("concurrency", "play `N` matches concurrently "+otherwise, "", 1, configs.MaxConcurrency)
}

func realFlag(name, text, value string) cli.Flag {
	return checkedFlag(name, text, value, "a number", func(given string) bool {
		number, err := strconv.ParseFloat(given, 64)
		return err == nil && !math.IsNaN(number) && !math.IsInf(number, 0)
	})
}

func number(c *cli.Context, name string) float64 {
	value, _ := strconv.ParseFloat(c.String(name), 64) // the flag has checked it
	return value
}

// ratingFlags returns the flags of the commands that rate players. With a much higher mean, a float64 has not enough
// digits for the ratings, and more virtual draws than matches would hide the results.
func ratingFlags(otherwise, mean string) []cli.Flag {
	const mostMean, mostPrior = 1_000_000, 1000
	return []cli.Flag{
		checkedFlag("mean", "set the mean of all ratings to `N`"+otherwise, mean,
			fmt.Sprintf("a number from %d to %d", -mostMean, mostMean), func(given string) bool {
				n, err := strconv.ParseFloat(given, 64)
				return err == nil && math.Abs(n) <= mostMean
			}),
		checkedFlag("prior",
			"add `N` virtual draws for each, which also rates those who won or lost everything (BayesElo: 2)", "",
			fmt.Sprintf("a number greater than 0 and at most %d", mostPrior), func(given string) bool {
				n, err := strconv.ParseFloat(given, 64)
				return err == nil && n > 0 && n <= mostPrior
			}),
		switchFlag("differences", "print the difference between each pair of ratings instead"),
	}
}

func timeFlag(name, text, value string) cli.Flag {
	return checkedFlag(name, text, value, "a time from 1ms to 1h, such as 10s", func(given string) bool {
		d, err := time.ParseDuration(given)
		return err == nil && time.Millisecond <= d && d <= time.Hour
	})
}

func duration(c *cli.Context, name string) time.Duration {
	d, _ := time.ParseDuration(c.String(name)) // the flag has checked it
	return d
}

func isolationFlag(bots string) cli.Flag {
	return textFlag("isolation", "`MODE`: the isolation of "+bots+", "+isolationModes(), arena.AutoIsolation)
}

func isolationModes() string { return strings.Join(arena.IsolationModes(), ", ") }

// readIsolation returns the isolation of that mode, with the default limits of a tournament.
func readIsolation(mode string) (results.Isolation, error) {
	isolation := configs.DefaultIsolation()
	isolation.Mode = mode
	if !slices.Contains(arena.IsolationModes(), mode) {
		return isolation, usage("unknown isolation %q %s", mode, configs.ListKnown(mode, arena.IsolationModes()))
	}
	return isolation, nil
}

// plural returns a number with the thing that it counts.
func plural(n int, one, many string) string {
	if n == 0 {
		return "no " + many
	}
	return show.Count(n, one, many)
}
