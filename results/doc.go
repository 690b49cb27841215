// Package results holds what a match and a tournament leave behind, as plain values, and what follows
// from them.
//
//   - A [Record] is one match: a [Summary], which tables, ratings and filters read, a [Body] with the moves,
//     their times and the rounds, and [Evidence] where a bot broke the match.
//   - A [Tournament] is the plan that its matches are played by. It says itself how it may go on.
//   - Folds over summaries in schedule order: ratings, repeats, withdrawals, standings, head-to-head,
//     ladders, sequential tests. It therefore does not matter in which order matches ended.
//   - A [Judge] referees a record again. An [Adjudicator] ends a match that the rules have not ended.
//
// The package starts no process and opens no file.
package results
