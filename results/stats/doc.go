// Package stats has the statistics of matches and fields: Elo and its errors, ratings of a whole field,
// Glicko-2, and sequential tests. It knows numbers alone: players are indexes, results are points.
//
// A value that cannot be told, because it is unbounded or there is nothing to tell it from, is a nil
// pointer, never NaN and never infinite.
package stats
