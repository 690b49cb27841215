package workers

import (
	"context"
	"time"

	"github.com/nats-io/nats.go"

	"sembra/results"
)

// The subjects of what is shown while it is played. They are plain NATS, which keeps nothing: a message may be lost.
const (
	watchSubject = "sembra.watch" // of the runner
	liveSubject  = "sembra.live." // of the worker with that identity
)

// The bounds of what is shown.
const (
	watchEvery = time.Second            // the runner says so often that somebody watches
	watchLasts = 5 * watchEvery         // a worker then tells of its matches for so long
	liveEvery  = 250 * time.Millisecond // at least between two messages of a worker
	liveShare  = 10 * time.Millisecond  // added for each worker, so that the runner gets at most 100 messages a second
	mostMoves  = 10_000                 // in one message
	mostLive   = 1 << 20                // bytes of one message
)

// Watch says that somebody watches the runner.
type Watch struct {
	Version int           `json:"version"`
	Plan    string        `json:"plan"`     // hash of the plan
	Every   time.Duration `json:"every_ns"` // between two messages of a worker
}

// Live is all matches that a worker plays at a moment.
type Live struct {
	Version int       `json:"version"`
	Plan    string    `json:"plan"`
	Matches []Playing `json:"matches"`
}

// Playing is a match in play.
type Playing struct {
	results.Key
	Slot    int              `json:"slot"`
	At      time.Time        `json:"at"`     // when it began, by the worker's clock; a new try has another one
	Age     time.Duration    `json:"age_ns"` // since it began
	Idle    time.Duration    `json:"idle_ns"`
	Left    [2]time.Duration `json:"left_ns,omitzero"` // as in [arena.Ply]
	Moves   []string         `json:"moves"`            // all so far
	Elapsed []time.Duration  `json:"elapsed_ns"`       // of each move
	Scores  []*float64       `json:"scores"`           // of each move
}

// show tells of the matches in play while the runner says that somebody watches it, until the context is done.
func (w *worker) show(ctx context.Context) {
	watches := make(chan *nats.Msg, 1) // the connection drops more than that
	subscription, err := w.conn.ChanSubscribe(watchSubject, watches)
	if err != nil {
		return // the connection is closed
	}
	defer func() { _ = subscription.Unsubscribe() }()
	send := time.NewTimer(0)
	defer send.Stop()
	var every time.Duration
	var until time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case msg := <-watches:
			var watch Watch
			if decode("a watch", msg.Data, &watch) != nil || watch.Plan != w.planned() {
				continue
			}
			if time.Now().After(until) {
				send.Reset(0)
			}
			every, until = min(max(watch.Every, liveEvery), time.Minute), time.Now().Add(watchLasts)
		case <-send.C:
			if time.Now().After(until) {
				continue
			}
			if text := w.live(); len(text) <= mostLive && w.conn.IsConnected() { // else they would wait in a buffer
				_ = w.conn.Publish(liveSubject+w.id, text)
			}
			send.Reset(every)
		}
	}
}

func (w *worker) planned() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.self.Plan
}

// live returns the matches in play as they travel.
func (w *worker) live() []byte {
	now, left := time.Now(), mostMoves
	l := Live{Version: valueVersion, Plan: w.planned(), Matches: []Playing{}}
	for _, m := range w.inPlay() {
		n := min(len(m.Moves), left)
		left -= n
		p := Playing{
			Key: m.Key, Slot: m.Slot, At: m.At.UTC(), Age: now.Sub(m.At), Idle: now.Sub(latest(m.At, m.Moved)), Left: m.Left,
			Moves: m.Moves[:n], Elapsed: m.Elapsed[:n], Scores: m.Scores[:n],
		}
		l.Matches = append(l.Matches, p)
	}
	return encode(l)
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
