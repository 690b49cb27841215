package bots

import (
	"fmt"
	"strings"
)

// Builtin is a bot that comes with the program.
type Builtin struct {
	Name    string
	Summary string // how it plays, in one line
	New     func() Player
}

// Builtins returns the built-in bots, the weakest first.
func Builtins() []Builtin {
	return []Builtin{
		{"random", "plays random legal moves, chosen with the seed of the match", func() Player { return &random{} }},
		{"greedy", "takes as many seeds as it can in one move, and looks no further", func() Player { return greedy{} }},
		{"minimax", "searches with alpha-beta, to a given depth or as deep as time allows", func() Player { return &minimax{} }},
	}
}

// Lookup returns the built-in bot with a name, or an error that lists the known
// names.
func Lookup(name string) (Builtin, error) {
	var known []string
	for _, b := range Builtins() {
		if b.Name == name {
			return b, nil
		}
		known = append(known, b.Name)
	}
	return Builtin{}, fmt.Errorf("unknown bot %q (known: %s)", name, strings.Join(known, ", "))
}
