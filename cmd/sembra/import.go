package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"sembra/configs"
	"sembra/results"
	"sembra/results/notation"
	"sembra/results/store"
)

func importCommand() *cli.Command {
	return &cli.Command{
		Name: "import", ArgsUsage: "FILE…",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "db", Usage: "store the matches in the database `FILE`", Value: "sembra.db"},
			&cli.StringFlag{Name: "tournament", Usage: "store them as the tournament `NAME` (default: the name in the files)"},
		},
		Action: importFiles,
	}
}

func importFiles(c *cli.Context) (err error) {
	files, err := arguments(c, 1, -1)
	if err != nil {
		return err
	}
	if c.String("db") == "" {
		return usage("--db is empty: give the name of a file")
	}
	if c.IsSet("tournament") {
		if err := configs.CheckTournamentName(c.String("tournament")); err != nil {
			return asUsage(err)
		}
	}
	path := c.String("db")
	_, statError := os.Stat(path)
	db, err := store.Open(path)
	if err != nil {
		return err
	}
	defer func() {
		db.Close()
		if err != nil && errors.Is(statError, fs.ErrNotExist) {
			_ = os.Remove(path) // nothing is in it
		}
	}()
	in := &incoming{
		c: c, db: db, referee: notation.NewReferee(), names: configs.NewNames(), watch: newTicker(c.App.ErrWriter),
	}
	next, stop := iter.Pull2(in.records(files))
	defer stop()
	first, err, more := next()
	if err == nil && !more {
		err = errors.New("there is no match in the files")
	}
	if err == nil {
		err = in.begin(files[0])
	}
	if err != nil {
		return in.failed(err)
	}
	t, err := db.Import(in.plan, func(yield func(results.Record, error) bool) {
		for record, err := first, error(nil); more; record, err, more = next() {
			if !yield(in.placed(record), err) {
				return
			}
		}
	})
	if err != nil {
		return in.failed(err)
	}
	if in.unplayed > 0 {
		printLine(c.App.ErrWriter, fmt.Sprintf(sayUnplayed, plural(in.unplayed, "match", "matches")))
	}
	printLine(c.App.ErrWriter, fmt.Sprintf(sayImported, plural(in.matches, "match", "matches"), t.Name, absolute(path)))
	return nil
}

// incoming is matches that are being imported.
type incoming struct {
	c        *cli.Context
	db       *store.Store
	referee  *notation.Referee
	names    *configs.Names
	watch    *ticker
	plan     results.Tournament
	begun    bool
	claim    notation.Claim // the last one that was read
	from     notation.Claim // the first one
	pairs    map[[2]string]int
	matches  int
	unplayed int
}

// failed returns an error with what came of the import.
func (in *incoming) failed(err error) error {
	twice, place := new(store.TwiceError), new(notation.Error)
	switch {
	case errors.As(err, &twice):
		err = &notation.Error{Name: in.claim.Name, Line: in.claim.Line, What: twice.Error()}
	case errors.As(err, &place) && isRecords(place.Name):
		return fmt.Errorf("%w; nothing was imported (sembra verify %s referees all of its matches)", place, place.Name)
	case errors.As(err, &place):
		err = place // without the name of the database, which has nothing to do with it
	case interrupted(in.c.Context, err):
		err = errInterrupted
	}
	return fmt.Errorf("%w; nothing was imported", err)
}

// records yields the refereed matches of the files.
func (in *incoming) records(files []string) iter.Seq2[results.Record, error] {
	return func(yield func(results.Record, error) bool) {
		for _, path := range files {
			err := eachClaim(in.c, path, func(_ int, claim notation.Claim, err error) error {
				in.claim = claim
				if in.c.Context.Err() != nil {
					err = context.Cause(in.c.Context)
				}
				if err == nil && claim.Unplayed {
					in.unplayed++
					return nil
				}
				var record results.Record
				if err == nil {
					record, err = in.record()
				}
				if err == nil && !yield(record, nil) {
					err = errEnough
				}
				return err
			})
			if errors.Is(err, errEnough) {
				return
			}
			if err != nil {
				yield(results.Record{}, err)
				return
			}
		}
	}
}

// record returns the record of the last claim.
func (in *incoming) record() (record results.Record, err error) {
	claim := in.claim
	wrong := func(err error) error { return &notation.Error{Name: claim.Name, Line: claim.Line, What: err.Error()} }
	if claim.Record.South, err = in.names.Add(claim.Record.South); err != nil {
		return record, wrong(err)
	}
	if claim.Record.North, err = in.names.Add(claim.Record.North); err != nil {
		return record, wrong(err)
	}
	game, problems := in.referee.Check(claim)
	if len(problems) > 0 {
		return record, problems[0]
	}
	if !in.begun {
		in.begun, in.from, in.from.Game = true, claim, game
	}
	switch {
	case game.Ruleset != in.from.Ruleset || game.Rounds != in.from.Rounds:
		return record, wrong(fmt.Errorf("it is a match of %s with at most %s, but the match of %s:%d is one of %s "+
			"with at most %d (an import is one tournament)", game.Ruleset, plural(game.Rounds, "round", "rounds"),
			in.from.Name, in.from.Line, in.from.Ruleset, in.from.Rounds))
	case game.Tournament != in.from.Tournament && !in.c.IsSet("tournament"):
		return record, wrong(fmt.Errorf("its tournament is %q, but that of %s:%d is %q "+
			"(hint: --tournament NAME imports all as one)",
			game.Tournament, in.from.Name, in.from.Line, in.from.Tournament))
	}
	if game.Reason != "" && game.Record.Fault != results.NoFault {
		game.Record.Evidence = &results.Evidence{What: game.Reason}
	}
	in.matches++
	in.watch.reached(in.matches)
	return game.Record, nil
}

// begin decides the tournament, when the first match is known. path is the first file.
func (in *incoming) begin(path string) error {
	name := in.c.String("tournament")
	if name == "" {
		name = in.from.Tournament
	}
	if name == "" {
		name = fileTitle(path)
	}
	if err := configs.CheckTournamentName(name); err != nil {
		return usage("%w (hint: --tournament NAME)", err)
	}
	in.plan = results.Tournament{
		Name: name, Family: name, Ruleset: in.from.Ruleset, Format: results.Imported, Rounds: in.from.Rounds,
		Rating: results.Rating{Start: 1500, K: 16},
	}
	in.pairs = make(map[[2]string]int)
	return in.known()
}

// known takes the bots and pairs of the imported tournament if it is there already.
func (in *incoming) known() error {
	all, err := in.db.Tournaments()
	if err != nil {
		return err
	}
	for _, t := range all {
		if t.Name != in.plan.Name || t.Format != results.Imported {
			continue
		}
		for _, bot := range t.Bots {
			if _, err := in.names.Add(bot); err != nil {
				return err
			}
		}
		b, err := in.db.Book(t.Name)
		if err != nil {
			return err
		}
		for slot := 1; slot <= b.Schedule.Len(); slot++ {
			in.note(b.Schedule.Key(slot))
		}
	}
	return nil
}

// placed returns a record with its pair. A match without one gets the next number of its two bots.
func (in *incoming) placed(record results.Record) results.Record {
	if record.Pair == 0 {
		record.Pair = in.pairs[twoBots(record.Key)] + 1
	}
	in.note(record.Key)
	return record
}

// note notes the pair of a match.
func (in *incoming) note(key results.Key) {
	two := twoBots(key)
	in.pairs[two] = max(in.pairs[two], key.Pair)
}

func twoBots(key results.Key) [2]string {
	return [2]string{min(key.South, key.North), max(key.South, key.North)}
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
