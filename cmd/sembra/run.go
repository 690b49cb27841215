package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/bots"
	"sembra/configs"
	"sembra/results/store"
)

func runCommand() *cli.Command {
	return &cli.Command{
		Name: "run", Usage: sayRun, UsageText: exampleRun, ArgsUsage: "CONFIG",
		Flags:  runFlags(),
		Action: runTournament,
	}
}

// runFlags returns the flags of the commands that play a tournament file.
func runFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "db", Usage: "save the results in `FILE` instead of the configured database"},
		concurrencyFlag("instead of the configured number"),
		&cli.StringFlag{
			Name: "log-io", Usage: "write the whole conversation of each match, and the bots' standard error, to a file in `DIR`",
		},
		&cli.BoolFlag{Name: "fresh", Usage: "begin a new tournament beside the existing one"},
	}
}

func runTournament(c *cli.Context) error {
	args, err := arguments(c, 1, 1)
	if err != nil {
		return err
	}
	config, err := loadConfig(c, args[0])
	if err != nil {
		return err
	}
	if config.Test != nil {
		printLine(c.App.ErrWriter, fmt.Sprintf(sayHasTest, args[0]))
	}
	return playConfig(c, config, func(b *store.Book) error { return printStandingsOf(c.App.Writer, b) })
}

// playConfig plays the missing matches of a tournament and prints its report.
func playConfig(c *cli.Context, config *configs.Config, report func(*store.Book) error) error {
	ctx, release := untilInterrupted(c)
	defer release()
	warnCrowded(c.App.ErrWriter, config.Tournament.Concurrency)
	db, err := store.Open(config.Database)
	if err != nil {
		return err
	}
	defer db.Close()
	config.Tournament.Feed = new(arena.Feed)
	if err := db.Share(eventsOf(config.Tournament.Feed)); err != nil {
		printLine(c.App.ErrWriter, fmt.Sprintf("note: %v", err))
	}
	plan, err := config.Tournament.Manifest()
	if err != nil {
		return err
	}
	book, err := db.Begin(plan, c.Bool("fresh"))
	if err != nil {
		return err
	}
	config.Tournament.Continue(book.Tournament.Settings)
	err = play(ctx, config.Tournament, book, c.App.ErrWriter)
	if wrong := new(arena.ConfigError); errors.As(err, &wrong) {
		return config.Locate(wrong)
	}
	if err != nil {
		return err
	}
	return report(book)
}

// eventsOf returns the events of a run, also of its plies, for processes that follow
// its database.
func eventsOf(feed *arena.Feed) store.Events {
	return func() (<-chan json.RawMessage, func()) {
		listener, quit := feed.Listen(true), make(chan struct{})
		channel := make(chan json.RawMessage)
		go func() {
			defer close(channel)
			for event := range listener.C {
				text, err := json.Marshal(event)
				if err != nil {
					continue // JSON has no NaN
				}
				select {
				case channel <- text:
				case <-quit:
					return
				}
			}
		}()
		return channel, func() { close(quit); listener.Close() }
	}
}

// warnCrowded warns if there are more matches at once than processors.
func warnCrowded(w io.Writer, concurrency int) {
	if cpus := runtime.GOMAXPROCS(0); concurrency > cpus {
		printLine(w, fmt.Sprintf(sayCrowded, concurrency, plural(cpus, "processor", "processors")))
	}
}

// loadConfig reads the tournament file. Flags override what it says.
func loadConfig(c *cli.Context, path string) (*configs.Config, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("cannot start the built-in bots: %w", err)
	}
	var builtins []configs.Builtin
	for _, b := range bots.Builtins() {
		builtins = append(builtins, configs.Builtin{Name: b.Name, Command: []string{self, "bot", b.Name}})
	}
	config, err := configs.Load(path, builtins)
	if err != nil {
		return nil, err
	}
	if c.IsSet("db") {
		if config.Database = c.String("db"); config.Database == "" {
			return nil, usage("--db is empty: give the name of a file")
		}
	}
	config.Tournament.Concurrency = whole(c, "concurrency", config.Tournament.Concurrency)
	if config.Tournament.LogFolder, err = logFolder(c); err != nil {
		return nil, err
	}
	// No bot may read the results, wherever they are.
	database, err := filepath.Abs(config.Database)
	if err != nil {
		return nil, err
	}
	config.Tournament.Isolation.Hidden = []string{database}
	if file, err := filepath.Abs(path); err == nil { // nor the options of the other bots
		config.Tournament.Isolation.Hidden = append(config.Tournament.Isolation.Hidden, file)
	}
	return config, nil
}

// logFolder returns the folder for logs, and makes it if necessary. It returns ""
// if the user wants no logs.
func logFolder(c *cli.Context) (string, error) {
	if !c.IsSet("log-io") {
		return "", nil
	}
	folder := c.String("log-io")
	if folder == "" {
		return "", usage("--log-io is empty: give the name of a folder")
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", usage("--log-io: %w", err)
	}
	return filepath.Abs(folder)
}

// play plays the missing matches.
func play(ctx context.Context, t arena.Tournament, b *store.Book, stderr io.Writer) error {
	recorded, err := b.Recorded()
	if err != nil {
		return err
	}
	progress := newProgress(stderr, b.Tournament, len(recorded), b.Schedule.Total())
	progress.remark(remark(b))
	err = t.Run(ctx, recorded, b, func(event arena.Event) {
		if event.Isolated != nil {
			b.NoteIsolation(event.Isolated.Line)
		}
		progress.grow(b.Schedule.Total())
		progress.remark(remark(b))
		progress.tell(event)
	})
	progress.end()
	left := b.Schedule.Total() - progress.played
	switch {
	case err != nil && !interrupted(ctx, err):
		if progress.played > 0 {
			return fmt.Errorf("%w (%d of %d matches are saved in %s; the same command plays the rest)",
				err, progress.played, b.Schedule.Total(), b.Store().Path())
		}
		return err
	case ctx.Err() != nil && left > 0:
		return fmt.Errorf("%w: %d of %d matches are saved in %s; the same command plays the rest",
			errInterrupted, progress.played, b.Schedule.Total(), b.Store().Path())
	}
	printLine(stderr, fmt.Sprintf("tournament %q: %s in %s; see also: sembra matches --db %[3]s", b.Tournament.Name,
		plural(progress.played, "match", "matches"), b.Store().Path()))
	return nil
}
