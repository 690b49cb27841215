package engine

import (
	"fmt"
	"strings"
)

// Board returns the position drawn in plain characters as South sees it, over
// several lines: North's row from right to left above South's, each with the
// names of its holes and its store, and whose move it is.
func Board(r Ruleset, p Position) string {
	holes := r.Info().Holes
	var names, counts [2]strings.Builder
	for i := range holes {
		for s := South; s <= North; s++ {
			hole := i
			if s == North {
				hole = holes - 1 - i
			}
			fmt.Fprintf(&names[s], "  %s ", holeName(s, uint8(hole)))
			fmt.Fprintf(&counts[s], " %2d|", p.Seeds(s, hole))
		}
	}
	edge := strings.Repeat("+---", holes) + "+"
	var b strings.Builder
	fmt.Fprintf(&b, "         %s\n", strings.TrimRight(names[North].String(), " "))
	fmt.Fprintf(&b, "         %s\n", edge)
	fmt.Fprintf(&b, "  North  |%s  store %2d\n", counts[North].String(), p.Store(North))
	fmt.Fprintf(&b, "         %s\n", edge)
	fmt.Fprintf(&b, "  South  |%s  store %2d\n", counts[South].String(), p.Store(South))
	fmt.Fprintf(&b, "         %s\n", edge)
	fmt.Fprintf(&b, "         %s\n\n", strings.TrimRight(names[South].String(), " "))
	if p.Phase() == PhaseOver {
		b.WriteString("  The match is over.\n")
		return b.String()
	}
	side := "South"
	if p.Side() == North {
		side = "North"
	}
	fmt.Fprintf(&b, "  %s to move. Sowings since the last capture: %d of %d.\n", side, p.Quiet(), QuietLimit)
	return b.String()
}
