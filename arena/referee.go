package arena

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"sembra/arena/guest"
	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/results"
)

// ruling says how the referee ended a match.
type ruling struct {
	results.Verdict
	what string // for people: what a bot at fault did
}

// errStopped is the end of a match that the user stopped. Such a match leaves no
// record.
var errStopped = errors.New("stopped")

// referee plays one match, from its announcement to its record. For each move it
// asks a bot, judges the answer, plays the move and tells both bots.
type referee struct {
	job     Job
	match   *results.Match
	players [2]*guest.Player
	last    time.Duration // of an answer whose move is not played

	feed *Feed // nil: there is none
}

// fault is what a bot did wrong.
type fault struct {
	ending results.Ending
	what   string
	talk   *results.Talk // the conversation, if the bot did not start
	silent bool          // it wrote nothing in the time that it had
}

func (f *fault) Error() string { return f.what }

// startFault returns the fault that a failed start is in a match.
func startFault(e *guest.StartError) *fault {
	return &fault{ending: results.EndStart, what: e.Error(), talk: &e.Talk}
}

// newReferee prepares a match between two players who are ready for it. One
// player may be nil if it is never asked.
func newReferee(job Job, match *results.Match, players [2]*guest.Player) *referee {
	return &referee{job: job, match: match, players: players}
}

// play plays the match to its end and tells the bots. It returns errStopped if
// the context is done first; the bots are stopped then.
func (r *referee) play(ctx context.Context) (ruling, error) {
	for !r.match.Over() {
		if v, ended, err := r.turn(ctx); ended || err != nil {
			return v, err
		}
	}
	return r.finished(), nil
}

// turn lets the side to move play one token: it plays a forced pass itself, and asks
// the bot for anything else. If ended is set, the bot has ended the match, by a fault
// or because it gave up. turn returns errStopped if the context is done first.
func (r *referee) turn(ctx context.Context) (v ruling, ended bool, err error) {
	if r.match.MustPass() {
		if ctx.Err() != nil {
			return ruling{}, false, errStopped
		}
		r.passed()
		return ruling{}, false, nil
	}
	seat := r.match.Position().Side()
	answer, err := r.ask(seat)
	if err != nil && ctx.Err() != nil {
		return ruling{}, false, errStopped
	}
	if err != nil {
		return r.blame(seat, err), true, nil
	}
	if answer.Resigns {
		return r.resigned(seat), true, nil
	}
	var score *float64
	if answer.HasScore {
		score = &answer.Score
	}
	if err := r.played(answer.Token, r.last, score); err != nil {
		return r.blame(seat, &fault{ending: results.EndIllegal, what: err.Error() + answer.Remark}), true, nil
	}
	return ruling{}, false, nil
}

// limits returns the limits that a bot gets with a question.
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
	// The order of these steps is what makes the clock fair: nothing that the arena does counts.
	if err = p.Host.Prepare(m, limits(c)); err != nil {
		return answer, 0, err
	}
	p.Wake() // from now on the bot runs, and its opponent may be frozen
	asked := time.Now()
	p.Await(asked, allowed) // sets the deadline of the wait
	if err = p.Host.Send(); err == nil {
		if begun := p.WaitUntilRead(asked); begun.After(asked) { // its program was still starting
			asked = begun
			p.Await(asked, allowed)
		}
		answer, err = p.Host.Answer()
	}
	elapsed = p.Bot.Arrived().Sub(asked)
	p.NoteAnswerTime(elapsed, err == nil && elapsed <= allowed)
	return answer, elapsed, err
}

// ask asks a bot for a token. It keeps the time of the answer.
func (r *referee) ask(seat engine.Seat) (answer protocol.Answer, err error) {
	p := r.players[seat]
	allowed, _ := r.match.Allowed()
	answer, elapsed, err := Ask(p, r.match.Match, r.match.Clock(), allowed)
	if err != nil {
		return answer, err
	}
	r.last = elapsed
	if elapsed > allowed {
		return answer, os.ErrDeadlineExceeded
	}
	return answer, nil
}

// played plays a move and tells both bots. The error is that of [results.Match.Play].
func (r *referee) played(token string, elapsed time.Duration, score *float64) error {
	if err := r.match.Play(token, elapsed, score); err != nil {
		return err
	}
	r.last = 0
	for _, p := range r.players {
		if p != nil {
			p.Host.AddMove(token)
		}
	}
	r.feed.played(r)
	return nil
}

