package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/arena/guest"
	"sembra/bots"
	"sembra/configs"
	"sembra/results"
	"sembra/results/store"
)

func runCommand() *cli.Command {
	return &cli.Command{
		Name: "run", ArgsUsage: "CONFIG",
		Flags:  runFlags(),
		Action: runTournament,
	}
}

// runFlags returns the flags of the commands that play a tournament file.
func runFlags() []cli.Flag {
	return slices.Concat([]cli.Flag{
		&cli.StringFlag{Name: "db", Usage: "save the results in `FILE` instead of the configured database"},
		concurrencyFlag("instead of the configured number"),
	}, recordFlags(""), []cli.Flag{
		&cli.BoolFlag{Name: "serve", Usage: "show the tournament in a browser until the run ends; see --addr"},
		addressFlag(),
		wideFlag(),
	}, workersFlags())
}

// recordFlags returns the flags about the records of matches. when says on what all but the logs depend.
func recordFlags(when string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name: "log-io", Usage: "write the whole conversation of each match, and the bots' standard error, to a file in `DIR`",
		},
		&cli.StringSliceFlag{
			Name: "replace", Usage: when + "play all matches of `BOT` again, because it has changed; repeat it for more bots",
		},
		&cli.BoolFlag{Name: "fresh", Usage: when + "begin a new tournament beside the existing one"},
	}
}

func runTournament(c *cli.Context) error {
	config, args, err := readRun(c)
	if err != nil {
		return err
	}
	if config.Test != nil {
		say(c.App.ErrWriter,
			"note: %s has a table [sprt]: sembra sprt plays that test; sembra run plays a tournament with "+
				"the pairs of the file", args[0])
	}
	return playConfig(c, config, playing{replace: args[1:], stays: true}, func(b *store.Records) error {
		return printStandings(c, b, true)
	})
}

// readRun reads the tournament file of a run. More arguments are allowed only as names after --replace.
func readRun(c *cli.Context) (config *configs.Config, args []string, err error) {
	most := 1
	if c.IsSet("replace") {
		most = -1
	}
	if args, err = arguments(c, 1, most); err != nil {
		return nil, nil, err
	}
	config, err = loadConfig(c, args[0])
	return config, args, err
}

// readReplace returns the bots to replace: those of the flag, and more of them.
func readReplace(c *cli.Context, bots, more []string) ([]string, error) {
	var replace []string
	for _, name := range append(c.StringSlice("replace"), more...) {
		name, err := knownBot(bots, name, " in --replace")
		if err != nil {
			return nil, err
		}
		if !slices.Contains(replace, name) {
			replace = append(replace, name)
		}
	}
	return replace, nil
}

// tellReplace says what becomes of the matches of bots that are to be replaced.
func tellReplace(w io.Writer, b *store.Records, replace []string) {
	bots, matches := b.Replaced()
	if len(bots) > 0 {
		say(w, "note: %s: %s will be taken out when the bots have started, and all are played again",
			strings.Join(bots, ", "), plural(matches, "match", "matches"))
	}
	for _, bot := range replace {
		switch {
		case slices.Contains(bots, bot): // said above
		case slices.Contains(b.Tournament.Replacing, bot):
			say(w, "note: the replacement of %s goes on (another one can begin when all matches are played)", bot)
		default:
			say(w, "note: no match of %s is recorded, so there is nothing to replace", bot)
		}
	}
}

// playing is how a command plays a tournament.
type playing struct {
	replace []string // bots to replace beside those of the flag
	stays   bool     // the database stays when the command ends
	partial bool     // a run that a signal stopped has a report too
	away    *away    // plays matches on other machines; nil: all are played here
	fresh   bool     // began a new tournament beside the existing one
}

