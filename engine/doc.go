// Package engine holds the rules of the mancala games as pure functions of
// small values: it starts no process, reads no clock and keeps no state of its
// own.
//
// A [Position] is the board at one moment, a [Move] is whatever a player
// decides, and a [Ruleset] says which moves are legal and what they do. A
// [Match] adds what needs memory: repetition, and the rounds that were played.
// [Perft] counts the legal sequences of moves, which is how the rules are held
// against those of other programs.
//
// # Words
//
// A hole is a pit of the board, a row the holes that a player owns, a store the
// place where a player's captured seeds are kept. Sowing is taking the seeds of
// a hole and dropping them along the board. A round is one play of the board,
// from its setup until no more is sown on it; a match is one contest, of one
// round or of several. A turn ends when the other seat is to move; a ply is one
// move.
//
// # Board and names
//
// South owns the lower row and moves first in round 1. Holes are named
// counter-clockwise: South's A B C … from South's left to South's right,
// North's a b c … from North's left to North's right. North sits across, so on
// a printed board North's row reads from right to left:
//
//	f  e  d  c  b  a      North
//	A  B  C  D  E  F      South
//
// # What all rulesets share
//
// A round also ends as a cycle: when a position of the round comes back, or
// when [QuietLimit] sowings in a row captured nothing. Each player then takes
// the seeds in the own row. In rulesets of a single round a match ends early,
// as it stands, when a store holds more than half of all seeds. Endings are
// looked at in this order after every ply: decided early, the ruleset's own
// end, the quiet sowings, repetition.
//
// # Position text
//
// One line, fields separated by single spaces:
//
//	4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0
//
// which is: South's row and North's row, each from its owner's left; South's
// and North's store; the side to move, S or N; the phase, "sow" or "over"; the
// round; and the quiet count, the sowings since the last capture. The round
// limit and the history are not in it: a text begins a history of its own.
package engine