// passed plays a forced pass.
func (r *referee) passed() {
	_ = r.played(r.match.Legal()[0].Token(r.match.Position().Side()), 0, nil) // it is legal
}

// finished returns the verdict of a match that ended by the rules or by the adjudication.
func (r *referee) finished() ruling {
	v, _ := r.match.Verdict() // the match is over
	r.sendEnd(ruling{Verdict: v})
	return ruling{Verdict: v}
}

// resigned returns the verdict of a match that a bot gave up.
func (r *referee) resigned(seat engine.Seat) ruling {
	v := results.Lost(seat, results.EndResign)
	v.Last = r.last
	r.sendEnd(ruling{Verdict: v})
	return ruling{Verdict: v}
}

// blame returns the verdict of a match that a bot lost by an error on its wire.
func (r *referee) blame(seat engine.Seat, err error) ruling {
	var faults [2]*fault
	faults[seat] = r.fault(err)
	v := r.lost(faults)
	v.Last = r.last
	return v
}

// lost ends the bots at fault, tells the other one, and returns the verdict.
func (r *referee) lost(faults [2]*fault) ruling {
	v := lostBy(faults)
	for seat, f := range faults {
		if p := r.players[seat]; p != nil && f != nil {
			late := p.Close(f.what, f.silent, r.endFor(engine.Seat(seat), v))
			f.what += late
			f.what = report(f, p.Bot) // with what its standard error and its end show
		}
	}
	r.sendEnd(v)
	return lostBy(faults) // the same result, with all that is known of the faults now
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
	stderr, _ := b.Stderr()
	return text + guest.QuoteStderr(stderr) + b.WhyEnded()
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
		allowed, _ := r.match.Allowed()
		ending, what := r.match.Late(), fmt.Sprintf("no answer within %v", allowed.Round(time.Millisecond))
		if ending == results.EndTime {
			what += ", the margin included"
		}
		p := r.players[r.match.Position().Side()]
		what += p.Lateness()
		if r.last > 0 {
			what += "; the answer came after " + guest.RoundTime(r.last)
		}
		instead := p.InsteadOfAnswer()
		return &fault{ending: ending, what: what + instead, silent: instead == ""}
	}
	return &fault{ending: results.EndCrash, what: "the bot exited or closed its standard input or output"}
}

// lostBy returns the verdict against the bots at fault, of which there is at least one.
func lostBy(faults [2]*fault) ruling {
	south, north := faults[engine.South], faults[engine.North]
	if south == nil {
		return ruling{results.Lost(engine.North, north.ending), north.what}
	}
	if north == nil {
		return ruling{results.Lost(engine.South, south.ending), south.what}
	}
	both := results.Verdict{Result: results.Void, Ending: results.EndStart, Fault: results.BothFault}
	return ruling{both, south.what + "; " + north.what}
}

// endTimeout is how long a bot that was not at fault may take to read how the match
// ended. The pipe has room for that, so only a busy machine needs the time.
const endTimeout = time.Second

// sendEnd sends the bots how the match ended. If a bot does not read that, its next
// match will show it.
func (r *referee) sendEnd(v ruling) {
	for seat, p := range r.players {
		if p == nil || p.Broken {
			continue
		}
		p.Bot.SetDeadline(time.Now().Add(endTimeout))
		_ = p.Host.End(r.endFor(engine.Seat(seat), v))
	}
}

// endFor returns how the match ended, for the bot of a seat.
func (r *referee) endFor(seat engine.Seat, v ruling) protocol.EndMatch {
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
	case results.WinOf(seat):
		end.Result = protocol.Win
	}
	return end
}

// record returns the record of the match. The faults are those of bots that did not get ready.
func (r *referee) record(v ruling, faults [2]*fault) results.Record {
	rec := r.match.Record(r.job.Key, v.Verdict)
	for seat, p := range r.players {
		rec.CPU[seat] = p.MatchCPU()
	}
	rec.Seeds, rec.Evidence = r.job.Seeds, r.evidence(v, faults)
	return rec
}

// evidence returns the conversations of a match that a bot lost by a fault.
func (r *referee) evidence(v ruling, faults [2]*fault) *results.Evidence {
	if v.Fault == results.NoFault {
		return nil
	}
	e := &results.Evidence{What: v.what}
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
