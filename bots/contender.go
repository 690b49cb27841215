package bots

import "sembra/arena/protocol"

// Contender is a built-in bot with the options that it plays with.
type Contender struct {
	Name    string // the built-in bot and its options: "minimax:Depth=4"
	Builtin string
	Options []protocol.OptionValue
}

// The rating of the bot Anchor is AnchorRating. The anchor is in the middle of the field, because errors grow with the
// distance from it.
const (
	Anchor       = "level5"
	AnchorRating = 1000
)

// Contenders returns the bots whose strength is published: random, the levels from the weakest to the strongest, and
// then bots of other kinds.
func Contenders() []Contender {
	all := []Contender{{Name: "random", Builtin: "random"}}
	for _, l := range levels() {
		all = append(all, Contender{Name: l.Name, Builtin: l.Name})
	}
	all = append(all, Contender{Name: "greedy", Builtin: "greedy"})
	for _, depth := range []string{"2", "4"} {
		all = append(all, Contender{
			Name: "minimax:" + optionDepth + "=" + depth, Builtin: "minimax",
			Options: []protocol.OptionValue{{Name: optionDepth, Value: depth}},
		})
	}
	return append(all, Contender{Name: "minimax", Builtin: "minimax"}, Contender{Name: "mcts", Builtin: "mcts"})
}

// Meetings returns which contenders play each other to be rated. Bots of very different strength tell little about
// each other, so each level meets only the next two, and each other bot meets some levels that are near it in one
// ruleset or another.
func Meetings() (all [][2]Contender) {
	contenders := Contenders()
	ladder := 1 + len(grades()) // random and the levels
	for i := range ladder {
		for _, next := range contenders[i+1 : min(i+3, ladder)] {
			all = append(all, [2]Contender{contenders[i], next})
		}
	}
	for _, c := range contenders[ladder:] {
		for _, number := range nearLevels(c.Name) {
			all = append(all, [2]Contender{contenders[number], c}) // random is before level 1
		}
	}
	return all
}

// nearLevels returns the numbers of the levels that a bot of another kind meets.
func nearLevels(name string) []int {
	switch name {
	case "greedy":
		return []int{1, 3, 5}
	case "minimax:Depth=2":
		return []int{2, 4, 6}
	case "minimax:Depth=4":
		return []int{4, 6, 8}
	}
	return []int{6, 8, 10}
}
