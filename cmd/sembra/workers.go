package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/arena/workers"
	"sembra/configs"
	"sembra/results"
	"sembra/results/store"
)

func workerCommand() *cli.Command {
	return &cli.Command{
		Name: "worker", ArgsUsage: "ADDR",
		Flags: []cli.Flag{
			concurrencyFlag("(default: the number of processors)"),
			&cli.StringFlag{Name: "name", Usage: "call this worker `NAME` (default: the name of the machine)"},
			credentialsFlag(),
			&cli.BoolFlag{Name: "trust", Usage: "allow bots everything that the tournament's [isolation] allows, even without a jail"},
		},
		Action: runWorker,
	}
}

func credentialsFlag() cli.Flag {
	return &cli.StringFlag{Name: "credentials", Usage: "read the token or the nkey, and the certificates, from `FILE`"}
}

// credentialsOf reads the credentials of the flag, and checks with them the address of a server.
func credentialsOf(c *cli.Context, address string) (workers.Credentials, error) {
	credentials, err := workers.ReadCredentials(c.String("credentials"))
	if err == nil {
		err = workers.CheckAddress(address, credentials)
	}
	return credentials, asUsage(err)
}

// workersFlags returns the flags of a run with workers.
func workersFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "workers", Usage: "let workers on other machines play; `ADDR` is listen:HOST:PORT, or a NATS server"},
		wholeFlag("local", "with --workers, play `N` matches at once on this machine, too (default: 0)", "", 0, configs.MaxConcurrency),
		credentialsFlag(),
	}
}

// runWorker plays for a runner until a signal comes.
func runWorker(c *cli.Context) error {
	args, err := arguments(c, 1, 1)
	if err != nil {
		return err
	}
	credentials, err := credentialsOf(c, args[0])
	if err != nil {
		return err
	}
	name := c.String("name")
	if c.IsSet("name") && (name == "" || len(name) > mostWorkerName || name != results.Visible([]byte(name), 0)) {
		return usage("--name is %q; it must be 1 to %d printable characters", name, mostWorkerName)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return fmt.Errorf("there is no folder for the bots' files: %w", err)
	}
	builtins, err := builtinBots()
	if err != nil {
		return err
	}
	concurrency := whole(c, "concurrency", runtime.GOMAXPROCS(0))
	warnCrowded(c.App.ErrWriter, concurrency)
	lines := newVoice(c.App.ErrWriter)
	return workers.Work(c.Context, workers.WorkerOptions{
		Address: args[0], Credentials: credentials, Name: name, Concurrency: concurrency, Program: programVersion(), Trust: c.Bool("trust"),
		Cache: filepath.Join(cache, "sembra", "bots"), Tell: lines.tell,
		Builtin: func(name string) []string {
			for _, b := range builtins {
				if b.Name == name {
					return b.Command
				}
			}
			return nil
		},
		Measure: func(ctx context.Context, isolation arena.Isolation) (workers.Charge, error) {
			r, err := chargeNow(ctx, concurrency, isolation)
			for tries := 1; err == nil && r.Moves == 0 && tries < mostMeasured; tries++ { // no match has ended in that time
				r, err = chargeNow(ctx, concurrency, isolation)
			}
			return workers.Charge{Median: r.Median, Longest: r.Longest}, err
		},
	})
}

const (
	mostWorkerName = 100 // bytes
	mostMeasured   = 10  // times that a worker tries to measure its machine
)

// programVersion names this build: a runner and its workers must have the same.
func programVersion() string {
	info, _ := debug.ReadBuildInfo()
	return version(info)
}

// voice prints lines that come from several goroutines.
type voice struct {
	mu  sync.Mutex
	say func(line string)
}

func newVoice(w io.Writer) *voice {
	begin := ""
	if _, ok := terminalOf(w); ok {
		begin = "\r" // the terminal may have printed ^C
	}
	return &voice{say: func(line string) { printLine(w, begin+line) }}
}

func (v *voice) tell(line string) {
	if v == nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.say(line)
}

// away is the workers of a run, and what the run needs for them.
type away struct {
	runner *workers.Runner
	server *workers.Server // nil: elsewhere
	staged string          // folder with the files of bots that travel
	voice  *voice
}

