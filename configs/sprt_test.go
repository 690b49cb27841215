package configs

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sembra/arena"
	"sembra/results"
	"sembra/results/stats"
)

// testFile writes t.toml with two bots, the test and what else is given.
func testFile(t *testing.T, tournament, sprt, rest string) {
	t.Helper()
	text := "[tournament]\nruleset = \"awale\"\n" + tournament + "\n[sprt]\n" + sprt + "\n" + rest + "\n" + twoBots
	write(t, "t.toml", text)
}

// sequential returns the test of t.toml.
func sequential(t *testing.T) results.Plan {
	t.Helper()
	return must2(Load("t.toml", builtins())).Plan
}

func TestSprtKeys(t *testing.T) {
	inFolder(t)
	for _, c := range []struct {
		sprt  string
		want  stats.Test
		pairs int
	}{
		{"", stats.Test{Elo0: 0, Elo1: 30, Alpha: 0.05, Beta: 0.05, Model: stats.Normalized}, 5000},
		{
			"elo0 = -5\nelo1 = 2.5\nalpha = 0.1\nbeta = 0.2\nmodel = \"logistic\"\nmax_pairs = 7",
			stats.Test{Elo0: -5, Elo1: 2.5, Alpha: 0.1, Beta: 0.2, Model: stats.Logistic},
			7,
		},
	} {
		testFile(t, "name = \"duel\"", c.sprt, "")
		if config := load("t.toml"); config.MaxPairs != c.pairs {
			t.Errorf("%q: up to %d pairs", c.sprt, config.MaxPairs)
		}
		test := sequential(t)
		equal(t, c.sprt, &c.want, test.Test)
		if test.Format != results.Sequential || test.Pairs != c.pairs || test.Name != "duel" || len(test.Bots) != 2 {
			t.Errorf("%q: %+v", c.sprt, test)
		}
		if !slices.Equal(test.Openings, arena.StartPositions(must2(test.Rules()), c.pairs)) {
			t.Errorf("%q: its %d openings are not the start position", c.sprt, len(test.Openings))
		}
	}
	write(t, "t.toml", "[tournament]\nruleset = \"awale\"\n"+twoBots)
	if load("t.toml").Plan.Test != nil {
		t.Error("without a table there is a test")
	}
}

// TestSprtOpenings: as many as there are, up to the largest number of pairs, and more of them move none.
func TestSprtOpenings(t *testing.T) {
	const list = "startpos moves A\nstartpos moves B\nstartpos moves C\nstartpos moves D\nstartpos moves E\nstartpos moves F\n"
	inFolder(t, "list.txt", list)
	openings := func(tournament, sprt, rest string) []string {
		t.Helper()
		testFile(t, tournament, sprt, "[openings]\n"+rest)
		return sequential(t).Openings
	}
	config := func(rest string) []string {
		t.Helper()
		write(t, "t.toml", "[tournament]\nruleset = \"awale\"\npairs = 6\n[openings]\n"+rest+"\n"+twoBots)
		return load("t.toml").Plan.Openings
	}

	random := openings("", "", "plies = 1")
	equal(t, "the random openings of a tournament and of a test", config("plies = 1"), random)
	equal(t, "fewer pairs have other openings", random[:4], openings("", "max_pairs = 4", "plies = 1"))

	inOrder, shuffled := config(`file = "list.txt"`), openings("", "", `file = "list.txt"`)
	if diff := cmp.Diff(slices.Sorted(slices.Values(inOrder)), slices.Sorted(slices.Values(shuffled))); diff != "" || slices.Equal(inOrder, shuffled) {
		t.Errorf("a list is not played in another order:\n%s", diff)
	}
	if diff := cmp.Diff(shuffled[:4], openings("", "max_pairs = 4", `file = "list.txt"`)); diff != "" {
		t.Errorf("fewer pairs have other openings of a list:\n%s", diff)
	}
	if slices.Equal(shuffled, openings("seed = 2", "", `file = "list.txt"`)) {
		t.Error("another seed leaves the list in its order")
	}
}

// TestNoTest: files from which no test can be played.
func TestNoTest(t *testing.T) {
	inFolder(t, "list.txt", "")
	const head = "[tournament]\nruleset = \"awale\"\n"
	for text, want := range map[string]string{
		"pairs = 2\n[sprt]\n" + twoBots:                       "t.toml:3:1: tournament.pairs is given, but the file has a table [sprt]",
		"[sprt]\n" + twoBots + manyBots(1):                    "t.toml:11:3: the number of bots is 3 (a, b, b1)",
		"format = \"swiss\"\n[sprt]\n" + twoBots:              "t.toml:3:1: tournament.format is \"swiss\"; for a test",
		"[sprt]\n[openings]\nfile = \"list.txt\"\n" + twoBots: "t.toml:5:1: list.txt has too few openings: 0 of 1",
	} {
		write(t, "t.toml", head+text)
		if _, err := Load("t.toml", builtins()); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	write(t, "t.toml", head+"format = \"round-robin\"\n[sprt]\n"+strings.Replace(twoBots, "greedy", "minimax", 1))
	sequential(t)
}
