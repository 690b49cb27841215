package main

import (
	"github.com/urfave/cli/v2"

	"sembra/results/report"
	"sembra/results/store"
)

func headToHeadCommand() *cli.Command {
	command := tableCommand("head-to-head", 2, tabulateMeetings)
	command.ArgsUsage, command.BashComplete = "[FILE] [BOT [BOT]]", completePlayers
	return command
}

func tabulateMeetings(c *cli.Context, b *store.Records, args []string) (r report.Report, err error) {
	for i := range args {
		if args[i], err = knownBot(b.Tournament.Bots, args[i], ""); err != nil {
			return r, err
		}
	}
	if len(args) == 2 && args[0] == args[1] {
		return r, usage("bot %q is named twice: name two different bots", args[0])
	}
	summaries, err := b.Recorded()
	if err != nil {
		return r, err
	}
	meetings, err := b.Tournament.Meetings(summaries, args...)
	if err != nil {
		return r, err
	}
	if len(meetings.List) == 0 {
		say(c.App.ErrWriter, "note: no two of these bots have played each other")
	}
	return report.HeadToHead(meetings), nil
}
