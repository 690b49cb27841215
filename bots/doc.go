// Package bots provides [Serve], the loop of a bot in Go, and the built-in bots. The
// built-in bots run as processes and know no more of a match than other bots: they
// never see the arena, its clock or its records. Without a clock they are deterministic:
// the same seed produces the same moves.
//
// README.md in this folder takes bot authors from nothing to a tournament, and lists
// the other pages. The folder samples has bots in several languages, and the folders
// python and javascript have clients that authors copy beside their bots.
package bots
