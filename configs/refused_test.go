package configs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sembra/arena/protocol"
	"sembra/engine"
)

// builtins stand for those that the program hands in.
func builtins() []Builtin {
	return []Builtin{
		{Name: "random", Command: []string{"/bin/sembra", "bot", "random"}},
		{Name: "greedy", Command: []string{"/bin/sembra", "bot", "greedy"}},
		{Name: "minimax", Command: []string{"/bin/sembra", "bot", "minimax"}, Options: []protocol.Option{
			{Name: "Depth", Type: "spin", Max: 64}, {Name: "Book", Type: "check"}, {Name: "Note", Type: "string"},
		}},
	}
}

const twoBots = `[[bot]]
name = "a"
builtin = "random"
[[bot]]
name = "b"
builtin = "greedy"
`

// inFolder makes the test run in a new folder with the given files: names and contents by turns.
func inFolder(t *testing.T, files ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for i := 0; i < len(files); i += 2 {
		write(t, files[i], files[i+1])
	}
}

// write writes a file, and makes its folder.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// refusal returns the error of a file that has to be refused with an *Error.
func refusal(t *testing.T, path string) string {
	t.Helper()
	c, err := Load(path, builtins())
	if err == nil {
		t.Fatalf("%s was accepted: %+v", path, c)
	}
	if bad := new(Error); !errors.As(err, &bad) {
		t.Fatalf("%s was refused with a %T: %v", path, err, err)
	}
	return err.Error()
}

// refusedCase is one case of testdata/refused.txt.
type refusedCase struct{ name, text, list, want string }

// refusedCases reads testdata/refused.txt.
func refusedCases(t testing.TB) []refusedCase {
	t.Helper()
	text := must2(os.ReadFile("testdata/refused.txt"))
	var cases []refusedCase
	for _, part := range strings.Split(string(text), "\n=== ")[1:] {
		var c refusedCase
		var before string
		c.name, part, _ = strings.Cut(part, "\n")
		before, c.want, _ = strings.Cut(part, "--- error\n")
		c.want = strings.ReplaceAll(strings.TrimRight(c.want, "\n"), "@rulesets", engine.RulesetList())
		c.text, c.list, _ = strings.Cut(before, "--- list.txt\n")
		c.text = strings.Replace(c.text, "@bots\n", twoBots, 1)
		cases = append(cases, c)
	}
	return cases
}

func TestRefused(t *testing.T) {
	for _, c := range refusedCases(t) {
		t.Run(c.name, func(t *testing.T) {
			files := []string{"t.toml", c.text}
			if c.list != "" {
				files = append(files, "list.txt", c.list)
			}
			inFolder(t, files...)
			got := refusal(t, "t.toml")
			equal(t, "error", c.want, got)
		})
	}
}

// TestRefusedBytes has what no text file can show.
func TestRefusedBytes(t *testing.T) {
	const inTournament = "[tournament]\r\nruleset = \"awale\"\r\n"
	for _, c := range []struct{ name, text, list, want string }{
		{
			name: "CR LF",
			text: inTournament + "  pairs = 0\r\n" + twoBots,
			want: "t.toml:3:3: tournament.pairs is 0; it must be at least 1\n" +
				"    3 |   pairs = 0\n" +
				"      |   ^",
		},
		{
			name: "UTF-16",
			text: "\xff\xfe[\x00t\x00",
			want: "t.toml: the file is binary or UTF-16, and not a text in UTF-8",
		},
		{
			name: "CR LF in a list of openings",
			text: inTournament + "[openings]\r\nfile = \"list.txt\"\r\n" + strings.ReplaceAll(twoBots, "\n", "\r\n"),
			list: "# none\r\nstartpos moves A Q\r\n",
			want: "list.txt:2:18: move 2 of 2: illegal move \"Q\" (legal: a b c d e f)\n" +
				"    2 | startpos moves A Q\n" +
				"      |                  ^",
		},
		{
			name: "endless line in a list of openings",
			text: inTournament + "[openings]\r\nfile = \"list.txt\"\r\n" + twoBots,
			list: "startpos\n" + strings.Repeat("\x00", 1<<20) + "\nmore\n",
			want: "list.txt:2:1: the line has more than 64 KiB, so the rest of the list is not read\n    2 | \n      | ^",
		},
		{
			name: "not UTF-8",
			text: "[tournament]\nname = \"\xff\"\n",
			want: "t.toml:2:9: invalid UTF-8 character in basic string; the rest of the file was not checked\n" +
				"    2 | name = \"\\xff\"\n" +
				"      |         ^",
		},
		{
			name: "bytes for a terminal",
			text: "[tournament]\n# \u009b2J\n\tname\t= \"\"#\x1b]0;mine\x07\x1b[2J\n",
			want: "t.toml:3:12: control characters are not allowed in comments; the rest of the file was not checked\n" +
				"    3 | \tname\t= \"\"#␛]0;mine␇␛[2J\n" +
				"      | \t    \t     ^",
		},
		{
			name: "a key for a terminal",
			text: "[tournament]\nruleset = \"awale\"\n[[bot]]\nname = \"a\"\nbuiltin = \"random\"\n" +
				"env = { \"\\u001b[2J\" = [] }\n[[bot]]\nname = \"b\"\nbuiltin = \"random\"\n",
			want: "t.toml:6:9: env.␛[2J of bot 1 is a list; it must be a text, a number, true or false\n" +
				"    6 | env = { \"\\u001b[2J\" = [] }\n" +
				"      |         ^",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			inFolder(t, "t.toml", c.text, "list.txt", c.list)
			equal(t, "error", c.want, refusal(t, "t.toml"))
		})
	}
}

func TestUnreadableFile(t *testing.T) {
	inFolder(t, "dir/x", "")
	for path, want := range map[string]string{
		"gone.toml": "gone.toml: the tournament file cannot be read: no such file or directory",
		"dir":       "dir: the tournament file cannot be read: is a directory",
	} {
		equal(t, "error", want, refusal(t, path))
	}
}

// TestDefaultName: the name of the file becomes the tournament's, and has to be fit for it.
func TestDefaultName(t *testing.T) {
	inFolder(t, "my cup.toml", "[tournament]\nruleset = \"awale\"\n"+twoBots)
	const want = `my cup.toml:1:2: the tournament's name is "my cup"; it must be 1 to 32 characters of A-Z a-z 0-9 . _ + -
    1 | [tournament]
      |  ^`
	equal(t, "error", want, refusal(t, "my cup.toml"))
}

// TestManyMistakes: of very many mistakes a person reads the first, and what would take the parser long is refused.
func TestManyMistakes(t *testing.T) {
	keys := ""
	for i := range mostKeys + 1 {
		keys += fmt.Sprintf("k%d = 1\n", i)
	}
	for _, c := range []struct {
		text, want string
		errors     int
	}{
		{strings.Repeat("[[bot]]\nbuiltin = \"odd\"\n", 500), "\nand 981 more", 20},
		{"[tournament]\n" + keys, "t.toml:1002:1: a table has at most 1000 keys", 1},
		{strings.Repeat("a.", 5000) + "b = 1", "t.toml:1:4097: a table has at most 1000 keys, and a key 4096 bytes", 1},
	} {
		inFolder(t, "t.toml", c.text)
		got := refusal(t, "t.toml")
		if !strings.Contains(got, c.want) || strings.Count(got, "t.toml:") != c.errors {
			t.Errorf("%.2000s; want %d errors and %q", got, c.errors, c.want)
		}
	}
}
