package configs

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sembra/arena"
	"sembra/arena/guest"
	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/engine/expect"
	"sembra/results"
)

var equal = expect.Equal

func must2[T any](value T, err error) T { return expect.Value(value, err) }

// TestSamples loads every sample, and sees that what it names is there.
func TestSamples(t *testing.T) {
	played := make(map[string]bool)
	for _, sample := range samples(t) {
		t.Run(sample, func(t *testing.T) {
			c := load(sample)
			played[c.Plan.Ruleset] = true
			if want := strings.TrimSuffix(sample, ".toml"); c.Plan.Name != want {
				t.Errorf("its name is %q, want %q", c.Plan.Name, want)
			}
			if got := len(c.Plan.Openings); got != c.Plan.MostPairs() {
				t.Errorf("%d openings for %d pairs", got, c.Plan.MostPairs())
			}
			for _, e := range c.Entries {
				checkSampleBot(t, e)
			}
		})
	}
	for _, rules := range engine.Rulesets() {
		if name := rules.Info().Name; !played[name] {
			t.Errorf("no sample plays %s", name)
		}
	}
}

// samples returns the tournament files of this folder.
func samples(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("*.toml")
	if err != nil || len(files) == 0 {
		t.Fatalf("samples: %q, %v", files, err)
	}
	return files
}

// checkSampleBot sees that a bot is a built-in one or a file that is there.
func checkSampleBot(t *testing.T, e guest.Entry) {
	command, ok := e.Launcher.(guest.Command)
	if !ok {
		t.Fatalf("bot %s is started by a %T", e.Name, e.Launcher)
	}
	if e.Builtin != "" {
		want := []string{"/bin/sembra", "bot", e.Builtin}
		equal(t, fmt.Sprintf("command of bot %s", e.Name), want, command.Args)
		return
	}
	for _, arg := range command.Args[1:] {
		if _, err := os.Stat(filepath.Join(command.Dir, arg)); err != nil {
			t.Errorf("bot %s: %v", e.Name, err)
		}
	}
}

func TestDefaults(t *testing.T) {
	inFolder(t, "cup.toml", "[tournament]\nruleset = \"awale\"\n"+twoBots)
	here := must2(filepath.Abs("."))
	rules := must2(engine.Lookup("awale"))
	bot := func(name, builtin string) guest.Entry {
		return guest.Entry{Name: name, Builtin: builtin, Launcher: guest.Command{
			Args: []string{"/bin/sembra", "bot", builtin}, Dir: here, Env: guest.CleanEnvironment(),
		}}
	}
	want := &Config{
		Database: "sembra.db", MaxPairs: 5000,
		Plan: results.Plan{
			Name: "cup", Format: results.RoundRobin, Bots: []string{"a", "b"}, Pairs: 1, Openings: arena.StartPositions(rules, 1),
			Rating: results.Rating{Start: 1500, K: 16}, DisqualifyAfter: 5, Seed: 1,
			Conditions: results.Conditions{Ruleset: "awale", Rounds: 1, Time: results.TimeControl{
				Margin: 50 * time.Millisecond, Watchdog: 10 * time.Second, Startup: 10 * time.Second, Pause: true,
			}},
			Isolation: results.Isolation{
				Mode: arena.AutoIsolation, Memory: 1 << 30, MemoryTotal: 2 << 30, Processes: 256, Temp: 64 << 20,
			},
		},
		Entries: []guest.Entry{bot("a", "random"), bot("b", "greedy")},
		Machine: arena.Machine{Concurrency: runtime.GOMAXPROCS(0), Processors: 1, Missing: arena.RefuseMissing},
	}
	compare(t, want, load("cup.toml"))
}

// compare compares all of two configurations.
func compare(t *testing.T, want, got *Config) {
	t.Helper()
	equal(t, "configuration", want, got, cmpopts.IgnoreUnexported(Config{}))
}

