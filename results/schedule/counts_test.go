//go:build !long

package schedule

// How much the long tests look at. With the tag long it is more, which takes
// seconds: go test -tags long ./results/schedule.
const (
	matchingGraphs = 2000 // graphs whose matchings are compared with all there are
	factorGraphs   = 40
	swissBots      = 11 // the largest field whose every number of stages is played
	firstStageBots = 32
	largestSwiss   = 64 // of the large fields
)
