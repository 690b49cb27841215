// Package schedule decides who plays whom next in a tournament: round-robin, gauntlet, Swiss,
// knockout and sequential test.
//
// A [Schedule] is a pure function of the tournament's plan and of the records so far. It starts no
// process, reads no clock and stores nothing. The matches left to play are those of the schedule that
// have no record. A match keeps its number, whatever bots or pairs are added.
package schedule