func TestAllKeys(t *testing.T) {
	inFolder(t, "cups/all.toml", `
[tournament]
name = "spring+1.2_x-Y"
ruleset = "oware"
format = "round-robin"
pairs = 3
disqualify_after = 6
missing = "forfeit"
seed = 9223372036854775807
concurrency = 7
processors = 3
database = "data/spring.db"

[openings]
file = "lists/three.txt"

[time]
base = "1m30s"
increment = "0s"
nodes = 10_000
depth = 6
margin = "0s"
watchdog = "1h"
startup = "1500ms"
pause = true

[rating]
start = 0
k = 24.5

[isolation]
mode = "strict"
memory = "512 MiB"
memory_total = "3GiB"
processes = 40
network = true
read = ["/usr/share", "lists", "../cups/lists/three.txt"]

[[bot]]
name = "mine"
command = ["python3", "bot.py", "--fast"]
dir = "../bots"
env = { THREADS = 4, GREETING = "hello = world", EMPTY = "", PATH = "/bin" }
protocol = "mbi"
options = { Depth = 6, Book = true, Temperature = 0.5, Style = "calm = wild", "Hash.Size" = "64" }
restart = true

[[bot]]
name = "yours"
builtin = "minimax"
[bot.options]
Depth = 3

[[bot]]
name = "joined"
command = ["./engine"]
dir = "/opt"
protocol = "uci"
moves = "joined"
`, "cups/lists/three.txt", `
# comments, empty lines and CR LF are fine
startpos
  startpos moves A f	# and tabs
`+"startpos moves B\r\n"+`4,4,4,4,4,0/5,5,5,5,4,4 0-0 N sow 1 1`)
	here := must2(filepath.Abs("."))
	own := []string{"EMPTY=", "GREETING=hello = world", "PATH=/bin", "THREADS=4"}
	inherited := slices.DeleteFunc(guest.CleanEnvironment(), func(entry string) bool {
		return strings.HasPrefix(entry, "PATH=") // a variable stands once in an environment
	})
	engineIn := func(dir string) guest.Command {
		return guest.Command{Args: []string{"./engine"}, Dir: dir, Env: guest.CleanEnvironment()}
	}
	want := &Config{
		Database: "data/spring.db", MaxPairs: 5000,
		Plan: results.Plan{
			Name: "spring+1.2_x-Y", Format: results.RoundRobin, Bots: []string{"mine", "yours", "joined"},
			Pairs: 3, Rating: results.Rating{K: 24.5}, DisqualifyAfter: 6,
			Openings: []string{
				"4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0",
				"1,6,6,6,5,4/4,4,4,4,4,0 0-0 S sow 1 2",
				"4,0,5,5,5,5/4,4,4,4,4,4 0-0 N sow 1 1",
			},
			Seed: math.MaxInt64,
			Conditions: results.Conditions{Ruleset: "oware", Rounds: 1, Time: results.TimeControl{
				Base: 90 * time.Second, Nodes: 10_000, Depth: 6,
				Watchdog: time.Hour, Startup: 1500 * time.Millisecond, Pause: true,
			}},
			Isolation: results.Isolation{
				Mode: arena.StrictIsolation, Memory: 512 << 20, MemoryTotal: 3 << 30, Processes: 40, Network: true, Temp: 64 << 20,
				Read: []string{"/usr/share", filepath.Join(here, "cups/lists"), filepath.Join(here, "cups/lists/three.txt")},
			},
		},
		Machine: arena.Machine{Missing: arena.ForfeitMissing, Concurrency: 7, Processors: 3},
		Entries: []guest.Entry{
			{
				Name:   "mine",
				Folder: "../bots", Dialect: protocol.MBI,
				Launcher: guest.Command{
					Args: []string{"python3", "bot.py", "--fast"}, Dir: filepath.Join(here, "bots"),
					Env: append(inherited, own...),
				},
				Environment: own,
				Options: []protocol.OptionValue{
					{Name: "Book", Value: "true"},
					{Name: "Depth", Value: "6"},
					{Name: "Hash.Size", Value: "64"},
					{Name: "Style", Value: "calm = wild"},
					{Name: "Temperature", Value: "0.5"},
				},
				Restart: true,
			},
			{
				Name: "yours", Builtin: "minimax",
				Launcher: guest.Command{
					Args: []string{"/bin/sembra", "bot", "minimax"}, Dir: filepath.Join(here, "cups"),
					Env: guest.CleanEnvironment(),
				},
				Options: []protocol.OptionValue{{Name: "Depth", Value: "3"}},
			},
			{Name: "joined", Dialect: protocol.UCI, Folder: "/opt", Launcher: engineIn("/opt")},
		},
	}
	compare(t, want, load("cups/all.toml"))
}

