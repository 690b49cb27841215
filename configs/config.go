// Package configs reads tournament files. README.md in its folder describes
// them, and the .toml files there are samples.
package configs

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"sembra/arena"
	"sembra/arena/guest"
	"sembra/arena/protocol"
	"sembra/arena/sandbox"
	"sembra/engine"
	"sembra/results"
	"sembra/results/stats"
)

// Config is the content of a tournament file.
type Config struct {
	Tournament arena.Tournament
	Database   string // path; a relative one begins at the current directory

	Test     *stats.Test // from [sprt]; nil without that table
	MaxPairs int         // from [sprt]

	plies    int      // number of random plies of an opening
	list     []string // all openings of openings.file; nil without that key
	document *document
}

// Builtin is a bot that comes with the program.
type Builtin struct {
	Name    string
	Command []string // starts it
	Options []protocol.Option
}

// MaxConcurrency is the largest number of matches that a file may ask to be
// played at once.
const MaxConcurrency = 4096

// Load reads a tournament file and the list of openings that it names. A mistake
// in either is an [*Error].
func Load(path string, builtins []Builtin) (*Config, error) {
	d, err := open(path)
	if err != nil {
		return nil, err
	}
	return configOf(d, builtins)
}

// Parse is like [Load] for a text that a file at path would hold.
func Parse(path string, text []byte, builtins []Builtin) (*Config, error) {
	d, err := parse(path, text)
	if err != nil {
		return nil, err
	}
	return configOf(d, builtins)
}

// configOf reads the whole document.
func configOf(d *document, builtins []Builtin) (*Config, error) {
	c := read(d, decodeFile(d), builtins)
	if wrong := d.errors(); len(wrong) > 0 {
		return nil, wrong[0]
	}
	return c, nil
}

// open parses the file at path.
func open(path string) (*document, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		if wrong := new(fs.PathError); errors.As(err, &wrong) {
			err = wrong.Err // the message names the file already
		}
		return nil, &Error{File: path, Problem: fmt.Sprintf("the tournament file cannot be read: %v", err), Err: err}
	}
	return parse(path, text)
}

// Source reads only where a tournament file keeps its results: the path of the
// database, and the tournament's name. The rest of the file may have mistakes. A
// mistake is an [*Error].
func Source(path string) (database, name string, err error) {
	d, err := open(path)
	if err != nil {
		return "", "", err
	}
	var f struct {
		Tournament struct {
			Name     string `toml:"name"`
			Database string `toml:"database"`
		} `toml:"tournament"`
	}
	t := &f.Tournament
	t.Name, t.Database = nameOf(path), defaultDatabase
	d.decode("", d.tree, reflect.ValueOf(&f).Elem(), "")
	checkSource(d, t.Name, t.Database)
	if len(d.wrong) > 0 {
		return "", "", d.wrong[0]
	}
	return t.Database, t.Name, nil
}

// Recognise reports whether a text is a tournament file: TOML with a table
// [tournament] or a list [[bot]].
func Recognise(text []byte) bool {
	d, err := parse("", text)
	return err == nil && (d.tree["tournament"] != nil || d.tree["bot"] != nil)
}

// Locate finds the place in the file of an error about one bot that showed only
// when the bots started. It does so for each of several such errors that are joined,
// and returns other errors as they are. It adds what the user can do.
func (c *Config) Locate(err error) error {
	if joined, several := err.(interface{ Unwrap() []error }); several {
		var located []error
		for _, one := range joined.Unwrap() {
			located = append(located, c.Locate(one))
		}
		return errors.Join(located...)
	}
	var bot, key, problem string
	var wrong *guest.ConfigError
	var missing *arena.MissingError
	switch {
	case errors.As(err, &wrong):
		bot, key, problem = wrong.Bot, wrong.Key, wrong.Error()
		if c.document.lines == nil && len(wrong.Plays) == 1 && slices.Contains(engine.RulesetNames(), wrong.Plays[0]) {
			problem += " (hint: --ruleset " + wrong.Plays[0] + ")"
		}
	case !errors.As(err, &missing) || c.document.lines == nil: // a command line has no key for missing bots
		return err
	case len(missing.Bots) > 1:
		return fmt.Errorf("%w "+sayForfeit, err, "them")
	default:
		bot, problem = missing.Bots[0].Bot, missing.Error()+" "+fmt.Sprintf(sayForfeit, "it")
	}
	path := "bot"
	for i, e := range c.Tournament.Entries {
		if e.Name == bot {
			path = fmt.Sprintf("bot.%d.%s", i, key)
		}
	}
	return c.document.errorNear(path, problem)
}

