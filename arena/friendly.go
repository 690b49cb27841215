package arena

import (
	"context"
	"errors"
	"os"
	"slices"
	"sync/atomic"
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
	Seed      uint64        // that the bot gets
	Isolation results.Isolation
	Hidden    []string // absolute paths that the bot may not read
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
	Plies    []results.Ply // from the beginning
	Legal    []engine.Move // the moves of the person; none if it is not the person's turn
	Undo     bool          // whether there is a decision of the person to take back
	Record   *results.Record
	What     string // for people: what a bot at fault did

	next chan struct{} // closed with the next change
}

// resigned reports whether the person has resigned.
func (s FriendlyState) resigned() bool {
	return s.Record != nil && s.Record.Ending == results.EndResign
}

// FriendlyMatch is a match of a person against a bot. The bot runs as in a tournament:
// in a sandbox, and with the same referee. The match plays forced passes itself.
//
// Several goroutines may call the methods. While the bot thinks, all wait for its
// answer but State, and Close, which ends it.
type FriendlyMatch struct {
	setup    Friendly
	start    engine.Position
	isolated IsolationFound
	spawner  *guest.Spawner
	player   *guest.Player
	ctx      context.Context // ends the match
	cancel   context.CancelFunc
	state    atomic.Pointer[FriendlyState]

	// busy is a lock that one goroutine takes and another gives back: it holds one while somebody uses what follows. Begin,
	// Play and Undo take it; when the bot has to think, they leave it to the goroutine in which it does.
	busy    chan struct{}
	asked   time.Time // when the person's turn began
	referee *referee  // it has no players while the bot does not know the match as it is
}

// ErrNotYourTurn says that the person cannot do this, because the bot thinks or the
// match is over.
var ErrNotYourTurn = errors.New("it is not your turn")

// ErrNoUndo says that there is no decision of the person to take back.
var ErrNoUndo = errors.New("there is no move of yours to take back")

// Begin starts the bot and the match. The caller closes the match. The end of the
// context ends it as well. It fails with a [*guest.ConfigError], a [*guest.RunnerError], a
// [*StartError], an [*IsolationError], or the cause of the context's end.
func (f Friendly) Begin(ctx context.Context) (*FriendlyMatch, error) {
	if err := f.key().Check(); err != nil {
		return nil, err
	}
	m := &FriendlyMatch{setup: f, start: f.Rules.Start(), busy: make(chan struct{}, 1)}
	m.state.Store(&FriendlyState{next: make(chan struct{})})
	var err error
	if f.Opening != "" {
		if m.start, err = engine.ParsePosition(f.Rules, f.Opening); err != nil {
			return nil, err
		}
	}
	if m.spawner, m.isolated, err = Isolate(ctx, f.Isolation, f.Hidden, f.Bot); err != nil {
		return nil, err
	}
	m.ctx, m.cancel = context.WithCancel(ctx)
	s := guest.Session{Since: time.Now()}
	if m.player, err = guest.Start(m.ctx, &f.Bot, f.Rules.Info().Name, f.time().Startup, m.spawner, s); err != nil {
		m.cancel()
		m.spawner.Close()
		return nil, err
	}
	context.AfterFunc(m.ctx, func() { m.player.Bot.Stop(0) })
	job := Job{Key: f.key(), Number: 1, Opening: f.Opening}
	job.Seeds[f.Seat.Other()] = f.Seed
	m.referee = newReferee(job, m.begin(), [2]*guest.Player{})
	m.busy <- struct{}{}
	m.advance()
	return m, nil
}

// begin returns the match before its first ply. The clock is that of the bot.
func (m *FriendlyMatch) begin() *results.Match {
	return results.Conditions{Time: m.setup.time()}.Begin(m.setup.Rules, m.start)
}

// key returns the key of the match.
func (f Friendly) key() results.Key {
	key := results.Key{South: f.Person, North: f.Bot.Name, Pair: 1}
	if f.Seat == engine.North {
		key.South, key.North = key.North, key.South
	}
	return key
}

// Rules returns the ruleset.
func (m *FriendlyMatch) Rules() engine.Ruleset { return m.setup.Rules }

// Seat returns the seat of the person.
func (m *FriendlyMatch) Seat() engine.Seat { return m.setup.Seat }

// Isolated says what the bot is isolated from.
func (m *FriendlyMatch) Isolated() IsolationFound { return m.isolated }

// Tournament returns the plan of a tournament with this single match, for a record of
// it. It names no limits of time, because they are for the bot alone.
func (m *FriendlyMatch) Tournament() results.Tournament {
	info, key := m.setup.Rules.Info(), m.setup.key()
	return results.Tournament{Plan: results.Plan{
		Conditions: results.Conditions{Ruleset: info.Name, Rounds: info.Rounds},
		Name:       "friendly", Format: results.RoundRobin,
		Bots: []string{key.South, key.North}, Pairs: 1, Openings: []string{engine.Text(m.setup.Rules, m.start)},
	}, Family: "friendly"}
}

// State returns what there is to see.
func (m *FriendlyMatch) State() FriendlyState { return *m.state.Load() }

// Await returns the first state after that with the number seen. It waits until there
// is one or the context is done; then it returns the cause of that.
func (m *FriendlyMatch) Await(ctx context.Context, seen int) (FriendlyState, error) {
	for {
		state := m.State()
		if state.Number > seen {
			return state, nil
		}
		select {
		case <-state.next:
		case <-ctx.Done():
			return state, context.Cause(ctx)
		}
	}
}

