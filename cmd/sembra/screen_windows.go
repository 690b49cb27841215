package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// notifyResized does nothing: the viewer reads the size after each key.
func notifyResized(chan<- os.Signal) {}

// allowSequences makes a console understand control sequences, and giveBack
// undoes that.
func allowSequences(out *os.File) (giveBack func(), err error) {
	console := windows.Handle(out.Fd())
	var before uint32
	if err := windows.GetConsoleMode(console, &before); err != nil {
		return nil, err
	}
	if err := windows.SetConsoleMode(console, before|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING); err != nil {
		return nil, err
	}
	return func() { _ = windows.SetConsoleMode(console, before) }, nil
}
