package arena

import (
	"context"
	"errors"
	"os"
	"slices"
	"sync"
	"time"

	"sembra/arena/guest"
	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/results"
)

// Friendly is a match of a person against a bot that is about to begin.
type Friendly struct {
	Person    string // the name in the record; not that of the bot
	Seat      engine.Seat
	Bot       guest.Entry
	Rules     engine.Ruleset
	Opening   string        // position text; "" is the start position
	Move      time.Duration // for a move of the bot; the person has no clock
	Seed      uint64        // that the bot is told
	Isolation Isolation
}

// time returns the time control of the bot. Its margin is wide, because nobody minds a slow machine in such a match.
func (f Friendly) time() TimeControl {
	return TimeControl{Move: f.Move, Margin: FriendlyMargin, Startup: 10 * time.Second}
}

// FriendlyMargin is how much later than its time a bot may answer a person.
const FriendlyMargin = 5 * time.Second

// Turn says for whom a match of a person waits.
type Turn uint8

// What a match can wait for.
const (
	PersonsTurn Turn = iota // the person decides
	BotsTurn                // the bot thinks
	NobodysTurn             // the match is over, or it was stopped
)

// FriendlyState is what there is to see of a match of a person. It is a value:
// the match does not change it any more.
type FriendlyState struct {
	Number   int // of the change that led to this state, from 1
	Turn     Turn
	Position engine.Position
	Plies    []engine.Ply  // from the beginning
	Legal    []engine.Move // the moves of the person; none if it is not the person's turn
	Undo     bool          // whether there is a decision of the person to take back
	Record   *results.Record
	What     string // for people: what a bot at fault did
}

// resigned reports whether the person has resigned.
func (s FriendlyState) resigned() bool {
	return s.Record != nil && s.Record.Ending == results.EndResign
}

// FriendlyMatch is a match of a person against a bot. The bot runs as in a tournament:
// in a sandbox, and with the same referee. The match plays forced passes itself.
//
// Only Await and Close wait for the bot. Several goroutines may call the methods.
type FriendlyMatch struct {
	setup    Friendly
	start    engine.Position
	isolated Isolated
	spawner  *guest.Spawner
	player   *guest.Player
	ctx      context.Context // ends the match
	cancel   context.CancelFunc
	thoughts sync.WaitGroup // the goroutine in which the bot thinks

	mu       sync.Mutex // guards what follows
	state    FriendlyState
	changed  chan struct{} // closed with the next change
	asked    time.Time     // when the person's turn began
	thinking bool          // the referee belongs to the goroutine in which the bot thinks
	referee  *referee
	untold   bool // the bot does not know the match as it is, because moves were taken back
	undoing  bool // once the bot has answered
	resigns  bool // once the person is to move
	closed   bool
	closing  sync.Once
}

// ErrNotYourTurn says that the person cannot do this, because the bot thinks or the
// match is over.
var ErrNotYourTurn = errors.New("it is not your turn")

// ErrNoUndo says that there is no decision of the person to take back.
var ErrNoUndo = errors.New("there is no move of yours to take back")

