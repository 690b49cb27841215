package main

import (
	"fmt"
	"io"
	"strconv"
)

// printLine prints a line. That a terminal or a pipe is gone shows at the next
// thing that can fail.
func printLine(w io.Writer, line string) { _, _ = fmt.Fprintln(w, line) }

// wholeNumber reads a whole number from the command line.
func wholeNumber(what, text string, least, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, usage("%s is %q, a whole number from %d to %d expected", what, text, least, most)
	}
	return n, nil
}

// plural counts things.
func plural(n int, one, many string) string {
	switch n {
	case 0:
		return "no " + many
	case 1:
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
