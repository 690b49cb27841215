package main

import (
	"io"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sembra/results"
	"sembra/results/report"
	"sembra/results/store"
)

func matchesCommand() *cli.Command {
	flags := append([]cli.Flag{formatFlag(report.Table, report.CSV, report.JSONL), wideFlag()}, filterFlags("list")...)
	return tableCommand("matches", 0, tabulateMatches, flags...)
}

// filterFlags returns the flags that select matches. do is what the command does with them.
func filterFlags(do string) []cli.Flag {
	return []cli.Flag{
		textFlag("bot", do+" only matches of `BOT`", ""),
		textFlag("south", do+" only matches with `BOT` as South", ""),
		textFlag("north", do+" only matches with `BOT` as North", ""),
		textFlag("lost", do+" only matches that `BOT` lost, as South or as North", ""),
		textFlag("result", do+" only matches with this `RESULT`: south, north or draw", ""),
		textFlag("ending", do+" only matches with this `ENDING`, such as normal or time", ""),
		textFlag("fault", do+" only matches with `BOT` at fault; any for either bot, both for both", ""),
		wholeFlag("match", do+" only match number `N`", "", 1, math.MaxInt32),
		switchFlag("void", do+" the matches without a result: both bots were at fault, or Sembra itself failed"),
	}
}

func tabulateMatches(c *cli.Context, b *store.Records, _ []string) (report.Report, error) {
	filter, err := readFilter(c, b.Tournament.Bots)
	if err != nil {
		return report.Report{}, elsewhere(b, c.String("bot"), err)
	}
	list, err := matchesOf(b, filter)
	if err != nil {
		return report.Report{}, err
	}
	switch {
	case some(list.Matches) || len(list.Voids) > 0:
	case filter.Void:
		say(c.App.ErrWriter, noMatchFits)
	default:
		err = sayNoMatch(c, b, filter)
	}
	return report.Matches(list), err
}

func readFilter(c *cli.Context, bots []string) (results.Filter, error) {
	var f results.Filter
	var err error
	for _, of := range []struct {
		flag  string
		known []string
		name  *string
	}{
		{"bot", bots, &f.Bot},
		{"south", bots, &f.South},
		{"north", bots, &f.North},
		{"lost", bots, &f.Lost},
		{"fault", append(slices.Clone(bots), "any", "both"), &f.Fault},
	} {
		if !c.IsSet(of.flag) {
			continue
		}
		if *of.name, err = knownBot(of.known, c.String(of.flag), " in --"+of.flag); err != nil {
			return f, err
		}
	}
	if c.IsSet("result") {
		if f.Result, err = results.ParseResult(c.String("result")); err != nil {
			return f, asUsage(err)
		}
		if f.Result == results.Void {
			return f, usage("--result void lists nothing (--void lists the matches without a result)")
		}
	}
	if c.IsSet("ending") {
		if f.Ending, err = results.ParseEnding(c.String("ending")); err != nil {
			return f, asUsage(err)
		}
	}
	if c.IsSet("match") {
		f.Numbers = map[int]bool{whole(c, "match", 0): true}
	}
	f.Void = c.Bool("void") || f.Fault == "both"
	return f, nil
}

// sayNoMatch says that a filter for matches with a result selects none, and whether there are others without one.
func sayNoMatch(c *cli.Context, b *store.Records, filter results.Filter) error {
	filter.Void = true
	list, err := matchesOf(b, filter)
	if err != nil {
		return err
	}
	if some(list.Matches) || len(list.Voids) > 0 {
		say(c.App.ErrWriter, "note: no match with a result fits (hint: --void lists those without one)")
	} else {
		say(c.App.ErrWriter, noMatchFits)
	}
	return nil
}

const noMatchFits = "note: no match fits"

func some(matches iter.Seq2[results.Noted, error]) bool {
	for range matches {
		return true
	}
	return false
}

func matchesOf(b *store.Records, filter results.Filter) (report.MatchList, error) {
	matches := b.Select(filter)
	list := report.MatchList{Tournament: b.Tournament, Places: b.Schedule, Matches: matches, Whole: b.Bodies(matches)}
	var err error
	if filter.Void {
		list.Voids, err = b.SelectVoids(filter)
	}
	return list, err
}

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
	defer b.Store().Close()
	list, err := exported(c, b, numbers)
	if err != nil {
		return err
	}
	matches, all := 0, list.Whole
	list.Whole = func(yield func(results.Noted, error) bool) { // counts them on the way
		for match, err := range all {
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

func exported(c *cli.Context, b *store.Records, numbers []string) (report.MatchList, error) {
	filter, err := readFilter(c, b.Tournament.Bots)
	if err != nil {
		return report.MatchList{}, err
	}
	filter.Undecided = !c.Bool("void") && filter.Result == 0
	if len(numbers) > 0 {
		if err := refuseFlags(c, "beside MATCH", "match"); err != nil {
			return report.MatchList{}, err
		}
		if filter.Numbers, err = readNumbers(numbers, b.Schedule.Known()); err != nil {
			return report.MatchList{}, err
		}
	}
	list, err := matchesOf(b, filter)
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
			return report.Report{}, elsewhere(b, c.String("bot"), err)
		}
	}
	var all []results.BotFaults
	for _, f := range b.Tournament.Faults(summaries) {
		if name != "" && f.Bot != name {
			continue
		}
		whole, err := f.Report(func(number int) (results.Record, error) {
			record, _, err := b.Record(number)
			return record, err
		})
		if err != nil {
			return report.Report{}, err
		}
		all = append(all, whole)
	}
	if name == "" || len(all) == 0 || len(all[0].Numbers) == 0 {
		table := report.Faults(b.Tournament, sourceOf(c), all)
		if name != "" && len(all) == 0 { // others may have been
			table.Parts[0].Notes[0] = name + " was not at fault in any match"
			if b.Tournament.Withdrawn != nil {
				table.Parts[0].Notes[0] += " that counts"
			}
		}
		return table, nil
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
