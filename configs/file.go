package configs

import (
	"reflect"
	"runtime"
	"time"

	"sembra/arena"
	"sembra/arena/protocol"
	"sembra/results"
	"sembra/results/stats"
)

// file is the content of a tournament file as it is written.
type file struct {
	Tournament   tournamentTable
	Time         results.TimeControl
	Rating       results.Rating
	Anchor       string
	Isolation    results.Isolation
	Adjudication results.Adjudication
	Bots         []botTable
	Openings     openingsTable
	Test         stats.Test
	MaxPairs     int
	Fewer        bool // the tournament plays as many of its pairs as there are openings
}

type tournamentTable struct {
	Name, Ruleset, Format, Database          string
	Missing                                  arena.MissingPolicy
	Pairs, Rounds, Stages, ExtraPairs        int
	DisqualifyAfter, Concurrency, Processors int
	Seed                                     uint64
	Challengers, TieBreaks                   []string
}

type botTable struct {
	Name, Builtin, Dir string
	Command, EnvFrom   []string
	Isolation          struct {
		Network bool
		Memory  results.Size
	}
	Env, Options                         []protocol.OptionValue
	Protocol                             protocol.Dialect
	Moves, Board, Line, First, End, Swap string
	Base                                 int
	Restart, Withdrawn                   bool
}

type openingsTable struct {
	Plies int
	File  string
}

const defaultDatabase = "sembra.db"

// key is a key of a tournament file. A table is a key too, whose value goes to its own keys.
type key struct {
	name     string
	to       any    // a pointer to where the value goes; for a list of texts a list, for a table its keys
	fallback any    // the value where the file gives none; nil: the zero value
	limits   limits // of the value
	// meaning explains the key in KEYS.md. A default in parentheses at its end is one that depends on more than the key.
	meaning string
}

// row returns a key that is no table.
func row(name string, to, fallback any, limits limits, meaning string) key {
	return key{name, to, fallback, limits, meaning}
}

// limits are the least and the greatest value of a key as they are written; "": none.
type limits struct{ least, most string }

// list is where a list of texts goes, and an example of its elements.
type list struct {
	to   *[]string
	like string
}

// defaults returns the content of a file that gives nothing, as far as that does not depend on other keys.
func defaults(path string) *file {
	f := new(file)
	setDefaults(f.keys(path))
	return f
}

func setDefaults(keys []key) {
	for _, k := range keys {
		if table, is := k.to.([]key); is {
			setDefaults(table)
		} else if k.fallback != nil {
			reflect.ValueOf(k.to).Elem().Set(reflect.ValueOf(k.fallback))
		}
	}
}

