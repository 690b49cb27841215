// Package measure computes the figures of games, machines and bots that are shown beside their results.
//
//   - [Balance] measures a game by its matches: which seat is better, how long matches last and how they end.
//   - [Charges] is the time that the machine and the runner add to every move.
//   - [Late] says whether bots lost on time because the machine was busy.
//   - [Thinking] is how long a bot thought, by the number of the move.
//
// Its promise is that of package results: equal records give equal figures, in whatever order they came. It never
// starts a process, opens a file, reads a clock or prints.
package measure
