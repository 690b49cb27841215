// Package store keeps tournaments in a bbolt file.
//
// A [Store] is the file; a [Book] is one tournament in it, with its schedule. A record is in the file
// whole or not at all. Its summary and its body are kept apart: tables and ratings read summaries alone.
// The stored ratings are a fold over the records in schedule order, moved on in the transaction that
// adds the records. What is left to play is the schedule less the stored keys, so there is no other
// state to lose.
//
// Only one process can write to a file. While it does, [OpenRead] in other processes gets a copy from it
// through a socket (see [Store.Share]). [Store.Verify] reads everything in a file and referees every match
// again.
package store
