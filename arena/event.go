package arena

import (
	"sync"
	"time"

	"sembra/engine"
	"sembra/results"
)

// Event is one thing that happens in a run: exactly one of its pointers is set.
// It is a plain value that JSON can carry. Nobody may change what it points to.
type Event struct {
	Isolated   *Isolated   `json:"isolated,omitempty"`
	BotFailed  *BotFailed  `json:"bot_failed,omitempty"`
	RunBegun   *RunBegun   `json:"run_begun,omitempty"`
	MatchBegun *MatchBegun `json:"match_begun,omitempty"`
	Ply        *Ply        `json:"ply,omitempty"`
	MatchEnded *MatchEnded `json:"match_ended,omitempty"`
	MatchVoid  *MatchVoid  `json:"match_void,omitempty"`

	// Missed is how many events the listener of a [Feed] has missed right before
	// this one.
	Missed int `json:"missed,omitempty"`
}

// Isolated tells, before the bots start, what they are isolated from.
type Isolated struct {
	Line string `json:"line"` // for people
	Less bool   `json:"less"` // bots can do harm that a whole jail keeps them from
}

// BotFailed is a bot that did not start before the first match.
type BotFailed struct {
	Bot  string `json:"bot"`
	What string `json:"what"` // for people, with the bot's name

	Forfeits bool `json:"forfeits"` // it loses its matches; if not, nothing is played
}

// RunBegun tells that the bots have started, so that the first match begins.
type RunBegun struct{}

// MatchBegun is a match whose bots are called to the table. A match that a
// withdrawn bot forfeits does not begin; it only ends.
type MatchBegun struct {
	results.Key
	Slot    int       `json:"slot"`    // in the schedule, from 1
	Opening string    `json:"opening"` // position text
	At      time.Time `json:"at"`

	// Moves are the tokens so far, the last of which was played at Moved, and Left is
	// as in the last [Ply]. A listener gets them only of a match that had begun before
	// it listened.
	Moves []string         `json:"moves,omitempty"`
	Moved time.Time        `json:"moved,omitzero"`
	Left  [2]time.Duration `json:"left_ns,omitzero"`

	// Elapsed and Scores are as in a [Ply], for each of the moves. They are not in JSON.
	Elapsed []time.Duration `json:"-"`
	Scores  []*float64      `json:"-"`
}

// Ply is a move that was played.
type Ply struct {
	Slot     int           `json:"slot"`
	Number   int           `json:"number"` // in the match, from 1
	Token    string        `json:"token"`
	Position string        `json:"position"` // position text after the move
	Elapsed  time.Duration `json:"elapsed_ns"`

	// Left is what South and North have left of their base time; zero without
	// one.
	Left  [2]time.Duration `json:"left_ns,omitzero"`
	Score *float64         `json:"score,omitempty"` // in seeds, as the mover says; nil: it says none
}

// MatchEnded is a match whose record is safe.
type MatchEnded struct {
	results.Key
	Slot int    `json:"slot"`
	What string `json:"what,omitempty"` // what a bot at fault did, for people

	// Record is not in JSON. A process that follows the database gets the record
	// from there, right before this event.
	Record results.Record `json:"-"`

	// Withdrawn tells, by seat, which bots forfeited the match because they are
	// withdrawn.
	Withdrawn [2]bool `json:"withdrawn"`
}

// MatchVoid is a match without a record because the runner itself failed.
type MatchVoid struct {
	Job    Job    `json:"job"`
	Reason string `json:"reason"`
	Again  bool   `json:"again"` // the match is played again; if not, the run ends
}

// Feed passes the events of a run on to listeners. It never waits for one: a
// listener has a buffer, and misses the events that come while that is full. It
// is told with the next event how many it missed. To catch up, it closes and
// listens anew: a new listener first gets the matches in play with their moves.
// Records that it missed are in the store.
//
// The events of a match come in order: its begin, its plies, and its end once
// the record is safe. The next match of a table may begin before that. The zero
// value is ready for use by several goroutines; a nil feed has no listeners.
type Feed struct {
	mu         sync.Mutex // guards what follows
	plies      int        // number of listeners that want plies
	listeners  map[*Listener]bool
	inPlay     map[int]*MatchBegun // by slot, with the moves that were played
	changes    int                 // number of changes of what is in play
	tournament string              // its name in the database; "": not known yet
}

