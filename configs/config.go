// Package configs reads tournament files, and the bots that a command line names. README.md
// in its folder describes the files, sembra duel --help the names, and the .toml files are samples.
//
// All mistakes in a file are reported together, each with its place. Nothing falls back to a
// default silently. The package starts no bot and writes no file.
package configs

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"sembra/arena"
	"sembra/arena/guest"
	"sembra/arena/sandbox"
	"sembra/engine"
	"sembra/results"
)

// Config is the content of a tournament file.
type Config struct {
	Tournament arena.Tournament
	Database   string // path; a relative one begins at the current directory
	MaxPairs   int    // from [sprt]

	document *document
}

// MaxConcurrency is the largest number of matches that a file may ask to be
// played concurrently.
const MaxConcurrency = 4096

// Load reads a tournament file and the list of openings that it names. With a table [sprt] it describes a sequential
// test, which plays at most as many pairs as there are different openings; the seed decides the order of a list. A
// mistake is an [*Error]; several are joined.
func Load(path string, builtins []Builtin) (*Config, error) {
	text, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, text, builtins)
}

// Parse is like [Load] for a text that a file at path would hold.
func Parse(path string, text []byte, builtins []Builtin) (*Config, error) {
	d, err := parse(path, text)
	if err != nil {
		return nil, err
	}
	f := defaults(d.file)
	d.decode("", d.tree, f.keys(path))
	return read(d, f, readBots(d, f.Bots, builtins))
}

// readFile reads the file at path.
func readFile(path string) ([]byte, error) {
	text, err := readInput(path, mostConfig)
	if wrong := new(fs.PathError); errors.As(err, &wrong) {
		err = wrong.Err // the message names the file already
	}
	if err != nil {
		err = &Error{File: path, Problem: fmt.Sprintf("the tournament file cannot be read: %v", err), Err: err}
	}
	return text, err
}

// Source reads only where a tournament file keeps its results: the path of the
// database, and the tournament's name. The rest of the file may have mistakes. A
// mistake is an [*Error].
func Source(path string) (database, name string, err error) {
	text, err := readFile(path)
	if err != nil {
		return "", "", err
	}
	d, err := parse(path, text)
	if err != nil {
		return "", "", err
	}
	database, name = defaultDatabase, nameOf(path)
	table, _ := d.tree["tournament"].(map[string]any)
	for _, k := range []key{{name: "name", to: &name}, {name: "database", to: &database}} {
		if value, given := table[k.name]; given {
			d.value("tournament."+k.name, value, k)
		}
	}
	checkSource(d, name, database)
	return database, name, d.err()
}

// Recognise reports whether a file is a tournament file: TOML with a table [tournament] or a list [[bot]].
func Recognise(path string) bool {
	text, err := readFile(path)
	if err != nil {
		return false
	}
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
	const forfeit = ` (hint: with missing = "forfeit" in [tournament], a bot that does not start loses all its matches)`
	var bot, key, problem string
	var wrong *guest.ConfigError
	var start *guest.StartError
	var missing *arena.MissingError
	switch {
	case errors.As(err, &wrong):
		bot, key, problem = wrong.Bot, wrong.Key, wrong.Error()
	case errors.As(err, &start): // beside an error of another bot
		bot, problem = start.Bot, start.Error()
	case !errors.As(err, &missing) || c.document.lines == nil: // a command line has no key for missing bots
		return err
	case len(missing.Bots) > 1:
		return fmt.Errorf("%w"+forfeit, err)
	default:
		bot, problem = missing.Bots[0].Bot, missing.Error()+forfeit
	}
	path := "bot"
	if i := slices.Index(names(&c.Tournament), bot); i >= 0 {
		path = fmt.Sprintf("bot.%d.%s", i, key)
	}
	return c.document.errorNear(path, problem)
}

// read makes a configuration of a file that is decoded, and of its bots. Its errors are all mistakes of the document.
func read(d *document, f *file, bots []guest.Entry) (*Config, error) {
	c := &Config{Database: f.Tournament.Database, document: d}
	t := &c.Tournament
	checkSource(d, f.Tournament.Name, f.Tournament.Database)
	refuseTogether(d)
	t.Time, t.Rating = f.Time, f.Rating
	t.Isolation = readIsolation(d, &f.Isolation)
	t.Adjudication = readAdjudication(d, f.Adjudication)
	t.Entries = bots
	readTournament(d, &f.Tournament, t)
	readFormat(d, f, t)
	readTest(d, f, c)
	readOpenings(d, f, &c.Tournament)
	if err := d.err(); err != nil {
		return nil, err
	}
	return c, nil
}