// keys returns the list of all keys: a file at path is read into f.
func (f *file) keys(path string) []key {
	t := &f.Tournament
	return []key{
		{name: "tournament", to: []key{
			row("name", &t.Name, nameOf(path), limits{},
				"the tournament's name in the database: 1 to 32 characters of `A-Z a-z 0-9 . _ + -` (default: the file's name)"),
			row("ruleset", &t.Ruleset, nil, limits{},
				"the game; `sembra rulesets` lists them, and kalah has other sizes and rules, such as `kalah-7x7-full` (required)"),
			row("format", &t.Format, results.RoundRobin, limits{},
				"which bots meet: `round-robin`, `gauntlet`, `swiss` or `knockout`"),
			row("pairs", &t.Pairs, 1, limits{"1", "1000000"},
				"the pairs of matches that two bots play when they meet"),
			row("rounds", &t.Rounds, nil, limits{"1", "100"},
				"the most rounds of a match; only for games of several rounds (default: `8`)"),
			row("disqualify_after", &t.DisqualifyAfter, 5, limits{"0", "1000000"},
				"the faults in a row after which a bot forfeits its remaining matches; 0: never"),
			row("missing", (*string)(&t.Missing), string(arena.RefuseMissing), limits{},
				"what happens if a bot does not start: `refuse` the tournament, or let the bot `forfeit` its matches"),
			row("seed", &t.Seed, uint64(1), limits{"0", ""},
				"the seed of the random openings, and of the RNG seeds that bots receive"),
			row("concurrency", &t.Concurrency, runtime.GOMAXPROCS(0), limits{"1", "4096"},
				"the matches that run concurrently; `--concurrency` overrides it (default: one for each processor)"),
			row("processors", &t.Processors, 1, limits{"0", "4096"},
				"the processors to which Sembra binds the two bots of a match; 0: none"),
			row("database", &t.Database, defaultDatabase, limits{},
				"the file that keeps the results, relative to the current folder; `--db` overrides it"),
			row("stages", &t.Stages, nil, limits{"1", ""},
				"the stages of a Swiss, fewer than bots (default: enough for a single undefeated bot)"),
			row("challengers", list{&t.Challengers, `"mine"`}, nil, limits{},
				"the bots that meet all others (required in a gauntlet)"),
			row("extra_pairs", &t.ExtraPairs, 4, limits{"0", "1000000"},
				"the most pairs that extend a level meeting of a knockout"),
			row("tie_breaks", list{&t.TieBreaks, `"direct-encounter", "wins"`}, nil, limits{},
				"what ranks bots with equal points (default: `[\"direct-encounter\", \"wins\", \"sonneborn-berger\", \"koya\"]`)"),
		}},
		{name: "time", to: []key{
			row("move", &f.Time.Move, nil, limits{"1ms", "1000h"},
				"for each move, instead of `base`"),
			row("base", &f.Time.Base, nil, limits{"1ms", "1000h"},
				"for all moves of a match, instead of `move`"),
			row("increment", &f.Time.Increment, time.Duration(0), limits{"0s", "1000h"},
				"with `base`: added after each turn"),
			row("margin", &f.Time.Margin, 50*time.Millisecond, limits{"0s", "1000h"},
				"by how much a bot may overrun its time before it loses: each move with `move`, in all with `base`"),
			row("watchdog", &f.Time.Watchdog, 10*time.Second, limits{"1ms", "1000h"},
				"without a clock: the longest that an answer may take; a later one loses by `hang`"),
			row("startup", &f.Time.Startup, 10*time.Second, limits{"1ms", "1000h"},
				"the longest that a bot may take for `mbiok` or `uciok`, and for each `readyok`"),
			row("depth", &f.Time.Depth, nil, limits{"1", "2147483647"},
				"a limit of plies that bots are given; Sembra does not enforce it"),
			row("nodes", &f.Time.Nodes, nil, limits{"1", ""},
				"a limit of nodes that bots are given; Sembra does not enforce it"),
			row("pause", &f.Time.Pause, true, limits{},
				"whether a bot runs only while it is waited for; `false`: it may also think on its opponent's time"),
		}},
		{name: "rating", to: []key{
			row("start", &f.Rating.Start, 1500.0, limits{"-1000000", "1000000"},
				"the online Elo of every bot before its first match, and the mean rating of the field"),
			row("k", &f.Rating.K, 16.0, limits{"0", "1000000"},
				"the most that one match can change the online Elo"),
			row("anchor", &f.Anchor, nil, limits{},
				"the bot whose rating is set to `start` (default: the mean of the field)"),
		}},
		{name: "isolation", to: []key{
			row("mode", &f.Isolation.Mode, arena.AutoIsolation, limits{},
				"`auto`: as far as this machine can; `strict`: fully, or not at all; `none`: bots run with your rights"),
			row("memory", &f.Isolation.Memory, results.Size(1<<30), limits{"16MiB", "1024GiB"},
				"the private memory of each process"),
			row("processes", &f.Isolation.Processes, 256, limits{"1", "1000000"},
				"the processes and threads that a bot may have"),
			row("network", &f.Isolation.Network, false, limits{},
				"whether bots may use the network"),
			row("read", list{&f.Isolation.Read, `"/opt/models"`}, nil, limits{},
				"more files and folders that all bots may read; each must exist"),
			row("memory_total", &f.Isolation.MemoryTotal, nil, limits{"64MiB", "1024GiB"},
				"the RAM of all processes of a bot (default: twice `memory`, at least 256MiB, plus what `temp` exceeds 64MiB by)"),
			row("temp", &f.Isolation.Temp, nil, limits{"1MiB", "1024GiB"},
				"the size of the temporary folder, the only place where a bot can write (default: `\"64MiB\"`)"),
		}},
		{name: "adjudication", to: []key{
			row("plies", &f.Adjudication.Plies, nil, limits{"1", "1000000"},
				"the plies, passes included, after which a match ends if it is not over"),
			row("by", &f.Adjudication.By, results.Adjudication{}.Decisions()[0], limits{},
				"with `plies`: `stores` decide the result, or it is always a `draw`"),
			row("win_score", &f.Adjudication.WinScore, nil, limits{},
				"the lead of one side, in seeds and more than 0, that both bots must report for a win"),
			row("win_plies", &f.Adjudication.WinPlies, nil, limits{"2", "1000000"},
				"with `win_score`: for how many plies in a row"),
			row("draw_score", &f.Adjudication.DrawScore, nil, limits{},
				"both bots must report scores from `-draw_score` to `+draw_score`, in seeds, for a draw"),
			row("draw_plies", &f.Adjudication.DrawPlies, nil, limits{"2", "1000000"},
				"with `draw_score`: for how many plies in a row"),
			row("draw_after", &f.Adjudication.DrawAfter, 0, limits{"0", "1000000"},
				"the plies before which no match is drawn by agreement"),
		}},
		{name: "bot", to: &f.Bots},
		{name: "openings", to: []key{
			row("plies", &f.Openings.Plies, 0, limits{"0", "2147483647"},
				"the random legal moves of each opening; 0: matches begin at the start position"),
			row("file", &f.Openings.File, nil, limits{},
				"a list of openings, instead of `plies`"),
		}},
		{name: "sprt", to: []key{
			row("elo0", &f.Test.Elo0, 0.0, limits{},
				"hypothesis H0: the first bot is stronger than the second by this much, from -2000 to 2000"),
			row("elo1", &f.Test.Elo1, 30.0, limits{},
				"hypothesis H1: the first bot is stronger by this much, more than `elo0`, at most 2000"),
			row("alpha", &f.Test.Alpha, 0.05, limits{},
				"the probability of accepting H1 when H0 is true; `alpha` + `beta` must be less than 1"),
			row("beta", &f.Test.Beta, 0.05, limits{},
				"the probability of accepting H0 when H1 is true"),
			row("model", (*string)(&f.Test.Model), string(stats.Normalized), limits{},
				"the unit of `elo0` and `elo1`: `normalized` or `logistic` Elo"),
			row("max_pairs", &f.MaxPairs, 5000, limits{"1", "100000"},
				"the pairs after which the test ends undecided"),
		}},
	}
}

