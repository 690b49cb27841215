//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyResized asks to be told when the terminal has another size.
func notifyResized(resized chan<- os.Signal) { signal.Notify(resized, syscall.SIGWINCH) }

// allowSequences makes a terminal understand control sequences; giveBack undoes
// that.
func allowSequences(*os.File) (giveBack func(), err error) { return func() {}, nil }
