package arena

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"sembra/arena/guest"
	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/results"
)

// Verdict says how a match ended, as the record keeps it.
type Verdict struct {
	Result results.Result
	Ending results.Ending
	Fault  results.Fault
	What   string // for people: what a bot at fault did
}

// errStopped is the end of a match that the user stopped. Such a match leaves no
// record.
var errStopped = errors.New("stopped")

// referee plays one match, from its announcement to its record. For each move it
// asks a bot, judges the answer, plays the move and tells both bots.
type referee struct {
	job     Job
	match   *engine.Match
	players [2]*guest.Player
	clock   results.Clock
	allowed time.Duration // for the current answer
	body    results.Body  // of the record; it has a score for each move, nil for none
	spent   [2]time.Duration

	adjudicator *results.Adjudicator // nil: the match ends by the rules alone
	adjudicated results.Result       // 0 while the match continues

	feed *Feed // nil: nobody is told
}

// fault is what a bot did wrong.
type fault struct {
	ending results.Ending
	what   string
	talk   *results.Talk // what was said, if the bot did not start
	silent bool          // it said nothing in the time that it had
}

func (f *fault) Error() string { return f.what }

// startFault returns the fault that a failed start is in a match.
func startFault(e *guest.StartError) *fault {
	return &fault{ending: results.EndStart, what: e.Error(), talk: &e.Talk}
}

// newReferee prepares a match between two players who are ready for it. One
// player may be nil if it is never asked.
func newReferee(job Job, start engine.Position, rules engine.Ruleset, control TimeControl, players [2]*guest.Player) *referee {
	return &referee{
		job: job, match: engine.NewMatch(rules, start), players: players, clock: control.Clock(),
		body: results.Body{Opening: engine.Text(rules, start), Seeds: job.Seeds},
	}
}

// play plays the match to its end and tells the bots. It returns errStopped if
// the context is done first; the bots are stopped then.
func (r *referee) play(ctx context.Context) (Verdict, error) {
	for !r.match.Over() && r.adjudicated == 0 {
		if v, ended, err := r.turn(ctx); ended || err != nil {
			return v, err
		}
	}
	if !r.match.Over() {
		return r.tell(Verdict{Result: r.adjudicated, Ending: results.EndAdjudicated}), nil
	}
	return r.finished(), nil
}

// turn lets the side to move play one token: it plays a forced pass itself, and asks
// the bot for anything else. If ended is set, the bot has ended the match, by a fault
// or because it gave up. turn returns errStopped if the context is done first.
func (r *referee) turn(ctx context.Context) (v Verdict, ended bool, err error) {
	seat := r.match.Position().Side()
	if r.passes() {
		if ctx.Err() != nil {
			return Verdict{}, false, errStopped
		}
		r.played(seat, r.match.Legal()[0], protocol.Answer{}, 0)
		return Verdict{}, false, nil
	}
	answer, elapsed, err := r.ask(seat)
	if err != nil && ctx.Err() != nil {
		return Verdict{}, false, errStopped
	}
	if err != nil {
		return r.blame(seat, err), true, nil
	}
	if answer.Resigns {
		return r.resigned(seat), true, nil
	}
	move, err := r.match.Find(answer.Token)
	if err != nil {
		return r.blame(seat, &fault{ending: results.EndIllegal, what: err.Error() + answer.Remark}), true, nil
	}
	r.played(seat, move, answer, elapsed)
	return Verdict{}, false, nil
}

// passes reports whether the side to move has nothing but a pass.
func (r *referee) passes() bool {
	legal := r.match.Legal()
	return len(legal) == 1 && legal[0].Pass()
}

// limits returns what a bot is told when it is asked for a token.
func limits(c results.Clock) protocol.Limits {
	l := protocol.Limits{Move: c.Move, Depth: c.Depth, Nodes: c.Nodes}
	if c.Base > 0 {
		l.Clock, l.Left, l.Increment = true, c.Left, [2]time.Duration{c.Increment, c.Increment}
	}
	return l
}

