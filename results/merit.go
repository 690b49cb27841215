package results

// Merit is what a bot has in a tournament beside its matches.
type Merit struct {
	Byes      int     // stages of a swiss that it sat out
	ByePoints float64 // what it got for them; part of its points
	Reached   int     // of a knockout: the stage that it came to, from 1; the winner's is one more than the last
}
