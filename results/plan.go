package results

import (
	"fmt"
	"strconv"
	"time"
)

// TimeControl is the time that bots have, and what they are told of it. Without Move and Base there is no clock. It is
// the table [time] of a tournament file, whose keys have their limits in the tags least and most.
type TimeControl struct {
	// for each move, instead of `base`
	Move time.Duration `json:"move" least:"1ms" most:"1000h"`
	// for all moves of a match, instead of `move`
	Base time.Duration `json:"base" least:"1ms" most:"1000h"`
	// with `base`: added after each turn
	Increment time.Duration `json:"increment" least:"0s" most:"1000h"`
	// by how much a bot may overrun its time before it loses: each move with `move`, in all with `base`
	Margin time.Duration `json:"margin" least:"0s" most:"1000h"`
	// without a clock: the longest that an answer may take; a later one loses by `hang`
	Watchdog time.Duration `json:"watchdog" least:"1ms" most:"1000h"` // 0: not known
	// the longest that a bot may take for `mbiok` or `uciok`, and for each `readyok`
	Startup time.Duration `json:"startup" least:"1ms" most:"1000h"`
	// a limit of plies that bots are given; Sembra does not enforce it
	Depth int `json:"depth" least:"1" most:"2147483647"` // 0: none
	// a limit of nodes that bots are given; Sembra does not enforce it
	Nodes uint64 `json:"nodes" least:"1"` // 0: none
	// whether a bot runs only while it is waited for; `false`: it may also think on its opponent's time
	Pause bool `json:"pause"`
}

// String returns the clock in words, such as "1s a move" or "10s+100ms"; "" if there is none.
func (c TimeControl) String() string {
	switch {
	case c.Move > 0:
		return c.Move.String() + " a move"
	case c.Base > 0 && c.Increment > 0:
		return c.Base.String() + "+" + c.Increment.String()
	case c.Base > 0:
		return c.Base.String()
	}
	return ""
}

// check returns an error for a negative time.
func (c TimeControl) check() error {
	if least := min(c.Move, c.Base, c.Increment, c.Margin, c.Watchdog, c.Startup); least < 0 {
		return fmt.Errorf("a time of its clock is %v (at least 0s)", least)
	}
	return nil
}

// Isolation is what bots are kept from, and the table [isolation] of a tournament file. Without isolation the limits
// are 0.
type Isolation struct {
	// `auto`: as far as this machine can; `strict`: fully, or not at all; `none`: bots run with your rights
	Mode string `json:"mode"`
	// the private memory of each process
	Memory Size `json:"memory,omitempty" least:"16MiB" most:"1024GiB"`
	// the processes and threads that a bot may have
	Processes int `json:"processes,omitempty" least:"1" most:"1000000"`
	// whether bots may use the network
	Network bool `json:"network,omitempty"`
	// more files and folders that all bots may read; each must exist
	Read []string `json:"read,omitempty" like:"\"/opt/models\""`
	// the RAM of all processes of a bot (default: twice `memory`, at least 256MiB, plus what `temp` exceeds 64MiB by)
	TreeMemory Size `json:"family_memory,omitempty" least:"64MiB" most:"1024GiB"`
	// the size of the temporary folder, the only place where a bot can write (default: `"64MiB"`)
	Temp Size `json:"temp,omitempty" least:"1MiB" most:"1024GiB"`
}

// Size is a number of bytes.
type Size int64

// String writes a size as in a tournament file, like 512MiB.
func (s Size) String() string {
	units := []string{"B", "KiB", "MiB", "GiB"}
	for len(units) > 1 && s > 0 && s%1024 == 0 {
		s, units = s/1024, units[1:]
	}
	return strconv.FormatInt(int64(s), 10) + units[0]
}

// Program is what a bot is started from. With another program it is another bot.
type Program struct {
	Builtin     string            `json:"builtin,omitempty"` // name of the built-in bot
	Command     []string          `json:"command,omitempty"` // of any other
	Folder      string            `json:"dir,omitempty"`
	Files       map[string]string `json:"files,omitempty"` // hashes of the files that the command names, by their names
	Environment []string          `json:"env,omitempty"`
	Options     []string          `json:"options,omitempty"` // as NAME=VALUE
	Protocol    string            `json:"protocol"`
	Restart     bool              `json:"restart,omitempty"` // a new process for every match
}
