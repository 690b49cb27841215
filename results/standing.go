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
	Withdrawn           bool          // after so many faults in a row, see Standings
	Elo                 float64       // online, over the matches that are no repeats, see Ladder
	CPU                 time.Duration // processor time, in sum, in the matches in which it is known
	CPUMatches          int           // how many those are
	Merit

	DirectEncounter float64 // among all who have the same points; 0 for one alone
	SonnebornBerger float64
	Koya            float64

	Field stats.Rating // what the matches of all say of its strength; as NewReport has it, else zero
}

// Score is the share of the possible points of its matches that the bot has, from 0 to 1, and false
// without a match. Byes are no matches.
func (s Standing) Score() (score float64, ok bool) {
	if s.Matches == 0 {
		return 0, false
	}
	return (s.Points - s.ByePoints) / float64(s.Matches), true
}

// Standings makes the table of a tournament from the summaries of its matches in schedule order, without
// the rating of the field. merits has what bots have beside their matches, and may be nil. Every
// bot is in it, those without a match too: who reached the higher stage of a knockout first, elsewhere who
// has most points, then by the tournament's tie-breaks; those that are still tied in configured order. Who is
// withdrawn follows from the unbroken run of slots from the first alone: a match that is still missing may
// break a row of faults. The error names a match with a bot that is not in the tournament, or an unknown
// tie-break.
func Standings(t Tournament, summaries []Slotted, merits map[string]Merit) ([]Standing, error) {
	fold, err := newStandingsFold(t, summaries)
	if err != nil {
		return nil, err
	}
	table, _, err := fold.table(merits)
	return table, err
}
