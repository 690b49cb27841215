// Package early plays as a built-in bot before the rest of the program is initialised.
//
// The program starts itself as "sembra bot NAME" for each process of a built-in bot. Go initialises all packages of a
// program before main. In such a process most of the time and memory would go to packages that no bot needs, such as the
// server for workers. So this package has an init function, which plays and then ends the process. It runs early, because
// Go initialises a package as soon as everything that the package imports is initialised. Therefore this package may import
// only bots and what it needs.
package early

import (
	"os"
	"syscall"

	"sembra/bots"
)

// failed is why the bot of this process stopped, or nil.
var failed error

// init does nothing unless the command line is exactly that of a built-in bot. The command bot answers all others.
func init() {
	if len(os.Args) != 3 || os.Args[1] != "bot" {
		return
	}
	builtin, err := bots.Lookup(os.Args[2])
	if err != nil {
		return
	}
	played := make(chan error)
	go func() { played <- bots.Serve(os.Stdin, os.Stdout, builtin.New()) }() // Go binds init to one thread, which is slower
	if failed = <-played; failed == nil {
		syscall.Exit(0) // with the race detector, os.Exit waits a second
	}
}

// Failed returns why the built-in bot of this process stopped. It is nil if this process has not played as a bot.
func Failed() error { return failed }