// playConfig plays the missing matches of a tournament and prints its report.
func playConfig(c *cli.Context, config *configs.Config, how playing, report func(*store.Records) error) error {
	if err := checkRun(c, config); err != nil {
		return err
	}
	var listener net.Listener // nil: nothing is served
	if c.Bool("serve") {
		var err error
		if listener, err = listen(c); err != nil {
			return err
		}
		defer listener.Close()
	}
	db, err := store.Open(config.Database)
	if err != nil {
		return err
	}
	defer db.Close()
	config.Tournament.Feed = new(arena.Feed)
	records, err := begin(c, config, db, how.replace)
	if err != nil {
		return err
	}
	how.fresh = c.Bool("fresh")
	err = playTournament(c, config, records, how, listener)
	if errors.Is(err, errInterrupted) {
		played, wrong := records.Recorded()
		if wrong != nil || len(played) == 0 || !how.partial {
			return err
		}
	} else if err != nil {
		return err
	}
	if wrong := report(records); wrong != nil {
		return wrong
	}
	return err
}

// checkRun refuses what cannot be played, and warns of what may not go well.
func checkRun(c *cli.Context, config *configs.Config) error {
	if c.IsSet("addr") && !c.Bool("serve") {
		return usage("--addr is given without --serve, so there are no pages for it")
	}
	if err := prepareAway(c, config); err != nil {
		return err
	}
	warnCrowded(c.App.ErrWriter, config.Tournament.Concurrency)
	warnProcessors(c.App.ErrWriter, config.Tournament)
	warnEngines(c.App.ErrWriter, &config.Tournament)
	return refuseBeside(c, config.Database)
}

// begin begins or resumes the tournament in its database.
func begin(c *cli.Context, config *configs.Config, db *store.Store, more []string) (*store.Records, error) {
	plan, err := config.Tournament.Manifest()
	if err != nil {
		return nil, err
	}
	replace, err := readReplace(c, plan.Bots, more)
	if err != nil {
		return nil, err
	}
	records, err := db.Begin(plan, c.Bool("fresh"), replace...)
	if err != nil {
		return nil, err
	}
	config.Tournament.Feed.Name(records.Tournament.Name)
	if !c.Bool("fresh") {
		tellReplace(c.App.ErrWriter, records, replace)
	}
	return records, nil
}

// playTournament plays the missing matches here or elsewhere, and shows them on pages if there is a listener.
func playTournament(
	c *cli.Context, config *configs.Config, records *store.Records, how playing, listener net.Listener,
) error {
	endServe, err := serveRun(c, listener, records.Store(), config.Tournament.Feed)
	if err != nil {
		return err
	}
	defer endServe()
	recorded, err := records.Recorded()
	if err != nil {
		return err
	}
	progress := newProgress(c.App.ErrWriter, records.Tournament, recorded, records.Schedule.Total())
	if how.away, err = openAway(c, config, records, recorded, progress); err != nil {
		progress.end(false)
		return config.Locate(err)
	}
	err = config.Locate(play(c.Context, config.Tournament, records, how, recorded, progress))
	if wrong := how.away.close(err == nil); err == nil && wrong != nil {
		say(c.App.ErrWriter, "note: the server still has something of the tournament, because %v", wrong)
	}
	return err
}

// refuseBeside refuses to make a database if one of that name lies beside the
// tournament file: the user may mean that one.
func refuseBeside(c *cli.Context, database string) error {
	beside, ok := besideFile(c.Args().First(), database)
	if !ok || c.IsSet("db") {
		return nil
	}
	return usage("there is no database %s, but there is %s beside the tournament file "+
		"(hint: name the one that you mean with --db)", absolute(database), absolute(beside))
}

