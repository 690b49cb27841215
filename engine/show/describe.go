package show

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"sembra/engine"
)

// Describe says what a ply did, in whole sentences of plain ASCII. The first line
// describes the move, with the seeds that it sowed and took. If the move ended a
// round, a second line says why and what each player swept, and a third
// announces the next round.
func Describe(r engine.Ruleset, ply engine.Ply) string {
	effect := engine.EffectOf(r, ply.Before, ply.Move)
	text := describeMove(ply, effect)
	last, end := ply.RoundEnd(r)
	if end == engine.Going {
		if ply.Before.Phase() == engine.PhaseSow && ply.After.Phase() == engine.PhaseStart {
			text += "\nNeither start hole holds a seed: both are given up."
		}
		return text
	}
	text += "\n" + describeEnd(r, ply, effect, last, end)
	if ply.After.Phase() != engine.PhaseOver {
		text += fmt.Sprintf("\nRound %d is set up, %s begins.", ply.After.Round(), player(ply.After.First()))
	}
	return text
}

// describeMove says what a move did, apart from what ended with it.
func describeMove(ply engine.Ply, effect engine.Effect) string {
	side := ply.Before.Side()
	who := player(side)
	hole, ofHole := ply.Move.Hole()
	switch {
	case ply.Move.Pass():
		return who + " could not sow and passed."
	case ply.Move.Swap():
		return who + " swapped sides: the rows and the stores are exchanged."
	case ply.Move.Sowing():
		from := strings.ReplaceAll(names(effect.Lifted), " ", " and ")
		text := fmt.Sprintf("%s sowed %s: %s.", who, from, sowing(effect, side, "took"))
		if again(effect, side, ply.After) {
			text += " " + who + " moves again."
		}
		return text
	case ply.Before.Phase() == engine.PhaseFill:
		return fmt.Sprintf("%s filled its row: %s.", who, seedsTo(effect.Dropped))
	case ply.Before.Phase() == engine.PhaseStart:
		return fmt.Sprintf("%s chose %s as its start hole.", who, side.HoleName(hole))
	case ofHole:
		return fmt.Sprintf("%s claimed the capture missed from %s: took %d from %s.",
			who, side.Other().HoleName(hole), total(effect.Took), claimed(effect))
	}
	text := fmt.Sprintf("%s took the seed in %s", who, names(effect.Took))
	if _, wholeTurn, _ := ply.Before.OpenSeed(); wholeTurn {
		text += " as its whole turn"
	}
	return text + "."
}

// sowing says what a sowing of a side does to the seeds. The verb says that a player
// takes seeds.
func sowing(effect engine.Effect, side engine.Seat, takes string) string {
	dropped, took, otherTook := effect.Dropped, effect.Took, effect.OtherTook
	text := Count(total(dropped), "seed", "seeds")
	if len(dropped) == 1 || total(dropped) == len(dropped) {
		text += " to " + names(dropped)
	} else {
		text += ", " + seedsTo(dropped)
	}
	if len(took) > 0 {
		text += fmt.Sprintf("; %s %d from %s", takes, total(took), names(took))
	}
	if len(otherTook) > 0 {
		text += fmt.Sprintf("; %s %s %d from %s", player(side.Other()), takes, total(otherTook), names(otherTook))
	}
	return text
}

// inStore returns the number of seeds that fell in the mover's store.
func inStore(effect engine.Effect) int {
	for _, h := range effect.Dropped {
		if h.Hole == engine.InStore {
			return h.Seeds
		}
	}
	return 0
}

// again reports whether a sowing of a side, which led to a position, lets the side move again, because its last seed
// fell in the store.
func again(effect engine.Effect, side engine.Seat, after engine.Position) bool {
	return inStore(effect) > 0 && after.Side() == side && after.Phase() == engine.PhaseSow
}

// describeEnd says how a round ended with a move of that effect, whose last
// position is the one after the sweep.
func describeEnd(r engine.Ruleset, ply engine.Ply, effect engine.Effect, last engine.Position, end engine.End) string {
	before, mover := ply.Before, ply.Before.Side()
	stores := [2]int{before.Store(engine.South), before.Store(engine.North)}
	if ply.Move.Swap() {
		stores[0], stores[1] = stores[1], stores[0]
	}
	var swept [2]int
	swept[mover] = last.Store(mover) - stores[mover] - total(effect.Took) - inStore(effect)
	swept[mover.Other()] = last.Store(mover.Other()) - stores[mover.Other()] - total(effect.OtherTook)

	round := "The round"
	if !r.Info().Single {
		round = fmt.Sprintf("Round %d", last.Round())
	}
	sentences := []string{fmt.Sprintf("%s is over: %s.", round, endReason(r, swept, last, end))}

	var sweeps []string
	for s, seeds := range swept {
		switch {
		case seeds > 0 && len(sweeps) == 0:
			sweeps = append(sweeps, fmt.Sprintf("%s swept %d from its row", player(engine.Seat(s)), seeds))
		case seeds > 0:
			sweeps = append(sweeps, fmt.Sprintf("%s %d", player(engine.Seat(s)), seeds))
		}
	}
	if len(sweeps) > 0 {
		sentences = append(sentences, strings.Join(sweeps, ", ")+".")
	}

	for _, s := range seats() {
		if owed := last.Donkeys(s) - before.Donkeys(s); owed > 0 {
			sentences = append(sentences,
				fmt.Sprintf("%s owes %s %s more.", player(s.Other()), player(s), Count(owed, "donkey", "donkeys")))
		}
	}
	return strings.Join(sentences, " ")
}

