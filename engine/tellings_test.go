//go:build !long

package engine_test

// tellings is how many matches of each ruleset are told twice.
const tellings = 4_000
