// Package engine implements the rules of the mancala games as pure functions of small
// values. RULES.md, beside it, and the pages of the folder rules are the contract: the
// games, their words, the names of the holes, and how moves and positions are written.
// Package show renders positions and describes moves.
//
// A [Position] is the board at one moment, and a [Move] is whatever a player decides. A
// [Ruleset] says which moves are legal and what they do, and [Step] also moves on from one
// round to the next. A [Match] adds what needs memory: repetition, and the rounds that
// were played. [Perft] counts the legal sequences of moves, which compares the rules with
// those of other programs. [Trace] says which seeds a move takes from where to where.
//
//	r, _ := engine.Lookup("awale")
//	m := engine.NewMatch(r, r.Start())
//	err := m.PlayTokens([]string{"C", "b"})
//	fmt.Println(engine.Text(r, m.Position()))
//	// Output: 4,4,0,5,5,5/5,0,5,5,5,5 0-0 S sow 1 2
//
// It keeps no state of its own and never starts a process, reads a file or a clock, or
// chooses at random. ParsePosition does not ask whether play can reach a position, and
// [Ruleset.Play] not whether a move is legal.
//
// # What it promises
//
//   - Positions and moves are comparable values without pointers: they can be copied,
//     and be keys of maps. Many goroutines may use a ruleset concurrently.
//   - Listing and playing moves allocates nothing, apart from the caller's slice of moves.
//   - A move has one token in its position, and no other legal move has it. A position
//     text that [ParsePosition] accepts is the one that [Text] writes.
//   - Every round ends: after [QuietLimit] sowings without a capture at the latest.
package engine
