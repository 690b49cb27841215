package arena

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/results"
)

// Verdict is how a match ended: facts, as the record keeps them.
type Verdict struct {
	Result results.Result
	Ending results.Ending
	Fault  results.Fault
	What   string // for people: what a bot at fault did
}

// errStopped is the end of a match that the user stopped. It leaves nothing.
var errStopped = errors.New("stopped")

// referee plays one match from its announcement to its record: ask, judge,
// play, tell.
type referee struct {
	job     Job
	opening string // position text
	match   *engine.Match
	players [2]*player
	clock   clock
	allowed time.Duration // for the answer that is waited for
	moves   []string
	elapsed []time.Duration
	scores  []*float64 // as in the record
	scored  bool       // one of them is not nil
	spent   [2]time.Duration

	adjudicator *results.Adjudicator // nil: the match ends by the rules alone
	adjudicated results.Result       // not valid while it goes on

	live *liveMatch
}

// fault is what a bot did wrong.
type fault struct {
	ending results.Ending
	what   string
	talk   *results.Talk // with a bot that did not start
}

func (f *fault) Error() string { return f.what }

// newReferee prepares a match between two players who are ready for it, or of
// one whose opponent is not asked.
func newReferee(job Job, start engine.Position, rules engine.Ruleset, control TimeControl, players [2]*player) *referee {
	return &referee{
		job: job, opening: engine.Text(rules, start), match: engine.NewMatch(rules, start),
		players: players, clock: newClock(control),
	}
}

// play plays the match to its end and tells the bots. It returns errStopped
// when the context is done first and the bots were stopped with it.
func (r *referee) play(ctx context.Context) (Verdict, error) {
	if r.clock.control.Pause {
		for _, p := range r.players {
			p.bot.Pause()
			defer p.bot.Resume()
		}
	}
	for !r.match.Over() && r.adjudicated == 0 {
		seat := r.match.Position().Side()
		if legal := r.match.Legal(); len(legal) == 1 && legal[0].Pass() {
			if ctx.Err() != nil {
				return Verdict{}, errStopped
			}
			r.played(seat, legal[0], protocol.Answer{}, 0)
			continue
		}
		answer, elapsed, err := r.ask(seat)
		if err != nil && ctx.Err() != nil {
			return Verdict{}, errStopped
		}
		if err != nil {
			return r.blame(seat, err), nil
		}
		if answer.Token == protocol.Resign {
			return r.resigned(seat), nil
		}
		move, err := r.match.Find(answer.Token)
		if err != nil {
			return r.blame(seat, &fault{ending: results.EndIllegal, what: err.Error()}), nil
		}
		r.played(seat, move, answer, elapsed)
	}
	if !r.match.Over() {
		return r.cutOff(), nil
	}
	return r.finished(), nil
}

// ask asks a bot for a token and charges its clock. The time runs from the
// moment before the question is written, because a bot that is woken by it may
// be given the arena's processor before the write returns, to the moment that
// the answer arrives; nothing that the bot says in between makes it longer, and
// nothing that the arena does before or after.
func (r *referee) ask(seat engine.Seat) (answer protocol.Answer, elapsed time.Duration, err error) {
	p := r.players[seat]
	r.allowed = r.clock.allowance(seat)
	if r.clock.control.Pause {
		p.bot.Resume()
	}
	begun := time.Now()
	if err := p.bot.SetDeadline(begun.Add(r.allowed)); err != nil {
		return answer, 0, err
	}
	if err := p.host.Prepare(r.match, r.clock.limits()); err != nil {
		return answer, 0, err
	}
	asked := time.Now()
	if asked.Sub(begun) > 100*time.Microsecond { // there were many moves to be told
		if err := p.bot.SetDeadline(asked.Add(r.allowed)); err != nil {
			return answer, 0, err
		}
	}
	if err := p.host.Send(); err != nil {
		return answer, 0, err
	}
	if answer, err = p.host.Answer(); err != nil {
		return answer, 0, err
	}
	elapsed = p.bot.Arrived().Sub(asked)
	if r.clock.control.Pause { // one at fault is to hear of it
		p.bot.Pause()
	}
	r.spent[seat] += elapsed
	if !r.clock.charge(seat, elapsed) {
		return answer, 0, os.ErrDeadlineExceeded
	}
	return answer, elapsed, nil
}

// played plays a legal move and tells both bots. The answer to no question has
// no token.
func (r *referee) played(seat engine.Seat, move engine.Move, answer protocol.Answer, elapsed time.Duration) {
	token := move.Token(seat)
	r.match.Play(move)
	r.moves = append(r.moves, token)
	r.elapsed = append(r.elapsed, elapsed)
	var score *float64
	if answer.HasScore {
		told := answer.Score
		score, r.scored = &told, true
	}
	r.scores = append(r.scores, score)
	for _, p := range r.players {
		if p != nil {
			p.host.Played(token)
		}
	}
	if r.match.Over() || r.match.Position().Side() != seat {
		r.clock.turnOver(seat)
	}
	if !r.match.Over() {
		r.adjudicated, _ = r.adjudicator.Ply(seat, answer.Token != "", score, r.match.Position())
	}
	if r.live.played(r.moves) {
		r.live.feed.publish(r.ply())
	}
}

// finished is the verdict of a match that ended by the rules.
func (r *referee) finished() Verdict {
	o, _ := r.match.Outcome() // the match is over, and did not begin so
	v := Verdict{Result: results.Draw, Ending: results.EndingOf(o.End)}
	switch o.Result {
	case engine.SouthWins:
		v.Result = results.SouthWins
	case engine.NorthWins:
		v.Result = results.NorthWins
	}
	r.tell(v)
	return v
}

