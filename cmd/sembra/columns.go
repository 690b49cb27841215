package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// terminalColumns returns how many characters fit in a line of a terminal, and 0
// for an output that is none.
func terminalColumns(w io.Writer) int {
	if s, ok := w.(*sticky); ok {
		w = s.Writer
	}
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 0
}
