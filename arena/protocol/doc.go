// Package protocol is MBI 1, the mancala bot interface: lines of text between
// the arena, which is the [Host], and a bot, which is the [Guest], over the
// bot's standard input and output. It follows UCI, the protocol of chess
// engines, where UCI has a word for a thing.
//
// # Lines
//
// A line is ASCII words separated by single spaces, ended by LF; the host
// accepts CR LF too and sends LF. A bot flushes after every line. Its standard
// error is its own log and never read as protocol. A line from a bot is at most
// [MaxLine] bytes, all its output between two go lines at most [MaxOutput]
// bytes; more, or a NUL byte, is a violation. Lines to a bot can be longer in
// very long matches.
//
// A bot ignores lines that it does not know. The host ignores unknown lines
// before mbiok, whatever comes before the readyok that answers a newmatch, and
// info lines at any time; later it ignores any other line that it did not ask
// for, but a bestmove that was not asked for is a violation, looked for before
// each go. End of input means quit. There is no stop and no pondering.
//
// # Handshake, once a process
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
// A bot that wants legal is sent the legal tokens before each go, and so need
// not know the rules. A bot that wants position is always sent the current
// position whole, without moves, and so without what repetition needs. In
// rulesets of many rounds neither has to know when a round ends and how the
// next is set up.
//
// # A match
//
//	host> newmatch awale south seed 71532             ruleset, the bot's seat, seed
//	host> isready
//	bot>  readyok
//	host> position startpos moves C b                 or: position fen TEXT [moves …]
//	host> legal A B D                                 only if wanted
//	host> go stime 10000 ntime 9800 sinc 100 ninc 100
//	bot>  info depth 7 score 3 nodes 81220 time 42 pv D a     any number, optional
//	bot>  bestmove D
//	…
//	host> endmatch win 26-22 normal
//
// In a ruleset of many rounds newmatch says the limit of rounds before the
// seed, and in no other:
//
//	host> newmatch bechi south rounds 8 seed 71532
//
// At newmatch a bot forgets the match before: whatever is
// random in it starts from the seed, and tables are cleared, so that a bot
// without a clock plays the same match again.
//
// The moves of a position are all tokens played since it, both seats' and of all
// rounds, passes included. With an opening the position is "fen" and a position
// text, which ends at the word moves or at the line's end.
//
// The words of go are stime, ntime, sinc and ninc (milliseconds left, rounded
// down, and increment, of South and North) or movetime (milliseconds), and depth
// and nodes; or nothing. The clock runs from the moment the host writes go to
// the moment the newline of bestmove arrived.
//
// One go asks for one token, whatever a player decides: a hole with what else
// there is to choose about its sowing, "C", "B+", "C21", "D-okx"; how a row is
// filled, "fill=6.0.6.2"; a start hole, "start=C", also where there is only one;
// in redu "take" and "claim=d". The seat that is still to move after its token is
// asked again, and an increment is added only when the other is to move next. The
// tokens of each ruleset, and the keys of its position texts, are in
// engine/RULES.md.
//
// Two things happen without a question. A player who has nothing to sow passes:
// the host plays "pass" itself, in no time, and it stands among the moves of the
// next position. And a round that ends goes on into the next one: what is left on
// the board is swept and the rows are filled from the stores; only who can fill a
// row in more than one way is asked, before anything is sown. Nothing is said of
// the end of a round: the next position is in the next round already.
//
// "bestmove resign" gives the match up. Words after the token are ignored. In
// info, "score N" is in seeds and "score cp N" in hundredths of a seed, from the
// side of the bot.
//
// endmatch says win, loss, draw or void, the stores of South and North, and the
// ending by its name: normal (by the rules, also with a player out), cycle,
// early (a store holds more than half in a match of a single round), rounds (the
// limit of rounds was reached and nobody is out), resign, time, illegal, crash,
// hang, protocol, start, adjudicated. A bot at fault is first told why:
//
//	host> error illegal move "Q" (legal: A B D)
//	host> endmatch loss 3-5 illegal
//
// # The end
//
//	host> quit
//
// The bot exits. After a second it is killed, with its whole process group.
package protocol
