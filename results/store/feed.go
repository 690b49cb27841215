package store

import (
	"crypto/rand"
	"sync"

	"sembra/results"
)

// feed is what a store has written since it was opened, in order.
type feed struct {
	session string // differs between openings of the file

	mu      sync.Mutex
	names   []string         // of bots and tournaments
	numbers map[string]int32 // by name: its index in names
	writes  []compactWrite
	more    chan struct{} // closed by the next write
}

// write is one thing that was written.
type write struct {
	tournament string
	key        results.Key // zero for wroteTournament
	kind       writeKind
}

// writeKind is what was written.
type writeKind uint8

const (
	wroteRecord     writeKind = iota
	wroteVoid                 // a void match
	wroteTournament           // the tournament's plan or isolation
)

// compactWrite is a write with numbers for its names, as a tournament may have a million writes.
type compactWrite struct {
	tournament, south, north int32
	pair                     uint32
	kind                     writeKind
}

func newFeed() *feed {
	return &feed{session: rand.Text(), numbers: make(map[string]int32), more: make(chan struct{})}
}

// len returns the number of writes.
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
		keys = []results.Key{{}}
	}
	for _, key := range keys {
		f.writes = append(f.writes, compactWrite{name, f.number(key.South), f.number(key.North), uint32(key.Pair), kind})
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

// since returns a few of the writes after the first n, and a channel that is closed as soon as there are
// writes after those.
func (f *feed) since(n int) (some []write, more <-chan struct{}) {
	const few = 64
	f.mu.Lock()
	defer f.mu.Unlock()
	end := min(len(f.writes), n+few)
	for _, w := range f.writes[n:end] {
		some = append(some, write{
			tournament: f.names[w.tournament], kind: w.kind,
			key: results.Key{South: f.names[w.south], North: f.names[w.north], Pair: int(w.pair)},
		})
	}
	if end < len(f.writes) {
		closed := make(chan struct{})
		close(closed)
		return some, closed
	}
	return some, f.more
}
