package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"sembra/results/report"
)

// isRecords reports whether a file holds matches as JSON lines, or as text records, which are refused. If its content
// does not tell, as that of an empty file, the ending of its name does.
func isRecords(path string) bool {
	start := beginning(path)
	return report.IsMatches(start) || start != nil && filepath.Ext(path) == ".jsonl"
}

// beginning returns the first bytes of a regular file; nil if they cannot be read.
func beginning(path string) []byte {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() { // to open a pipe could wait for ever
		return nil
	}
	file, err := os.Open(path)
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

// eachClaim reads the matches of a file of records. visit gets the number of each match in the file, from 1. It ends
// the reading with an error.
func eachClaim(path string, visit func(number int, claim report.Claim, err error) error) error {
	file, err := os.Open(path)
	if err != nil {
		return usage("%s: cannot read it: %w", path, withoutPath(err))
	}
	defer file.Close()
	number := 0
	for claim, err := range report.ReadMatches(file, path) {
		number++
		if err := visit(number, claim, err); err != nil {
			return err
		}
	}
	return nil
}

// errEnough ends the reading of a file early.
var errEnough = errors.New("enough is read")

// readRecord reads the match that the arguments of replay name: a file of records, and the number of a match in it. It
// returns the first match without a number, and says whether there are more.
func readRecord(c *cli.Context) (report.Match, error) {
	args, err := arguments(c, 1, 2)
	if err != nil {
		return report.Match{}, err
	}
	wanted := 1
	if len(args) == 2 {
		if wanted, err = strconv.Atoi(args[1]); err != nil || wanted < 1 {
			return report.Match{}, usage("MATCH must be the number of a match in %s, from 1, not %q", args[0], args[1])
		}
	}
	var found *report.Claim
	read := 0
	err = eachClaim(args[0], func(number int, claim report.Claim, err error) error {
		read = number
		switch {
		case number > wanted:
			return errEnough
		case number == wanted:
			found = &claim
			return err
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return report.Match{}, err
	}
	if found == nil {
		return report.Match{}, usage("%s has no match %d: it has %s", args[0], wanted, plural(read, "match", "matches"))
	}
	if len(args) == 1 && read > 1 {
		say(c.App.ErrWriter,
			"note: %s has several matches, and this is the first (sembra replay %s 2 shows the next)", args[0], args[0])
	}
	if found.Unplayed {
		return report.Match{}, fmt.Errorf("match %d of %s was not played: Sembra failed", wanted, args[0])
	}
	match, problems := new(report.Referee).Check(*found)
	if len(problems) > 0 {
		return report.Match{}, problems[0]
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
	referee, reached := new(report.Referee), watch(c, "verified")
	matches, wrong, unplayed := 0, 0, 0
	err = eachClaim(args[0], func(number int, claim report.Claim, err error) error {
		matches = number
		reached(number, 0)
		place := new(report.FileError)
		switch {
		case errors.As(err, &place):
			wrong++
			say(c.App.Writer, "%v", place)
			return nil
		case err != nil:
			return err
		case claim.Unplayed:
			unplayed++
			return nil
		}
		_, problems := referee.Check(claim)
		for _, problem := range problems {
			say(c.App.Writer, "%v", problem)
		}
		wrong += min(1, len(problems))
		return nil
	})
	if err != nil {
		return err
	}
	if wrong > 0 {
		return fmt.Errorf("%s: %d of %s wrong", args[0], wrong, plural(matches, "match is", "matches are"))
	}
	if matches == 0 {
		return fmt.Errorf("%s: there is no match in it", args[0])
	}
	left := ""
	if unplayed > 0 {
		left = fmt.Sprintf(" (%d more not played: Sembra failed)", unplayed)
	}
	say(c.App.Writer, "%s as the rules say%s", plural(matches-unplayed, "match is", "matches are"), left)
	return nil
}
