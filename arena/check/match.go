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

	"sembra/arena"
	"sembra/arena/guest"
	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/engine/show"
	"sembra/results"
	"sembra/results/safe"
)

// trial is a match, or a part of one, between the bot and an opponent that plays
// random moves.
type trial struct {
	part    string                // what the trial is for; several can be for the same
	name    string                // of one trial of a part; "" for the only one
	seat    engine.Seat           // the bot's
	start   engine.Position       // of the match
	opening string                // its text; "" is the start position of the ruleset
	times   []results.TimeControl // of the bot's answers; the last is for all answers that follow
	answers int                   // the check ends the match after so many answers
	seed    uint64
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
	type times = []results.TimeControl
	free, shallow, few := results.TimeControl{}, results.TimeControl{Depth: 1}, results.TimeControl{Nodes: 100}
	if k.identity.NeedsLimit {
		free.Depth = 4 // every engine reaches that soon
	}
	each := results.TimeControl{Move: 100 * time.Millisecond}
	whole := results.TimeControl{Base: 2 * time.Second, Increment: 20 * time.Millisecond}
	// Only the first answers of a match have no limit, because a bot may think long without one.
	trials := []trial{
		{part: "south", times: times{free, shallow, few, free, shallow}, answers: math.MaxInt, seed: 1},
		{part: "north", seat: engine.North, times: times{whole}, answers: math.MaxInt, seed: 2},
		{part: "movetime", seat: engine.North, times: times{each}, answers: 5, seed: 3},
	}
	if !k.identity.NoSeed {
		seed := trial{part: "seed", times: times{free}, answers: 4, seed: 4}
		trials = append(trials, seed, seed)
	}
	for i := range trials {
		trials[i].start = rules.Start()
	}
	for i, s := range findSpots(rules) {
		trials = append(trials, trial{
			part: "positions", name: s.kind + ": ", seat: s.start.Side(), start: s.start, opening: engine.Text(rules, s.start),
			answers: 3, seed: uint64(i) + 1, times: times{shallow},
		})
	}
	return trials
}

// ruleset plays all trials of a ruleset. A fault by which the bot would lose ends the point.
func (k *checker) ruleset(rules engine.Ruleset) (string, error) {
	var mild error // the first one
	var before []string
	part, matches, answers := "", 0, 0
	k.slowest = 0
	for _, t := range k.trials(rules) {
		if t.part != part {
			k.until = time.Now().Add(enough)
		}
		moves, err := k.play(rules, t)
		if late := new(problem); errors.As(err, &late) && late.late { // a busy machine may have caused that
			moves, err = k.play(rules, t)
			if err == nil {
				k.note("%s: the second try went well, but in the first there was %v: is the machine busy?", t.part, late)
			}
		}
		if wrong := new(problem); errors.As(err, &wrong) {
			wrong.what = t.part + ": " + t.name + wrong.what
			if !wrong.mild {
				return "", wrong
			}
			if mild == nil {
				mild = wrong
			}
		} else if err != nil {
			return "", err
		}
		both := min(len(before), len(moves))
		if part == "seed" && t.part == part && !slices.Equal(before[:both], moves[:both]) {
			k.note("it plays differently from the same seed (%s and %s): tournaments cannot be repeated exactly",
				strings.Join(before, " "), strings.Join(moves, " "))
		}
		part, before = t.part, moves
		matches, answers = matches+1, answers+len(moves)
	}
	return fmt.Sprintf("%s, %s, the slowest answer after %s",
		show.Count(matches, "match", "matches"), show.Count(answers, "answer", "answers"), guest.RoundTime(k.slowest)), mild
}

// play plays a trial and returns the bot's moves. A mistake of the bot is a [*problem].
func (k *checker) play(rules engine.Ruleset, t trial) (moves []string, err error) {
	p, err := k.seat()
	if err != nil {
		return nil, err
	}
	if err := p.Begin(protocol.NewMatchMessage(rules, t.seat, t.seed), t.opening, k.Time.Startup); err != nil {
		return nil, k.fail(results.EndStart, false, p.NotReady(err, k.Time.Startup))
	}
	match := results.Conditions{Time: t.times[0]}.Begin(rules, t.start)
	if moves, err = k.course(t, match); err != nil {
		return nil, err
	}
	end := protocol.EndMatch{Result: protocol.Void, Ending: results.EndAdjudicated.String()}
	end.South, end.North = match.Position().Store(engine.South), match.Position().Store(engine.North)
	p.Bot.SetDeadline(time.Now().Add(k.Time.Startup))
	_ = p.Host.End(end) // the probe finds a bot that does not listen, and output that comes late
	_, err = k.probe("when the match was over, ")
	if k.entry.Restart {
		k.dismiss()
	}
	return moves, err
}

