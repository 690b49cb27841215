package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/arena/jail"
	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/results"
)

func checkCommand() *cli.Command {
	return &cli.Command{
		Name: "check", Usage: sayCheck, UsageText: exampleCheck, ArgsUsage: "[flags] -- COMMAND ARG…",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "ruleset", Usage: "check only this ruleset, `R` (default: all that the bot plays)"},
			&cli.StringFlag{Name: "rounds", Usage: "limit of rounds in a match, `N` (rulesets of several rounds)", Value: "2"},
			&cli.StringFlag{Name: "startup", Usage: "the longest that mbiok and each readyok may take, `TIME`", Value: "10s"},
			&cli.StringFlag{Name: "watchdog", Usage: "the longest that an answer is waited for, `TIME`", Value: "10s"},
			&cli.StringFlag{Name: "dir", Usage: "`DIR` that the bot runs in", Value: "."},
			&cli.StringFlag{Name: "isolation", Usage: "what keeps the bot from the rest of the machine, `MODE`: " + isolationModes(), Value: string(arena.AutoIsolation)},
			&cli.StringSliceFlag{Name: "option", Usage: "`NAME=VALUE` that an option of the bot is set to, any number of times", KeepSpace: true},
			&cli.BoolFlag{Name: "verbose", Usage: "print all that is said"},
		},
		Action: checkBot,
	}
}

func isolationModes() string {
	var modes []string
	for _, mode := range arena.IsolationModes() {
		modes = append(modes, string(mode))
	}
	return strings.Join(modes, ", ")
}

// checkBot prints point after point, and fails if a point did.
func checkBot(c *cli.Context) error {
	check, err := readCheck(c)
	if err != nil {
		return err
	}
	ctx, release := signal.NotifyContext(c.Context, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer release()
	context.AfterFunc(ctx, release) // a second signal ends the program at once

	count := pointCount{}
	out := &shared{Writer: c.App.Writer}
	if c.Bool("verbose") {
		check.Log = out
	}
	err = check.Run(ctx, func(event arena.Event) {
		switch e := event.(type) {
		case arena.Isolated:
			printLine(out, fmt.Sprintf(sayIsolated, e.Line))
		case arena.Point:
			count.add(e.State)
			printPoint(out, e, check.Entry.Name)
		}
	})
	switch {
	case ctx.Err() != nil && errors.Is(err, context.Cause(ctx)):
		return fmt.Errorf("%w: %s looked at", errInterrupted, count)
	case err != nil:
		return err
	}
	printLine(out, count.String())
	if count.failed > 0 {
		return fmt.Errorf(sayCheckFailed, check.Entry.Name, plural(count.failed, "point", "points"))
	}
	return nil
}

// readCheck reads what is to be checked.
func readCheck(c *cli.Context) (check arena.Check, err error) {
	args := c.Args().Slice()
	if len(args) == 0 || args[0] == "" {
		return check, usage("check needs the command of a bot (usage: %s)", usageOf(c.Command))
	}
	if c.IsSet("ruleset") {
		if check.Rules, err = engine.Lookup(c.String("ruleset")); err != nil {
			return check, asUsage(err)
		}
	}
	if check.Rounds, err = wholeNumber("--rounds", c.String("rounds"), 1, engine.MostRounds); err != nil {
		return check, err
	}
	if c.IsSet("rounds") && check.Rules != nil {
		if _, err := engine.WithRounds(check.Rules, check.Rounds); err != nil {
			return check, asUsage(err)
		}
	}
	if check.Startup, err = duration("--startup", c.String("startup")); err != nil {
		return check, err
	}
	if check.Watchdog, err = duration("--watchdog", c.String("watchdog")); err != nil {
		return check, err
	}
	if check.Isolation, err = readIsolation(c.String("isolation")); err != nil {
		return check, err
	}
	check.Entry, err = readEntry(c, args)
	return check, err
}

// readEntry reads which bot it is.
func readEntry(c *cli.Context, args []string) (arena.Entry, error) {
	dir, err := filepath.Abs(c.String("dir"))
	if err != nil {
		return arena.Entry{}, err
	}
	if stat, err := os.Stat(dir); err != nil || !stat.IsDir() {
		return arena.Entry{}, usage("--dir: there is no folder %s", dir)
	}
	entry := arena.Entry{
		Name:     filepath.Base(args[0]),
		Launcher: arena.Command{Args: args, Dir: dir, Env: arena.CleanEnvironment()},
	}
	for _, text := range c.StringSlice("option") {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return arena.Entry{}, usage("--option is %q, NAME=VALUE expected", text)
		}
		entry.Options = append(entry.Options, protocol.OptionValue{Name: name, Value: value})
	}
	return entry, nil
}

