package web

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"sembra/results/store"
)

// lives are the streams of all tournaments that somebody watches.
type lives struct {
	mu       sync.Mutex // guards what follows
	streams  map[string]*stream
	watchers int // of all streams
}

// The limits of what is sent to a browser.
const (
	sendTime  = 10 * time.Second // for one event; a browser that is slower is disconnected
	heartbeat = 15 * time.Second // a browser hears something at least as often
)

// watch answers with what happens in a tournament as server-sent events, until the browser goes or the server ends.
func (s *Server) watch(w http.ResponseWriter, r *http.Request) {
	name := unsegment(r.PathValue("tournament"))
	if !s.isWatched(name) { // many watchers come back at once when the server begins again
		if err := s.library.Read(r.Context(), name, func(*store.Book) error { return nil }); err != nil {
			s.answer(w, r, content{}, err)
			return
		}
	}
	stream, ok := s.join(name)
	if !ok {
		s.answer(w, r, content{}, &refusal{
			http.StatusServiceUnavailable, "Too many watchers",
			fmt.Sprintf("%d pages are watching already: reload this page to see new results", mostWatchers),
		})
		return
	}
	defer s.leave(stream)
	header := w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-store")
	control := http.NewResponseController(w)
	send := func(events []byte) bool {
		err := control.SetWriteDeadline(time.Now().Add(sendTime))
		if err == nil {
			_, err = w.Write(events)
		}
		return err == nil && control.Flush() == nil
	}
	if !send([]byte("retry: 2000\n\n")) { // milliseconds after which a browser tries again
		return
	}
	for seen := (*streamState)(nil); ; {
		now, more := stream.wait()
		if now.page > 0 && now != seen {
			if !send(now.since(seen)) {
				return
			}
			seen = now
		}
		select {
		case <-r.Context().Done():
			return
		case <-more:
		case <-time.After(heartbeat):
			if !send([]byte(":\n\n")) {
				return
			}
		}
	}
}

// isWatched reports whether a tournament, which then exists, has a stream already.
func (s *Server) isWatched(name string) bool {
	s.lives.mu.Lock()
	defer s.lives.mu.Unlock()
	return s.lives.streams[name] != nil
}

// join adds a watcher to the stream of a tournament, which begins with its first one; ok is false if there are too
// many watchers.
func (s *Server) join(name string) (found *stream, ok bool) {
	l := &s.lives
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.watchers >= mostWatchers {
		return nil, false
	}
	found = l.streams[name]
	if found == nil {
		ctx, stop := context.WithCancel(context.Background())
		found = &stream{name: name, s: s, state: new(streamState), more: make(chan struct{}), stop: stop}
		if l.streams == nil {
			l.streams = make(map[string]*stream)
		}
		l.streams[name] = found
		go found.run(ctx)
	}
	l.watchers++
	found.mu.Lock()
	found.watchers++
	found.mu.Unlock()
	return found, true
}

// leave takes a watcher from a stream, which ends with its last one.
func (s *Server) leave(from *stream) {
	l := &s.lives
	l.mu.Lock()
	defer l.mu.Unlock()
	l.watchers--
	from.mu.Lock()
	from.watchers--
	last := from.watchers == 0
	from.mu.Unlock()
	if last {
		from.stop()
		delete(l.streams, from.name)
	}
}
