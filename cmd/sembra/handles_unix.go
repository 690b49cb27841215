//go:build unix

package main

import (
	"fmt"
	"os"
	"syscall"
)

// enoughHandles returns an error if the process may not open the few files without
// which the runtime of Go stops the program with a trace of its stacks: two for
// waiting, and the first file that is read.
func enoughHandles() error {
	const least = 3
	for range least {
		fd, err := syscall.Open(os.DevNull, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
		if err == syscall.EMFILE || err == syscall.ENFILE {
			return fmt.Errorf("too few files can be opened: %w", err)
		}
		if err == nil {
			defer syscall.Close(fd)
		}
	}
	return nil
}
