package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/bots"
	"sembra/configs"
	"sembra/engine"
	"sembra/results"
	"sembra/results/notation"
	"sembra/results/report"
)

func playCommand() *cli.Command {
	return &cli.Command{
		Name: "play", ArgsUsage: "RULESET",
		Flags: append([]cli.Flag{
			&cli.StringFlag{
				Name: "against", Usage: "play against `BOT`: a built-in bot, a path, or a quoted command line", Value: "level3",
			},
			&cli.StringFlag{Name: "seat", Usage: "your `SEAT`: south, which begins, or north", Value: engine.South.String()},
			timeFlag("time", fmt.Sprintf("give the bot `TIME` for each move; it loses if it needs %v more", friendlyMargin), "1s"),
			wholeFlag("seed", "tell the bot the seed `N` (default: a random one)", "", 0, 1<<31-1),
			&cli.StringFlag{Name: "name", Usage: "`NAME`: your name in the record of the match", Value: "person"},
			&cli.StringFlag{Name: "save", Usage: "save the match in the new file `FILE` when it has ended"},
			&cli.StringFlag{
				Name: "isolation", Usage: "`MODE`: the isolation of the bot, " + isolationModes(),
				Value: string(arena.AutoIsolation),
			},
			&cli.BoolFlag{Name: "plain", Usage: "read and print plain lines, on a terminal too"},
			&cli.BoolFlag{Name: "ascii", Usage: "draw in plain ASCII, on a terminal too"},
		}, gameFlags()...),
		BashComplete: completeRulesets,
		Action:       playMatch,
	}
}

// friendlyMargin is how much later than its time a bot may answer. It is wide, because
// nobody minds a slow machine in such a match.
const friendlyMargin = 5 * time.Second

func playMatch(c *cli.Context) error {
	if command := configs.Unquoted(c.String("against"), c.Args().Slice()); command != "" {
		return usage("--against: put the command in quotes: %q", command)
	}
	f, err := readFriendly(c)
	if err != nil {
		return err
	}
	game := friendlyGame{file: c.String("save")}
	if c.IsSet("save") {
		if game.file == "" {
			return usage("--save is empty: give the name of a file")
		}
		if err := refuseFile(game.file); err != nil {
			return usage("--save: %w", err)
		}
	}
	bot, release, err := readOpponent(c)
	defer release()
	if err != nil {
		return err
	}
	f.Bot, game.bot = bot, bot.Name
	warnEngines(c.App.ErrWriter, &arena.Tournament{Rules: f.Rules, Entries: []arena.Entry{bot}, Time: f.Time})
	if game.FriendlyMatch, err = f.Begin(c.Context); err != nil {
		if interrupted(c.Context, err) {
			return errInterrupted
		}
		return err
	}
	defer game.Close()
	if isolated := game.Isolated(); isolated.Less {
		printLine(c.App.ErrWriter, isolated.Line)
	}
	if in, out, ok := viewable(c); ok {
		err = game.onScreen(c, in, out)
	} else {
		err = game.inLines(c)
	}
	if state := game.State(); state.Record == nil && len(state.Plies) > 0 {
		printLine(c.App.ErrWriter, game.continued(c))
	}
	return err
}

// readFriendly reads which match is played.
func readFriendly(c *cli.Context) (f arena.Friendly, err error) {
	g, _, err := readGame(c, 1, 1)
	if err != nil {
		return f, err
	}
	f = arena.Friendly{
		Person: c.String("name"), Rules: g.rules, Seed: uint64(whole(c, "seed", int(rand.Int32()))),
		Time:   arena.TimeControl{Move: duration(c, "time"), Margin: friendlyMargin, Startup: 10 * time.Second},
		Advise: func(m *engine.Match) engine.Move { return bots.Advise(m, time.Second) },
	}
	if c.IsSet("position") {
		f.Opening = engine.Text(g.rules, g.position)
	}
	switch seat := c.String("seat"); seat {
	case engine.South.String():
	case engine.North.String():
		f.Seat = engine.North
	default:
		return f, usage("--seat must be south or north, not %q", seat)
	}
	f.Isolation, err = readIsolation(c.String("isolation"))
	return f, err
}