// feedBuffer is how many events wait for a listener.
const feedBuffer = 1024

// Listener receives the events of a feed until it is closed.
type Listener struct {
	C <-chan Event // closed by Close

	c      chan Event
	feed   *Feed
	plies  bool
	missed int
}

// Listen adds a listener, which is told of plies only if it wants them.
func (f *Feed) Listen(plies bool) *Listener {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := make(chan Event, feedBuffer+len(f.inPlay))
	l := &Listener{C: c, c: c, feed: f, plies: plies}
	if plies {
		f.plies++
	}
	for _, begun := range f.inPlay {
		soFar := *begun
		c <- Event{MatchBegun: &soFar}
	}
	if f.listeners == nil {
		f.listeners = make(map[*Listener]bool)
	}
	f.listeners[l] = true
	return l
}

// Close ends the listening and closes C. It may be called again.
func (l *Listener) Close() {
	f := l.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.listeners[l] {
		return
	}
	delete(f.listeners, l)
	if l.plies {
		f.plies--
	}
	close(l.c)
}

// publish passes an event on.
func (f *Feed) publish(e Event) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case e.MatchEnded != nil:
		delete(f.inPlay, e.MatchEnded.Slot)
		f.changes++
	case e.MatchVoid != nil:
		delete(f.inPlay, e.MatchVoid.Job.Slot)
		f.changes++
	}
	f.offer(e)
}

// offer passes an event on while the feed is locked.
func (f *Feed) offer(e Event) {
	for l := range f.listeners {
		if e.Ply == nil || l.plies {
			l.offer(e)
		}
	}
}

// offer puts an event into the buffer, if there is room.
func (l *Listener) offer(e Event) {
	e.Missed = l.missed
	select {
	case l.c <- e:
		l.missed = 0
	default:
		l.missed++
	}
}

// begin publishes that a match begins.
func (f *Feed) begin(job Job, rules engine.Ruleset, start engine.Position) *liveMatch {
	if f == nil {
		return nil
	}
	begun := MatchBegun{Key: job.Key, Slot: job.Slot, Opening: engine.Text(rules, start), At: time.Now()}
	m := &liveMatch{feed: f, begun: begun}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.inPlay == nil {
		f.inPlay = make(map[int]*MatchBegun)
	}
	f.inPlay[job.Slot] = &m.begun
	f.changes++
	f.offer(Event{MatchBegun: &begun})
	return m
}

// forget forgets a match that nobody tells the end of.
func (f *Feed) forget(slot int) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.inPlay, slot)
	f.changes++
}

// end forgets the matches that were stopped with the run.
func (f *Feed) end() {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.inPlay)
	f.changes++
}

// liveMatch is a match in play, as far as a feed tells it. A nil one is told to
// nobody.
type liveMatch struct {
	feed  *Feed
	begun MatchBegun // guarded by the feed
}

// played notes the referee's last move and publishes it as an event if somebody
// listens to plies.
func (m *liveMatch) played(r *referee) {
	if m == nil {
		return
	}
	m.feed.mu.Lock()
	defer m.feed.mu.Unlock()
	// The referee only appends moves.
	m.begun.Moves, m.begun.Moved, m.begun.Left = r.moves, time.Now(), r.clock.left
	m.begun.Elapsed, m.begun.Scores = r.elapsed, r.scores
	m.feed.changes++
	if m.feed.plies == 0 {
		return
	}
	n := len(r.moves)
	m.feed.offer(Event{Ply: &Ply{
		Slot: r.job.Slot, Number: n, Token: r.moves[n-1], Position: engine.Text(r.match.Rules(), r.match.Position()),
		Elapsed: r.elapsed[n-1], Left: r.clock.left, Score: r.scores[n-1],
	}})
}
