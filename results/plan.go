package results

import (
	"fmt"
	"strconv"
	"time"
)

// TimeControl is the time that bots have, and what they are told of it. Without Move and Base there is no clock.
type TimeControl struct {
	Move      time.Duration `json:"move"`      // for each move, instead of Base
	Base      time.Duration `json:"base"`      // for all moves of a match
	Increment time.Duration `json:"increment"` // added to Base after each turn

	// Margin is how much a bot may overrun its time before it loses: each move with Move, in all with Base.
	Margin time.Duration `json:"margin"`

	Watchdog time.Duration `json:"watchdog"` // without a clock, the longest that an answer may take; 0: not known
	Startup  time.Duration `json:"startup"`  // the longest that a bot may take to get ready
	Depth    int           `json:"depth"`    // a limit that bots are told and nobody enforces; 0: none
	Nodes    uint64        `json:"nodes"`    // the same
	Pause    bool          `json:"pause"`    // whether a bot runs only while it is waited for
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

// Isolation is what bots are kept from. Without isolation the limits are 0.
type Isolation struct {
	Mode        string   `json:"mode"`
	Memory      Size     `json:"memory,omitempty"`       // private memory of each process
	Processes   int      `json:"processes,omitempty"`    // of a bot, threads included
	Network     bool     `json:"network,omitempty"`      // whether bots may use it
	Read        []string `json:"read,omitempty"`         // more files and folders that all bots may read
	MemoryTotal Size     `json:"memory_total,omitempty"` // RAM of all processes of a bot
	Temp        Size     `json:"temp,omitempty"`         // of the temporary folder
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
	EnvFrom     []string          `json:"env_from,omitempty"` // names of variables of the user, whose values are kept nowhere
	Network     bool              `json:"network,omitempty"`  // it may use the network, whatever the others may
	Memory      Size              `json:"memory,omitempty"`   // private memory of each process; 0: as for the others
	Options     []string          `json:"options,omitempty"`  // as NAME=VALUE
	Protocol    string            `json:"protocol"`
	Restart     bool              `json:"restart,omitempty"` // a new process for every match
}