// Begin starts the bot and the match. The caller closes the match. The end of the
// context ends it as well. It fails with a [*ConfigError], a [*RunnerError], a
// [*StartError], an [*IsolationError], or the cause of the context's end.
func (f Friendly) Begin(ctx context.Context) (*FriendlyMatch, error) {
	start, err := startOf(f.Rules, f.Opening)
	if err != nil {
		return nil, err
	}
	if err := f.key().Check(); err != nil {
		return nil, err
	}
	m := &FriendlyMatch{setup: f, start: start, changed: make(chan struct{})}
	if m.spawner, m.isolated, err = f.Isolation.Open(ctx); err != nil {
		return nil, err
	}
	m.ctx, m.cancel = context.WithCancel(ctx)
	if err := m.seat(); err != nil {
		m.Close()
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rewind(0)
	m.untold = false
	m.goOn()
	return m, nil
}

// key returns the key of the match.
func (f Friendly) key() results.Key {
	key := results.Key{South: f.Person, North: f.Bot.Name, Pair: 1}
	if f.Seat == engine.North {
		key.South, key.North = key.North, key.South
	}
	return key
}

// seat starts the bot and announces the match.
func (m *FriendlyMatch) seat() error {
	f := m.setup
	s := guest.Session{Since: time.Now()}
	p, err := guest.Start(m.ctx, &f.Bot, f.Rules.Info().Name, f.time().Startup, m.spawner, s)
	if err != nil {
		return err
	}
	m.player = p
	context.AfterFunc(m.ctx, func() { p.Bot.Stop(0) })
	if f := m.announce(); f != nil {
		if m.ctx.Err() != nil {
			return context.Cause(m.ctx)
		}
		return &guest.StartError{Bot: m.setup.Bot.Name, Reason: f.what, Talk: p.Journal.Talk()}
	}
	return nil
}

// announce tells the bot of the match. A bot whose opponent took back moves hears of
// a new match, so that it forgets what was taken back.
func (m *FriendlyMatch) announce() *fault {
	f := m.setup
	err := m.player.Begin(protocol.Announce(f.Rules, f.Seat.Other(), f.Seed), f.Opening, f.time().Startup)
	if err == nil {
		return nil
	}
	ending := results.EndCrash
	if errors.Is(err, os.ErrDeadlineExceeded) {
		ending = results.EndHang
	}
	return &fault{ending: ending, what: m.player.NotReady(err, f.time().Startup)}
}

// Rules returns the ruleset.
func (m *FriendlyMatch) Rules() engine.Ruleset { return m.setup.Rules }

// Seat returns the seat of the person.
func (m *FriendlyMatch) Seat() engine.Seat { return m.setup.Seat }

// Isolated tells what the bot is isolated from.
func (m *FriendlyMatch) Isolated() Isolated { return m.isolated }

// Tournament returns the plan of a tournament with this single match, for a record of
// it. It names no limits of time, because they are for the bot alone.
func (m *FriendlyMatch) Tournament() results.Tournament {
	info, key := m.setup.Rules.Info(), m.setup.key()
	return results.Tournament{
		Name: "friendly", Family: "friendly", Format: results.RoundRobin, Ruleset: info.Name, Rounds: info.Rounds,
		Bots: []string{key.South, key.North}, Pairs: 1, Openings: []string{engine.Text(m.setup.Rules, m.start)},
	}
}

// State returns what there is to see.
func (m *FriendlyMatch) State() FriendlyState {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state
}

// Await returns the first state after that with the number seen. It waits until there
// is one or the context is done; then it returns the cause of that.
func (m *FriendlyMatch) Await(ctx context.Context, seen int) (FriendlyState, error) {
	for {
		m.mu.Lock()
		state, changed := m.state, m.changed
		m.mu.Unlock()
		if state.Number > seen {
			return state, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return state, context.Cause(ctx)
		}
	}
}

// Play plays the person's move with that token. The error is [ErrNotYourTurn] or an
// [*engine.IllegalError].
func (m *FriendlyMatch) Play(token string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.state.Turn != PersonsTurn {
		return ErrNotYourTurn
	}
	move, err := m.referee.match.Find(token)
	if err != nil {
		return err
	}
	elapsed := time.Since(m.asked)
	m.referee.spent[m.setup.Seat] += elapsed
	m.referee.played(m.setup.Seat, move, protocol.Answer{}, elapsed)
	m.goOn()
	return nil
}

// Undo takes back the person's last decision, and all that was played after it. A
// resignation is such a decision. If the bot thinks, this happens when the bot has
// answered. It also goes on with a match that is over, if the bot was not at fault.
// The error is [ErrNoUndo].
func (m *FriendlyMatch) Undo() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case !m.state.Undo:
		return ErrNoUndo
	case m.thinking:
		m.undoing = true
	default:
		m.undo()
	}
	return nil
}

// Resign gives up the match for the person. If the bot thinks, this happens when the
// bot has played its turn. The error is [ErrNotYourTurn] if the match is over.
func (m *FriendlyMatch) Resign() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.state.Turn == NobodysTurn {
		return ErrNotYourTurn
	}
	m.resigns = true
	if !m.thinking {
		m.goOn()
	}
	return nil
}

// Close ends the match and the bot, with all that it has started. Only the first call does something.
func (m *FriendlyMatch) Close() { m.closing.Do(m.close) }

func (m *FriendlyMatch) close() {
	m.mu.Lock()
	if m.closed = true; m.thinking {
		m.cancel()
	} else if m.player != nil {
		if m.referee != nil { // the match has begun
			m.publish(NobodysTurn)
		}
		m.player.Quit(m.spawner)
	}
	m.mu.Unlock()
	m.thoughts.Wait()
	if m.player != nil && m.ctx.Err() != nil {
		m.player.Bot.Stop(0)
	}
	m.spawner.Close()
	m.cancel()
}