// endReason says why a round ended in which the players then swept so many seeds.
func endReason(r engine.Ruleset, swept [2]int, last engine.Position, end engine.End) string {
	left := swept[engine.South] + swept[engine.North]
	switch {
	case end == engine.Early:
		return earlyReason(last)
	case end == engine.Cycle && last.Quiet() >= engine.QuietLimit:
		if r.Info().IntoStore {
			return fmt.Sprintf("%d sowings in a row brought no seed into a store", engine.QuietLimit)
		}
		return fmt.Sprintf("%d sowings in a row captured nothing", engine.QuietLimit)
	case end == engine.Cycle:
		return "a position repeated"
	case r.Info().IntoStore && left > 0 && swept[engine.South] == 0:
		return "the row of South is empty"
	case r.Info().IntoStore && left > 0:
		return "the row of North is empty"
	case r.Info().Single && !r.Info().IntoStore:
		return player(last.Side()) + " cannot move"
	case left == 0:
		return "the board is empty"
	case left == 1:
		return "one seed is left"
	}
	return "nobody can sow"
}

// earlyReason says why a match was decided early.
func earlyReason(p engine.Position) string {
	if p.Store(engine.North) > p.Store(engine.South) {
		return "North has more than half of the seeds"
	}
	return "South has more than half of the seeds"
}

// seats returns both seats, South first.
func seats() [2]engine.Seat { return [2]engine.Seat{engine.South, engine.North} }

// player returns the seat's name for the beginning of a sentence.
func player(s engine.Seat) string {
	if s == engine.South {
		return "South"
	}
	return "North"
}

// total returns the number of seeds in the piles.
func total(piles []engine.Pile) int {
	seeds := 0
	for _, h := range piles {
		seeds += h.Seeds
	}
	return seeds
}

// seedsTo says how many seeds went where: "2 each to C D, 1 to E".
func seedsTo(fell []engine.Pile) string {
	groups := map[int][]engine.Pile{}
	for _, h := range fell {
		groups[h.Seeds] = append(groups[h.Seeds], h)
	}
	var parts []string
	for _, seeds := range slices.Backward(slices.Sorted(maps.Keys(groups))) {
		each := ""
		if len(groups[seeds]) > 1 {
			each = " each"
		}
		parts = append(parts, fmt.Sprintf("%d%s to %s", seeds, each, names(groups[seeds])))
	}
	return strings.Join(parts, ", ")
}

// claimed returns the names of the holes that a claim empties.
func claimed(effect engine.Effect) string { return names(append(effect.Lifted, effect.Took...)) }

// names returns the names of the piles' holes, with the store as the last one.
func names(piles []engine.Pile) string {
	var all []string
	for _, h := range piles {
		if h.Hole != engine.InStore {
			all = append(all, h.Seat.HoleName(h.Hole))
		}
	}
	named := strings.Join(all, " ")
	switch {
	case len(all) == len(piles):
		return named
	case named == "":
		return "the store"
	}
	return named + " and the store"
}

// Count returns a number with the noun that fits it: "1 seed", "2 seeds".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Wrap breaks a text between words into lines of at most width columns of a terminal. A word that is wider stays whole.
// The first line begins with the text in first, and each other one with the text in rest; width counts them too.
func Wrap(text string, width int, first, rest string) []string {
	var lines []string
	var line []byte
	used := 0 // columns of the line
	for word := range strings.FieldsSeq(text) {
		end := len(line)
		line = append(append(line, ' '), word...)
		used += displaywidth.Bytes(line[end:])
		if end > 0 && used <= width {
			continue
		}
		if end > 0 {
			lines = append(lines, string(line[:end]))
			first = rest
		}
		line = append(append(line[:0], first...), word...)
		used = displaywidth.Bytes(line)
	}
	if line != nil {
		lines = append(lines, string(line))
	}
	return lines
}
