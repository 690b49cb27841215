package configs

import (
	"path/filepath"
	"slices"
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
`), builtins(), false)
	if err != nil {
		t.Fatal(err)
	}
	control := must2(ParseTime("5s+50ms"))
	got, err := Duel{
		Ruleset: "bechi", Pairs: 3, Seed: 7, Isolation: "none", Time: control,
		Bots: []Bot{
			{
				Name: "minimax-Depth8", Builtin: "minimax", Args: []string{"/bin/sembra", "bot", "minimax"},
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
		"": "like 5s+50ms", "100": "like 5s+50ms", "5s+": "like 5s+50ms", "5s+50ms+1s": "like 5s+50ms",
		"0": `"0" must be a time from 1ms to 1000h`, "-5s+1s": `"-5s" must be a time from 1ms`,
		"5s+-1s": `"-1s" must be a time from 0s`, "1000h0.01s": "to 1000h", "5s+9999h": `"9999h" must be`,
	} {
		if got, err := ParseTime(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %s", text, got, err, want)
		}
	}
}

// TestCommented: the file for any bots and any ruleset loads, wherever it is, and describes the bots, which run in the
// current directory.
func TestCommented(t *testing.T) {
	t.Parallel()
	const odd = "a \"b\" \\ 'c' \t ü <&> \x7f"
	options := []protocol.OptionValue{{Name: "Book", Value: "true"}, {Name: "Depth", Value: "8"}, {Name: odd, Value: odd}}
	deep := Bot{Name: "deep", Protocol: "mbi", Builtin: "minimax", Options: options}
	mine := Bot{Name: "mine", Protocol: "uci-spaced", Args: []string{"python3", odd, ""}}
	commented := func(path string, rules engine.Ruleset, bots ...Bot) arena.Tournament {
		text := must2(Commented(path, rules, bots))
		c, err := Parse(path, text, builtins(), false)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return c.Tournament
	}
	for _, rules := range engine.Rulesets() {
		other := Bot{Name: "b", Protocol: "mbi", Builtin: "random"}
		if got := commented("cup.toml", rules, deep, other).Rules.Info(); got != rules.Info() {
			t.Errorf("the ruleset is %v and not %v", got, rules.Info())
		}
	}
	for _, path := range []string{"cup.toml", "sub/cup.toml", "../cup.toml", filepath.Join(t.TempDir(), "my cup.toml")} {
		bots := commented(path, must2(engine.Lookup("oware")), deep, mine).Entries
		if diff := cmp.Diff(options, bots[0].Options); bots[0].Builtin != "minimax" || diff != "" {
			t.Errorf("%s: %s", bots[0].Builtin, diff)
		}
		command := bots[1].Launcher.(guest.Command)
		if !slices.Equal(mine.Args, command.Args) || command.Dir != must2(filepath.Abs(".")) || bots[1].Dialect != protocol.UCISpaced {
			t.Errorf("%s: %+v", path, bots[1])
		}
	}
}
