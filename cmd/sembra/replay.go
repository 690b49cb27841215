package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/urfave/cli/v2"

	"sembra/configs"
	"sembra/results"
	"sembra/results/report"
	"sembra/results/store"
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
	var text strings.Builder
	if err := match.WriteBoards(&text, replay, boardStyle(c)); err != nil {
		return err
	}
	if stdin, isFile := c.App.Reader.(*os.File); isFile && isatty.IsTerminal(stdin.Fd()) && terminalColumns(c.App.Writer) > 0 {
		return leaf(c, text.String())
	}
	printText(c.App.Writer, strings.TrimSuffix(text.String(), "\n"))
	return nil
}

// leaf shows the boards of a replay one by one on a terminal, as the person asks.
func leaf(c *cli.Context, text string) error {
	const next = "\nply "
	boards := strings.Split(strings.TrimSuffix(text, "\n"), next)
	input := bufio.NewScanner(c.App.Reader)
	for at, last := 0, len(boards)-1; ; {
		if at > 0 {
			printText(c.App.Writer, next+boards[at])
		} else {
			printText(c.App.Writer, boards[at])
		}
		fmt.Fprintf(c.App.Writer, "\nboard %d of %d: Enter, b (back), a number or q? ", at, last)
		if !input.Scan() {
			return input.Err()
		}
		answer := strings.TrimSpace(input.Text())
		number, err := strconv.Atoi(answer)
		switch {
		case answer == "q", answer == "" && at == last:
			return nil
		case answer == "b":
			at = max(0, at-1)
		case err == nil:
			at = min(max(0, number), last)
		default:
			at = min(at+1, last)
		}
	}
}

func printLog(c *cli.Context, match report.Match) error {
	record := match.Record
	switch {
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

func readMatch(c *cli.Context) (report.Match, error) {
	k, args, err := readTournament(c, 1, 1)
	if err != nil {
		return report.Match{}, err
	}
	defer k.Store().Close()
	number, err := strconv.Atoi(args[0])
	if matches := k.Schedule.Known(); err != nil || number < 1 || number > matches {
		return report.Match{}, usage("tournament %q has no match %q: MATCH is a match number, from 1 to %d",
			k.Tournament.Name, args[0], matches)
	}
	record, found, err := k.Record(number)
	if err == nil && !found {
		err = fmt.Errorf("%s: match %d of tournament %q (%v) is not played yet",
			k.Store().Path(), number, k.Tournament.Name, k.Schedule.Key(number))
	}
	return report.Match{Tournament: k.Tournament, Number: number, Matches: k.Schedule.Known(), Record: record}, err
}

// isRecords reports whether a file holds matches as JSON lines. If its content does not show it, as in an empty file,
// the ending of its name does.
func isRecords(path string) bool {
	start := beginning(path)
	return report.IsMatches(start) || start != nil && filepath.Ext(path) == ".jsonl"
}

// beginning returns the first bytes of a regular file; nil if they cannot be read.
func beginning(path string) []byte {
	file, err := configs.OpenInput(path, math.MaxInt64)
	if err != nil {
		return nil
	}
	defer file.Close()
	start, err := io.ReadAll(io.LimitReader(file, 64<<10))
	if err != nil {
		return nil
	}
	return start
}

// namesRecords reports whether the first argument of a command is a file of records. The flags about databases are
// refused with it.
func namesRecords(c *cli.Context, databaseFlags ...string) (bool, error) {
	path := c.Args().First()
	if !isRecords(path) {
		return false, nil
	}
	for _, flag := range append([]string{"db", "tournament"}, databaseFlags...) {
		if c.IsSet(flag) {
			return true, usage("--%s belongs to a database, but %q is a file of records", flag, path)
		}
	}
	return true, nil
}

func openRecords(path string) (*os.File, error) {
	file, err := configs.OpenInput(path, math.MaxInt64) // its matches are read one by one
	if err != nil {
		return nil, usage("%s: cannot read it: %w", path, withoutPath(err))
	}
	return file, nil
}

// readRecord reads the match that the arguments of replay name: a file of records, and the number of a match in it. It
// returns the first match without a number, and says whether there are more.
func readRecord(c *cli.Context) (report.Match, error) {
	var match report.Match
	args, err := arguments(c, 1, 2)
	if err != nil {
		return match, err
	}
	wanted := 1
	if len(args) == 2 {
		if wanted, err = strconv.Atoi(args[1]); err != nil || wanted < 1 {
			return match, usage("MATCH must be the number of a match in %s, from 1, not %q", args[0], args[1])
		}
	}
	file, err := openRecords(args[0])
	if err != nil {
		return match, err
	}
	defer file.Close()
	var found report.MatchLine
	read := 0
	for line, err := range report.ReadMatches(file, args[0]) {
		read++
		if read > wanted {
			break
		}
		if read == wanted && err != nil {
			return match, err
		}
		found = line
	}
	switch {
	case read < wanted:
		return match, usage("%s has no match %d: it has %s", args[0], wanted, plural(read, "match", "matches"))
	case len(args) == 1 && read > 1:
		say(c.App.ErrWriter,
			"note: %s has several matches, and this is the first (sembra replay %s 2 shows the next)", args[0], args[0])
	}
	match, problems := found.Check()
	if len(problems) > 0 {
		return match, problems[0]
	}
	match.Number, match.Record.Pair = cmp.Or(match.Number, wanted), cmp.Or(match.Record.Pair, 1)
	title := strings.TrimSuffix(filepath.Base(args[0]), filepath.Ext(args[0]))
	match.Tournament.Name = cmp.Or(match.Tournament.Name, title)
	return match, nil
}

// verifyRecords referees the matches of a file of records and prints each difference in a line. It fails if there is
// one.
func verifyRecords(c *cli.Context) error {
	args, err := arguments(c, 1, 1)
	if err != nil {
		return err
	}
	file, err := openRecords(args[0])
	if err != nil {
		return err
	}
	defer file.Close()
	reached := watch(c, "matches verified")
	matches, wrong := 0, 0
	for line, err := range report.ReadMatches(file, args[0]) {
		matches++
		reached(matches, 0)
		var problems []*report.FileError
		unreadable := new(report.FileError)
		switch {
		case errors.As(err, &unreadable):
			problems = append(problems, unreadable)
		case err != nil:
			return err
		default:
			_, problems = line.Check()
		}
		for _, problem := range problems {
			say(c.App.Writer, "%v", problem)
		}
		if len(problems) > 0 {
			wrong++
		}
	}
	switch {
	case wrong > 0:
		return fmt.Errorf("%s: %d of %s wrong", args[0], wrong, plural(matches, "match is", "matches are"))
	case matches == 0:
		return fmt.Errorf("%s: there is no match in it", args[0])
	}
	say(c.App.Writer, "%s as the rules say", plural(matches, "match is", "matches are"))
	return nil
}

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
	defer db.Close()
	verified, err := db.Verify(store.Verification{
		Tournament: c.String("tournament"),
		Report:     func(d store.Difference) { printLine(c.App.Writer, d.String()) },
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
