package web

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"sembra/arena"
)

// The limits of the matches that people play on the page.
const (
	mostPlaying = 8                // matches whose bot runs
	mostKept    = 64               // matches that can be looked at, with a running bot or without
	idleLimit   = 15 * time.Minute // without a move or another action of the person
	leftLimit   = 5 * time.Minute  // while the page of the match is not open anywhere
)

// Why a match was closed, for the person.
const (
	sayStopped  = "The program behind this page was stopped."
	sayReplaced = "This match was over, and another match needed the place of its bot."
	sayIdle     = "Nobody made a move for a long time, so Sembra ended the bot."
	sayLeft     = "The page of this match was not open anywhere, so Sembra ended the bot."
	sayClosed   = "You ended this match."
)

// sessions are the matches that people play on the page. A match has a running bot until it is closed. After that it
// can still be looked at and saved, until newer matches take its place.
type sessions struct {
	ctx    context.Context // ends all matches
	cancel context.CancelFunc
	bots   sync.WaitGroup // bots that are being started or ended

	mu       sync.Mutex // guards what follows, and in each session what changes
	kept     []*session // the oldest first
	starting int        // bots that are being started
}

// session is a match of a person on the page.
type session struct {
	id      string // nobody can guess it, so only the person who began the match can play in it
	match   *arena.FriendlyMatch
	chose   choices // what the person chose for it
	all     *sessions
	hinting limit // Sembra is looking for a hint

	timer  *time.Timer // looks whether the match has to be closed
	acted  time.Time   // when the person last did something
	seen   time.Time   // when the page of the match was last open
	closed string      // why the bot was ended; "": it runs
}

// close ends all matches and their bots, and waits for that. No match can begin any more.
func (s *sessions) close() {
	s.mu.Lock()
	s.cancel() // under the lock, so that no bot is added while Wait waits
	for _, one := range s.kept {
		one.end(sayStopped)
	}
	s.mu.Unlock()
	s.bots.Wait()
}

// begin starts the bot and the match that a person has chosen. The error is a [*refusal], a sentence about the choice,
// or one of [arena.Friendly.Begin].
func (s *playing) begin(chose choices) (*session, error) {
	f, err := s.friendly(chose)
	if err != nil {
		return nil, err
	}
	if err := s.reserve(); err != nil {
		return nil, err
	}
	defer s.bots.Done()
	match, err := f.Begin(s.ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.starting--
	if err == nil && s.ctx.Err() != nil {
		match.Close()
		err = context.Cause(s.ctx)
	}
	if err != nil {
		return nil, err
	}
	now := time.Now()
	begun := &session{
		id: rand.Text(), match: match, chose: chose, all: s.sessions, hinting: make(limit, 1), acted: now, seen: now,
	}
	begun.timer = time.AfterFunc(leftLimit, begun.check)
	s.kept = append(s.kept, begun)
	if len(s.kept) > mostKept { // at most mostPlaying of them have a bot
		old := slices.IndexFunc(s.kept, func(one *session) bool { return one.closed != "" })
		s.kept = slices.Delete(s.kept, old, old+1)
	}
	return begun, nil
}

// reserve takes a place for a bot that starts. If there is none, the oldest match that is over gives up its bot.
func (s *sessions) reserve() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		return errors.New("the program behind this page is being stopped")
	}
	playing, wait := s.starting, idleLimit
	var played *session // the oldest match that is over, and whose bot runs
	for _, one := range s.kept {
		if one.closed != "" {
			continue
		}
		playing++
		due, _ := one.due()
		wait = min(wait, time.Until(due))
		if played == nil && one.match.State().Record != nil {
			played = one
		}
	}
	switch {
	case playing < mostPlaying:
	case played != nil:
		played.end(sayReplaced)
	default:
		wait = max(time.Minute, wait.Round(time.Minute))
		return &refusal{status: http.StatusServiceUnavailable, wait: wait, what: fmt.Sprintf(
			"%d matches are being played on this page, which is the most that it allows at the same time "+
				"(hint: try again in %v; a place is free then at the latest if its player does nothing more)", mostPlaying, wait)}
	}
	s.starting++
	s.bots.Add(1)
	return nil
}

// find returns the match with that ID; nil if there is none.
func (s *sessions) find(id string) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := slices.IndexFunc(s.kept, func(one *session) bool { return one.id == id }); at >= 0 {
		return s.kept[at]
	}
	return nil
}

// over returns why the bot was ended; "" if it runs.
func (s *session) over() string {
	s.all.mu.Lock()
	defer s.all.mu.Unlock()
	return s.closed
}

// due returns when the match has to be closed, unless something happens, and why. The lock is held.
func (s *session) due() (due time.Time, why string) {
	idle, left := s.acted.Add(idleLimit), s.seen.Add(leftLimit)
	if left.Before(idle) {
		return left, sayLeft
	}
	return idle, sayIdle
}

// check closes the match if its time has come.
func (s *session) check() {
	s.all.mu.Lock()
	defer s.all.mu.Unlock()
	due, why := s.due()
	if rest := time.Until(due); rest > 0 {
		s.timer.Reset(rest)
		return
	}
	s.end(why)
}

// end ends the bot, unless it was ended before. It does not wait for that. The lock is held.
func (s *session) end(why string) {
	if s.closed == "" {
		s.closed = why
		s.timer.Stop()
		s.all.bots.Go(s.match.Close)
	}
}

// act does what the person wants, if the bot runs. It is counted as an action of the person.
func (s *session) act(do func() error) error {
	s.all.mu.Lock()
	defer s.all.mu.Unlock()
	if s.closed != "" {
		return &refusal{status: http.StatusGone, what: s.closed}
	}
	s.acted = time.Now()
	s.seen = s.acted
	return do()
}

// await returns the first state of the match after the one with the number seen. It waits until there is one, or the
// context is done; then it returns the newest state. While it waits, the page of the match counts as open.
func (s *session) await(ctx context.Context, seen int) arena.FriendlyState {
	isOpen := func() {
		s.all.mu.Lock()
		defer s.all.mu.Unlock()
		s.seen = time.Now()
	}
	isOpen()
	defer isOpen()
	state, _ := s.match.Await(ctx, seen)
	return state
}
