package arena

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestPythonHint: the links of an interpreter tell the version of Python.
func TestPythonHint(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no links, and no scripts")
	}
	dir := t.TempDir()
	if strings.Contains(dir, " ") {
		t.Skip("the first line of a script cannot name an interpreter whose path has a space")
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{
		"python3.8": "", "python3.13t": "", "python2": "", "other3.8": "",
		"bot.py": "#!" + at("python3") + " -u\nimport x\n", "sh.py": "#!/bin/sh\n", "empty": "", "odd": "#!\n",
	} {
		if err := os.WriteFile(at(name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"python3": "python3.8", "python": "python3", "free": "python3.13t"} {
		if err := os.Symlink(target, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	const wrong = "ModuleNotFoundError: No module named 'numpyy'\n"
	for _, test := range []struct{ program, line, want string }{
		{"python", wrong, " (Python 3.8)"},
		{"python3.8", "SyntaxError: invalid syntax\n", " (Python 3.8)"},
		{"free", "ImportError: cannot import name 'x'\n", " (Python 3.13)"},
		{"bot.py", wrong, " (Python 3.8)"},

		{"python", "ValueError: no move\n", ""},
		{"python", "it says SyntaxError: invalid syntax\n", ""},
		{"python2", wrong, ""},
		{"other3.8", wrong, ""},
		{"sh.py", wrong, ""},
		{"empty", wrong, ""},
		{"odd", wrong, ""},
		{"none", wrong, ""},
	} {
		if got := pythonHint(at(test.program), test.line); got != test.want {
			t.Errorf("%s, %q: %q, want %q", test.program, test.line, got, test.want)
		}
	}
}
