// Package store keeps tournaments in a bbolt file.
//
// A [Store] is the file. A [Book] is one tournament in it, with its schedule. The file holds a record
// completely or not at all. Its summary and its body are stored apart, because tables and ratings need
// summaries alone. The stored ratings are a fold over the records in schedule order; the transaction that
// adds records also updates the ratings. The matches left to play are those of the schedule without a
// stored record, so there is no other state to lose.
//
// Only one process at a time can write to a file. Meanwhile [OpenRead] in other processes gets a copy of
// the file through a socket (see [Store.Share]); [OpenCopy] gets one that [Store.Follow] keeps up to date. A
// reader that has the file open for a long time can give back its lock with [Store.Unlock], so that a run can
// begin. [Store.Verify] reads everything in a file and referees every match again.
package store