// readIsolation returns the isolation of that mode, with the limits of a
// tournament that says none.
func readIsolation(mode string) (arena.Isolation, error) {
	for _, known := range arena.IsolationModes() {
		if string(known) == mode {
			return arena.Isolation{Mode: known, Limits: jail.Limits{Memory: 1 << 30, Processes: 256}}, nil
		}
	}
	return arena.Isolation{}, usage("--isolation is %q (known: %s)", mode, isolationModes())
}

// duration reads a time from the command line.
func duration(what, text string) (time.Duration, error) {
	const least, most = time.Millisecond, time.Hour
	d, err := time.ParseDuration(text)
	if err != nil || d < least || d > most {
		return 0, usage("%s is %q, a time from %v to %v expected, like 10s", what, text, least, most)
	}
	return d, nil
}

// pointCount counts points by their states.
type pointCount struct{ ok, failed, notes, skipped int }

func (n *pointCount) add(s arena.State) {
	switch s {
	case arena.Passed:
		n.ok++
	case arena.Failed:
		n.failed++
	case arena.Noted:
		n.notes++
	case arena.Skipped:
		n.skipped++
	}
}

// String is the last line of a check.
func (n pointCount) String() string {
	text := fmt.Sprintf("%s: %d ok, %d failed", plural(n.ok+n.failed+n.skipped, "point", "points"), n.ok, n.failed)
	if n.skipped > 0 {
		text += fmt.Sprintf(", %d skipped", n.skipped)
	}
	if n.notes > 0 {
		text += "; " + plural(n.notes, "note", "notes")
	}
	return text
}

// printPoint prints a line, and under a failure what was said last.
func printPoint(w io.Writer, p arena.Point, bot string) {
	mark := sayPassed
	switch p.State {
	case arena.Failed:
		mark = sayFailed
	case arena.Noted:
		mark = sayNoted
	case arena.Skipped:
		mark = saySkipped
	}
	printLine(w, fmt.Sprintf("%-4s %s: %s", mark, p.Name, p.What))
	if p.Talk != nil {
		printTalk(w, *p.Talk, bot)
	}
}

// printTalk prints the end of a conversation and of the bot's standard error.
func printTalk(w io.Writer, talk results.Talk, bot string) {
	const lines, width = 8, 160
	for _, line := range talk.Lines[max(0, len(talk.Lines)-lines):] {
		mark := ">"
		if line.Said {
			mark = "<"
		}
		text := results.Visible(line.Text, 0)
		if short := []rune(text); len(short) > width {
			text = string(short[:width/2]) + " … " + string(short[len(short)-width/2:])
		}
		if line.Cut > 0 {
			text += fmt.Sprintf(sayCut, line.Cut)
		}
		printLine(w, fmt.Sprintf("     %12.6f %s%s %s", line.At.Seconds(), bot, mark, text))
	}
	said := strings.Split(strings.TrimSpace(string(talk.Stderr)), "\n")
	if said[0] != "" {
		printLine(w, "     "+sayStderr)
	}
	for _, line := range said[max(0, len(said)-lines):] {
		if line = results.Visible([]byte(strings.TrimRight(line, "\r")), width); line != "" {
			printLine(w, "       "+line)
		}
	}
}

// shared is a writer for several goroutines.
type shared struct {
	mu sync.Mutex
	io.Writer
}

func (s *shared) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Writer.Write(b)
}
