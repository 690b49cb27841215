package main

import (
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/urfave/cli/v2"
	"golang.org/x/text/unicode/norm"

	"sembra/configs"
	"sembra/results/report"
	"sembra/results/store"
)

// databaseFlags returns the flags of the commands that read a tournament.
func databaseFlags() []cli.Flag {
	return []cli.Flag{
		databaseFlag("read the results from `FILE`", "sembra.db"),
		namingFlag("tournament", "read the tournament `NAME` (default: the newest)", "", "the name of a tournament"),
	}
}

func databaseFlag(text, value string) cli.Flag {
	return namingFlag("db", text, value, "the name of a file")
}

// tabulate makes the report of a command about a tournament. The arguments are those after the file.
type tabulate func(c *cli.Context, b *store.Records, args []string) (report.Report, error)

// tableCommand returns a command that prints a report about a tournament. It takes a file and up to most others as its
// arguments. It has the flags that choose the tournament and, if it is given no flags, those of a table.
func tableCommand(name string, most int, make tabulate, flags ...cli.Flag) *cli.Command {
	if flags == nil {
		flags = tableFlags()
	}
	flags = append(databaseFlags(), flags...)
	return &cli.Command{Name: name, ArgsUsage: "[FILE]", Flags: flags, Action: func(c *cli.Context) error {
		b, args, err := readTournament(c, 0, most)
		if err != nil {
			return err
		}
		defer b.Store().Close()
		table, err := make(c, b, args)
		if err != nil {
			return err
		}
		return printReport(c, table)
	}}
}

type reading struct {
	path   string
	family string   // of the tournament file that was named; "": none was
	args   []string // the arguments after the file
}

// readFile reads which database a command reads. Its arguments are a file, which may be left out, and after it from
// least to most others. The file is a database or a tournament file. The flag --db names the database without it or,
// as in sembra run, instead of that of the tournament file.
func readFile(c *cli.Context, least, most int) (reading, error) {
	r := reading{path: c.String("db")}
	first := c.Args().First()
	isFile := c.Args().Len() > least && kindOf(first) != otherFile
	switch {
	case !c.IsSet("db"), isFile && kindOf(first) == tournamentFile: // which then only names the tournament
		most++
	case isFile:
		return r, usage("%q is a file, and --db %q names one too: give only one of them", first, r.path)
	}
	var err error
	if r.args, err = arguments(c, least, most); err != nil {
		return r, err
	}
	if isFile || !c.IsSet("db") && len(r.args) == most {
		r.args = r.args[1:]
		if c.IsSet("db") {
			_, r.family, err = configs.DatabaseOf(first)
			return r, err
		}
		r.path, r.family, err = databaseOf(c, first)
	}
	return r, err
}

// openRead opens the database that a command reads, which has to close it. See readFile for its arguments.
func openRead(c *cli.Context, least, most int) (*store.Store, reading, error) {
	r, err := readFile(c, least, most)
	if err != nil {
		return nil, r, err
	}
	db, err := store.OpenRead(r.path)
	if err != nil {
		return nil, r, err
	}
	if db.Running() {
		say(c.App.ErrWriter, "note: a tournament is running: these are its results so far")
	}
	if db.ReadsCopy() {
		closeAtSignal(c.Command.Name, db)
		say(c.App.ErrWriter, "note: an older sembra wrote %s: reading a temporary copy (sembra run brings the file "+
			"itself up to date)", r.path)
	}
	return db, r, nil
}

// closeAtSignal closes a database, which removes its temporary copy, when a signal comes that would end the command at
// once, as of a pipe that nobody reads any more.
func closeAtSignal(command string, db *store.Store) {
	if interruptible(command) {
		return
	}
	ctx, _ := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	context.AfterFunc(ctx, func() {
		_ = db.Close()
		os.Exit(exitStopped)
	})
}

// readTournament opens the tournament that a command reads. See readFile for its
// arguments, of which readTournament returns those after the file. The caller closes its store.
func readTournament(c *cli.Context, least, most int) (*store.Records, []string, error) {
	db, r, err := openRead(c, least, most)
	if err != nil {
		return nil, nil, err
	}
	var b *store.Records
	if r.family != "" && !c.IsSet("tournament") {
		b, err = db.Newest(r.family)
	} else {
		b, err = db.Records(c.String("tournament"))
	}
	if err != nil {
		_ = db.Close() // it only reads
	}
	return b, r.args, err
}

// fileKind is what a file is that a command may read.
type fileKind int

const (
	otherFile fileKind = iota // also no file
	databaseFile
	tournamentFile
	recordsFile
)

// kindOf returns what a file is, by its content or, if that does not show it, by the
// ending of its name.
func kindOf(path string) fileKind {
	if store.IsDatabase(path) {
		return databaseFile
	}
	if isRecords(path) {
		return recordsFile
	}
	if configs.IsTournamentFile(path) {
		return tournamentFile
	}
	switch filepath.Ext(path) {
	case ".toml":
		return tournamentFile
	case ".db":
		return databaseFile
	}
	return otherFile
}

// databaseOf returns the database that a file is or, for a tournament file, the
// database and the name of its tournament. If there is no such database here but
// one beside the tournament file, it is that one.
func databaseOf(c *cli.Context, path string) (database, family string, err error) {
	kind := kindOf(path)
	if _, err := os.Stat(path); err != nil && kind == otherFile {
		return "", "", usage("there is no file %q: name a database or a tournament file", path)
	}
	switch kind {
	case recordsFile:
		return "", "", usage("%q is a file of records, not a database (hint: sembra replay and sembra "+
			"verify read it)", path)
	case otherFile, databaseFile:
		return path, "", nil
	}
	if database, family, err = configs.DatabaseOf(path); err != nil {
		return "", "", err
	}
	if beside, ok := besideFile(path, database); ok {
		say(c.App.ErrWriter,
			"note: there is no %s here: reading %s, which is beside the tournament file", database, beside)
		database = beside
	}
	return database, family, nil
}

// besideFile returns the path of a database in the folder of its tournament file,
// if it is there and not in the current folder.
func besideFile(config, database string) (beside string, ok bool) {
	if _, err := os.Stat(database); err == nil || filepath.IsAbs(database) {
		return "", false
	}
	beside = filepath.Join(filepath.Dir(config), database)
	_, err := os.Stat(beside)
	return beside, err == nil
}

// knownBot returns the name of a bot as the tournament has it. where says in an error where the name is: " in --FLAG".
func knownBot(bots []string, name, where string) (string, error) {
	name = norm.NFC.String(name)
	if !slices.Contains(bots, name) {
		return "", usage("unknown bot %q%s %s", name, where, configs.ListKnown(name, bots))
	}
	return name, nil
}

// elsewhere returns the error of a name that is unknown in a tournament or, if another tournament of the database has a
// bot of that name, one that says so.
func elsewhere(b *store.Records, name string, err error) error {
	name = norm.NFC.String(name)
	all, failed := b.Store().Tournaments()
	if failed != nil || slices.Contains(b.Tournament.Bots, name) {
		return err
	}
	for _, t := range slices.Backward(all) {
		if slices.Contains(t.Bots, name) {
			return usage("tournament %q has no bot %q, but tournament %q has (hint: --tournament %s)",
				b.Tournament.Name, name, t.Name, quoted(t.Name))
		}
	}
	return err
}
