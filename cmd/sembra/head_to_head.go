package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/text/unicode/norm"

	"sembra/results"
	"sembra/results/report"
	"sembra/results/store"
)

func headToHeadCommand() *cli.Command {
	return &cli.Command{
		Name: "head-to-head", ArgsUsage: "[FILE] [BOT [BOT]]",
		Flags:        append(bookFlags(), formatFlag(report.Table, report.Markdown, report.CSV, report.JSON), wideFlag()),
		Action:       printMeetings,
		BashComplete: completePlayers,
	}
}

func printMeetings(c *cli.Context) error {
	k, args, err := readBook(c, 0, 2)
	if err != nil {
		return err
	}
	defer k.Store().Close()
	bots := k.Tournament.Bots
	for i := range args {
		args[i] = norm.NFC.String(args[i])
	}
	for i, bot := range args {
		if !slices.Contains(bots, bot) {
			return usage("unknown bot %q (known: %s)", bot, strings.Join(bots, ", "))
		}
		if i == 1 && bot == args[0] {
			return usage("bot %q is named twice: name two different bots", bot)
		}
	}
	meetings, err := meetingsOf(k)
	if err != nil {
		return err
	}
	if len(args) > 0 {
		meetings = meetings.Of(args[0])
	}
	if len(args) > 1 {
		meetings = meetings.Against(args[1])
	}
	if err := printReport(c, report.HeadToHead(meetings)); err != nil {
		return err
	}
	if len(meetings.List) == 0 {
		printLine(c.App.ErrWriter, sayNeverMet)
	}
	return nil
}

// meetingsOf returns the results of each two bots.
func meetingsOf(k *store.Book) (results.Meetings, error) {
	summaries, err := k.Recorded()
	if err != nil {
		return results.Meetings{}, err
	}
	return results.NewMeetings(k.Tournament, summaries)
}
