package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/arena/guest"
	"sembra/cmd/sembra/friendly"
	"sembra/configs"
	"sembra/engine"
	"sembra/results/safe"
)

func playCommand() *cli.Command {
	return &cli.Command{
		Name: "play", ArgsUsage: "[RULESET]",
		Flags: append([]cli.Flag{
			textFlag("against", "play against `BOT`: a built-in bot, a path, or a quoted command line", friendly.DefaultBot),
			textFlag("seat", "your `SEAT`: south, which moves first, north, or either", engine.South.String()),
			timeFlag("time", fmt.Sprintf("give the bot `TIME` for each move; it loses if it needs %v more", arena.FriendlyMargin), "1s"),
			wholeFlag("seed", "give the bot the seed `N` (default: a random one)", "", 0, 1<<31-1),
			textFlag("name", "`NAME`: your name in the record of the match", friendly.DefaultName),
			textFlag("save", "save the match in the new file `FILE` when it has ended", ""),
			isolationFlag("the bot"),
			asciiFlag(),
		}, gameFlags()...),
		BashComplete: completeRulesets,
		Action:       playMatch,
	}
}

func playMatch(c *cli.Context) error {
	d := dialogue{out: c.App.Writer, style: boardStyle(c), script: !hasPerson(c), file: c.String("save")}
	if c.IsSet("save") {
		if err := refuseNew(d.file); err != nil {
			return usage("--save: %w", err)
		}
	}
	bot, release, err := readOpponent(c)
	defer release()
	if err != nil {
		return err
	}
	f, err := readFriendly(c, bot)
	if err != nil {
		return err
	}
	d.bot = bot.Name
	warnEngines(c.App.ErrWriter, &arena.Tournament{Rules: f.Rules, Entries: []guest.Entry{bot}})
	if d.FriendlyMatch, err = f.Begin(c.Context); err != nil {
		if interrupted(c.Context, err) {
			return errInterrupted
		}
		return err
	}
	defer d.Close()
	if isolated := d.Isolated(); isolated.Less {
		say(c.App.ErrWriter, "isolation: %s", isolated.Line)
	}
	err = d.hold(c.Context, c.App.Reader)
	if state := d.State(); state.Record == nil && len(state.Plies) > 0 {
		printLine(c.App.ErrWriter, d.continued(c))
	}
	return err
}

// hasPerson reports whether both the input and the output are a terminal.
func hasPerson(c *cli.Context) bool {
	in, fromFile := c.App.Reader.(*os.File)
	_, ok := terminalOf(c.App.Writer)
	return ok && fromFile && isatty.IsTerminal(in.Fd())
}

// readFriendly reads which match is played against a bot.
func readFriendly(c *cli.Context, bot guest.Entry) (f arena.Friendly, err error) {
	args, err := arguments(c, 0, 1)
	if err != nil {
		return f, err
	}
	isolation, err := readIsolation(c.String("isolation"))
	if err != nil {
		return f, err
	}
	chosen := friendly.Choices{
		Ruleset: friendly.DefaultRuleset, Seat: c.String("seat"), Rounds: c.String("rounds"), Position: c.String("position"),
		Name: c.String("name"), Time: c.String("time"),
	}
	if len(args) > 0 {
		chosen.Ruleset = args[0]
	}
	if f, err = chosen.Match(bot, isolation); err != nil {
		return f, asUsage(err)
	}
	f.Seed = uint64(whole(c, "seed", int(f.Seed)))
	return f, nil
}

// readOpponent reads which bot plays. If it is a built-in bot, it gets an empty folder,
// which release removes.
func readOpponent(c *cli.Context) (entry guest.Entry, release func(), err error) {
	release = func() {}
	bot, err := configs.ParseBot(c.String("against"), builtinBots())
	if err != nil {
		return entry, release, usage("--against: %w", err)
	}
	dir, err := os.Getwd()
	if bot.Builtin != "" {
		dir, release, err = emptyFolder()
	}
	return bot.Entry(dir), release, err
}

// errUnfinished says that the input ended before the match.
var errUnfinished = errors.New("the input ended before the match, so there is no result")

// save writes the match that has ended into a new file. The one that it has written
// itself it overwrites, because moves of the match may be taken back.
func (d *dialogue) save(file string) error {
	if d.state.Record == nil {
		return friendly.ErrNoRecord
	}
	refuse := refuseNew
	if file != "" && file == d.saved {
		refuse = func(string) error { return nil }
	}
	err := writeWholeFile(file, refuse, func(w io.Writer) error {
		return friendly.WriteRecord(w, d.FriendlyMatch, d.state)
	})
	if err == nil {
		d.saved = file
	}
	return err
}

// continued says how to continue a match that has not ended.
func (d *dialogue) continued(c *cli.Context) string {
	flags := givenFlags(c, "against", "seat", "time", "rounds", "name", "save", "isolation")
	rules := d.Rules()
	return fmt.Sprintf(
		"the match has no result; this command continues from its last position:\nsembra play %s %s"+
			"--position %s", rules.Info().Name, flags, quoted(engine.Text(rules, d.State().Position)))
}

// givenFlags writes those of the flags that the command line has, with a space after each, for another command line.
func givenFlags(c *cli.Context, names ...string) (words string) {
	for _, name := range names {
		if c.IsSet(name) {
			words += "--" + name + " " + quoted(c.String(name)) + " "
		}
	}
	return words
}

// quoted quotes a word for a shell, if it has to be.
func quoted(word string) string {
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return !strings.ContainsRune("-_=:,./+@%", r) && (r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z')
	}) {
		return word
	}
	return "'" + strings.ReplaceAll(safe.Line(strings.TrimSpace(word)), "'", `'\''`) + "'"
}
