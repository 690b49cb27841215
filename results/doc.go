// Package results defines the records of matches and tournaments as plain values, and computes standings
// and other figures from them.
//
//   - A [Record] is one match. It has a [Summary], which is enough for tables, ratings and filters; a [Body] with
//     the moves, their times and the rounds; and [Evidence] if a bot was at fault.
//   - A [Tournament] is the plan of a tournament. [Tournament.Continue] compares two plans field by field, and decides
//     which can continue it.
//   - [Standings], [Meetings], [Ladders], [RatingFold], [SequentialTest], [BotFaults] and [Disqualifications] are
//     folds over summaries in schedule order, so the order in which matches ended does not matter.
//   - A [Profile] counts the matches of one bot.
//   - A [Match] is played under its [Conditions], and alone knows which plies are forced passes, what a clock shows and
//     whether an [Adjudicator] ends the match before the rules do. [Conditions.Verify] plays a record again.
//   - A [GameList] is games from elsewhere, which [GameList.Rate] rates.
//
// Its promise: equal records give equal numbers, whatever the order in which they came and on whatever machine. What a
// bot wrote is kept byte by byte; package safe makes it safe to print. The package never starts a process, opens a file,
// reads a clock or prints.
package results
