package workers

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"sembra/arena"
	"sembra/arena/jail"
	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/results"
)

// The version of plans, jobs and answers.
const valueVersion = 1

// Plan is what a worker has to know of a tournament.
type Plan struct {
	Version int    `json:"version"`
	Program string `json:"program"` // the version of the runner's program

	Tournament   string                `json:"tournament"` // name
	Ruleset      string                `json:"ruleset"`    // name
	Rounds       int                   `json:"rounds"`     // limit of rounds
	Time         arena.TimeControl     `json:"time"`
	Isolation    Isolation             `json:"isolation"`
	Forfeit      bool                  `json:"forfeit,omitempty"` // a bot that does not start at the runner loses its matches
	Adjudication *results.Adjudication `json:"adjudication,omitempty"`
	Bots         []Bot                 `json:"bots"`
	Lanes        []Lane                `json:"lanes"`
}

// Isolation is how a worker isolates the bots.
type Isolation struct {
	Mode         arena.IsolationMode `json:"mode"`
	Memory       int64               `json:"memory"` // bytes, as the other sizes
	FamilyMemory int64               `json:"family_memory"`
	Processes    int                 `json:"processes"`
	Temp         int64               `json:"temp"`
	Network      bool                `json:"network"`
	Read         []string            `json:"read,omitempty"` // paths on the worker
}

// Bot is a bot of a plan.
type Bot struct {
	Name        string                 `json:"name"`
	Builtin     string                 `json:"builtin,omitempty"`
	Command     []string               `json:"command,omitempty"` // paths begin at the folder of its bundle
	Bundle      string                 `json:"bundle,omitempty"`  // hash of its files; "": it has none
	Size        int64                  `json:"size,omitempty"`    // bytes of the bundle
	Environment []string               `json:"environment,omitempty"`
	Options     []protocol.OptionValue `json:"options,omitempty"`
	Dialect     protocol.Dialect       `json:"protocol"`
	Restart     bool                   `json:"restart,omitempty"`
	Need        string                 `json:"need,omitempty"` // what the worker must have: a program, or ownProgram
}

// ownProgram is the need of a bot whose program travels: a system that can run it.
const ownProgram = "the bots' own programs"

// Lane is the matches whose bots have the same needs.
type Lane struct {
	Needs []string `json:"needs"` // none: every worker can play them
}

// encode returns a value as JSON.
func encode(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // only of values that JSON does not have, and records with those are refused before
	}
	return text
}

// decode reads a value whose version must be ours. Unknown fields are an error.
func decode(what string, text []byte, value any) error {
	var head struct {
		Version int `json:"version"`
	}
	if bytes.HasPrefix(text, fmt.Appendf(nil, `{"version":%d,`, valueVersion)) { // as we write it
		head.Version = valueVersion
	} else if err := json.Unmarshal(text, &head); err != nil {
		return fmt.Errorf("%s is malformed: %w", what, err)
	}
	if head.Version != valueVersion {
		return fmt.Errorf("%s has version %d, and this sembra knows version %d", what, head.Version, valueVersion)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(value); err != nil {
		return fmt.Errorf("%s is malformed: %w", what, err)
	}
	return nil
}

// hashOf returns the name of a content.
func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// validHash reports whether a text can be the name of a content. It is safe as the name of a file then.
func validHash(text string) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && len(raw) == sha256.Size && text == strings.ToLower(text)
}

// newPlan returns the plan of a tournament, without the bundles.
func newPlan(t *arena.Tournament, program string) Plan {
	rules, limits := t.Rules.Info(), t.Isolation.Limits
	return Plan{
		Version: valueVersion, Program: program,
		Tournament: t.Name, Ruleset: rules.Name, Rounds: rules.Rounds, Time: t.Time, Adjudication: t.Adjudication,
		Forfeit: t.Missing == arena.ForfeitMissing,
		Isolation: Isolation{
			t.Isolation.Mode, limits.Memory, limits.FamilyMemory, limits.Processes, limits.Temp, limits.Network, limits.Read,
		},
	}
}

// makeLanes sorts all possible matches into lanes.
func (p *Plan) makeLanes() {
	var kinds []string // the needs of the bots, each at most twice
	seen := make(map[string]int)
	for _, b := range p.Bots {
		if seen[b.Need]++; seen[b.Need] <= 2 {
			kinds = append(kinds, b.Need)
		}
	}
	for i, south := range kinds {
		for _, north := range kinds[i+1:] {
			if needs := needsOf(south, north); p.lane(needs) < 0 {
				p.Lanes = append(p.Lanes, Lane{needs})
			}
		}
	}
}

// lane returns the number of the lane with these needs, or -1.
func (p *Plan) lane(needs []string) int {
	return slices.IndexFunc(p.Lanes, func(l Lane) bool { return slices.Equal(l.Needs, needs) })
}

// laneOf returns a function that returns the number of the lane of a match. It is fast.
func (p *Plan) laneOf() func(results.Key) int {
	needs, lanes := make(map[string]string), make(map[string]int)
	for _, b := range p.Bots {
		needs[b.Name] = b.Need
	}
	for n, lane := range p.Lanes {
		lanes[strings.Join(lane.Needs, "\x00")] = n
	}
	return func(key results.Key) int {
		return lanes[strings.Join(needsOf(needs[key.South], needs[key.North]), "\x00")]
	}
}

// bot returns the bot of that name.
func (p *Plan) bot(name string) Bot {
	at := slices.IndexFunc(p.Bots, func(b Bot) bool { return b.Name == name })
	if at < 0 {
		return Bot{}
	}
	return p.Bots[at]
}