// prepareAway reads the flags of workers and changes the tournament for them, before a database is opened. Without
// workers it refuses the other flags.
func prepareAway(c *cli.Context, config *configs.Config) (credentials workers.Credentials, err error) {
	if !c.IsSet("workers") {
		for _, name := range []string{"local", "credentials"} {
			if c.IsSet(name) {
				return credentials, usage("--%s has no effect without --workers", name)
			}
		}
		return credentials, nil
	}
	if c.String("workers") == "" {
		return credentials, usage("--workers is empty: give listen:HOST:PORT, or the address of a NATS server")
	}
	if c.IsSet("concurrency") {
		return credentials, usage("--concurrency has no effect with --workers (hint: --local N, and --concurrency of each worker)")
	}
	if c.IsSet("log-io") && whole(c, "local", 0) == 0 {
		return credentials, usage("--log-io has no effect without matches on this machine (hint: --local N)")
	}
	if credentials, err = credentialsOf(c, c.String("workers")); err != nil {
		return credentials, err
	}
	config.Tournament.Concurrency = whole(c, "local", 0)
	isolation := &config.Tournament.Isolation
	isolation.Hidden = append(isolation.Hidden, credentials.Files()...)
	if folder, err := serverFolder(config.Database); err == nil {
		isolation.Hidden = append(isolation.Hidden, folder)
	}
	return credentials, nil
}

// serverFolder returns where the server of a run keeps its files.
func serverFolder(database string) (string, error) { return filepath.Abs(database + ".workers") }

// openAway begins to offer the matches to workers; nil: there are no workers, or no matches.
func openAway(c *cli.Context, config *configs.Config, book *store.Book, credentials workers.Credentials) (_ *away, err error) {
	address := c.String("workers")
	if address == "" {
		return nil, nil
	}
	at, listens := strings.CutPrefix(address, workers.Listening)
	folder, err := serverFolder(config.Database)
	if err != nil {
		return nil, err
	}
	recorded, err := book.Recorded()
	if err != nil {
		return nil, err
	}
	left, err := config.Tournament.Left(recorded)
	if err != nil {
		return nil, err
	}
	// A server that was killed when its run was complete has left files. Starting it again removes them.
	if _, err := os.Stat(folder); listens && !left && errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	a := &away{voice: newVoice(c.App.ErrWriter)}
	defer func() {
		if err != nil {
			a.tidy()
		}
	}()
	if a.staged, err = emptyFolder(); err != nil {
		return nil, err
	}
	if err := config.Tournament.Stage(a.staged); err != nil {
		return nil, err
	}
	if listens {
		if a.server, err = workers.Listen(at, folder, credentials); err != nil {
			return nil, err
		}
	}
	a.runner, err = workers.NewRunner(c.Context, &config.Tournament, book.Tournament, workers.RunnerOptions{
		Address: address, Server: a.server, Credentials: credentials, Program: programVersion(), Tell: a.voice.tell,
	})
	if err != nil {
		return nil, err
	}
	if listens {
		all := a.server.Addresses(credentials)
		line := fmt.Sprintf(sayListens, all[0], credentialsFor(c.String("credentials"), credentials))
		if len(all) > 1 {
			line += fmt.Sprintf(sayListensToo, strings.Join(all[1:], ", "))
		}
		a.voice.tell(line)
	}
	config.Tournament.Away = a.runner
	return a, nil
}

// credentialsFor returns the flag of a worker for the credentials that a runner has from a file. A copy of that file
// will do, unless it names the server's key.
func credentialsFor(file string, c workers.Credentials) string {
	switch {
	case file == "":
		return ""
	case c.Encrypted():
		return " --credentials FILE"
	}
	return " --credentials " + filepath.Base(file)
}

// tidy stops the server, and removes the files that only this run needs.
func (a *away) tidy() {
	if a.server != nil {
		a.server.Close()
	}
	_ = os.RemoveAll(a.staged) // a folder for temporary files
}

// close ends the run for the workers. over says that all matches have a record.
func (a *away) close(over bool) error {
	if a == nil {
		return nil
	}
	err := a.runner.Close(over)
	a.tidy()
	if over && a.server != nil { // its files are of use to nobody
		err = errors.Join(err, a.server.Remove())
	}
	return err
}

// quiet lets no line come between until the function that it returns is called.
func (a *away) quiet() (over func()) {
	if a == nil {
		return func() {}
	}
	a.voice.mu.Lock()
	return a.voice.mu.Unlock
}

// speak prints the lines with a function from now on.
func (a *away) speak(say func(format string, args ...any)) {
	defer a.quiet()()
	if a != nil {
		a.voice.say = func(line string) { say("%s", line) }
	}
}

// end ends the progress of a run with a function, and tells what each worker has played.
func (a *away) end(progress func(), stderr io.Writer) {
	over := a.quiet()
	progress()
	if a != nil {
		a.voice.say = func(line string) { printLine(stderr, line) }
	}
	over()
	if a == nil {
		return
	}
	for _, t := range a.runner.Tallies() {
		line := fmt.Sprintf("worker %s: %s", t.Label(), plural(t.Matches, "match", "matches"))
		if t.Late > 0 {
			line += fmt.Sprintf(", %d lost on time", t.Late)
		}
		if others := t.Faults - t.Late; others > 0 {
			line += fmt.Sprintf(", %d lost by another fault", others)
		}
		if t.Dropped > 0 {
			line += fmt.Sprintf(", %s dropped", plural(t.Dropped, "record", "records"))
		}
		a.voice.tell(line)
	}
}
