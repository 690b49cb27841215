package guest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBadFirstLine: what editors on Windows do to the first line of a script.
func TestBadFirstLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                             "",
		"#!/bin/sh\necho\r\n":          "",
		"print(1)\r\n":                 "",
		"\ufeffprint(1)\n":             "",
		"#!/usr/bin/env node\r\nx\r\n": "ends with CR LF",
		"\ufeff#!/bin/sh\n":            "a byte order mark",
	} {
		path := filepath.Join(t.TempDir(), "bot")
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		if got := badFirstLine(path); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestQuoteStderr: the last lines come as they stand, as many as there is room for.
func TestQuoteStderr(t *testing.T) {
	t.Parallel()
	numbers := strings.Fields("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21")
	for _, test := range []struct{ stderr, want string }{
		{"", ""},
		{"\n \n", ""},
		{"loading\n\nready\n", "; it wrote: loading⏎⏎ready"},
		{
			"Traceback (most recent call last):\n  File \"b.py\", line 3\nValueError: no\x1b move\n",
			"; it wrote: Traceback (most recent call last):⏎  File \"b.py\", line 3⏎ValueError: no␛ move",
		},
		{strings.Join(numbers, "\n"), "; it wrote: " + strings.Join(numbers[1:], "⏎")},
		{"begin\n" + strings.Repeat("y", 3000), "; it wrote: …" + strings.Repeat("y", 2000)},
	} {
		if got := QuoteStderr([]byte(test.stderr)); got != test.want {
			t.Errorf("%q: %q, want %q", test.stderr, got, test.want)
		}
	}
}
