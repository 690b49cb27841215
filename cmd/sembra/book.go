package main

import (
	"fmt"
	"io"
	"iter"
	"slices"

	"sembra/configs"
	"sembra/results"
	"sembra/results/schedule"
)

// book is a tournament in its database.
type book struct {
	store      *results.Store
	tournament results.Tournament
	schedule   *schedule.Schedule
	write      func() error // stores the tournament before its next record; nil: it is stored
	isNew      bool         // nothing of the tournament is stored yet
	isolation  string       // what the bots of the run are kept from, stored before its next record; "": it is stored
}

// newBook returns the book of a tournament of which nothing is stored yet.
func newBook(store *results.Store, t results.Tournament) *book {
	return &book{store: store, tournament: t, schedule: schedule.New(t)}
}

// storedBook returns the book of a stored tournament.
func storedBook(store *results.Store, t results.Tournament) (*book, error) {
	if err := t.Check(); err != nil {
		return nil, fmt.Errorf("database %s: damaged: %w", store.Path(), err)
	}
	k := newBook(store, t)
	if schedule.Grows(t) {
		records, err := store.Recorded(t.Name)
		if err != nil {
			return nil, err
		}
		k.schedule.Follow(records)
	}
	return k, nil
}

// openBook finds the tournament that a configuration goes on with, or begins
// it. Nothing is stored before there is a record: bots that turn out not to be
// playable leave no trace.
func openBook(store *results.Store, config *configs.Config, fresh bool) (*book, error) {
	manifest, err := config.Tournament.Manifest()
	if err != nil {
		return nil, err
	}
	old, found, err := store.Newest(manifest.Family)
	if err != nil {
		return nil, err
	}
	if !found { // the name of one that --fresh began?
		if old, found, err = named(store, manifest.Name); err != nil {
			return nil, err
		}
		if found {
			manifest.Family = old.Family
		}
	}
	if !found || fresh {
		if manifest.Name, err = store.FreshName(manifest.Family); err != nil {
			return nil, err
		}
		k := newBook(store, manifest)
		k.write, k.isNew = func() error { return store.Create(manifest) }, true
		return k, nil
	}
	begun, err := storedBook(store, old)
	if err != nil {
		return nil, err
	}
	done, err := store.Done(old.Name, begun.schedule)
	if err != nil {
		return nil, err
	}
	manifest.Name = old.Name
	if slices.Contains(done, true) { // else it may change in any way
		if manifest, err = old.Continue(manifest); err != nil {
			return nil, err
		}
	}
	k, err := storedBook(store, manifest)
	if err != nil {
		return nil, err
	}
	k.write = func() error { return store.Replace(manifest, k.schedule) }
	return k, nil
}

// named returns the stored tournament of a name, if there is one.
func named(store *results.Store, name string) (t results.Tournament, found bool, err error) {
	all, err := store.Tournaments()
	for _, t := range all {
		if t.Name == name {
			return t, true, err
		}
	}
	return results.Tournament{}, false, err
}

// recorded returns what is recorded of the schedule.
func (k *book) recorded() ([]results.Slotted, error) {
	if k.isNew {
		return nil, nil
	}
	return k.store.Summaries(k.tournament.Name, k.schedule)
}

// Put and PutVoid make the book an arena.Recorder.

func (k *book) Put(records []results.Record) error {
	if err := k.ready(); err != nil {
		return err
	}
	if schedule.Grows(k.tournament) {
		for _, r := range records { // some may be of the stage that others decide
			k.schedule.Add(r.Summary)
		}
	}
	return k.store.Put(k.tournament.Name, k.schedule, records)
}

func (k *book) PutVoid(key results.Key, reason string) error {
	if err := k.ready(); err != nil {
		return err
	}
	return k.store.PutVoid(k.tournament.Name, key, reason)
}

// ready stores the tournament if it is not.
func (k *book) ready() error {
	if k.write != nil {
		if err := k.write(); err != nil {
			return err
		}
		k.write, k.isNew = nil, false
	}
	if k.isolation != "" {
		if err := k.store.PutIsolation(k.tournament.Name, k.isolation); err != nil {
			return err
		}
		k.isolation = ""
	}
	return nil
}

// report prints standings and crosstable.
func (k *book) report(w io.Writer, format results.Format) error {
	report, err := k.standings()
	if err != nil {
		return err
	}
	report.Width, report.Wrap = columns(w), terminalColumns(w)
	return report.Write(w, format)
}

// standings returns how the tournament stands.
func (k *book) standings() (results.Report, error) {
	summaries, err := k.store.Summaries(k.tournament.Name, k.schedule)
	if err != nil {
		return results.Report{}, err
	}
	report, err := results.NewReport(k.tournament, k.schedule.Total(), summaries, k.schedule.Merits())
	if err != nil {
		return results.Report{}, err
	}
	report.Ties = k.schedule.Ties()
	report.Isolation, err = k.store.Isolation(k.tournament.Name)
	return report, err
}

// list prints the matches that pass a filter, and says how many those are.
func (k *book) list(w io.Writer, filter results.Filter, format results.Format) (matches int, err error) {
	name := k.tournament.Name
	summaries, err := k.store.Summaries(name, k.schedule)
	if err != nil {
		return 0, err
	}
	list := results.MatchList{
		Tournament: k.tournament, Matches: filter.Apply(summaries), Pairing: k.schedule.Pairing,
		Stage: k.schedule.Stage, Notes: results.Notes(k.tournament, summaries),
		Records: func(matches []results.Slotted) iter.Seq2[results.SlottedRecord, error] {
			return k.store.Records(name, matches)
		},
	}
	if filter.Void {
		if list.Voids, err = k.voids(filter); err != nil {
			return 0, err
		}
	}
	return len(list.Matches) + len(list.Voids), list.Write(w, format)
}

// voids returns the matches that came to nothing and pass a filter.
func (k *book) voids(filter results.Filter) ([]results.SlottedVoid, error) {
	stored, err := k.store.Voids(k.tournament.Name)
	if err != nil {
		return nil, err
	}
	var voids []results.SlottedVoid
	for _, v := range stored {
		slot, ok := k.schedule.Slot(v.Key)
		summary := results.Summary{Key: v.Key, Result: results.Void}
		if ok && filter.Passes(results.Slotted{Slot: slot, Summary: summary}) {
			voids = append(voids, results.SlottedVoid{Slot: slot, VoidMatch: v})
		}
	}
	return voids, nil
}
