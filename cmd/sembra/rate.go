package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"sembra/configs"
	"sembra/results"
	"sembra/results/report"
)

func rateCommand() *cli.Command {
	anchor := namingFlag("anchor", "give `PLAYER` the rating of --mean, instead of the mean of all players", "",
		"the name of a player")
	return &cli.Command{
		Name: "rate", ArgsUsage: "FILE.csv", Flags: append(tableFlags(anchor), ratingFlags("", "1500")...), Action: rate,
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
	list, err := readGames(c, args[0])
	if err != nil {
		return asUsage(err)
	}
	if n := len(list.Players); c.Bool("differences") && n > mostDifferences {
		return usage("--differences compares at most %d players, not %d", mostDifferences, n)
	}
	ratings, err := list.Rate(c.String("anchor"), number(c, "mean"), number(c, "prior"))
	if err != nil {
		return asUsage(err)
	}
	if !list.Paired {
		say(c.App.ErrWriter,
			"warning: the list has no column pair, so each game counts as an observation of its own (hint: "+
				"give games from one opening with the seats swapped the same text in a column pair)")
	}
	if c.Bool("differences") {
		return printReport(c, report.GameDifferences(ratings))
	}
	return printReport(c, report.GameRatings(ratings))
}

// mostGames is the size of the greatest list of games in a file.
const mostGames = 1 << 30

// readGames reads a file of results, or standard input for "-".
func readGames(c *cli.Context, path string) (results.GameList, error) {
	input, name := c.App.Reader, "standard input"
	if path != "-" {
		file, err := configs.OpenInput(path, mostGames)
		if err != nil {
			return results.GameList{}, fmt.Errorf("%s: cannot read the results: %w", path, withoutPath(err))
		}
		defer file.Close()
		input, name = file, path
	}
	return results.ReadGames(input, name)
}
