package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sembra/engine"
	"sembra/results"
	"sembra/results/report"
)

func ratingsCommand() *cli.Command {
	ruleset := &cli.StringFlag{
		Name: "ruleset", Usage: "print only the ratings of `RULESET`", Action: func(c *cli.Context, name string) error {
			rules, err := engine.Lookup(name)
			if err != nil {
				return asUsage(err)
			}
			return c.Set("ruleset", rules.Info().Name) // some have a second name
		},
	}
	return &cli.Command{
		Name: "ratings", ArgsUsage: "[FILE]", Flags: append(databaseFlags()[:1], tableFlags(ruleset)...), Action: printRatings,
	}
}

func printRatings(c *cli.Context) error {
	db, _, err := openRead(c, 0, 0)
	if err != nil {
		return err
	}
	if _, err := db.Records(""); err != nil { // the file has none
		return err
	}
	all, err := db.Tournaments()
	if err != nil {
		return err
	}
	rated := slices.DeleteFunc(slices.Clone(all), func(t results.Tournament) bool {
		return c.IsSet("ruleset") && t.Ruleset != c.String("ruleset")
	})
	if len(rated) == 0 {
		var played []string
		for _, t := range all {
			played = append(played, t.Ruleset)
		}
		slices.Sort(played)
		return usage("database %s has no tournament of %s (played: %s)",
			db.Path(), c.String("ruleset"), strings.Join(slices.Compact(played), ", "))
	}
	var ladders results.Ladders
	for _, t := range rated {
		b, err := db.Records(t.Name)
		if err != nil {
			return err
		}
		summaries, err := b.Recorded()
		if err != nil {
			return err
		}
		if err := ladders.Add(t, summaries); err != nil {
			return err
		}
	}
	return printReport(c, report.Ladders(ladders))
}
