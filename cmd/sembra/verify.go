package main

import (
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/urfave/cli/v2"

	"sembra/results"
	"sembra/results/store"
)

func verifyCommand() *cli.Command {
	flags := bookFlags()
	flags[1] = &cli.StringFlag{Name: "tournament", Usage: "verify the tournament `NAME` (default: all)"}
	return &cli.Command{
		Name: "verify", ArgsUsage: "[FILE]",
		Flags:  flags,
		Action: verify,
	}
}

// verify prints each difference in a line. It fails if there is one.
func verify(c *cli.Context) error {
	isRecords, err := namesRecords(c)
	switch {
	case err != nil:
		return err
	case isRecords:
		return verifyRecords(c)
	}
	db, err := openRead(c, 0, 0)
	if err != nil {
		return err
	}
	defer db.Close()
	watch := watch{command: c.Command.Name, did: "verified"}
	var held []string // lines to print after the live ones, which they would break on the same terminal
	verified, err := db.Verify(store.Verification{
		Tournament: c.String("tournament"),
		Workers:    runtime.GOMAXPROCS(0),
		Tell: func(d store.Difference) {
			if watch.live() {
				held = append(held, d.String())
			} else {
				printLine(c.App.Writer, d.String())
			}
		},
		Progress: func(done, total int) { watch.reached(c.App.ErrWriter, done, total) },
	})
	watch.end()
	for _, line := range held {
		printLine(c.App.Writer, line)
	}
	matches := plural(verified.Matches, "match", "matches")
	tournaments := plural(verified.Tournaments, "tournament", "tournaments")
	switch {
	case err != nil:
		return err
	case verified.Differences > 0 && verified.Tournaments == 0:
		return fmt.Errorf("database %s: %s found, and no match could be checked",
			db.Path(), plural(verified.Differences, "difference", "differences"))
	case verified.Differences > 0:
		return fmt.Errorf("database %s: %s found in %s of %s",
			db.Path(), plural(verified.Differences, "difference", "differences"), matches, tournaments)
	}
	as := "are"
	if verified.Matches == 1 {
		as = "is"
	}
	printLine(c.App.Writer, fmt.Sprintf("%s of %s %s as recorded", matches, tournaments, as))
	return nil
}

// watch tells on standard error how a command goes that does something with every match.
type watch struct {
	command  string
	did      string // with a match: "verified"
	progress *progress
}

// live reports whether there are live lines on the terminal.
func (w *watch) live() bool { return w.progress != nil && w.progress.live != nil }

func (w *watch) reached(stderr io.Writer, done, total int) {
	if w.progress == nil {
		w.progress = newProgress(stderr, results.Tournament{Name: w.command}, nil, total)
	}
	p := w.progress
	if p.live != nil {
		p.live.change(func(s *liveState) { s.played, s.paced = int64(done), done })
	} else if p.due() {
		p.said = time.Now()
		p.say("%d of %d matches %s, %v", done, total, w.did, time.Since(p.began).Round(time.Second))
	}
}

func (w *watch) end() {
	if w.live() {
		w.progress.end(true)
	}
}
