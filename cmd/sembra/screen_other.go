//go:build !unix && !windows

package main

import "os"

// notifyResized does nothing: the viewer reads the size after each key.
func notifyResized(chan<- os.Signal) {}

// allowSequences does nothing: terminals understand control sequences.
func allowSequences(*os.File) (giveBack func(), err error) { return func() {}, nil }
