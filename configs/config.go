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
	Plan     results.Plan  // without Programs: whoever begins a run reads their files
	Entries  []guest.Entry // the bots of the plan, in their order
	Machine  arena.Machine
	Database string // path; a relative one begins at the current directory
	MaxPairs int    // from [sprt]

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
	if n := len(f.Bots); n < 2 {
		d.refuse("bot", "the number of bots is %d; a tournament needs two or more, each under a line [[bot]]", n)
	}
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

// DatabaseOf reads only where a tournament file keeps its results: the path of the
// database, and the tournament's name. The rest of the file may have mistakes. A
// mistake is an [*Error].
func DatabaseOf(path string) (database, name string, err error) {
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

// IsTournamentFile reports whether a file is a tournament file: TOML with a table [tournament] or a list [[bot]].
func IsTournamentFile(path string) bool {
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
	if i := slices.Index(c.Plan.Bots, bot); i >= 0 {
		path = fmt.Sprintf("bot.%d.%s", i, key)
	}
	return c.document.errorNear(path, problem)
}

// read makes a configuration of a file that is decoded, and of its bots. Its errors are all mistakes of the document.
func read(d *document, f *file, bots []guest.Entry) (*Config, error) {
	t := &f.Tournament
	checkSource(d, t.Name, t.Database)
	refuseTogether(d)
	plan := results.Plan{
		Name: t.Name, Pairs: t.Pairs, Seed: t.Seed, DisqualifyAfter: t.DisqualifyAfter,
		Isolation: readIsolation(d, f), Rating: f.Rating,
		Conditions: results.Conditions{Time: f.Time, Adjudication: readAdjudication(d, f.Adjudication)},
	}
	rules := readRuleset(d, t, bots)
	if rules != nil {
		plan.Ruleset, plan.Rounds = rules.Info().Name, rules.Info().Rounds
	}
	for _, e := range bots {
		plan.Bots = append(plan.Bots, e.Name)
		if e.Withdrawn {
			plan.Withdrawn = append(plan.Withdrawn, e.Name)
		}
	}
	choose(d, "tournament.missing", t.Missing, arena.RefuseMissing, arena.ForfeitMissing)
	readFormat(d, f, &plan)
	readTest(d, f, &plan)
	readOpenings(d, f, &plan, rules)
	if err := d.err(); err != nil {
		return nil, err
	}
	return &Config{
		Plan: plan, Entries: bots,
		Machine:  arena.Machine{Concurrency: t.Concurrency, Processors: t.Processors, Missing: t.Missing},
		Database: t.Database, MaxPairs: f.MaxPairs, document: d,
	}, nil
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

// readRuleset returns the ruleset with the limit of rounds; nil: it is wrong.
func readRuleset(d *document, f *tournamentTable, bots []guest.Entry) engine.Ruleset {
	if f.Ruleset == "" && !d.has("tournament.ruleset") {
		d.refuse("tournament", "tournament.ruleset is missing (known: %s)", engine.RulesetList())
	}
	rules, err := engine.Lookup(f.Ruleset)
	written := f.Ruleset != "" || d.has("tournament.ruleset"+ofText)
	if unknown := new(engine.UnknownError); errors.As(err, &unknown) && written {
		unknown.Kind = "tournament.ruleset"
		d.refuse("tournament.ruleset"+ofText, "%s", WithSuggestion(unknown))
	}
	if err != nil {
		return nil
	}
	if f.Rounds > 0 && rules.Info().Single {
		d.refuse("tournament.rounds", "tournament.rounds is given, but a match of %s is a single round "+
			"(hint: pairs sets the number of matches)", f.Ruleset)
	}
	for i, e := range bots {
		if why := e.Dialect.WhyNot(f.Ruleset); why != "" {
			d.refuse(fmt.Sprintf("bot.%d.protocol", i), "bot %s: protocol %q %s", e.Name, e.Dialect, why)
		}
	}
	if limited, err := engine.WithRounds(rules, f.Rounds); err == nil && f.Rounds > 0 {
		return limited
	}
	return rules
}

// DefaultIsolation is the isolation of bots where the file gives none.
func DefaultIsolation() results.Isolation { return isolationOf(&defaults("").Isolation) }

// isolationOf returns the isolation that a file asks for. By default, all processes of a bot together have twice the
// memory of one, and room for the files in the temporary folder, which count.
func isolationOf(f *results.Isolation) results.Isolation {
	if f.Mode == arena.NoIsolation {
		return results.Isolation{Mode: f.Mode}
	}
	const least = 256 << 20
	i := *f
	i.Temp = cmp.Or(i.Temp, sandbox.DefaultTemp)
	i.MemoryTotal = cmp.Or(i.MemoryTotal, max(2*i.Memory, least)+max(0, i.Temp-sandbox.DefaultTemp))
	return i
}

func readIsolation(d *document, content *file) results.Isolation {
	f := &content.Isolation
	for i, bot := range content.Bots {
		switch path := fmt.Sprintf("bot.%d.isolation", i); {
		case f.Mode == arena.NoIsolation && d.has(path):
			d.refuse(path, "bot %s: isolation has no effect with isolation.mode %q", bot.Name, f.Mode)
		case f.Network && d.has(path+".network") && !bot.Isolation.Network:
			d.refuse(path+".network", "bot %s: isolation.network is false, but [isolation] allows the network to all bots "+
				"(hint: allow it in each [[bot]] that needs it)", bot.Name)
		}
	}
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
func readFormat(d *document, f *file, p *results.Plan) {
	t := &f.Tournament
	formats := []string{results.RoundRobin, results.Gauntlet, results.Swiss, results.Knockout}
	known := choose(d, "tournament.format", t.Format, formats...)
	p.Format, p.Stages, p.TieBreaks, p.Anchor = t.Format, t.Stages, t.TieBreaks, norm.NFC.String(f.Anchor)
	p.Challengers = namesOf(t.Challengers, norm.NFC.String)
	if p.Format == results.Swiss && p.Stages == 0 { // just enough that only one bot can have won all its matches
		p.Stages = bits.Len(uint(max(1, len(p.Bots)-1)))
	}
	if p.Format == results.Knockout || d.has("tournament.extra_pairs") {
		p.ExtraPairs = t.ExtraPairs
	}
	if d.has("tournament.tie_breaks") && p.TieBreaks == nil {
		d.refuse("tournament.tie_breaks", "tournament.tie_breaks is empty %s", ListKnown("", results.TieBreaks()))
	}
	if len(p.Bots) < 2 {
		return
	}
	p.CheckFormat(func(key string, err error) {
		if known || key == "tournament.tie_breaks" || key == "rating.anchor" { // which no format changes
			d.refuse(key, "%s", WithSuggestion(err))
		}
	})
}