// cutOff is the verdict of a match that the arena ended.
func (r *referee) cutOff() Verdict {
	v := Verdict{Result: r.adjudicated, Ending: results.EndAdjudicated}
	r.tell(v)
	return v
}

// resigned is the verdict of a match that a bot gave up.
func (r *referee) resigned(seat engine.Seat) Verdict {
	v := Verdict{Result: wonBy(seat.Other()), Ending: results.EndResign}
	r.tell(v)
	return v
}

// blame is the verdict of a match that a bot lost by a fault.
func (r *referee) blame(seat engine.Seat, err error) Verdict {
	f := r.fault(err)
	v := lostByFault(seat, f)
	p := r.players[seat]
	if r.clock.control.Pause {
		p.bot.Resume()
	}
	p.close(f.what, r.endFor(seat, v))
	r.tell(v)
	v.What = report(f, p.bot)
	return v
}

// report says what is known of a fault once the bot is gone. Only a crash has
// its cause in what the bot wrote to its standard error; at the end of others
// stands what the bot made of being closed.
func report(f *fault, b Bot) string {
	if f.ending != results.EndCrash {
		return f.what
	}
	text := f.what
	if how := b.Exit(); how != "" {
		text = "the bot exited: " + how
	}
	stderr, _ := b.Log()
	return text + itWrote(stderr)
}

// itWrote tells the line of a bot's standard error that tells most, if there is
// any: the last that is not indented and speaks of an error, else the last.
func itWrote(stderr []byte) string {
	const most = 200 // bytes
	var last, telling []byte
	for line := range bytes.Lines(stderr) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		last = line
		speaks := bytes.Contains(line, []byte("rror")) || bytes.Contains(line, []byte("xception")) || bytes.HasPrefix(line, []byte("panic: "))
		if speaks && line[0] != ' ' && line[0] != '\t' {
			telling = line
		}
	}
	if telling == nil {
		telling = last
	}
	if telling == nil {
		return ""
	}
	return "; it wrote: " + results.Visible(telling[:min(most, len(telling))], 0)
}

// fault finds the name of what went wrong on the wire.
func (r *referee) fault(err error) *fault {
	if f := new(fault); errors.As(err, &f) {
		return f
	}
	if v := new(protocol.Violation); errors.As(err, &v) {
		return &fault{ending: results.EndProtocol, what: v.What}
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		what := fmt.Sprintf("no answer within %v", r.allowed.Round(time.Millisecond))
		if r.clock.overrun() == results.EndTime {
			what += ", the margin included"
		}
		return &fault{ending: r.clock.overrun(), what: what + missed(r.players[r.match.Position().Side()])}
	}
	return &fault{ending: results.EndCrash, what: "the bot exited or closed its standard input or output"}
}

// lostByFault is the verdict against a bot.
func lostByFault(seat engine.Seat, f *fault) Verdict {
	v := Verdict{Result: wonBy(seat.Other()), Ending: f.ending, Fault: results.SouthFault, What: f.what}
	if seat == engine.North {
		v.Fault = results.NorthFault
	}
	return v
}

func wonBy(seat engine.Seat) results.Result {
	if seat == engine.South {
		return results.SouthWins
	}
	return results.NorthWins
}

// tell tells the bots that listen how the match ended. A bot that cannot be
// told is found out at its next match.
func (r *referee) tell(v Verdict) {
	for seat, p := range r.players {
		if p == nil || p.broken {
			continue
		}
		_ = p.bot.SetDeadline(time.Now().Add(toldWithin))
		_ = p.host.End(r.endFor(engine.Seat(seat), v))
	}
}

// endFor is how the match ended as a seat's bot is told.
func (r *referee) endFor(seat engine.Seat, v Verdict) protocol.EndMatch {
	pos := r.match.Position()
	end := protocol.EndMatch{
		Result: protocol.Loss, Ending: v.Ending.String(),
		South: pos.Store(engine.South), North: pos.Store(engine.North),
	}
	switch v.Result {
	case results.Draw:
		end.Result = protocol.Draw
	case results.Void:
		end.Result = protocol.Void
	case wonBy(seat):
		end.Result = protocol.Win
	}
	return end
}

// record is what is kept of the match.
func (r *referee) record(v Verdict) results.Record {
	rules, pos := r.match.Rules(), r.match.Position()
	var rounds []results.Round
	for _, round := range r.match.Rounds() {
		rounds = append(rounds, results.RoundOf(rules, round, round.End.String()))
	}
	if !r.match.Over() {
		cut := engine.Round{Start: r.match.Begun(), Plies: r.match.Plies(), Position: pos}
		rounds = append(rounds, results.RoundOf(rules, cut, v.Ending.String()))
	}
	var scores []*float64
	if r.scored {
		scores = r.scores
	}
	return results.Record{
		Summary: results.Summary{
			Key:    r.job.Key,
			Result: v.Result, Ending: v.Ending, Fault: v.Fault,
			SouthStore: pos.Store(engine.South), NorthStore: pos.Store(engine.North),
			SouthDonkeys: pos.Donkeys(engine.South), NorthDonkeys: pos.Donkeys(engine.North),
			Rounds: len(rounds), Plies: len(r.moves),
			SouthTime: r.spent[engine.South], NorthTime: r.spent[engine.North],
			SouthCPU: r.players[engine.South].spent(), NorthCPU: r.players[engine.North].spent(),
			Hash: results.MatchHash(rules.Info().Name, r.job.South, r.job.North, r.opening, r.moves),
		},
		Body: results.Body{
			Opening: r.opening, Moves: r.moves, Elapsed: r.elapsed, Rounds: rounds,
			Scores: scores, Seeds: r.job.Seeds,
		},
	}
}
