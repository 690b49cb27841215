package arena

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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

// TestPathsIn finds absolute paths in the words of several languages.
func TestPathsIn(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		line string
		want []string
	}{
		{"no path: a/b", nil},
		{"[Errno 2] No such file or directory: '/data/book.bin'", []string{"/data/book.bin"}},
		{"cat: /data/../data/book.bin: No such file or directory", []string{"/data/book.bin"}},
		{"open /data/book.bin: no such file", []string{"/data/book.bin"}},
		{"cannot open \"/a/b\" (/c).", []string{"/a/b", "/c"}},
		{"\t/home/me/bot/main.go:12 +0x5c", nil},
		{"/data/x", []string{"/data/x"}},
	} {
		if diff := cmp.Diff(test.want, pathsIn(test.line)); diff != "" {
			t.Errorf("%q (-want +got)\n%s", test.line, diff)
		}
	}
}