// Play plays the person's move with that token. The error is [ErrNotYourTurn] or an
// [*engine.IllegalError].
func (m *FriendlyMatch) Play(token string) error {
	if m.State().Turn != PersonsTurn { // before it waits for the bot
		return ErrNotYourTurn
	}
	m.busy <- struct{}{}
	err := ErrNotYourTurn
	if m.State().Turn == PersonsTurn {
		err = m.referee.played(token, time.Since(m.asked), nil)
	}
	if err != nil {
		m.free()
		return err
	}
	m.advance()
	return nil
}

// Undo takes back the person's last decision, and all that was played after it. A
// resignation is such a decision. It also continues with a match that is over, if the bot
// was not at fault. The error is [ErrNoUndo].
func (m *FriendlyMatch) Undo() error {
	m.busy <- struct{}{}
	state := m.State()
	if !state.Undo {
		m.free()
		return ErrNoUndo
	}
	keep, _ := m.lastDecision(state.Plies)
	if state.resigned() {
		keep = len(state.Plies)
	}
	kept := m.begin()
	for _, ply := range state.Plies[:keep] {
		_ = kept.Play(ply.Token, ply.Elapsed, ply.Score) // it was legal
	}
	m.referee = newReferee(m.referee.job, kept, [2]*guest.Player{}) // without the bot until it is asked
	m.advance()
	return nil
}

// Resign gives up the match for the person. The error is [ErrNotYourTurn] if the match
// is over.
func (m *FriendlyMatch) Resign() error {
	m.busy <- struct{}{}
	defer m.free()
	if m.State().Turn != PersonsTurn {
		return ErrNotYourTurn
	}
	m.end(m.referee.resigned(m.setup.Seat))
	return nil
}

// Close ends the match and the bot, with all that it has started.
func (m *FriendlyMatch) Close() {
	if m.State().Turn == BotsTurn {
		m.cancel()
	}
	m.busy <- struct{}{}
	defer m.free()
	if m.ctx.Err() == nil {
		m.player.Quit(m.spawner)
	}
	m.player.Bot.Stop(0)
	m.spawner.Close()
	m.cancel()
	m.stop()
}

func (m *FriendlyMatch) free() { <-m.busy }

// advance plays passes up to the next decision, and frees the match when the person is to make it. The bot thinks in a
// goroutine, which ends with its answer, or because Close ends the bot.
func (m *FriendlyMatch) advance() {
	r := m.referee
	for r.match.MustPass() {
		r.passed()
	}
	switch {
	case r.match.Over():
		m.end(r.finished())
	case r.match.Position().Side() != m.setup.Seat:
		m.publish(BotsTurn, nil, "")
		go m.think() // ends with the answer; Close ends the bot, and so the wait for one
		return
	default:
		m.publish(PersonsTurn, nil, "")
		m.asked = time.Now()
	}
	m.free()
}

// think lets the bot play one token, and then the match continue.
func (m *FriendlyMatch) think() {
	v, ended, err := m.answer()
	if err == nil && !ended {
		m.advance()
		return
	}
	if err != nil {
		m.stop()
	} else {
		m.end(v)
	}
	m.free()
}

// answer announces the match to the bot, unless the bot knows it, and asks it. After the person took back
// moves, that is a new match for the bot, so that it forgets what was taken back.
func (m *FriendlyMatch) answer() (v ruling, ended bool, err error) {
	f, r := m.setup, m.referee
	if seat := f.Seat.Other(); r.players[seat] == nil {
		r.players[seat] = m.player
		err := m.player.Begin(protocol.NewMatchMessage(f.Rules, seat, f.Seed), f.Opening, f.time().Startup)
		if m.ctx.Err() != nil {
			return ruling{}, false, errStopped
		}
		if err != nil {
			wrong := &fault{ending: results.EndCrash, what: m.player.NotReady(err, f.time().Startup)}
			if errors.Is(err, os.ErrDeadlineExceeded) {
				wrong.ending = results.EndHang
			}
			return r.blame(seat, wrong), true, nil
		}
		for _, ply := range r.match.Plies {
			m.player.Host.AddMove(ply.Token)
		}
	}
	return r.turn(m.ctx)
}

// lastDecision returns the index of the ply that the person decided last.
func (m *FriendlyMatch) lastDecision(plies []results.Ply) (ply int, ok bool) {
	for i, ply := range slices.Backward(plies) {
		if ply.Before.Side() == m.setup.Seat && ply.Asked {
			return i, true
		}
	}
	return 0, false
}

// end keeps the record of the match.
func (m *FriendlyMatch) end(v ruling) {
	record := m.referee.record(v, [2]*fault{})
	m.publish(NobodysTurn, &record, v.what)
}

// stop shows that nobody decides any more. A record stays.
func (m *FriendlyMatch) stop() {
	s := m.State()
	s.Turn, s.Legal, s.Undo = NobodysTurn, nil, false
	m.show(s)
}

// publish makes the state that everybody sees.
func (m *FriendlyMatch) publish(turn Turn, record *results.Record, what string) {
	r := m.referee
	s := FriendlyState{
		Number: m.State().Number, Turn: turn, Position: r.match.Position(), Plies: r.match.Plies, Record: record, What: what,
	}
	if turn == PersonsTurn {
		s.Legal = slices.Clone(r.match.Legal())
	}
	_, s.Undo = m.lastDecision(s.Plies)
	s.Undo = (s.Undo || s.resigned()) && !m.player.Broken
	m.show(s)
}

// show replaces the state by the next one.
func (m *FriendlyMatch) show(s FriendlyState) {
	s.Number++
	s.next = make(chan struct{})
	close(m.state.Swap(&s).next)
}
