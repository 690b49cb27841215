package arena

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"sembra/engine"
)

// rulesetPoints returns the points about matches of one ruleset.
func (k *checker) rulesetPoints(rules engine.Ruleset) []point {
	free, shallow := k.free(), k.shallow()
	few := TimeControl{Watchdog: k.Watchdog, Nodes: 100}
	const each, base, increment = 100 * time.Millisecond, 2 * time.Second, 20 * time.Millisecond

	// Only the first answers of a whole match have no limit, because a bot may
	// think long without one.
	whole := trial{answers: toTheEnd, idle: true, controls: []TimeControl{free, free, free, shallow}}
	south, north := whole, whole
	south.seed, north.seat, north.seed = 1, engine.North, 2

	one := func(name string, t trial, tell func(course) string) point {
		t.rules = rules
		return point{rules.Info().Name + " " + name, func() (string, error) { return k.oneTrial(t, tell) }}
	}
	many := func(name string, look func(engine.Ruleset) (string, error)) point {
		return point{rules.Info().Name + " " + name, func() (string, error) { return look(rules) }}
	}
	return []point{
		one("south", south, tellWhole),
		one("north", north, tellWhole),
		many("positions", k.positions),
		one("limits", trial{
			answers: 9, seed: 5, controls: []TimeControl{free, shallow, few, free, shallow, few, free, shallow, few},
		}, func(c course) string {
			if c.shallow > time.Second {
				k.note("an answer to depth 1 or nodes 100 took %s: does the bot heed these limits?", about(c.shallow))
			}
			if k.identity.NeedsLimit {
				return fmt.Sprintf("go with depth %d, with depth 1, with nodes 100", fewPlies)
			}
			return "go alone, with depth 1, with nodes 100"
		}),
		one("movetime", trial{seat: engine.North, answers: 5, seed: 6, controls: []TimeControl{{Move: each}}},
			func(course) string { return fmt.Sprintf("%v for each answer", each) }),
		one("clock", trial{answers: toTheEnd, seed: 7, controls: []TimeControl{{Base: base, Increment: increment}}},
			func(c course) string {
				answers := times(len(c.moves), "answer", "answers")
				return fmt.Sprintf("%v for the match and %v a turn, %s", base, increment, answers)
			}),
		many("matches", k.manyMatches),
		many("seed", k.sameSeed),
		many("long match", k.longMatch),
	}
}

// fewPlies is a depth that every engine reaches soon.
const fewPlies = 4

// free is a control without limits, or with a small one for a bot that needs one.
func (k *checker) free() TimeControl {
	if k.identity.NeedsLimit {
		return TimeControl{Watchdog: k.Watchdog, Depth: fewPlies}
	}
	return TimeControl{Watchdog: k.Watchdog}
}

// shallow is a control with the smallest limit.
func (k *checker) shallow() TimeControl { return TimeControl{Watchdog: k.Watchdog, Depth: 1} }

// oneTrial plays a trial from the start position and tells what it was. If an answer
// is late, it plays a second time: a busy machine may have caused that.
func (k *checker) oneTrial(t trial, tell func(course) string) (string, error) {
	c, err := k.play(t)
	if late := new(lateError); errors.As(err, &late) {
		if c, err = k.play(t); err == nil {
			k.note("the first time there was %v: is the machine busy?", late)
		}
	}
	if err != nil {
		return "", err
	}
	what := tell(c)
	if c.resigned {
		k.note("it gives up after %s, so the check saw nothing later", times(len(c.moves), "move", "moves"))
	}
	if c.cut {
		k.note("stopped after %v, because the bot thinks long", enough)
	}
	return what + slowestOf(c), nil
}

// tellWhole tells of a whole match.
func tellWhole(c course) string {
	what := "a whole match, " + times(len(c.moves), "answer", "answers")
	if c.again > 0 {
		what += ", asked again in its turn " + times(c.again, "time", "times")
	}
	if c.passes > 0 {
		what += ", " + times(c.passes, "pass", "passes") + " played by the arena"
	}
	return what
}

