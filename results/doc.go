// Package results holds what a tournament leaves behind: the records of its matches, the file that
// keeps them, and what is made of them, which is ratings, standings, crosstables and lists.
//
// A record has two parts. Its Summary is small and is all that tables, ratings and filters read; its
// Body has the moves, their times and the rounds. A Store keeps both apart in one bbolt file, and a
// record is either in it whole or not at all. Everything else is a fold over the records in schedule
// order, so that it does not matter in which order matches ended.
//
// The package starts no process and reads no clock.
package results
