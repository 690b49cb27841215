package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/arena/protocol"
	"sembra/configs"
	"sembra/engine"
	"sembra/engine/show"
	"sembra/results"
	"sembra/results/report"
)

func checkCommand() *cli.Command {
	return &cli.Command{
		Name: "check", ArgsUsage: "[flags] -- COMMAND ARG… | CONFIG",
		Flags: []cli.Flag{
			&cli.StringFlag{
				Name: "ruleset", Usage: "test only the ruleset `R` (default: all that the bot plays; with uci: oware)",
			},
			&cli.StringFlag{
				Name: "protocol", Usage: "the bot speaks `P`: " + strings.Join(configs.Protocols(), ", "),
				Value: protocol.MBI.String(),
			},
			roundsFlag("2"),
			timeFlag("startup", "wait at most `TIME` for mbiok or uciok, and for each readyok", "10s"),
			timeFlag("watchdog", "wait at most `TIME` for an answer", "10s"),
			&cli.StringFlag{Name: "dir", Usage: "run the bot in the folder `DIR`", Value: "."},
			isolationFlag("the bot"),
			&cli.StringSliceFlag{
				Name: "option", Usage: "set an option of the bot, as `NAME=VALUE`; repeat it for more options", KeepSpace: true,
			},
			&cli.BoolFlag{Name: "verbose", Usage: "print the whole conversation, and what the bot is isolated from"},
			formatFlag(report.Table, report.Markdown, report.CSV, report.JSON), wideFlag(),
		},
		Action: checkBot,
	}
}

// isolationFlag returns the flag for the isolation of a command's bots.
func isolationFlag(bots string) cli.Flag {
	return &cli.StringFlag{
		Name: "isolation", Usage: "`MODE`: the isolation of " + bots + ", " + isolationModes(),
		Value: string(arena.AutoIsolation),
	}
}

func isolationModes() string {
	var modes []string
	for _, mode := range arena.IsolationModes() {
		modes = append(modes, string(mode))
	}
	return strings.Join(modes, ", ")
}

// checkBot prints the points one by one. It fails if one of them failed.
func checkBot(c *cli.Context) error {
	if checksConfig(c) {
		return checkConfig(c)
	}
	check, err := readCheck(c)
	if err != nil {
		return err
	}
	if check.Rules != nil {
		warnEngines(c.App.ErrWriter, &arena.Tournament{
			Rules: check.Rules, Entries: []arena.Entry{check.Entry}, Time: arena.TimeControl{Depth: 1},
		})
	}
	ctx := c.Context
	count := pointCount{}
	out := &shared{Writer: c.App.Writer}
	columns := 0 // lines are not wrapped
	if !c.Bool("wide") {
		columns = terminalColumns(c.App.Writer)
	}
	if c.Bool("verbose") {
		check.Log = clipper{out}
	}
	err = check.Run(ctx, func(p arena.Point) {
		count.add(p)
		printPoint(out, p, check.Entry.Name, columns)
	})
	switch {
	case interrupted(ctx, err):
		return fmt.Errorf("%w after %v", errInterrupted, count)
	case err != nil:
		return err
	}
	printLine(out, count.String())
	if count.failed > 0 {
		return fmt.Errorf(sayCheckFailed, check.Entry.Name, plural(count.failed, "test", "tests"))
	}
	return nil
}

