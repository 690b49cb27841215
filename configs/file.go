package configs

import (
	"runtime"
	"time"

	"sembra/arena"
	"sembra/arena/protocol"
	"sembra/results"
	"sembra/results/stats"
)

// file is the content of a tournament file as it is written. A key is the name that a field has in JSON, because the
// plan of a tournament holds some of the tables. The tags least and most are the limits of a value. The comment of a
// field explains its key in KEYS.md; a default in parentheses at its end is one that defaults does not show.
type file struct {
	Tournament   tournamentTable      `json:"tournament"`
	Time         results.TimeControl  `json:"time"`
	Rating       ratingTable          `json:"rating"`
	Isolation    results.Isolation    `json:"isolation"`
	Adjudication results.Adjudication `json:"adjudication"`
	Bots         []botTable           `json:"bot"`
	Openings     openingsTable        `json:"openings"`
	Test         testTable            `json:"sprt"`
}

type tournamentTable struct {
	// the tournament's name in the database: 1 to 32 characters of `A-Z a-z 0-9 . _ + -` (default: the file's name)
	Name string `json:"name"`
	// the game; `sembra rulesets` lists them, and kalah has other sizes, such as `kalah-7x7` (required)
	Ruleset string `json:"ruleset"`
	// which bots meet: `round-robin`, `gauntlet`, `swiss` or `knockout`
	Format string `json:"format"`
	// the pairs of matches that two bots play when they meet
	Pairs int `json:"pairs" least:"1" most:"1000000"`
	// the most rounds of a match; only for games of several rounds (default: `8`)
	Rounds int `json:"rounds" least:"1" most:"100"`
	// the faults in a row after which a bot forfeits its remaining matches; 0: never
	DisqualifyAfter int `json:"disqualify_after" least:"0" most:"1000000"`
	// what happens if a bot does not start: `refuse` the tournament, or let the bot `forfeit` its matches
	Missing arena.Missing `json:"missing"`
	// the seed of the random openings, and of the RNG seeds that bots receive
	Seed uint64 `json:"seed" least:"0"`
	// the matches that run concurrently; `--concurrency` overrides it (default: one for each processor)
	Concurrency int `json:"concurrency" least:"1" most:"4096"`
	// the processors to which Sembra binds the two bots of a match; 0: none
	Processors int `json:"processors" least:"0" most:"4096"`
	// the file that keeps the results, relative to the current folder; `--db` overrides it
	Database string `json:"database"`
	// the stages of a Swiss, fewer than bots (default: enough for a single undefeated bot)
	Stages int `json:"stages" least:"1"`
	// the bots that meet all others (required in a gauntlet)
	Challengers []string `json:"challengers" like:"\"mine\""`
	// the most pairs that extend a level meeting of a knockout
	ExtraPairs int `json:"extra_pairs" least:"0" most:"1000000"`
	// what ranks bots with equal points (default: `["direct-encounter", "wins", "sonneborn-berger", "koya"]`)
	TieBreaks []string `json:"tie_breaks" like:"\"direct-encounter\", \"wins\""`
}

type ratingTable struct {
	results.Rating
	// the bot whose rating is set to `start` (default: the mean of the field)
	Anchor string `json:"anchor"`
}

type botTable struct {
	// its name in tables and records (required)
	Name string `json:"name"`
	// a built-in bot, such as `minimax` or `level3`; each bot has this or `command`
	Builtin string `json:"builtin"`
	// the program and its arguments; no shell reads them
	Command []string `json:"command" like:"\"python3\", \"mybot.py\""`
	// the folder in which the bot runs, relative to the tournament file (default: the file's folder)
	Dir string `json:"dir"`
	// environment variables, such as `{ THREADS = 1 }`
	Env []protocol.OptionValue `json:"env"`
	// the language that the bot speaks: `mbi`, `uci` for an oware engine, or `board`: seeds in, a number out (default: `"mbi"`)
	Protocol protocol.Dialect `json:"protocol"`
	// with `uci`: how moves are written; only `joined` (`AbC`) (default: `"joined"`)
	Moves string `json:"moves"`
	// values for options that the bot offers, such as `{ Depth = 6 }`
	Options []protocol.OptionValue `json:"options"`
	// whether every match gets a new process
	Restart bool `json:"restart"`
	// whether the bot has left a round-robin or a gauntlet
	Withdrawn bool `json:"withdrawn"`
	// with `board`: a contest whose lines the bot reads, `codingame` or `buet`
	Board string `json:"board"`
	// with `board`: what the bot reads; `{own}` and `{other}` are rows (default: `"{own} {other} {own_store} {other_store}"`)
	Line string `json:"line"`
	// with `board`: the number of the first hole
	Base int `json:"base" least:"0" most:"1"`
	// with `board`: a line before those of each match, which then gets a new process
	First string `json:"first"`
	// with `board`: a line after those of each match, which then gets a new process
	End string `json:"end"`
}

type openingsTable struct {
	// the random legal moves of each opening; 0: matches begin at the start position
	Plies int `json:"plies" least:"0" most:"2147483647"`
	// a list of openings, instead of `plies`
	File string `json:"file"`
}

type testTable struct {
	stats.Test
	// the pairs after which the test ends undecided
	MaxPairs int `json:"max_pairs" least:"1" most:"100000"`
}

const defaultDatabase = "sembra.db"

// defaults returns the content of a file that gives nothing, as far as that does not depend on other keys.
func defaults(path string) *file {
	return &file{
		Tournament: tournamentTable{
			Name: nameOf(path), Format: results.RoundRobin, Pairs: 1, DisqualifyAfter: 5,
			Missing: arena.RefuseMissing, Seed: 1, Concurrency: runtime.GOMAXPROCS(0),
			Processors: 1, Database: defaultDatabase, ExtraPairs: 4,
		},
		Time: results.TimeControl{
			Margin: 50 * time.Millisecond, Watchdog: 10 * time.Second, Startup: 10 * time.Second,
			Pause: true,
		},
		Rating:       ratingTable{Rating: results.Rating{Start: 1500, K: 16}},
		Isolation:    results.Isolation{Mode: arena.AutoIsolation, Memory: 1 << 30, Processes: 256},
		Adjudication: results.Adjudication{By: results.Adjudication{}.Decisions()[0]},
		Test:         testTable{stats.Test{Elo0: 0, Elo1: 30, Alpha: 0.05, Beta: 0.05, Model: stats.Normalized}, 5000},
	}
}
