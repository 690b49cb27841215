package check

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"sembra/arena/guest"
	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/results"
)

// trial is a match, or a part of one, between the bot and an opponent that plays
// random moves.
type trial struct {
	part    string            // what the trial is for; several can be for the same
	name    string            // of one trial of a part; "" for the only one
	seat    engine.Seat       // the bot's
	start   engine.Position   // of the match
	opening string            // its text; "" is the start position of the ruleset
	limits  []protocol.Limits // of the bot's answers; the last is for all answers that follow
	answers int               // the check ends the match after so many answers
	seed    uint64
}

// course tells how trials went.
type course struct {
	moves   []string // the bot's
	passes  int      // number of passes of both sides, which the arena plays
	again   int      // number of further questions in the same turn
	slowest time.Duration
}

const (
	// enough is how long the trials of one part may take, without the last answer.
	enough = 15 * time.Second

	// forgiven is the default margin of a tournament.
	forgiven = 50 * time.Millisecond
)

// trials returns what is played of a ruleset: two whole matches, positions of all kinds, a limit of time for each move,
// and the same seed twice.
func (k *checker) trials(rules engine.Ruleset) []trial {
	free, shallow := protocol.Limits{}, protocol.Limits{Depth: 1}
	if k.identity.NeedsLimit {
		free.Depth = 4 // every engine reaches that soon
	}
	few, each := protocol.Limits{Nodes: 100}, protocol.Limits{Move: 100 * time.Millisecond}
	clock := protocol.Limits{Clock: true}
	for seat := range clock.Left {
		clock.Left[seat], clock.Increment[seat] = 2*time.Second, 20*time.Millisecond
	}
	// Only the first answers of a match have no limit, because a bot may think long without one.
	trials := []trial{
		{part: "south", limits: []protocol.Limits{free, shallow, few, free, shallow}, answers: math.MaxInt, seed: 1},
		{part: "north", seat: engine.North, limits: []protocol.Limits{clock}, answers: math.MaxInt, seed: 2},
		{part: "movetime", seat: engine.North, limits: []protocol.Limits{each}, answers: 5, seed: 3},
	}
	if !k.identity.NoSeed {
		seed := trial{part: "seed", limits: []protocol.Limits{free}, answers: 4, seed: 4}
		trials = append(trials, seed, seed)
	}
	for i := range trials {
		trials[i].start = rules.Start()
	}
	for i, s := range findSpots(rules) {
		trials = append(trials, trial{
			part: "positions", name: s.kind + ": ", seat: s.start.Side(), start: s.start, opening: engine.Text(rules, s.start),
			answers: 3, seed: uint64(i) + 1, limits: []protocol.Limits{shallow},
		})
	}
	return trials
}

// ruleset plays all trials of a ruleset. A fault by which the bot would lose ends the point.
func (k *checker) ruleset(rules engine.Ruleset) (string, error) {
	var mild error
	var all, before course
	var until time.Time // the end of the part
	part, matches := "", 0
	for _, t := range k.trials(rules) {
		if t.part != part {
			until = time.Now().Add(enough)
		}
		c, err := k.try(rules, t, until)
		if wrong := new(problem); errors.As(err, &wrong) {
			if err = worse(t.part+": "+t.name, err); !wrong.mild {
				return "", err
			}
			if mild == nil {
				mild = err
			}
		} else if err != nil {
			return "", err
		}
		both := min(len(before.moves), len(c.moves))
		if part == "seed" && t.part == part && !slices.Equal(before.moves[:both], c.moves[:both]) {
			k.note("it plays differently from the same seed (%s and %s): tournaments cannot be repeated exactly",
				strings.Join(before.moves, " "), strings.Join(c.moves, " "))
		}
		part, before = t.part, c
		matches++
		all.moves, all.again, all.passes = append(all.moves, c.moves...), all.again+c.again, all.passes+c.passes
		all.slowest = max(all.slowest, c.slowest)
	}
	what := fmt.Sprintf("%s, %s", times(matches, "match", "matches"), times(len(all.moves), "answer", "answers"))
	if all.again > 0 {
		what += ", asked again in its turn " + times(all.again, "time", "times")
	}
	if all.passes > 0 {
		what += ", " + times(all.passes, "pass", "passes") + " played by the arena"
	}
	return what + ", the slowest answer after " + guest.About(all.slowest), mild
}

// try plays a trial. If an answer is late, it plays a second time: a busy machine may have caused that.
func (k *checker) try(rules engine.Ruleset, t trial, until time.Time) (course, error) {
	c, err := k.play(rules, t, until)
	if wrong := new(problem); errors.As(err, &wrong) && wrong.late {
		if c, err = k.play(rules, t, until); err == nil {
			k.note("%s: the first time there was %v: is the machine busy?", t.part, wrong)
		}
	}
	return c, err
}

