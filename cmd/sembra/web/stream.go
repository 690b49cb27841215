package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"sembra/arena"
	"sembra/engine"
	"sembra/results"
	"sembra/results/store"
)

// stream is what happens in one tournament, for all browsers that watch it. It is drawn once for all of them, and
// only while somebody watches.
//
// The stream has the newest state and no history. A browser that was slow, or was away, gets the whole state.
type stream struct {
	name string
	s    *Server

	mu       sync.Mutex // guards what follows
	watchers int
	state    *streamState  // never changed, but replaced by a new one
	more     chan struct{} // closed when there is a new state
	stop     context.CancelFunc
}

// streamState is a state of a stream as events.
type streamState struct {
	page   int    // number of the main part of the page; 0: not drawn yet
	main   []byte // event with the main part
	now    int    // number of the matches in play
	inPlay []byte // event with them
	layout []byte // event with the layout of the board, for a new browser
}

// The limits of what a stream draws.
const (
	boardsEvery  = 250 * time.Millisecond
	boardsShare  = 2500 * time.Microsecond // added for each watcher, because sending costs a run more than drawing
	restEvery    = time.Second             // between two looks at a library without a run
	pageEvery    = time.Second
	pageShare    = 40 // a page that takes a second to draw is drawn every 40 seconds
	mostBoards   = 8
	mostBytes    = 10 << 20 // a second, for the pages of all watchers together
	mostWatchers = 500      // of all tournaments
)

