package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"sembra/arena"
	"sembra/engine"
	"sembra/results/safe"
	"sembra/results/store"
)

// lives are the streams of all tournaments that somebody watches.
type lives struct {
	mu       sync.Mutex // guards what follows, and in each stream the number of watchers
	streams  map[string]*eventStream
	watchers int // of all streams
}

// eventStream is what happens in one tournament, for all browsers that watch it. Whichever of them asks first draws a
// new state for all.
//
// The stream has the newest state and no history. A browser that was slow, or was away, gets the whole state.
type eventStream struct {
	name     string
	server   *Server
	watchers int

	mu       sync.Mutex // is held while a state is drawn, and guards what follows
	state    streamState
	rules    engine.Ruleset // nil: not known yet
	ofPage   Moment         // when the page in the state was drawn
	ofBoards Moment         // when its boards were
	pageAt   time.Time      // when the page may be drawn again
	next     time.Time      // when the state may be drawn again
}

// streamState is a state of a stream as events, nil before they are drawn: the layout of the board, the main part of
// the page, and the matches in play.
type streamState struct{ layout, page, now []byte }

// since returns the events that a browser needs that has another state, nil for none. There are none before the page.
func (s streamState) since(seen streamState) []byte {
	if s.page == nil {
		return nil
	}
	var events []byte
	if !bytes.Equal(s.layout, seen.layout) {
		events = append(events, s.layout...)
	}
	if !bytes.Equal(s.page, seen.page) {
		events = append(events, s.page...)
	}
	if !bytes.Equal(s.now, seen.now) {
		events = append(events, s.now...)
	}
	return events
}

// The limits of what a stream draws and sends.
const (
	stateEvery   = 500 * time.Millisecond // between two states
	pageShare    = 40                     // a page that takes a second to draw is drawn every 40 seconds
	mostWatchers = 200                    // of all streams, because sending costs a run CPU time too
	sendTime     = 10 * time.Second       // for one event; a browser that is slower is disconnected
	heartbeat    = 15 * time.Second       // a browser hears something at least as often
)

// watch answers with what happens in a tournament as server-sent events, until the browser goes or the server ends.
func (s *Server) watch(w http.ResponseWriter, r *http.Request) {
	ctx, name := r.Context(), unsegment(r.PathValue("tournament"))
	stream := got(s.join(ctx, name))
	defer s.leave(stream)
	header := w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-store")
	control := http.NewResponseController(w)
	send := func(events []byte) bool {
		if control.SetWriteDeadline(time.Now().Add(sendTime)) != nil {
			return false
		}
		_, err := w.Write(events)
		return err == nil && control.Flush() == nil
	}
	events := []byte("retry: 2000\n\n") // milliseconds after which a browser tries again
	sent := time.Now()
	var seen streamState
	for {
		if time.Since(sent) > heartbeat {
			events = append(events, ":\n\n"...)
		}
		if len(events) > 0 {
			if !send(events) {
				return
			}
			sent = time.Now()
		}
		now, next := stream.now(ctx)
		if events = now.since(seen); events != nil {
			seen = now
			continue
		}
		select {
		case <-ctx.Done():
			if errors.Is(context.Cause(ctx), ErrRunEnded) {
				last := stream.last(context.WithoutCancel(ctx)).since(seen)
				send(append(last, event("end", nil)...))
			}
			return
		case <-time.After(time.Until(next)):
		}
	}
}

func (s *Server) join(ctx context.Context, name string) (*eventStream, error) {
	l := &s.lives
	l.mu.Lock()
	defer l.mu.Unlock()
	found := l.streams[name]
	if found == nil { // many watchers reconnect together when the server restarts: one of them looks
		if err := s.library.Read(ctx, name, func(*store.Records) error { return nil }); err != nil {
			return nil, err
		}
		found = &eventStream{name: name, server: s}
	}
	if l.watchers >= mostWatchers {
		what := fmt.Sprintf("%d pages are watching already: reload this page to see new results", mostWatchers)
		return nil, &refusal{status: http.StatusServiceUnavailable, title: "Too many watchers", what: what}
	}
	l.streams[name] = found
	l.watchers++
	found.watchers++
	return found, nil
}

// leave takes a watcher from a stream, which ends with its last one.
func (s *Server) leave(from *eventStream) {
	s.lives.mu.Lock()
	defer s.lives.mu.Unlock()
	s.lives.watchers--
	from.watchers--
	if from.watchers == 0 {
		delete(s.lives.streams, from.name)
	}
}

