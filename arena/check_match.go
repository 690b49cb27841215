package arena

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"time"

	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/results"
)

// trial is a match, or a part of one, between the bot and an opponent that plays
// random moves.
type trial struct {
	name     string // of several in one part; "" for the only one
	rules    engine.Ruleset
	seat     engine.Seat   // the bot's
	opening  string        // position text; "" is the start position
	before   []string      // tokens that are played before the first question
	controls []TimeControl // of the bot's answers; the last is for all answers that follow
	answers  int           // the check ends the match after so many answers
	seed     uint64
}

// toTheEnd is no limit on the number of answers.
const toTheEnd = math.MaxInt

// course tells how a trial went.
type course struct {
	moves    []string // the bot's
	passes   int      // number of passes of both sides, which the arena plays
	again    int      // number of further questions in the same turn
	resigned bool
	slowest  time.Duration // time of the slowest answer
	shallow  time.Duration // time of the slowest answer to a go with depth 1 or a few nodes
	cut      bool          // the check ended the match because it took too long
}

const (
	// enough is how long one point may take, without its last answer.
	enough = 15 * time.Second

	// forgiven is the default margin of a tournament.
	forgiven = 50 * time.Millisecond
)

// play plays a trial. A mistake of the bot is a [*fault].
func (k *checker) play(t trial) (c course, err error) {
	p, err := k.seat()
	if err != nil {
		return c, err
	}
	start := t.rules.Start()
	if t.opening != "" {
		if start, err = engine.ParsePosition(t.rules, t.opening); err != nil {
			return c, err
		}
	}
	if err := p.begin(announcement(t.rules, t.seat, t.seed), t.opening, k.Startup); err != nil {
		what := p.notReady(err, k.Startup)
		if errors.Is(err, os.ErrDeadlineExceeded) && p.host.Heard().Lines == 0 {
			what += fmt.Sprintf(sayTogether, p.host.Words.NewMatch)
		}
		return c, k.fail(&fault{ending: results.EndStart, what: what})
	}
	var players [2]*player
	players[t.seat] = p
	r := newReferee(Job{}, start, t.rules, t.controls[0], players)
	for _, token := range t.before {
		move, err := r.match.Find(token)
		if err != nil {
			return c, err
		}
		r.played(r.match.Position().Side(), move, protocol.Answer{}, 0)
	}
	if err := k.course(t, r, &c); err != nil {
		return c, err
	}
	if _, err := k.probe(); err != nil { // so that late output belongs to this trial
		return c, worse("when the match was over, ", err)
	}
	return c, nil
}

// course plays an announced trial and tells the bot how it ended.
func (k *checker) course(t trial, r *referee, c *course) error {
	random := rand.New(rand.NewPCG(t.seed, 1))
	begun := time.Now()
	own := false // the last move was the bot's
	for !r.match.Over() {
		if k.ctx.Err() != nil {
			return errStopped
		}
		seat, legal := r.match.Position().Side(), r.match.Legal()
		switch pass := len(legal) == 1 && legal[0].Pass(); {
		case pass || seat != t.seat:
			if pass {
				c.passes++
			}
			r.played(seat, legal[random.IntN(len(legal))], protocol.Answer{}, 0)
			own = false
			continue
		case len(c.moves) == t.answers || time.Since(begun) > enough:
			c.cut = len(c.moves) < t.answers
			r.tell(Verdict{Result: results.Void, Ending: results.EndAdjudicated})
			return nil
		}
		if own {
			c.again++
		}
		r.clock.control = t.controls[min(len(c.moves), len(t.controls)-1)]
		answer, elapsed, err := k.ask(r, seat)
		if err != nil {
			return err
		}
		c.slowest = max(c.slowest, elapsed)
		if limits := r.clock.control; limits.Depth == 1 || limits.Nodes > 0 {
			c.shallow = max(c.shallow, elapsed)
		}
		if answer.Resigns {
			c.resigned = true
			r.resigned(seat)
			return nil
		}
		move, err := r.match.Find(answer.Token)
		if err != nil {
			return k.fail(&fault{ending: results.EndIllegal, what: shown(err.Error()) + answer.Remark})
		}
		r.played(seat, move, answer, elapsed)
		c.moves = append(c.moves, answer.Token)
		own = true
	}
	r.finished()
	return nil
}

// sayNoLine is what authors overlook most if a bot says nothing after a go without a clock.
const sayNoLine = " (go named no limit of time; an answer counts when its line has ended and is flushed)"

// sayTogether is why a bot may hear the announcement of a match, but not the isready after it.
const sayTogether = " (%s and isready arrive together: does it read line by line?)"

// ask asks the bot for a token. It waits longer than the bot has time, to tell how
// late the answer is.
func (k *checker) ask(r *referee, seat engine.Seat) (protocol.Answer, time.Duration, error) {
	control := &r.clock.control
	clocked := control.Move > 0 || control.Base > 0
	if clocked {
		control.Margin = k.Watchdog
	}
	has := r.clock.allowance(seat) - control.Margin
	answer, elapsed, err := r.ask(seat)
	if err != nil {
		f := r.fault(err)
		if clocked && errors.Is(err, os.ErrDeadlineExceeded) {
			f.what = fmt.Sprintf("no answer within %s; it had %s%s", about(has+control.Margin), about(has), missed(r.players[seat]))
		} else if f.silent {
			f.what += sayNoLine
		}
		return answer, elapsed, k.fail(f)
	}
	if clocked && elapsed > has+forgiven {
		f := &fault{ending: results.EndTime, what: fmt.Sprintf("an answer after %s, %s late: it had %s (%v more are forgiven)",
			about(elapsed), about(elapsed-has), about(has), forgiven)}
		return answer, elapsed, &lateError{k.fail(f)}
	}
	return answer, elapsed, nil
}

// lateError says that the bot answered, but too late.
type lateError struct{ error }

func (e *lateError) Unwrap() error { return e.error }

// missed tells of an answer that does not count because of its form, or of what
// the bot said instead of an answer.
func missed(p *player) string {
	if what := p.host.Missed(); what != "" {
		return " (" + what + ")"
	}
	return instead(p.host.Heard())
}

// instead quotes what a bot said instead of the line that the arena waited for;
// "" if it said nothing.
func instead(said protocol.Said) string {
	if said.Lines == 0 {
		return ""
	}
	quote := results.Visible(said.Last, 0)
	if first := results.Visible(said.First, 0); first != quote && said.Lines == 2 {
		quote = first + ", " + quote
	} else if first != quote {
		quote = first + ", …, " + quote
	}
	text := "; it said «" + quote + "»"
	if said.Cut {
		text += " without a line end"
	}
	text += "; expected " + said.Expected
	if said.Hint != "" {
		text += ": " + said.Hint
	}
	return text
}
