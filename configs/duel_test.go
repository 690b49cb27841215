package configs

import (
	"fmt"
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
`), builtins())
	if err != nil {
		t.Fatal(err)
	}
	got, err := Duel{
		Ruleset: "bechi", Pairs: 3, Seed: 7, Isolation: "none", Time: "5s+50ms",
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
	compare(t, want, got)
}

// TestDuelNodes: a limit of nodes needs no clock.
func TestDuelNodes(t *testing.T) {
	t.Parallel()
	bots := []Bot{{Name: "a", Builtin: "random"}, {Name: "b", Builtin: "greedy"}}
	duel := Duel{Ruleset: "awale", Bots: bots, Pairs: 1, Isolation: "none", Nodes: 20_000}
	if got := must2(duel.Config()).Plan.Time; got.Nodes != 20_000 || got.Clocked() {
		t.Errorf("without a time: %v", got)
	}
	duel.Time = "1s"
	if got := must2(duel.Config()).Plan.Time; got.Nodes != 20_000 || got.Move != time.Second {
		t.Errorf("with a time: %v", got)
	}
}

// TestDuelTime: a duel has the times of a tournament file, with their limits.
func TestDuelTime(t *testing.T) {
	t.Parallel()
	with := func(time string) (*Config, error) {
		bots := []Bot{{Name: "a", Builtin: "random"}, {Name: "b", Builtin: "greedy"}}
		return Duel{Ruleset: "awale", Bots: bots, Pairs: 1, Isolation: "none", Time: time}.Config()
	}
	for text, want := range map[string]arena.TimeControl{
		"100ms": {Move: 100 * time.Millisecond}, "5s+50ms": {Base: 5 * time.Second, Increment: 50 * time.Millisecond},
		"5s+0": {Base: 5 * time.Second},
	} {
		got := must2(with(text)).Plan.Time
		if got.Move != want.Move || got.Base != want.Base || got.Increment != want.Increment {
			t.Errorf("%s: %v", text, got)
		}
	}
	for _, text := range []string{
		"", "100", "5s+", "5s+50ms+1s", "0", "-5s+1s", "5s+-1s", "1000h0.01s", "5s+9999h",
	} {
		want := fmt.Sprintf("--time: %q must be a time from 1ms to 1000h for each move, like 100ms, or", text)
		if got, err := with(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %s", text, got, err, want)
		}
	}
}

// TestCommented: the file for any bots and any ruleset loads, wherever it is, and describes the bots, which run in the
// current directory.
func TestCommented(t *testing.T) {
	t.Parallel()
	const odd = "a \"b\" \\ 'c' \t ü <&>"
	options := []protocol.OptionValue{{Name: "Book", Value: "true"}, {Name: "Depth", Value: "8"}, {Name: odd, Value: odd}}
	deep := Bot{Name: "deep", Protocol: "mbi", Builtin: "minimax", Options: options}
	mine := Bot{Name: "mine", Protocol: "uci", Args: []string{"python3", odd, ""}}
	commented := func(path string, rules engine.Ruleset, bots ...Bot) *Config {
		text := must2(CommentedFile(path, rules, bots))
		c, err := Parse(path, text, builtins())
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return c
	}
	for _, rules := range engine.Rulesets() {
		other := Bot{Name: "b", Protocol: "mbi", Builtin: "random"}
		equal(t, "the ruleset", rules.Info().Name, commented("cup.toml", rules, deep, other).Plan.Ruleset)
	}
	for _, path := range []string{"cup.toml", "sub/cup.toml", "../cup.toml", filepath.Join(t.TempDir(), "my cup.toml")} {
		bots := commented(path, must2(engine.Lookup("oware")), deep, mine).Entries
		if diff := cmp.Diff(options, bots[0].Options); bots[0].Builtin != "minimax" || diff != "" {
			t.Errorf("%s: %s", bots[0].Builtin, diff)
		}
		command := bots[1].Launcher.(guest.Command)
		if !slices.Equal(mine.Args, command.Args) || command.Dir != must2(filepath.Abs(".")) || bots[1].Dialect != protocol.UCI {
			t.Errorf("%s: %+v", path, bots[1])
		}
	}
}
