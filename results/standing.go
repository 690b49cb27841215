package results

import (
	"time"

	"sembra/results/stats"
)

// Standing is one line of a tournament's table. Points are 1 for a win and 1/2 for a draw. A match in
// which both bots were at fault counts for each as a match and a fault with 0 points, and is neither a
// win nor a draw nor a loss.
type Standing struct {
	Rank                int // from 1; bots that no tie-break separates share a rank, and the next rank is left out
	Bot                 string
	Points              float64 // with those for byes
	Matches             int
	Wins, Draws, Losses int
	Faults              int           // matches in which this bot was at fault
	Repeats             int           // matches that equal an earlier one, see Repeats
	Withdrawn           bool          // after so many faults in a row, see NewStandings
	Elo                 float64       // online, over the matches that are no repeats, see Ladder
	CPU                 time.Duration // processor time, in sum, in the matches in which it is known
	CPUMatches          int           // how many those are
	Merit

	DirectEncounter float64 // among all who have the same points; 0 for one alone
	SonnebornBerger float64
	Koya            float64

	Field stats.Rating // what the matches of all say of its strength; as NewStandings has it, else zero
}

// Score is the share of the possible points of its matches that the bot has, from 0 to 1, and false
// without a match. Byes are no matches.
func (s Standing) Score() (score float64, ok bool) {
	if s.Matches == 0 {
		return 0, false
	}
	return (s.Points - s.ByePoints) / float64(s.Matches), true
}
