package main

import (
	"io"
	"slices"

	"github.com/urfave/cli/v2"
)

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
			group("For bot authors", checkCommand(), botCommand()),
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
