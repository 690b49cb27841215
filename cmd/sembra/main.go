// Command sembra runs tournaments of bots in the mancala games.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"sembra/arena"
	"sembra/arena/jail"
	"sembra/configs"
	"sembra/results"
	"sembra/results/store"
)

func main() {
	if jail.Entered(os.Args) { // a bot that tries to break out of the jail
		os.Exit(jail.Enter())
	}
	os.Exit(run(os.Args, os.Stdin, os.Stdout, os.Stderr))
}

// The exit statuses.
const (
	exitDone    = 0
	exitWrong   = 1 // it went wrong
	exitUsage   = 2 // wrong usage or configuration
	exitStopped = 3 // stopped by a signal; what was finished is saved
)

// run is the whole program, and returns its exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := &sticky{Writer: stdout}
	app := newApp(stdin, out, stderr)
	ordered, err := flagsFirst(app, args)
	if err == nil {
		err = app.RunContext(context.Background(), ordered)
	}
	if err == nil && out.err != nil {
		err = fmt.Errorf("the output could not be written: %w", out.err)
	}
	if err == nil {
		return exitDone
	}
	fmt.Fprintf(stderr, "sembra: %v\n", err)
	return exitStatus(err)
}

// usageError is a wrong use of the command line.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }

func (e *usageError) Unwrap() error { return e.err }

func usage(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// asUsage makes an error one of usage, if it is one.
func asUsage(err error) error {
	if err == nil {
		return nil
	}
	return &usageError{err}
}

func exitStatus(err error) int {
	var (
		wrongUse     *usageError
		wrongFile    *configs.Error
		wrongBot     *arena.ConfigError
		changed      *results.ChangeError
		lessGiven    *arena.IsolationError
		unknown      *store.UnknownError
		schema       *store.SchemaError
		wrongChoices = []any{&wrongUse, &wrongFile, &wrongBot, &changed, &lessGiven, &schema}
	)
	if errors.Is(err, errInterrupted) {
		return exitStopped
	}
	for _, target := range wrongChoices {
		if errors.As(err, target) {
			return exitUsage
		}
	}
	if errors.As(err, &unknown) && unknown.Name != "" { // else none was asked for
		return exitUsage
	}
	return exitWrong
}