// positions begins matches at positions in which bots often make mistakes.
func (k *checker) positions(rules engine.Ruleset) (string, error) {
	const answers = 3
	var kinds []string
	var all course
	begun := time.Now()
	spots := findSpots(rules)
	for i, s := range spots {
		if time.Since(begun) > enough {
			k.note("stopped after %v, because the bot thinks long", enough)
			spots = spots[:i]
			break
		}
		c, err := k.play(trial{
			rules: rules, seat: s.start.Side(), opening: engine.Text(rules, s.start),
			answers: answers, seed: uint64(i) + 1, controls: []TimeControl{k.shallow()},
		})
		if err != nil {
			return "", worse(s.kind+": ", err)
		}
		if !slices.Contains(kinds, s.kind) {
			kinds = append(kinds, s.kind)
		}
		all.slowest = max(all.slowest, c.slowest)
	}
	return fmt.Sprintf("it plays from %d positions: %s%s", len(spots), strings.Join(kinds, ", "), slowestOf(all)), nil
}

// manyMatches begins one match after another and ends each early, the first one
// before any question.
func (k *checker) manyMatches(rules engine.Ruleset) (string, error) {
	const matches, lengths = 20, 5
	begun := time.Now()
	for i := range matches {
		if time.Since(begun) > enough {
			k.note("stopped after %v, because the bot thinks long", enough)
			return fmt.Sprintf("%d matches, ended by the arena", i), nil
		}
		_, err := k.play(trial{
			rules: rules, seat: engine.Seat(i % 2), answers: i % lengths, seed: uint64(i) + 1,
			controls: []TimeControl{k.shallow()},
		})
		if err != nil {
			return "", worse(fmt.Sprintf("in match %d of %d: ", i+1, matches), err)
		}
	}
	return fmt.Sprintf("%d matches in a row, ended by the arena at once or in their middle", matches), nil
}

// sameSeed plays the beginning of a match twice with the same seed, and of another
// match in between.
func (k *checker) sameSeed(rules engine.Ruleset) (string, error) {
	const answers = 4
	if k.identity.NoSeed {
		return "", &skip{"its protocol has no seed"}
	}
	var first course
	for i, seed := range []uint64{8, 9, 8} {
		c, err := k.play(trial{
			rules: rules, seat: engine.South, answers: answers, seed: seed,
			controls: []TimeControl{k.free()},
		})
		if err != nil {
			return "", err
		}
		if i == 0 {
			first = c
		}
		if i == 2 && !slices.Equal(first.moves, c.moves) && !first.cut && !c.cut {
			k.note("it plays differently from the same seed (%s and %s): tournaments cannot be repeated exactly",
				strings.Join(first.moves, " "), strings.Join(c.moves, " "))
			return "it plays, but differently each time", nil
		}
	}
	return "the same moves again from the same seed", nil
}

// longMatch asks for one move late in a very long match.
func (k *checker) longMatch(rules engine.Ruleset) (string, error) {
	if k.identity.WantsPosition {
		return "", &skip{"the bot wants position, so it gets no long lines"}
	}
	if limited, err := engine.WithRounds(rules, engine.MostRounds); err == nil {
		rules = limited
	}
	moves, seat := longSequence(rules)
	p, err := k.seat()
	if err != nil {
		return "", err
	}
	c, err := k.play(trial{
		rules: rules, seat: seat, before: moves, answers: 1, seed: 10, controls: []TimeControl{k.shallow()},
	})
	if err != nil {
		return "", worse(fmt.Sprintf("after %d moves: ", len(moves)), err)
	}
	length := len("position startpos moves ") + len(strings.Join(moves, p.host.Words.Between))
	return fmt.Sprintf("a position of %d moves, a line of %d bytes%s", len(moves), length, slowestOf(c)), nil
}

// slowestOf writes the time of the slowest answer.
func slowestOf(c course) string { return ", the slowest answer after " + about(c.slowest) }

// times writes a number of things.
func times(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
