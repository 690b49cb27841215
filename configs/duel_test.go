package configs

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sembra/arena"
	"sembra/arena/guest"
	"sembra/arena/protocol"
	"sembra/engine"
)

// TestDuelConfig: a duel is the tournament that a file describes.
func TestDuelConfig(t *testing.T) {
	t.Parallel()
	want, err := Parse("duel.toml", []byte(`
[tournament]
ruleset = "bechi"
pairs = 3
seed = 7
[openings]
plies = 6
[time]
base = "5s"
increment = "50ms"
[isolation]
mode = "none"
[[bot]]
name = "minimax-Depth8"
builtin = "minimax"
options = { Depth = 8 }
[[bot]]
name = "mine"
command = ["python3", "a b.py", ""]
`), someBuiltins())
	if err != nil {
		t.Fatal(err)
	}
	control, err := ParseTime("5s+50ms")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Duel{
		Ruleset: "bechi", Pairs: 3, Seed: 7, Isolation: "none", Time: control,
		Bots: []Bot{
			{
				Name: "minimax-Depth8", Builtin: "minimax", Args: []string{"sembra", "bot", "minimax"},
				Options: []protocol.OptionValue{{Name: "Depth", Value: "8"}},
			},
			{Name: "mine", Args: []string{"python3", "a b.py", ""}},
		},
	}.Config()
	if err != nil {
		t.Fatal(err)
	}
	rules := cmp.Comparer(func(a, b engine.Ruleset) bool { return a.Info() == b.Info() })
	if diff := cmp.Diff(want.Tournament, got.Tournament, rules); diff != "" {
		t.Errorf("(-file +duel):\n%s", diff)
	}
}

func mustAbs(t *testing.T) string {
	t.Helper()
	abs, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

func TestParseTime(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]arena.TimeControl{
		"100ms": {Move: 100 * time.Millisecond}, "5s+50ms": {Base: 5 * time.Second, Increment: 50 * time.Millisecond},
		"5s+0": {Base: 5 * time.Second},
	} {
		if got, err := ParseTime(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"": "like 5s+50ms", "100": "like 5s+50ms", "5s+": "like 5s+50ms", "+50ms": "like 5s+50ms", "5s+50ms+1s": "like 5s+50ms",
		"0": `"0" must be a time from 1ms to 1000h`, "-5s+1s": `"-5s" must be a time from 1ms`,
		"5s+-1s": `"-1s" must be a time from 0s`, "1000h0.01s": "to 1000h", "5s+9999h": `"9999h" must be`,
	} {
		if got, err := ParseTime(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %s", text, got, err, want)
		}
	}
}

// TestCommented: the file for any bots and any ruleset loads, and describes them.
func TestCommented(t *testing.T) {
	t.Parallel()
	odd := "a \"b\" \\ 'c' \t ü"
	options := []protocol.OptionValue{
		{Name: "Book", Value: "true"}, {Name: "Depth", Value: "8"}, {Name: "Note", Value: odd},
	}
	for _, rules := range engine.Rulesets() {
		text, err := Commented("cup.toml", rules, []Bot{
			{
				Name: "deep", Protocol: "mbi", Builtin: "minimax", Options: options,
			},
			{Name: "mine", Protocol: "mbi", Args: []string{"python3", odd, ""}},
		})
		if err != nil {
			t.Fatal(err)
		}
		c, err := Parse("cup.toml", text, someBuiltins())
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if got := c.Tournament.Rules.Info(); got != rules.Info() {
			t.Errorf("the ruleset is %v and not %v", got, rules.Info())
		}
		deep, mine := c.Tournament.Entries[0], c.Tournament.Entries[1]
		if diff := cmp.Diff(options, deep.Options); deep.Builtin != "minimax" || diff != "" {
			t.Errorf("%s: %s", deep.Builtin, diff)
		}
		if diff := cmp.Diff([]string{"python3", odd, ""}, mine.Launcher.(guest.Command).Args); diff != "" {
			t.Error(diff)
		}
	}
}

// TestCommentedElsewhere: a bot runs in the current directory, wherever the file is.
func TestCommentedElsewhere(t *testing.T) {
	t.Parallel()
	rules := ruleset(t, "oware")
	mine := Bot{Name: "mine", Protocol: "mbi", Args: []string{"./mine"}}
	for _, path := range []string{"cup.toml", "sub/cup.toml", "../cup.toml", filepath.Join(t.TempDir(), "cup.toml")} {
		text, err := Commented(path, rules, []Bot{mine, {Name: "random", Protocol: "mbi", Builtin: "random"}})
		if err != nil {
			t.Fatal(err)
		}
		c, err := Parse(path, text, someBuiltins())
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if got := c.Tournament.Entries[0].Launcher.(guest.Command).Dir; got != mustAbs(t) {
			t.Errorf("%s: the bot runs in %s\n%s", path, got, text)
		}
	}
}
