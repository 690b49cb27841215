//go:build long

package schedule

// How much the long tests look at.
const (
	matchingGraphs = 20000
	factorGraphs   = 100
	swissBots      = 16
	firstStageBots = 60
	largestSwiss   = 200
)
