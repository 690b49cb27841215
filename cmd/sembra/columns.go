package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// terminalColumns returns the width of a terminal in characters, and 0 if the
// output is not a terminal.
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
