package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"

	"sembra/arena/workers"
	"sembra/configs"
	"sembra/results/safe"
)

func workerCommand() *cli.Command {
	return &cli.Command{
		Name: "worker", ArgsUsage: "ADDR",
		Flags: []cli.Flag{
			concurrencyFlag("(default: one for each processor)"),
			textFlag("name", "call this worker `NAME` (default: the name of the machine)", ""),
			credentialsFlag(),
			switchFlag("trust", "allow bots everything that the tournament's [isolation] allows, even without a sandbox"),
		},
		Action: runWorker,
	}
}

func credentialsFlag() cli.Flag {
	return textFlag("credentials", "log in at the NATS server with its .creds `FILE`", "")
}

// mostCredentials is the size of the greatest file with credentials, in bytes. The library of NATS reads it whole.
const mostCredentials = 1 << 20

func checkServer(c *cli.Context, address string) error {
	if c.IsSet("credentials") {
		file, err := configs.OpenInput(c.String("credentials"), mostCredentials)
		if err != nil {
			return usage("--credentials: %w", err)
		}
		file.Close()
	}
	return asUsage(workers.CheckAddress(address, c.String("credentials")))
}

func workersFlags() []cli.Flag {
	return []cli.Flag{
		namingFlag("workers", "let workers on other machines play; they meet this run at the NATS server `ADDR`", "",
			"the address of a NATS server, as in nats://127.0.0.1:4222"),
		wholeFlag("local", "with --workers, play `N` matches concurrently on this machine, too (default: 0)", "", 0, configs.MaxConcurrency),
		credentialsFlag(),
	}
}

// runWorker plays for a runner until a signal comes.
func runWorker(c *cli.Context) error {
	args, err := arguments(c, 1, 1)
	if err != nil {
		return err
	}
	if err := checkServer(c, args[0]); err != nil {
		return err
	}
	name := c.String("name")
	if c.IsSet("name") && (name == "" || len(name) > mostWorkerName || name != safe.Line(strings.TrimSpace(name))) {
		return usage("--name is %q; it must be 1 to %d printable characters", name, mostWorkerName)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return fmt.Errorf("there is no folder for the bots' files: %w", err)
	}
	concurrency := whole(c, "concurrency", runtime.GOMAXPROCS(0))
	warnCrowded(c.App.ErrWriter, concurrency)
	begin := ""
	if _, ok := terminalOf(c.App.ErrWriter); ok {
		begin = "\r" // the terminal may have printed ^C
	}
	return workers.Work(c.Context, workers.WorkerOptions{
		Options: workers.Options{
			Address: args[0], Credentials: c.String("credentials"), Program: programVersion(),
			Report: func(line string) { printLine(c.App.ErrWriter, begin+line) },
		},
		Name: name, Concurrency: concurrency, Trust: c.Bool("trust"), Cache: filepath.Join(cache, "sembra", "bots"),
		Builtin: builtinCommand,
	})
}

const mostWorkerName = 100 // bytes

// programVersion names this build: a runner and its workers must have the same.
func programVersion() string {
	info, _ := debug.ReadBuildInfo()
	return version(info)
}

// remote is the workers of a run, and what the run needs for them; nil: all matches are played here.
type remote struct {
	runner  *workers.Runner
	unstage func() // removes the folder with the files of bots that travel
}

// prepareRemote reads the flags of workers and changes the tournament for them, before a database is opened. Without
// workers it refuses the other flags.
func prepareRemote(c *cli.Context, config *configs.Config) error {
	if !c.IsSet("workers") {
		return refuseFlags(c, "without --workers", "local", "credentials")
	}
	why := "with --workers (hint: --local N, and --concurrency of each worker)"
	if err := refuseFlags(c, why, "concurrency"); err != nil {
		return err
	}
	if whole(c, "local", 0) == 0 {
		why := "without matches on this machine (hint: --local N)"
		if err := refuseFlags(c, why, "log-io"); err != nil {
			return err
		}
	}
	if err := checkServer(c, c.String("workers")); err != nil {
		return err
	}
	here := &config.Machine
	here.Concurrency = whole(c, "local", 0)
	here.Hidden = append(here.Hidden, workers.HiddenFiles(c.String("credentials"))...)
	return nil
}

// connectWorkers connects to the server at which workers offer to play; nil: there are no workers, or no matches.
func (r *running) connectWorkers() (*remote, error) {
	address := r.c.String("workers")
	if address == "" {
		return nil, nil
	}
	if left, err := r.tournament.Left(r.recorded); err != nil || !left {
		return nil, err
	}
	staged, remove, err := emptyFolder()
	if err != nil {
		return nil, err
	}
	var runner *workers.Runner
	if err = r.tournament.Stage(staged); err == nil {
		runner, err = workers.NewRunner(r.c.Context, r.tournament, workers.Options{
			Address: address, Credentials: r.c.String("credentials"), Program: programVersion(),
			Report: func(line string) { r.progress.say("%s", line) },
		})
	}
	if err != nil {
		remove()
		return nil, err
	}
	r.tournament.Remote = runner
	return &remote{runner: runner, unstage: remove}, nil
}

// close ends the run for the workers. over says that all matches have a record.
func (r *remote) close(over bool) error {
	if r == nil {
		return nil
	}
	r.unstage()
	return r.runner.Close(over)
}

// status adds to a text how many workers play.
func (r *remote) status(text string) string {
	if r == nil {
		return text
	}
	count, slots := r.runner.Workers()
	here := plural(count, "worker", "workers")
	if count > 0 {
		here = fmt.Sprintf("%s (concurrent matches: %d)", here, slots)
	}
	if text == "" {
		return here
	}
	return text + ", " + here
}
