// Package guest runs bots: it starts each as a process, in a sandbox if there is one, talks with it, and ends it with
// all that it has started.
//
// [Start] starts the bot of an [Entry] and takes it through the handshake. The [Player] that it returns has the bot's
// wire, the host of its protocol and a [Journal] of what is said. A [Command] is a bot as a process; the tests start
// bots in memory. A [Spawner] owns the processes, which live on a [Thread], and makes sure that none is left. A [Pool]
// keeps bots that have no match, frozen. A bot runs only while it is waited for ([Player.Wake]), and the bots of a match
// run on the same processors ([ShareProcessors]).
//
// A bot's wire, journal and host belong to one goroutine at a time. Two goroutines more live as long as a bot: one
// keeps its standard error, one waits for its exit if no sandbox does.
//
// The package knows neither rules nor matches.
package guest

import (
	"context"
	"io"
	"time"

	"sembra/arena/protocol"
	"sembra/arena/sandbox"
)

// Bot is a running bot: the wire to its standard input and output, and the means
// to stop it.
type Bot interface {
	// Read and Write fail with os.ErrDeadlineExceeded after the deadline, and
	// with io.EOF or another error when the bot is gone.
	io.ReadWriter
	protocol.Pender

	// SetDeadline sets the time at which Read and Write give up. The zero time
	// is never. What DuringRead has set does not apply any more.
	SetDeadline(t time.Time)

	// DuringRead lets Read call a function once if it still waits at that time, before the
	// deadline. Read then waits on.
	DuringRead(at time.Time, do func())

	// InputRead reports whether the bot has read all that was written to it. It is true where the system does not
	// tell, and for a bot that is gone.
	InputRead() bool

	// CloseInput ends the bot's standard input.
	CloseInput()

	// Arrived returns when the bytes of the last Read arrived.
	Arrived() time.Time

	// Stop ends the bot and the processes that it started. The bot first has
	// the grace to exit by itself. Stop returns when the bot is gone. It may be
	// called at any time, from any goroutine, and more than once.
	Stop(grace time.Duration)

	// Exit returns, after Stop, how the bot exited by itself, such as "exit
	// status 3". It returns "" if the bot did not, or if that is not known.
	Exit() string

	// Stderr returns the last bytes that the bot wrote to its standard error, and
	// the number of bytes before them. It is complete after Stop. The bytes are
	// not safe to print.
	Stderr() (end []byte, left int64)

	// WhyEnded says what is certain about why the bot ended or did not start, beside
	// its standard error. It returns "" if nothing is.
	WhyEnded() string

	// Watch passes the bot's standard error to a function from now on, with the time
	// at which it arrived, including what the bot wrote while nobody watched. The
	// function may run in another goroutine. A nil function ends the watching.
	Watch(func(at time.Time, text []byte))

	// Drain takes all of the bot's standard error that has arrived, if the system
	// can, and passes it to the watcher with that time. It does not wait for more.
	Drain(at time.Time)

	// A bot that is gone is left alone.
	sandbox.Control
}

// Launcher starts bots.
type Launcher interface {
	// Launch starts a bot. The context ends the start, not the bot.
	Launch(context.Context, *Spawner) (Bot, error)
}

// Entry is a bot's entry in a tournament.
type Entry struct {
	Name        string // unique in the tournament
	Builtin     string // name of the built-in bot; "" if it is none
	Launcher    Launcher
	Dialect     protocol.Dialect
	Folder      string   // where it runs, as the tournament file says
	Environment []string // what the tournament file adds to the clean environment
	EnvFrom     []string // names of variables of this program's environment that it gets; their values are kept nowhere
	Allowance   sandbox.Allowance
	Options     []protocol.OptionValue
	Restart     bool // start a new process for every match
	Withdrawn   bool // it plays no match, so it does not start
}
