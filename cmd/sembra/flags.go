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
)

// textFlag returns a flag for a text.
func textFlag(name, text, value string) cli.Flag {
	return &cli.StringFlag{Name: name, Usage: text, Value: value}
}

// protocolFlag returns the flag that says which protocol bots speak.
func protocolFlag(text string) cli.Flag {
	return textFlag("protocol", text+": "+strings.Join(configs.Protocols(), ", "), protocol.MBI.String())
}

// switchFlag returns a flag without a value.
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

// wholeFlag returns a flag for a whole number from least to most.
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

// wholeNumber reads a whole number from the arguments.
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

// realFlag returns a flag for a number.
func realFlag(name, text, value string) cli.Flag {
	return checkedFlag(name, text, value, "a number", func(given string) bool {
		number, err := strconv.ParseFloat(given, 64)
		return err == nil && !math.IsNaN(number) && !math.IsInf(number, 0)
	})
}

// number returns the value of a realFlag, and 0 without one.
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

// timeFlag returns a flag for a time.
func timeFlag(name, text, value string) cli.Flag {
	return checkedFlag(name, text, value, "a time from 1ms to 1h, such as 10s", func(given string) bool {
		d, err := time.ParseDuration(given)
		return err == nil && time.Millisecond <= d && d <= time.Hour
	})
}

// duration returns the value of a timeFlag.
func duration(c *cli.Context, name string) time.Duration {
	d, _ := time.ParseDuration(c.String(name)) // the flag has checked it
	return d
}

// isolationFlag returns the flag for the isolation of a command's bots.
func isolationFlag(bots string) cli.Flag {
	return textFlag("isolation", "`MODE`: the isolation of "+bots+", "+isolationModes(), arena.AutoIsolation)
}

func isolationModes() string { return strings.Join(arena.IsolationModes(), ", ") }

// readIsolation returns the isolation of that mode, with the default limits of a
// tournament.
func readIsolation(mode string) (arena.Isolation, error) {
	isolation := configs.DefaultIsolation()
	if isolation.Mode = mode; !slices.Contains(arena.IsolationModes(), mode) {
		return isolation, usage("unknown isolation %q %s", mode, configs.Known(mode, arena.IsolationModes()))
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
