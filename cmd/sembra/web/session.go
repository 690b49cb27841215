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

// closing is why a match was closed, for the person. It is an error as the cause of a context's end.
type closing string

const (
	sayStopped  closing = "The program behind this page was stopped."
	sayReplaced closing = "This match was over, and another match needed the place of its bot."
	sayIdle     closing = "Nobody made a move for a long time, so Sembra ended the bot."
	sayLeft     closing = "The page of this match was not open anywhere, so Sembra ended the bot."
	sayClosed   closing = "You ended this match."
)

func (c closing) Error() string { return string(c) }

// sessions are the matches that people play on the page. A match has a running bot until it is closed. After that it
// can still be looked at and saved, until newer matches take its place.
type sessions struct {
	ctx    context.Context // ends all matches
	cancel context.CancelCauseFunc
	bots   sync.WaitGroup // bots that are being started or run

	mu       sync.Mutex // guards what follows
	kept     []*session // the oldest first
	starting int        // bots that are being started
}

type session struct {
	id    string // nobody can guess it, so only the person who began the match can play in it
	match *arena.FriendlyMatch
	chose choices // what the person chose for it

	running    context.Context // ends when the match is closed, by a [closing]
	close      context.CancelCauseFunc
	idle, left *time.Timer // close the match unless the person does something, or its page is open

	acting  sync.Mutex // is held while the person does something
	hinting sync.Mutex // is held while Sembra looks for a hint
}

// end ends all matches and their bots, and waits for that. No match can begin any more.
func (s *sessions) end() {
	s.mu.Lock()
	s.cancel(sayStopped) // under the lock, so that no bot is added while Wait waits
	s.mu.Unlock()
	s.bots.Wait()
}

// begin starts the bot and the match that a person has chosen. The error is a [*refusal] or a sentence about the
// choice.
func (p *playing) begin(chose choices) (s *session, err error) {
	f, err := p.friendly(chose)
	if err != nil {
		return nil, err
	}
	if err := p.reserve(); err != nil {
		return nil, err
	}
	defer p.bots.Done()
	defer func() { p.keep(s) }()
	match, err := f.Begin(p.ctx)
	if err != nil {
		return nil, &refusal{status: http.StatusInternalServerError, what: err.Error()}
	}
	s = &session{id: rand.Text(), match: match, chose: chose}
	s.running, s.close = context.WithCancelCause(p.ctx)
	s.idle = time.AfterFunc(idleLimit, func() { s.close(sayIdle) })
	s.left = time.AfterFunc(leftLimit, func() { s.close(sayLeft) })
	p.bots.Go(func() { // until the match is closed
		<-s.running.Done()
		s.idle.Stop()
		s.left.Stop()
		match.Close()
	})
	return s, nil
}

// keep puts a match whose bot has started in the place that reserve took. nil: it did not start, and the place is free.
func (s *sessions) keep(begun *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.starting--
	if begun != nil {
		s.kept = append(s.kept, begun)
	}
	if len(s.kept) > mostKept { // at most mostPlaying of them have a bot
		old := slices.IndexFunc(s.kept, func(one *session) bool { return one.running.Err() != nil })
		s.kept = slices.Delete(s.kept, old, old+1)
	}
}

// reserve takes a place for a bot that starts. If there is none, the oldest match that is over gives up its bot.
func (s *sessions) reserve() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		return sayStopped
	}
	playing := s.starting
	var over *session // the oldest match that is over, and whose bot runs
	for _, one := range s.kept {
		if one.running.Err() != nil {
			continue
		}
		playing++
		if over == nil && one.match.State().Record != nil {
			over = one
		}
	}
	switch {
	case playing < mostPlaying:
	case over != nil:
		over.close(sayReplaced)
	default:
		return &refusal{status: http.StatusServiceUnavailable, what: fmt.Sprintf(
			"%d matches are being played on this page, which is the most that it allows at the same time "+
				"(hint: end one of yours, which the page Play lists, or try again later; a match ends %.0f minutes "+
				"after its page was closed, and %.0f minutes after its player last did something)",
			mostPlaying, leftLimit.Minutes(), idleLimit.Minutes())}
	}
	s.starting++
	s.bots.Add(1)
	return nil
}

func (s *sessions) find(id string) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := slices.IndexFunc(s.kept, func(one *session) bool { return one.id == id }); at >= 0 {
		return s.kept[at]
	}
	return nil
}

// closed returns why the bot was ended; "" if it runs.
func (s *session) closed() closing {
	cause := context.Cause(s.running)
	if cause == nil {
		return ""
	}
	why := sayStopped // if the context of all matches has ended
	errors.As(cause, &why)
	return why
}

// anyState says that a person wants something in whatever state a match is.
const anyState = -1

// act does what the person wants, if the bot runs and the match is in the state with the number that the person saw.
func (s *session) act(seen int, do func() error) error {
	s.acting.Lock()
	defer s.acting.Unlock()
	if why := s.closed(); why != "" {
		return &refusal{status: http.StatusGone, what: string(why)}
	}
	s.idle.Reset(idleLimit)
	s.left.Reset(leftLimit)
	if seen != anyState && seen != s.match.State().Number {
		return &refusal{status: http.StatusConflict, what: "the match has moved on; look at the board again"}
	}
	return do()
}

// await returns the first state of the match after the one with the number seen. It waits until there is one, or the
// context is done; then it returns the newest state. While it waits, the page of the match counts as open.
func (s *session) await(ctx context.Context, seen int) arena.FriendlyState {
	s.left.Reset(leftLimit)
	defer s.left.Reset(leftLimit)
	state, _ := s.match.Await(ctx, seen)
	return state
}
