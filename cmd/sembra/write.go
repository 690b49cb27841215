package main

import (
	"fmt"
	"io"
	"strconv"
)

// sticky is an output that remembers its first error, so that a command may
// print without looking each time, and one that could not print all has failed.
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

// printLine prints a line; see sticky for its errors.
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
