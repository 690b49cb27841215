package main

import (
	"io"
	"iter"

	"github.com/urfave/cli/v2"

	"sembra/results"
	"sembra/results/report"
	"sembra/results/store"
)

// openRead opens the database of the flags for reading.
func openRead(c *cli.Context) (*store.Store, error) {
	if c.IsSet("tournament") && c.String("tournament") == "" {
		return nil, usage("--tournament is empty: give the name of a tournament")
	}
	if c.String("db") == "" {
		return nil, usage("--db is empty: give the name of a file")
	}
	store, err := store.OpenRead(c.String("db"))
	if err == nil && store.Copied() {
		printLine(c.App.ErrWriter, sayCopied)
	}
	return store, err
}

// bookFlags returns the flags of the commands that read a tournament.
func bookFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "db", Usage: "read the results from `FILE`", Value: "sembra.db"},
		&cli.StringFlag{Name: "tournament", Usage: "read the tournament `NAME` (default: the newest)"},
	}
}

// readBook opens the tournament of the flags for reading. The command takes no
// arguments.
func readBook(c *cli.Context) (*store.Book, error) {
	if _, err := arguments(c, 0, 0); err != nil {
		return nil, err
	}
	return openNamed(c)
}

// openNamed opens the tournament of the flags for reading.
func openNamed(c *cli.Context) (*store.Book, error) {
	db, err := openRead(c)
	if err != nil {
		return nil, err
	}
	b, err := db.Book(c.String("tournament"))
	if err != nil {
		db.Close()
		return nil, err
	}
	return b, nil
}

// printStandingsOf prints standings and crosstable.
func printStandingsOf(w io.Writer, b *store.Book) error {
	standings, err := standingsOf(b)
	if err != nil {
		return err
	}
	said, err := standingsReport(b, standings)
	if err != nil {
		return err
	}
	return said.Write(w, report.Table, terminalColumns(w))
}

// standingsOf returns how a tournament stands.
func standingsOf(b *store.Book) (results.Standings, error) {
	summaries, err := b.Recorded()
	if err != nil {
		return results.Standings{}, err
	}
	return results.NewStandings(b.Tournament, summaries, b.Schedule.Merits())
}

// standingsReport returns the report of how a tournament stands.
func standingsReport(b *store.Book, standings results.Standings) (report.Report, error) {
	isolation, err := b.Isolation()
	return report.Standings(standings, b.Schedule.Total(), b.Schedule.Ties(), isolation), err
}

// supersededOf returns the superseded matches that pass a filter.
func supersededOf(b *store.Book, filter results.Filter) (report.MatchList, error) {
	all, err := b.Superseded()
	each := func(read func(*results.Noted) error) iter.Seq2[results.Noted, error] {
		return func(yield func(results.Noted, error) bool) {
			for _, match := range all {
				if !filter.Passes(match.Slotted) {
					continue
				}
				err := read(&match)
				if !yield(match, err) || err != nil {
					return
				}
			}
		}
	}
	matches := each(func(*results.Noted) error { return nil })
	whole := each(func(match *results.Noted) error {
		record, err := b.SupersededRecord(*match)
		match.Body = record.Body
		return err
	})
	return report.MatchList{
		Tournament: b.Tournament, Places: b.Schedule, Matches: matches, Whole: whole, Superseded: true,
	}, err
}

// matchesOf returns the matches that pass a filter.
func matchesOf(b *store.Book, filter results.Filter) (report.MatchList, error) {
	matches := filter.Apply(results.WithNotes(b.Tournament, b.Matches()))
	list := report.MatchList{Tournament: b.Tournament, Places: b.Schedule, Matches: matches, Whole: b.Bodies(matches)}
	if !filter.Void {
		return list, nil
	}
	voids, err := b.Voids()
	for _, v := range voids {
		if filter.Passes(results.Slotted{Slot: v.Slot, Summary: results.Summary{Key: v.Key, Result: results.Void}}) {
			list.Voids = append(list.Voids, v)
		}
	}
	return list, err
}
