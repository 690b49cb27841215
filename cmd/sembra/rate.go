package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"

	"github.com/urfave/cli/v2"

	"sembra/results"
	"sembra/results/report"
)

func rateCommand() *cli.Command {
	return &cli.Command{
		Name: "rate", Usage: sayRate, UsageText: exampleRate, ArgsUsage: "FILE.csv",
		Flags: []cli.Flag{
			formatFlag(report.Table, report.Markdown, report.CSV, report.JSON, report.Chart),
			&cli.StringFlag{Name: "anchor", Usage: "`PLAYER` whose rating is that of --mean (default: the mean is)"},
			&cli.StringFlag{Name: "mean", Usage: "mean of all ratings, `N`", Value: "1500"},
		},
		Action: rate,
	}
}

// maxMean is the highest mean of ratings. Ratings beside a much higher one would
// have no digits left.
const maxMean = 1_000_000

func rate(c *cli.Context) error {
	args, err := arguments(c, 1, 1)
	if err != nil {
		return err
	}
	mean, err := realNumber("--mean", c.String("mean"))
	if err != nil {
		return err
	}
	if math.Abs(mean) > maxMean {
		return usage("--mean is %s, a number from -%d to %d expected", c.String("mean"), maxMean, maxMean)
	}
	if c.IsSet("anchor") && c.String("anchor") == "" {
		return usage("--anchor is empty, the name of a player expected")
	}
	list, err := readGames(c, args[0])
	if err != nil {
		return asUsage(err)
	}
	ratings, err := results.RateGames(list, c.String("anchor"), mean)
	if err != nil {
		return asUsage(err)
	}
	return printReport(c, report.GameRatings(ratings))
}

// readGames reads a file of results, or standard input for "-".
func readGames(c *cli.Context, path string) (results.GameList, error) {
	input, name := io.Reader(c.App.Reader), "standard input"
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			if wrong := new(fs.PathError); errors.As(err, &wrong) {
				err = wrong.Err // without the path, which is said already
			}
			return results.GameList{}, fmt.Errorf("%s: the results cannot be read: %w", path, err)
		}
		defer file.Close()
		input, name = file, path
	}
	return results.ReadGames(input, name)
}
