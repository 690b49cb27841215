package arena

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sembra/arena/jail"
)

// TestHint: the words of Python, C, Java, Node, Go and the shell for what a jail refuses.
func TestHint(t *testing.T) {
	t.Parallel()
	cell, err := jail.None().Cell(t.Context(), jail.Command{})
	if err != nil {
		t.Fatal(err)
	}
	limits := jail.Limits{Memory: 512 << 20, Processes: 16, Temp: 1 << 30}
	all := jail.Layers{Files: true, Network: true, Memory: true, Processes: true, Disk: true}
	const (
		writes  = "; isolation: a bot may write only to its temporary folder, which the variable TMPDIR names"
		network = "; isolation: a bot has no network (network = true in [isolation] of a tournament file allows it)"
		disk    = "; isolation: the temporary folder of a bot holds 1GiB (temp in [isolation] of a tournament file changes that)"
		memory  = "; isolation: a process of a bot may use 512MiB of memory (memory in [isolation] of a tournament file changes that)"
		ofJava  = "; isolation: a process of a bot may use 512MiB of memory " +
			"(memory in [isolation] of a tournament file changes that; java -Xmx256m needs less)"
		processes = "; isolation: a bot may have 16 processes and threads (processes in [isolation] of a tournament file changes that)"
	)
	for _, test := range []struct{ line, want string }{
		{"", ""},
		{"ValueError: no move", ""},
		{"OSError: [Errno 30] Read-only file system: 'log.txt'", writes},
		{"Error: EROFS: read-only file system, open '/bots/a/log.txt'", writes},
		{"panic: open log.txt: read-only file system", writes},
		{"PermissionError: [Errno 13] Permission denied: 'log.txt'", writes},
		{"PermissionError: [Errno 13] Permission denied: '/bots/a/log.txt'", writes},
		{"PermissionError: [Errno 13] Permission denied: '/elsewhere/log.txt'", ""},
		{"FileNotFoundError: [Errno 2] No such file or directory: 'book.bin'", ""},
		{"ConnectionRefusedError: [Errno 111] Connection refused", network},
		{"Error: getaddrinfo EAI_AGAIN example.org", network},
		{"dial tcp: lookup example.org: no such host", network},
		{"java.net.ConnectException: Network is unreachable", network},
		{"OSError: [Errno 28] No space left on device", disk},
		{"File size limit exceeded", disk},
		{"terminate called after throwing an instance of 'std::bad_alloc'", memory},
		{"MemoryError", memory},
		{"OpenJDK 64-Bit Server VM warning: INFO: os::commit_memory(0x00000000c5800000, 715128832, 0) failed; " +
			"error='Not enough space' (errno=12)", ofJava},
		{"# There is insufficient memory for the Java Runtime Environment to continue.", ofJava},
		{"Could not reserve enough space for 8388608KB object heap", ofJava},
		{`Exception in thread "main" java.lang.OutOfMemoryError: Java heap space`, ""},
		{"memory allocation of 8589934592 bytes failed", memory},
		{"BlockingIOError: [Errno 11] Resource temporarily unavailable", processes},
	} {
		if got := (confinement{all, limits, cell, "/bots/a", nil}).hint(test.line); got != test.want {
			t.Errorf("%q: %q, want %q", test.line, got, test.want)
		}
		if got := (confinement{jail.Layers{}, limits, cell, "/bots/a", nil}).hint(test.line); got != "" {
			t.Errorf("%q without isolation: %q", test.line, got)
		}
	}
}

// TestJavaHint: a full heap is a limit of Java, with and without isolation.
func TestJavaHint(t *testing.T) {
	t.Parallel()
	const heap = " (hint: Java itself limits its heap; -Xmx changes that, as in java -Xmx512m)"
	for _, test := range []struct{ line, want string }{
		{"", ""},
		{`Exception in thread "main" java.lang.OutOfMemoryError: Java heap space`, heap},
		{`Exception in thread "main" java.lang.OutOfMemoryError: GC overhead limit exceeded`, heap},
		{`Exception in thread "main" java.lang.OutOfMemoryError: Metaspace`, ""},
	} {
		if got := javaHint(test.line); got != test.want {
			t.Errorf("%q: %q, want %q", test.line, got, test.want)
		}
	}
}

// TestScriptHint: the words of env of GNU, in two locales, and of busybox.
func TestScriptHint(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		`/usr/bin/env: 'node\r': No such file or directory`: true,
		`/usr/bin/env: ‘node\r’: No such file or directory`: true,
		`/usr/bin/env: 'node': No such file or directory`:   false,
		`SyntaxError: bad escape \r`:                        false,
	} {
		if got := scriptHint(line); (got != "") != want {
			t.Errorf("%s: %q", line, got)
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
		{"/data/x", []string{"/data/x"}},
	} {
		if diff := cmp.Diff(test.want, pathsIn(test.line)); diff != "" {
			t.Errorf("%q (-want +got)\n%s", test.line, diff)
		}
	}
}
