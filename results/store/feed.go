package store

import (
	"crypto/rand"
	"encoding/json"
	"sync"

	"sembra/results"
)

// feed is what a store has written since it was opened, in order, and what is told beside that, for those
// who follow it. Nobody who follows can hold the store up.
type feed struct {
	session string // tells this feed from those of other openings

	mu       sync.Mutex
	names    []string         // of bots and tournaments
	numbers  map[string]int32 // of names
	writes   []write
	more     chan struct{} // closed when there are more writes
	audience map[*listener]bool
}

// write is one thing that was written, as small as it can be: a tournament may have a million of them.
type write struct {
	tournament, south, north int32 // names
	pair                     uint32
	kind                     writeKind
}

// writeKind is what was written.
type writeKind uint8

const (
	wroteRecord     writeKind = iota
	wroteVoid                 // a match came to nothing
	wroteTournament           // the tournament itself, or its isolation
)

func newFeed() *feed {
	return &feed{session: rand.Text(), numbers: make(map[string]int32), more: make(chan struct{}), audience: make(map[*listener]bool)}
}

// len is the number of writes.
func (f *feed) len() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.writes)
}

// add notes what has been written.
func (f *feed) add(tournament string, kind writeKind, keys ...results.Key) {
	f.mu.Lock()
	defer f.mu.Unlock()
	name := f.number(tournament)
	if kind == wroteTournament {
		keys = []results.Key{{}} // it is of no match
	}
	for _, key := range keys {
		f.writes = append(f.writes, write{name, f.number(key.South), f.number(key.North), uint32(key.Pair), kind})
	}
	close(f.more)
	f.more = make(chan struct{})
}

func (f *feed) number(name string) int32 {
	number, known := f.numbers[name]
	if !known {
		number = int32(len(f.names))
		f.names = append(f.names, name)
		f.numbers[name] = number
	}
	return number
}

// since gives a few of the writes after the first n, and what is closed when there are more.
func (f *feed) since(n int) (some []writeOf, more <-chan struct{}) {
	const few = 64
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, w := range f.writes[n:min(len(f.writes), n+few)] {
		some = append(some, writeOf{
			tournament: f.names[w.tournament], kind: w.kind,
			key: results.Key{South: f.names[w.south], North: f.names[w.north], Pair: int(w.pair)},
		})
	}
	return some, f.more
}

// writeOf is a write with its names.
type writeOf struct {
	tournament string
	key        results.Key
	kind       writeKind
}

// listener is somebody who is told events.
type listener struct {
	events chan wireUpdate
	missed int // that did not fit into events since the last that did
}

// listen adds a listener; leave takes it away.
func (f *feed) listen() *listener {
	const room = 1024
	l := &listener{events: make(chan wireUpdate, room)}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.audience[l] = true
	return l
}

func (f *feed) leave(l *listener) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.audience, l)
}

// tell passes an event on to those who listen now, without waiting for any of them.
func (f *feed) tell(kind string, event any) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.audience) == 0 {
		return nil
	}
	text, err := json.Marshal(event)
	if err != nil {
		return err
	}
	for l := range f.audience {
		select {
		case l.events <- wireUpdate{Kind: kind, Event: text, Missed: l.missed}:
			l.missed = 0
		default:
			l.missed++
		}
	}
	return nil
}
