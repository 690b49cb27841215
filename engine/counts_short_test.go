//go:build !long

package engine_test

// Without the build tag "long" the tests take seconds: go test ./engine
const (
	deepest       = 9   // the depth to which TestPerft counts
	randomMatches = 500 // the random matches of each ruleset in TestSecondImplementation
	mostSolved    = 3   // the seeds in a hole of the Kalahs that TestKalahValues solves
)
