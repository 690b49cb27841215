package main

import (
	"io"
	"iter"

	"sembra/results"
	"sembra/results/store"
)

// printStandingsOf prints standings and crosstable.
func printStandingsOf(w io.Writer, b *store.Book, format results.Format) error {
	report, err := standingsOf(b)
	if err != nil {
		return err
	}
	report.Width, report.Wrap = columns(w), terminalColumns(w)
	return report.Write(w, format)
}

// standingsOf returns how a tournament stands.
func standingsOf(b *store.Book) (results.Report, error) {
	summaries, err := b.Recorded()
	if err != nil {
		return results.Report{}, err
	}
	report, err := results.NewReport(b.Tournament, b.Schedule.Total(), summaries, b.Schedule.Merits())
	if err != nil {
		return results.Report{}, err
	}
	report.Ties = b.Schedule.Ties()
	report.Isolation, err = b.Isolation()
	return report, err
}

// printMatchesOf prints the matches that pass a filter, and says how many those are.
func printMatchesOf(w io.Writer, b *store.Book, filter results.Filter, format results.Format) (matches int, err error) {
	summaries, err := b.Recorded()
	if err != nil {
		return 0, err
	}
	list := results.MatchList{
		Tournament: b.Tournament, Matches: filter.Apply(summaries), Pairing: b.Schedule.Pairing,
		Stage: b.Schedule.Stage, Notes: results.Notes(b.Tournament, summaries),
		Records: func(matches []results.Slotted) iter.Seq2[results.SlottedRecord, error] { return b.Records(matches) },
	}
	if filter.Void {
		voids, err := b.Voids()
		if err != nil {
			return 0, err
		}
		for _, v := range voids {
			if filter.Passes(results.Slotted{Slot: v.Slot, Summary: results.Summary{Key: v.Key, Result: results.Void}}) {
				list.Voids = append(list.Voids, v)
			}
		}
	}
	return len(list.Matches) + len(list.Voids), list.Write(w, format)
}
