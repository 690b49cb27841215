package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sembra/configs"
	"sembra/engine"
	"sembra/results"
	"sembra/results/report"
	"sembra/results/stats"
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
	defer db.Close()
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

func statsCommand() *cli.Command {
	return &cli.Command{
		Name: "stats", ArgsUsage: " ",
		Flags: []cli.Flag{
			textFlag("penta", "`LL,LD,WLDD,WD,WW`: the numbers of pairs with these results", ""),
			textFlag("wdl", "`W,D,L`: the numbers of single games with these results", ""),
			realFlag("elo0", "`ELO`: hypothesis H0 of a sequential test", ""),
			realFlag("elo1", "`ELO`: hypothesis H1 of a sequential test", ""),
			realFlag("alpha", "`P`: the probability that the test accepts H1 if H0 is true", "0.05"),
			realFlag("beta", "`P`: the probability that the test accepts H0 if H1 is true", "0.05"),
			textFlag("model", "`MODEL`: the unit of elo0 and elo1, normalized or logistic", string(stats.Normalized)),
		},
		Action: printStats,
	}
}

func printStats(c *cli.Context) error {
	if _, err := arguments(c, 0, 0); err != nil {
		return err
	}
	test, whole, err := readTest(c)
	if err != nil {
		return err
	}
	penta, wdl := c.IsSet("penta"), c.IsSet("wdl")
	switch {
	case penta && wdl:
		return usage("--penta and --wdl are mutually exclusive: give the counts of pairs or of single games")
	case !penta && !wdl:
		return usage("stats needs --penta LL,LD,WLDD,WD,WW, which counts pairs, or --wdl W,D,L, which counts single games")
	case penta:
		counts, err := readCounts(c, "penta", []string{"LL", "LD", "WL+DD", "WD", "WW"})
		if err != nil {
			return err
		}
		return report.PairFigures(stats.Pentanomial(counts), test, whole).Write(c.App.Writer, report.JSON, 0)
	}
	counts, err := readCounts(c, "wdl", []string{"W", "D", "L"})
	if err != nil {
		return err
	}
	games := stats.Trinomial{Wins: counts[0], Draws: counts[1], Losses: counts[2]}
	return report.GameFigures(games, test, whole).Write(c.App.Writer, report.JSON, 0)
}

// readCounts reads a number for each of the classes. They must not all be 0.
func readCounts(c *cli.Context, flag string, classes []string) ([]int, error) {
	const most = 1_000_000_000
	text := c.String(flag)
	fields := strings.Split(text, ",")
	if len(fields) != len(classes) {
		return nil, usage("--%s must be %d numbers (%s), not %q", flag, len(classes), strings.Join(classes, ","), text)
	}
	counts := make([]int, len(fields))
	sum := 0
	for i, field := range fields {
		var err error
		if counts[i], err = wholeNumber(fmt.Sprintf("--%s: number %d (%s)", flag, i+1, classes[i]), field, 0, most); err != nil {
			return nil, err
		}
		sum += counts[i]
	}
	if sum == 0 {
		return nil, usage("--%s is %q: at least one number must be greater than 0", flag, text)
	}
	return counts, nil
}

// readTest reads the sequential test. Without hypotheses whole is false, and only
// the bounds of the test have a meaning.
func readTest(c *cli.Context) (test stats.Test, whole bool, err error) {
	whole = c.IsSet("elo0") || c.IsSet("elo1")
	if !whole && c.IsSet("model") {
		return test, false, usage("--model has no effect without --elo0 and --elo1: it is their unit")
	}
	test = stats.Test{
		Elo0: number(c, "elo0"), Elo1: number(c, "elo1"), Alpha: number(c, "alpha"), Beta: number(c, "beta"),
		Model: stats.Model(c.String("model")),
	}
	if !whole {
		test.Elo1 = 1 // any hypothesis
	}
	for _, flag := range []string{"elo0", "elo1"} {
		if whole && !c.IsSet(flag) {
			return test, false, usage("--%s is missing: a sequential test needs both --elo0 and --elo1", flag)
		}
	}
	return test, whole, asUsage(test.Check())
}
