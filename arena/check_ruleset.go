package arena

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"sembra/engine"
)

// part is some trials of one kind in the point of a ruleset.
type part struct {
	name   string
	trials []trial
	same   bool // the first and the last trial have the same seed, so the bot should play the same moves in both
}

// ruleset plays all parts of a ruleset. A fault by which the bot would lose ends the point. Another one ends only its
// part.
func (k *checker) ruleset(rules engine.Ruleset) (string, error) {
	var mild error
	var slowest time.Duration
	matches, answers, again, passes := 0, 0, 0, 0
	for _, p := range k.parts(rules) {
		courses, err := k.playPart(rules, p)
		if wrong := new(fault); errors.As(err, &wrong) {
			if err = worse(p.name+": ", err); !wrong.mild {
				return "", err
			}
			if mild == nil {
				mild = err
			}
		} else if err != nil {
			return "", err
		}
		matches += len(courses)
		for _, c := range courses {
			answers, again, passes = answers+len(c.moves), again+c.again, passes+c.passes
			slowest = max(slowest, c.slowest)
		}
	}
	what := fmt.Sprintf("%s, %s", times(matches, "match", "matches"), times(answers, "answer", "answers"))
	if again > 0 {
		what += ", asked again in its turn " + times(again, "time", "times")
	}
	if passes > 0 {
		what += ", " + times(passes, "pass", "passes") + " played by the arena"
	}
	return what + ", the slowest answer after " + about(slowest), mild
}

// parts returns what is played of a ruleset.
func (k *checker) parts(rules engine.Ruleset) []part {
	free, shallow := k.free(), TimeControl{Watchdog: k.Watchdog, Depth: 1}
	few := TimeControl{Watchdog: k.Watchdog, Nodes: 100}
	const each, base, increment = 100 * time.Millisecond, 2 * time.Second, 20 * time.Millisecond
	one := func(name string, t trial) part { return part{name: name, trials: []trial{t}} }

	// Only the first answers of a whole match have no limit, because a bot may
	// think long without one.
	whole := trial{answers: toTheEnd, controls: []TimeControl{free, free, free, shallow}}
	south, north := whole, whole
	south.seed, north.seat, north.seed = 1, engine.North, 2

	positions := part{name: "positions"}
	for i, s := range findSpots(rules) {
		positions.trials = append(positions.trials, trial{
			name: s.kind, seat: s.start.Side(), opening: engine.Text(rules, s.start),
			answers: 3, seed: uint64(i) + 1, controls: []TimeControl{shallow},
		})
	}
	many := part{name: "matches"} // the first ends before any question
	for i := range 20 {
		many.trials = append(many.trials, trial{
			name: fmt.Sprintf("in match %d", i+1), seat: engine.Seat(i % 2), answers: i % 5,
			seed: uint64(i) + 1, controls: []TimeControl{shallow},
		})
	}
	parts := []part{
		one("south", south), one("north", north), positions,
		one("limits", trial{answers: 9, seed: 5, controls: []TimeControl{free, shallow, few, free, shallow, few, free, shallow, few}}),
		one("movetime", trial{seat: engine.North, answers: 5, seed: 6, controls: []TimeControl{{Move: each}}}),
		one("clock", trial{answers: toTheEnd, seed: 7, controls: []TimeControl{{Base: base, Increment: increment}}}),
		many,
	}
	if !k.identity.NoSeed {
		seeds := part{name: "seed", same: true}
		for _, seed := range []uint64{8, 9, 8} {
			seeds.trials = append(seeds.trials, trial{answers: 4, seed: seed, controls: []TimeControl{free}})
		}
		parts = append(parts, seeds)
	}
	if !k.identity.WantsPosition { // such a bot gets no long lines
		parts = append(parts, one("long match", k.longMatch(rules)))
	}
	return parts
}

// free is a control without limits, or with a small one for a bot that needs one.
func (k *checker) free() TimeControl {
	const fewPlies = 4 // every engine reaches that soon
	if k.identity.NeedsLimit {
		return TimeControl{Watchdog: k.Watchdog, Depth: fewPlies}
	}
	return TimeControl{Watchdog: k.Watchdog}
}

// longMatch is a trial of one answer late in a very long match.
func (k *checker) longMatch(rules engine.Ruleset) trial {
	if limited, err := engine.WithRounds(rules, engine.MostRounds); err == nil {
		rules = limited
	}
	moves, seat := longSequence(rules)
	return trial{
		name: fmt.Sprintf("after %d moves", len(moves)), rules: rules, seat: seat, before: moves, answers: 1, seed: 10,
		controls: []TimeControl{{Watchdog: k.Watchdog, Depth: 1}},
	}
}

// playPart plays the trials of a part, until they have taken too long.
func (k *checker) playPart(rules engine.Ruleset, p part) (courses []course, err error) {
	begun := time.Now()
	for _, t := range p.trials {
		if time.Since(begun) > enough {
			k.note("%s: stopped after %v, because the bot thinks long", p.name, enough)
			return courses, nil
		}
		if t.rules == nil {
			t.rules = rules
		}
		c, err := k.tryTwice(p.name, t)
		if err != nil {
			if t.name != "" {
				err = worse(t.name+": ", err)
			}
			return courses, err
		}
		courses = append(courses, c)
	}
	last := len(courses) - 1
	if first := courses[0]; p.same && !first.cut && !courses[last].cut && !slices.Equal(first.moves, courses[last].moves) {
		k.note("it plays differently from the same seed (%s and %s): tournaments cannot be repeated exactly",
			strings.Join(first.moves, " "), strings.Join(courses[last].moves, " "))
	}
	return courses, nil
}

// tryTwice plays a trial. If an answer is late, it plays a second time: a busy machine may have caused that.
func (k *checker) tryTwice(name string, t trial) (course, error) {
	c, err := k.play(t)
	if late := new(lateError); errors.As(err, &late) {
		if c, err = k.play(t); err == nil {
			k.note("%s: the first time there was %v: is the machine busy?", name, late)
		}
	}
	if err != nil {
		return c, err
	}
	if c.resigned {
		k.note("%s: it gives up after %s, so the check saw nothing later", name, times(len(c.moves), "move", "moves"))
	}
	if c.cut {
		k.note("%s: stopped after %v, because the bot thinks long", name, enough)
	}
	if name == "limits" && c.shallow > time.Second {
		k.note("an answer to depth 1 or nodes 100 took %s: does the bot heed these limits?", about(c.shallow))
	}
	return c, nil
}

// times writes a number of things.
func times(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
