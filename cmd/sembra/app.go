package main

import (
	"io"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

// newApp returns the commands, wired to the given streams.
func newApp(stdin io.Reader, stdout, stderr io.Writer) *cli.App {
	app := &cli.App{
		Name:                 "sembra",
		Usage:                sayApp,
		Description:          describeApp,
		Version:              version(),
		HideHelpCommand:      true,
		EnableBashCompletion: true,
		Reader:               stdin,
		Writer:               stdout,
		ErrWriter:            stderr,
		Commands: []*cli.Command{
			runCommand(), sprtCommand(), standingsCommand(), crosstableCommand(), headToHeadCommand(), ratingsCommand(),
			matchesCommand(), replayCommand(), verifyCommand(),
			rulesetsCommand(), movesCommand(), applyCommand(), showCommand(), perftCommand(), openingsCommand(),
			labCommand(), checkCommand(), clockCommand(), rateCommand(), statsCommand(), botCommand(), completionCommand(),
		},
		Action: func(c *cli.Context) error {
			return cli.ShowAppHelp(c)
		},
		OnUsageError:   func(_ *cli.Context, err error, _ bool) error { return asUsage(err) },
		ExitErrHandler: func(*cli.Context, error) {}, // run decides on the exit status
	}
	app.DisableSliceFlagSeparator = true // a value of check --option may hold commas
	for _, command := range app.Commands {
		command.HideHelpCommand = true
		command.OnUsageError = app.OnUsageError
		command.BashComplete = completeWith(command, command.BashComplete)
	}
	return app
}

// version returns the version that the program was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
