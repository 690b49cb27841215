package main

import (
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"sembra/results"
	"sembra/results/report"
)

func rateCommand() *cli.Command {
	return &cli.Command{
		Name: "rate", ArgsUsage: "FILE.csv",
		Flags: []cli.Flag{
			formatFlag(report.Table, report.Markdown, report.CSV, report.JSON), wideFlag(),
			&cli.StringFlag{Name: "anchor", Usage: "give `PLAYER` the rating of --mean, instead of the mean of all players"},
			meanFlag("", "1500"),
			priorFlag(),
			differencesFlag(),
		},
		Action: rate,
	}
}

// mostDifferences is the largest number of players for --differences, which needs
// memory for each two of them.
const mostDifferences = 1000

func rate(c *cli.Context) error {
	args, err := arguments(c, 1, 1)
	if err != nil {
		return err
	}
	if c.IsSet("anchor") && c.String("anchor") == "" {
		return usage("--anchor is empty: give the name of a player")
	}
	list, err := readGames(c, args[0])
	if err != nil {
		return asUsage(err)
	}
	if n := len(list.Players); c.Bool("differences") && n > mostDifferences {
		return usage("--differences compares at most %d players, not %d", mostDifferences, n)
	}
	ratings, err := results.RateGames(list, c.String("anchor"), number(c, "mean"), number(c, "prior"))
	if err != nil {
		return asUsage(err)
	}
	if !list.Paired {
		printLine(c.App.ErrWriter, sayUnpaired)
	}
	if c.Bool("differences") {
		return printReport(c, report.GameDifferences(ratings))
	}
	return printReport(c, report.GameRatings(ratings))
}

// readGames reads a file of results, or standard input for "-".
func readGames(c *cli.Context, path string) (results.GameList, error) {
	input, name := io.Reader(c.App.Reader), standardInput
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return results.GameList{}, fmt.Errorf("%s: cannot read the results: %w", path, withoutPath(err))
		}
		defer file.Close()
		input, name = file, path
	}
	return results.ReadGames(input, name)
}
