package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// errInterrupted says that a signal ended a run.
var errInterrupted = errors.New("stopped by a signal")

// untilInterrupted returns a context that a signal ends. A second signal ends the
// program at once.
func untilInterrupted() (ctx context.Context, release context.CancelFunc) {
	ctx, release = signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, release)
	return ctx, release
}

// interruptible reports whether a command ends in order after a signal. A signal ends
// the other commands at once.
func interruptible(command string) bool {
	return slices.Contains([]string{
		"run", "sprt", "duel", "init", "play", "report", "lab", "check", "serve", "worker",
	}, command)
}

// interrupted reports whether an error is only due to the end of the context.
func interrupted(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, context.Cause(ctx))
}
