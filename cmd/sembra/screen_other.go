//go:build !unix && !windows

package main

import "os"

// notifyResized does nothing: the size is looked at with each key.
func notifyResized(chan<- os.Signal) {}

// allowSequences does nothing: terminals are taken to understand control
// sequences.
func allowSequences(*os.File) (giveBack func(), err error) { return func() {}, nil }