// course plays the moves of an announced trial, and returns the bot's.
func (k *checker) course(t trial, match *results.Match) (moves []string, err error) {
	random := rand.New(rand.NewPCG(t.seed, 1))
	for !match.Over() {
		seat, legal := match.Position().Side(), match.Legal()
		token := legal[random.IntN(len(legal))].Token(seat)
		var answer protocol.Answer
		var elapsed time.Duration
		if seat == t.seat && !match.MustPass() {
			if len(moves) == t.answers {
				break
			}
			if time.Now().After(k.until) {
				k.note("%s: stopped after %v, because the bot thinks long", t.part, enough)
				break
			}
			clock := match.Clock()
			if clock.Base == 0 {
				clock.TimeControl = t.times[min(len(moves), len(t.times)-1)]
			}
			if answer, elapsed, err = k.ask(match.Match, clock); err != nil {
				return nil, err
			}
			if answer.Resigns {
				k.note("%s: it gives up after %s, so the check saw nothing later", t.part, show.Count(len(moves), "move", "moves"))
				break
			}
			token = answer.Token
			k.slowest, moves = max(k.slowest, elapsed), append(moves, token)
		}
		if err := match.Play(token, elapsed, nil); err != nil { // only an answer can be illegal
			return nil, k.fail(results.EndIllegal, false, safe.Short(err.Error())+answer.Remark)
		}
		k.player.Host.AddMove(token)
	}
	return moves, nil
}

// ask asks the bot for a token. It waits longer than the bot has time, to tell how
// late the answer is.
func (k *checker) ask(match *engine.Match, clock results.Clock) (protocol.Answer, time.Duration, error) {
	p := k.player
	has, clocked := clock.Allowed(match.Position().Side())
	allowed := has + k.Time.Watchdog
	answer, elapsed, err := arena.Ask(p, match, clock, allowed)
	if violation := new(protocol.Violation); errors.As(err, &violation) {
		return answer, 0, k.fail(results.EndProtocol, false, violation.What)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		ending, what, instead := results.EndHang, "no answer within "+guest.RoundTime(allowed), p.InsteadOfAnswer()
		switch {
		case clocked:
			ending, what = results.EndTime, what+"; it had "+guest.RoundTime(has)+p.Lateness()
		case p.InTime > 0: // it flushes
			what += p.Lateness()
		case instead == "" && k.speaksBoard():
			what += " (an answer counts when its line has ended and is flushed)"
		case instead == "":
			what += " (go named no limit of time; an answer counts when its line has ended and is flushed)"
		}
		return answer, 0, k.fail(ending, !clocked && instead == "", what+instead)
	}
	if err != nil {
		return answer, 0, k.fail(results.EndCrash, false, "the bot exited or closed its standard input or output")
	}
	if clocked && elapsed > has+forgiven {
		late := k.fail(results.EndTime, false, fmt.Sprintf("an answer after %s, %s late: it had %s (%v more are forgiven)",
			guest.RoundTime(elapsed), guest.RoundTime(elapsed-has), guest.RoundTime(has), forgiven))
		late.late = true
		return answer, 0, late
	}
	if (clock.Depth == 1 || clock.Nodes > 0) && elapsed > time.Second {
		k.note("an answer to depth 1 or nodes 100 took longer than 1s: does the bot heed these limits?")
	}
	return answer, elapsed, nil
}

// spot is a position of a kind in which bots often make mistakes. Its side to
// move has a decision to make.
type spot struct {
	kind  string
	start engine.Position
}

// findSpots finds a position of each kind that occurs in the ruleset, for both
// seats if possible. It searches random matches, which are always the same.
func findSpots(rules engine.Ruleset) []spot {
	var spots []spot
	const matches = 60
	random := rand.New(rand.NewPCG(1, 2))
	add := func(kind string, is bool, p engine.Position) {
		known := func(s spot) bool { return s.kind == kind && s.start.Side() == p.Side() }
		if is && !slices.ContainsFunc(spots, known) {
			spots = append(spots, spot{kind, p})
		}
	}
	for range matches {
		m := results.Conditions{}.Begin(rules, rules.Start())
		var late engine.Position
		for ply := 0; !m.Over(); ply++ {
			p, legal := m.Position(), m.Legal()
			if !m.MustPass() {
				add("an opening", ply >= 3 && ply <= 5, p)
				add("a single move", len(legal) == 1, p)
				add("the filling of a row", p.Phase() == engine.PhaseFill, p)
				add("the choice of a start hole", p.Phase() == engine.PhaseStart, p)
				first, _, _ := strings.Cut(legal[0].Token(p.Side()), "=")
				add("a claim or a take", first == "claim" || first == "take", p)
			}
			if len(legal) > 1 {
				late = p
			}
			_ = m.Play(legal[random.IntN(len(legal))].Token(p.Side()), 0, nil) // it is legal
		}
		add("the end of a match", late != engine.Position{}, late) // a tiny board may leave no choice at all
	}
	return spots
}