// now returns the newest state, and when there may be another one. It draws what is new and may be drawn.
func (s *eventStream) now(ctx context.Context) (state streamState, next time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	began := time.Now()
	if began.Before(s.next) {
		return s.state, s.next
	}
	now := s.server.library.Now()
	if now.Version != s.ofPage.Version && !began.Before(s.pageAt) {
		if s.drawPage(ctx) == nil {
			s.ofPage = now
		}
		s.pageAt = began.Add(pageShare * time.Since(began))
	}
	if s.rules != nil && (s.state.now == nil || now.Boards != s.ofBoards.Boards || now.Running != s.ofBoards.Running) {
		s.state.now, _ = inPlay(s.rules, s.name, now)
		s.ofBoards = now
	}
	s.next = time.Now().Add(stateEvery)
	return s.state, s.next
}

// last returns the state at the end of a run, whenever the one before was drawn.
func (s *eventStream) last(ctx context.Context) streamState {
	s.mu.Lock()
	s.next, s.pageAt = time.Time{}, time.Time{}
	s.mu.Unlock()
	state, _ := s.now(ctx)
	return state
}

func (s *eventStream) drawPage(ctx context.Context) (err error) {
	s.server.drawn.Lock()
	defer s.server.drawn.Unlock()
	defer catch(&err)
	return s.server.library.Read(ctx, s.name, func(b *store.Records) error {
		r := s.server.reader(b)
		c := got(r.page("", nil))
		main := got(s.server.painter.draw(c.Template, c.View))
		s.rules = r.ruleset()
		s.state.layout = event("layout", newBoardLayout(s.rules, "", ""))
		s.state.page = event("page", string(main))
		return nil
	})
}

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

// liveNow is the event with the matches that are being played.
type liveNow struct {
	Running bool        `json:"running"` // a run plays the tournament
	Count   int         `json:"count"`   // number of matches in play
	Matches []liveMatch `json:"matches"` // as many of them as a feed has
}

type liveMatch struct {
	Number int         `json:"number"`
	Pair   int         `json:"pair"`
	Bots   [2]string   `json:"bots"` // South and North
	Plies  int         `json:"plies"`
	Before *boardFrame `json:"before,omitempty"` // the board before the last ply; nil: none was played
	Frame  boardFrame  `json:"frame"`
	Left   *[2]float64 `json:"left,omitempty"` // of the base time at the last move, in milliseconds; nil: there is none
	Idle   float64     `json:"idle"`           // milliseconds since the last move, or since the match began
}

// inPlay returns the event with the matches of a tournament that are being played.
func inPlay(rules engine.Ruleset, tournament string, now Moment) (text []byte, err error) {
	defer catch(&err)
	live := liveNow{Running: now.Running, Matches: []liveMatch{}}
	for _, begun := range watched(now, tournament) {
		live.Count = now.InPlay.Count
		live.Matches = append(live.Matches, newLiveMatch(rules, begun))
	}
	return event("now", live), nil
}

// watched returns the matches in play of a tournament that can be watched: a feed has the first of them.
func watched(now Moment, tournament string) []arena.MatchBegun {
	if now.InPlay.Tournament != tournament {
		return nil
	}
	return now.InPlay.Matches
}

// orInPlay answers with the page of a match in play, which has the address that the match will have when it is
// recorded. next answers all other requests.
func (s *Server) orInPlay(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		name := unsegment(r.PathValue("tournament"))
		for _, m := range watched(s.library.Now(), name) {
			if r.PathValue("page") != "match/"+strconv.Itoa(m.Number) {
				continue
			}
			s.answer(w, s.inPlayPage(name, m))
			return
		}
		next(w, r)
	}
}

func newLiveMatch(rules engine.Ruleset, begun arena.MatchBegun) liveMatch {
	m := liveMatch{
		Number: begun.Number, Pair: begun.Pair,
		Bots:  [2]string{safe.Line(begun.South), safe.Line(begun.North)},
		Plies: len(begun.Plies), Frame: boardFrame{Position: begun.Opening},
	}
	last := begun.At
	if n := len(begun.Plies); n > 0 {
		ply := begun.Plies[n-1]
		m.Before, m.Frame = &boardFrame{Position: engine.Text(rules, ply.Before)}, newBoardFrame(rules, ply.Ply)
		if ply.Left != [2]time.Duration{} {
			m.Left = &[2]float64{milliseconds(ply.Left[0]), milliseconds(ply.Left[1])}
		}
		last = begun.Moved
	}
	m.Idle = float64(max(0, time.Since(last)).Milliseconds())
	return m
}