// play plays a trial. A mistake of the bot is a [*problem].
func (k *checker) play(rules engine.Ruleset, t trial, until time.Time) (c course, err error) {
	p, err := k.seat()
	if err != nil {
		return c, err
	}
	info := rules.Info()
	announced := protocol.NewMatch{Ruleset: info.Name, Seat: t.seat, Seed: t.seed}
	if !info.Single {
		announced.Rounds = info.Rounds
	}
	if err := p.Begin(announced, t.opening, k.Startup); err != nil {
		what := p.NotReady(err, k.Startup)
		if errors.Is(err, os.ErrDeadlineExceeded) && p.Host.Heard().Lines == 0 {
			what += fmt.Sprintf(" (%s and isready arrive together: does it read line by line?)", p.Host.Words.NewMatch)
		}
		return c, k.fail(results.EndStart, false, what)
	}
	match := engine.NewMatch(rules, t.start)
	if err := k.course(t, match, until, &c); err != nil {
		return c, err
	}
	end := protocol.EndMatch{Result: protocol.Void, Ending: results.EndAdjudicated.String()}
	end.South, end.North = match.Position().Store(engine.South), match.Position().Store(engine.North)
	if err := p.Bot.SetDeadline(time.Now().Add(k.Startup)); err != nil {
		return c, err
	}
	_ = p.Host.End(end)                  // the probe finds a bot that does not listen
	if _, err := k.probe(); err != nil { // so that late output belongs to this trial
		return c, worse("when the match was over, ", err)
	}
	return c, nil
}

// course plays the moves of an announced trial.
func (k *checker) course(t trial, match *engine.Match, until time.Time, c *course) error {
	random := rand.New(rand.NewPCG(t.seed, 1))
	limits := t.limits[0]
	own := false // the last move was the bot's
	for !match.Over() {
		seat, legal := match.Position().Side(), match.Legal()
		move, pass := legal[random.IntN(len(legal))], len(legal) == 1 && legal[0].Pass()
		if pass {
			c.passes++
		}
		if asked := seat == t.seat && !pass; asked {
			if len(c.moves) == t.answers {
				return nil
			}
			if time.Now().After(until) {
				k.note("%s: stopped after %v, because the bot thinks long", t.part, enough)
				return nil
			}
			if own {
				c.again++
			}
			if !limits.Clock {
				limits = t.limits[min(len(c.moves), len(t.limits)-1)]
			}
			answer, elapsed, err := k.ask(match, limits)
			if err != nil {
				return err
			}
			if answer.Resigns {
				k.note("%s: it gives up after %s, so the check saw nothing later", t.part, times(len(c.moves), "move", "moves"))
				return nil
			}
			if move, err = match.Find(answer.Token); err != nil {
				return k.fail(results.EndIllegal, false, guest.Shown(err.Error())+answer.Remark)
			}
			limits.Left[seat] = max(0, limits.Left[seat]-elapsed)
			c.slowest, c.moves = max(c.slowest, elapsed), append(c.moves, answer.Token)
			own = true
		} else {
			own = false
		}
		match.Play(move)
		k.player.Host.Played(move.Token(seat))
		if match.Position().Side() != seat {
			limits.Left[seat] += limits.Increment[seat]
		}
	}
	return nil
}

// ask asks the bot for a token. It waits longer than the bot has time, to tell how
// late the answer is.
func (k *checker) ask(match *engine.Match, limits protocol.Limits) (protocol.Answer, time.Duration, error) {
	p, has, clocked := k.player, limits.Move, limits.Clock || limits.Move > 0
	if limits.Clock {
		has = limits.Left[match.Position().Side()]
	}
	allowed := has + k.Watchdog
	if err := p.Bot.SetDeadline(time.Now().Add(allowed)); err != nil {
		return protocol.Answer{}, 0, err
	}
	err := p.Host.Prepare(match, limits)
	asked := time.Now()
	if err == nil {
		err = p.Host.Send()
	}
	var answer protocol.Answer
	if err == nil {
		answer, err = p.Host.Answer()
	}
	elapsed := p.Bot.Arrived().Sub(asked)
	violation := new(protocol.Violation)
	switch late := errors.Is(err, os.ErrDeadlineExceeded); {
	case errors.As(err, &violation):
		err = k.fail(results.EndProtocol, false, violation.What)
	case late && clocked:
		err = k.fail(results.EndTime, false, fmt.Sprintf("no answer within %s; it had %s%s", guest.About(allowed), guest.About(has), p.Missed()))
	case late:
		what, instead := "no answer within "+guest.About(allowed), p.Missed()
		if instead == "" {
			what += " (go named no limit of time; an answer counts when its line has ended and is flushed)"
		}
		err = k.fail(results.EndHang, instead == "", what+instead)
	case err != nil:
		err = k.fail(results.EndCrash, false, "the bot exited or closed its standard input or output")
	case clocked && elapsed > has+forgiven:
		what := fmt.Sprintf("an answer after %s, %s late: it had %s (%v more are forgiven)",
			guest.About(elapsed), guest.About(elapsed-has), guest.About(has), forgiven)
		err = amend(k.fail(results.EndTime, false, what), func(p *problem) { p.late = true })
	case (limits.Depth == 1 || limits.Nodes > 0) && elapsed > time.Second:
		k.note("an answer to depth 1 or nodes 100 took longer than 1s: does the bot heed these limits?")
	}
	return answer, elapsed, err
}
