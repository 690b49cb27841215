package main

import (
	"math"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"sembra/configs"
	"sembra/engine"
	"sembra/engine/show"
)

// The flags below refuse wrong values before their command begins.

// wholeFlag returns a flag for a whole number from least to most. Its default may
// be empty.
func wholeFlag(name, text, value string, least, most int) cli.Flag {
	return &cli.StringFlag{Name: name, Usage: text, Value: value, Action: func(_ *cli.Context, given string) error {
		_, err := wholeNumber("--"+name, given, least, most)
		return err
	}}
}

// whole returns the value of a wholeFlag. Without a value it returns otherwise.
func whole(c *cli.Context, name string, otherwise int) int {
	if n, err := strconv.Atoi(c.String(name)); err == nil {
		return n
	}
	return otherwise
}

// wholeNumber reads a whole number from the command line.
func wholeNumber(what, text string, least, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, usage("%s must be a whole number from %d to %d, not %q", what, least, most, text)
	}
	return n, nil
}

// roundsFlag returns the flag for the limit of rounds.
func roundsFlag(value string) cli.Flag {
	return wholeFlag("rounds", "play at most `N` rounds in a match (games of several rounds)", value, 1, engine.MostRounds)
}

// seedFlag returns the flag for the seed.
func seedFlag() cli.Flag {
	return wholeFlag("seed", "`N`: seed for everything random", "1", 0, math.MaxInt)
}

// concurrencyFlag returns the flag for the number of matches at once.
func concurrencyFlag(otherwise string) cli.Flag {
	return wholeFlag("concurrency", "play `N` matches at once "+otherwise, "", 1, configs.MaxConcurrency)
}

// matchesFlag returns the flag for an even number of matches.
func matchesFlag(most int) cli.Flag {
	const text = "play `N` matches, an even number"
	return &cli.StringFlag{Name: "matches", Usage: text, Value: "1000", Action: func(_ *cli.Context, given string) error {
		if n, err := strconv.Atoi(given); err != nil || n < 2 || n > most || n%2 != 0 {
			return usage("--matches must be an even number from 2 to %d, not %q", most, given)
		}
		return nil
	}}
}

// realFlag returns a flag for a number from -most to most.
func realFlag(name, text, value string, most float64) cli.Flag {
	return &cli.StringFlag{Name: name, Usage: text, Value: value, Action: func(_ *cli.Context, given string) error {
		number, err := strconv.ParseFloat(given, 64)
		switch limited := most < math.MaxFloat64; {
		case err == nil && math.Abs(number) <= most: // NaN is not
			return nil
		case limited:
			return usage("--%s must be a number from %.0f to %.0f, not %q", name, -most, most, given)
		}
		return usage("--%s must be a number, not %q", name, given)
	}}
}

// number returns the value of a realFlag, and 0 without one.
func number(c *cli.Context, name string) float64 {
	value, _ := strconv.ParseFloat(c.String(name), 64) // the flag has checked it
	return value
}

// meanFlag returns the flag for the mean of ratings. With a much higher mean, a
// float64 has not enough digits for the ratings.
func meanFlag(otherwise, value string) cli.Flag {
	return realFlag("mean", "set the mean of all ratings to `N`"+otherwise, value, 1_000_000)
}

// differencesFlag returns the flag for the differences between each two players.
func differencesFlag() cli.Flag {
	return &cli.BoolFlag{Name: "differences", Usage: "print the difference between every two ratings instead"}
}

// priorFlag returns the flag for virtual draws. More of them than matches would
// hide the results.
func priorFlag() cli.Flag {
	const most = 1000
	text := "add `N` virtual draws for each, which also rates those who won or lost everything (BayesElo: 2)"
	return &cli.StringFlag{Name: "prior", Usage: text, Action: func(_ *cli.Context, given string) error {
		if n, err := strconv.ParseFloat(given, 64); err != nil || !(n > 0 && n <= most) {
			return usage("--prior must be a number greater than 0 and at most %d, not %q", most, given)
		}
		return nil
	}}
}

// timeFlag returns a flag for a time.
func timeFlag(name, text, value string) cli.Flag {
	const least, most = time.Millisecond, time.Hour
	return &cli.StringFlag{Name: name, Usage: text, Value: value, Action: func(_ *cli.Context, given string) error {
		if d, err := time.ParseDuration(given); err != nil || d < least || d > most {
			return usage("--%s must be a time from 1ms to 1h, such as 10s, not %q", name, given)
		}
		return nil
	}}
}

// duration returns the value of a timeFlag.
func duration(c *cli.Context, name string) time.Duration {
	d, _ := time.ParseDuration(c.String(name)) // the flag has checked it
	return d
}

// plural returns a number with the thing that it counts.
func plural(n int, one, many string) string {
	if n == 0 {
		return "no " + many
	}
	return show.Count(n, one, many)
}
