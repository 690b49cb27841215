package main

import (
	"io"

	"sembra/results"
	"sembra/results/report"
	"sembra/results/store"
)

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

// matchesOf returns the matches that pass a filter.
func matchesOf(b *store.Book, filter results.Filter) (report.MatchList, error) {
	summaries, err := b.Recorded()
	if err != nil {
		return report.MatchList{}, err
	}
	list := report.MatchList{
		Tournament: b.Tournament, Places: b.Schedule, Matches: filter.Apply(summaries),
		Notes: results.Notes(b.Tournament, summaries),
	}
	list.Records = b.Records(list.Matches)
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
