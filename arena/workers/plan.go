package workers

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"sembra/arena"
	"sembra/arena/guest"
	"sembra/arena/protocol"
	"sembra/results"
	"sembra/results/safe"
)

// Plan is what a worker has to know of a tournament.
type Plan struct {
	results.Conditions
	Tournament string            `json:"tournament"` // name
	Isolation  results.Isolation `json:"isolation"`  // the paths in it are on the worker
	Bots       []Bot             `json:"bots"`
}

// Bot is a bot of a plan: its entry in the tournament without what belongs to the runner's machine.
type Bot struct {
	guest.Entry
	Command []string `json:"command,omitempty"` // paths begin at the folder of its bundle
	Bundle  string   `json:"bundle,omitempty"`  // hash of its files; "": it has none
	Size    int64    `json:"size,omitempty"`    // bytes of the bundle

	files []arena.BotFile // of the bundle, on the runner's machine
}

// bot returns the bot of that name; nil: there is none.
func (p *Plan) bot(name string) *Bot {
	if at := slices.IndexFunc(p.Bots, func(b Bot) bool { return b.Name == name }); at >= 0 {
		return &p.Bots[at]
	}
	return nil
}

// size returns the bytes of all bundles.
func (p *Plan) size() int64 {
	var bytes int64
	for _, b := range p.Bots {
		bytes += b.Size
	}
	return bytes
}

// The bounds of a plan.
const (
	mostPlan     = 64 << 20 // bytes
	mostPlanBots = 10_000
	mostCached   = 32 << 30 // bytes of all bundles
	longestTime  = 10_000 * time.Hour
)

// demands says what bots would be allowed on a worker beside playing in a sandbox: what its owner may not want.
func (p *Plan) demands() []string {
	var all []string
	i := p.Isolation
	if i.Mode == "" || i.Mode == arena.NoIsolation {
		all = append(all, "your own rights, because its isolation has the mode none")
	}
	if i.Network {
		all = append(all, "the network")
	}
	for _, path := range i.Read {
		all = append(all, "to read "+safe.Short(path))
	}
	for _, b := range p.Bots {
		if b.Allowance.Network && !i.Network {
			all = append(all, "the network, for "+safe.Short(b.Name))
		}
		for _, name := range b.EnvFrom {
			all = append(all, fmt.Sprintf("your environment variable %s, for %s", safe.Short(name), safe.Short(b.Name)))
		}
	}
	return all
}

// check returns the first reason why a worker cannot use the plan.
func (p *Plan) check() error {
	switch {
	case len(p.Bots) < 2 || len(p.Bots) > mostPlanBots:
		return fmt.Errorf("the plan has %d bots (2 to %d)", len(p.Bots), mostPlanBots)
	case p.Isolation.Mode != "" && !slices.Contains(arena.IsolationModes(), p.Isolation.Mode):
		return fmt.Errorf("the plan has the isolation %.40q, which this program does not know", p.Isolation.Mode)
	case min(p.Isolation.Memory, p.Isolation.MemoryTotal, results.Size(p.Isolation.Processes), p.Isolation.Temp) < 0:
		return errors.New("a limit of the plan is negative")
	}
	t := p.Time
	for _, d := range []time.Duration{t.Move, t.Base, t.Increment, t.Margin, t.Watchdog, t.Startup} {
		if d < 0 || d > longestTime {
			return fmt.Errorf("the plan has the time %v (0 to %v)", d, longestTime)
		}
	}
	names := make(map[string]bool)
	for _, b := range p.Bots {
		switch {
		case b.Name == "" || names[b.Name]:
			return fmt.Errorf("the plan has a bot without a name, or two bots %.80q", b.Name)
		case b.Allowance.Memory < 0:
			return errors.New("a limit of the plan is negative")
		case b.Size < 0 || b.Size > mostBundle:
			return fmt.Errorf("bot %q of the plan has %v of files (at most %v)",
				b.Name, results.Size(b.Size), results.Size(mostBundle))
		case !slices.Contains(protocol.Dialects(), cmp.Or(b.Dialect, protocol.MBI)):
			return fmt.Errorf("bot %q of the plan speaks %.40q, which this program does not know", b.Name, b.Dialect)
		case b.Builtin == "" && len(b.Command) == 0:
			return fmt.Errorf("bot %q of the plan has no command", b.Name)
		case b.Bundle != "" && !validHash(b.Bundle):
			return fmt.Errorf("the bundle of bot %q has the name %.80q, which is not a hash", b.Name, b.Bundle)
		}
		names[b.Name] = true
	}
	if size := p.size(); size > mostCached {
		return fmt.Errorf("the bots of the plan have %v of files (at most %v)", results.Size(size), results.Size(mostCached))
	}
	_, err := p.Rules()
	return err
}

// run returns the tournament as a worker plays it on its machine. Of the plan it has what the worker knows. folder returns
// where the bundle of a bot is unpacked; builtin returns the command of a built-in bot.
func (p *Plan) run(
	here arena.Machine, folder func(bundle string) string, builtin func(name string) []string,
) (*arena.Run, error) {
	rules, err := p.Rules()
	if err != nil {
		return nil, err
	}
	run := &arena.Run{
		Tournament: results.Tournament{
			Plan: results.Plan{Name: p.Tournament, Conditions: p.Conditions, Isolation: p.Isolation}, Family: p.Tournament,
		},
		Rules: rules, Machine: here,
	}
	for _, b := range p.Bots {
		env, err := b.FullEnvironment()
		if err != nil {
			return nil, fmt.Errorf("bot %s: %w", safe.Short(b.Name), err)
		}
		command := guest.Command{Args: b.Command, Dir: folder(b.Bundle), Env: env, Allowance: b.Allowance}
		if b.Builtin != "" {
			command.Args = builtin(b.Builtin)
			if command.Args == nil {
				return nil, fmt.Errorf("bot %q is the built-in bot %q, which this program does not have", b.Name, b.Builtin)
			}
		}
		b.Launcher, b.Folder = command, command.Dir
		run.Bots, run.Entries = append(run.Bots, b.Name), append(run.Entries, b.Entry)
	}
	return run, nil
}
