// Package schedule decides who plays whom next in a tournament: round-robin, gauntlet, Swiss,
// knockout and sequential test.
//
// A [Schedule] is a pure function of the tournament's plan and of the records so far. It starts no
// process, reads no clock and keeps nothing on disk: what is left to play is the schedule less the
// matches that are recorded.
package schedule
