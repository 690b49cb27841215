// Package protocol is MBI 1, the mancala bot interface, and the part of UCI that
// oware engines speak. The arena, which is the [Host], and a bot, which is the [Guest], exchange
// lines of text over the bot's standard input and output. Where UCI, the protocol of
// chess engines, has a word for something, MBI uses the same word.
//
// The guide for bot authors, bots/README.md, specifies MBI: what each line means, the
// clock, rounds, endings and faults. This page shows the lines, and tells what only the
// host needs to know.
//
// # Lines
//
// A line consists of ASCII words with single spaces between them, and ends with
// LF. The host also accepts CR LF, but always sends LF. A line from a bot has at most
// [MaxLine] bytes, and all its output between two go lines has at most [MaxOutput]
// bytes. More than that is a violation, and so is a NUL byte. In very long matches,
// lines to a bot can be longer.
//
// A bot ignores lines that it does not know. The host ignores
//   - unknown lines before mbiok
//   - all lines between a newmatch and the readyok that answers it
//   - info lines, apart from their scores
//   - all other lines that it did not ask for, except bestmove
//
// A bestmove without a question is a violation. The host looks for one before
// each go. The end of input means quit. There is no stop and no pondering.
//
// # MBI
//
// The handshake comes once for each process:
//
//	host> mbi 1
//	bot>  id name Greedy 1.2
//	bot>  id author …                                 optional
//	bot>  plays awale oware                           optional; without it the bot plays everything
//	bot>  wants legal position                        optional
//	bot>  option name Depth type spin default 4 min 1 max 64
//	bot>  option name Style type combo default calm var calm var wild
//	bot>  mbiok
//	host> setoption name Depth value 6                each configured option
//	host> isready
//	bot>  readyok
//
// A match follows, and others after it:
//
//	host> newmatch awale south seed 71532             ruleset, the bot's seat, seed
//	host> isready
//	bot>  readyok
//	host> position startpos moves C b                 or: position fen TEXT [moves …]
//	host> legal A B D                                 only if the bot wants it
//	host> go stime 10000 ntime 9800 sinc 100 ninc 100 or: movetime 100; also depth, nodes
//	bot>  info depth 7 score 3 nodes 81220 time 42 pv D a     any number, optional
//	bot>  bestmove D                                  or: bestmove resign
//	…
//	host> error illegal move "Q" (legal: A B D)       only to a bot at fault
//	host> endmatch win 26-22 normal
//
// At the end the host says quit. Times are in milliseconds, and what the bots have left
// is rounded down. In a ruleset of several rounds, newmatch names the limit of rounds
// before the seed: newmatch bechi south rounds 8 seed 71532.
//
// One go asks for one token, which is one decision of a player. The host plays a forced
// pass itself, and announces neither passes nor the ends of rounds.
//
// # UCI
//
// With the [Dialect] UCI the host speaks UCI to an engine of oware, as the program Aualé
// does. Only these lines differ from those above:
//
//	host> uci                                         not mbi 1
//	bot>  uciok                                       not mbiok; plays and wants do not exist
//	host> ucinewgame                                  not newmatch; then isready
//	host> position startpos moves CbA                 the moves are one word
//	host> position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S moves CbA
//	host> go wtime 10000 btime 9800 winc 100 binc 100
//	bot>  bestmove D ponder a
//
// The holes of a fen go counter-clockwise: South's from its left to its right, then
// North's from its left to its right. Then come the stores of South and North, and
// the side to move, S or N. A move is a hole: A to F for South, a to f for North. South
// is white: wtime is its clock. The position is always that from which the match began,
// with all moves since, so that the engine can see repetitions. A match from an opening
// begins with fen. The words depth, nodes and movetime, and info, setoption, isready and
// quit are as in MBI. The score that counts is that of "score cp N"; "score mate N" is
// not read. Any white space may separate the words of an engine.
//
// UCI has no ruleset, seat, seed, limit of rounds, legal, error, endmatch or resign.
// So a UCI engine plays only oware, and awale for those who accept that it does not
// know that a grand slam is illegal there. The host cannot tell it of the limit of a
// hundred quiet sowings, of a fault of its opponent, or of an adjudication. A
// "bestmove 0000", "bestmove (none)" or "bestmove resign" is an illegal move. The
// host sends no stop, go ponder, go infinite, debug or register. It sends nothing at
// the end of a match.
//
// These facts are from the sources of Aualé (github.com/joansalasoler/auale,
// src/auale/uci/client.py and rules.py) and of its engine Aalina
// (github.com/joansalasoler/oware, src/com/joansala/uci/UCIService.java and
// src/com/joansala/oware/OwareBoard.java; newer: github.com/joansalasoler/samurai,
// src/main/java/com/joansala/uci):
//   - the order of holes and stores, and the letters
//   - Aalina accepts moves only as one word, and only where the sides alternate
//   - Aualé sends ucinewgame with isready, then position, then go with depth and
//     movetime; it sends no clock. It begins the position at the last capture.
//   - Aalina 1 does not know wtime and btime; without movetime it thinks for two
//     seconds. Later versions know them. No version knows nodes.
//   - Aalina answers "bestmove 0000" if the match has ended: a store holds more than
//     half of the seeds, a position came back, or there is no legal move
//   - Aalina offers the options Hash, OwnBook, Ponder and DrawSearch, later versions
//     more. It says "readyok" at once; while it thinks, later versions say nothing.
//   - a score is from the side to move. The newer sources convert captured seeds to
//     cp with the factor 62.5, so its cp are only about hundredths of a seed.
//
// These are assumptions, because no source says them: that other engines may want
// spaces between the moves ([UCISpaced]), that they may know nodes, and that
// their cp are hundredths of a seed. That white space is free, and that unknown words
// are ignored, is from the specification of UCI (Stefan Meyer-Kahlen, 2006).
package protocol
