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

// file is the content of a tournament file as it is written.
type file struct {
	Tournament   tournamentTable   `toml:"tournament"`
	Time         timeTable         `toml:"time"`
	Rating       ratingTable       `toml:"rating"`
	Isolation    isolationTable    `toml:"isolation"`
	Adjudication adjudicationTable `toml:"adjudication"`
	Bots         []botTable        `toml:"bot"`
	Openings     openingsTable     `toml:"openings"`
	Test         testTable         `toml:"sprt"`
}

type tournamentTable struct {
	Name            string        `toml:"name"`
	Ruleset         string        `toml:"ruleset"`
	Format          string        `toml:"format"`
	Pairs           int           `toml:"pairs" least:"1" most:"1000000"`
	Rounds          int           `toml:"rounds" least:"1" most:"100"`
	DisqualifyAfter int           `toml:"disqualify_after" least:"0" most:"1000000"`
	Missing         arena.Missing `toml:"missing"`
	Seed            uint64        `toml:"seed" least:"0"`
	Concurrency     int           `toml:"concurrency" least:"1" most:"4096"`
	Processors      int           `toml:"processors" least:"0" most:"4096"`
	Database        string        `toml:"database"`
	Stages          int           `toml:"stages" least:"1"`
	Challengers     []string      `toml:"challengers" like:"\"mine\""`
	ExtraPairs      int           `toml:"extra_pairs" least:"0" most:"1000000"`
	TieBreaks       []string      `toml:"tie_breaks" like:"\"direct-encounter\", \"wins\""`
}

// timeTable has the fields of [arena.TimeControl].
type timeTable struct {
	Move      time.Duration `toml:"move" least:"1ms" most:"1000h"`
	Base      time.Duration `toml:"base" least:"1ms" most:"1000h"`
	Increment time.Duration `toml:"increment" least:"0s" most:"1000h"`
	Margin    time.Duration `toml:"margin" least:"0s" most:"1000h"`
	Watchdog  time.Duration `toml:"watchdog" least:"1ms" most:"1000h"`
	Startup   time.Duration `toml:"startup" least:"1ms" most:"1000h"`
	Depth     int           `toml:"depth" least:"1" most:"2147483647"`
	Nodes     uint64        `toml:"nodes" least:"1"`
	Pause     string        `toml:"pause" flag:"automatic"`
}

// With much larger numbers a float64 has not enough digits for ratings.
type ratingTable struct {
	Start  float64 `toml:"start" least:"-1000000" most:"1000000"`
	K      float64 `toml:"k" least:"0" most:"1000000"`
	Anchor string  `toml:"anchor"`
}

type isolationTable struct {
	Mode         arena.IsolationMode `toml:"mode"`
	Memory       arena.Size          `toml:"memory" least:"16MiB" most:"1024GiB"`
	Processes    int                 `toml:"processes" least:"1" most:"1000000"`
	Temp         arena.Size          `toml:"temp" least:"1MiB" most:"1024GiB"`
	FamilyMemory arena.Size          `toml:"family_memory" least:"64MiB" most:"1024GiB"`
	Network      bool                `toml:"network"`
	Read         []string            `toml:"read" like:"\"/opt/models\""`
}

type adjudicationTable struct {
	Plies     int     `toml:"plies" least:"1" most:"1000000"`
	By        string  `toml:"by"`
	WinScore  float64 `toml:"win_score"`
	WinPlies  int     `toml:"win_plies" least:"2" most:"1000000"`
	DrawScore float64 `toml:"draw_score"`
	DrawPlies int     `toml:"draw_plies" least:"2" most:"1000000"`
	DrawAfter int     `toml:"draw_after" least:"0" most:"1000000"`
}

type botTable struct {
	Name     string                 `toml:"name"`
	Builtin  string                 `toml:"builtin"`
	Command  []string               `toml:"command" like:"\"python3\", \"mybot.py\""`
	Dir      string                 `toml:"dir"`
	Env      []protocol.OptionValue `toml:"env"`
	Protocol protocol.Dialect       `toml:"protocol"`
	Moves    string                 `toml:"moves"`
	Options  []protocol.OptionValue `toml:"options"`
	Restart  bool                   `toml:"restart"`
}

type openingsTable struct {
	Plies int    `toml:"plies" least:"0" most:"2147483647"`
	File  string `toml:"file"`
}

type testTable struct {
	Elo0     float64     `toml:"elo0"`
	Elo1     float64     `toml:"elo1"`
	Alpha    float64     `toml:"alpha"`
	Beta     float64     `toml:"beta"`
	Model    stats.Model `toml:"model"`
	MaxPairs int         `toml:"max_pairs" least:"1" most:"100000"`
}

const defaultDatabase = "sembra.db"

// defaults returns the content of a file that gives nothing, as far as that does not depend on other keys.
func defaults(path string) *file {
	isolation := DefaultIsolation()
	return &file{
		Tournament: tournamentTable{
			Name: nameOf(path), Format: results.RoundRobin, Pairs: 1, DisqualifyAfter: 5,
			Missing: arena.RefuseMissing, Seed: 1, Concurrency: runtime.GOMAXPROCS(0),
			Processors: guest.AutoProcessors, Database: defaultDatabase, ExtraPairs: 4,
		},
		Time: timeTable{
			Margin: 50 * time.Millisecond, Watchdog: 10 * time.Second, Startup: 10 * time.Second,
			Pause: guest.AutomaticPause,
		},
		Rating: ratingTable{Start: 1500, K: 16},
		Isolation: isolationTable{
			Mode: isolation.Mode, Memory: arena.Size(isolation.Memory), Processes: isolation.Processes,
		},
		Adjudication: adjudicationTable{By: results.Decisions()[0]},
		Test:         testTable{Elo0: 0, Elo1: 30, Alpha: 0.05, Beta: 0.05, Model: stats.Normalized, MaxPairs: 5000},
	}
}
