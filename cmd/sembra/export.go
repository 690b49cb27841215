package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"sembra/results"
	"sembra/results/report"
	"sembra/results/store"
)

// textFormat is the format of text records.
const textFormat report.Format = "text"

func exportCommand() *cli.Command {
	format := formatFlag(textFormat, report.JSONL).(*cli.StringFlag)
	format.Value = string(textFormat)
	return &cli.Command{
		Name: "export", ArgsUsage: "[FILE] [MATCH…]",
		Flags: append(append(databaseFlags(), format,
			&cli.StringFlag{Name: "output", Usage: "write to the new `FILE` instead of standard output"}),
			filterFlags("export")...),
		Action: export,
	}
}

func export(c *cli.Context) error {
	b, numbers, err := readTournament(c, 0, mostNumbers)
	if err != nil {
		return err
	}
	defer b.Store().Close()
	list, err := exported(c, b, numbers)
	if err != nil {
		return err
	}
	matches := 0
	list.Whole = counted(list.Whole, &matches)
	path := c.String("output")
	if !c.IsSet("output") {
		err = writeMatches(c.App.Writer, report.Format(c.String("format")), list)
	} else {
		err = writeNewFile(path, func(w io.Writer) error {
			return writeMatches(w, report.Format(c.String("format")), list)
		})
	}
	switch {
	case err != nil:
	case matches == 0:
		printLine(c.App.ErrWriter, sayNoMatch)
	case path != "":
		say(c.App.ErrWriter, "%s written to %s", plural(matches, "match", "matches"), path)
	}
	return err
}

// mostNumbers is the greatest number of arguments that name matches.
const mostNumbers = 100_000

// exported returns the matches that the flags and the numbers select.
func exported(c *cli.Context, b *store.Book, numbers []string) (report.MatchList, error) {
	filter, err := readFilter(c, b.Tournament.Bots)
	if err != nil {
		return report.MatchList{}, err
	}
	filter.Undecided = !c.Bool("void") && filter.Result == 0
	wanted, err := readNumbers(numbers, b.Schedule.Len())
	if err != nil {
		return report.MatchList{}, err
	}
	list, err := matchesOf(b, filter)
	list.Voids, list.Charged = nil, true // nobody played the voids
	if whole := list.Whole; wanted != nil {
		list.Whole = func(yield func(results.Noted, error) bool) {
			for match, err := range whole {
				if (err != nil || wanted[match.Slot]) && !yield(match, err) {
					return
				}
			}
		}
	}
	return list, err
}

// readNumbers reads the numbers of matches, such as 3 or 5-9; nil: none are given.
func readNumbers(texts []string, most int) (map[int]bool, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	wanted := make(map[int]bool)
	for _, text := range texts {
		low, high, isRange := strings.Cut(text, "-")
		if !isRange {
			high = low
		}
		first, err := wholeNumber("MATCH", low, 1, most)
		if err == nil {
			var last int
			last, err = wholeNumber("MATCH", high, first, most)
			for slot := first; err == nil && slot <= last; slot++ {
				wanted[slot] = true
			}
		}
		if err != nil {
			return nil, usage("%w (MATCH is a slot of sembra matches, or several such as 3-9; a FILE comes first)", err)
		}
	}
	return wanted, nil
}

// counted counts the matches that are read.
func counted(matches iter.Seq2[results.Noted, error], count *int) iter.Seq2[results.Noted, error] {
	return func(yield func(results.Noted, error) bool) {
		for match, err := range matches {
			if err == nil {
				*count++
			}
			if !yield(match, err) {
				return
			}
		}
	}
}

// writeMatches writes matches as text records or as JSON lines.
func writeMatches(w io.Writer, format report.Format, list report.MatchList) error {
	if format != textFormat {
		return report.Matches(list).Write(w, format, 0)
	}
	out := bufio.NewWriterSize(w, 64<<10)
	for match, err := range list.Whole {
		if err != nil {
			return err
		}
		record := results.Record{Summary: match.Summary, Body: match.Body, Evidence: match.Evidence}
		whole := report.Match{Tournament: list.Tournament, Slot: match.Slot, Record: record}
		if err := whole.WriteText(out); err != nil {
			return err
		}
	}
	return out.Flush()
}

// writeNewFile writes a file that must not exist yet.
func writeNewFile(path string, write func(io.Writer) error) error {
	return writeWholeFile(path, refuseExisting, write)
}

// writeWholeFile writes a file, unless refuse returns an error for its path. The file appears when it is complete: until then
// its content is in another file beside it.
func writeWholeFile(path string, refuse func(path string) error, write func(io.Writer) error) (err error) {
	if path == "" {
		return usage("--output is empty: give the name of a file")
	}
	if err := refuse(path); err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return usage("%s: cannot write it: %w", path, withoutPath(err))
	}
	defer func() {
		if err != nil {
			_ = part.Close() // the first error is the one to report
			_ = os.Remove(part.Name())
		}
	}()
	if err := write(part); err != nil {
		if wrong := new(fs.PathError); errors.As(err, &wrong) && wrong.Path == part.Name() {
			err = fmt.Errorf("%s: cannot write it: %w", path, wrong.Err)
		}
		return err
	}
	if err := cmp.Or(part.Chmod(0o644), part.Sync(), part.Close(), refuse(path)); err != nil {
		return err
	}
	return os.Rename(part.Name(), path)
}

// refuseExisting returns an error if there is a file at a path, because Sembra overwrites none.
func refuseExisting(path string) error {
	if _, err := os.Lstat(path); err == nil {
		return usage("there is a file %s already, and it is not overwritten (hint: another name, or remove it first)", path)
	}
	return nil
}

// withoutPath returns an error of the file system without the path, which the message names itself.
func withoutPath(err error) error {
	if wrong := new(fs.PathError); errors.As(err, &wrong) {
		return wrong.Err
	}
	return err
}
