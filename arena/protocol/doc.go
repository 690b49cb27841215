// Package protocol is MBI 1, the mancala bot interface. The arena, which is the
// [Host], and a bot, which is the [Guest], exchange lines of text over the bot's
// standard input and output. Where UCI, the protocol of chess engines, has a word
// for something, MBI uses the same word.
//
// # Lines
//
// A line consists of ASCII words with single spaces between them, and ends with
// LF. The host also accepts CR LF, but always sends LF. A bot flushes its output
// after every line. Its standard error is its own log and no part of the protocol.
//
// A line from a bot has at most [MaxLine] bytes, and all its output between two go
// lines has at most [MaxOutput] bytes. More than that is a violation, and so is a
// NUL byte. In very long matches, lines to a bot can be longer.
//
// A bot ignores lines that it does not know. The host ignores
//   - unknown lines before mbiok
//   - all lines between a newmatch and the readyok that answers it
//   - info lines
//   - all other lines that it did not ask for, except bestmove
//
// A bestmove without a question is a violation. The host looks for one before
// each go. The end of input means quit. There is no stop and no pondering.
//
// # Handshake, once for each process
//
//	host> mbi 1
//	bot>  id name Greedy 1.2
//	bot>  id author …                                 optional
//	bot>  plays awale oware                           optional; without it the bot plays everything
//	bot>  wants legal position                        optional, see below
//	bot>  option name Depth type spin default 4 min 1 max 64
//	bot>  option name Style type combo default calm var calm var wild
//	bot>  mbiok
//	host> setoption name Depth value 6                each configured option
//	host> isready
//	bot>  readyok
//
// Option types are those of UCI: check (true or false), spin (a whole number
// from min to max), combo (one of its vars), string, and button (no value).
//
// A bot that wants legal gets the legal tokens before each go, so it does not need
// to know the rules. A bot that wants position always gets the current position
// itself, without the moves that led to it, so it cannot see repetitions. In
// rulesets of several rounds, both kinds of bots do not need to know when a round
// ends and how the next one is set up.
//
// # A match
//
//	host> newmatch awale south seed 71532             ruleset, the bot's seat, seed
//	host> isready
//	bot>  readyok
//	host> position startpos moves C b                 or: position fen TEXT [moves …]
//	host> legal A B D                                 only if the bot wants it
//	host> go stime 10000 ntime 9800 sinc 100 ninc 100
//	bot>  info depth 7 score 3 nodes 81220 time 42 pv D a     any number, optional
//	bot>  bestmove D
//	…
//	host> endmatch win 26-22 normal
//
// Only in a ruleset of several rounds, newmatch names the limit of rounds before
// the seed:
//
//	host> newmatch bechi south rounds 8 seed 71532
//
// At newmatch a bot forgets the previous match: it starts its random numbers from
// the seed and clears its tables. Then a bot without a clock plays the same match
// again.
//
// The moves after a position are all tokens played since that position: those of
// both seats and of all rounds, with passes. If the match has an opening, the
// position is "fen" and a position text, which ends at the word moves or at the
// end of the line.
//
// These words can follow go:
//   - stime and ntime: milliseconds that South and North have left, rounded down;
//     sinc and ninc: their increments
//   - or movetime: milliseconds for this token
//   - depth and nodes: limits of the search
//
// The clock starts when the host writes go, and stops when the newline of the
// bestmove arrives.
//
// One go asks for one token, which is one decision of a player:
//   - a hole, with all that is to be chosen about its sowing: "C", "B+", "C21",
//     "D-okx"
//   - how to fill a row: "fill=6.0.6.2"
//   - a start hole: "start=C", even if there is only one
//   - in redu: "take" and "claim=d"
//
// If the same seat is to move after its token, the host asks it again. The
// increment is added when the other seat is to move. engine/RULES.md lists the
// tokens and the keys of the position texts of each ruleset.
//
// Two things happen without a question:
//   - A player who has nothing to sow passes. The host plays "pass" itself, which
//     takes no time. The pass is among the moves of the next position.
//   - After a round, the next one begins. The seeds on the board are swept, and
//     the rows are filled from the stores. Only a player who can fill a row in more
//     than one way is asked, before the first sowing. The host does not announce
//     the end of a round: the next position is already in the next round.
//
// "bestmove resign" gives up the match. The host ignores words after the token. In
// info, "score N" is in seeds and "score cp N" in hundredths of a seed, both from
// the side of the bot.
//
// endmatch tells the result (win, loss, draw or void), the stores of South and
// North, and the ending: normal (by the rules, or because a player is out), cycle,
// early (a store holds more than half of the seeds, in a match of a single round),
// rounds (the limit of rounds was reached and nobody is out), resign, time,
// illegal, crash, hang, protocol, start or adjudicated. The host first tells a bot
// at fault what it did:
//
//	host> error illegal move "Q" (legal: A B D)
//	host> endmatch loss 3-5 illegal
//
// # The end
//
//	host> quit
//
// The bot exits. After a second the host kills it, with its whole process group.
package protocol