// sayForfeit tells what to do about bots that do not start.
const sayForfeit = `(hint: missing = "forfeit" in [tournament] lets %s lose all matches instead)`

const defaultDatabase = "sembra.db"

func read(d *document, f *file, builtins []Builtin) *Config {
	c := &Config{Database: f.Tournament.Database, document: d}
	t := &c.Tournament
	checkSource(d, f.Tournament.Name, f.Tournament.Database)
	readTournament(d, &f.Tournament, t)
	t.Time = readTime(d, &f.Time)
	t.Rating = readRating(d, &f.Rating)
	t.Isolation = readIsolation(d, &f.Isolation)
	t.Adjudication = readAdjudication(d, &f.Adjudication)
	t.Entries = readBots(d, f.Bots, builtins)
	refuseRuleset(d, t)
	readFormat(d, &f.Tournament, t)
	readAnchor(d, &f.Rating, t)
	readOpenings(d, &f.Openings, c)
	readTest(d, &f.Test, c)
	return c
}

// nameOf returns the name of a tournament whose file gives none.
func nameOf(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// checkSource checks where the results are.
func checkSource(d *document, name, database string) {
	if !validName(name) {
		d.refuse("tournament.name", "the tournament's name is %q; it must be %s", name, nameShape)
	}
	if database == "" {
		d.refuse("tournament.database", "tournament.database is empty; it must be the path of a file")
	}
}

func readTournament(d *document, f *tournamentTable, t *arena.Tournament) {
	if !d.has("tournament.ruleset") {
		d.miss("tournament", "tournament.ruleset is missing (known: %s)", strings.Join(engine.RulesetNames(), ", "))
	}
	choose(d, "tournament.ruleset", f.Ruleset, engine.RulesetNames()...)
	if rules, err := engine.Lookup(f.Ruleset); err == nil {
		t.Rules = rules
	}
	if d.has("tournament.rounds") && t.Rules != nil {
		if t.Rules.Info().Single {
			d.refuse("tournament.rounds", "tournament.rounds is given, but a match of %s is a single round", f.Ruleset)
		} else if limited, err := engine.WithRounds(t.Rules, f.Rounds); err == nil {
			t.Rules = limited
		}
	}
	choose(d, "tournament.format", f.Format, formats()...)
	choose(d, "tournament.missing", f.Missing, arena.RefuseMissing, arena.ForfeitMissing)
	t.Name, t.Format, t.Pairs, t.Missing = f.Name, f.Format, f.Pairs, f.Missing
	t.DisqualifyAfter, t.Seed = f.DisqualifyAfter, uint64(f.Seed)
	t.Concurrency, t.Processors = f.Concurrency, f.Processors
}

func readTime(d *document, f *timeTable) arena.TimeControl {
	if f.Move > 0 && f.Base > 0 {
		d.refuse("time.base", "time.move and time.base are both given; only one of them is allowed")
	}
	if d.has("time.increment") && f.Base == 0 {
		d.refuse("time.increment", "time.increment is given without time.base")
	}
	return arena.TimeControl{
		Move: f.Move, Base: f.Base, Increment: f.Increment, Nodes: uint64(f.Nodes), Depth: f.Depth,
		Margin: f.Margin, Watchdog: f.Watchdog, Startup: f.Startup, Pause: f.Pause,
	}
}

// DefaultIsolation is the isolation of bots where the file gives none.
func DefaultIsolation() arena.Isolation {
	l := sandbox.Limits{Memory: 1 << 30, Processes: 256}
	l.FamilyMemory = familyMemory(l)
	return arena.Isolation{Mode: arena.AutoIsolation, Limits: l}
}

// familyMemory returns the default limit of the memory of all processes of a bot,
// for the other limits. Files in the temporary folder count, so it has room for them.
func familyMemory(l sandbox.Limits) int64 {
	const least = 256 << 20
	return max(2*l.Memory, least) + max(0, l.TempSize()-sandbox.DefaultTemp)
}

func readIsolation(d *document, f *isolationTable) arena.Isolation {
	choose(d, "isolation.mode", f.Mode, arena.IsolationModes()...)
	i := arena.Isolation{Mode: f.Mode, Limits: sandbox.Limits{
		Memory: int64(f.Memory), Processes: f.Processes, Temp: int64(f.Temp), Network: f.Network,
	}}
	i.FamilyMemory = cmp.Or(int64(f.FamilyMemory), familyMemory(i.Limits))
	for _, path := range f.Read {
		i.Read = append(i.Read, fromFile(d, path))
		checkRead(d, path, fromFile(d, path))
	}
	if i.Mode == arena.NoIsolation {
		for _, key := range []string{"memory", "family_memory", "processes", "temp", "network", "read"} {
			if path := "isolation." + key; d.has(path) {
				d.refuse(path, "%s has no effect with isolation.mode %q", path, i.Mode)
			}
		}
	}
	return i
}

// checkRead refuses a path that bots cannot be allowed to read.
func checkRead(d *document, written, path string) {
	const key = "isolation.read"
	_, err := os.Stat(path)
	switch {
	case written == "":
		d.refuse(key, "%s holds an empty path", key)
	case errors.Is(err, fs.ErrNotExist):
		d.refuse(key, "%s: there is no file or folder %s", key, path)
	case err != nil:
		d.refuse(key, "%s: %v", key, err)
	case slices.Contains([]string{"/", "/tmp", "/dev", "/proc"}, path):
		d.refuse(key, "%s holds %s, but bots may not read all of that folder "+
			"(hint: name the folders in it that they need)", key, path)
	}
}

// fromFile makes a path absolute. A relative one begins at the folder of the
// tournament file.
func fromFile(d *document, path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(d.file), path)
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

func readRating(d *document, f *ratingTable) results.Rating {
	const most = 1_000_000 // with a much larger number, a float64 has not enough digits for ratings
	if math.Abs(f.Start) > most {
		d.refuse("rating.start", "rating.start is %v; it must be from -%d to %d", f.Start, most, most)
	}
	if f.K < 0 || f.K > most {
		d.refuse("rating.k", "rating.k is %v; it must be from 0 to %d", f.K, most)
	}
	return results.Rating{Start: f.Start, K: f.K}
}

func readBots(d *document, bots []botTable, builtins []Builtin) []guest.Entry {
	if n := len(bots); n < 2 {
		d.miss("bot", "the number of bots is %d; a tournament needs two or more, each under a line [[bot]]", n)
	}
	var entries []guest.Entry
	for i := range bots {
		path := fmt.Sprintf("bot.%d", i)
		e := readBot(d, path, &bots[i], builtins)
		refuseAlike(d, path+".name", e.Name, entries)
		entries = append(entries, e)
	}
	return entries
}

// refuseAlike refuses a name that another bot has, or that looks like it.
func refuseAlike(d *document, path, name string, others []guest.Entry) {
	for _, other := range others {
		switch {
		case other.Name == name:
			d.refuse(path, "there is already a bot named %q", name)
		case alike(other.Name, name):
			d.refuse(path, "the names %q and %q look alike, so people could take one bot for the other "+
				"(hint: change one of them by more than case, spaces, 0 and O, 1 and l, or the script)", other.Name, name)
		}
	}
}

func readBot(d *document, path string, f *botTable, builtins []Builtin) guest.Entry {
	e := guest.Entry{Name: norm.NFC.String(f.Name), Builtin: f.Builtin, Folder: f.Dir, Restart: f.Restart}
	if !d.has(path + ".name") {
		d.miss(path, "the bot has no name")
	} else if problem := nameProblem(e.Name); problem != "" {
		d.refuse(path+".name", "the bot's name is %q; %s", e.Name, problem)
	}
	args := readCommand(d, path, f, builtins)
	command := guest.Command{Args: args, Dir: fromFile(d, f.Dir), Env: guest.CleanEnvironment()}
	for _, p := range f.Env {
		if p.key == "" || strings.ContainsAny(p.key, "=\x00") || strings.ContainsRune(p.value, 0) {
			d.refuse(join(path+".env", p.key), "the environment of bot %s cannot hold %q "+
				"(a name may not be empty or contain \"=\"; a NUL byte is not allowed)", e.Name, p.key+"="+p.value)
		}
		inherited := func(entry string) bool { return strings.HasPrefix(entry, p.key+"=") }
		command.Env = append(slices.DeleteFunc(command.Env, inherited), p.key+"="+p.value)
		e.Environment = append(e.Environment, p.key+"="+p.value)
	}
	e.Launcher = command
	e.Dialect = readDialect(d, path, f)
	for _, p := range f.Options {
		e.Options = append(e.Options, protocol.OptionValue{Name: p.key, Value: p.value})
	}
	return e
}

// readCommand returns the command that starts a bot.
func readCommand(d *document, path string, f *botTable, builtins []Builtin) []string {
	var names []string
	for _, b := range builtins {
		names = append(names, b.Name)
	}
	choose(d, path+".builtin", f.Builtin, names...)
	command := f.Command
	switch {
	case d.has(path+".builtin") && d.has(path+".command"):
		d.refuse(path, "bot %s: it has builtin and command, and must have only one of them", f.Name)
	case !d.has(path+".builtin") && !d.has(path+".command"):
		d.miss(path, "bot %s: it must have builtin or command", f.Name)
	case f.Builtin != "":
		if i := slices.Index(names, f.Builtin); i >= 0 {
			command = builtins[i].Command
		}
	case len(command) == 0 || command[0] == "":
		d.refuse(path+".command", "bot %s: the command is empty", f.Name)
	}
	return command
}

// How the moves of a position are written for a bot that speaks UCI.
const (
	joinedMoves = "joined" // as one word
	spacedMoves = "spaced" // with spaces between them
)

func readDialect(d *document, path string, f *botTable) protocol.Dialect {
	dialect, moves := f.Protocol, cmp.Or(f.Moves, joinedMoves)
	choose(d, path+".protocol", dialect, protocol.MBI, protocol.UCI)
	choose(d, path+".moves", moves, joinedMoves, spacedMoves)
	switch {
	case dialect == protocol.UCI && f.Builtin != "":
		d.refuse(path+".protocol", "bot %s: the built-in bots speak %s, not %s", f.Name, protocol.MBI, dialect)
	case dialect != protocol.UCI && d.has(path+".moves"):
		d.refuse(path+".moves", "bot %s: moves has no effect without protocol = %q", f.Name, protocol.UCI)
	case dialect == protocol.UCI && moves == spacedMoves:
		return protocol.UCISpaced
	}
	return dialect
}

// refuseRuleset refuses a ruleset that cannot be played in the dialect of a bot.
func refuseRuleset(d *document, t *arena.Tournament) {
	if t.Rules == nil {
		return
	}
	ruleset := t.Rules.Info().Name
	for i, e := range t.Entries {
		if !e.Dialect.Speaks(ruleset) {
			d.refuse(fmt.Sprintf("bot.%d.protocol", i), "bot %s: protocol %q is only for %s, not for %s",
				e.Name, protocol.UCI, strings.Join(e.Dialect.Rulesets(), " and "), ruleset)
		}
	}
}

// Warnings returns what a person should know of a tournament with bots that speak
// UCI: one sentence for each warning. It is safe to print.
func Warnings(t *arena.Tournament) []string {
	var engines []string
	for _, e := range t.Entries {
		if e.Dialect.Rulesets() != nil {
			engines = append(engines, e.Name)
		}
	}
	var warnings []string
	if len(engines) > 0 && t.Rules.Info().Name == "awale" {
		warnings = append(warnings, fmt.Sprintf("%s: an oware engine does not know that a grand slam is illegal in awale, "+
			"and loses a match in which it plays one", strings.Join(engines, ", ")))
	}
	limited := t.Time.Move > 0 || t.Time.Base > 0 || t.Time.Depth > 0 || t.Time.Nodes > 0
	if len(engines) > 0 && !limited {
		warnings = append(warnings, fmt.Sprintf("%s: [time] has no limit of time, depth or nodes, and a UCI engine may then "+
			"think until the watchdog ends the match", strings.Join(engines, ", ")))
	}
	return warnings
}