// absolute returns the whole path of a file for a message.
func absolute(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

// whereText says whether a run begins a tournament or goes on with one, and in
// which file.
func whereText(b *store.Records, played int) string {
	where := absolute(b.Store().Path())
	if played == 0 {
		return fmt.Sprintf("tournament %q begins in %s", b.Tournament.Name, where)
	}
	matches := counter(played, b.Schedule.Total(), b.Tournament.Format == results.Sequential)
	return fmt.Sprintf(
		"tournament %q goes on: %s matches are played and saved in %s", b.Tournament.Name, matches, where)
}

// warnCrowded warns if there are more matches at once than processors.
func warnCrowded(w io.Writer, concurrency int) {
	if cpus := runtime.GOMAXPROCS(0); concurrency > cpus {
		say(w, "warning: %d matches at once are too many for %s: bots lose time while they wait for a processor",
			concurrency, plural(cpus, "processor", "processors"))
	}
}

// warnProcessors warns if the key processors has no effect, because there are too
// few of them.
func warnProcessors(w io.Writer, t arena.Tournament) {
	if allowed := len(guest.AllowedProcessors()); t.Processors > 0 && t.Concurrency*t.Processors > allowed {
		each, matches := plural(t.Processors, "processor", "processors"), plural(t.Concurrency, "match", "matches")
		say(w,
			"warning: tournament.processors has no effect: %s for each of %s at once are more than the %d "+
				"to which Sembra can bind bots", each, matches, allowed)
	}
}

// warnEngines warns of what UCI engines do not know.
func warnEngines(w io.Writer, t *arena.Tournament) {
	for _, warning := range configs.Warnings(t) {
		printLine(w, "warning: "+warning)
	}
}

// builtinBots returns the built-in bots and how this program starts them.
func builtinBots() ([]configs.Builtin, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("cannot start the built-in bots: %w", err)
	}
	var builtins []configs.Builtin
	for _, b := range bots.Builtins() {
		builtins = append(builtins, configs.Builtin{
			Name: b.Name, Command: []string{self, "bot", b.Name}, Options: b.New().Identity().Options,
		})
	}
	return builtins, nil
}

// loadConfig reads the tournament file. Flags override what it says.
func loadConfig(c *cli.Context, path string) (*configs.Config, error) {
	builtins, err := builtinBots()
	if err != nil {
		return nil, err
	}
	config, err := configs.Load(path, builtins)
	if err != nil {
		return nil, err
	}
	if err := override(c, config); err != nil {
		return nil, err
	}
	if file, err := filepath.Abs(path); err == nil { // with the options of the other bots
		config.Tournament.Isolation.Hidden = append(config.Tournament.Isolation.Hidden, file)
	}
	return config, nil
}

// override changes what a tournament file says to what the flags say.
func override(c *cli.Context, config *configs.Config) (err error) {
	if c.IsSet("db") {
		if config.Database = c.String("db"); config.Database == "" {
			return usage("--db is empty: give the name of a file")
		}
	}
	config.Tournament.Concurrency = whole(c, "concurrency", config.Tournament.Concurrency)
	if config.Tournament.LogFolder, err = logFolder(c); err != nil {
		return err
	}
	// No bot may read the results, wherever they are.
	database, err := filepath.Abs(config.Database)
	config.Tournament.Isolation.Hidden = store.Files(database)
	return err
}

// logFolder returns the folder for logs, and makes it if necessary. It returns ""
// if the user wants no logs.
func logFolder(c *cli.Context) (string, error) {
	if !c.IsSet("log-io") {
		return "", nil
	}
	folder := c.String("log-io")
	if folder == "" {
		return "", usage("--log-io is empty: give the name of a folder")
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", usage("--log-io: %w", err)
	}
	return filepath.Abs(folder)
}

// builtinNames returns the names of the built-in bots among the bots of a tournament.
func builtinNames(entries []guest.Entry) (names []string) {
	for _, e := range entries {
		if e.Builtin != "" {
			names = append(names, e.Name)
		}
	}
	return names
}

// sayBusy says by how much the machine was too busy, if bots that keep to their
// clocks lost on time.
func sayBusy(ctx context.Context, w io.Writer, late *results.Late, t arena.Tournament) {
	b, busy := late.Busy()
	if !busy {
		return
	}
	matches, whose := plural(b.Matches, "match", "matches"), "the bots"
	if b.Builtin != nil {
		whose = "the built-in bots"
		say(w, "note: the machine was busy: built-in bots keep to their clocks, but lost %s on time (%s)",
			matches, strings.Join(b.Builtin, ", "))
	} else {
		say(w, "note: the machine may have been busy: %d of %d bots lost on time, in %s", b.Bots, b.Of, matches)
	}
	if b.Charged > 0 {
		charged, used := b.Charged.Round(time.Millisecond), b.Used.Round(time.Millisecond)
		say(w,
			"  in the matches without a fault, %s were charged %v and used a processor for %v: they waited "+
				"for %s", whose, charged, used, share(int((b.Charged-b.Used).Milliseconds()), int(b.Charged.Milliseconds())))
	}
	if median, longest, err := chargeNow(ctx, t.Concurrency, t.Isolation); err == nil && longest > 0 {
		most, slowest := median.Round(time.Microsecond), longest.Round(10*time.Microsecond)
		say(w,
			"  right after the run, the machine added %v to most moves and %v to the slowest one; the "+
				"margin is %v", most, slowest, t.Time.Margin)
	}
	say(w, "  (hint: a lower concurrency than %d, or a larger margin)", t.Concurrency)
}