// run draws new states until the context is done.
func (s *stream) run(ctx context.Context) {
	boards := inPlay{replays: make(map[int]*results.Replay)}
	var pageAt time.Time // when the page may be drawn again
	seen, shown := Moment{Version: Version{opening: -1}}, Moment{Boards: -1}
	for {
		now := s.s.library.Now()
		next := *s.current()
		if now.Version != seen.Version && !time.Now().Before(pageAt) {
			began := time.Now()
			if withoutPanic(func() error { return s.drawPage(ctx, &next, &boards) }) == nil {
				seen = now
			}
			pageAt = began.Add(s.pause(time.Since(began), len(next.main)))
		}
		if boards.rules != nil && (now.Boards != shown.Boards || now.Running != shown.Running) {
			_ = withoutPanic(func() error {
				if event := boards.event(s.name, now); !bytes.Equal(event, next.inPlay) {
					next.inPlay = event
					next.now++
				}
				return nil
			})
			shown = now
		}
		s.publish(&next)
		wait := restEvery
		if now.Running {
			wait = boardsEvery + time.Duration(s.watching())*boardsShare
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}

// pause returns how long a page is not drawn again: the longer, the more work that is.
func (s *stream) pause(drawn time.Duration, size int) time.Duration {
	sent := time.Duration(float64(size) * float64(s.watching()) / mostBytes * float64(time.Second))
	return max(pageEvery, pageShare*drawn, sent)
}

// drawPage draws the main part of the page of the tournament.
func (s *stream) drawPage(ctx context.Context, state *streamState, boards *inPlay) error {
	leave, err := s.s.drawn.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	var c content
	err = s.s.library.Read(ctx, s.name, func(b *store.Book) (err error) {
		r := newReader(b, s.s.links)
		if boards.rules == nil {
			if boards.rules, err = r.ruleset(); err != nil {
				return err
			}
		}
		c, err = r.summaryPage()
		return err
	})
	if err != nil {
		return err
	}
	main, err := s.s.painter.draw(c.Template, c.View)
	if err != nil {
		return err
	}
	if state.layout == nil {
		state.layout = event("layout", newBoardLayout(boards.rules, "", ""))
	}
	if drawn := event("page", string(main)); !bytes.Equal(drawn, state.main) {
		state.page++
		state.main = drawn
	}
	return nil
}

func (s *stream) watching() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.watchers
}

// current returns the newest state.
func (s *stream) current() *streamState {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

// publish makes a state the newest one, if it has something new.
func (s *stream) publish(next *streamState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if next.page == s.state.page && next.now == s.state.now {
		return
	}
	s.state = next
	close(s.more)
	s.more = make(chan struct{})
}

// wait returns the newest state, and a channel that is closed when there is a newer one.
func (s *stream) wait() (*streamState, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state, s.more
}

// since returns the events that a browser needs that has another state, nil for none.
func (now *streamState) since(seen *streamState) []byte {
	var events []byte
	if seen == nil {
		seen = &streamState{}
		events = append(events, now.layout...)
	}
	if now.page != seen.page {
		events = append(events, now.main...)
	}
	if now.now != seen.now {
		events = append(events, now.inPlay...)
	}
	return events
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

// inPlay makes boards of the matches that are being played.
type inPlay struct {
	rules   engine.Ruleset          // nil: not known yet
	replays map[int]*results.Replay // by slot
}

// liveNow is the event with the matches that are being played.
type liveNow struct {
	Running bool        `json:"running"` // a run plays the tournament
	Count   int         `json:"count"`   // number of matches in play
	Matches []liveMatch `json:"matches"` // some of them
}

// liveMatch is a match that is being played.
type liveMatch struct {
	Slot   int         `json:"slot"`
	Pair   int         `json:"pair"`
	Bots   [2]string   `json:"bots"` // South and North
	Plies  int         `json:"plies"`
	Before *boardFrame `json:"before,omitempty"` // the board before the last ply; nil: none was played
	Frame  boardFrame  `json:"frame"`
	Left   *[2]float64 `json:"left,omitempty"` // of the base time at the last move, in milliseconds; nil: there is none
	Idle   float64     `json:"idle"`           // milliseconds since the last move, or since the match began
}

// event returns the event with the matches in play.
func (p *inPlay) event(tournament string, now Moment) []byte {
	said := liveNow{Running: now.Running, Matches: []liveMatch{}}
	played := now.InPlay
	if played.Tournament != tournament {
		played = arena.InPlay{}
	}
	said.Count = played.Count
	replays := make(map[int]*results.Replay)
	for _, begun := range played.Matches[:min(len(played.Matches), mostBoards)] {
		replay, err := p.replay(begun)
		if err != nil {
			continue
		}
		replays[begun.Slot] = replay
		said.Matches = append(said.Matches, p.match(begun, replay))
	}
	p.replays = replays
	return event("now", said)
}

// replay plays the moves of a match that are new since the last call.
func (p *inPlay) replay(begun arena.MatchBegun) (*results.Replay, error) {
	replay := p.replays[begun.Slot]
	if replay == nil || replay.Record.Key != begun.Key || len(replay.Plies) > len(begun.Moves) {
		record := results.Record{Summary: results.Summary{Key: begun.Key}, Body: results.Body{Opening: begun.Opening}}
		again, err := results.BeginReplay(p.rules, record)
		if err != nil {
			return nil, err
		}
		replay = &again
	}
	for _, token := range begun.Moves[len(replay.Plies):] {
		if err := replay.Add(token, 0, nil); err != nil {
			return nil, err
		}
	}
	return replay, nil
}

func (p *inPlay) match(begun arena.MatchBegun, replay *results.Replay) liveMatch {
	m := liveMatch{
		Slot: begun.Slot, Pair: begun.Pair, Bots: [2]string{shown(begun.South), shown(begun.North)},
		Plies: len(replay.Plies), Frame: boardFrame{Position: engine.Text(p.rules, replay.Start)},
	}
	last := begun.At
	if n := len(replay.Plies); n > 0 {
		ply := replay.Plies[n-1].Ply
		m.Before, m.Frame = &boardFrame{Position: engine.Text(p.rules, ply.Before)}, newBoardFrame(p.rules, ply)
		last = begun.Moved
	}
	if begun.Left != [2]time.Duration{} {
		m.Left = &[2]float64{milliseconds(begun.Left[0]), milliseconds(begun.Left[1])}
	}
	m.Idle = float64(max(0, time.Since(last)).Milliseconds())
	return m
}
