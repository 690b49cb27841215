//go:build !long

package engine_test

// deepest is the depth to which the perft tables are counted. The rows beyond
// it take ten seconds and more: go test -tags long ./engine
const deepest = 9