// Ask asks a bot for a token, and waits as long as allowed. elapsed is the time of the answer if there is one. It
// begins right before the question is written: the write wakes the bot, which may get the arena's processor before the
// write returns. It ends when the answer arrives. Other output of the bot does not extend it, and work of the arena
// before or after does not count.
func Ask(
	p *guest.Player, m *engine.Match, c results.Clock, allowed time.Duration,
) (answer protocol.Answer, elapsed time.Duration, err error) {
	if err = p.Host.Prepare(m, limits(c)); err != nil {
		return answer, 0, err
	}
	p.Ready()
	asked := time.Now()
	p.Await(asked, allowed)
	if err = p.Host.Send(); err == nil {
		if heard := p.Heard(asked); heard.After(asked) {
			asked = heard
			p.Await(asked, allowed)
		}
		answer, err = p.Host.Answer()
	}
	elapsed = p.Bot.Arrived().Sub(asked)
	p.Answered(elapsed)
	return answer, elapsed, err
}

// ask asks a bot for a token and charges its clock.
func (r *referee) ask(seat engine.Seat) (answer protocol.Answer, elapsed time.Duration, err error) {
	p := r.players[seat]
	r.allowed, _ = r.clock.Allowed(seat)
	if answer, elapsed, err = Ask(p, r.match, r.clock, r.allowed); err != nil {
		return answer, 0, err
	}
	r.spent[seat] += elapsed
	if elapsed > r.allowed {
		return answer, 0, os.ErrDeadlineExceeded
	}
	return answer, elapsed, nil
}

// played plays a legal move and tells both bots. The answer has no token if no
// bot was asked.
func (r *referee) played(seat engine.Seat, move engine.Move, answer protocol.Answer, elapsed time.Duration) {
	token := move.Token(seat)
	r.match.Play(move)
	r.body.Moves = append(r.body.Moves, token)
	r.body.Elapsed = append(r.body.Elapsed, elapsed)
	var score *float64
	if answer.HasScore {
		told := answer.Score
		score = &told
	}
	r.body.Scores = append(r.body.Scores, score)
	for _, p := range r.players {
		if p != nil {
			p.Host.AddMove(token)
		}
	}
	r.clock.Played(seat, elapsed, r.match.Over() || r.match.Position().Side() != seat)
	if !r.match.Over() {
		r.adjudicated, _ = r.adjudicator.Ply(seat, answer.Token != "", score, r.match.Position())
	}
	r.feed.played(r)
}

// finished returns the verdict of a match that ended by the rules.
func (r *referee) finished() Verdict {
	o, _ := r.match.Outcome() // the match is over
	result, ending := results.EndOf(o)
	return r.tell(Verdict{Result: result, Ending: ending})
}

// resigned returns the verdict of a match that a bot gave up.
func (r *referee) resigned(seat engine.Seat) Verdict {
	return r.tell(Verdict{Result: wonBy(seat.Other()), Ending: results.EndResign})
}

// blame returns the verdict of a match that a bot lost by an error on its wire.
func (r *referee) blame(seat engine.Seat, err error) Verdict {
	var faults [2]*fault
	faults[seat] = r.fault(err)
	return r.lost(faults)
}

// lost ends the bots at fault, tells the other one, and returns the verdict.
func (r *referee) lost(faults [2]*fault) Verdict {
	v := lostBy(faults)
	for seat, f := range faults {
		if p := r.players[seat]; p != nil && f != nil {
			f.what += p.Close(f.what, f.silent, r.endFor(engine.Seat(seat), v))
			f.what = report(f, p.Bot)
		}
	}
	r.tell(v)
	v = lostBy(faults) // with what is known now
	return v
}

// report describes a fault after the bot is gone. For a crash it quotes the bot's
// standard error, which often shows the cause. It does not for other faults,
// because there the last lines are the bot's reaction to being closed.
func report(f *fault, b guest.Bot) string {
	if f.ending != results.EndCrash {
		return f.what
	}
	text := f.what
	if how := b.Exit(); how != "" {
		text = "the bot exited: " + how
	}
	stderr, _ := b.Log()
	return text + guest.Wrote(stderr) + b.Explain()
}

