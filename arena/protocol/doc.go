// Package protocol implements MBI 1, the mancala bot interface, the part of UCI that
// oware engines speak, and the lines of seeds that contest bots read. The arena, which is
// the [Host], and a bot, which is the [Guest], exchange lines of text over the bot's
// standard input and output. Where UCI, the protocol of chess engines, has a keyword, MBI
// reuses it.
//
// The package promises its callers that
//   - a line from a bot has at most [MaxLine] bytes, and all its output between two go
//     lines at most [MaxOutput]; more is a [*Violation], and so is a NUL byte
//   - a bestmove without a question is a violation, which the host looks for before each
//     go; it ignores unknown lines before mbiok, all lines between a newmatch and its
//     readyok, info lines apart from their scores, and whatever else it did not ask for
//   - it asks for one token at a time, which is one decision of a player; it announces
//     neither passes nor the ends of rounds
//
// It never starts a process, reads a clock or judges a move: the owner of the wire sets
// deadlines, and the engine says what is legal. There is no stop and no pondering.
//
// PROTOCOL.md, UCI.md and BOARD.md in the folder bots specify them: what each line means,
// the clock, rounds and endings. This is a conversation in MBI, from the start of the process:
//
//	host> mbi 1
//	bot>  id name Greedy 1.2
//	bot>  plays awale oware                           optional, as id, wants and option are
//	bot>  wants legal position
//	bot>  option name Depth type spin default 4 min 1 max 64
//	bot>  mbiok
//	host> setoption name Depth value 6                each configured option
//	host> isready
//	bot>  readyok
//	host> newmatch awale south seed 71532             ruleset, the bot's seat, seed
//	host> isready
//	bot>  readyok
//	host> position startpos moves C b                 or: position fen TEXT [moves …]
//	host> legal A B D                                 only if the bot wants it
//	host> go stime 10000 ntime 9800 sinc 100 ninc 100 or: movetime 100; also depth, nodes
//	bot>  info depth 7 score 3 nodes 81220 time 42 pv D a     any number, optional
//	bot>  bestmove D                                  or: bestmove resign
//	host> error illegal move "Q" (legal: A B D)       only to a bot at fault
//	host> endmatch win 26-22 normal
//	host> quit
package protocol
