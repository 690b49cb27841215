package main

import (
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"sembra/results"
	"sembra/results/report"
	"sembra/results/store"
)

func exportCommand() *cli.Command {
	format := formatFlag(report.JSONL).(*cli.StringFlag)
	format.Value = string(report.JSONL)
	return &cli.Command{
		Name: "export", ArgsUsage: "[FILE] [MATCH…]",
		Flags: append(append(databaseFlags(), format,
			textFlag("output", "write to the new `FILE` instead of standard output", "")),
			filterFlags("export")...),
		Action: export,
	}
}

func export(c *cli.Context) error {
	b, numbers, err := readTournament(c, 0, mostNumbers)
	if err != nil {
		return err
	}
	list, err := exported(c, b, numbers)
	if err != nil {
		return err
	}
	matches, whole := 0, list.Whole
	list.Whole = func(yield func(results.Noted, error) bool) {
		for match, err := range whole {
			if err == nil {
				matches++
			}
			if !yield(match, err) {
				return
			}
		}
	}
	write := func(w io.Writer) error { return report.Matches(list).Write(w, report.JSONL, 0) }
	path := c.String("output")
	if !c.IsSet("output") {
		err = write(c.App.Writer)
	} else {
		err = writeWholeFile(path, refuseNew, write)
	}
	switch {
	case err != nil:
	case matches == 0:
		say(c.App.ErrWriter, noMatchFits)
	case path != "":
		say(c.App.ErrWriter, "%s written to %s", plural(matches, "match", "matches"), path)
	}
	return err
}

// mostNumbers is the greatest number of arguments that name matches.
const mostNumbers = 100_000

// exported returns the matches that the flags and the numbers select.
func exported(c *cli.Context, b *store.Records, numbers []string) (list report.MatchList, err error) {
	filter, err := readFilter(c, b.Tournament.Bots)
	if err != nil {
		return list, err
	}
	filter.Undecided = !c.Bool("void") && filter.Result == 0
	if len(numbers) > 0 {
		if err := refuseFlags(c, "beside MATCH", "match"); err != nil {
			return list, err
		}
		if filter.Numbers, err = readNumbers(numbers, b.Schedule.Len()); err != nil {
			return list, err
		}
	}
	list, err = matchesOf(b, filter)
	list.Voids, list.Charged = nil, true // nobody played the voids
	return list, err
}

// readNumbers reads the numbers of matches, such as 3 or 5-9.
func readNumbers(texts []string, most int) (map[int]bool, error) {
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
			for number := first; err == nil && number <= last; number++ {
				wanted[number] = true
			}
		}
		if err != nil {
			return nil, usage("%w (MATCH is a match number, or several such as 3-9; a FILE comes first)", err)
		}
	}
	return wanted, nil
}
