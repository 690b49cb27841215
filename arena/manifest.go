package arena

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

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
	for _, e := range t.Entries {
		settings, err := e.settings()
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
		{Name: "time.pause", Value: strconv.FormatBool(c.Pause)},
	}
}

// familyMemory is a setting that the tournaments of older versions do not have.
const familyMemory = "isolation.family_memory"

// Continue lets a tournament go on by the settings that it began with. A setting
// that the tournament's file does not set, and that did not exist then, does not
// hold in it.
func (t *Tournament) Continue(begun []results.Setting) {
	named := func(s results.Setting) bool { return s.Name == familyMemory }
	if !slices.ContainsFunc(begun, named) {
		t.Isolation.FamilyMemory = 0
	}
}

func (i Isolation) settings() []results.Setting {
	if i.Mode == NoIsolation || i.Mode == "" {
		return []results.Setting{{Name: "isolation.mode", Value: string(NoIsolation)}}
	}
	settings := []results.Setting{
		{Name: "isolation.mode", Value: string(i.Mode)},
		{Name: "isolation.memory", Value: Size(i.Memory).String()},
		{Name: "isolation.processes", Value: strconv.Itoa(i.Processes)},
		{Name: "isolation.network", Value: strconv.FormatBool(i.Network)},
		{Name: "isolation.read", Value: fmt.Sprintf("%q", i.Read)},
	}
	if i.FamilyMemory > 0 {
		settings = append(settings, results.Setting{
			Name: familyMemory, Value: Size(i.FamilyMemory).String(), Default: i.FamilyMemoryByDefault,
		})
	}
	return settings
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

// settings returns the settings of a bot that may not change.
func (e Entry) settings() ([]results.Setting, error) {
	var settings []results.Setting
	add := func(name, value string) {
		settings = append(settings, results.Setting{Name: "bot " + e.Name + ": " + name, Bot: e.Name, Value: value})
	}
	if command, ok := e.Launcher.(Command); ok && e.Builtin == "" {
		add("command", fmt.Sprintf("%q", command.Args))
		add("dir", e.Folder)
		files, err := command.files()
		if err != nil {
			return nil, fmt.Errorf("bot %s: %w", e.Name, err)
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
	add("protocol", "mbi")
	add("restart", strconv.FormatBool(e.Restart))
	return settings, nil
}

// file is the name of a file and a hash of its content.
type file struct{ name, sum string }

// files returns the files that the command names. It passes over names of files
// that do not exist: starting the bot shows whether it needs them.
func (c Command) files() ([]file, error) {
	var files []file
	for arg, path := range c.named() {
		sum, err := contentSum(path)
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

// named yields the files that the command names, as written and as paths: its
// program, and each argument that is the path of a file.
func (c Command) named() iter.Seq2[string, string] {
	return func(yield func(arg, path string) bool) {
		for i, arg := range c.Args {
			path := arg
			if program, err := c.Program(); i == 0 && err == nil {
				path = program
			} else if !filepath.IsAbs(path) {
				path = filepath.Join(c.Dir, path)
			}
			if stat, err := os.Stat(path); err == nil && stat.Mode().IsRegular() && !yield(arg, path) {
				return
			}
		}
	}
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
