package workers

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"sembra/arena"
	"sembra/engine"
)

// screen tells the feed of a run which matches workers play. What workers say is shown only as far as it can be true:
// a match that is under way and that no other worker has told of, with legal moves.
type screen struct {
	feed  *arena.Feed // nil: nobody watches
	rules engine.Ruleset

	mu      sync.Mutex // guards what follows
	under   map[int]*underWay
	tellers map[string]*teller // by the identity of the worker
}

// underWay is a match that is sent to workers.
type underWay struct {
	job   arena.Job
	sent  time.Time
	match *engine.Match    // as far as it is shown
	at    time.Time        // when it began, by the worker's clock
	begun arena.MatchBegun // as it is shown
	by    string           // the worker that tells of it; "": it is not shown
}

// teller is a worker that tells of matches.
type teller struct {
	heard time.Time
	slots map[int]bool // of the matches that are shown
}

func newScreen(feed *arena.Feed, rules engine.Ruleset) *screen {
	return &screen{feed: feed, rules: rules, under: make(map[int]*underWay), tellers: make(map[string]*teller)}
}

// send notes that matches are sent to workers.
func (s *screen) send(jobs []arena.Job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, job := range jobs {
		s.under[job.Slot] = &underWay{job: job, sent: time.Now()}
	}
}

// back notes that matches came back. over says that they were played.
func (s *screen) back(jobs []arena.Job, over bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, job := range jobs {
		if u := s.under[job.Slot]; u != nil {
			s.hide(u, over)
			delete(s.under, job.Slot)
		}
	}
}

// lost tells of matches whose records are not taken.
func (s *screen) lost(jobs []arena.Job) {
	for _, job := range jobs {
		s.feed.Hide(arena.MatchLeft{Slot: job.Slot})
	}
}

// hide hides a match, if it is shown.
func (s *screen) hide(u *underWay, over bool) {
	if u.by == "" {
		return
	}
	delete(s.tellers[u.by].slots, u.job.Slot)
	u.by = ""
	s.feed.Hide(arena.MatchLeft{Slot: u.job.Slot, Over: over})
}

// listens reports whether a worker may tell something now. Nothing is heard of it for a time after that.
func (s *screen) listens(id string, pause time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tellers[id]
	if t == nil {
		t = &teller{slots: make(map[int]bool)}
		s.tellers[id] = t
	}
	if time.Since(t.heard) < pause {
		return false
	}
	t.heard = time.Now()
	return true
}

// hear shows what a worker tells.
func (s *screen) hear(id string, l Live) {
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tellers[id]
	if t == nil {
		return // nobody watches any more
	}
	told, left := make(map[int]bool), mostMoves
	for _, p := range l.Matches {
		u := s.under[p.Slot]
		left -= len(p.Moves)
		if u == nil || u.job.Key != p.Key || u.by != "" && u.by != id || told[p.Slot] || left < 0 ||
			len(p.Elapsed) != len(p.Moves) || len(p.Scores) != len(p.Moves) {
			continue
		}
		if s.show(u, id, p, now) {
			told[p.Slot], t.slots[p.Slot] = true, true
		}
	}
	for slot := range t.slots {
		if !told[slot] {
			s.hide(s.under[slot], true)
		}
	}
}

// show shows a match as a worker tells it, up to the first move that is not legal.
func (s *screen) show(u *underWay, id string, p Playing, now time.Time) bool {
	longest := now.Sub(u.sent) // so long can anything have taken
	within := func(d time.Duration) time.Duration { return min(max(0, d), longest) }
	if u.by != id || !u.at.Equal(p.At) {
		start := s.rules.Start()
		if u.job.Opening != "" {
			var err error
			if start, err = engine.ParsePosition(s.rules, u.job.Opening); err != nil {
				return false
			}
		}
		u.by, u.at, u.match = id, p.At, engine.NewMatch(s.rules, start)
		u.begun = arena.MatchBegun{
			Key: u.job.Key, Slot: u.job.Slot, Opening: engine.Text(s.rules, start), At: now.Add(-within(p.Age)),
		}
	}
	const most = 1000 * time.Hour // of a clock
	u.begun.Left = [2]time.Duration{min(max(0, p.Left[0]), most), min(max(0, p.Left[1]), most)}
	var plies []arena.Ply
	for i := len(u.begun.Moves); i < len(p.Moves); i++ {
		move, err := u.match.Find(p.Moves[i])
		if err != nil {
			break
		}
		u.match.Play(move)
		ply := arena.Ply{
			Slot: p.Slot, Number: i + 1, Token: p.Moves[i], Position: engine.Text(s.rules, u.match.Position()),
			Elapsed: within(p.Elapsed[i]), Left: u.begun.Left, Score: p.Scores[i],
		}
		plies = append(plies, ply)
		u.begun.Moves, u.begun.Elapsed = append(u.begun.Moves, ply.Token), append(u.begun.Elapsed, ply.Elapsed)
		u.begun.Scores = append(u.begun.Scores, ply.Score)
	}
	if len(plies) > 0 {
		u.begun.Moved = now.Add(-within(p.Idle))
	}
	s.feed.Show(u.begun, plies)
	return true
}

// sweep hides the matches of workers that have not told anything for a time.
func (s *screen) sweep(silent time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, t := range s.tellers {
		if time.Since(t.heard) < silent {
			continue
		}
		for slot := range t.slots {
			s.hide(s.under[slot], false)
		}
		delete(s.tellers, id)
	}
}

// show shows what workers play as long as somebody watches, until the context is done. It has a connection of its own,
// so that what workers tell never delays an answer.
func (r *Runner) show(ctx context.Context, o RunnerOptions) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	var l *link
	for {
		select {
		case <-ctx.Done():
			if l != nil {
				l.conn.Close()
			}
			return
		case <-tick.C:
		}
		if !r.screen.feed.Watched() {
			r.screen.sweep(0)
			continue
		}
		if l == nil {
			if l = r.openScreen(ctx, o); l == nil {
				continue
			}
		}
		every := r.liveEvery()
		_ = l.conn.Publish(watchSubject, encode(Watch{Version: valueVersion, Plan: r.planHash, Every: every})) // the next one follows
		r.screen.sweep(3*every + watchLasts)
	}
}

// openScreen connects and begins to receive what workers tell; nil: the server cannot be reached now.
func (r *Runner) openScreen(ctx context.Context, o RunnerOptions) *link {
	l, err := o.connect(ctx, "screen", func(string) {})
	if err != nil {
		return nil
	}
	subscription, err := l.conn.Subscribe(liveSubject+"*", func(msg *nats.Msg) {
		var live Live
		id := strings.TrimPrefix(msg.Subject, liveSubject)
		if len(msg.Data) <= mostLive && r.knows(id) && r.screen.listens(id, r.liveEvery()/2) &&
			decode("matches in play", msg.Data, &live) == nil && live.Plan == r.planHash {
			r.screen.hear(id, live)
		}
	})
	if err == nil {
		err = subscription.SetPendingLimits(128, 16*mostLive)
	}
	if err != nil {
		l.conn.Close()
		return nil
	}
	return l
}

// knows reports whether a worker is there and ready.
func (r *Runner) knows(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.workers[id].Plan == r.planHash
}

// liveEvery is how often each worker tells of its matches.
func (r *Runner) liveEvery() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return liveEvery + time.Duration(len(r.workers))*liveShare
}
