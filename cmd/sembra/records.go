package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sembra/results/report"
	"sembra/results/store"
)

// isRecords reports whether a file holds matches as JSON lines, or as text records, which are refused.
func isRecords(path string) bool {
	return report.IsMatches(beginning(path))
}

// isOtherText reports whether a file is text that no command can read. Its name is no number, which could be that of a
// match. A command that reads records says best what is wrong in such a file.
func isOtherText(path string) bool {
	if _, err := strconv.Atoi(path); err == nil || kindOf(path) != otherFile {
		return false
	}
	start := beginning(path)
	return len(start) > 0 && !bytes.Contains(start, []byte{0})
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
	if path == "" || !isRecords(path) && !isOtherText(path) {
		return false, nil
	}
	for _, flag := range append([]string{"db", "tournament"}, databaseFlags...) {
		if c.IsSet(flag) {
			return true, usage("--%s belongs to a database, but %q is a file of records", flag, path)
		}
	}
	return true, nil
}

// standardInput is the name of standard input in errors.
const standardInput = "standard input"

// eachClaim reads the matches of a file of records, or of standard input for "-". visit gets the number of each match
// in the file, from 1. It ends the reading with an error. The end of the command's context ends it too, even while
// the input lets it wait.
func eachClaim(c *cli.Context, path string, visit func(number int, claim report.Claim, err error) error) error {
	input, name := c.App.Reader, standardInput
	if path != "-" {
		file, err := openRecords(c.Context, path)
		if err != nil {
			return err
		}
		defer file.Close()
		input, name = file, path
	}
	patient := until(c.Context, input)
	defer patient.Close()
	number := 0
	for claim, err := range report.ReadMatches(patient, name) {
		number++
		if err := visit(number, claim, err); err != nil {
			return err
		}
	}
	return nil
}

// openRecords opens a file. If the file is a pipe that nobody writes to, openRecords waits until the context is done.
func openRecords(ctx context.Context, path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, usage("%s: cannot read it: it is a directory, not a file", path)
	}
	if store.IsDatabase(path) {
		return nil, usage("%s is a database, not a file of records (hint: sembra export writes one)", path)
	}
	var file *os.File
	var err error
	opened := make(chan struct{})
	go func() {
		file, err = os.Open(path)
		close(opened)
	}()
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-opened:
	}
	if err != nil {
		return nil, usage("%s: cannot read it: %w", path, withoutPath(err))
	}
	return file, nil
}

// until returns the input as a reader whose reads fail when the context is done, even if a read of the input waits.
// Close stops the reading of the input.
func until(ctx context.Context, input io.Reader) io.ReadCloser {
	out, in := io.Pipe()
	unwatch := context.AfterFunc(ctx, func() { in.CloseWithError(context.Cause(ctx)) })
	go func() {
		defer unwatch()
		_, err := io.Copy(in, input)
		in.CloseWithError(err)
	}()
	return out
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
	err = eachClaim(c, args[0], func(number int, claim report.Claim, err error) error {
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
		printLine(c.App.ErrWriter, fmt.Sprintf(saySeveral, args[0], args[0]))
	}
	if found.Unplayed {
		return report.Match{}, fmt.Errorf("match %d of %s was not played: Sembra failed", wanted, args[0])
	}
	match, problems := report.NewReferee().Check(*found)
	if len(problems) > 0 {
		return report.Match{}, problems[0]
	}
	return placed(match, wanted, args[0]), nil
}

// placed returns a match of a file for a report. What the file does not tell comes from its place there.
func placed(m report.Match, number int, path string) report.Match {
	m.Slot, m.Record.Pair = cmp.Or(m.Slot, number), cmp.Or(m.Record.Pair, 1)
	m.Tournament.Name = cmp.Or(m.Tournament.Name, fileTitle(path))
	return m
}

// fileTitle returns the name of a file without its folder and its ending.
func fileTitle(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// verifyRecords referees the matches of a file of records and prints each difference in a line. It fails if there is
// one.
func verifyRecords(c *cli.Context) error {
	args, err := arguments(c, 1, 1)
	if err != nil {
		return err
	}
	referee, watch := report.NewReferee(), newTicker(c.App.ErrWriter)
	matches, wrong, unplayed := 0, 0, 0
	err = eachClaim(c, args[0], func(number int, claim report.Claim, err error) error {
		matches = number
		watch.reached(number)
		place := new(report.FileError)
		switch {
		case errors.As(err, &place):
			wrong++
			printLine(c.App.Writer, place.Error())
			return nil
		case err != nil:
			return err
		case claim.Unplayed:
			unplayed++
			return nil
		}
		_, problems := referee.Check(claim)
		for _, problem := range problems {
			printLine(c.App.Writer, problem.Error())
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
	printLine(c.App.Writer, fmt.Sprintf("%s as the rules say%s", plural(matches-unplayed, "match is", "matches are"), left))
	return nil
}

// ticker tells from time to time how many matches are read.
type ticker struct {
	out         io.Writer
	begun, said time.Time
}

func newTicker(out io.Writer) *ticker {
	now := time.Now()
	return &ticker{out: out, begun: now, said: now}
}

func (t *ticker) reached(matches int) {
	if now := time.Now(); now.Sub(t.said) >= sayEvery {
		t.said = now
		elapsed := now.Sub(t.begun).Round(time.Second)
		printLine(t.out, fmt.Sprintf("%s refereed, %v", plural(matches, "match", "matches"), elapsed))
	}
}
