package results

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Of reports whether one of the bots plays the match.
func (k Key) Of(bots []string) bool {
	return slices.Contains(bots, k.South) || slices.Contains(bots, k.North)
}

// ToReplace returns the bots whose matches are to be taken out when somebody asks to continue t by the plan of next and
// to replace some bots. These are all of them except those whose replacement by the same program goes on.
func (t Tournament) ToReplace(next Tournament, bots []string) []string {
	var again []string
	for _, bot := range bots {
		if !slices.Contains(t.Replacing, bot) || !slices.Equal(t.settingsOf(bot), next.settingsOf(bot)) {
			again = append(again, bot)
		}
	}
	return again
}

// settingsOf returns the settings of one bot.
func (t Tournament) settingsOf(bot string) []Setting {
	return slices.DeleteFunc(slices.Clone(t.Settings), func(s Setting) bool { return s.Bot != bot })
}

// UndoError says that bots cannot be replaced, because later stages depend on their matches.
type UndoError struct {
	Tournament string
	Bots       []string
	Stages     []int // with recorded matches that the replacement would undo, ascending
	Matches    int   // number of these matches
}

// Error says what the replacement would undo.
func (e *UndoError) Error() string {
	stages := "stage " + strconv.Itoa(e.Stages[0])
	if last := e.Stages[len(e.Stages)-1]; last > e.Stages[0] {
		stages = fmt.Sprintf("stages %d to %d", e.Stages[0], last)
	}
	matches := "1 recorded match"
	if e.Matches != 1 {
		matches = fmt.Sprintf("%d recorded matches", e.Matches)
	}
	return fmt.Sprintf("tournament %q cannot replace %s: that would undo %s of %s, because their pairings depend on "+
		"earlier results (--fresh begins a new one beside it)",
		e.Tournament, strings.Join(e.Bots, " and "), matches, stages)
}
