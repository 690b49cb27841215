// Package engine holds the rules of the mancala games as pure functions of
// small values: it starts no process, reads no clock and keeps no state of its
// own.
//
// A [Position] is the board at one moment, a [Move] is whatever a player
// decides, and a [Ruleset] says which moves are legal and what they do; [Step]
// also goes on from one round into the next. A [Match] adds what needs memory:
// repetition, and the rounds that were played.
// [Perft] counts the legal sequences of moves, which is how the rules are held
// against those of other programs.
//
// # Words
//
// A hole is a pit of the board, a row the holes that a player owns, a store the
// place where a player's captured seeds are kept. Sowing is taking the seeds of
// a hole and dropping them along the board. A round is one play of the board,
// from its setup until no more is sown on it; a match is one contest, of one
// round or of many. A turn ends when the other seat is to move; a ply is one
// move, of which redu has several in some turns.
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
// # Matches of many rounds
//
// In bechi and in the Buqruru family the seeds in the stores fill the rows again
// for the next round, six a hole; what fills no hole stays in the store. A player
// who can do so in more than one way chooses, with a move of its own in
// [PhaseFill]; where there is only one way it is no move. A match ends when a
// player is out, or after the limit of rounds, which [WithRounds] changes.
// Nothing is decided early. [Match.Rounds] tells how each round began and ended.
//
// A player who has nothing to sow while the round goes on passes, with a move
// ([Move.Pass]) that is then the only legal one.
//
// # Position text
//
// One line, fields separated by single spaces:
//
//	4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0
//
// which is: South's row and North's row, each from its owner's left; South's
// and North's store; the side to move, S or N; the phase; the round; and the
// quiet count, the sowings since the last capture. The round limit and the
// history are not in it: a text begins a history of its own.
//
// The phase is "sow"; "fill", where the side to move fills its row, whose seeds
// are still in its store; "start", where it chooses its start hole; or "over".
//
// A count may be followed by *, the mark of a hole that was sown from in this
// round (bechi). An x in place of a count is a hole that is out of play for the
// round: closed (bechi) or erased (buqruru-bellin, buqruru-ludii).
//
// Then come the keys of the ruleset, all of them and in this order:
//
//	first=S         who began the round, or is about to (rulesets of many rounds)
//	opened=SN       who has sown in it; - for nobody (Buqruru family)
//	start=C,-       the start holes; - for none (buqruru-bellin, buqruru-ludii)
//	donkeys=0-1     donkeys owed to South and to North (Buqruru family)
//	take=c:free     the seed that the side may take; :free if it still sows, :turn
//	                if that is the whole turn; - for none (redu)
//	missed=B,D      the holes of the other that the side may claim; - for none (redu)
//
// So these are the second round of a match of bechi, and the start positions of
// buqruru-bellin and redu:
//
//	6,6,6,6/6,x,6,x 10-2 N sow 2 0 first=N
//	6,6,6,6/6,6,6,6 0-0 S start 1 0 first=S opened=- start=-,- donkeys=0-0
//	4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0 take=- missed=-
package engine
