package arena

import (
	"context"
	"io"
	"time"

	"sembra/arena/protocol"
)

// Bot is a running bot as the arena holds it: the wire to its standard input
// and output, and the means to end it.
type Bot interface {
	// Read and Write fail with os.ErrDeadlineExceeded once the deadline has
	// passed, and with io.EOF or another error when the bot is gone.
	io.ReadWriter
	protocol.Pender

	// SetDeadline sets the moment at which reading and writing gives up. Zero
	// is never.
	SetDeadline(t time.Time) error

	// Arrived returns when the bytes of the last Read came.
	Arrived() time.Time

	// Stop ends the bot and all that it started. With a grace it has that long
	// to exit by itself. Stop returns when the bot is gone; it may be called
	// at any time, from any goroutine, and again.
	Stop(grace time.Duration)

	// Exit returns how the bot exited by itself, such as "exit status 3", or ""
	// if it did not or nothing is known. It is known after Stop.
	Exit() string

	// Log returns the end of what the bot wrote to its standard error, bytes
	// of a stranger, and how many were before it. It is complete after Stop.
	Log() (end []byte, left int64)

	// Watch gives what the bot writes to its standard error from now on, and
	// what it wrote unwatched, to a function, in some goroutine; nil ends it.
	Watch(func(text []byte))

	// CPU returns the processor time that the bot has used so far, and false
	// where that is not known.
	CPU() (time.Duration, bool)

	// Pause stops the bot until Resume, so that it uses no processor: all that
	// it started in a jail, else its process group. A bot that cannot be paused
	// goes on.
	Pause()
	Resume()
}

// Launcher starts bots.
type Launcher interface {
	// Launch starts a bot. The context ends the start, not the bot.
	Launch(context.Context, *Nursery) (Bot, error)
}

// Entry is a bot's entry in a tournament.
type Entry struct {
	Name        string // unique in the tournament
	Builtin     string // the built-in bot that it is; "": a stranger's
	Launcher    Launcher
	Folder      string   // where it runs, as its configuration says
	Environment []string // what its configuration adds to the clean environment
	Options     []protocol.OptionValue
	Restart     bool // a fresh process for every match
}
