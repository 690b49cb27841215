package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"sembra/results/store"
)

func verifyCommand() *cli.Command {
	flags := databaseFlags()
	flags[1] = namingFlag("tournament", "verify the tournament `NAME` (default: all)", "", "the name of a tournament")
	return &cli.Command{
		Name: "verify", ArgsUsage: "[FILE]",
		Flags:  flags,
		Action: verify,
	}
}

// verify prints each difference in a line. It fails if there is one.
func verify(c *cli.Context) error {
	isRecords, err := namesRecords(c)
	switch {
	case err != nil:
		return err
	case isRecords:
		return verifyRecords(c)
	}
	db, _, err := openRead(c, 0, 0)
	if err != nil {
		return err
	}
	verified, err := db.Verify(store.Verification{
		Tournament: c.String("tournament"),
		Tell:       func(d store.Difference) { printLine(c.App.Writer, d.String()) },
		Progress:   watch(c, "matches verified"),
	})
	matches := plural(verified.Matches, "match", "matches")
	tournaments := plural(verified.Tournaments, "tournament", "tournaments")
	switch {
	case err != nil:
		return err
	case verified.Differences > 0 && verified.Tournaments == 0:
		return fmt.Errorf("database %s: %s found, and no match could be checked",
			db.Path(), plural(verified.Differences, "difference", "differences"))
	case verified.Differences > 0:
		return fmt.Errorf("database %s: %s found in %s of %s",
			db.Path(), plural(verified.Differences, "difference", "differences"), matches, tournaments)
	}
	switch verified.Matches {
	case 0:
		say(c.App.Writer, "no match is recorded in %s", tournaments)
	case 1:
		say(c.App.Writer, "%s of %s is as recorded", matches, tournaments)
	default:
		say(c.App.Writer, "%s of %s are as recorded", matches, tournaments)
	}
	return nil
}
