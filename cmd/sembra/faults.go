package main

import (
	"github.com/urfave/cli/v2"

	"sembra/results"
	"sembra/results/report"
	"sembra/results/store"
)

func faultsCommand() *cli.Command {
	bot := textFlag("bot", "print only the faults of `BOT`, each match of them, and its last lines", "")
	return tableCommand("faults", 0, tabulateFaults, tableFlags(bot)...)
}

func tabulateFaults(c *cli.Context, b *store.Records, _ []string) (report.Report, error) {
	summaries, err := b.Recorded()
	if err != nil {
		return report.Report{}, err
	}
	name := ""
	if c.IsSet("bot") {
		if name, err = knownBot(b.Tournament.Bots, c.String("bot"), " in --bot"); err != nil {
			return report.Report{}, err
		}
	}
	var all []results.BotFaults
	for _, f := range b.Tournament.Faults(summaries) {
		if name != "" && f.Bot != name {
			continue
		}
		said, err := f.Report(func(number int) (results.Record, error) {
			record, _, err := b.Record(number)
			return record, err
		})
		if err != nil {
			return report.Report{}, err
		}
		all = append(all, said)
	}
	if name == "" || len(all) == 0 || len(all[0].Numbers) == 0 {
		said := report.Faults(b.Tournament, sourceOf(c), all)
		if name != "" && len(all) == 0 { // others may have been
			said.Parts[0].Notes[0] = name + " was not at fault in any match"
			if b.Tournament.Withdrawn != nil {
				said.Parts[0].Notes[0] += " that counts"
			}
		}
		return said, nil
	}
	var matches []report.Match
	for _, number := range all[0].Numbers {
		record, _, err := b.Record(number)
		if err != nil {
			return report.Report{}, err
		}
		matches = append(matches, report.Match{Tournament: b.Tournament, Number: number, Record: record})
	}
	return report.FaultSheet(sourceOf(c), all[0], matches), nil
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
