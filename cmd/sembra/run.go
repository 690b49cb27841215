package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/bots"
	"sembra/configs"
	"sembra/results/store"
)

// errInterrupted is the end of a run by a signal.
var errInterrupted = errors.New("stopped by a signal")

func runCommand() *cli.Command {
	return &cli.Command{
		Name: "run", Usage: sayRun, UsageText: exampleRun, ArgsUsage: "CONFIG",
		Flags:  runFlags(),
		Action: runTournament,
	}
}

// runFlags are the flags of the commands that play what a file says.
func runFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "db", Usage: "`FILE` to keep the results in, in place of the configured one"},
		&cli.StringFlag{Name: "concurrency", Usage: "matches at once, `N`, in place of the configured number"},
		&cli.StringFlag{Name: "log-io", Usage: "write all that is said in each match, and the bots' standard error, to a file in `DIR`"},
		&cli.BoolFlag{Name: "fresh", Usage: "begin a new tournament beside the one that is there"},
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

// playConfig plays what is left of a tournament and reports how it ended.
func playConfig(c *cli.Context, config *configs.Config, report func(*store.Book) error) error {
	ctx, release := signal.NotifyContext(c.Context, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer release()
	context.AfterFunc(ctx, release) // a second signal ends the program at once
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
	err = play(ctx, config.Tournament, book, c.App.ErrWriter)
	if wrong := new(arena.ConfigError); errors.As(err, &wrong) {
		return config.Locate(wrong)
	}
	if err != nil {
		return err
	}
	return report(book)
}

// eventsOf gives the events of a run, plies too, to processes that follow its database.
func eventsOf(feed *arena.Feed) store.Events {
	return func() (<-chan json.RawMessage, func()) {
		listener, quit := feed.Listen(true), make(chan struct{})
		channel := make(chan json.RawMessage)
		go func() {
			defer close(channel)
			for event := range listener.C {
				text, err := json.Marshal(event)
				if err != nil {
					continue // a number that JSON does not have
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

// warnCrowded warns of more matches at once than processors.
func warnCrowded(w io.Writer, concurrency int) {
	if cpus := runtime.GOMAXPROCS(0); concurrency > cpus {
		printLine(w, fmt.Sprintf(sayCrowded, concurrency, plural(cpus, "processor", "processors")))
	}
}

// loadConfig reads the tournament file; flags override it.
func loadConfig(c *cli.Context, path string) (*configs.Config, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("the built-in bots cannot be started: %w", err)
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
			return nil, usage("--db is empty, the name of a file expected")
		}
	}
	if c.IsSet("concurrency") {
		n, err := wholeNumber("--concurrency", c.String("concurrency"), 1, configs.MaxConcurrency)
		if err != nil {
			return nil, err
		}
		config.Tournament.Concurrency = n
	}
	if config.Tournament.LogFolder, err = logFolder(c); err != nil {
		return nil, err
	}
	// No bot reads the results, wherever they lie.
	database, err := filepath.Abs(config.Database)
	if err != nil {
		return nil, err
	}
	config.Tournament.Isolation.Hidden = []string{database}
	if file, err := filepath.Abs(path); err == nil { // nor what is said of the others
		config.Tournament.Isolation.Hidden = append(config.Tournament.Isolation.Hidden, file)
	}
	return config, nil
}

// logFolder returns the folder for logs, made if it is not there; "": none.
func logFolder(c *cli.Context) (string, error) {
	if !c.IsSet("log-io") {
		return "", nil
	}
	folder := c.String("log-io")
	if folder == "" {
		return "", usage("--log-io is empty, the name of a folder expected")
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", usage("--log-io: %w", err)
	}
	return filepath.Abs(folder)
}

// play plays what is missing.
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
	case err != nil && !(ctx.Err() != nil && errors.Is(err, context.Cause(ctx))):
		if progress.played > 0 {
			return fmt.Errorf("%w (%d of %d matches are saved in %s; the same command goes on with the rest)",
				err, progress.played, b.Schedule.Total(), b.Store().Path())
		}
		return err
	case ctx.Err() != nil && left > 0:
		return fmt.Errorf("%w: %d of %d matches are saved in %s; the same command goes on with the rest",
			errInterrupted, progress.played, b.Schedule.Total(), b.Store().Path())
	}
	printLine(stderr, fmt.Sprintf("tournament %q: %s in %s; see also: sembra matches --db %[3]s", b.Tournament.Name,
		plural(progress.played, "match", "matches"), b.Store().Path()))
	return nil
}
