//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyResized sends a signal to resized when the terminal has another size.
func notifyResized(resized chan<- os.Signal) { signal.Notify(resized, syscall.SIGWINCH) }

// allowSequences does nothing: terminals understand control sequences.
func allowSequences(*os.File) (giveBack func(), err error) { return func() {}, nil }
