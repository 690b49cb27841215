package main

import (
	"fmt"
	"io"
	"strconv"
)

// sticky is an output that remembers its first error. A command can print without
// checking each write, and still fails if the output is not complete.
type sticky struct {
	io.Writer
	err error
}

func (s *sticky) Write(b []byte) (int, error) {
	n, err := s.Writer.Write(b)
	if s.err == nil {
		s.err = err
	}
	return n, err
}

// printLine prints a line. An output of type sticky remembers the error.
func printLine(w io.Writer, line string) { _, _ = fmt.Fprintln(w, line) }

// wholeNumber reads a whole number from the command line.
func wholeNumber(what, text string, least, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, usage("%s must be a whole number from %d to %d, not %q", what, least, most, text)
	}
	return n, nil
}

// plural returns a number with the thing that it counts.
func plural(n int, one, many string) string {
	switch n {
	case 0:
		return "no " + many
	case 1:
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
