package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"sembra/results"
	"sembra/results/report"
	"sembra/results/store"
)

func standingsCommand() *cli.Command {
	flags := tableFlags(
		&cli.StringFlag{
			Name: "tie-breaks", Usage: "`LIST`: what orders bots with equal points, one or more of " +
				strings.Join(results.TieBreaks(), ",") + " (default: as in the tournament file)",
			Action: func(_ *cli.Context, list string) error {
				if err := results.CheckTieBreaks(listed(list)); err != nil {
					return usage("--tie-breaks is %q: %w", list, err)
				}
				return nil
			},
		},
		textFlag("anchor", "give `BOT` the rating of --mean "+
			"(default: the anchor of the tournament, or else the mean of all bots)", ""),
	)
	flags = append(flags, ratingFlags(" (default: rating.start of the tournament)", "")...)
	flags = append(flags,
		switchFlag("crosstable", "print the crosstable alone"),
		switchFlag("no-crosstable", "print the standings without the crosstable"))
	return tableCommand("standings", 0, tabulateStandings, flags...)
}

func tabulateStandings(c *cli.Context, b *store.Records, _ []string) (report.Report, error) {
	var r report.Report
	if c.Bool("crosstable") && c.Bool("no-crosstable") {
		return r, usage("--crosstable and --no-crosstable are both given: give only one of them")
	}
	if c.Bool("differences") {
		if err := refuseFlags(c, "with --differences", "crosstable", "no-crosstable"); err != nil {
			return r, err
		}
	}
	if c.IsSet("tie-breaks") {
		b.Tournament.TieBreaks = listed(c.String("tie-breaks"))
	}
	if c.IsSet("anchor") {
		anchor, err := knownBot(b.Tournament.Bots, c.String("anchor"), " in --anchor")
		if err != nil {
			return r, err
		}
		b.Tournament.Anchor = anchor
	}
	standings, err := b.Standings()
	if err != nil {
		return r, err
	}
	mean := standings.Field.Mean
	if c.IsSet("mean") {
		mean = number(c, "mean")
	}
	if c.IsSet("mean") || c.IsSet("prior") {
		if err := standings.Rate(mean, number(c, "prior")); err != nil {
			return r, err
		}
	}
	switch {
	case c.Bool("differences"):
		return report.StandingsDifferences(standings, b.Schedule.Total()), nil
	case c.Bool("crosstable"):
		return report.Crosstable(standings, b.Schedule.Total()), nil
	}
	return standingsReport(c, b, standings)
}

func listed(list string) []string { return strings.Split(strings.ReplaceAll(list, " ", ""), ",") }

func standingsReport(c *cli.Context, b *store.Records, standings results.Standings) (report.Report, error) {
	var isolation []string
	if report.Format(c.String("format")) == report.JSON { // to read them, the whole plan is read again
		var err error
		if isolation, err = b.Isolation(); err != nil {
			return report.Report{}, err
		}
	}
	r := report.Standings(standings, b.Schedule.Total(), b.Schedule.Bracket(), isolation)
	notes := &r.Parts[0].Notes
	if c.Bool("wide") && standings.Field.Groups > 0 {
		*notes = append(*notes, "rating: fitted to all results; Elo: updated match by match, as sembra ratings does")
	}
	const most = 16 // bots
	switch {
	case c.Bool("no-crosstable"):
		r = r.WithoutCrosstable()
	case len(standings.Lines) > most && c.String("format") == string(report.Table):
		*notes = append(*notes, fmt.Sprintf("the crosstable of more than %d bots: sembra standings --crosstable", most))
		r = r.WithoutCrosstable()
	}
	return r, nil
}

// printStandings prints how a tournament stands that has been played. kept says whether its database stays.
func printStandings(c *cli.Context, b *store.Records, kept bool) error {
	standings, err := b.Standings()
	if err != nil {
		return err
	}
	standings.Discarded = !kept
	table, err := standingsReport(c, b, standings)
	if err != nil {
		return err
	}
	return printReport(c, table)
}

func headToHeadCommand() *cli.Command {
	command := tableCommand("head-to-head", 2, tabulateMeetings)
	command.ArgsUsage, command.BashComplete = "[FILE] [BOT [BOT]]", completePlayers
	return command
}

func tabulateMeetings(c *cli.Context, b *store.Records, args []string) (report.Report, error) {
	var bots []string
	for _, name := range args {
		bot, err := knownBot(b.Tournament.Bots, name, "")
		if err != nil {
			return report.Report{}, elsewhere(b, name, err)
		}
		bots = append(bots, bot)
	}
	if len(bots) == 2 && bots[0] == bots[1] {
		return report.Report{}, usage("bot %q is named twice: name two different bots", bots[0])
	}
	summaries, err := b.Recorded()
	if err != nil {
		return report.Report{}, err
	}
	meetings, err := b.Tournament.Meetings(summaries, bots...)
	if err != nil {
		return report.Report{}, err
	}
	if len(meetings.List) == 0 {
		say(c.App.ErrWriter, "note: no two of these bots have played each other")
	}
	return report.HeadToHead(meetings), nil
}
