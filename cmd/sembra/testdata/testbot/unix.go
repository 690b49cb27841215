//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// leaveBehind starts a process that stays, and another in a session of its own.
func leaveBehind() {
	self, err := os.Executable()
	for _, alone := range []bool{false, true} {
		left := exec.Cmd{Path: self, Args: []string{os.Args[0], "left"}, SysProcAttr: &syscall.SysProcAttr{Setsid: alone}}
		if err == nil {
			err = left.Start()
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "nobody is left behind:", err)
		syscall.Exit(1)
	}
}
