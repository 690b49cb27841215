package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/arena/guest"
	"sembra/cmd/sembra/friendly"
	"sembra/configs"
	"sembra/engine"
	"sembra/engine/show"
	"sembra/results"
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
	warnEngines(c.App.ErrWriter, []guest.Entry{bot}, results.Conditions{Ruleset: f.Rules.Info().Name})
	if d.FriendlyMatch, err = f.Begin(c.Context); err != nil {
		if interrupted(c.Context, err) {
			return errInterrupted
		}
		return err
	}
	defer d.Close()
	if isolated := d.Isolated(); isolated.Less {
		say(c.App.ErrWriter, "isolation: %s", isolated.Brief)
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

func readFriendly(c *cli.Context, bot guest.Entry) (arena.Friendly, error) {
	args, err := arguments(c, 0, 1)
	if err != nil {
		return arena.Friendly{}, err
	}
	isolation, err := readIsolation(c.String("isolation"))
	if err != nil {
		return arena.Friendly{}, err
	}
	chosen := friendly.Choices{
		Ruleset: friendly.DefaultRuleset, Seat: c.String("seat"), Rounds: c.String("rounds"), Position: c.String("position"),
		Name: c.String("name"), Time: c.String("time"),
	}
	if len(args) > 0 {
		chosen.Ruleset = args[0]
	}
	f, err := chosen.Match(bot, isolation, nil)
	if err != nil {
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
func givenFlags(c *cli.Context, names ...string) string {
	words := ""
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

// dialogue is a match of a person at a terminal, or of a script. It prints the board and asks; each line of the input is
// an answer, a whole move or a command.
type dialogue struct {
	*arena.FriendlyMatch
	bot    string // its name
	out    io.Writer
	style  show.Style
	script bool   // no person reads: whole moves and no questions
	file   string // in which the match is saved when it has ended; "": in none
	saved  string // the file in which it is saved

	state   arena.FriendlyState
	asked   []show.Question // that are open, the last one is to be answered
	printed int             // number of plies that the person has read
	resigns bool            // the person was asked whether to resign
}

// hold leads the match to its end, or until the person quits.
func (d *dialogue) hold(ctx context.Context, in io.Reader) error {
	d.say("%s: you are %s, against %s. Write ? for help.", d.Rules().Info().Name, seatName(d.Seat()), d.bot)
	const ahead = 100 // that a person writes while the bot thinks
	lines := make(chan string, ahead)
	stays, leave := context.WithCancel(ctx)
	defer leave()
	go d.sendLines(stays, in, lines, leave)
	for {
		if err := d.await(stays); err != nil {
			return whyLeft(ctx)
		}
		if d.state.Record != nil {
			if err := d.end(); err != nil || d.script {
				return err
			}
		} else {
			d.board()
		}
		for changed := false; !changed; {
			d.ask()
			select {
			case line, open := <-lines:
				line = strings.TrimSpace(line)
				switch {
				case !open && d.state.Record == nil:
					return errUnfinished
				case !open, quits(line):
					return nil
				}
				changed = d.obey(line)
			case <-stays.Done():
				return whyLeft(ctx)
			}
		}
	}
}

// whyLeft returns why a dialogue has ended before the match: by a signal, which ends the context, or because the person
// has quit, which is not an error.
func whyLeft(ctx context.Context) error {
	if ctx.Err() != nil {
		return errInterrupted
	}
	return nil
}

func quits(line string) bool { return line == "q" || line == "quit" }

// sendLines sends the lines of the input until the context is done, and closes lines at the end of the input. A person
// who quits leaves even while the bot thinks. A script has often written its last line by then.
func (d *dialogue) sendLines(ctx context.Context, in io.Reader, lines chan<- string, leave func()) {
	defer close(lines)
	input := bufio.NewScanner(in)
	for input.Scan() {
		if !d.script && quits(strings.TrimSpace(input.Text())) {
			leave()
		}
		select {
		case lines <- input.Text():
		case <-ctx.Done():
			return
		}
	}
}

// say prints lines. What comes from a bot has no control characters in them.
func (d *dialogue) say(format string, args ...any) {
	printText(d.out, strings.TrimRight(fmt.Sprintf(format, args...), "\n"))
}

// await waits until the bot does not think, and reports each ply once it is played.
func (d *dialogue) await(ctx context.Context) error {
	d.state = d.State()
	for {
		if len(d.state.Plies) < d.printed {
			d.say("undone: %s", plural(d.printed-len(d.state.Plies), "move", "moves"))
			d.printed = len(d.state.Plies)
		}
		for _, ply := range d.state.Plies[d.printed:] {
			d.say("%s", show.Describe(d.Rules(), ply.Ply))
		}
		d.printed = len(d.state.Plies)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if d.state.Turn != arena.BotsTurn {
			return nil
		}
		const soon = 500 * time.Millisecond
		short, cancel := context.WithTimeout(ctx, soon)
		next, err := d.Await(short, d.state.Number)
		cancel()
		if err != nil && ctx.Err() == nil {
			if !d.script {
				d.say("%s is thinking … (quit leaves)", d.bot)
			}
			next, err = d.Await(ctx, d.state.Number)
		}
		if err != nil {
			return err
		}
		d.state = next
	}
}

// board prints the board and, for a script, the position and the legal moves. Then the first question about it is open.
func (d *dialogue) board() {
	d.say("\n%s", show.Board(d.Rules(), d.state.Position, d.style))
	if d.script {
		d.say("position %s\nlegal %s", engine.Text(d.Rules(), d.state.Position), strings.Join(d.tokens(), " "))
	}
	d.asked = []show.Question{show.Ask(d.Rules(), d.state.Position)}
}

func (d *dialogue) ask() {
	switch {
	case d.state.Record != nil:
		d.prompt("save FILE, undo, or quit?")
		return
	case d.script && len(d.asked) == 1:
		return
	}
	q := d.asked[len(d.asked)-1]
	line := q.Text
	for i, c := range q.Choices {
		if d.byLetter(c) {
			line += " " + c.Key
		} else {
			line += fmt.Sprintf("\n  %s  %s", label(i, c), c.Text)
		}
	}
	d.prompt(line)
}

// prompt prints a question and, for a person, a sign that Sembra waits.
func (d *dialogue) prompt(question string) {
	d.say("%s", question)
	if !d.script {
		_, _ = io.WriteString(d.out, "> ") // an output of type sticky remembers the error
	}
}

// byLetter reports whether a choice is answered by the letter of a hole of the person.
func (d *dialogue) byLetter(c show.Choice) bool { return c.Hole != "" && c.Hole == c.Key }

// label returns the number that answers a choice which is not a hole: that of seeds, or else its place.
func label(place int, c show.Choice) string {
	if _, err := strconv.Atoi(c.Key); err == nil {
		return c.Key
	}
	return strconv.Itoa(place + 1)
}

func (d *dialogue) tokens() []string {
	var tokens []string
	for _, move := range d.state.Legal {
		tokens = append(tokens, move.Token(d.Seat()))
	}
	return tokens
}

// obey does what a line says. It reports whether the match has changed.
func (d *dialogue) obey(line string) bool {
	resigned := d.resigns
	d.resigns = false
	if line == "" && len(d.asked) > 1 {
		d.asked = d.asked[:len(d.asked)-1]
	}
	if token, ok := d.answer(line); ok {
		return token != "" && d.did(d.Play(token))
	}
	word, rest, _ := strings.Cut(line, " ")
	switch {
	case line == "":
	case line == "?", line == "help":
		d.help()
	case line == "board":
		d.board()
	case line == "u", line == "undo":
		return d.did(d.Undo())
	case line == "hint", line == "h" && d.barred("h") == "": // h may be a hole that cannot be sown
		token, err := friendly.Hint(d.FriendlyMatch, d.state)
		if d.did(err) {
			d.say("hint %s", token)
		}
	case line == "r", line == "resign":
		if resigned {
			return d.did(d.Resign())
		}
		d.resigns = true
		d.say("write resign again to give up the match")
	case word == "save":
		if file := strings.TrimSpace(rest); d.did(d.save(file)) {
			d.say("saved %s", file)
		}
	case d.script:
		return d.did(d.Play(line)) // which says what is legal
	default:
		if why := d.barred(line); why != "" {
			d.say("%s", why)
			return false
		}
		d.say("%s is not a move, choice or command; ? lists them", safe.Line(line))
	}
	return false
}

// did reports whether something was done, and says why not.
func (d *dialogue) did(err error) bool {
	if err != nil {
		if d.script {
			err = fmt.Errorf("error %w", err)
		}
		d.say("%v", err)
	}
	return err == nil
}

// answer returns the move of a line, and "" if there is more to choose. A line is the letter or the number of a choice, or
// a whole move, in either case of its letters. All else is not an answer. For a script, a whole move is first.
func (d *dialogue) answer(line string) (token string, ok bool) {
	if d.state.Turn != arena.PersonsTurn {
		return "", false
	}
	if d.script && slices.Contains(d.tokens(), line) {
		return line, true
	}
	for i, c := range d.asked[len(d.asked)-1].Choices {
		if !strings.EqualFold(c.Key, line) && (d.byLetter(c) || label(i, c) != line) {
			continue
		}
		if c.Next != nil {
			d.asked = append(d.asked, *c.Next)
		}
		return c.Token, true
	}
	same := func(token string) bool { return token == line }
	if !slices.ContainsFunc(d.tokens(), same) {
		same = func(token string) bool { return strings.EqualFold(token, line) }
	}
	if at := slices.IndexFunc(d.tokens(), same); at >= 0 {
		return d.tokens()[at], true
	}
	return "", false
}

// barred says why the person cannot choose the own hole of that letter; "" if there is none, or it can be chosen.
func (d *dialogue) barred(letter string) string {
	if len(d.asked) != 1 {
		return ""
	}
	for name, why := range d.asked[0].Barred(d.Rules(), d.state.Position) {
		if owner := d.Seat(); strings.EqualFold(name, letter) && (name < "a") == (owner == engine.South) {
			return why
		}
	}
	return ""
}

// sayPlayHelp is what a line can be beside a move.
const sayPlayHelp = `
  the letter of a hole    sow it; if there is more to choose, Sembra asks
  a number                that choice; an empty line goes back
  a whole move            as in the list above
  undo, u                 take back your last move
  hint, h                 show a good move (if h is a hole: hint)
  board                   draw the board again
  resign, r               give up the match; write it twice
  save FILE               save the match for sembra replay, when it is over
  quit, q                 leave`

// help says what a line can be: the legal moves with what they do, and the commands.
func (d *dialogue) help() {
	for _, move := range d.state.Legal {
		d.say("  %-8s  %s", move.Token(d.Seat()), show.Preview(d.Rules(), d.state.Position, move))
	}
	d.say(sayPlayHelp)
}

// end says how the match has ended, and saves it if the command line says so.
func (d *dialogue) end() error {
	r := *d.state.Record
	if d.state.Position.Phase() == engine.PhaseOver { // otherwise the person has seen the board
		d.say("\n%s", show.Board(d.Rules(), d.state.Position, d.style))
	}
	d.say("result %v %d-%d %v", r.Result, r.Stores[0], r.Stores[1], r.Ending)
	d.say("%s", strings.Join(friendly.Outcome(d.FriendlyMatch, d.state), "\n"))
	if d.state.What != "" {
		d.say("%s", safe.Lines(withStderr(d.state.What, stderrOf(r))))
	}
	if d.file == "" {
		return nil
	}
	if err := d.save(d.file); err != nil {
		return err
	}
	d.say("saved %s", d.file)
	return nil
}

func seatName(s engine.Seat) string {
	if s == engine.South {
		return "South"
	}
	return "North"
}
