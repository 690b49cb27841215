package main

import (
	"fmt"
	"io"
	"slices"

	"sembra/configs"
	"sembra/results"
	"sembra/results/report"
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
	manifest, err := config.Tournament.Manifest(results.Rating{Start: config.Start, K: config.K})
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

// print prints standings and crosstable.
func (k *book) print(w io.Writer) error {
	standings, err := k.standings()
	if err != nil {
		return err
	}
	said, err := k.report(standings)
	if err != nil {
		return err
	}
	return said.Write(w, report.Table, terminalColumns(w))
}

// report returns the report of how the tournament stands.
func (k *book) report(standings results.Standings) (report.Report, error) {
	isolation, err := k.store.Isolation(k.tournament.Name)
	return report.Standings(standings, k.schedule.Total(), k.schedule.Ties(), isolation), err
}

// standings returns how the tournament stands.
func (k *book) standings() (results.Standings, error) {
	summaries, err := k.store.Summaries(k.tournament.Name, k.schedule)
	if err != nil {
		return results.Standings{}, err
	}
	return results.NewStandings(k.tournament, summaries, k.schedule.Merits())
}

// list returns the matches that pass a filter.
func (k *book) list(filter results.Filter) (list report.MatchList, err error) {
	name := k.tournament.Name
	summaries, err := k.store.Summaries(name, k.schedule)
	if err != nil {
		return list, err
	}
	list = report.MatchList{
		Tournament: k.tournament, Places: k.schedule, Matches: filter.Apply(summaries),
		Notes: results.Notes(k.tournament, summaries),
	}
	list.Records = k.store.Records(name, list.Matches)
	if filter.Void {
		list.Voids, err = k.voids(filter)
	}
	return list, err
}

// voids returns the matches that came to nothing and pass a filter.
func (k *book) voids(filter results.Filter) ([]report.Void, error) {
	stored, err := k.store.Voids(k.tournament.Name)
	if err != nil {
		return nil, err
	}
	var voids []report.Void
	for _, v := range stored {
		slot, ok := k.schedule.Slot(v.Key)
		summary := results.Summary{Key: v.Key, Result: results.Void}
		if ok && filter.Passes(results.Slotted{Slot: slot, Summary: summary}) {
			voids = append(voids, report.Void{Slot: slot, Key: v.Key, Reason: v.Reason})
		}
	}
	return voids, nil
}