// readCheck reads which bot to check, and how.
func readCheck(c *cli.Context) (check arena.Check, err error) {
	args := c.Args().Slice()
	if len(args) == 0 || args[0] == "" {
		return check, usage("check needs a tournament file or the command of a bot (usage: %s)", usageOf(c.Command))
	}
	if c.IsSet("format") {
		return check, usage("--format is for the check of a tournament file, not of a single command")
	}
	if c.IsSet("ruleset") {
		if check.Rules, err = engine.Lookup(c.String("ruleset")); err != nil {
			return check, asUsage(err)
		}
	}
	dialect := protocol.Dialect(c.String("protocol"))
	if !slices.Contains(protocol.Dialects(), dialect) {
		return check, usage("unknown protocol %q (known: %s)", dialect, strings.Join(configs.Protocols(), ", "))
	}
	switch rulesets := dialect.Rulesets(); {
	case rulesets == nil:
	case check.Rules == nil:
		if check.Rules, err = engine.Lookup(rulesets[0]); err != nil {
			return check, err
		}
	case !dialect.Speaks(check.Rules.Info().Name):
		return check, usage("--protocol %s is only for %s, not for %s",
			dialect, strings.Join(rulesets, " and "), check.Rules.Info().Name)
	}
	check.Rounds, check.Startup, check.Watchdog = whole(c, "rounds", 0), duration(c, "startup"), duration(c, "watchdog")
	if c.IsSet("rounds") && check.Rules != nil {
		if _, err := engine.WithRounds(check.Rules, check.Rounds); err != nil {
			return check, asUsage(err)
		}
	}
	if check.Isolation, err = readIsolation(c.String("isolation")); err != nil {
		return check, err
	}
	check.Entry, err = readEntry(c, args)
	check.Entry.Dialect = dialect
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
		Name:     configs.BotName(dir, args),
		Launcher: arena.Command{Args: args, Dir: dir, Env: arena.CleanEnvironment()},
	}
	for _, text := range c.StringSlice("option") {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return arena.Entry{}, usage("--option must be NAME=VALUE, not %q", text)
		}
		entry.Options = append(entry.Options, protocol.OptionValue{Name: name, Value: value})
	}
	return entry, nil
}

// readIsolation returns the isolation of that mode, with the default limits of a
// tournament.
func readIsolation(mode string) (arena.Isolation, error) {
	for _, known := range arena.IsolationModes() {
		if string(known) == mode {
			isolation := configs.DefaultIsolation()
			isolation.Mode = known
			return isolation, nil
		}
	}
	return arena.Isolation{}, usage("unknown isolation %q (known: %s)", mode, isolationModes())
}

// pointCount counts points by their state.
type pointCount struct{ ok, failed, warned, notes, skipped int }

func (n *pointCount) add(p arena.Point) {
	switch p.State {
	case arena.Passed:
		n.ok++
	case arena.Failed:
		n.failed++
	case arena.Warned:
		n.warned++
	case arena.Noted:
		n.notes++
	case arena.Skipped:
		n.skipped += max(1, p.Points)
	}
}

// String says how many points there were of each state.
func (n pointCount) String() string {
	text := fmt.Sprintf("%s: %d ok, %d failed", plural(n.ok+n.failed+n.warned+n.skipped, "test", "tests"), n.ok, n.failed)
	if n.warned > 0 {
		text += ", " + plural(n.warned, "warning", "warnings")
	}
	if n.skipped > 0 {
		text += fmt.Sprintf(", %d skipped", n.skipped)
	}
	if n.notes > 0 {
		text += "; " + plural(n.notes, "note", "notes")
	}
	return text
}

// printPoint prints a point. Below a failure or a warning it prints the end of
// the conversation. Its own lines are wrapped at that many columns; 0: they are not.
func printPoint(w io.Writer, p arena.Point, bot string, columns int) {
	mark, isResult := pointMarks()[p.State]
	if !isResult {
		printHanging(w, "isolation: ", p.What, columns)
		return
	}
	printHanging(w, mark+" ", p.Name+": "+clipPoint(p.What), columns)
	if p.Talk != nil {
		printTalk(w, *p.Talk, bot)
	}
}

// pointMarks returns how the lines of points begin that are results.
func pointMarks() map[arena.State]string {
	return map[arena.State]string{
		arena.Passed: "ok  ", arena.Failed: "FAIL", arena.Warned: "warn", arena.Noted: "note", arena.Skipped: "skip",
	}
}

