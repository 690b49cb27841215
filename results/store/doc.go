// Package store keeps tournaments in a bbolt file.
//
// A [Store] is the file. [Records] are one tournament in it, with its schedule. The file holds a record
// completely or not at all. Its summary and its body are stored apart, because tables and ratings need
// summaries alone. The stored ratings are a fold over the records in schedule order; the transaction that
// adds records also updates the ratings. The matches left to play are those of the schedule without a
// stored record, so there is no other state to lose.
//
// Nobody holds the file: each transaction opens it, does its work and closes it. So everybody can read it while a run
// writes. Only one run at a time can have a file open for writing. A reader that needs much reads it in several
// transactions, and never waits for its user in one. [Store.Verify] reads everything in a file and referees every
// match again.
//
// The package never prints or plays a match, and starts no process but one of this program, which checks a file: see
// [Entered]. It writes nothing to a file that is damaged or that another program made, and never creates a file again
// that was removed under a run.
package store