// play plays the matches that are not recorded.
func play(
	ctx context.Context, t arena.Tournament, b *store.Records, how playing, recorded []results.Numbered, progress *progress,
) error {
	begun, stderr := false, progress.out
	late := results.NewLate(b.Tournament, builtinNames(t.Entries))
	stand := func() {
		progress.stand(b.Schedule.Total(), how.away.remark(remark(b)))
		progress.lead(b.Schedule.Merits)
	}
	progress.follow(t.Feed)
	stand()
	elsewhere := how.away != nil && t.Concurrency == 0
	err := t.Run(ctx, recorded, b, func(event arena.Event) {
		if elsewhere { // the workers tell what they isolate
			event.Isolated = nil
		}
		if event.Isolated != nil && t.Isolation.Mode != arena.NoIsolation {
			b.NoteIsolation(event.Isolated.Line)
		}
		if event.RunBegun != nil {
			begun = true
			if how.away != nil {
				progress.change(func() { progress.waits = "waiting for the first match of a worker" })
			}
			if copied, _ := b.Save(); copied != "" { // if it fails, so does the first record
				progress.say("note: the database as it was before is in %s", copied)
			}
			if how.stays {
				progress.say("%s", whereText(b, len(recorded)))
			}
		}
		stand()
		progress.tell(event)
		if event.MatchEnded != nil {
			late.Add(event.MatchEnded.Record.Summary)
		}
	})
	progress.end(how.stays)
	if err == nil && !begun && how.stays {
		say(stderr, "tournament %q is complete: its %d matches are saved in %s",
			b.Tournament.Name, len(recorded), absolute(b.Store().Path()))
	}
	if how.away == nil {
		sayBusy(ctx, stderr, late, t)
	}
	left := b.Schedule.Total() - progress.played
	if err != nil && !interrupted(ctx, err) || ctx.Err() != nil && left > 0 {
		return unfinished(ctx, err, b, how, progress.played)
	}
	if how.stays {
		sayPlayed(stderr, b, progress, len(recorded))
	}
	return nil
}

// unfinished returns the error of a run that a signal or an error has ended. It says
// what becomes of the matches played so far.
func unfinished(ctx context.Context, err error, b *store.Records, how playing, played int) error {
	saved := "played"
	if how.stays {
		command := "the same command"
		if how.fresh { // which would begin yet another tournament
			command += " without --fresh"
		}
		saved = fmt.Sprintf("saved in %s; %s plays the rest", b.Store().Path(), command)
	}
	if err == nil || interrupted(ctx, err) {
		return fmt.Errorf("%w: %d of %d matches are %s", errInterrupted, played, b.Schedule.Total(), saved)
	}
	// A mistake in the tournament file is told with its place alone. A database that cannot be read any more saves nothing.
	if _, whole := b.Store().Transaction(); played == 0 || !whole || errors.As(err, new(*guest.ConfigError)) {
		return err
	}
	return fmt.Errorf("%w (%d of %d matches are %s)", err, played, b.Schedule.Total(), saved)
}

// sayPlayed says where the matches of a complete tournament are, if some were played
// now, and how many a bot lost by a fault.
func sayPlayed(w io.Writer, b *store.Records, p *progress, before int) {
	matches := plural(p.played, "match", "matches")
	if p.played > before {
		say(w, "tournament %q: %s in %s; see also: sembra matches --db %[3]s",
			b.Tournament.Name, matches, b.Store().Path())
	}
	if p.faults > 0 {
		say(w, "%d of %s ended by a fault; see sembra faults --db %s", p.faults, matches, b.Store().Path())
	}
}
