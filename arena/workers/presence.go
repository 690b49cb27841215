package workers

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"sembra/results"
)

// Presence is what a worker says of itself.
type Presence struct {
	Version int       `json:"version"`
	Name    string    `json:"name"`
	Machine string    `json:"machine"`
	Program string    `json:"program"`           // version
	Slots   int       `json:"slots"`             // matches at once
	Plan    string    `json:"plan,omitempty"`    // hash of the plan that it plays; "": none
	Plays   []string  `json:"plays,omitempty"`   // the matches in play
	Matches int       `json:"matches"`           // that it has played in this tournament
	Lacks   []string  `json:"lacks,omitempty"`   // why it cannot play some bots
	Without []string  `json:"without,omitempty"` // the needs of bots that it does not meet
	Charge  *Charge   `json:"charge,omitempty"`  // nil: not measured
	Refuses string    `json:"refuses,omitempty"`
	Said    time.Time `json:"said"` // when it said this, by its clock
}

// Charge is what a worker's machine adds to the time of a move.
type Charge struct {
	Median  time.Duration `json:"median_ns"`
	Longest time.Duration `json:"longest_ns"`
}

// Status is what a runner says of itself and of the workers.
type Status struct {
	Version    int     `json:"version"`
	ID         string  `json:"id"` // of the runner
	Tournament string  `json:"tournament"`
	Machine    string  `json:"machine"`
	Tallies    []Tally `json:"tallies,omitempty"` // by the names of the workers
}

// Present is who is at a server.
type Present struct {
	Runner  *Status // nil: none
	Workers []Presence
}

// List returns who is at the server of an address. The address is as for [Work].
func List(ctx context.Context, address string, c Credentials) (p Present, err error) {
	l, err := connect(ctx, address, "list", c, func(string) {})
	if err != nil {
		return p, err
	}
	defer l.conn.Close()
	if err := l.meet(ctx, defaultTiming()); err != nil {
		return p, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	watcher, err := l.presence.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return p, err
	}
	defer func() { _ = watcher.Stop() }()
	for entry := range watcher.Updates() {
		if entry == nil { // that is all for now
			break
		}
		p.add(entry)
	}
	if ctx.Err() != nil {
		return p, ofServer("", context.Cause(ctx), l.conn.ConnectedUrlRedacted())
	}
	slices.SortFunc(p.Workers, func(a, b Presence) int { return strings.Compare(a.Name+"\x00"+a.Machine, b.Name+"\x00"+b.Machine) })
	return p, nil
}

// add adds an entry. One that cannot be read is left out.
func (p *Present) add(entry jetstream.KeyValueEntry) {
	if entry.Key() == runnerKey {
		status := new(Status)
		if json.Unmarshal(entry.Value(), status) == nil {
			p.Runner = status
		}
		return
	}
	if worker, err := readPresence(entry.Value()); err == nil && len(p.Workers) < mostWorkers {
		p.Workers = append(p.Workers, worker)
	}
}

// The bounds of what a worker says of itself.
const (
	mostWorkers = 20_000
	mostSlots   = 4096 // matches at once
	mostName    = 100  // bytes
	mostLacks   = 200
)

// readPresence reads what a worker says of itself, and cuts what is too long.
func readPresence(text []byte) (p Presence, err error) {
	if err := json.Unmarshal(text, &p); err != nil {
		return p, fmt.Errorf("the entry of a worker is malformed: %w", err)
	}
	p.Name, p.Machine = cutName(p.Name), cutName(p.Machine)
	if p.Version != valueVersion {
		return p, fmt.Errorf("the entry of worker %s has version %d, and this sembra knows version %d", p.label(), p.Version, valueVersion)
	}
	p.Slots = max(0, min(p.Slots, mostSlots))
	p.Plays = p.Plays[:min(len(p.Plays), p.Slots)]
	p.Lacks, p.Without = p.Lacks[:min(len(p.Lacks), mostLacks)], p.Without[:min(len(p.Without), mostLacks)]
	return p, nil
}

// cutName makes a name safe to print, and cuts it if it is too long.
func cutName(name string) string {
	name = results.VisibleAll(name)
	return strings.ToValidUTF8(name[:min(len(name), mostName)], "")
}
