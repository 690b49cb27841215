package configs

import (
	"runtime"
	"time"

	"sembra/arena"
	"sembra/arena/guest"
	"sembra/arena/protocol"
	"sembra/results"
	"sembra/results/stats"
)

// file is the content of a tournament file as it is written. A key is the name that a field has in JSON, because the
// plan of a tournament holds some of the tables. The tags least and most are the limits of a value.
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
	Name            string        `json:"name"`
	Ruleset         string        `json:"ruleset"`
	Format          string        `json:"format"`
	Pairs           int           `json:"pairs" least:"1" most:"1000000"`
	Rounds          int           `json:"rounds" least:"1" most:"100"`
	DisqualifyAfter int           `json:"disqualify_after" least:"0" most:"1000000"`
	Missing         arena.Missing `json:"missing"`
	Seed            uint64        `json:"seed" least:"0"`
	Concurrency     int           `json:"concurrency" least:"1" most:"4096"`
	Processors      int           `json:"processors" least:"0" most:"4096"`
	Database        string        `json:"database"`
	Stages          int           `json:"stages" least:"1"`
	Challengers     []string      `json:"challengers" like:"\"mine\""`
	ExtraPairs      int           `json:"extra_pairs" least:"0" most:"1000000"`
	TieBreaks       []string      `json:"tie_breaks" like:"\"direct-encounter\", \"wins\""`
}

type ratingTable struct {
	results.Rating
	Anchor string `json:"anchor"`
}

type botTable struct {
	Name      string                 `json:"name"`
	Builtin   string                 `json:"builtin"`
	Command   []string               `json:"command" like:"\"python3\", \"mybot.py\""`
	Dir       string                 `json:"dir"`
	Env       []protocol.OptionValue `json:"env"`
	Protocol  protocol.Dialect       `json:"protocol"`
	Moves     string                 `json:"moves"`
	Options   []protocol.OptionValue `json:"options"`
	Restart   bool                   `json:"restart"`
	Withdrawn bool                   `json:"withdrawn"`
}

type openingsTable struct {
	Plies int    `json:"plies" least:"0" most:"2147483647"`
	File  string `json:"file"`
}

type testTable struct {
	stats.Test
	MaxPairs int `json:"max_pairs" least:"1" most:"100000"`
}

const defaultDatabase = "sembra.db"

// defaults returns the content of a file that gives nothing, as far as that does not depend on other keys.
func defaults(path string) *file {
	return &file{
		Tournament: tournamentTable{
			Name: nameOf(path), Format: results.RoundRobin, Pairs: 1, DisqualifyAfter: 5,
			Missing: arena.RefuseMissing, Seed: 1, Concurrency: runtime.GOMAXPROCS(0),
			Processors: guest.AutoProcessors, Database: defaultDatabase, ExtraPairs: 4,
		},
		Time: results.TimeControl{
			Margin: 50 * time.Millisecond, Watchdog: 10 * time.Second, Startup: 10 * time.Second,
			Pause: guest.AutomaticPause,
		},
		Rating:       ratingTable{Rating: results.Rating{Start: 1500, K: 16}},
		Isolation:    results.Isolation{Mode: arena.AutoIsolation, Memory: 1 << 30, Processes: 256},
		Adjudication: results.Adjudication{By: results.Adjudication{}.Decisions()[0]},
		Test:         testTable{stats.Test{Elo0: 0, Elo1: 30, Alpha: 0.05, Beta: 0.05, Model: stats.Normalized}, 5000},
	}
}
