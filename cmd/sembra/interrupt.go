package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/urfave/cli/v2"
)

// errInterrupted says that a signal ended a run.
var errInterrupted = errors.New("stopped by a signal")

// untilInterrupted returns a context that a signal ends. A second signal ends the
// program at once.
func untilInterrupted(c *cli.Context) (ctx context.Context, release context.CancelFunc) {
	ctx, release = signal.NotifyContext(c.Context, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, release)
	return ctx, release
}

// interrupted reports whether an error is only due to the end of the context.
func interrupted(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, context.Cause(ctx))
}
