package main

import (
	"github.com/urfave/cli/v2"

	"sembra/results"
	"sembra/results/report"
	"sembra/results/store"
)

func faultsCommand() *cli.Command { return tableCommand("faults", 0, tabulateFaults) }

func tabulateFaults(c *cli.Context, b *store.Records, _ []string) (report.Report, error) {
	summaries, err := b.Recorded()
	if err != nil {
		return report.Report{}, err
	}
	var all []results.BotFaults
	for _, f := range b.Tournament.Faults(summaries) {
		said, err := f.Report(func(number int) (results.Record, error) {
			record, _, err := b.Record(number)
			return record, err
		})
		if err != nil {
			return report.Report{}, err
		}
		all = append(all, said)
	}
	return report.Faults(b.Tournament.Name, sourceOf(c), all), nil
}

// sourceOf returns the words by which another command reads the same tournament as
// this one, whose only argument is a file; "" if it was given none.
func sourceOf(c *cli.Context) string {
	words := givenFlags(c, "db", "tournament")
	if c.Args().Present() {
		words += quoted(c.Args().First()) + " "
	}
	return words
}