// TestSource: where the results are is known even if the rest of the file has mistakes.
func TestSource(t *testing.T) {
	inFolder(t)
	for _, c := range []struct{ text, database, name, err string }{
		{"", "sembra.db", "t", ""},
		{"[tournament]\nname = \"cup\"\ndatabase = \"results/cup.db\"\nruleset = \"kalah\"\nnonsense = 1\n", "results/cup.db", "cup", ""},
		{"[tournament]\ndatabase = \"\"\n", "", "", "t.toml:2:1: tournament.database is empty"},
		{"[tournament]\nname = cup\n", "", "", "t.toml:2:8: unexpected character"},
	} {
		write(t, "t.toml", c.text)
		database, name, err := DatabaseOf("t.toml")
		if c.err != "" {
			if err == nil || !strings.HasPrefix(err.Error(), c.err) {
				t.Errorf("%q: error %v, want %s", c.text, err, c.err)
			}
		} else if err != nil || database != c.database || name != c.name {
			t.Errorf("%q: %q of %q (%v), want %q of %q", c.text, name, database, err, c.name, c.database)
		}
	}
	if _, _, err := DatabaseOf("nowhere.toml"); err == nil {
		t.Error("a file that is not there has results")
	}
	for text, want := range map[string]bool{
		"[tournament]\n": true, "\ufeff[[bot]]\nname = \"a\"\n": true, "": false, "[package]\nname = \"x\"\n": false,
		"Dear Sembra": false, "\x7fELF\x00": false,
	} {
		if write(t, "t.toml", text); IsTournamentFile("t.toml") != want {
			t.Errorf("%q is a tournament file: %v", text, !want)
		}
	}
}

// TestShapesOfTOML: the same tournament, written in other ways.
func TestShapesOfTOML(t *testing.T) {
	const plain = `
[tournament]
name = "cup"
ruleset = "awale"
[time]
move = "1s"
[[bot]]
name = "a"
builtin = "minimax"
options = { Depth = 2 }
[[bot]]
name = "b"
builtin = "greedy"
`
	inFolder(t, "plain.toml", plain)
	want := load("plain.toml")
	for name, text := range map[string]string{
		"CR LF": strings.ReplaceAll(plain, "\n", "\r\n"),
		"dotted keys": `
tournament.name = "cup"
tournament.ruleset = "awale"
time.move = "1s"
[[bot]]
name = "a"
builtin = "minimax"
options.Depth = 2
[[bot]]
name = "b"
builtin = "greedy"
`,
		"inline tables": `
tournament = { name = "cup", ruleset = "awale" }
time = { move = "1s" }
bot = [
  { name = "a", builtin = "minimax", options = { Depth = 2 } },
  { name = "b", builtin = "greedy" },
]
`,
	} {
		t.Run(name, func(t *testing.T) {
			write(t, "other.toml", text)
			compare(t, want, load("other.toml"))
		})
	}
}

// TestRandomOpenings: they depend on seed and plies, and a larger number of pairs adds to them.
func TestRandomOpenings(t *testing.T) {
	inFolder(t)
	openings := func(tournament, openings string) []string {
		t.Helper()
		text := "[tournament]\nruleset = \"awale\"\n" + tournament + "\n[openings]\n" + openings + "\n" + twoBots
		write(t, "t.toml", text)
		return load("t.toml").Plan.Openings
	}
	four := openings("pairs = 4", "plies = 3")
	equal(t, "more pairs change the first openings", four, openings("pairs = 9", "plies = 3")[:4])
	if cmp.Equal(four, openings("pairs = 4\nseed = 2", "plies = 3")) {
		t.Error("another seed gives the same openings")
	}
	if got := openings("pairs = 6", "plies = 1"); len(got) != 6 {
		t.Errorf("all 6 openings of one ply: %q", got)
	}
	equal(t, "without plies", arena.StartPositions(must2(engine.Lookup("awale")), 2), openings("pairs = 2", "plies = 0"))
}

// TestWarnings: a tournament with UCI engines is warned of what they do not know.
func TestWarnings(t *testing.T) {
	const slam = "e: an oware engine does not know that a grand slam is illegal in awale, and loses a match in which it plays one"
	const limit = "e: [time] has no limit of time, depth or nodes, and a UCI engine may then think until the watchdog ends the match"
	for _, c := range []struct {
		ruleset, protocol, time string
		want                    []string
	}{
		{"oware", "uci", `move = "1s"`, nil},
		{"oware", "uci", "depth = 3", nil},
		{"oware", "uci", "nodes = 3", nil},
		{"oware", "uci", `base = "1s"`, nil},
		{"oware", "uci", "", []string{limit}},
		{"awale", "uci", "", []string{slam, limit}},
		{"awale", "uci", "depth = 3", []string{slam}},
		{"awale", "mbi", "", nil},
	} {
		inFolder(t, "t.toml", fmt.Sprintf("[tournament]\nruleset = %q\n[time]\n%s\n%s[[bot]]\nname = \"e\"\n"+
			"command = [\"./engine\"]\nprotocol = %q\n", c.ruleset, c.time, twoBots, c.protocol))
		config := load("t.toml")
		got := Warnings(config.Entries, config.Plan.Conditions)
		equal(t, fmt.Sprintf("%s, %s, %q", c.ruleset, c.protocol, c.time), c.want, got)
	}
}

// load loads a file that has to be accepted.
func load(path string) *Config { return must2(Load(path, builtins())) }
