package main

import (
	"fmt"
	"strconv"

	"github.com/urfave/cli/v2"

	"sembra/results"
	"sembra/results/report"
)

func replayCommand() *cli.Command {
	return &cli.Command{
		Name: "replay", ArgsUsage: "[FILE] MATCH",
		Flags: append(databaseFlags(),
			switchFlag("log", "print the end of the conversation of a match that a bot lost by a fault"),
			asciiFlag()),
		Action: replayMatch,
	}
}

func replayMatch(c *cli.Context) error {
	isRecords, err := namesRecords(c, "log")
	if err != nil {
		return err
	}
	read := readMatch
	if isRecords {
		read = readRecord
	}
	match, err := read(c)
	if err != nil {
		return err
	}
	if c.Bool("log") {
		return printLog(c, match)
	}
	if match.Record.Of(match.Tournament.Withdrawn) {
		say(c.App.ErrWriter, "note: match %d counts nowhere, because one of its bots has withdrawn", match.Number)
	}
	rules, err := match.Tournament.Rules()
	if err != nil {
		return err
	}
	replay, err := match.Tournament.Replay(rules, match.Record)
	if err != nil {
		return err
	}
	return match.WriteBoards(c.App.Writer, replay, boardStyle(c))
}

// printLog prints what is kept of the conversation of a match.
func printLog(c *cli.Context, match report.Match) error {
	switch record := match.Record; {
	case record.Evidence != nil:
		return match.WriteLog(c.App.Writer, *record.Evidence)
	case record.Fault == results.NoFault:
		say(c.App.ErrWriter,
			"match %d ended without a fault, so its conversation was not kept (sembra run --log-io keeps "+
				"all conversations)", match.Number)
	default:
		say(c.App.ErrWriter, "match %d: its conversation was not kept (%s)", match.Number, match.Outcome())
	}
	return nil
}

// readMatch reads the match that the command line names.
func readMatch(c *cli.Context) (report.Match, error) {
	k, args, err := readTournament(c, 1, 1)
	if err != nil {
		return report.Match{}, err
	}
	number, err := strconv.Atoi(args[0])
	if matches := k.Schedule.Len(); err != nil || number < 1 || number > matches {
		return report.Match{}, usage("tournament %q has no match %q: MATCH is a match number, from 1 to %d",
			k.Tournament.Name, args[0], matches)
	}
	record, found, err := k.Record(number)
	if err == nil && !found {
		err = fmt.Errorf("%s: match %d of tournament %q (%v) is not played yet",
			k.Store().Path(), number, k.Tournament.Name, k.Schedule.Key(number))
	}
	return report.Match{Tournament: k.Tournament, Number: number, Matches: k.Schedule.Len(), Record: record}, err
}
