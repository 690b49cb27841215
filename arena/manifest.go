package arena

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"sembra/arena/guest"
	"sembra/engine"
	"sembra/results"
)

// Manifest returns the plan as a store keeps it: with the position text of every
// opening, and with the settings that may not change while the tournament goes
// on. It reads the files that the bots' commands name.
func (t *Tournament) Manifest() (results.Tournament, error) {
	m := t.Plan()
	m.Openings = slices.Clone(m.Openings)
	for i, opening := range m.Openings {
		if opening == "" {
			m.Openings[i] = engine.Text(t.Rules, t.Rules.Start())
		}
	}
	m.Settings = []results.Setting{{Name: "tournament.seed", Value: strconv.FormatUint(t.Seed, 10)}}
	m.Settings = append(m.Settings, t.Time.settings()...)
	m.Settings = append(m.Settings, t.Isolation.settings()...)
	sums := make(fileSums)
	for _, e := range t.Entries {
		settings, err := settingsOf(e, sums)
		if err != nil {
			return results.Tournament{}, err
		}
		m.Settings = append(m.Settings, settings...)
	}
	return m, nil
}

func (c TimeControl) settings() []results.Setting {
	duration := func(name string, d time.Duration) results.Setting {
		return results.Setting{Name: "time." + name, Value: d.String()}
	}
	return []results.Setting{
		duration("move", c.Move), duration("base", c.Base), duration("increment", c.Increment),
		{Name: "time.nodes", Value: strconv.FormatUint(c.Nodes, 10)},
		{Name: "time.depth", Value: strconv.Itoa(c.Depth)},
		duration("margin", c.Margin), duration("watchdog", c.Watchdog), duration("startup", c.Startup),
		{Name: "time.pause", Value: string(cmp.Or(c.Pause, guest.NeverPause))},
	}
}

func (i Isolation) settings() []results.Setting {
	if i.Mode == NoIsolation || i.Mode == "" {
		return []results.Setting{{Name: "isolation.mode", Value: string(NoIsolation)}}
	}
	return []results.Setting{
		{Name: "isolation.mode", Value: string(i.Mode)},
		{Name: "isolation.memory", Value: Size(i.Memory).String()},
		{Name: "isolation.processes", Value: strconv.Itoa(i.Processes)},
		{Name: "isolation.network", Value: strconv.FormatBool(i.Network)},
		{Name: "isolation.read", Value: fmt.Sprintf("%q", i.Read)},
		{Name: "isolation.family_memory", Value: Size(i.FamilyMemory).String()},
		{Name: "isolation.temp", Value: Size(i.TempSize()).String()},
	}
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

// ParseSize reads a whole number of KiB, MiB or GiB. For a number that is too
// large it returns the largest that there is.
func ParseSize(text string) (Size, error) {
	for i, unit := range []string{"KiB", "MiB", "GiB"} {
		digits, ok := strings.CutSuffix(text, unit)
		if !ok {
			continue
		}
		shift := 10 * (i + 1)
		n, err := strconv.ParseUint(strings.TrimRight(digits, " "), 10, 63-shift)
		if errors.Is(err, strconv.ErrRange) {
			return math.MaxInt64, nil
		}
		return Size(n) << shift, err
	}
	return 0, errors.New("no unit")
}

// settingsOf returns the settings of a bot that may not change.
func settingsOf(e guest.Entry, sums fileSums) ([]results.Setting, error) {
	var settings []results.Setting
	add := func(name, value string) {
		settings = append(settings, results.Setting{Name: "bot " + e.Name + ": " + name, Bot: e.Name, Value: value})
	}
	if command, ok := e.Launcher.(guest.Command); ok && e.Builtin == "" {
		add("command", fmt.Sprintf("%q", command.Args))
		add("dir", e.Folder)
		files, err := filesOf(command, sums)
		if err != nil {
			return nil, guest.OfRunner(fmt.Errorf("bot %s: %w", e.Name, err))
		}
		for _, f := range files {
			add("content of "+f.name, f.sum)
		}
	} else {
		add("builtin", e.Builtin)
	}
	add("env", fmt.Sprintf("%q", e.Environment))
	var options []string
	for _, o := range e.Options {
		options = append(options, o.Name+"="+o.Value)
	}
	add("options", fmt.Sprintf("%q", options))
	add("protocol", e.Dialect.String())
	add("restart", strconv.FormatBool(e.Restart))
	return settings, nil
}

// file is the name of a file and a hash of its content.
type file struct{ name, sum string }

// filesOf returns the files that the command names. It passes over names of files
// that do not exist: starting the bot shows whether it needs them.
func filesOf(c guest.Command, sums fileSums) ([]file, error) {
	var files []file
	for arg, path := range c.Named() {
		sum, err := sums.of(path)
		if err != nil {
			return nil, err
		}
		f := file{arg, sum}
		if !slices.ContainsFunc(files, func(other file) bool { return other.name == f.name }) {
			files = append(files, f)
		}
	}
	return files, nil
}

// fileSums keeps the hash of each file by its path: several bots may have the same large program.
type fileSums map[string]string

func (s fileSums) of(path string) (sum string, err error) {
	sum, known := s[path]
	if !known {
		if sum, err = contentSum(path); err == nil {
			s[path] = sum
		}
	}
	return sum, err
}

func contentSum(path string) (sum string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return "", err
	}
	return "sha256:" + hex.EncodeToString(hash.Sum(nil)[:8]), nil
}