// nameOf returns the name of a tournament whose file gives none.
func nameOf(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
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

// refuseTogether refuses keys that exclude each other, and keys that have no effect without another one.
func refuseTogether(d *document) {
	for _, keys := range [][2]string{{"time.base", "time.move"}, {"openings.file", "openings.plies"}} {
		if d.has(keys[0]) && d.has(keys[1]) {
			d.refuse(keys[0], "%s and %s are both given; only one of them is allowed", keys[1], keys[0])
		}
	}
	for _, keys := range [][2]string{
		{"time.increment", "time.base"},
		{"adjudication.by", "adjudication.plies"},
		{"adjudication.win_score", "adjudication.win_plies"},
		{"adjudication.win_plies", "adjudication.win_score"},
		{"adjudication.draw_score", "adjudication.draw_plies"},
		{"adjudication.draw_plies", "adjudication.draw_score"},
		{"adjudication.draw_after", "adjudication.draw_plies"},
	} {
		if d.has(keys[0]) && !d.has(keys[1]) {
			d.refuse(keys[0], "%s is given without %s", keys[0], keys[1])
		}
	}
}

func readTournament(d *document, f *tournamentTable, t *arena.Tournament) {
	if f.Ruleset == "" && !d.has("tournament.ruleset") {
		d.refuse("tournament", "tournament.ruleset is missing (known: %s)", engine.RulesetList())
	}
	rules, err := engine.Lookup(f.Ruleset)
	written := f.Ruleset != "" || d.has("tournament.ruleset"+ofText)
	if unknown := new(engine.UnknownError); errors.As(err, &unknown) && written {
		unknown.Kind = "tournament.ruleset"
		d.refuse("tournament.ruleset"+ofText, "%s", Suggested(unknown))
	}
	if err == nil {
		t.Rules = rules
		if limited, err := engine.WithRounds(rules, f.Rounds); err == nil && f.Rounds > 0 {
			t.Rules = limited
		}
		if f.Rounds > 0 && rules.Info().Single {
			d.refuse("tournament.rounds", "tournament.rounds is given, but a match of %s is a single round "+
				"(hint: pairs sets the number of matches)", f.Ruleset)
		}
	}
	choose(d, "tournament.missing", f.Missing, arena.RefuseMissing, arena.ForfeitMissing)
	for i, e := range t.Entries {
		if why := e.Dialect.WhyNot(f.Ruleset); t.Rules != nil && why != "" {
			d.refuse(fmt.Sprintf("bot.%d.protocol", i), "bot %s: protocol %q %s", e.Name, e.Dialect, why)
		}
	}
	t.Name, t.Format, t.Pairs, t.Missing = f.Name, f.Format, f.Pairs, f.Missing
	t.DisqualifyAfter, t.Seed = f.DisqualifyAfter, f.Seed
	t.Concurrency, t.Processors = f.Concurrency, f.Processors
}

// DefaultIsolation is the isolation of bots where the file gives none.
func DefaultIsolation() arena.Isolation { return isolationOf(&defaults("").Isolation) }

// isolationOf returns the isolation that a file asks for. By default, all processes of a bot together have twice the
// memory of one, and room for the files in the temporary folder, which count.
func isolationOf(f *results.Isolation) arena.Isolation {
	const least = 256 << 20
	i := *f
	i.MemoryTotal = cmp.Or(i.MemoryTotal, max(2*i.Memory, least)+max(0, i.Temp-sandbox.DefaultTemp))
	return arena.Isolation{Isolation: i}
}

func readIsolation(d *document, f *results.Isolation) arena.Isolation {
	choose(d, "isolation.mode", f.Mode, arena.IsolationModes()...)
	for i, written := range f.Read {
		path := fromFile(d, written)
		f.Read[i] = path
		switch _, err := os.Stat(path); {
		case written == "":
			d.refuse("isolation.read", "isolation.read holds an empty path")
		case err != nil:
			d.refuse("isolation.read", "isolation.read: %v", err)
		case slices.Contains([]string{"/", "/tmp", "/dev", "/proc"}, path):
			d.refuse("isolation.read", "isolation.read holds %s, but bots may not read all of that folder "+
				"(hint: name the folders in it that they need)", path)
		}
	}
	for _, key := range []string{"memory", "memory_total", "processes", "temp", "network", "read"} {
		if path := "isolation." + key; f.Mode == arena.NoIsolation && d.has(path) {
			d.refuse(path, "%s has no effect with isolation.mode %q", path, f.Mode)
		}
	}
	return isolationOf(f)
}

// fromFile makes a path absolute. A relative one begins at the folder of the tournament file, or, without a file, at
// the current one.
func fromFile(d *document, path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(d.file), path)
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// readAdjudication reads when the arena ends a match early. It returns nil if it
// never does.
func readAdjudication(d *document, a results.Adjudication) *results.Adjudication {
	choose(d, "adjudication.by", a.By, a.Decisions()...)
	if a.Plies == 0 {
		a.By = ""
	}
	if key, err := a.Check(); len(d.wrong) == 0 && err != nil {
		d.refuse(key, "%v", err)
	}
	if a == (results.Adjudication{}) {
		return nil
	}
	return &a
}

// readFormat reads the keys that belong to one format, and those that name bots.
func readFormat(d *document, f *file, t *arena.Tournament) {
	formats := []string{results.RoundRobin, results.Gauntlet, results.Swiss, results.Knockout}
	known := choose(d, "tournament.format", t.Format, formats...)
	t.Stages, t.TieBreaks, t.Anchor = f.Tournament.Stages, f.Tournament.TieBreaks, norm.NFC.String(f.Anchor)
	t.Challengers = namesOf(f.Tournament.Challengers, norm.NFC.String)
	if t.Format == results.Swiss && t.Stages == 0 { // just enough that only one bot can have won all its matches
		t.Stages = bits.Len(uint(max(1, len(t.Entries)-1)))
	}
	if t.Format == results.Knockout || d.has("tournament.extra_pairs") {
		t.ExtraPairs = f.Tournament.ExtraPairs
	}
	if d.has("tournament.tie_breaks") && t.TieBreaks == nil {
		d.refuse("tournament.tie_breaks", "tournament.tie_breaks is empty %s", Known("", results.TieBreaks()))
	}
	if len(t.Entries) < 2 {
		return
	}
	whole := *t
	if t.Rules == nil { // told already; the format does not ask for the ruleset
		whole.Rules = engine.Rulesets()[0]
	}
	whole.Plan().CheckFormat(func(key string, err error) {
		if known || key == "tournament.tie_breaks" || key == "rating.anchor" { // which no format changes
			d.refuse(key, "%s", Suggested(err))
		}
	})
}

// names returns the names of the bots.
func names(t *arena.Tournament) []string {
	return namesOf(t.Entries, func(e guest.Entry) string { return e.Name })
}