// readOpponent reads which bot plays. If it is a built-in bot, it gets an empty folder,
// which release removes.
func readOpponent(c *cli.Context) (entry arena.Entry, release func(), err error) {
	release = func() {}
	builtins, err := builtinBots()
	if err != nil {
		return entry, release, err
	}
	bot, err := configs.ParseBot(c.String("against"), builtins)
	if err != nil {
		return entry, release, usage("--against: %w", err)
	}
	if c.String("name") == bot.Name {
		return entry, release, usage("you and the bot both have the name %q (hint: --name gives you another one)", bot.Name)
	}
	names := configs.NewNames()
	for _, name := range []string{bot.Name, c.String("name")} { // as in a tournament, for a record that can be imported
		if _, err := names.Add(name); err != nil {
			return entry, release, usage("--name: %w", err)
		}
	}
	dir, err := os.Getwd()
	if bot.Builtin != "" {
		dir, err = emptyFolder()
		release = func() { _ = os.RemoveAll(dir) }
	}
	return bot.Entry(dir), release, err
}

// friendlyGame is a match of a person at this program.
type friendlyGame struct {
	*arena.FriendlyMatch
	bot   string // its name
	file  string // in which the match is to be saved; "": in none
	saved string // in which it is saved
}

// errUnfinished says that the input ended before the match.
var errUnfinished = errors.New("the input ended before the match, so there is no result")

// refuseFile returns an error if a new file of that name cannot be written.
func refuseFile(file string) error {
	if stat, err := os.Stat(filepath.Dir(file)); err != nil || !stat.IsDir() {
		return fmt.Errorf("there is no folder %s", filepath.Dir(file))
	}
	return refuseExisting(file)
}

// freeFile returns the name of a text file that is not there yet.
func freeFile(name string) string {
	for n := 1; ; n++ {
		file := fmt.Sprintf("%s-%d.txt", name, n)
		if refuseFile(file) == nil || n == 1000 {
			return file
		}
	}
}

// save writes the match that has ended into a new file. The one that it has written
// itself it overwrites, because moves of the match may be taken back.
func (g *friendlyGame) save(file string, record results.Record, what string) error {
	flags := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if file != g.saved {
		if err := refuseFile(file); err != nil {
			return err
		}
		flags |= os.O_EXCL
	}
	out, err := os.OpenFile(file, flags, 0o666)
	if err != nil {
		return fmt.Errorf("cannot save the match: %w", err)
	}
	g.saved = file
	plan := g.Tournament()
	err = notation.Write(out, notation.Game{
		Tournament: plan.Name, Date: time.Now().Format(time.DateOnly), Slot: 1, Ruleset: plan.Ruleset, Rounds: plan.Rounds,
		Reason: what, Record: record,
	})
	if err := errors.Join(err, out.Close()); err != nil {
		return fmt.Errorf("cannot save the match: %w", err)
	}
	return nil
}

// outcome says in one line who has won, and how.
func (g *friendlyGame) outcome(record results.Record) string {
	return report.Match{Tournament: g.Tournament(), Slot: 1, Matches: 1, Record: record}.Outcome()
}

// continued says how to go on with a match that has not ended.
func (g *friendlyGame) continued(c *cli.Context) string {
	flags := ""
	for _, name := range []string{"against", "seat", "time", "rounds", "name", "save", "isolation"} {
		if c.IsSet(name) {
			flags += fmt.Sprintf(" --%s %s", name, quoted(c.String(name)))
		}
	}
	rules := g.Rules()
	return fmt.Sprintf(sayContinue, rules.Info().Name, flags, quoted(engine.Text(rules, g.State().Position)))
}

// quoted quotes a word for a shell, if it has to be.
func quoted(word string) string {
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return !strings.ContainsRune("-_=:,./+@%", r) && (r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z')
	}) {
		return word
	}
	return "'" + strings.ReplaceAll(results.Visible([]byte(word), 0), "'", `'\''`) + "'"
}

// legalToken returns the legal token that a person means: the same text or, if there
// is none, the same but for the case. It returns the text itself if there is none.
func legalToken(seat engine.Seat, legal []engine.Move, text string) string {
	meant := text
	for _, move := range legal {
		switch token := move.Token(seat); {
		case token == text:
			return text
		case strings.EqualFold(token, text):
			meant = token
		}
	}
	return meant
}
