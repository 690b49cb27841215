// Command sembra runs tournaments between bots that play mancala games. Results go to standard output, everything else to
// standard error. README.md lists the exit statuses.
//
// It is the command line and nothing else: rules, matches, records and reports are in other packages. main.go lists the
// commands and turns errors into exit statuses. Commands that share their subject share a file: game.go has those about
// rules and positions, rate.go those that compute ratings. The folder help holds their help, which help.go prints.
// flags.go reads the command line, database.go opens databases, and output.go prints and writes files. running.go plays a
// tournament, and progress.go reports progress.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/arena/guest"
	"sembra/arena/sandbox"
	"sembra/cmd/sembra/revision"
	"sembra/configs"
	"sembra/results"
	"sembra/results/store"
)

func main() {
	if sandbox.IsChild(os.Args) { // an init, or a bot that tries to break out
		os.Exit(sandbox.RunChild())
	}
	if store.IsCheckChild(os.Args) { // a child that checks a database
		signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) // if one of them ended it, that would look like damage
		os.Exit(store.RunCheckChild(os.Args))
	}
	os.Exit(run(os.Args, os.Stdin, os.Stdout, os.Stderr))
}

// The exit statuses.
const (
	exitDone    = 0
	exitWrong   = 1 // something went wrong
	exitUsage   = 2 // wrong usage or configuration
	exitStopped = 3 // stopped by a signal; finished matches are saved

	// With --verdict, exitDone means that the test has accepted the first bot.
	exitUndecided = 4
	exitRejected  = 5
)

// run is the whole program, and returns its exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx := context.Background()
	if len(args) > 1 && interruptible(args[1]) { // before anything else, so that no signal is missed
		var release context.CancelFunc
		ctx, release = untilInterrupted()
		defer release()
	}
	out := &sticky{Writer: stdout}
	err := execute(ctx, newApp(stdin, out, stderr), args)
	if interrupted(ctx, err) && !errors.Is(err, errInterrupted) { // before there was anything to say of it
		err = errInterrupted
	}
	if err == nil && out.err != nil {
		err = fmt.Errorf("cannot write the output: %w", out.err)
	}
	if err == nil {
		return exitDone
	}
	// The error may have a name from the file of somebody else.
	text := configs.WithSuggestion(err)
	if start := new(guest.StartError); errors.As(err, &start) {
		text = withStderr(text, start.Talk.Stderr)
	}
	say(stderr, "sembra: %s", text)
	return exitStatus(err)
}

// execute prints the help or the version if a command line asks for them, and otherwise runs its command.
func execute(ctx context.Context, app *cli.App, args []string) error {
	args, err := flagsFirst(app, args)
	if err != nil {
		return err
	}
	text, err := requestedHelp(app, args)
	if err != nil {
		return err
	}
	if text != "" {
		_, err = io.WriteString(app.Writer, text)
		return err
	}
	return app.RunContext(ctx, args)
}

type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }

func (e *usageError) Unwrap() error { return e.err }

func usage(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// asUsage returns an error as one of usage; nil stays nil.
func asUsage(err error) error {
	if err == nil {
		return nil
	}
	return &usageError{err}
}

func exitStatus(err error) int {
	wrongUse := []any{
		new(*usageError), new(*configs.Error), new(*guest.ConfigError), new(*arena.MissingError), new(*arena.IsolationError),
		new(*results.ChangeError), new(*store.SchemaError), new(*store.UnknownError), // whose tournament the user has named
		new(*revision.Error),
	}
	var verdict *verdictError
	switch {
	case errors.Is(err, errInterrupted), errors.Is(err, errUnfinished):
		return exitStopped
	case errors.As(err, &verdict):
		return verdict.status
	case sandbox.IsShortage(err): // wherever it showed
		return exitWrong
	case slices.ContainsFunc(wrongUse, func(target any) bool { return errors.As(err, target) }),
		errors.Is(err, store.ErrIrregular):
		return exitUsage
	}
	return exitWrong
}

var errInterrupted = errors.New("stopped by a signal")

// untilInterrupted returns a context that a signal ends. A second signal ends the
// program immediately.
func untilInterrupted() (ctx context.Context, release context.CancelFunc) {
	ctx, release = signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, release)
	return ctx, release
}

// interruptible reports whether a command ends in order after a signal. A signal ends
// the other commands immediately.
func interruptible(command string) bool {
	return slices.Contains([]string{
		"run", "duel", "init", "play", "report", "lab", "check", "test", "serve", "worker",
	}, command)
}

// interrupted reports whether an error is only due to the end of the context.
func interrupted(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, context.Cause(ctx))
}

// newApp returns the program with all its commands. They use these streams.
func newApp(stdin io.Reader, stdout, stderr io.Writer) *cli.App {
	summary, description := readHelp("sembra")
	app := &cli.App{
		Name:        "sembra",
		Usage:       summary,
		Description: description,
		Commands: slices.Concat(
			group("Play", duelCommand(), playCommand(), initCommand(), runCommand(), openingsCommand()),
			group("More machines", workerCommand()),
			group("Read results", standingsCommand(), headToHeadCommand(), matchesCommand(), faultsCommand(),
				replayCommand(), serveCommand(), reportCommand(), verifyCommand(), exportCommand()),
			group("Ratings", ratingsCommand(), rateCommand(), statsCommand()),
			group("Rules", rulesetsCommand(), movesCommand(), applyCommand(), showCommand(), perftCommand(), labCommand()),
			group("For bot authors", checkCommand(), testCommand(), botCommand()),
			group("For your shell", completionCommand()),
		),
		HideHelpCommand:           true,
		EnableBashCompletion:      true,
		DisableSliceFlagSeparator: true, // a value of check --option may contain commas
		Reader:                    stdin,
		Writer:                    stdout,
		ErrWriter:                 stderr,
		OnUsageError:              func(_ *cli.Context, err error, _ bool) error { return asUsage(err) },
		ExitErrHandler:            func(*cli.Context, error) {}, // run returns the exit status
	}
	for _, command := range app.Commands {
		summary, text := readHelp(command.Name)
		command.Usage, command.UsageText = summary, text+command.UsageText
		command.HideHelpCommand = true
		command.OnUsageError = app.OnUsageError
		command.BashComplete = completeWith(command, command.BashComplete)
	}
	return app
}

// group returns commands as a group of the help.
func group(name string, commands ...*cli.Command) []*cli.Command {
	for _, command := range commands {
		command.Category = name
	}
	return commands
}
