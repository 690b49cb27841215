package guest

import (
	"os"
	"slices"
	"sync"
	"time"
)

// standardError is our end of a bot's standard error. It keeps the last bytes.
type standardError struct {
	pipe *os.File
	over chan struct{} // closed when nothing more comes

	mu        sync.Mutex // guards the fields below
	buffer    [keptBytes]byte
	kept      []byte
	written   int64 // in all
	unwatched int64 // the bytes at the end that no watcher got
	watcher   func(time.Time, []byte)
}

// keptBytes is how many bytes of a bot's standard error are kept.
const keptBytes = 8 << 10

// add is called with the lock held.
func (e *standardError) add(at time.Time, b []byte) {
	e.written += int64(len(b))
	if e.watcher != nil {
		e.watcher(at, b)
	} else {
		e.unwatched += int64(len(b))
	}
	e.kept = append(e.kept, b...)
	if over := len(e.kept) - keptBytes; over > 0 {
		e.kept = append(e.kept[:0], e.kept[over:]...)
	}
}

func (e *standardError) Log() (end []byte, left int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.kept), e.written - int64(len(e.kept))
}

func (e *standardError) Watch(f func(time.Time, []byte)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.watcher = f; f == nil {
		return
	}
	if missed := e.kept[max(0, int64(len(e.kept))-e.unwatched):]; len(missed) > 0 {
		f(time.Now(), missed)
	}
	e.unwatched = 0
}

// end waits until nothing more comes. Another process can hold standard error open after the bot is gone.
func (e *standardError) end() {
	const patience = 200 * time.Millisecond
	stop := time.AfterFunc(patience, func() { e.pipe.Close() })
	<-e.over
	stop.Stop()
	e.pipe.Close()
}