// fault names an error on the wire.
func (r *referee) fault(err error) *fault {
	if f := new(fault); errors.As(err, &f) {
		return f
	}
	if v := new(protocol.Violation); errors.As(err, &v) {
		return &fault{ending: results.EndProtocol, what: v.What}
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		ending, what := results.EndHang, fmt.Sprintf("no answer within %v", r.allowed.Round(time.Millisecond))
		if r.clock.Clocked() {
			ending, what = results.EndTime, what+", the margin included"
		}
		said := r.players[r.match.Position().Side()].Missed()
		return &fault{ending: ending, what: what + said, silent: said == ""}
	}
	return &fault{ending: results.EndCrash, what: "the bot exited or closed its standard input or output"}
}

// lostBy returns the verdict against the bots at fault, of which there is at least one.
func lostBy(faults [2]*fault) Verdict {
	switch south, north := faults[engine.South], faults[engine.North]; {
	case south == nil:
		return Verdict{results.SouthWins, north.ending, results.NorthFault, north.what}
	case north == nil:
		return Verdict{results.NorthWins, south.ending, results.SouthFault, south.what}
	default:
		return Verdict{results.Void, results.EndStart, results.BothFault, south.what + "; " + north.what}
	}
}

// wonBy returns the result in which a seat wins.
func wonBy(seat engine.Seat) results.Result {
	if seat == engine.South {
		return results.SouthWins
	}
	return results.NorthWins
}

// listensWithin is how long a bot that was not at fault may take to read how the match
// ended. The pipe has room for that, so only a busy machine needs the time.
const listensWithin = time.Second

// tell tells the bots how the match ended, and returns that. If a bot does not
// listen, its next match will show it.
func (r *referee) tell(v Verdict) Verdict {
	for seat, p := range r.players {
		if p == nil || p.Broken {
			continue
		}
		p.Bot.SetDeadline(time.Now().Add(listensWithin))
		_ = p.Host.End(r.endFor(engine.Seat(seat), v))
	}
	return v
}

// endFor returns how the match ended, as the bot of a seat is told.
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

// record returns the record of the match. The faults are those of bots that did not get ready.
func (r *referee) record(v Verdict, faults [2]*fault) results.Record {
	rules, pos := r.match.Rules(), r.match.Position()
	body := r.body
	body.Rounds = results.RoundsOf(r.match, v.Ending)
	if !slices.ContainsFunc(body.Scores, func(score *float64) bool { return score != nil }) {
		body.Scores = nil
	}
	return results.Record{
		Summary: results.Summary{
			Key:    r.job.Key,
			Result: v.Result, Ending: v.Ending, Fault: v.Fault,
			Stores:  [2]int{pos.Store(engine.South), pos.Store(engine.North)},
			Donkeys: [2]int{pos.Donkeys(engine.South), pos.Donkeys(engine.North)},
			Rounds:  len(body.Rounds), Plies: len(body.Moves),
			Times: r.spent,
			CPU:   [2]time.Duration{r.players[engine.South].Spent(), r.players[engine.North].Spent()},
			Hash:  results.MatchHash(rules.Info().Name, r.job.South, r.job.North, body.Opening, body.Moves),
		},
		Body:     body,
		Evidence: r.evidence(v, faults),
	}
}

// evidence returns what was said in a match that a bot lost by a fault.
func (r *referee) evidence(v Verdict, faults [2]*fault) *results.Evidence {
	if v.Fault == results.NoFault {
		return nil
	}
	e := &results.Evidence{What: v.What}
	for seat, talk := range [2]*results.Talk{&e.South, &e.North} {
		p, f := r.players[seat], faults[seat]
		if p != nil {
			*talk = p.Journal.Talk()
		} else if f != nil && f.talk != nil {
			*talk = *f.talk
		}
		if f != nil && v.Fault == results.BothFault {
			talk.What = f.what
		}
	}
	return e
}