// printHanging prints a text behind a mark. If it has more columns, its other lines
// begin under its first word.
func printHanging(w io.Writer, mark, text string, columns int) {
	if columns > 0 && displaywidth.String(mark+text) > columns {
		text = strings.Join(show.Wrap(text, columns-len(mark), "", ""), "\n"+strings.Repeat(" ", len(mark)))
	}
	printLine(w, mark+text)
}

// printTalk prints the end of a conversation, and the first and last lines of the
// bot's standard error: some languages print the message at the top of a stack
// trace, and others at its end.
func printTalk(w io.Writer, talk results.Talk, bot string) {
	const lines, stderr = 8, 20
	for i, line := range talk.Lines[max(0, len(talk.Lines)-lines):] {
		if i > 0 && line.Left > 0 {
			printLine(w, "     "+fmt.Sprintf(sayMore, line.Left))
		}
		mark := ">"
		if line.Said {
			mark = "<"
		}
		text := fmt.Sprintf("     %12.6f %s%s %s", line.At.Seconds(), bot, mark, results.Visible(line.Text, 0))
		if begun := []rune(text); line.Cut > 0 { // the log has not kept its end
			text = string(begun[:min(len(begun), widest)])
			text += " " + fmt.Sprintf(sayMore, line.Cut+max(0, len(begun)-widest))
		} else {
			text = clip(text)
		}
		printLine(w, text)
	}
	said := linesOf(talk.Stderr)
	switch {
	case len(said) == 0:
		return
	case talk.StderrLeft > 0:
		printLine(w, "     "+fmt.Sprintf(sayStderrEnd, talk.StderrLeft))
	default:
		printLine(w, "     "+sayStderr)
	}
	for i, line := range said {
		switch left := len(said) - stderr; {
		case left <= 1 || i < stderr/2 || i >= stderr/2+left:
			printLine(w, "       "+clip(line))
		case i == stderr/2:
			printLine(w, "       "+fmt.Sprintf(sayMore, left))
		}
	}
}

// linesOf returns the lines of a text from a bot, without empty lines, with their
// indentation, and with control characters made visible.
func linesOf(text []byte) []string {
	const tab = "    "
	var lines []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(strings.ReplaceAll(line, "\t", tab), " \r\n")
		if seen := strings.TrimLeft(line, " "); seen != "" {
			indent := line[:len(line)-len(seen)]
			lines = append(lines, indent+results.Visible([]byte(seen), 0))
		}
	}
	return lines
}

// widest is the most characters of a line that are printed.
const widest = 200

// clip cuts the middle out of a line that is wider than widest, and says how many characters it
// has cut. It leaves a line whole if that mark would save nothing.
func clip(line string) string {
	all := []rune(line)
	if len(all) <= widest {
		return line
	}
	const end = 60 // characters; a line about a match ends with the latest moves
	head, tail := strings.TrimRight(string(all[:widest-end]), " "), strings.TrimLeft(string(all[len(all)-end:]), " ")
	clipped := head + " " + fmt.Sprintf(sayMore, len(all)-widest) + " " + tail
	if utf8.RuneCountInString(clipped) >= len(all) {
		return line
	}
	return clipped
}

// clipPoint clips what a point says, but not the advice of the arena at its end.
func clipPoint(what string) string {
	end := len(what)
	for _, begins := range []string{arena.BecauseOf, "(hint: "} {
		if at := strings.Index(what, begins); at >= 0 {
			end = min(end, at)
		}
	}
	return clip(what[:end]) + what[end:]
}

// clipper clips each line that is written to it.
type clipper struct{ io.Writer }

func (c clipper) Write(b []byte) (int, error) {
	_, err := io.WriteString(c.Writer, clip(strings.TrimSuffix(string(b), "\n"))+"\n")
	return len(b), err
}

// shared is a writer that several goroutines can use.
type shared struct {
	mu sync.Mutex
	io.Writer
}

func (s *shared) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Writer.Write(b)
}
