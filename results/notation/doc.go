// Package notation writes and reads the records of matches as text that people can read: see [Write]. The page
// results/README.md describes the format.
package notation