// bundles returns the names of all bundles.
func (p *Plan) bundles() (all []string) {
	for _, b := range p.Bots {
		if b.Bundle != "" {
			all = append(all, b.Bundle)
		}
	}
	return all
}

// needsOf returns the needs of a match, sorted.
func needsOf(south, north string) []string {
	needs := []string{}
	for _, need := range []string{south, north} {
		if need != "" && !slices.Contains(needs, need) {
			needs = append(needs, need)
		}
	}
	slices.Sort(needs)
	return needs
}

// The bounds of a plan.
const (
	mostPlan     = 64 << 20 // bytes
	mostPlanBots = 10_000
	longestTime  = 10_000 * time.Hour
)

// demands says what bots would be allowed on a worker beside playing in a jail: what its owner may not want.
func (p *Plan) demands() (all []string) {
	i := p.Isolation
	if i.Mode == "" || i.Mode == arena.NoIsolation {
		all = append(all, "your own rights, because its isolation has the mode none")
	}
	if i.Network {
		all = append(all, "the network")
	}
	for _, path := range i.Read {
		all = append(all, "to read "+safe(path))
	}
	return all
}

// check returns the first reason why a worker cannot use the plan.
func (p *Plan) check() error {
	switch {
	case len(p.Bots) < 2 || len(p.Bots) > mostPlanBots:
		return fmt.Errorf("the plan has %d bots (2 to %d)", len(p.Bots), mostPlanBots)
	case len(p.Lanes) == 0 || len(p.Lanes) > mostPlanBots:
		return fmt.Errorf("the plan has %d lanes (1 to %d)", len(p.Lanes), mostPlanBots)
	case p.Isolation.Mode != "" && !slices.Contains(arena.IsolationModes(), p.Isolation.Mode):
		return fmt.Errorf("the plan has the isolation %.40q, which this program does not know", p.Isolation.Mode)
	case min(p.Isolation.Memory, p.Isolation.FamilyMemory, int64(p.Isolation.Processes), p.Isolation.Temp) < 0:
		return errors.New("a limit of the plan is negative")
	}
	for _, d := range []time.Duration{p.Time.Move, p.Time.Base, p.Time.Increment, p.Time.Margin, p.Time.Watchdog, p.Time.Startup} {
		if d < 0 || d > longestTime {
			return fmt.Errorf("the plan has the time %v (0 to %v)", d, longestTime)
		}
	}
	var size int64
	for _, b := range p.Bots {
		if size += b.Size; b.Size < 0 || b.Size > mostBundle || size > mostCached {
			return fmt.Errorf("the bots of the plan have too many bytes for a worker (at most %v each and %v in all)",
				arena.Size(mostBundle), arena.Size(mostCached))
		}
		if !slices.Contains(protocol.Dialects(), cmp.Or(b.Dialect, protocol.MBI)) {
			return fmt.Errorf("bot %q of the plan speaks %.40q, which this program does not know", b.Name, b.Dialect)
		}
		if b.Builtin == "" && len(b.Command) == 0 {
			return fmt.Errorf("bot %q of the plan has no command", b.Name)
		}
		if b.Bundle != "" && !validHash(b.Bundle) {
			return fmt.Errorf("the bundle of bot %q has the name %.80q, which is no hash", b.Name, b.Bundle)
		}
	}
	_, err := p.rules()
	return err
}

func (p *Plan) rules() (engine.Ruleset, error) {
	rules, err := engine.Lookup(p.Ruleset)
	if err != nil {
		return nil, err
	}
	return engine.WithRounds(rules, p.Rounds)
}

// tournament returns the tournament as a worker plays it. folder returns where the bundle of a bot is unpacked; builtin
// returns the command of a built-in bot.
func (p *Plan) tournament(concurrency int, folder func(bundle string) string, builtin func(name string) []string) (*arena.Tournament, error) {
	rules, err := p.rules()
	if err != nil {
		return nil, err
	}
	i := p.Isolation
	t := &arena.Tournament{
		Tournament: results.Tournament{Name: p.Tournament, Adjudication: p.Adjudication},
		Rules:      rules, Time: p.Time, Concurrency: concurrency, Processors: arena.AutoProcessors,
		Feed: new(arena.Feed),
		Isolation: arena.Isolation{Mode: i.Mode, Limits: jail.Limits{
			Memory: i.Memory, FamilyMemory: i.FamilyMemory, Processes: i.Processes, Temp: i.Temp, Network: i.Network, Read: i.Read,
		}},
	}
	for _, b := range p.Bots {
		command := arena.Command{Args: b.Command, Dir: folder(b.Bundle), Env: arena.CleanEnvironment()}
		if b.Builtin != "" {
			command.Args = builtin(b.Builtin)
			if command.Args == nil {
				return nil, fmt.Errorf("bot %q is the built-in bot %q, which this program does not have", b.Name, b.Builtin)
			}
		}
		for _, variable := range b.Environment {
			name, _, _ := strings.Cut(variable, "=")
			inherited := func(entry string) bool { return strings.HasPrefix(entry, name+"=") }
			command.Env = append(slices.DeleteFunc(command.Env, inherited), variable)
		}
		t.Entries = append(t.Entries, arena.Entry{
			Name: b.Name, Builtin: b.Builtin, Launcher: command, Dialect: b.Dialect, Folder: command.Dir,
			Environment: b.Environment, Options: b.Options, Restart: b.Restart,
		})
	}
	return t, nil
}