// keys returns the keys of a bot.
func (b *botTable) keys() []key {
	return []key{
		row("name", &b.Name, nil, limits{},
			"its name in tables and records (required)"),
		row("builtin", &b.Builtin, nil, limits{},
			"a built-in bot, such as `minimax` or `level3`; each bot has this or `command`"),
		row("command", list{&b.Command, `"python3", "mybot.py"`}, nil, limits{},
			"the program and its arguments; no shell reads them"),
		row("dir", &b.Dir, nil, limits{},
			"the folder in which the bot runs, relative to the tournament file (default: the file's folder)"),
		row("env", &b.Env, nil, limits{},
			"environment variables, such as `{ THREADS = 1 }`"),
		row("env_from", list{&b.EnvFrom, `"API_KEY"`}, nil, limits{},
			"names of variables of your own environment that the bot gets too; no value is stored or sent to a worker"),
		{name: "isolation", to: []key{
			row("network", &b.Isolation.Network, nil, limits{}, "whether this bot may use the network"),
			row("memory", &b.Isolation.Memory, nil, limits{"16MiB", "512GiB"}, "the private memory of each of its processes"),
		}, meaning: "what this bot may use beside `[isolation]`, such as `{ network = true, memory = \"4GiB\" }`; " +
			"`memory_total` is then at least twice its `memory`"},
		{
			"protocol", (*string)(&b.Protocol), nil,
			limits{},
			"the language that the bot speaks: `mbi`, `uci` for an oware engine, or `board`: seeds in, " +
				"a number out (default: `\"mbi\"`)",
		},
		row("moves", &b.Moves, nil, limits{},
			"with `uci`: how moves are written; only `joined` (`AbC`) (default: `\"joined\"`)"),
		row("options", &b.Options, nil, limits{},
			"values for options that the bot offers, such as `{ Depth = 6 }`"),
		row("restart", &b.Restart, false, limits{},
			"whether every match gets a new process"),
		row("withdrawn", &b.Withdrawn, false, limits{},
			"whether the bot has left a round-robin or a gauntlet"),
		row("board", &b.Board, nil, limits{},
			"with `board`: a contest whose lines the bot reads, `codingame` or `buet`"),
		{
			"line", &b.Line, nil,
			limits{},
			"with `board`: what the bot reads; `{own}` and `{other}` are rows, `{swap}` is 1 if it may swap sides " +
				"(default: `\"{own} {other} {own_store} {other_store}\"`)",
		},
		row("base", &b.Base, 0, limits{"0", "1"},
			"with `board`: the number of the first hole"),
		row("first", &b.First, nil, limits{},
			"with `board`: a line before those of each match, which then gets a new process"),
		row("end", &b.End, nil, limits{},
			"with `board`: a line after those of each match, which then gets a new process"),
		row("swap", &b.Swap, nil, limits{},
			"with `board`: the word that the bot writes to swap sides"),
	}
}