// goOn leads the match to the next decision: it plays passes, lets the bot think, or
// waits for the person.
func (m *FriendlyMatch) goOn() {
	r := m.referee
	for !r.match.Over() && r.passes() {
		if _, _, err := r.turn(m.ctx); err != nil {
			m.publish(NobodysTurn)
			return
		}
	}
	switch {
	case r.match.Over():
		m.end(r.finished())
	case r.match.Position().Side() != m.setup.Seat:
		m.thinking = true
		m.publish(BotsTurn)
		m.thoughts.Go(m.think)
	case m.resigns:
		m.end(r.resigned(m.setup.Seat))
	default:
		m.publish(PersonsTurn)
		m.asked = time.Now()
	}
}

// think lets the bot play one token. Nobody else uses the referee meanwhile.
func (m *FriendlyMatch) think() {
	v, ended, err := m.answer()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.thinking = false
	switch {
	case err != nil:
		m.publish(NobodysTurn)
	case ended:
		m.end(v)
	case m.closed:
		m.publish(NobodysTurn)
	case m.undoing:
		m.undo()
	default:
		m.goOn()
	}
}

// answer tells the bot of the match, if it has to, and asks it.
func (m *FriendlyMatch) answer() (v Verdict, ended bool, err error) {
	r := m.referee
	if m.untold {
		if f := m.announce(); f != nil {
			if m.ctx.Err() != nil {
				return Verdict{}, false, errStopped
			}
			return r.blame(m.setup.Seat.Other(), f), true, nil
		}
		for _, token := range r.body.Moves {
			m.player.Host.Played(token)
		}
		m.untold = false
	}
	return r.turn(m.ctx)
}

// undo takes back the person's last decision.
func (m *FriendlyMatch) undo() {
	keep, _ := m.lastDecision(m.state.Plies)
	if m.state.resigned() {
		keep = len(m.state.Plies)
	}
	m.rewind(keep)
	m.goOn()
}

// lastDecision returns the index of the ply that the person decided last.
func (m *FriendlyMatch) lastDecision(plies []engine.Ply) (ply int, ok bool) {
	for i, ply := range slices.Backward(plies) {
		if ply.Before.Side() == m.setup.Seat && !ply.Move.Pass() {
			return i, true
		}
	}
	return 0, false
}

// rewind begins a new referee with the first moves of the one before. The bot hears of
// it when it is asked.
func (m *FriendlyMatch) rewind(keep int) {
	f, old := m.setup, m.referee
	job := Job{Key: f.key(), Number: 1, Opening: f.Opening}
	job.Seeds[f.Seat.Other()] = f.Seed
	r := newReferee(job, m.start, f.Rules, f.time(), [2]*guest.Player{})
	for i := range keep {
		ply, answer := m.state.Plies[i], protocol.Answer{}
		if score := old.body.Scores[i]; score != nil {
			answer.Score, answer.HasScore = *score, true
		}
		seat := ply.Before.Side()
		r.spent[seat] += old.body.Elapsed[i]
		r.played(seat, ply.Move, answer, old.body.Elapsed[i])
	}
	r.players[f.Seat.Other()] = m.player
	m.referee, m.untold, m.undoing, m.resigns = r, true, false, false
	m.state.Record, m.state.What = nil, ""
}

// end keeps the record of the match.
func (m *FriendlyMatch) end(v Verdict) {
	record := m.referee.record(v, [2]*fault{})
	m.state.Record, m.state.What = &record, v.What
	m.publish(NobodysTurn)
}

// publish makes the state that everybody sees. If nobody is to decide, the record stays.
func (m *FriendlyMatch) publish(turn Turn) {
	r := m.referee
	s := FriendlyState{Number: m.state.Number + 1, Turn: turn, Position: r.match.Position()}
	match := engine.NewMatch(m.setup.Rules, m.start)
	for _, token := range r.body.Moves {
		ply := engine.Ply{Before: match.Position()}
		ply.Move, _ = match.Find(token) // it was legal
		match.Play(ply.Move)
		ply.After = match.Position()
		s.Plies = append(s.Plies, ply)
	}
	switch turn {
	case PersonsTurn:
		s.Legal = slices.Clone(r.match.Legal())
	case NobodysTurn:
		s.Record, s.What = m.state.Record, m.state.What
	}
	_, s.Undo = m.lastDecision(s.Plies)
	s.Undo = (s.Undo || s.resigned()) && !m.closed && !m.player.Broken
	m.state = s
	close(m.changed)
	m.changed = make(chan struct{})
}
