package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"sembra/results/store"
)

// lives are the streams of all tournaments that somebody watches.
type lives struct {
	mu       sync.Mutex // guards what follows, and in each stream what changes
	streams  map[string]*stream
	watchers int // of all streams
}

// stream is what happens in one tournament, for all browsers that watch it. It is drawn once for all of them, and only
// while somebody watches.
//
// The stream has the newest state and no history. A browser that was slow, or was away, gets the whole state.
type stream struct {
	name string
	s    *Server
	stop context.CancelFunc

	watchers int
	state    streamState
	more     chan struct{} // closed when there is a new state
}

// streamState is a state of a stream as events, nil before they are drawn: the layout of the board, the main part of
// the page, and the matches in play.
type streamState struct{ layout, page, now []byte }

// since returns the events that a browser needs that has another state, nil for none. There are none before the page.
func (s streamState) since(seen streamState) (events []byte) {
	if s.page == nil {
		return nil
	}
	for _, event := range [][2][]byte{{s.layout, seen.layout}, {s.page, seen.page}, {s.now, seen.now}} {
		if !bytes.Equal(event[0], event[1]) {
			events = append(events, event[0]...)
		}
	}
	return events
}

// The limits of what a stream draws and sends.
const (
	boardsEvery  = 250 * time.Millisecond
	boardsShare  = 2500 * time.Microsecond // added for each watcher, because sending costs a run more than drawing
	restEvery    = time.Second             // between two looks at a library without a run
	pageEvery    = time.Second
	pageShare    = 40               // a page that takes a second to draw is drawn every 40 seconds
	mostBytes    = 10 << 20         // a second, for the pages of all watchers together
	mostWatchers = 500              // of all tournaments
	sendTime     = 10 * time.Second // for one event; a browser that is slower is disconnected
	heartbeat    = 15 * time.Second // a browser hears something at least as often
)

// watch answers with what happens in a tournament as server-sent events, until the browser goes or the server ends.
func (s *Server) watch(w http.ResponseWriter, r *http.Request) {
	stream, err := s.join(r.Context(), unsegment(r.PathValue("tournament")))
	if err != nil {
		s.answer(w, r, content{}, err)
		return
	}
	defer s.leave(stream)
	header := w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-store")
	control := http.NewResponseController(w)
	var seen streamState
	for events := []byte("retry: 2000\n\n"); ; { // milliseconds after which a browser tries again
		if control.SetWriteDeadline(time.Now().Add(sendTime)) != nil {
			return
		}
		if _, err := w.Write(events); err != nil || control.Flush() != nil {
			return
		}
		for events = nil; events == nil; {
			now, more := stream.current()
			if events = now.since(seen); events != nil {
				seen = now
				break
			}
			select {
			case <-r.Context().Done():
				return
			case <-more:
			case <-time.After(heartbeat):
				events = []byte(":\n\n")
			}
		}
	}
}

// join adds a watcher to the stream of a tournament, which begins with its first one.
func (s *Server) join(ctx context.Context, name string) (*stream, error) {
	l := &s.lives
	l.mu.Lock()
	defer l.mu.Unlock()
	found := l.streams[name]
	if found == nil { // many watchers come back at once when the server begins again: one of them looks
		if err := s.library.Read(ctx, name, func(*store.Records) error { return nil }); err != nil {
			return nil, err
		}
	}
	if l.watchers >= mostWatchers {
		what := fmt.Sprintf("%d pages are watching already: reload this page to see new results", mostWatchers)
		return nil, &refusal{status: http.StatusServiceUnavailable, title: "Too many watchers", what: what}
	}
	if found == nil {
		ctx, stop := context.WithCancel(context.Background())
		found = &stream{name: name, s: s, more: make(chan struct{}), stop: stop}
		if l.streams == nil {
			l.streams = make(map[string]*stream)
		}
		l.streams[name] = found
		go found.run(ctx) // until the last watcher leaves
	}
	l.watchers++
	found.watchers++
	return found, nil
}

// leave takes a watcher from a stream, which ends with its last one.
func (s *Server) leave(from *stream) {
	s.lives.mu.Lock()
	defer s.lives.mu.Unlock()
	s.lives.watchers--
	from.watchers--
	if from.watchers == 0 {
		from.stop()
		delete(s.lives.streams, from.name)
	}
}

// current returns the newest state, and a channel that is closed when there is a newer one.
func (s *stream) current() (streamState, <-chan struct{}) {
	s.s.lives.mu.Lock()
	defer s.s.lives.mu.Unlock()
	return s.state, s.more
}

// publish makes a state the newest one, if it has something new. It returns the number of watchers.
func (s *stream) publish(next streamState) (watchers int) {
	s.s.lives.mu.Lock()
	defer s.s.lives.mu.Unlock()
	if next.since(s.state) != nil {
		s.state = next
		close(s.more)
		s.more = make(chan struct{})
	}
	return s.watchers
}

// run draws new states until the context is done.
func (s *stream) run(ctx context.Context) {
	var next streamState
	var boards inPlay
	var pageAt time.Time // when the page may be drawn again
	watchers := 1
	var seen, shown Moment
	for {
		now := s.s.library.Now()
		if began := time.Now(); now.Version != seen.Version && !began.Before(pageAt) {
			if withoutPanic(func() error { return s.drawPage(ctx, &next, &boards) }) == nil {
				seen = now
			}
			pageAt = began.Add(pause(time.Since(began), len(next.page), watchers))
		}
		if boards.rules != nil && (next.now == nil || now.Boards != shown.Boards || now.Running != shown.Running) {
			_ = withoutPanic(func() error {
				next.now = boards.event(s.name, now)
				return nil
			})
			shown = now
		}
		watchers = s.publish(next)
		wait := restEvery
		if now.Running {
			wait = boardsEvery + time.Duration(watchers)*boardsShare
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}

// pause returns how long a page is not drawn again: the longer, the more work that is.
func pause(drawn time.Duration, size, watchers int) time.Duration {
	sent := time.Duration(float64(size) * float64(watchers) / mostBytes * float64(time.Second))
	return max(pageEvery, pageShare*drawn, sent)
}

// drawPage draws the main part of the page of the tournament.
func (s *stream) drawPage(ctx context.Context, state *streamState, boards *inPlay) error {
	s.s.drawn.Lock()
	defer s.s.drawn.Unlock()
	return s.s.library.Read(ctx, s.name, func(b *store.Records) error {
		r := newReader(b, s.s.links)
		c, err := r.page("", nil)
		if err != nil {
			return err
		}
		main, err := s.s.painter.draw(c.Template, c.View)
		if err != nil {
			return err
		}
		if boards.rules, err = r.ruleset(); err != nil {
			return err
		}
		state.layout, state.page = event("layout", newBoardLayout(boards.rules, "", "")), event("page", string(main))
		return nil
	})
}

// event returns a server-sent event.
func event(kind string, data any) []byte {
	var text bytes.Buffer
	fmt.Fprintf(&text, "event: %s\ndata: ", kind)
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(data); err != nil { // no part of what is sent can cause one
		return nil
	}
	text.WriteByte('\n')
	return text.Bytes()
}
