// Package stats computes the statistics of matches and fields: Elo and its errors, ratings of a whole
// field, and sequential tests. It works on numbers alone: players are indexes, and results are
// points.
//
// A value that is unbounded or cannot be computed from the data is a nil pointer. It is never NaN or
// infinite.
package stats
