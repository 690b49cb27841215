package guest

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

// TestRefused: only what cannot be the error of a file is one of a connection.
func TestRefused(t *testing.T) {
	t.Parallel()
	for stderr, want := range map[string]bool{
		"Error: connect EACCES 127.0.0.1:5432\n    at internalConnectMultiple\n":                       true,
		"Error: connect EACCES /run/x.sock\n":                                                          false,
		"Error: EACCES: permission denied, open '/x:1'\n":                                              false,
		"dial tcp 127.0.0.1:5432: socket: permission denied\n":                                         true,
		"urllib.error.URLError: <urlopen error [Errno 13] Permission denied>\n":                        true,
		"    s.connect(('127.0.0.1', 1))\n    ~~~~^^\nPermissionError: [Errno 13] Permission denied\n": true,
		"    f = open(p)\nPermissionError: [Errno 13] Permission denied: '/x'\n":                       false,
		"    s.connect(a)\nPermissionError: [Errno 13] Permission denied: '/x'\n":                      false,
		"    os.kill(1, 9)\nPermissionError: [Errno 13] Permission denied\n":                           false,
	} {
		if got := refusedConnection([]byte(stderr)); got != want {
			t.Errorf("%q: %v, want %v", stderr, got, want)
		}
	}
}

// TestItWrote: the last lines come whole, as many as there is room for.
func TestItWrote(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 590)
	for _, test := range []struct{ stderr, want string }{
		{"", ""},
		{"\n \n", ""},
		{"loading\r\n\nready\n", "; it wrote: loading⏎ready"},
		{
			"Traceback (most recent call last):\n  File \"b.py\", line 3\nValueError: no\x1b move\n",
			"; it wrote: Traceback (most recent call last):⏎  File \"b.py\", line 3⏎ValueError: no␛ move",
		},
		{"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n", "; it wrote: 2⏎3⏎4⏎5⏎6⏎7⏎8⏎9⏎10⏎11"},
		{
			"panic: out of seeds\n\ngoroutine 1 [running]:\nmain.a()\n\t/x.go:9\nmain.b()\n\t/x.go:3\nmain.c()\n\t/x.go:1\nmain.main()\n\t/x.go:7\nexit status 2\n",
			"; it wrote: panic: out of seeds⏎goroutine 1 [running]:⏎main.a()⏎main.b()⏎main.c()⏎main.main()⏎exit status 2",
		},
		{
			"/b/n.js:1\nfunction f(){throw new Error('boom')}\n             ^\n\nError: boom\n    at f (/b/n.js:1:14)\n\nNode.js v20.1.0\n",
			"; it wrote: Error: boom⏎    at f (/b/n.js:1:14)⏎Node.js v20.1.0",
		},
		{"no room for this\n" + long + "\nend\n", "; it wrote: " + long + "⏎end"},
		{"begin\n" + strings.Repeat("y", 1000), "; it wrote: …" + strings.Repeat("y", 600)},
	} {
		if got := Wrote([]byte(test.stderr)); got != test.want {
			t.Errorf("%q: %q, want %q", test.stderr, got, test.want)
		}
	}
}
