package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sembra/engine"
	"sembra/results"
	"sembra/results/report"
	"sembra/results/store"
)

func ratingsCommand() *cli.Command {
	return &cli.Command{
		Name: "ratings", ArgsUsage: "[FILE]",
		Flags: []cli.Flag{
			bookFlags()[0],
			&cli.StringFlag{Name: "ruleset", Usage: "print only the ratings of `RULESET`"},
			formatFlag(report.Table, report.Markdown, report.CSV, report.JSON), wideFlag(),
		},
		Action: printRatings,
	}
}

func printRatings(c *cli.Context) error {
	r, err := openRead(c, 0, 0)
	if err != nil {
		return err
	}
	db := r.Store
	defer db.Close()
	tournaments, err := ratedTournaments(c, db)
	if err != nil {
		return err
	}
	ladders := results.NewLadders(tournaments)
	for _, t := range tournaments {
		b, err := db.Book(t.Name)
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

// ratedTournaments returns the tournaments of a file that the user wants, in the
// order of their creation.
func ratedTournaments(c *cli.Context, db *store.Store) ([]results.Tournament, error) {
	if _, err := db.Tournament(""); err != nil { // the file has none
		return nil, err
	}
	tournaments, err := db.Tournaments()
	if err != nil || !c.IsSet("ruleset") {
		return tournaments, err
	}
	wanted := c.String("ruleset")
	if _, err := engine.Lookup(wanted); err != nil {
		return nil, asUsage(err)
	}
	var played []string
	var found []results.Tournament
	for _, t := range tournaments {
		if t.Ruleset == wanted {
			found = append(found, t)
		}
		if !slices.Contains(played, t.Ruleset) {
			played = append(played, t.Ruleset)
		}
	}
	if found == nil {
		return nil, usage("database %s has no tournament of %s (played: %s)", db.Path(), wanted, strings.Join(played, ", "))
	}
	return found, nil
}
