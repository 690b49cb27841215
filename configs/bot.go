package configs

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"sembra/arena/guest"
	"sembra/arena/protocol"
	"sembra/results"
)

// Builtin is a bot that comes with the program.
type Builtin struct {
	Name    string
	Command []string // starts it
	Options []protocol.Option
}

// Bot is a bot as a person names it, on a command line or in a tournament file.
type Bot struct {
	Name     string // allowed as the name of a bot in a tournament
	Protocol protocol.Dialect
	Builtin  string   // name of the built-in bot; "" if it is none
	Args     []string // the command that starts it
	Options  []protocol.OptionValue
	Dir      string // of a team: the folder where it runs; "" is the current one
	Problem  string // why it cannot take part; "" if it can
}

// Entry returns the bot as it takes part in a match. It runs in the folder dir, with a
// clean environment.
func (b Bot) Entry(dir string) guest.Entry {
	board, _ := protocol.NewBoardFormat(b.Options) // the host says what is wrong with it
	return guest.Entry{
		Name: b.Name, Builtin: b.Builtin, Dialect: b.Protocol, Options: b.Options,
		Restart:  b.Protocol == protocol.OneLine && board.NeedsRestart(),
		Launcher: guest.Command{Args: b.Args, Dir: dir, Env: guest.CleanEnvironment()},
	}
}

// readBots reads the bots.
func readBots(d *document, bots []botTable, builtins []Builtin) (entries []guest.Entry) {
	known := make(Names)
	for i := range bots {
		path := fmt.Sprintf("bot.%d", i)
		e := readBot(d, path, &bots[i], builtins)
		if e.Name == "" && !d.has(path+".name") {
			d.refuse(path, "the bot has no name")
		} else if err := known.Add(e.Name); err != nil {
			d.refuse(path+".name", "%v", err)
		}
		entries = append(entries, e)
	}
	return entries
}

func readBot(d *document, path string, f *botTable, builtins []Builtin) guest.Entry {
	b := Bot{Name: norm.NFC.String(f.Name), Builtin: f.Builtin, Args: f.Command, Protocol: f.Protocol, Options: f.Options}
	choose(d, path+".builtin", f.Builtin, builtinNames(builtins)...)
	builtin, command := f.Builtin != "" || d.has(path+".builtin"), f.Command != nil || d.has(path+".command")
	switch {
	case builtin && command:
		d.refuse(path, "bot %s: it has builtin and command, and must have only one of them", b.Name)
	case !builtin && !command:
		d.refuse(path, "bot %s: it must have builtin or command", b.Name)
	case builtin:
		for _, known := range builtins {
			if known.Name == f.Builtin {
				b.Args = known.Command
			}
		}
	case len(f.Command) == 0 || f.Command[0] == "":
		d.refuse(path+".command", "bot %s: the command is empty", b.Name)
	}

	choose(d, path+".protocol", f.Protocol, protocol.MBI, protocol.UCI, protocol.OneLine)
	if f.Moves != "spaced" {
		choose(d, path+".moves", cmp.Or(f.Moves, "joined"), "joined")
	}
	switch {
	case (f.Protocol == protocol.UCI || f.Protocol == protocol.OneLine) && builtin:
		d.refuse(path+".protocol", "bot %s: the built-in bots speak %s, not %s", b.Name, protocol.MBI, f.Protocol)
	case f.Protocol != protocol.UCI && f.Moves != "":
		d.refuse(path+".moves", "bot %s: moves has no effect without protocol = %q", b.Name, protocol.UCI)
	case f.Moves == "spaced":
		d.refuse(path+".moves", "bot %s: moves = \"spaced\" is not supported any more (hint: start the engine with a script "+
			"that writes the spaces, as bots/UCI.md shows)", b.Name)
	}

	b.readBoard(d, path, f)

	e := b.Entry(fromFile(d, f.Dir))
	e.Folder, e.Restart, e.Withdrawn = f.Dir, f.Restart || e.Restart, f.Withdrawn
	e.EnvFrom, e.Allowance.Network, e.Allowance.Memory = f.EnvFrom, f.Isolation.Network, int64(f.Isolation.Memory)
	for _, p := range f.Env {
		if p.Name == "" || strings.ContainsAny(p.Name, "=\x00") || strings.ContainsRune(p.Value, 0) {
			d.refuse(join(path+".env", p.Name), "the environment of bot %s cannot hold %q "+
				"(a name may not be empty or contain \"=\"; a NUL byte is not allowed)", e.Name, p.Name+"="+p.Value)
		}
		if slices.Contains(f.EnvFrom, p.Name) {
			d.refuse(path+".env_from", "bot %s: env and env_from both set %q", e.Name, p.Name)
		}
		e.Environment = append(e.Environment, p.Name+"="+p.Value)
	}
	launcher := e.Launcher.(guest.Command)
	launcher.Allowance = e.Allowance
	if !e.Withdrawn {
		env, err := e.FullEnvironment()
		if err != nil {
			d.refuse(path+".env_from", "bot %s: %v", e.Name, err)
		}
		launcher.Env = env
	}
	e.Launcher = launcher
	return e
}

// readBoard reads the keys that describe the lines of a bot with the protocol board. They become its options.
func (b *Bot) readBoard(d *document, path string, f *botTable) {
	if f.Protocol == protocol.OneLine && d.has(path+".options") {
		d.refuse(path+".options", "bot %s: a bot with protocol = %q has no options", b.Name, f.Protocol)
	}
	for _, key := range []struct{ name, value string }{
		{"board", f.Board},
		{"line", f.Line},
		{"base", strconv.Itoa(f.Base)},
		{"first", f.First},
		{"end", f.End},
		{"swap", f.Swap},
	} {
		value := protocol.OptionValue{Name: key.name, Value: key.value}
		switch _, err := protocol.NewBoardFormat([]protocol.OptionValue{value}); {
		case !d.has(path + "." + key.name):
		case f.Protocol != protocol.OneLine:
			d.refuse(path+"."+key.name, "bot %s: %s has no effect without protocol = %q", b.Name, key.name, protocol.OneLine)
		case key.name == "board" && !choose(d, path+".board", f.Board, protocol.ContestNames()...):
		case err != nil:
			d.refuse(path+"."+key.name, "bot %s: %v", b.Name, err)
		default:
			b.Options = append(b.Options, value)
		}
	}
}

func builtinNames(builtins []Builtin) []string {
	return namesOf(builtins, func(b Builtin) string { return b.Name })
}

// namesOf returns the names of some things.
func namesOf[T any](all []T, name func(T) string) (names []string) {
	for _, one := range all {
		names = append(names, name(one))
	}
	return names
}

// Warnings returns what a person should know of matches of bots that speak UCI: one sentence for each warning. It is safe
// to print.
func Warnings(bots []guest.Entry, c results.Conditions) (warnings []string) {
	var engines []string
	for _, e := range bots {
		if e.Dialect == protocol.UCI {
			engines = append(engines, e.Name)
		}
	}
	if len(engines) == 0 {
		return nil
	}
	who := strings.Join(engines, ", ")
	if c.Ruleset == "awale" {
		warnings = append(warnings, who+": an oware engine does not know that a grand slam is illegal in awale, "+
			"and loses a match in which it plays one")
	}
	if c.Time.Move == 0 && c.Time.Base == 0 && c.Time.Depth == 0 && c.Time.Nodes == 0 {
		warnings = append(warnings, who+": [time] has no limit of time, depth or nodes, and a UCI engine may then "+
			"think until the watchdog ends the match")
	}
	return warnings
}
