// Package engine holds the rules of the mancala games as pure functions of
// small values. It starts no process, reads no clock and keeps no state of its
// own. RULES.md describes the games; package show draws positions and tells moves
// in words.
//
// A [Position] is the board at one moment, and a [Move] is whatever a player
// decides. A [Ruleset] says which moves are legal and what they do, and [Step]
// also goes on from one round to the next. A [Match] adds what needs memory:
// repetition, and the rounds that were played. [Perft] counts the legal sequences
// of moves, which compares the rules with those of other programs.
//
// # Words
//
// A hole is a pit of the board. A row is the holes that a player owns. A store is
// the place where a player's captured seeds are kept. Sowing is taking the seeds
// of a hole and dropping them along the board.
//
// A ply is one move. A turn ends when the other seat is to move; in redu it can
// have several plies. A round is one play of the board, from its setup until
// nothing more is sown on it. A match is one contest, of one round or of many.
//
// # Board and names
//
// South owns the lower row and moves first in round 1. The holes are named
// counter-clockwise: South's are A B C … from South's left to South's right, and
// North's are a b c … from North's left to North's right. North sits across, so on
// a printed board North's row reads from right to left:
//
//	f  e  d  c  b  a      North
//	A  B  C  D  E  F      South
//
// # What all rulesets share
//
// A round also ends as a cycle: when a position of the round comes back, or when
// [QuietLimit] sowings in a row captured nothing. Each player then takes the seeds
// in their own row. A match of a single round ends early when a store holds more
// than half of all seeds; the seeds on the board then stay there. After every ply
// the endings are checked in this order: decided early, the ruleset's own end, the
// quiet sowings, repetition.
//
// # Matches of many rounds
//
// In bechi and in the buqruru family the seeds in the stores fill the rows again
// for the next round, six in each hole. Seeds that fill no hole stay in the store. A
// player who can fill the row in more than one way chooses with a move of its own,
// in [PhaseFill]. A match ends when a player is out, or after the limit of rounds,
// which [WithRounds] changes. Nothing is decided early. [Match.Rounds] tells how
// each round began and ended.
//
// A player who has nothing to sow while the round goes on passes. The pass is a
// move ([Move.Pass]), and it is then the only legal one.
//
// # Position text
//
// A position text is one line, and single spaces separate its fields:
//
//	4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0
//
// The fields are: South's row and North's row, each from its owner's left; South's
// and North's store; the side to move, S or N; the phase; the round; and the quiet
// count, the number of sowings since the last capture. The limit of rounds and the
// history are not in the text: a match that is set up from a text begins a history
// of its own.
//
// The phase is "sow"; "fill", in which the side to move fills its row with seeds
// that are still in its store; "start", in which it chooses its start hole; or
// "over".
//
// A * after a count marks a hole that was sown from in this round (bechi). An x in
// place of a count is a hole that is out of play for the round: closed (bechi) or
// erased (buqruru-bellin, buqruru-ludii).
//
// Then come the keys of the ruleset, all of them and in this order:
//
//	first=S         who began the round, or is about to (rulesets of many rounds)
//	opened=SN       who has sown in it; - for nobody (buqruru family)
//	start=C,-       the start holes; - for none (buqruru-bellin, buqruru-ludii)
//	donkeys=0-1     donkeys owed to South and to North (buqruru family)
//	take=c:free     the seed that the side may take; :free if it still sows, :turn
//	                if that is the whole turn; - for none (redu)
//	missed=B,D      the other's holes that the side may claim; - for none (redu)
//
// These are the second round of a match of bechi, and the start positions of
// buqruru-bellin and redu:
//
//	6,6,6,6/6,x,6,x 10-2 N sow 2 0 first=N
//	6,6,6,6/6,6,6,6 0-0 S start 1 0 first=S opened=- start=-,- donkeys=0-0
//	4,4,4,4,4,4/4,4,4,4,4,4 0-0 S sow 1 0 take=- missed=-
package engine
